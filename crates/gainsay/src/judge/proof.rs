//! Proofs: questions to proof checkers, and the checkers that there are.

use std::path::PathBuf;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::solver::launch::on_path;
use crate::solver::{CheckerRule, Profile, ProofEnd};

/// Who checked a proof.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "kebab-case", deny_unknown_fields)]
pub enum CheckedBy {
    /// The solver that made the proof, with its own checker.
    Prover,
    /// A program that is no solver.
    Program {
        /// Its name.
        name: String,
    },
}

/// A program that checks proofs.
#[derive(Clone, Debug)]
pub struct ProofChecker {
    /// The profile whose proofs it checks.
    pub profile: Arc<Profile>,
    /// Which of the checkers of that profile it is.
    pub number: usize,
    /// Where it is.
    pub program: PathBuf,
}

impl ProofChecker {
    /// How it is started and understood.
    pub fn rule(&self) -> &CheckerRule {
        let proofs = self.profile.proofs.as_ref().expect("a checker belongs to a profile with proofs");
        &proofs.checkers[self.number]
    }
}

/// The proof checkers that profiles name, each where `find` says it is; those that are nowhere are left out.
pub fn checkers(find: impl Fn(&str) -> Option<PathBuf>) -> Vec<ProofChecker> {
    let mut found = Vec::new();
    for profile in Profile::all() {
        for (number, rule) in profile.proofs.iter().flat_map(|proofs| proofs.checkers.iter().enumerate()) {
            if let Some(program) = find(&rule.name) {
                found.push(ProofChecker { profile: Arc::clone(profile), number, program });
            }
        }
    }
    found
}

/// The proof checkers on the path.
pub fn checkers_on_path() -> Vec<ProofChecker> {
    checkers(on_path)
}

/// A proof that an oracle wants to have checked, always in a process of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProofQuestion {
    /// The number of the checker.
    pub checker: usize,
    /// The script whose unsatisfiability is proved.
    pub script: String,
    /// The proof.
    pub proof: String,
}

/// A proof that was checked, and what came of it.
#[derive(Debug)]
pub struct ProofChecked {
    /// The question.
    pub question: ProofQuestion,
    /// What came of it.
    pub end: ProofEnd,
}
