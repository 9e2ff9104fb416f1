//! Complaints: what is wrong, who is wrong if anybody, and why one may trust that.

use serde::{Deserialize, Serialize};

use crate::case::{Answer, Claim};
use crate::solver::SolverId;
use crate::solver::id::BadSolverId;

/// What kind of thing is wrong. Earlier kinds are worse.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// A wrong sat or unsat.
    Soundness,
    /// A core that is satisfiable.
    WrongCore,
    /// A model that makes an assertion false.
    WrongModel,
    /// A crash.
    Crash,
    /// The solver's own check refutes it.
    SelfCheck,
    /// Sat against unsat, and we cannot tell who is wrong.
    Disagreement,
    /// Other answers for other random numbers, or for the same.
    Nondeterminism,
    /// Much slower than another.
    Performance,
    /// Unknown where the answer is known.
    Incompleteness,
    /// A well-sorted script that the solver should read is refused.
    Rejection,
    /// A core larger than the minimal one that was asked for.
    Imprecision,
}

impl Kind {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Kind::Soundness => "soundness",
            Kind::WrongCore => "wrong-core",
            Kind::WrongModel => "wrong-model",
            Kind::Crash => "crash",
            Kind::SelfCheck => "self-check",
            Kind::Disagreement => "disagreement",
            Kind::Nondeterminism => "nondeterminism",
            Kind::Performance => "performance",
            Kind::Incompleteness => "incompleteness",
            Kind::Rejection => "rejection",
            Kind::Imprecision => "imprecision",
        }
    }

    /// Whether what the accused does with a script shows it, so that nobody else need be asked the same: whom else the oracle
    /// wants to hear, it asks itself.
    pub fn is_shown_alone(self) -> bool {
        matches!(self, Kind::WrongCore | Kind::WrongModel | Kind::Crash | Kind::SelfCheck)
    }
}

/// Who gave a model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Giver {
    /// The strategy that made the case.
    Construction,
    /// A solver.
    Solver(SolverId),
}

impl Giver {
    const CONSTRUCTION: &str = "the construction";

    /// The solver that gave it, if it was one.
    pub fn solver(&self) -> Option<&SolverId> {
        match self {
            Giver::Construction => None,
            Giver::Solver(id) => Some(id),
        }
    }
}

impl std::fmt::Display for Giver {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.solver().map_or(Giver::CONSTRUCTION, SolverId::as_str))
    }
}

impl From<Giver> for String {
    fn from(giver: Giver) -> String {
        giver.to_string()
    }
}

impl TryFrom<String> for Giver {
    type Error = BadSolverId;

    fn try_from(text: String) -> Result<Giver, BadSolverId> {
        if text == Giver::CONSTRUCTION { Ok(Giver::Construction) } else { text.parse().map(Giver::Solver) }
    }
}

/// Why one may trust a complaint; each can be looked at again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum Evidence {
    /// Under this model every assertion in scope is true by our evaluator.
    Satisfied {
        /// Who gave the model.
        by: Giver,
        /// The number of the check.
        check: usize,
        /// The model.
        model: String,
    },
    /// The core of the accused, with all that has no name, is satisfiable: under this model it is true by our evaluator.
    SatisfiedCore {
        /// The names in the core.
        core: Vec<String>,
        /// What they and all without a name are, as a script.
        script: String,
        /// Who gave the model.
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
    /// Asked with a model written in as definitions, a solver answers this.
    Pinned {
        /// Who.
        by: SolverId,
        /// The script with the model written in.
        script: String,
        /// What it answered; none if it did not.
        answer: Option<Answer>,
    },
    /// A claim that the case was made with.
    Claimed {
        /// The claim.
        claim: Claim,
    },
    /// What a solver answered to the case.
    Answered {
        /// Who.
        by: SolverId,
        /// The number of the check.
        check: usize,
        /// What.
        answer: Answer,
    },
    /// What a solver answered to another script.
    Asked {
        /// Who.
        by: SolverId,
        /// Why it was asked.
        about: String,
        /// The script.
        script: String,
        /// What it answered; none if it did not.
        answer: Option<Answer>,
    },
    /// The answer of the accused turns with these steps, of all that led from the seed to the case.
    Turned {
        /// Each step: its number, its rule, what was there and what is.
        steps: Vec<String>,
    },
    /// What a solver printed.
    Printed {
        /// Who.
        by: SolverId,
        /// The words.
        text: String,
    },
    /// CPU times in milliseconds.
    Timed {
        /// Who.
        by: SolverId,
        /// Each time.
        milliseconds: Vec<u64>,
        /// On which machine: times of another are not comparable.
        #[serde(default)]
        on: String,
    },
    /// What stands in the way of an accusation.
    Undecided {
        /// Why.
        why: String,
    },
}

/// Something is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Complaint {
    /// What.
    pub kind: Kind,
    /// Who: the number of a solver; none if we cannot tell.
    pub against: Option<usize>,
    /// At which check.
    pub check: Option<usize>,
    /// In a sentence.
    pub summary: String,
    /// What it is about, to tell triggers of one fault from those of another before either is reduced: a message, a
    /// place in the source; empty if the formula's operators must do.
    pub about: String,
    /// Why.
    pub evidence: Vec<Evidence>,
}

impl Complaint {
    /// Whether the other is about the same.
    pub fn agrees_with(&self, other: &Complaint) -> bool {
        self.kind == other.kind && self.against == other.against && self.about == other.about
    }
}
