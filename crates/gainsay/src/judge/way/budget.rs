//! The budget of deciding: how far each way may go.

use serde::{Deserialize, Serialize};

/// How far the ways of deciding may go. It is part of a campaign, so that a verdict does not depend on the machine.
///
/// The defaults of all ways are here. Only a dispute costs anything, and disputes are rare.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Budget {
    /// Other solvers that are asked about one script.
    pub others: usize,
    /// Rounds in which a solver is asked for values that its model leaves open.
    pub values: usize,
    /// Values that a search may give to symbols.
    pub assignments: u64,
    /// Parts of the assertions that a solver is asked.
    pub parts: usize,
    /// Conditions that the formula is asked with.
    pub conditions: usize,
    /// Steps to an equivalent formula.
    pub steps: usize,
}

impl Default for Budget {
    fn default() -> Budget {
        Budget { others: 6, values: 4, assignments: 2_000_000, parts: 4, conditions: 8, steps: 2_000 }
    }
}

impl Budget {
    /// Nothing is tried beyond the models that were given.
    pub const NONE: Budget =
        Budget { others: 6, values: 0, assignments: 0, parts: 0, conditions: 0, steps: 0 };
}
