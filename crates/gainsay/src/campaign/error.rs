//! The errors that end a run of a campaign.

use crate::solver::SolverError;
use crate::store::StoreError;

/// Why a run of a campaign cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A solver cannot be started or controlled.
    #[error(transparent)]
    Solver(#[from] SolverError),
    /// A worker panicked outside of a unit of work.
    #[error("a worker failed: {0}")]
    Panicked(String),
    /// The strategies make no test case.
    #[error(transparent)]
    NoCase(#[from] NoCase),
}

/// The strategies of a hunt make no case from its seeds.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "no test case can be made: strategies: {}; usable seeds: {seeds}; `--with seeds` asks seeds as they are",
    strategies.join(", ")
)]
pub struct NoCase {
    /// The names of the strategies.
    pub strategies: Vec<&'static str>,
    /// How many seeds there are.
    pub seeds: usize,
}
