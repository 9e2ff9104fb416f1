//! Oracle `differential`: sat against unsat on the same check. Evidence decides who is wrong; without it nobody is accused.

use super::Oracle;
use crate::case::Answer;
use crate::judge::complaint::Complaint;
use crate::judge::language::speaks;
use crate::judge::probe::{Probe, Questions, Step, Told};
use crate::judge::proof::{Charge, charge, read_model, satisfies, satisfying, wrong_unsat};
use crate::judge::{Abstention, Answered, Doubt, Evidence, Fault, Trial, reply_of};

pub(super) struct Differential;

impl Oracle for Differential {
    fn step(&self, trial: &Trial<'_>, told: &Told<'_>) -> Step {
        let mut questions = Questions::new(told);
        let mut complaints = Vec::new();
        let mut abstained = None;
        for check in 0..trial.checks() {
            if !differ(trial, check, |_| true) {
                continue;
            }
            let Some(ask) = trial.queries().get(check) else { continue };
            // To whom the formula is in another language, it may mean another thing: a difference that rests on that
            // is none.
            let foreign = |i: usize| speaks(trial.solver(i), &trial.case.script.pool, &ask.assertions).err();
            if differ(trial, check, |i| foreign(i).is_none()) {
                complaints.extend(decide(trial, check, &mut questions));
            } else {
                let abstention = |(i, _): (usize, Answer)| {
                    Some(Abstention::Foreign { to: trial.solver(i).name.clone(), why: foreign(i)? })
                };
                abstained = trial.answers(check).find_map(abstention);
            }
        }
        questions.or_judge(complaints, abstained)
    }
}

/// Whether some of these solvers say sat to a check, and some unsat.
fn differ(trial: &Trial<'_>, check: usize, among: impl Fn(usize) -> bool) -> bool {
    let says = |wanted| trial.answers(check).any(|(i, answer)| answer == wanted && among(i));
    says(Answer::Sat) && says(Answer::Unsat)
}

/// Looks for a model that satisfies the check, first among those given, then among those of witnesses; charges each who
/// says unsat; else it is undecided.
fn decide(trial: &Trial<'_>, check: usize, questions: &mut Questions<'_>) -> Vec<Complaint> {
    let Some(ask) = trial.queries().get(check) else { return Vec::new() };
    let mut given = satisfying(trial, check).next();
    if given.is_none() {
        for witness in trial.solvers.len()..trial.solvers.len() + trial.witnesses.len() {
            let probe = Probe::new(witness, trial.text.to_owned()).with_model();
            let Some(run) = questions.ask(probe) else { continue };
            let model = reply_of(run, check).and_then(|r| r.model.as_deref());
            let read = model.and_then(|m| read_model(trial.solver(witness), &trial.case.script, ask, m));
            given = given.or(read.filter(|g| satisfies(ask, &g.model)));
        }
    }
    let mut complaints = Vec::new();
    let mut tried = Vec::new();
    if let Some(given) = &given {
        for (accused, _) in trial.answers(check).filter(|(_, a)| *a == Answer::Unsat) {
            match charge(trial, check, accused, given, questions) {
                Charge::Wrong(evidence) => complaints.push(wrong_unsat(trial, check, accused, evidence)),
                Charge::Disputed(evidence) => tried.extend(evidence),
                Charge::Asking => {}
            }
        }
    } else {
        tried.push(Evidence::Undecided { why: Doubt::NoModel });
    }
    if complaints.is_empty() && questions.open.is_empty() {
        complaints.push(undecided(trial, check, tried));
    }
    complaints
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
