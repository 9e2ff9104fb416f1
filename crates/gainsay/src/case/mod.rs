//! Cases: a script to be asked, what is claimed of it, and where it came from.

mod category;
mod choices;
mod claim;
mod lineage;
mod logic;
mod replay;
mod rule;
mod words;

use std::sync::Arc;

use smt::Script;

pub use category::Category;
pub use choices::Choices;
pub use claim::{CheckRef, Claim};
pub use lineage::{Edit, Edits, Lineage, Place, SeedName};
pub use logic::DeclaredLogic;
pub use replay::{Refused, Replayed, put, replay};
pub use rule::{Approximation, Direction, Rule};
pub(crate) use words::words;

/// What a solver says of one `check-sat`, or what is known of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Answer {
    /// There is a model.
    Sat,
    /// There is none.
    Unsat,
    /// It does not know.
    Unknown,
}

words!(Answer, "answer": Sat "sat", Unsat "unsat", Unknown "unknown");

impl Answer {
    /// Whether one says sat and the other unsat.
    pub fn contradicts(self, other: Answer) -> bool {
        matches!((self, other), (Answer::Sat, Answer::Unsat) | (Answer::Unsat, Answer::Sat))
    }
}

/// One question for all solvers.
#[derive(Clone, Debug)]
pub struct Case {
    /// What is asked.
    pub script: Script,
    /// Other scripts that claims speak of, such as the seed; they were asked before and are not asked again.
    pub others: Vec<Arc<Script>>,
    /// What is known without asking.
    pub claims: Vec<Claim>,
    /// Where it came from.
    pub lineage: Lineage,
}

impl Case {
    /// The script as it is sent.
    pub fn text(&self) -> String {
        self.script.text()
    }

    /// The script of an [`CheckRef`].
    pub fn script_of(&self, ask: CheckRef) -> Option<&Script> {
        match ask.script {
            0 => Some(&self.script),
            n => self.others.get(n - 1).map(Arc::as_ref),
        }
    }
}
