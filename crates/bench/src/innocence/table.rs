//! The table of differences: strategy by strategy, how often solvers said sat and unsat to one check, and what came of it.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use gainsay::judge::DecidingCost;
use gainsay::report::counter::difference;
use gainsay::report::many;
use gainsay::solver::Outcome;
use gainsay::store::{Counter, DifferenceEnd, SeriesRow, TallyRow, TurnOutcome};

/// What is counted of one strategy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Line {
    turns: u64,
    decided: u64,
    explained: u64,
    unconfirmed: u64,
    undecided: u64,
    /// Differences that were not seen again, or that nobody judged.
    other: u64,
    time_outs: u64,
}

impl Line {
    /// All differences, before any exemption.
    fn differences(&self) -> u64 {
        self.decided + self.explained + self.unconfirmed + self.undecided + self.other
    }

    fn count(&mut self, what: &Counter, count: u64) {
        let column = match what {
            Counter::Run(TurnOutcome::Other(Outcome::TimedOut)) => &mut self.time_outs,
            Counter::Difference(DifferenceEnd::Decided) => &mut self.decided,
            Counter::Difference(DifferenceEnd::Explained { .. }) => &mut self.explained,
            Counter::Difference(DifferenceEnd::Unconfirmed) => &mut self.unconfirmed,
            Counter::Difference(DifferenceEnd::Undecided) => &mut self.undecided,
            Counter::Difference(DifferenceEnd::Vanished | DifferenceEnd::NotJudged) => &mut self.other,
            _ => return,
        };
        *column += count;
    }

    fn cells(&self) -> [u64; 8] {
        [
            self.turns,
            self.differences(),
            self.decided,
            self.explained,
            self.unconfirmed,
            self.undecided,
            self.other,
            self.time_outs,
        ]
    }
}

/// The differences of a campaign by strategy, and all together.
#[derive(Debug)]
pub struct Table {
    lines: BTreeMap<String, Line>,
    all: Line,
    /// Ends of differences that need a reason, each with its count.
    reasons: BTreeMap<String, u64>,
    questions: u64,
}

impl Table {
    /// The table of these series and counts.
    pub fn of(series: &[SeriesRow], tally: &[TallyRow]) -> Table {
        let (lines, reasons) = (BTreeMap::new(), BTreeMap::new());
        let mut table = Table { lines, all: Line::default(), reasons, questions: 0 };
        for row in series {
            let turns = u64::from(row.turns);
            table.lines.entry(row.strategy.clone()).or_default().turns += turns;
            table.all.turns += turns;
        }
        for (strategy, _, what, count) in tally {
            table.lines.entry(strategy.clone()).or_default().count(what, *count);
            table.all.count(what, *count);
            match what {
                Counter::Difference(
                    end @ (DifferenceEnd::Explained { .. }
                    | DifferenceEnd::Vanished
                    | DifferenceEnd::NotJudged),
                ) => {
                    *table.reasons.entry(difference(end)).or_default() += count;
                }
                Counter::DecidingQuestions => table.questions += count,
                _ => {}
            }
        }
        table
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let heads =
            ["turns", "sat/unsat", "decided", "explained", "unconfirmed", "undecided", "other", "time-outs"];
        let row = |f: &mut fmt::Formatter<'_>, name: &str, cells: [String; 8]| -> fmt::Result {
            write!(f, "{name:<12}")?;
            for (cell, head) in cells.iter().zip(heads) {
                write!(f, "  {cell:>w$}", w = head.len().max(7))?;
            }
            writeln!(f)
        };
        row(f, "strategy", heads.map(str::to_owned))?;
        for (name, line) in &self.lines {
            row(f, name, line.cells().map(|cell| cell.to_string()))?;
        }
        row(f, "all", self.all.cells().map(|cell| cell.to_string()))?;
        for (reason, count) in &self.reasons {
            writeln!(f, "  {count} {reason}")?;
        }
        writeln!(f, "{} asked in deciding", many(self.questions, "question"))
    }
}

/// What a run of the campaign has cost.
#[derive(Clone, Copy, Debug)]
pub struct Work {
    /// Turns of this run.
    pub turns: u64,
    /// How long it took.
    pub wall: Duration,
    /// CPU time of this program.
    pub ours: Duration,
    /// CPU time of solvers.
    pub solvers: Duration,
    /// What deciding has cost.
    pub deciding: DecidingCost,
    /// Whether somebody stopped it.
    pub stopped: bool,
}

impl fmt::Display for Work {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let wall = self.wall.as_secs_f64().max(0.001);
        let (ours, solvers) = (self.ours.as_secs_f64(), self.solvers.as_secs_f64());
        let deciding = self.deciding.cpu.as_secs_f64();
        let stopped =
            if self.stopped { "; stopped before the end, --resume goes on with the campaign" } else { "" };
        writeln!(
            f,
            "this run: {} in {wall:.1} s, {:.1} a second{stopped}",
            many(self.turns, "turn"),
            self.turns as f64 / wall
        )?;
        writeln!(
            f,
            "CPU: {ours:.1} s ours, {solvers:.1} s of solvers; deciding took {deciding:.1} s of both, {:.2} %",
            deciding / (ours + solvers).max(1e-9) * 100.0
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gainsay::judge::Foreign;

    #[test]
    fn counts_go_to_their_columns() {
        let series = |strategy: &str, turns| SeriesRow {
            strategy: strategy.to_owned(),
            turns,
            ..SeriesRow::default()
        };
        let to = "z3@4.8.7".parse().expect("a name");
        let ends = [
            (DifferenceEnd::Decided, 1),
            (DifferenceEnd::Explained { to, why: Foreign::EightBitCharacters }, 2),
            (DifferenceEnd::Unconfirmed, 4),
            (DifferenceEnd::Undecided, 8),
            (DifferenceEnd::Vanished, 16),
            (DifferenceEnd::NotJudged, 32),
        ];
        let mut tally: Vec<TallyRow> =
            ends.map(|(end, count)| ("opfuzz".to_owned(), None, Counter::Difference(end), count)).to_vec();
        let late = Counter::Run(TurnOutcome::Other(Outcome::TimedOut));
        tally.push(("seeds".to_owned(), None, late, 3));
        tally.push(("seeds".to_owned(), None, Counter::DecidingQuestions, 70));
        let table = Table::of(&[series("seeds", 10), series("opfuzz", 5), series("opfuzz", 6)], &tally);
        assert_eq!(table.lines["opfuzz"].cells(), [11, 63, 1, 2, 4, 8, 48, 0]);
        assert_eq!(table.lines["seeds"].cells(), [10, 0, 0, 0, 0, 0, 0, 3]);
        assert_eq!(table.all.cells(), [21, 63, 1, 2, 4, 8, 48, 3]);
        let text = table.to_string();
        assert!(text.contains("  2 explained, characters of z3@4.8.7 are of 8 bits\n"), "{text}");
        assert!(text.contains("  16 not seen again in fresh processes\n"), "{text}");
        assert!(text.ends_with("70 questions asked in deciding\n"), "{text}");
    }
}
