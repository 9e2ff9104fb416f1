//! Cases: a script that solvers are asked, claims about it, and how it was made.

mod category;
mod choices;
mod claim;
mod form;
mod lineage;
mod logic;
mod replay;
mod rule;
mod scope;
mod session;
mod words;

use std::sync::Arc;

use smt::Script;

pub use category::Category;
pub use choices::Choices;
pub use claim::{CheckRef, Claim};
pub use form::SessionForm;
pub use lineage::{Edit, Edits, Lineage, Place, SeedName};
pub use logic::{DeclaredLogic, HIGHER_ORDER, HIGHER_ORDER_ALL};
pub use replay::{Refused, Replayed, put, replay};
pub use rule::{Approximation, Direction, Rule};
pub use scope::in_scope;
pub use session::{is_session, one_shot, one_shots};
pub(crate) use words::words;

/// The answer to one `check-sat`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Answer {
    /// `sat`: there is a model.
    Sat,
    /// `unsat`: there is no model.
    Unsat,
    /// `unknown`: the solver does not know.
    Unknown,
}

words!(Answer, "answer": Sat "sat", Unsat "unsat", Unknown "unknown");

impl Answer {
    /// Whether one answer is `sat` and the other `unsat`.
    pub fn contradicts(self, other: Answer) -> bool {
        matches!((self, other), (Answer::Sat, Answer::Unsat) | (Answer::Unsat, Answer::Sat))
    }
}

/// A test case: one question for all solvers.
#[derive(Clone, Debug)]
pub struct Case {
    /// The script that solvers are asked.
    pub script: Script,
    /// Other scripts that claims are about, such as the seed or the one-shot forms of checks.
    pub others: Vec<Arc<Script>>,
    /// Facts about the case that are known without asking a solver.
    pub claims: Vec<Claim>,
    /// How the case was made.
    pub lineage: Lineage,
}

impl Case {
    /// The text of the script, as it is sent to solvers.
    pub fn text(&self) -> String {
        self.script.text()
    }

    /// Whether the other scripts are the seeds of the case, in their order. Otherwise they were made for it.
    pub fn others_are_seeds(&self) -> bool {
        let is_form = |claim: &Claim| matches!(claim, Claim::Same(..));
        self.others.len() == self.lineage.seeds.len() && !self.claims.iter().any(is_form)
    }

    /// The script that a [`CheckRef`] is about.
    pub fn script_of(&self, ask: CheckRef) -> Option<&Script> {
        match ask.script {
            0 => Some(&self.script),
            n => self.others.get(n - 1).map(Arc::as_ref),
        }
    }
}
