//! Evidence: why one may trust a complaint, as data that can be looked at again.

use serde::{Deserialize, Serialize};

use super::asked::Asked;
use super::attempt::Attempt;
use super::doubt::Doubt;
use super::fault::{Output, Rewriter};
use super::proof::CheckedBy;
use crate::case::{Answer, Claim};
use crate::solver::{Ending, ProofEnd, SolverId};

/// What a solver said of a term when it was asked for its value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Heard {
    /// The term.
    pub term: String,
    /// Its value.
    pub value: String,
}

/// A step from a formula to an equivalent one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rewriting {
    /// The rule.
    pub rule: String,
    /// What was there.
    pub old: String,
    /// What is there now.
    pub new: String,
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
    /// What the accused printed for a term is not what the term is by what else it printed at the check.
    PrintedValue {
        /// The number of the check.
        check: usize,
        /// What it printed.
        of: Output,
        /// The term.
        term: String,
        /// Its value as printed.
        printed: String,
        /// Its value by our evaluation under the model, or as printed before.
        expected: String,
        /// The model; empty if there is none.
        model: String,
    },
    /// A term and what the accused made of it have different values at a point.
    Differ {
        /// What made it.
        rewriter: Rewriter,
        /// The term.
        term: String,
        /// What it became.
        into: String,
        /// The point, as definitions.
        point: String,
        /// Both values.
        values: [String; 2],
    },
    /// The assumptions that the accused printed suffice for nothing: with what is asserted they are satisfiable.
    SatisfiedAssumptions {
        /// The assumptions.
        assumptions: Vec<String>,
        /// What is asserted, with a check that has these assumptions.
        script: String,
        /// The solver that gave the model.
        by: SolverId,
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
    /// Under this model, every assertion at a check of another script of the case is true by our evaluator.
    SatisfiedOther {
        /// The number of the script, from 1.
        script: usize,
        /// The number of the check.
        check: usize,
        /// The solver that gave the model.
        by: Option<SolverId>,
        /// The model.
        model: String,
    },
    /// Under this model of the accused, this assertion is false by our evaluator.
    Falsified {
        /// The number of the check.
        check: usize,
        /// The model.
        model: String,
        /// What the accused said of terms that its model leaves open.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        heard: Vec<Heard>,
        /// The assertion.
        assertion: String,
    },
    /// With these values for all symbols, this assertion is false by our evaluator.
    FalseWith {
        /// The number of the check.
        check: usize,
        /// The values, as a model.
        values: String,
        /// The assertion.
        assertion: String,
    },
    /// A solver was asked to prove that the formula is unsatisfiable, and the proof was checked.
    Proof {
        /// The solver that proves.
        by: SolverId,
        /// The options that it was given for that.
        options: Vec<String>,
        /// The script.
        script: String,
        /// Who checked the proof.
        checker: CheckedBy,
        /// What came of the check.
        end: ProofEnd,
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
    /// No assignment satisfies what is asserted at the check.
    Exhausted {
        /// The number of the check.
        check: usize,
        /// How many values were given to symbols.
        assignments: u64,
    },
    /// No assignment satisfies the script of a question that is satisfiable only if an implication does not hold.
    NoCounterexample {
        /// What the question is.
        about: Asked,
        /// How many values were given to symbols.
        assignments: u64,
    },
    /// What the accused said of one operator at one point contradicts itself.
    TwoValues {
        /// The operator or function with its arguments.
        term: String,
        /// The two values.
        values: [String; 2],
    },
    /// The steps to an equivalent script.
    Rewritten {
        /// The steps, in order.
        steps: Vec<Rewriting>,
    },
    /// A way of deciding that did not decide.
    Tried {
        /// What was tried, and what came of it.
        attempt: Attempt,
    },
    /// What stands in the way of an accusation.
    Undecided {
        /// The reason.
        why: Doubt,
    },
}
