//! Questions: why a solver was asked another script, or the same once more.

use serde::{Deserialize, Serialize};

use crate::case::Approximation;

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
    /// Some of the assertions only.
    Part {
        /// How many of them.
        kept: usize,
        /// How many there are.
        of: usize,
    },
    /// The script with one more condition.
    With {
        /// The conditions so far, the newest last.
        conditions: Vec<String>,
    },
    /// A script that is equivalent by the steps of the evidence.
    Equivalent,
    /// Whether one of two formulas that should be equivalent can hold without the other.
    Equivalence,
    /// What is in scope at a check of a session, in a script of its own.
    OneShot {
        /// The number of the check.
        check: usize,
    },
    /// The same script without commands and options that ask for output.
    Plain {
        /// Whether the script turns proofs on.
        proofs: bool,
    },
    /// Whether the two sides of a step can differ: the script is satisfiable only if they can.
    Rewritten {
        /// The rule of the step.
        rule: String,
    },
}
