//! The budget of deciding: how far each way may go.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// How far the ways of deciding may go. It is part of a campaign, so that a verdict does not depend on the machine.
///
/// The defaults of all ways are here. Only a dispute costs anything, and disputes are rare.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Budget {
    /// Other solvers that are asked about one script.
    pub others: usize,
    /// CPU time of one question to a witness, in milliseconds.
    pub witness_ms: u64,
    /// Rounds in which a solver is asked for values that its model leaves open.
    pub values: usize,
    /// Assignments of values to all symbols that one who says sat is asked.
    pub pins: usize,
    /// Values that a search may give to symbols.
    pub assignments: u64,
    /// Parts of the assertions that a solver is asked.
    pub parts: usize,
    /// Conditions that the formula is asked with.
    pub conditions: usize,
    /// Steps to an equivalent formula.
    pub steps: usize,
    /// Solvers that are asked for a proof.
    pub proofs: usize,
}

impl Default for Budget {
    fn default() -> Budget {
        Budget {
            others: 6,
            witness_ms: 5_000,
            values: 4,
            pins: 3,
            assignments: 2_000_000,
            parts: 4,
            conditions: 8,
            steps: 2_000,
            proofs: 2,
        }
    }
}

impl Budget {
    /// Nothing is tried beyond the models that were given.
    pub const NONE: Budget = Budget {
        others: 6,
        witness_ms: 5_000,
        values: 0,
        pins: 0,
        assignments: 0,
        parts: 0,
        conditions: 0,
        steps: 0,
        proofs: 0,
    };

    /// CPU time of one question to a witness.
    pub fn witness_time(&self) -> Duration {
        Duration::from_millis(self.witness_ms)
    }
}
