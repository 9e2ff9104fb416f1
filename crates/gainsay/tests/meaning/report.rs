//! What became of the terms, in numbers.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;

use smt::Gap;
use smt::theory::{OpId, Theory, table};

use crate::ask::Reply;
use crate::draw::meaningless;

/// The counts of one theory.
pub struct Report {
    theory: Theory,
    drawn: usize,
    /// Terms with a value that no solver can be asked about.
    pub unasked: usize,
    open: BTreeMap<String, usize>,
    /// Operators that stood at the top of a term, and of one that has a value.
    seen: BTreeSet<OpId>,
    valued: BTreeMap<OpId, usize>,
    replies: BTreeMap<(&'static str, &'static str), usize>,
    reasons: BTreeMap<String, (usize, String)>,
    notes: Vec<String>,
}

impl Report {
    pub fn new(theory: Theory) -> Report {
        Report {
            theory,
            drawn: 0,
            unasked: 0,
            open: BTreeMap::new(),
            seen: BTreeSet::new(),
            valued: BTreeMap::new(),
            replies: BTreeMap::new(),
            reasons: BTreeMap::new(),
            notes: Vec::new(),
        }
    }

    /// A term was evaluated, or is open.
    pub fn evaluated(&mut self, op: OpId, gap: Option<&Gap>) {
        self.drawn += 1;
        self.seen.insert(op);
        match gap {
            Some(gap) => *self.open.entry(gap.to_string()).or_default() += 1,
            None => *self.valued.entry(op).or_default() += 1,
        }
    }

    /// A solver replied; `known` if that is a mistake we know.
    pub fn replied(
        &mut self,
        solver: &'static str,
        term: &str,
        operators: &[&'static str],
        reply: &Reply,
        known: bool,
    ) {
        let (kind, why) = match reply {
            Reply::Confirmed => ("confirmed", None),
            Reply::Denied if known => ("mistaken", None),
            Reply::Denied => ("denied", None),
            Reply::Unknown => ("unknown", Some(operators.join(" "))),
            Reply::Refused(why) => ("refused", Some(why.clone())),
            Reply::Crashed(why) => ("crashed", Some(why.clone())),
        };
        *self.replies.entry((solver, kind)).or_default() += 1;
        if let Some(why) = why {
            // Positions and numbers would tell equal reasons apart.
            let why = why.split(" in node ").next().unwrap_or(&why);
            let why: String = why.chars().map(|c| if c.is_ascii_digit() { '#' } else { c }).collect();
            let note = self.reasons.entry(format!("{solver} {kind}: {why}")).or_insert((0, term.to_owned()));
            note.0 += 1;
            if term.len() < note.1.len() {
                term.clone_into(&mut note.1);
            }
        }
    }

    /// Something worth a line in the report.
    pub fn note(&mut self, text: &str) {
        self.notes.push(text.to_owned());
    }

    /// Appends the counts to the file that `GAINSAY_MEANING_REPORT` names; one line goes to standard error.
    pub fn print(&self) {
        let open: usize = self.open.values().sum();
        let (theory, drawn, unasked) = (self.theory, self.drawn, self.unasked);
        let mut line = vec![format!(
            "{theory:?}: drawn {drawn}, evaluated {}, open {open}, not asked {unasked}",
            drawn - open
        )];
        line.extend(self.replies.iter().map(|((solver, kind), n)| format!("{solver} {kind} {n}")));
        let line = line.join(", ");
        eprintln!("{line}");
        let Some(place) = std::env::var_os("GAINSAY_MEANING_REPORT") else { return };
        let mut lines = vec![format!("== {line}")];
        lines.extend(self.open.iter().map(|(gap, n)| format!("  open {n}: {gap}")));
        let mut names = |what: &str, of: &dyn Fn(OpId) -> bool| {
            let rows = table().ids().filter(|&op| table().theory(op) == self.theory && of(op));
            let names: Vec<_> = rows.map(|op| table().op(op).name).collect();
            lines.push(format!("  {what}: {}", names.join(" ")));
        };
        let read = |op: OpId| table().op(op).readers.iter().next().is_some();
        names("left out", &meaningless);
        names("nobody reads", &|op| !read(op));
        names("never drawn", &|op| read(op) && !meaningless(op) && !self.seen.contains(&op));
        names("never evaluated", &|op| self.seen.contains(&op) && !self.valued.contains_key(&op));
        names("seldom evaluated", &|op| self.valued.get(&op).is_some_and(|&n| n * 1000 < drawn));
        lines.extend(self.reasons.iter().map(|(why, (n, term))| format!("  {n} × {why}\n      {term}")));
        lines.extend(self.notes.iter().map(|note| format!("  {note}")));
        let file = std::fs::OpenOptions::new().create(true).append(true).open(place);
        let text = lines.join("\n") + "\n";
        file.and_then(|mut f| f.write_all(text.as_bytes())).expect("the report can be written");
    }
}
