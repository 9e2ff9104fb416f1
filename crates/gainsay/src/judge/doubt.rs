//! Doubts: why nobody is accused, or why nothing is said at all.

use serde::{Deserialize, Serialize};

use super::asked::Asked;
use crate::case::Answer;
use crate::solver::SolverId;

/// Why a formula need not mean to a solver what it means to us.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum Foreign {
    /// The solver does not have this operator.
    Operator {
        /// Its name.
        name: String,
    },
    /// The solver does not have this operator with more than two arguments.
    ManyArguments {
        /// Its name.
        name: String,
    },
    /// The solver is older than what the standard says of this operator.
    OlderThanStandard {
        /// Its name.
        name: String,
    },
    /// The characters of the solver have 8 bits.
    EightBitCharacters,
    /// The solver fixes what the standard leaves open in this operator.
    FixesWhatIsOpen {
        /// Its name.
        name: String,
    },
    /// The solver reads escapes in strings in its own way.
    Escapes,
    /// We do not understand a part of the formula.
    NotUnderstood,
}

/// What stands in the way of an accusation.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum Doubt {
    /// The formula is not in the language of a solver.
    Foreign {
        /// The solver.
        to: SolverId,
        /// The reason why the formula is not in its language.
        why: Foreign,
    },
    /// The model has characters that the accused does not have.
    NoSuchCharacters {
        /// The accused.
        of: SolverId,
    },
    /// The accused and another solver say unsat even with the model written in.
    BothInsist {
        /// The other solver.
        by: SolverId,
        /// The accused.
        accused: SolverId,
    },
    /// It is sat by construction, but nobody gave a model that satisfies it.
    NoModelOfConstruction,
    /// No other solver says unsat, and the model of the accused cannot be refuted.
    NoOtherUnsat,
    /// Another solver says sat, too.
    AlsoSat {
        /// The other solver.
        by: SolverId,
    },
    /// A solver gives the same answer to a formula and to its negation, so that its word does not count.
    SameOfNegation {
        /// The solver.
        by: SolverId,
        /// Its answer.
        answer: Answer,
    },
    /// No model satisfies it under our evaluation.
    NoModel,
    /// Neither the accused nor a search that another solver confirms shows that the one script follows from the other.
    NotShownToFollow,
}

/// Why an oracle says nothing.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum Abstention {
    /// The formula is not in the language of a solver.
    Foreign {
        /// The solver.
        to: SolverId,
        /// The reason why the formula is not in its language.
        why: Foreign,
    },
    /// A part of the script is not understood.
    NotUnderstood,
    /// A model cannot be read.
    UnreadModel {
        /// The solver that gave it.
        of: SolverId,
    },
    /// A solver of another make says that the answer or the model of the accused is right.
    Defended {
        /// The accused.
        of: SolverId,
    },
    /// The witness of the case is none under our evaluation.
    NoWitness,
    /// A model refutes what is claimed of the case.
    ClaimRefuted {
        /// The solver that gave it; none if the case came with it.
        by: Option<SolverId>,
    },
    /// The script of a core cannot be read.
    UnreadCore {
        /// What is wrong with its text.
        error: String,
    },
    /// A crash does not happen with more memory.
    NeedsMemory {
        /// The solver.
        of: SolverId,
    },
    /// The operator table says nothing of a solver.
    NotInTable {
        /// The solver.
        of: SolverId,
    },
    /// A part of the script is not in the language of the standard.
    NotStandard {
        /// The term, cut short.
        term: String,
    },
    /// The solver says itself that it does not support this.
    SaysUnsupported {
        /// The solver.
        of: SolverId,
    },
    /// A step of ours is refuted: the mistake is ours.
    StepRefuted {
        /// The question that refuted it.
        asked: Asked,
    },
    /// An oracle asks without end.
    AsksWithoutEnd {
        /// The oracle.
        oracle: String,
    },
}
