//! The result of a job of reduction, or the reason why there is none.

use std::time::Duration;

use super::shrink::Shrunk;
use crate::case::Claim;
use crate::judge::Complaint;
use crate::solver::{AskMode, SolverError, SolverId};

/// The result of a job.
pub struct ReduceOutcome {
    /// The complaint about the script itself.
    pub complaint: Option<Complaint>,
    /// That complaint in a sentence.
    pub summary: Option<String>,
    /// The smallest script.
    pub shrunk: Shrunk,
    /// How candidates were screened.
    pub way: AskMode,
    /// How many edits are needed, and how many there were, if there are any.
    pub edits: Option<(usize, usize)>,
    /// The name of the constructed case that took the place of the first, if one did.
    pub made: Option<String>,
    /// The claims that the result rests on, if nothing else shows it.
    pub rests_on: Vec<Claim>,
    /// CPU time of the solvers.
    pub cpu: Duration,
}

/// The reason why there is nothing to reduce.
#[derive(Debug, thiserror::Error)]
pub enum Nothing {
    /// No oracle complains about the script.
    #[error("nothing is wrong with this script that our oracles can show{0}")]
    Clean(String),
    /// The complaint was seen once and not again.
    #[error("{0}; but fresh processes do not show it twice")]
    Unconfirmed(String),
    /// The solver is not as slow as that.
    #[error("{0} needs no more than that")]
    Fast(SolverId),
    /// The solver has no units of its own.
    #[error("{0} has no count of its own: give a time, such as 5s")]
    Countless(SolverId),
    /// A solver cannot be asked.
    #[error(transparent)]
    Failed(#[from] SolverError),
}
