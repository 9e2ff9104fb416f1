//! Faults of a solver: what exactly is wrong, as data.

use serde::{Deserialize, Serialize};

use super::asked::Asked;
use super::kind::Kind;
use super::site::CrashSite;
use super::voice::SecondVoice;
use crate::case::Answer;
use crate::solver::SolverId;

/// What a solver answered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answered {
    /// The solver.
    pub by: SolverId,
    /// Its answer.
    pub answer: Answer,
}

/// How it is known that a formula is unsatisfiable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum KnownUnsat {
    /// An assertion without any declared function is false.
    FalseAsItStands,
    /// The case was made to be unsatisfiable.
    ByConstruction,
    /// No assignment of its finite domains satisfies it.
    ByExhaustion,
    /// It has values for all its symbols, and an assertion is false with them.
    ///
    /// The accused says sat to the check and to the check with these values. The second is what is known to be wrong.
    WithValues,
    /// A proof of it was checked.
    ByProof,
}

/// What speaks against a solver without a second voice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Suspicion {
    /// Its unsat is wrong.
    WrongUnsat,
    /// Its sat is wrong.
    WrongSat,
    /// Its model is wrong.
    WrongModel,
    /// Its core is wrong.
    WrongCore,
    /// What it printed besides an answer is wrong.
    WrongOutput,
    /// The assumptions that it printed do not suffice.
    WrongAssumptions,
    /// What it made of a term is wrong.
    WrongRewriting,
    /// Its sat is wrong by a proof that only the prover itself has checked. Our evaluation says nothing.
    RefutedByProof,
}

/// What a solver printed, besides an answer, that contradicts what else it printed at the check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Output {
    /// The value of a term, which its model does not give.
    Value,
    /// The value of a term, for which it printed another value at the same check.
    SecondValue,
    /// A second model, with other values.
    SecondModel,
    /// The truth value of a named term, which its model does not give.
    Assignment,
}

/// What made another term or other goals of something.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rewriter {
    /// The command `simplify`.
    Simplify,
    /// A tactic.
    Tactic(String),
}

/// How a solver contradicts itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SelfContradiction {
    /// It says sat to the formula and unsat to a part of its assertions.
    Part,
    /// It says sat to the formula, and unsat to it with a condition and with the negation of that condition.
    Halves,
    /// It says unsat to the formula and sat to it with one more condition.
    More,
    /// It gives different answers to the formula and to an equivalent of it.
    Equivalent,
    /// It gives different answers to a check of a session and to the same assertions alone.
    Session,
    /// It says sat to a check of a session, and unsat to another check with no more assertions.
    Checks,
    /// It gives different answers with and without commands that ask for output.
    Outputs,
    /// It gives different answers with and without proofs.
    Proofs,
}

/// What is wrong. The accused is named by the complaint, unless nobody is accused.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum Fault {
    /// The accused says unsat, and a model satisfies every assertion.
    WrongUnsat {
        /// Who besides our evaluator says that the formula is satisfiable.
        voice: SecondVoice,
    },
    /// The accused says sat to a formula that is unsatisfiable.
    WrongSat {
        /// How that is known.
        known: KnownUnsat,
        /// Who besides our evaluator says that the formula is unsatisfiable.
        voice: SecondVoice,
    },
    /// The accused contradicts itself. Which of its answers is wrong is not known.
    ContradictsItself {
        /// How its answers contradict each other.
        how: SelfContradiction,
    },
    /// A solver says sat to a script and unsat to one that follows from it.
    Contradiction {
        /// The solver.
        by: SolverId,
        /// Who besides us says that the second script follows from the first; none if that is not shown.
        voice: Option<SecondVoice>,
    },
    /// A solver says unsat to a seed that a model of its mutant satisfies.
    SeedDenied {
        /// The solver.
        by: SolverId,
        /// Who besides our evaluator says that the seed is satisfiable; none if nobody does.
        voice: Option<SecondVoice>,
    },
    /// The model of the accused makes an assertion false.
    WrongModel {
        /// Who besides our evaluator says that it is no model.
        voice: SecondVoice,
    },
    /// The core of the accused is satisfiable.
    WrongCore {
        /// Who besides our evaluator says that it is satisfiable.
        voice: SecondVoice,
    },
    /// What the accused printed besides an answer contradicts what else it printed at the check.
    WrongOutput {
        /// What it printed.
        of: Output,
        /// Who besides our evaluator says so.
        voice: SecondVoice,
    },
    /// What the accused printed cannot be read as what was asked for.
    Malformed {
        /// The word of the command that asked for it.
        command: String,
    },
    /// With the assumptions that the accused printed, what is asserted is satisfiable.
    WrongAssumptions {
        /// Who besides our evaluator says that it is satisfiable.
        voice: SecondVoice,
    },
    /// The accused printed an assumption that the check does not have.
    ForeignAssumption {
        /// The assumption.
        printed: String,
    },
    /// What the accused made of a term differs from it at a point.
    WrongRewriting {
        /// What made it.
        by: Rewriter,
        /// Who besides our evaluator says that they differ.
        voice: SecondVoice,
    },
    /// Our evaluation alone, or a proof that only its prover checked, speaks against a solver. Nobody is accused.
    Unconfirmed {
        /// The solver.
        suspect: SolverId,
        /// What is said against it.
        of: Suspicion,
    },
    /// The core of the accused is not minimal, though it was asked for a minimal one.
    LargeCore {
        /// Names in the core.
        names: usize,
        /// Names in the minimal core.
        minimal: usize,
    },
    /// The accused crashes.
    Crash {
        /// The place of the crash.
        site: CrashSite,
    },
    /// The accused's own check refutes its answer.
    SelfCheck {
        /// What it prints about it.
        message: String,
    },
    /// Some say sat and some unsat to one check, or one says other than the case was made to be; it is open who is wrong.
    Disagreement {
        /// Who says what.
        answers: Vec<Answered>,
    },
    /// The accused gives two answers to one check.
    Nondeterminism {
        /// Its first answer.
        first: Answer,
        /// Its other answer.
        second: Answer,
        /// How it was asked for the other answer.
        asked: Asked,
    },
    /// The accused runs out of time where another solver answers.
    Slow {
        /// The other solver.
        than: SolverId,
        /// What the other solver needs, in milliseconds.
        milliseconds: u64,
    },
    /// The accused runs out of time where the answer is known.
    TimedOut {
        /// How it was asked when it ran out of time, where it answers the script itself; none if the answer is known by
        /// construction.
        asked: Option<Asked>,
    },
    /// The accused says unknown where the answer is known.
    Unknown,
    /// The accused refuses a well-sorted script.
    Refused {
        /// Its error message.
        message: String,
    },
}

impl Fault {
    /// What kind of thing is wrong.
    pub fn kind(&self) -> Kind {
        match self {
            Fault::WrongUnsat { .. }
            | Fault::WrongSat { .. }
            | Fault::ContradictsItself { .. }
            | Fault::SeedDenied { voice: Some(_), .. }
            | Fault::Contradiction { voice: Some(_), .. } => Kind::Soundness,
            Fault::Unconfirmed { .. } => Kind::Unconfirmed,
            Fault::Contradiction { voice: None, .. }
            | Fault::SeedDenied { voice: None, .. }
            | Fault::Disagreement { .. } => Kind::Disagreement,
            Fault::WrongModel { .. } => Kind::WrongModel,
            Fault::WrongCore { .. } | Fault::WrongAssumptions { .. } | Fault::ForeignAssumption { .. } => {
                Kind::WrongCore
            }
            Fault::WrongOutput { .. } | Fault::Malformed { .. } => Kind::WrongOutput,
            Fault::WrongRewriting { .. } => Kind::WrongRewriting,
            Fault::LargeCore { .. } => Kind::Imprecision,
            Fault::Crash { .. } => Kind::Crash,
            Fault::SelfCheck { .. } => Kind::SelfCheck,
            Fault::Nondeterminism { .. } => Kind::Nondeterminism,
            Fault::Slow { .. } | Fault::TimedOut { .. } => Kind::Performance,
            Fault::Unknown => Kind::Incompleteness,
            Fault::Refused { .. } => Kind::Rejection,
        }
    }

    /// Whether two complaints of one kind against one solver are about the same thing, as far as it must stay the same while a
    /// script is reduced: who says what in a disagreement, the site of a crash, the message, a wrong unsat.
    pub fn is_same(&self, other: &Fault) -> bool {
        match (self, other) {
            (Fault::Crash { site }, Fault::Crash { site: other }) => site.is_same(other),
            (Fault::SelfCheck { message }, Fault::SelfCheck { message: other }) => message == other,
            (Fault::Refused { message }, Fault::Refused { message: other }) => {
                without_places(message) == without_places(other)
            }
            (Fault::WrongUnsat { .. }, _) => matches!(other, Fault::WrongUnsat { .. }),
            (Fault::Unconfirmed { .. }, _) => self == other,
            (Fault::WrongOutput { of, .. }, _) => {
                matches!(other, Fault::WrongOutput { of: same, .. } if of == same)
            }
            (Fault::Malformed { .. } | Fault::ForeignAssumption { .. }, _) => {
                std::mem::discriminant(self) == std::mem::discriminant(other)
            }
            (Fault::WrongCore { .. } | Fault::WrongAssumptions { .. }, _) => {
                std::mem::discriminant(self) == std::mem::discriminant(other)
            }
            _ if self.kind() == Kind::Disagreement => self == other,
            _ => self.kind() == other.kind(),
        }
    }

    /// What the solver itself says of where it goes wrong, in a form that is equal for equal faults: the site of a crash or a
    /// message. None if the operators of the formula must do.
    pub fn own_place(&self) -> Option<OwnPlace> {
        match self {
            Fault::Crash { site } if site.is_place() => Some(OwnPlace::Site(site.normalised())),
            Fault::SelfCheck { message } => Some(OwnPlace::Message(message.clone())),
            Fault::Refused { message } => Some(OwnPlace::Message(without_places(message))),
            _ => None,
        }
    }

    /// What the fault is besides its kind, where that tells faults of a kind apart: which answer is wrong, how a process ended.
    pub fn variant(&self) -> FaultVariant {
        match self {
            Fault::WrongUnsat { .. } => FaultVariant::Answer(Answer::Unsat),
            Fault::WrongSat { .. } => FaultVariant::Answer(Answer::Sat),
            Fault::Contradiction { .. } | Fault::ContradictsItself { .. } => FaultVariant::Contradiction,
            Fault::Unconfirmed { of, .. } => FaultVariant::Suspicion(*of),
            Fault::WrongOutput { of, .. } => FaultVariant::Output(*of),
            Fault::WrongRewriting { by, .. } => FaultVariant::Rewriter(by.clone()),
            Fault::WrongAssumptions { .. } | Fault::ForeignAssumption { .. } => FaultVariant::Assumptions,
            Fault::SeedDenied { .. } => FaultVariant::SeedDenied,
            Fault::Crash { site } if !site.is_place() => FaultVariant::Ending(site.clone()),
            _ => FaultVariant::Only,
        }
    }
}

/// A place in a solver that the solver itself names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum OwnPlace {
    /// The site of a crash.
    Site(CrashSite),
    /// A message.
    Message(String),
}

/// What tells faults of one kind apart.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum FaultVariant {
    /// This answer is wrong.
    Answer(Answer),
    /// Two answers contradict each other.
    Contradiction,
    /// A seed is said to be unsat.
    SeedDenied,
    /// This is said without a second voice.
    Suspicion(Suspicion),
    /// This was printed.
    Output(Output),
    /// This made another term.
    Rewriter(Rewriter),
    /// Assumptions were printed.
    Assumptions,
    /// A process ended so.
    Ending(CrashSite),
    /// There is one fault of the kind.
    Only,
}

/// The words of an error without line numbers and quoted parts, so that equal refusals look equal.
pub fn without_places(error: &str) -> String {
    let words = error.split_whitespace().map(|word| {
        let number = word.bytes().any(|b| b.is_ascii_digit());
        if number || word.starts_with(['\'', '`', '"', '(']) { "…" } else { word }
    });
    words.collect::<Vec<_>>().join(" ")
}
