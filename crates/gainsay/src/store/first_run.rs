//! What a solver did with a seed as it is.

use serde::{Deserialize, Serialize};

/// What a solver did with a seed as it is, when a campaign asked it first. Mutants of the seed are asked accordingly.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FirstRun {
    /// Wall time in microseconds. It is 0 if the solver does not read the seed.
    pub micros: u64,
    /// Whether it ran out of time.
    pub late: bool,
    /// Whether it is accused of something.
    pub fails: bool,
    /// Whether it refused the seed.
    pub refuses: bool,
}
