//! Claims: what a strategy knows of a case, as data that oracles check and findings keep.

use serde::{Deserialize, Serialize};

use super::Answer;

/// One `check-sat` of one script of a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct CheckRef {
    /// The script: 0 is the case's own, others follow.
    pub script: usize,
    /// The number of the check in it, from 0.
    pub check: usize,
}

impl CheckRef {
    /// A check of the case's own script.
    pub fn own(check: usize) -> CheckRef {
        CheckRef { script: 0, check }
    }
}

/// What is known without asking.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Claim {
    /// This is the right answer.
    Is(CheckRef, Answer),
    /// This model, as text, satisfies what is asked.
    Witness(CheckRef, String),
    /// If the first has a model, so has the second.
    SatImplies(CheckRef, CheckRef),
    /// This is the only minimal core, by names.
    Core(CheckRef, Vec<String>),
}
