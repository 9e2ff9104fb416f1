//! How releases evolved: what all runs of a study come to, for tables, files and plots.

mod figures;
mod files;
mod groups;
mod tables;

use std::collections::BTreeMap;

use crate::case::Answer;
use crate::judge::Kind;
use crate::solver::id::{Make, SolverId};
use crate::solver::run::Outcome;
use crate::store::{AllRuns, FormulaRow, RunRow, Seen, WrongRow};

pub use figures::figures;
pub use files::{summary, write_files};
pub use groups::{Group, groups};
pub use tables::terminal;

/// A release that was studied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Studied {
    /// Its name in the store: `z3@4.8.5`.
    pub name: SolverId,
    /// Whose release it is: `z3`.
    pub make: String,
    /// What it is called beside others of its make: `4.8.5`.
    pub short: String,
}

impl Studied {
    /// What a name in a store stands for.
    pub fn of(id: &SolverId) -> Studied {
        let make = match id.make() {
            Make::Fake(_) => "fake".to_owned(),
            make => make.to_string(),
        };
        Studied { name: id.clone(), make, short: id.short().to_owned() }
    }
}

/// What one release did with one formula.
#[derive(Clone, Debug)]
pub struct Cell {
    /// The run.
    pub run: RunRow,
    /// Whether it ran out of wall time before it had used half of its CPU time: it slept, or other work starved it.
    pub stalled: bool,
    /// What is wrong with it.
    pub wrongs: Vec<WrongRow>,
}

impl Cell {
    /// Whether it is known to be wrong in this way.
    pub fn is_trigger(&self, kind: Kind) -> bool {
        self.wrongs.iter().any(|w| w.kind() == kind && w.seen != Seen::Once)
    }

    /// Whether it is solved: sat or unsat, and not known to be unsound.
    pub fn is_solved(&self) -> bool {
        matches!(self.run.answer, Some(Answer::Sat | Answer::Unsat)) && !self.is_trigger(Kind::Soundness)
    }

    /// CPU time in seconds.
    pub fn seconds(&self) -> Option<f64> {
        Some(self.run.cpu? as f64 / 1e6)
    }

    /// What it came to, in a word.
    pub fn word(&self) -> &'static str {
        match (self.run.outcome, self.run.answer) {
            (Some(Outcome::Answered | Outcome::SelfCheck), Some(answer)) => answer.word(),
            _ => self.outcome_word(),
        }
    }

    /// The word for the outcome of its run.
    pub fn outcome_word(&self) -> &'static str {
        if self.stalled { "stalled" } else { self.run.outcome_word() }
    }

    /// Whether it ran out of time, and not because it slept or was starved.
    pub fn is_late(&self) -> bool {
        self.run.outcome == Some(Outcome::TimedOut) && !self.stalled
    }
}

/// Whether runs with times were made on several machines, as far as that was kept.
fn are_scattered(cells: &[Cell]) -> bool {
    let mut known = cells.iter().filter(|cell| cell.run.cpu.is_some() && !cell.run.machine.is_empty());
    let first = known.next();
    first.is_some_and(|first| known.any(|cell| cell.run.machine != first.run.machine))
}

/// A formula and what each studied release did with it.
#[derive(Clone, Debug)]
pub struct Line {
    /// The formula.
    pub formula: FormulaRow,
    /// The number of its grammar.
    pub grammar: usize,
    /// One cell for each studied release.
    pub cells: Vec<Cell>,
    /// Whether it was asked on one machine alone: only then may its times be compared.
    pub comparable: bool,
}

/// Everything that a study found.
#[derive(Clone, Debug)]
pub struct Evolution {
    /// Who was studied, make by make, oldest first.
    pub releases: Vec<Studied>,
    /// The grammars.
    pub grammars: Vec<String>,
    /// Formulas in order of grammar, then number.
    pub lines: Vec<Line>,
    /// Formulas that not every release has been asked; they are in no table.
    pub unfinished: usize,
    /// Seconds that a question might take.
    pub limit: f64,
    /// How releases were asked.
    pub way: String,
}

/// What is counted against releases, with the words of tables.
pub const KINDS: &[(Kind, &str)] = &[
    (Kind::Soundness, "unsound"),
    (Kind::WrongModel, "invalid model"),
    (Kind::Crash, "crash"),
    (Kind::SelfCheck, "self-check"),
    (Kind::Disagreement, "undecided"),
];

impl Evolution {
    /// What a store's rows come to for these releases and grammars.
    pub fn of(
        all: &AllRuns,
        releases: Vec<Studied>,
        grammars: Vec<String>,
        limit: f64,
        way: &str,
    ) -> Evolution {
        let mut wrongs: BTreeMap<(u64, &SolverId), Vec<WrongRow>> = BTreeMap::new();
        for (formula, release, wrong) in &all.wrongs {
            wrongs.entry((*formula, release)).or_default().push(wrong.clone());
        }
        let mut lines = Vec::new();
        let mut unfinished = 0;
        for (&id, formula) in &all.formulas {
            let Some(grammar) = grammars.iter().position(|g| *g == formula.grammar) else { continue };
            let cell = |r: &Studied| {
                let run = all.runs.get(&(id, r.name.clone()))?.clone();
                let stalled = run.outcome == Some(Outcome::TimedOut)
                    && run.cpu.is_some_and(|used| (used as f64) < limit * 0.5e6);
                let wrongs = wrongs.get(&(id, &r.name)).cloned().unwrap_or_default();
                Some(Cell { run, stalled, wrongs })
            };
            match releases.iter().map(cell).collect::<Option<Vec<_>>>() {
                Some(cells) => {
                    let comparable = !are_scattered(&cells);
                    lines.push(Line { formula: formula.clone(), grammar, cells, comparable });
                }
                None => unfinished += 1,
            }
        }
        // Numbers may be longer than any integer.
        lines.sort_by(|a, b| {
            let key = |l: &Line| (l.grammar, l.formula.number.len(), l.formula.number.clone());
            key(a).cmp(&key(b))
        });
        Evolution { releases, grammars, lines, unfinished, limit, way: way.to_owned() }
    }

    /// The makes, in order.
    pub fn makes(&self) -> Vec<&str> {
        let mut makes: Vec<&str> = Vec::new();
        for release in &self.releases {
            if !makes.contains(&release.make.as_str()) {
                makes.push(&release.make);
            }
        }
        makes
    }

    /// The numbers of a make's releases.
    pub fn of_make(&self, make: &str) -> Vec<usize> {
        (0..self.releases.len()).filter(|&r| self.releases[r].make == make).collect()
    }

    /// The lines of a grammar, or of all.
    pub fn of_grammar(&self, grammar: Option<usize>) -> impl Iterator<Item = &Line> {
        self.lines.iter().filter(move |line| grammar.is_none_or(|g| line.grammar == g))
    }

    /// Those of them whose times may be compared.
    pub fn comparable(&self, grammar: Option<usize>) -> impl Iterator<Item = &Line> {
        self.of_grammar(grammar).filter(|line| line.comparable)
    }

    /// How many formulas were asked on several machines.
    pub fn scattered(&self) -> usize {
        self.lines.len() - self.comparable(None).count()
    }

    /// Whether times were measured.
    pub fn is_timed(&self) -> bool {
        self.way == "fresh"
    }

    /// How many triggers of a kind a release has.
    pub fn triggers(&self, release: usize, grammar: Option<usize>, kind: Kind) -> usize {
        self.of_grammar(grammar).filter(|line| line.cells[release].is_trigger(kind)).count()
    }

    /// How many formulas a release solves within that many seconds of CPU time.
    pub fn solved_within(&self, release: usize, grammar: Option<usize>, seconds: f64) -> usize {
        let fast = |cell: &Cell| cell.is_solved() && cell.seconds().is_some_and(|t| t <= seconds);
        self.comparable(grammar).filter(|line| fast(&line.cells[release])).count()
    }

    /// How many formulas a release solves.
    pub fn solved(&self, release: usize, grammar: Option<usize>) -> usize {
        self.of_grammar(grammar).filter(|line| line.cells[release].is_solved()).count()
    }

    /// The bounds of time for which solved formulas are counted: 2^-6 to 2^3 seconds, as far as a question might take.
    pub fn bounds(&self) -> Vec<f64> {
        let all = (-6..=3).map(|power| 2f64.powi(power));
        all.filter(|t| *t < self.limit * 2.0).collect()
    }

    /// The formulas that every release of a make solves, on one machine.
    pub fn jointly_solved(&self, make: &str, grammar: Option<usize>) -> Vec<&Line> {
        let releases = self.of_make(make);
        let joint = |line: &&Line| releases.iter().all(|&r| line.cells[r].is_solved());
        self.comparable(grammar).filter(joint).collect()
    }

    /// CPU seconds of a release on what all of its make solve.
    pub fn joint_seconds(&self, release: usize, grammar: Option<usize>) -> f64 {
        let lines = self.jointly_solved(&self.releases[release].make, grammar);
        lines.iter().filter_map(|line| line.cells[release].seconds()).fold(0.0, |sum, t| sum + t)
    }

    /// Formulas for each CPU second of a release, whatever came of them; none if it was asked nothing.
    pub fn throughput(&self, release: usize, grammar: Option<usize>) -> Option<f64> {
        let times: Vec<f64> =
            self.comparable(grammar).filter_map(|line| line.cells[release].seconds()).collect();
        let sum: f64 = times.iter().sum();
        (sum > 0.0).then(|| times.len() as f64 / sum)
    }

    /// The smallest formula on which a release runs out of time, of those that all were asked on one machine.
    pub fn smallest_late(&self, release: usize, grammar: usize) -> Option<&Line> {
        self.comparable(Some(grammar)).find(|line| line.cells[release].is_late())
    }

    /// What a release's runs came to, by word.
    pub fn answers(&self, release: usize, grammar: Option<usize>) -> BTreeMap<&str, usize> {
        let mut counts = BTreeMap::new();
        for line in self.of_grammar(grammar) {
            *counts.entry(line.cells[release].word()).or_default() += 1;
        }
        counts
    }

    /// How many things were seen in this manner.
    pub fn seen(&self, seen: Seen) -> usize {
        let cells = self.lines.iter().flat_map(|line| &line.cells);
        cells.flat_map(|cell| &cell.wrongs).filter(|w| w.seen == seen).count()
    }
}

#[cfg(test)]
mod tests;
