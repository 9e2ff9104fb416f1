//! A seed printed once: a mutant is printed by copying what it does not change, and costs what it changes.

use std::ops::Range;
use std::sync::Arc;

use smt::{Command, Head, Logic, Pool, Script, Span, TermId, What};

use super::polarity::Spot;

/// The text of a seed, and where its formulas stand in it.
pub(super) struct Printed {
    text: Vec<u8>,
    /// By command, where it stands in the text.
    spans: Vec<Span>,
    /// By command: its text if something in it changes, and where each of its nodes begins there.
    plain: Vec<Option<(Vec<u8>, Vec<u32>)>>,
    /// By term of the seed: how many nodes it has, and what it uses.
    facts: Vec<(u32, Logic)>,
    /// By term of the seed: its text, if somebody wanted it.
    texts: Vec<Option<Box<str>>>,
    /// What the last mutant was printed in.
    page: Vec<u8>,
}

/// A formula of a command's text that gives way to another.
pub(super) struct Change {
    pub command: usize,
    pub start: usize,
    pub end: usize,
    /// The other one, in the text of all that is new.
    pub new: Range<usize>,
}

impl Printed {
    pub fn of(script: &Script) -> Printed {
        let mut printed = Printed {
            text: Vec::new(),
            spans: Vec::new(),
            plain: Vec::new(),
            facts: Vec::new(),
            texts: Vec::new(),
            page: Vec::new(),
        };
        for &command in &script.commands {
            let start = printed.text.len() as u32;
            smt::write_command_to(script, command, &mut printed.text);
            printed.spans.push(Span { start, end: printed.text.len() as u32 });
            printed.text.push(b'\n');
        }
        printed.plain.resize_with(script.commands.len(), || None);
        let pool = &script.pool;
        for term in pool.all_terms() {
            let mut nodes = 1u32;
            for arg in pool.args(term) {
                nodes = nodes.saturating_add(printed.facts[arg.index()].0);
            }
            let logic = logic_of(pool, term, |arg| printed.facts[arg.index()].1);
            printed.facts.push((nodes, logic));
        }
        printed.texts.resize_with(printed.facts.len(), || None);
        printed
    }

    /// Appends the text of a term: what is the seed's is written once and copied from then on.
    pub fn write(&mut self, pool: &Pool, term: TermId, out: &mut Vec<u8>) {
        if let Some(known) = self.texts.get_mut(term.index()) {
            let text = known.get_or_insert_with(|| smt::write_term(pool, term).into());
            out.extend_from_slice(text.as_bytes());
            return;
        }
        let node = pool.node(term);
        match node.head {
            _ if pool.args(term).is_empty() => out.extend_from_slice(pool.bytes(node.name)),
            // Only what a rule has built is new, so this goes no deeper than rules do.
            Head::Op(..) | Head::Fun(_) => {
                out.push(b'(');
                out.extend_from_slice(pool.bytes(node.name));
                for &arg in pool.args(term) {
                    out.push(b' ');
                    self.write(pool, arg, out);
                }
                out.push(b')');
            }
            _ => out.extend_from_slice(smt::write_term(pool, term).as_bytes()),
        }
    }

    /// How many nodes a term of the seed has.
    pub fn nodes(&self, term: TermId) -> u32 {
        self.facts[term.index()].0
    }

    /// What a term uses, which may be new.
    pub fn logic(&self, pool: &Pool, term: TermId) -> Logic {
        match self.facts.get(term.index()) {
            Some((_, logic)) => *logic,
            // Only what a rule has built is new, so this goes no deeper than rules do.
            None => logic_of(pool, term, |arg| self.logic(pool, arg)),
        }
    }

    /// Where a formula begins and ends in the text of its command.
    pub fn place(&mut self, script: &Script, spot: &Spot) -> (usize, usize) {
        let command = spot.command as usize;
        let (text, marks) = self.plain[command].get_or_insert_with(|| {
            let bare = Command { span: None, ..script.commands[command] };
            let (mut text, mut marks) = (Vec::new(), Vec::new());
            smt::write_command_marked(script, bare, &mut text, &mut marks);
            (text, marks)
        });
        let start = marks[spot.before as usize] as usize;
        let written = smt::write_term(&script.pool, spot.term);
        debug_assert!(text[start..].starts_with(written.as_bytes()), "a term prints the same everywhere");
        (start, start + written.len())
    }

    /// What stands at a place of a command that was looked at.
    pub fn at(&self, command: usize, (start, end): (usize, usize)) -> String {
        let text = self.plain[command].as_ref().map_or(&[][..], |(text, _)| &text[start..end]);
        String::from_utf8_lossy(text).into_owned()
    }

    /// Prints a mutant: `changes` are in the order of the text, `new` is the text of all that is new, and `script` has the
    /// seed's commands.
    pub fn print(&mut self, changes: &[Change], new: &[u8], script: &mut Script) -> Arc<[u8]> {
        let mut out = std::mem::take(&mut self.page);
        out.clear();
        let (mut copied, mut left) = (0usize, changes);
        while let Some(first) = left.first() {
            let command = first.command;
            let count = left.iter().take_while(|change| change.command == command).count();
            let (here, next) = left.split_at(count);
            let span = self.spans[command];
            self.shift(copied, span.start as usize, out.len(), script);
            out.extend_from_slice(&self.text[copied..span.start as usize]);
            let start = out.len() as u32;
            let (text, _) = self.plain[command].as_ref().expect("its places were looked up");
            let mut done = 0;
            for change in here {
                out.extend_from_slice(&text[done..change.start]);
                out.extend_from_slice(&new[change.new.clone()]);
                done = change.end;
            }
            out.extend_from_slice(&text[done..]);
            script.commands[command].span = Some(Span { start, end: out.len() as u32 });
            copied = span.end as usize;
            left = next;
        }
        self.shift(copied, self.text.len(), out.len(), script);
        out.extend_from_slice(&self.text[copied..]);
        let text = out.as_slice().into();
        self.page = out;
        text
    }

    /// Tells the commands between two places of the text that they now stand elsewhere.
    fn shift(&self, from: usize, to: usize, at: usize, script: &mut Script) {
        let first = self.spans.partition_point(|span| (span.start as usize) < from);
        for (span, command) in self.spans[first..].iter().zip(&mut script.commands[first..]) {
            if span.end as usize > to {
                break;
            }
            let moved = |place: u32| (place as usize - from + at) as u32;
            command.span = Some(Span { start: moved(span.start), end: moved(span.end) });
        }
    }
}

/// What a term uses, given what its arguments use.
fn logic_of(pool: &Pool, term: TermId, below: impl Fn(TermId) -> Logic) -> Logic {
    let mut logic = Logic::of_node(pool, term);
    for (k, &arg) in pool.args(term).iter().enumerate() {
        if Logic::counts(pool, term, k) {
            logic = logic.join(below(arg));
        }
    }
    logic
}

/// The formula that a command asserts.
pub(super) fn asserted(script: &Script, command: usize) -> Option<TermId> {
    match script.commands[command].what {
        What::Assert(term) => Some(term),
        _ => None,
    }
}
