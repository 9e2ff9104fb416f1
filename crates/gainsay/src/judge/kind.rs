//! Kinds: what sort of thing is wrong.

use crate::case::words;

/// What kind of thing is wrong. Earlier kinds are worse.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// A wrong sat or unsat.
    Soundness,
    /// A core that is satisfiable.
    WrongCore,
    /// A model that makes an assertion false.
    WrongModel,
    /// A value, a second model or another output that contradicts what else the solver printed at the check.
    WrongOutput,
    /// A simplified term, or the goals of a tactic, that do not mean the same.
    WrongRewriting,
    /// A crash.
    Crash,
    /// The solver's own check refutes its answer.
    SelfCheck,
    /// Two answers contradict each other, and we cannot tell which is wrong.
    Disagreement,
    /// Our evaluation alone speaks against a solver.
    Unconfirmed,
    /// Other answers for other random numbers, or for the same.
    Nondeterminism,
    /// Much slower than another solver.
    Performance,
    /// Unknown where the answer is known.
    Incompleteness,
    /// A well-sorted script that the solver should read is refused.
    Rejection,
    /// A core larger than the minimal one that was asked for.
    Imprecision,
}

words!(Kind, "kind of finding":
    Soundness "soundness",
    WrongCore "wrong-core",
    WrongModel "wrong-model",
    WrongOutput "wrong-output",
    WrongRewriting "wrong-rewriting",
    Crash "crash",
    SelfCheck "self-check",
    Disagreement "disagreement",
    Unconfirmed "unconfirmed",
    Nondeterminism "nondeterminism",
    Performance "performance",
    Incompleteness "incompleteness",
    Rejection "rejection",
    Imprecision "imprecision",
);

impl Kind {
    /// Whether a solver may do so by the options it is given, without being wrong.
    pub fn is_up_to_options(self) -> bool {
        matches!(self, Kind::Performance | Kind::Incompleteness | Kind::Rejection)
    }

    /// Whether a run of the accused alone shows it. Then no other solver needs to be asked the same script.
    pub fn is_shown_alone(self) -> bool {
        matches!(
            self,
            Kind::WrongCore
                | Kind::WrongModel
                | Kind::WrongOutput
                | Kind::WrongRewriting
                | Kind::Crash
                | Kind::SelfCheck
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_read_again_and_unknown_ones_are_errors() {
        for kind in Kind::ALL {
            assert_eq!(Kind::named(kind.word()), Some(*kind));
            let text = serde_json::to_string(kind).expect("plain");
            assert_eq!(text, format!("\"{kind}\""));
            assert_eq!(serde_json::from_str::<Kind>(&text).expect("known"), *kind);
        }
        let error = serde_json::from_str::<Kind>("\"sound\"").expect_err("unknown").to_string();
        assert!(
            error.contains("`sound` is no kind of finding: it is one of soundness, wrong-core"),
            "{error}"
        );
    }
}
