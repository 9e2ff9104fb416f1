//! Oracle `differential`: sat against unsat on the same check. Evidence decides who is wrong; without it nobody is accused.

use super::Oracle;
use crate::judge::complaint::Complaint;
use crate::judge::language::speaks;
use crate::judge::probe::{Questions, Step, Told};
use crate::judge::way::{Came, Dispute, decide};
use crate::judge::{Abstention, Answered, Doubt, Evidence, Fault, Trial};

pub(super) struct Differential;

impl Oracle for Differential {
    fn step(&self, trial: &Trial<'_>, told: &Told<'_>) -> Step {
        let mut questions = Questions::new(told);
        let mut complaints = Vec::new();
        let mut abstained = None;
        for check in 0..trial.checks() {
            if !trial.differs_at(check) {
                continue;
            }
            let Some(dispute) = Dispute::of(trial, check) else { continue };
            // A formula in another language may mean something else. A difference that rests on that is none.
            if dispute.sat.is_empty() || dispute.unsat.is_empty() {
                abstained = foreign(trial, check);
                continue;
            }
            match decide(&dispute, &mut questions) {
                Came::Asking => {}
                Came::Complaints(found) => complaints.extend(found),
                Came::Nothing(mut tried) => {
                    tried.push(Evidence::Undecided { why: Doubt::NoModel });
                    complaints.push(undecided(trial, check, tried));
                }
            }
        }
        questions.or_judge(complaints, abstained)
    }
}

/// That a check is not in the language of a solver that answered it.
fn foreign(trial: &Trial<'_>, check: usize) -> Option<Abstention> {
    let query = trial.queries().get(check)?;
    trial.answers(check).find_map(|(i, _)| {
        let why = speaks(trial.solver(i), &trial.case.script.pool, &query.assertions).err()?;
        Some(Abstention::Foreign { to: trial.solver(i).name.clone(), why })
    })
}

/// Who says what, and what was tried.
pub(super) fn undecided(trial: &Trial<'_>, check: usize, tried: Vec<Evidence>) -> Complaint {
    let mut evidence = Vec::new();
    let mut answers = Vec::new();
    for (i, answer) in trial.answers(check) {
        let by = trial.solver(i).name.clone();
        answers.push(Answered { by: by.clone(), answer });
        evidence.push(Evidence::Answered { by, check, answer });
    }
    evidence.extend(tried);
    Complaint { fault: Fault::Disagreement { answers }, against: None, check: Some(check), evidence }
}
