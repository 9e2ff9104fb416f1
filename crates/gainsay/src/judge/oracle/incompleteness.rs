//! Oracle `incompleteness`: `unknown` where the answer is known, by construction or by a model.

use super::Oracle;
use crate::case::{Answer, CheckRef, Claim};
use crate::judge::complaint::Complaint;
use crate::judge::language::speaks;
use crate::judge::probe::{Judgement, Step, Told};
use crate::judge::way::satisfying;
use crate::judge::{Evidence, Fault, Trial};

pub(super) struct Incompleteness;

impl Oracle for Incompleteness {
    fn step(&self, trial: &Trial<'_>, _: &Told<'_>) -> Step {
        let mut complaints = Vec::new();
        for check in 0..trial.checks().min(trial.queries().len()) {
            let mut unsure = trial.answers(check).filter(|(_, a)| *a == Answer::Unknown).peekable();
            if unsure.peek().is_none() {
                continue;
            }
            let Some(known) = known(trial, check) else { continue };
            for (i, _) in unsure {
                let solver = trial.solver(i);
                if speaks(solver, &trial.case.script.pool, &trial.queries()[check].assertions).is_err() {
                    continue;
                }
                complaints.push(Complaint {
                    fault: Fault::Unknown,
                    against: Some(i),
                    check: Some(check),
                    evidence: vec![known.clone()],
                });
            }
        }
        let clean = complaints.is_empty();
        Step::Judge(if clean { Judgement::Clean } else { Judgement::Complain(complaints) })
    }
}

/// Why the answer to a check is known.
fn known(trial: &Trial<'_>, check: usize) -> Option<Evidence> {
    let about = |claim: &&Claim| match claim {
        Claim::Is(CheckRef { script: 0, check: c }, answer) => *c == check && *answer != Answer::Unknown,
        Claim::Witness(CheckRef { script: 0, check: c }, _) => *c == check,
        _ => false,
    };
    if let Some(claim) = trial.case.claims.iter().find(about) {
        return Some(Evidence::Claimed { claim: claim.clone() });
    }
    let given = satisfying(trial, check).next()?;
    Some(Evidence::Satisfied { by: given.by, check, model: given.text })
}
