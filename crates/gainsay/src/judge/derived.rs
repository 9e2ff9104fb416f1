//! What is computed about the checks of a trial, each once however often an oracle asks for it.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use smt::{Fuel, Verdict};

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

/// A model as solvers printed it for a check, read and evaluated.
///
/// Releases of one make often print the same text. It is read once.
pub struct Review {
    check: usize,
    dialect: smt::ModelDialect,
    text: String,
    /// The model; none if it cannot be read.
    pub model: Option<smt::Model>,
    /// The number of the first assertion that is false, with nothing filled in.
    pub wrong: Option<usize>,
}

impl Review {
    /// Reads a model for a check of a script and evaluates what is asserted there.
    fn of(script: &smt::Script, (check, query): (usize, &smt::Query), printed: Printed<'_>) -> Review {
        let Printed { text, dialect } = printed;
        let model = smt::Model::read_in(script, Some(query.command), text.as_bytes(), dialect).ok();
        let wrong = model.as_ref().and_then(|model| {
            let verdicts = smt::verdicts(query, model, &Fuel::default());
            verdicts.iter().position(|verdict| *verdict == Verdict::False)
        });
        Review { check, dialect, text: text.to_owned(), model, wrong }
    }
}

/// The text of a model and how its values are spelled.
#[derive(Clone, Copy)]
pub struct Printed<'a> {
    /// The text.
    pub text: &'a str,
    /// How values are spelled in it.
    pub dialect: smt::ModelDialect,
}

/// The models that solvers of a trial printed, each text once.
#[derive(Default)]
pub struct Reviews(RefCell<Vec<Rc<Review>>>);

impl Reviews {
    /// The review of a model for a check of a script, made when it is first asked for.
    pub fn get(
        &self,
        script: &smt::Script,
        (check, query): (usize, &smt::Query),
        printed: Printed<'_>,
    ) -> Rc<Review> {
        let is_it = |known: &&Rc<Review>| {
            known.check == check && known.dialect == printed.dialect && known.text == printed.text
        };
        if let Some(known) = self.0.borrow().iter().find(is_it) {
            return Rc::clone(known);
        }
        let made = Rc::new(Review::of(script, (check, query), printed));
        self.0.borrow_mut().push(Rc::clone(&made));
        made
    }
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
    /// Whether a step rests on our evaluation.
    pub is_evaluated: bool,
    /// For each step that keeps the meaning of a term, a script that is satisfiable only if the step is wrong; none if there
    /// are too many, or if one cannot be written.
    pub questions: Option<Vec<StepQuestion>>,
    /// The formula without its equivalent: satisfiable only if a step is wrong.
    pub forth: String,
    /// The equivalent without the formula, where each symbol that the steps took away is what they replaced it by:
    /// satisfiable only if a step is wrong.
    pub back: String,
}

/// A script that is satisfiable only if a step of a rule is wrong.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct StepQuestion {
    /// The rule.
    pub rule: &'static str,
    /// The script.
    pub script: String,
}

/// One thing for each key, made when it is first asked for.
pub struct MadeOnce<K, T>(RefCell<BTreeMap<K, Rc<T>>>);

/// One thing for each check.
pub type PerCheck<T> = MadeOnce<usize, T>;

impl<K, T> Default for MadeOnce<K, T> {
    fn default() -> MadeOnce<K, T> {
        MadeOnce(RefCell::default())
    }
}

impl<K: Ord, T> MadeOnce<K, T> {
    /// The thing of a key; `make` makes it.
    pub fn get(&self, key: K, make: impl FnOnce() -> T) -> Rc<T> {
        if let Some(known) = self.0.borrow().get(&key) {
            return Rc::clone(known);
        }
        let made = Rc::new(make());
        self.0.borrow_mut().insert(key, Rc::clone(&made));
        made
    }
}
