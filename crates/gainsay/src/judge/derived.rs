//! What is computed about the checks of a trial, each once however often an oracle asks for it.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use super::attempt::SearchEnd;
use super::evidence::Rewriting;
use crate::solver::SolverId;

/// A model for a check, read.
pub struct Given {
    /// The solver that gave it; none if the case came with it or a search found it.
    pub by: Option<SolverId>,
    /// As printed.
    pub text: String,
    /// The model that the text gives for the check.
    pub model: smt::Model,
    /// Whether its text means the same to every solver.
    pub plain: bool,
}

/// The models that solvers of a trial gave for a check.
pub struct Models {
    /// How many could be read.
    pub read: usize,
    /// The first that satisfies the check.
    pub satisfying: Option<Given>,
}

/// What a search found.
pub enum Searched {
    /// A model that satisfies the formula.
    Sat(Box<Given>),
    /// No assignment does.
    Unsat {
        /// How many values were given to symbols.
        assignments: u64,
    },
    /// The search shows neither. This is how it ended.
    Undecided(SearchEnd),
}

/// A formula that is equivalent to a check.
pub struct Equivalent {
    /// The script with the equivalent formula.
    pub script: String,
    /// The steps to it.
    pub steps: Vec<Rewriting>,
    /// For each step that rests on our evaluation, a script that is satisfiable only if the step is wrong.
    pub folds: Vec<String>,
}

/// One thing for each check, made when it is first asked for.
pub struct PerCheck<T>(RefCell<BTreeMap<usize, Rc<T>>>);

impl<T> Default for PerCheck<T> {
    fn default() -> PerCheck<T> {
        PerCheck(RefCell::default())
    }
}

impl<T> PerCheck<T> {
    /// The thing of a check; `make` makes it.
    pub fn get(&self, check: usize, make: impl FnOnce() -> T) -> Rc<T> {
        if let Some(known) = self.0.borrow().get(&check) {
            return Rc::clone(known);
        }
        let made = Rc::new(make());
        self.0.borrow_mut().insert(check, Rc::clone(&made));
        made
    }
}
