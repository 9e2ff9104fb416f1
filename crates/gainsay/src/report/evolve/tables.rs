//! The tables of a study for a terminal of 80 columns.

use std::fmt::Write;

use super::{Evolution, Group, KINDS, groups};
use crate::report::many;
use crate::store::Seen;

/// Columns of a terminal.
const WIDTH: usize = 80;
/// The most columns for the name of a release, and for a cell.
const NAME: usize = 16;
const CELL: usize = 8;
/// Groups that are shown; all are in the files.
const SHOWN: usize = 30;

/// A text in at most so many columns.
pub(super) fn short(text: &str, columns: usize) -> String {
    if text.chars().count() <= columns {
        return text.to_owned();
    }
    let kept: String = text.chars().take(columns.saturating_sub(1)).collect();
    format!("{kept}…")
}

/// A table: one line for each release, one column for each text of the head; columns that do not fit go below.
fn table(out: &mut String, head: &[String], rows: &[(String, Vec<String>)]) {
    let name = rows.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0).min(NAME);
    let width = |c: usize| {
        let cells = rows.iter().map(|(_, cells)| cells[c].chars().count());
        cells.chain([head[c].chars().count(), 4]).max().unwrap_or(0).min(CELL) + 1
    };
    let mut from = 0;
    while from < head.len() {
        let mut to = from;
        let mut used = name;
        while to < head.len() && (to == from || used + width(to) <= WIDTH) {
            used += width(to);
            to += 1;
        }
        let mut line = |label: &str, cells: &[String]| {
            let _ = write!(out, "{:<name$}", short(label, name));
            for (c, cell) in (from..to).zip(&cells[from..to]) {
                let _ = write!(out, "{:>width$}", short(cell, CELL), width = width(c));
            }
            out.push('\n');
        };
        line("", head);
        for (label, cells) in rows {
            line(label, cells);
        }
        from = to;
    }
}

fn number(n: usize) -> String {
    if n == 0 { "-".to_owned() } else { n.to_string() }
}

fn real(x: f64) -> String {
    match x {
        0.0 => "-".to_owned(),
        x if x >= 100.0 => format!("{x:.0}"),
        x if x >= 10.0 => format!("{x:.1}"),
        x => format!("{x:.2}"),
    }
}

/// A bound of time as people write it.
pub(super) fn bound(seconds: f64) -> String {
    if seconds < 1.0 { format!("1/{:.0}s", 1.0 / seconds) } else { format!("{seconds:.0}s") }
}

impl Evolution {
    /// A table by release and grammar, with a column for all.
    fn by_grammar(
        &self,
        out: &mut String,
        releases: &[usize],
        last: Option<&str>,
        cell: impl Fn(usize, Option<usize>) -> String,
    ) {
        let mut head: Vec<String> = self.grammars.clone();
        let more = self.grammars.len() > 1;
        if more {
            head.insert(0, "all".to_owned());
        }
        let row = |r: usize| {
            let all = more.then(|| cell(r, None));
            let each = (0..self.grammars.len()).map(|g| cell(r, Some(g)));
            all.into_iter().chain(each).collect()
        };
        let named = releases.iter().map(|&r| (self.releases[r].name.to_string(), row(r)));
        // A last line is no release's.
        let last = last.map(|label| (label.to_owned(), row(self.releases.len())));
        let rows: Vec<(String, Vec<String>)> = named.chain(last).collect();
        table(out, &head, &rows);
    }
}

/// All tables.
pub fn terminal(e: &Evolution) -> String {
    let mut out = String::new();
    let everyone: Vec<usize> = (0..e.releases.len()).collect();
    let _ = writeln!(
        out,
        "{} formulas, {} releases, {} grammars",
        e.lines.len(),
        everyone.len(),
        e.grammars.len()
    );
    if e.unfinished > 0 {
        let _ =
            writeln!(out, "{} formulas were not asked of every release: they are in no table", e.unfinished);
    }
    let scattered = e.scattered();
    if scattered > 0 {
        let _ = writeln!(
            out,
            "{scattered} formulas were asked on several machines: they are in no table of times"
        );
    }
    if e.lines.is_empty() {
        return out;
    }
    out.push_str("\nWhat runs came to\n");
    answers(&mut out, e);
    triggers(&mut out, e);
    if e.is_timed() {
        if e.comparable(None).next().is_some() {
            times(&mut out, e);
        }
    } else {
        let _ =
            writeln!(out, "\nAsked {}: no time is reported, for only a process of its own has one.", e.way);
    }
    late(&mut out, e);
    out
}

fn answers(out: &mut String, e: &Evolution) {
    let words = [
        "sat",
        "unsat",
        "unknown",
        "timed-out",
        "stalled",
        "out-of-memory",
        "rejected",
        "crashed",
        "unasked",
    ];
    let head =
        ["sat", "unsat", "unknown", "late", "stalled", "memory", "refused", "crashed", "unasked", "other"]
            .map(str::to_owned);
    let rows: Vec<_> = (0..e.releases.len())
        .map(|r| {
            let counts = e.answers(r, None);
            let of = |word: &str| counts.get(word).copied().unwrap_or(0);
            let known: usize = words.iter().map(|w| of(w)).sum();
            let mut cells: Vec<String> = words.iter().map(|w| number(of(w))).collect();
            cells.push(number(e.lines.len() - known));
            (e.releases[r].name.to_string(), cells)
        })
        .collect();
    table(out, &head, &rows);
    if e.lines.iter().flat_map(|line| &line.cells).any(|cell| cell.stalled) {
        out.push_str("(stalled: twice ended by the clock on the wall, asleep or starved by other work)\n");
    }
}

fn triggers(out: &mut String, e: &Evolution) {
    for &(kind, words) in KINDS {
        let failing: Vec<usize> = (0..e.releases.len()).filter(|&r| e.triggers(r, None, kind) > 0).collect();
        if failing.is_empty() {
            continue;
        }
        let _ = writeln!(out, "\nTriggers: {words} (releases not named have none)");
        e.by_grammar(out, &failing, None, |r, g| number(e.triggers(r, g, kind)));
    }
    let (confirmed, counted, once) = (e.seen(Seen::Confirmed), e.seen(Seen::Counted), e.seen(Seen::Once));
    if confirmed + counted + once == 0 {
        out.push_str("\nNothing is wrong that our oracles can show.\n");
        return;
    }
    let _ = writeln!(
        out,
        "\n{confirmed} of these were confirmed in fresh processes and kept; {counted} more of their\n\
         like were seen with their evidence and counted. {once} were seen once and count not."
    );
    let all = groups(e);
    let _ = writeln!(out, "\nTrigger groups: {}", all.len());
    for group in all.iter().take(SHOWN) {
        out.push_str(&described(e, group));
    }
    if all.len() > SHOWN {
        let _ = writeln!(out, "  and {} more in groups.csv", all.len() - SHOWN);
    }
}

/// A group in two lines.
fn described(e: &Evolution, g: &Group) -> String {
    let kind = KINDS.iter().find(|(kind, _)| *kind == g.kind).map_or("", |(_, words)| words);
    let name = |r: usize| e.releases[r].short.as_str();
    let since = match g.introduced {
        Some(r) => format!("since {}", name(r)),
        None => format!("in {} already", name(g.failing[0])),
    };
    let until = match g.fixed {
        Some(r) => format!("fixed in {}", name(r)),
        None => "not fixed".to_owned(),
    };
    let again = if g.returned { ", came back" } else { "" };
    let count = many(g.triggers as u64, "trigger");
    let first =
        format!("  {} {kind}, {} {}: {}", g.make, e.grammars[g.grammar], short(&g.smallest, 12), g.operators);
    let second = format!("    {count}, {since}, {until}{again}");
    format!("{}\n{}\n", short(&first, WIDTH), short(&second, WIDTH))
}

fn times(out: &mut String, e: &Evolution) {
    let everyone: Vec<usize> = (0..e.releases.len()).collect();
    let bounds = e.bounds();
    let total = e.comparable(None).count().max(1) as f64;
    out.push_str("\nSolved within (CPU time of a process of its own), percent\n");
    let head: Vec<String> = bounds.iter().map(|&t| bound(t)).collect();
    let rows: Vec<_> = everyone
        .iter()
        .map(|&r| {
            let percent = |&t: &f64| format!("{:.1}", e.solved_within(r, None, t) as f64 * 100.0 / total);
            (e.releases[r].name.to_string(), bounds.iter().map(percent).collect())
        })
        .collect();
    table(out, &head, &rows);
    for make in e.makes() {
        let releases = e.of_make(make);
        let _ = writeln!(out, "\nCPU seconds on what every {make} solves");
        e.by_grammar(out, &releases, Some("(formulas)"), |r, g| match e.releases.get(r) {
            Some(_) => real(e.joint_seconds(r, g)),
            None => number(e.jointly_solved(make, g).len()),
        });
    }
    out.push_str("\nThroughput: formulas for each CPU second, whatever came of them\n");
    e.by_grammar(out, &everyone, None, |r, g| e.throughput(r, g).map_or("-".to_owned(), real));
}

fn late(out: &mut String, e: &Evolution) {
    let late: Vec<usize> = (0..e.releases.len())
        .filter(|&r| (0..e.grammars.len()).any(|g| e.smallest_late(r, g).is_some()))
        .collect();
    if late.is_empty() {
        let _ = writeln!(out, "\nNobody runs out of time ({} s).", e.limit);
        return;
    }
    let _ = writeln!(out, "\nThe smallest formula that takes more than {} s, by number", e.limit);
    let one = |r: usize, g: Option<usize>| match g {
        Some(g) => e.smallest_late(r, g).map_or("-".to_owned(), |l| l.formula.number.clone()),
        None => number(e.comparable(None).filter(|line| line.cells[r].is_late()).count()),
    };
    e.by_grammar(out, &late, None, one);
    if e.grammars.len() > 1 {
        out.push_str("(all: how many formulas do)\n");
    }
}
