//! Claims: what a strategy knows about a case. Oracles check them and findings keep them.

use serde::{Deserialize, Serialize};

use super::Answer;

/// One `check-sat` of one script of a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct CheckRef {
    /// The number of the script: 0 is the case's own, then come [`super::Case::others`].
    pub script: usize,
    /// The number of the check in the script, from 0.
    pub check: usize,
}

impl CheckRef {
    /// A check of the case's own script.
    pub fn own(check: usize) -> CheckRef {
        CheckRef { script: 0, check }
    }
}

/// A fact about a case that is known without asking a solver. It is about formulas, so it holds for every solver; an oracle
/// compares it with the answers of each solver by itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Claim {
    /// This is the right answer to the check.
    Is(CheckRef, Answer),
    /// This model, as text, satisfies the check.
    Witness(CheckRef, String),
    /// If the first check has a model, the second has one, too.
    SatImplies(CheckRef, CheckRef),
    /// The two checks have the same answer.
    Same(CheckRef, CheckRef),
    /// These names of assertions are the only minimal unsatisfiable core of the check.
    Core(CheckRef, Vec<String>),
}

impl Claim {
    /// The checks whose answers the claim compares.
    pub fn compares(&self) -> Option<[CheckRef; 2]> {
        match self {
            Claim::SatImplies(one, other) | Claim::Same(one, other) => Some([*one, *other]),
            Claim::Is(..) | Claim::Witness(..) | Claim::Core(..) => None,
        }
    }
}
