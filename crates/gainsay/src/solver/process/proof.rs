//! Proof checkers, run on files under a supervisor with the limits of a solver.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use super::program::run_confined;
use crate::solver::launch::Launch;
use crate::solver::{CheckerRule, Ending, Limits, ProofEnd, SolverError};

/// How many pairs of files this process has written for checkers.
static FILES: AtomicU64 = AtomicU64::new(0);

/// A file that is removed in the end.
struct Kept(PathBuf);

impl Drop for Kept {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

/// Has a proof of a script checked by a program.
pub fn check_proof(
    program: &Path,
    rule: &CheckerRule,
    (script, proof): (&str, &str),
    limits: &Limits,
) -> Result<ProofEnd, SolverError> {
    let number = FILES.fetch_add(1, Ordering::Relaxed);
    let put = |ending: &str, text: &str| {
        let name = format!("gainsay-proof-{}-{number}.{ending}", std::process::id());
        let place = std::env::temp_dir().join(name);
        std::fs::write(&place, text).map_err(SolverError::at(&place))?;
        Ok::<Kept, SolverError>(Kept(place))
    };
    let (script, proof) = (put("smt2", script)?, put("proof", proof)?);
    let fill = |argument: &String| {
        let with_proof = argument.replace("{proof}", &proof.0.display().to_string());
        with_proof.replace("{script}", &script.0.display().to_string())
    };
    let argv = rule.argv.iter().map(fill).collect();
    let launch = Launch { program: program.to_owned(), argv, env: Vec::new(), folder: None };
    let done = run_confined(&launch, limits)?;
    let out = String::from_utf8_lossy(&done.out);
    Ok(match done.ending {
        // Who accepts a proof ends well. What both patterns fit has gaps.
        Ending::Exited(0) if rule.gap.is_match(&out) => ProofEnd::Gaps,
        Ending::Exited(0) if rule.accepts.is_match(&out) => ProofEnd::Accepted,
        Ending::Exited(_) => ProofEnd::Rejected,
        Ending::Alive | Ending::Killed(_) | Ending::Stopped(_) => ProofEnd::Missing,
    })
}
