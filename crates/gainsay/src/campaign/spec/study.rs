//! The definitions of studies: of releases, of a build beside a release, and of the runs that such checks share.

use serde::{Deserialize, Serialize};

use super::hunt::HuntSpec;

/// A study of releases. Its releases, grammars and counts may grow while nobody works on it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StudySpec {
    /// How often the study has grown.
    pub edition: u32,
    /// What is asked.
    pub grammars: Vec<GrammarSpec>,
    /// What each of the campaign's solvers is there for.
    pub roles: Vec<RoleSpec>,
    /// Whether solvers check their own models.
    pub self_check: bool,
}

/// A grammar, and how many of its formulas are asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GrammarSpec {
    /// What it is called in tables; the same label means the same formulas.
    pub label: String,
    /// The grammar, as it is written.
    pub text: String,
    /// How many of its formulas are asked, from the first.
    pub count: u64,
}

/// What a solver is there for in a study.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RoleSpec {
    /// Whether it is studied, or only a reference.
    pub studied: bool,
    /// The numbers of the solvers beside which it is judged.
    pub references: Vec<usize>,
    /// Whether its runs outlive this study, because it is the same release next time.
    pub lasting: bool,
}

/// A check of a build.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CiSpec {
    /// The grammars whose formulas the build is asked; the solvers are the build, the release and others.
    pub study: StudySpec,
    /// How many formulas of each grammar are timed, from the smallest.
    pub timed: Vec<u64>,
    /// What is hunted with besides, and for how many turns.
    pub hunt: Option<(HuntSpec, u64)>,
}

/// Runs of releases that several checks share.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CacheSpec {
    /// Digests of programs that have no release; empty for those that have one.
    pub programs: Vec<String>,
}
