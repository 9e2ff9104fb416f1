//! Oracle `incompleteness`: `unknown` where the answer is known: by construction, by a model, or by the solver's own answer to
//! the same formula asked otherwise.

use super::Oracle;
use super::otherwise::{claimed, otherwise};
use crate::case::Answer;
use crate::judge::complaint::Complaint;
use crate::judge::language::speaks;
use crate::judge::probe::{Questions, Step, Told};
use crate::judge::way::models;
use crate::judge::{Evidence, Fault, Trial, answer_of};
use crate::solver::Outcome;

pub(super) struct Incompleteness;

impl Oracle for Incompleteness {
    fn step(&self, trial: &Trial<'_>, told: &Told<'_>) -> Step {
        let mut questions = Questions::new(told);
        let mut complaints = Vec::new();
        for check in 0..trial.checks().min(trial.queries().len()) {
            let Some(known) =
                trial.answers(check).any(|(_, a)| a == Answer::Unknown).then(|| known(trial, check))
            else {
                continue;
            };
            let Some(known) = known else { continue };
            for (i, _) in trial.answers(check).filter(|(_, a)| *a == Answer::Unknown) {
                let asserted = &trial.queries()[check].assertions;
                if speaks(trial.solver(i), &trial.case.script.pool, asserted).is_ok() {
                    complaints.push(unknown(i, check, vec![known.clone()]));
                }
            }
        }
        for (i, answer) in trial.answers(0) {
            if complaints.iter().all(|complaint| complaint.against != Some(i)) {
                complaints.extend(alone(trial, (i, answer), &mut questions));
            }
        }
        questions.or_judge(complaints, None)
    }
}

fn unknown(accused: usize, check: usize, evidence: Vec<Evidence>) -> Complaint {
    Complaint { fault: Fault::Unknown, against: Some(accused), check: Some(check), evidence }
}

/// The complaint that a solver answers a formula and says unknown to the same formula asked otherwise, or the contrary.
fn alone(
    trial: &Trial<'_>,
    (solver, answer): (usize, Answer),
    questions: &mut Questions<'_>,
) -> Option<Complaint> {
    let by = &trial.solver(solver).name;
    for other in otherwise(trial, solver) {
        let script = other.probe.script.clone();
        let Some(run) = questions.ask(other.probe) else { continue };
        // What it says at the end of its time is the business of another oracle.
        let Some(second) = answer_of(run).filter(|_| run.outcome() == Outcome::Answered) else { continue };
        if (answer == Answer::Unknown) == (second == Answer::Unknown) {
            continue;
        }
        let mut evidence = vec![Evidence::Answered { by: by.clone(), check: 0, answer }];
        evidence.extend(other.evidence);
        let (by, about, answer) = (by.clone(), other.asked, Some(second));
        evidence.push(Evidence::Asked { by, about, script, answer });
        return Some(unknown(solver, 0, evidence));
    }
    None
}

/// Why the answer to a check is known.
fn known(trial: &Trial<'_>, check: usize) -> Option<Evidence> {
    if let Some(claim) = claimed(trial, check) {
        return Some(Evidence::Claimed { claim: claim.clone() });
    }
    let models = models(trial, check);
    let given = models.satisfying.as_ref()?;
    Some(Evidence::Satisfied { by: given.by.clone(), check, model: given.text.clone() })
}
