//! Stores: campaigns on disk, with findings, tallies and what is left to do.

mod address;
mod copy;
mod error;
mod folder;
mod parcel;
mod password;
mod place;
mod postgres;
mod runs;
mod schema;
mod sqlite;
mod sqlite_copy;
mod tls;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::finding::{Asked, Finding};

use crate::case::Answer;
use crate::solver::id::{BadSolverId, SolverId};
pub use address::{Address, is_address};
pub use copy::{Copied, copy};
pub use error::StoreError;
pub use parcel::{LeaseResult, Range};
pub use place::Place;
pub use postgres::{
    Before, Lease, Patience, Planned, Planner, Postgres, SeedText, Status, Taken, WorkerRow, Written,
};
pub use runs::{AllRuns, FormulaRow, Handed, RunRow, Runs, Seen, WrongRow};
pub use sqlite::Sqlite;

use schema::differences;

/// Of one fingerprint this many findings are kept as they come.
pub const KEPT: u64 = 20;
/// And of the further ones this many, the smallest.
pub const EXTRA: u64 = 5;

/// What a campaign is: the same identity means the same cases.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    /// The campaign's random number.
    pub draw: u64,
    /// Everything else that decides which cases are made and how they are judged, as JSON.
    pub configuration: String,
}

/// A series, and how far it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
    /// Why it ended, if not because nothing was left.
    pub why: String,
}

/// Turns of one series, and what came of them.
#[derive(Clone, Debug)]
pub struct HandIn {
    /// The series as it stands after these turns.
    pub series: SeriesRow,
    /// For each turn from `series.turns - outcomes.len()` on, a letter for each solver.
    pub outcomes: Vec<String>,
    /// Counts by solver (none if they are of no solver in particular) and what is counted.
    pub tally: BTreeMap<(Option<SolverId>, String), u64>,
}

/// A count: the strategy, the solver if it is of one, what is counted, and how many.
pub type TallyRow = (String, Option<SolverId>, String, u64);

/// The solver that a column of a store names.
fn solver_of(text: &str, place: impl Fn() -> String) -> Result<SolverId, StoreError> {
    text.parse().map_err(|why: BadSolverId| StoreError::Value { place: place(), why: why.to_string() })
}

/// The solver that a column of a store names; none if it is empty.
fn solver_if_any(text: &str, place: impl Fn() -> String) -> Result<Option<SolverId>, StoreError> {
    if text.is_empty() { Ok(None) } else { solver_of(text, place).map(Some) }
}

/// How much room a fingerprint has left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Room {
    /// It is kept.
    Plenty,
    /// It is kept if its script has fewer bytes than this.
    Below(u64),
}

/// What became of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kept {
    /// It is new and has this number.
    Numbered(u64),
    /// It is handed in with the turns among which it was found.
    Held,
    /// It was there already.
    Known,
}

/// A finding as the store knows it.
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

/// A campaign's memory. Many workers share it.
pub trait Store: Send + Sync {
    /// Takes in what a worker has done. It counts wholly or not at all.
    fn hand_in(&self, turns: &[HandIn]) -> Result<(), StoreError>;

    /// All series that were begun.
    fn series(&self) -> Result<Vec<SeriesRow>, StoreError>;

    /// Counts a trigger and says whether a finding of that fingerprint has room.
    fn trigger(&self, fingerprint: &str) -> Result<Room, StoreError>;

    /// Keeps a finding. It is on disk when this returns, unless it is held.
    fn record(&self, finding: &Finding, warm: bool) -> Result<Kept, StoreError>;

    /// All findings, oldest first.
    fn findings(&self) -> Result<Vec<Row>, StoreError>;

    /// What a solver answered to a seed, if it was asked.
    fn seed_answers(&self, seed: &str, solver: &SolverId) -> Result<Option<Vec<Answer>>, StoreError>;

    /// Remembers what a solver answered to a seed.
    fn remember(&self, seed: &str, solver: &SolverId, answers: &[Answer]) -> Result<(), StoreError>;

    /// All counts: strategy, solver, what, how many.
    fn tally(&self) -> Result<Vec<TallyRow>, StoreError>;

    /// How many turns and kept findings each minute brought: the minute since 1970, turns, findings.
    fn course(&self) -> Result<Vec<(u64, u64, u64)>, StoreError>;

    /// How many triggers there were of each fingerprint.
    fn triggers(&self) -> Result<BTreeMap<String, u64>, StoreError>;
}

/// A campaign as those see it who look at what it found.
pub trait Campaign: Store + Runs {
    /// The campaign's number and configuration.
    fn identity(&self) -> Result<Identity, StoreError>;

    /// Keeps what a finding was reduced to; `folder` is the one of its [`Row`].
    fn keep_reduced(&self, folder: &str, reduced: &Finding) -> Result<(), StoreError>;

    /// What a finding was reduced to, if it was.
    fn reduced(&self, folder: &str) -> Result<Option<Finding>, StoreError>;

    /// Keeps which releases fail on a finding.
    fn keep_releases(&self, folder: &str, releases: &[Asked]) -> Result<(), StoreError>;

    /// Which releases fail on a finding, as far as they were asked.
    fn releases(&self, folder: &str) -> Result<Vec<Asked>, StoreError>;

    /// Keeps which options of the accused a finding needs.
    fn keep_options(&self, folder: &str, options: &[String]) -> Result<(), StoreError>;

    /// Which options of the accused a finding needs; none if that was not asked.
    fn options(&self, folder: &str) -> Result<Option<Vec<String>>, StoreError>;
}
