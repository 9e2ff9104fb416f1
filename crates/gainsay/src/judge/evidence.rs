//! Evidence: why one may trust a complaint, as data that can be looked at again.

use serde::{Deserialize, Serialize};

use super::doubt::Doubt;
use crate::case::{Answer, Approximation, Claim};
use crate::solver::{Ending, SolverId};

/// Why a solver was asked another script, or the same once more.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum Asked {
    /// Whether one step can fail: the script is satisfiable only if it does.
    Step {
        /// The rule of the step.
        rule: Approximation,
    },
    /// Whether a step of this kind can fail at its place, because the polarity there is not what it was taken to be.
    Polarity {
        /// The rule of the step.
        rule: Approximation,
    },
    /// Whether the first of two scripts can hold without the second.
    Whole,
    /// What the answer is after this many edits.
    AfterEdits {
        /// The edits that were done.
        done: usize,
        /// All edits.
        of: usize,
    },
    /// The same script with another random number.
    WithSeed {
        /// The number.
        number: u64,
    },
    /// The same script once more.
    Again,
}

/// Why one may trust a complaint. Each piece can be looked at again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Evidence {
    /// Under this model every assertion in scope is true by our evaluator.
    Satisfied {
        /// The solver that gave the model; none if the case came with it.
        by: Option<SolverId>,
        /// The number of the check.
        check: usize,
        /// The model.
        model: String,
    },
    /// The core of the accused, with all that has no name, is satisfiable: under this model it is true by our evaluator.
    SatisfiedCore {
        /// The names in the core.
        core: Vec<String>,
        /// The assertions of the core and those without a name, as a script.
        script: String,
        /// The solver that gave the model.
        by: SolverId,
        /// The model.
        model: String,
    },
    /// Under this model of the accused, this assertion is false by our evaluator.
    Falsified {
        /// The number of the check.
        check: usize,
        /// The model.
        model: String,
        /// The assertion.
        assertion: String,
    },
    /// A solver was asked with a model written in as definitions.
    Pinned {
        /// The solver.
        by: SolverId,
        /// The script with the model written in.
        script: String,
        /// Its answer; none if it gave none.
        answer: Option<Answer>,
    },
    /// A claim that the case was made with.
    Claimed {
        /// The claim.
        claim: Claim,
    },
    /// What a solver answered to the case.
    Answered {
        /// The solver.
        by: SolverId,
        /// The number of the check.
        check: usize,
        /// Its answer.
        answer: Answer,
    },
    /// What a solver answered to another question.
    Asked {
        /// The solver.
        by: SolverId,
        /// Why it was asked.
        about: Asked,
        /// The script.
        script: String,
        /// Its answer; none if it gave none.
        answer: Option<Answer>,
    },
    /// The answer of the accused changes with these edits of the lineage.
    Turned {
        /// The numbers of the edits, from 0.
        edits: Vec<usize>,
    },
    /// What a solver printed.
    Printed {
        /// The solver.
        by: SolverId,
        /// The text.
        text: String,
    },
    /// How the process of a solver ended, and what the solver or a sanitizer printed about it.
    Ended {
        /// The solver.
        by: SolverId,
        /// How its process ended.
        ending: Ending,
        /// The text; empty if nothing was printed.
        text: String,
    },
    /// CPU times in milliseconds.
    Timed {
        /// The solver.
        by: SolverId,
        /// Each time.
        milliseconds: Vec<u64>,
        /// The machine: times of another are not comparable.
        on: String,
    },
    /// What stands in the way of an accusation.
    Undecided {
        /// The reason.
        why: Doubt,
    },
}
