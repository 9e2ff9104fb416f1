//! The scripts of the built-in corpus on which releases are known to fail, and who fails.

use gainsay::seed::builtin;

/// A script's name in the corpus, and who answers it wrongly, crashes, or fails its own check.
pub struct Known {
    /// Its name in the corpus.
    pub name: &'static str,
    /// Releases and options.
    pub wrong: &'static [&'static str],
}

impl Known {
    /// The script.
    pub fn script(&self) -> &'static str {
        let found = builtin::scripts().find(|(name, _)| *name == self.name);
        found.expect("a test looks for every script").1
    }
}

const fn known(name: &'static str, wrong: &'static [&'static str]) -> Known {
    Known { name, wrong }
}

/// All of them.
pub const KNOWN: &[Known] = &[
    known("past/replace-in-nothing", &["z3@4.5.1..4.8.0"]),
    known("past/quotients-of-zero", &["z3@4.5.1..4.8.6"]),
    known("past/zero-over-zero", &["z3@4.5.1..4.8.7 model_validate=true"]),
    known("past/mod-by-zero", &["z3@4.5.1..4.8.7 model_validate=true"]),
    known("past/div-and-mod-by-zero", &["z3@4.8.0..4.8.7 model_validate=true"]),
    known("past/number-below-minus-one", &["z3@4.5.1"]),
    known("past/leading-zero", &["z3@4.8.5..4.8.6 model_validate=true"]),
    known("past/two-zeros", &["z3@4.5.1..4.8.7 smt.string_solver=z3str3"]),
    known("past/xnor-of-three", &["z3@4.8.6..4.8.7"]),
    known("past/xnor-of-three-denied", &["z3@4.8.6..4.8.7"]),
    known("past/prefix-is-less", &["z3@4.8.6..4.8.7"]),
    known("past/difference-of-three", &["z3@4.8.9"]),
    known("past/fused-multiply-add", &["z3@4.8.8..4.8.15"]),
    known("past/remainder-above-divisor", &["z3@4.8.6..4.8.9", "z3@4.8.6..4.8.9 model_validate=true"]),
    known(
        "past/sum-signed-below",
        &["z3@4.12.6..5.4.0 sat.smt=true tactic.default_tactic=smt model_validate=true"],
    ),
    known("past/subnormal-whole-number", &["cvc5@1.2.0..1.4.2 --fp-exp"]),
    known("past/small-float-of-a-number", &["cvc5@1.2.0..1.3.3 --fp-exp"]),
];
