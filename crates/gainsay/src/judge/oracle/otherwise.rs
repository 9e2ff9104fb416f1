//! The same formula asked otherwise, for oracles that judge one solver alone: with another random number, or rewritten.

use crate::case::{Answer, CheckRef, Claim};
use crate::judge::probe::Probe;
use crate::judge::way::equivalent_of;
use crate::judge::{Asked, Evidence, Trial};

/// The random number that a solver is given besides its own.
const NUMBER: u64 = 42;

/// A formula asked otherwise than it was.
pub(super) struct Otherwise {
    /// What is different.
    pub(super) asked: Asked,
    /// The question.
    pub(super) probe: Probe,
    /// Why the answer must be the same.
    pub(super) evidence: Vec<Evidence>,
}

/// The ways in which a solver can be asked the formula of a trial again so that its answer must be the same. There are none
/// for a script with several checks.
pub(super) fn otherwise(trial: &Trial<'_>, solver: usize) -> Vec<Otherwise> {
    let mut all = Vec::new();
    if trial.queries().len() != 1 {
        return all;
    }
    if !trial.solver(solver).profile.run.seed.is_empty() {
        let probe = Probe { seed: Some(NUMBER), ..Probe::new(solver, trial.text.to_owned()) };
        all.push(Otherwise { asked: Asked::WithSeed { number: NUMBER }, probe, evidence: Vec::new() });
    }
    // Steps that rest on our evaluation are not harmless.
    if let Some(equivalent) = equivalent_of(trial, 0).as_ref().as_ref().filter(|e| !e.is_evaluated) {
        let probe = Probe::new(solver, equivalent.script.clone());
        let evidence = vec![Evidence::Rewritten { steps: equivalent.steps.clone() }];
        all.push(Otherwise { asked: Asked::Equivalent, probe, evidence });
    }
    all
}

/// The claim by which the answer to a check is known.
pub(super) fn claimed<'t>(trial: &'t Trial<'_>, check: usize) -> Option<&'t Claim> {
    trial.case.claims.iter().find(|claim| match claim {
        Claim::Is(CheckRef { script: 0, check: c }, answer) => *c == check && *answer != Answer::Unknown,
        Claim::Witness(CheckRef { script: 0, check: c }, _) => *c == check,
        _ => false,
    })
}
