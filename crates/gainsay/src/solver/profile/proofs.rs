//! How a solver proves that a formula is unsatisfiable, and which programs check such proofs: a part of its profile.

use regex_lite::Regex;
use serde::{Deserialize, Serialize};

use super::sign::multi_line;
use crate::solver::release::Release;

/// How a solver proves that a formula is unsatisfiable.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProofRules {
    /// The first release that has these options.
    pub since: Release,
    /// Options that make the solver check its own proof and refuse one with a step that it only trusts.
    pub own: Vec<String>,
    /// Options without which it gives no proof that a program can check.
    pub print: Vec<String>,
    /// The command after `check-sat` that makes it print the proof.
    pub ask: String,
    /// What it prints in place of a proof that it cannot print.
    #[serde(deserialize_with = "multi_line")]
    pub missing: Regex,
    /// A step in a printed proof that nothing justifies: a proof with one is none.
    #[serde(deserialize_with = "multi_line")]
    pub gap: Regex,
    /// Programs that check the printed proof.
    #[serde(default)]
    pub checkers: Vec<CheckerRule>,
}

impl ProofRules {
    /// Whether that release has these options; a build that tells no release is taken for the newest.
    pub fn holds_for(&self, release: Option<&Release>) -> bool {
        release.is_none_or(|release| *release >= self.since)
    }
}

/// How a program that checks proofs is started and understood.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CheckerRule {
    /// The name of the program on the path.
    pub name: String,
    /// Its arguments; `{proof}` and `{script}` stand for the files.
    pub argv: Vec<String>,
    /// What it prints if the proof holds and every step is justified.
    #[serde(deserialize_with = "multi_line")]
    pub accepts: Regex,
    /// What it prints if the proof holds but for steps that nothing justifies.
    #[serde(deserialize_with = "multi_line")]
    pub gap: Regex,
}

/// What came of checking a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ProofEnd {
    /// Every step holds and is justified.
    Accepted,
    /// Some steps are only trusted: it is no proof.
    Gaps,
    /// The checker does not accept it.
    Rejected,
    /// There is no proof, or the checker did not end within its limits.
    Missing,
}
