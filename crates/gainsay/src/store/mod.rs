//! Stores: campaigns on disk or on a server, with what was found and counted and what is left to do.
//!
//! Workers write through a [`Sink`]. Reports and studies read through a [`Reader`], which never writes. What people's commands
//! learn about a finding afterwards is kept through [`Annotate`].

mod address;
mod check;
mod columns;
mod copy;
mod counter;
mod enumerated;
mod error;
mod first_run;
mod folder;
mod lease_result;
mod no_work;
mod password;
mod place;
mod postgres;
mod rebuilt;
mod rows;
mod runs;
mod schema;
mod spool;
mod sqlite;
mod tls;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::case::Answer;
use crate::finding::{Asked, Finding};
use crate::solver::id::{BadSolverId, SolverId};

pub use address::{Address, is_address};
pub use check::{Checked, check};
pub use copy::{Copied, copy};
pub use counter::{Counter, DifferenceEnd, EarlyEnd, SeriesNote, TestResult, TurnOutcome, TurnOutcomes};
pub use enumerated::{Enumerated, Unanswered};
pub use error::StoreError;
pub use first_run::FirstRun;
pub use lease_result::{LeaseResult, Range};
pub use no_work::NoWork;
pub use place::Place;
pub use postgres::{
    Before, Lease, Patience, Planned, Planner, Postgres, SeedText, ServerEvent, Status, Taken, WorkerRow,
    Written,
};
pub use rebuilt::Rebuilt;
pub use runs::{AllRuns, FormulaRow, Handed, RunRow, Seen, WrongRow};
pub use spool::Spool;
pub use sqlite::Sqlite;

/// How many findings of one fingerprint are kept as they come.
pub const KEPT: u64 = 20;
/// How many further findings of one fingerprint are kept: the smallest ones.
pub const EXTRA: u64 = 5;

/// The definition of a campaign, as a store keeps it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Definition {
    /// A digest of what may not change: the same identity means the same cases.
    pub identity: String,
    /// The definition, as JSON.
    pub spec: String,
    /// Where it is kept; empty if it comes from no store.
    pub place: String,
}

/// A series, and how far it is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SeriesRow {
    /// Its number in the campaign.
    pub no: u64,
    /// The strategy that makes it.
    pub strategy: String,
    /// How many turns it may have.
    pub allotted: u32,
    /// How many are done.
    pub turns: u32,
    /// Whether it is over.
    pub ended: bool,
    /// What happened to it besides its turns.
    pub note: Option<SeriesNote>,
}

impl SeriesRow {
    /// The row of a unit of work that a strategy makes.
    pub fn of(unit: Range, strategy: &str) -> SeriesRow {
        let Range { no, allotted, turns, ended } = unit;
        SeriesRow { no, strategy: strategy.to_owned(), allotted, turns, ended, note: None }
    }

    /// How far it is.
    pub fn range(&self) -> Range {
        let &SeriesRow { no, allotted, turns, ended, .. } = self;
        Range { no, allotted, turns, ended }
    }
}

/// Turns of one series, and what came of them.
#[derive(Clone, Debug, Default)]
pub struct HandIn {
    /// The series as it stands after these turns.
    pub series: SeriesRow,
    /// How many turns these are.
    pub made: u32,
    /// The outcomes of each turn from `series.turns - outcomes.len()` on; empty where turns have none.
    pub outcomes: Vec<TurnOutcomes>,
    /// Counts by solver (none if they are of no solver in particular) and what is counted.
    pub tally: BTreeMap<(Option<SolverId>, Counter), u64>,
}

impl HandIn {
    /// Counts something once.
    pub fn count(&mut self, solver: Option<&SolverId>, what: Counter) {
        self.add(solver, what, 1);
    }

    /// Counts something so many times.
    pub fn add(&mut self, solver: Option<&SolverId>, what: Counter, count: u64) {
        if count > 0 {
            *self.tally.entry((solver.cloned(), what)).or_default() += count;
        }
    }
}

/// A count: the strategy, the solver if it is of one, what is counted, and how many.
pub type TallyRow = (String, Option<SolverId>, Counter, u64);

/// The solver that a column of a store names.
fn solver_of(text: &str) -> Result<SolverId, BadSolverId> {
    text.parse()
}

/// The solver that a column of a store names; none if it is empty.
fn solver_if_any(text: &str) -> Result<Option<SolverId>, BadSolverId> {
    if text.is_empty() { Ok(None) } else { solver_of(text).map(Some) }
}

/// Which findings of a fingerprint are still kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Room {
    /// The next finding is kept.
    Plenty,
    /// The next finding is kept if its script has fewer bytes than this.
    Below(u64),
}

/// The result of recording a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kept {
    /// The finding is new and has this number.
    Numbered(u64),
    /// The finding is handed in with the turns among which it was found.
    Held,
    /// The finding was there already.
    Known,
}

/// A finding in a store.
#[derive(Clone, Debug)]
pub struct Row {
    /// Its number.
    pub id: u64,
    /// Its folder, from the campaign's.
    pub folder: String,
    /// Whether only a warm run showed it: then it is no finding, but kept.
    pub warm: bool,
    /// The finding.
    pub finding: Finding,
}

/// The side of a store that workers write to. Many workers share it.
pub trait Sink: Send + Sync {
    /// Stores what a worker has done, wholly or not at all.
    fn hand_in(&self, turns: &[HandIn]) -> Result<(), StoreError>;

    /// Stores runs of one formula, wholly or not at all. Those that are there are replaced.
    fn hand_in_runs(&self, formula: &FormulaRow, handed: &[Handed]) -> Result<(), StoreError>;

    /// Counts a trigger and says whether a finding of that fingerprint has room.
    fn trigger(&self, fingerprint: &str) -> Result<Room, StoreError>;

    /// Stores a finding. It is on disk when this returns, unless it is held.
    fn record(&self, finding: &Finding, warm: bool) -> Result<Kept, StoreError>;

    /// Remembers what a solver answered to a seed; what is there stays.
    fn remember(&self, seed: &str, solver: &SolverId, answers: &[Answer]) -> Result<(), StoreError>;

    /// What a solver answered to a seed, if it was asked.
    fn known_answers(&self, seed: &str, solver: &SolverId) -> Result<Option<Vec<Answer>>, StoreError>;

    /// Remembers what a solver did with a seed as it is; what is there stays.
    fn remember_first_run(&self, seed: &str, solver: &SolverId, run: &FirstRun) -> Result<(), StoreError>;

    /// What a solver did with a seed as it is, if it was asked.
    fn first_run(&self, seed: &str, solver: &SolverId) -> Result<Option<FirstRun>, StoreError>;

    /// The releases that have a run of a formula.
    fn releases_asked(&self, grammar: &str, number: &str) -> Result<Vec<SolverId>, StoreError>;

    /// What a release did with a formula, if it was asked.
    fn known_run(
        &self,
        grammar: &str,
        number: &str,
        release: &SolverId,
    ) -> Result<Option<RunRow>, StoreError>;
}

/// The side of a store that reports and studies read. Nothing is written.
pub trait Reader: Send + Sync {
    /// The campaign's definition.
    fn definition(&self) -> Result<Definition, StoreError>;

    /// The programs of solvers that were built anew since the campaign was begun, oldest first.
    fn rebuilt(&self) -> Result<Vec<Rebuilt>, StoreError>;

    /// All series that were begun.
    fn series(&self) -> Result<Vec<SeriesRow>, StoreError>;

    /// The outcomes of turns: the series, the first of the turns, and the outcomes of each.
    fn outcomes(&self) -> Result<Vec<(u64, u32, Vec<TurnOutcomes>)>, StoreError>;

    /// All findings, oldest first.
    fn findings(&self) -> Result<Vec<Row>, StoreError>;

    /// All counts, sorted.
    fn tally(&self) -> Result<Vec<TallyRow>, StoreError>;

    /// How many turns and kept findings each minute brought: the minute since 1970, turns, findings.
    fn course(&self) -> Result<Vec<(u64, u64, u64)>, StoreError>;

    /// How many triggers there were of each fingerprint.
    fn triggers(&self) -> Result<BTreeMap<String, u64>, StoreError>;

    /// What a finding was reduced to, if it was.
    fn reduced(&self, folder: &str) -> Result<Option<Finding>, StoreError>;

    /// Which releases fail on a finding, as far as they were asked.
    fn releases(&self, folder: &str) -> Result<Vec<Asked>, StoreError>;

    /// Which options of the accused a finding needs; none if that was not asked.
    fn options(&self, folder: &str) -> Result<Option<Vec<String>>, StoreError>;

    /// What a release did with a formula, if it was asked.
    fn run(&self, grammar: &str, number: &str, release: &SolverId) -> Result<Option<RunRow>, StoreError>;

    /// All that is wrong with runs: the formula, the release, and what.
    fn wrongs(&self) -> Result<Vec<(FormulaRow, SolverId, WrongRow)>, StoreError>;

    /// All runs of formulas.
    fn all_runs(&self) -> Result<AllRuns, StoreError>;
}

/// The side of a store that keeps what is learned about a finding after the campaign. `folder` is that of its [`Row`].
pub trait Annotate: Reader {
    /// Keeps what a finding was reduced to.
    fn keep_reduced(&self, folder: &str, reduced: &Finding) -> Result<(), StoreError>;

    /// Keeps which releases fail on a finding.
    fn keep_releases(&self, folder: &str, releases: &[Asked]) -> Result<(), StoreError>;

    /// Keeps which options of the accused a finding needs.
    fn keep_options(&self, folder: &str, options: &[String]) -> Result<(), StoreError>;
}
