//! Oracle `model`: a model that makes an assertion in scope false, by our evaluation and without completing it; or a sat where
//! an assertion is false whatever the model.

use smt::{Fuel, TermId, Verdict};

use super::Oracle;
use crate::case::Answer;
use crate::judge::complaint::Complaint;
use crate::judge::language::{is_closed, speaks};
use crate::judge::pinned::pinned;
use crate::judge::probe::{Probe, Questions, Step, Told};
use crate::judge::proof::{Given, read_model};
use crate::judge::{Abstention, Evidence, Fault, KnownUnsat, Trial, answer_of, reply_of};

pub(super) struct Model;

impl Oracle for Model {
    fn step(&self, trial: &Trial<'_>, told: &Told<'_>) -> Step {
        let mut questions = Questions::new(told);
        let mut complaints = Vec::new();
        let mut abstained = None;
        for (i, _) in trial.made() {
            for (check, ask) in trial.queries().iter().enumerate() {
                let Some(reply) = trial.reply(i, check).filter(|r| r.answer == Answer::Sat) else { continue };
                if let Some(wrong) = falsehood(&trial.case.script, ask) {
                    match accuse_of_sat(trial, i, check, wrong, &mut questions) {
                        Some(Ok(complaint)) => complaints.push(complaint),
                        Some(Err(why)) => abstained = Some(why),
                        None => {}
                    }
                    continue;
                }
                let Some(text) = &reply.model else { continue };
                let Some(given) = read_model(trial.solver(i), &trial.case.script, ask, text) else {
                    abstained = Some(Abstention::UnreadModel { of: trial.solver(i).name.clone() });
                    continue;
                };
                let verdicts = smt::verdicts(ask, &given.model, &Fuel::default());
                let Some(wrong) = verdicts.iter().position(|v| *v == Verdict::False) else { continue };
                match accuse(trial, i, check, &given, wrong, &mut questions) {
                    Some(Ok(complaint)) => complaints.push(complaint),
                    Some(Err(why)) => abstained = Some(why),
                    None => {}
                }
            }
        }
        questions.or_judge(complaints, abstained)
    }
}

/// The first assertion in scope that is false without any model, where nothing is declared that one could choose.
fn falsehood(script: &smt::Script, ask: &smt::Query) -> Option<TermId> {
    if ask.opaque || !is_closed(&script.pool, &ask.assertions) {
        return None;
    }
    let verdicts = smt::verdicts(ask, &smt::Model::empty(script), &Fuel::default());
    let wrong = verdicts.iter().position(|verdict| *verdict == Verdict::False)?;
    Some(ask.assertions[wrong])
}

/// The complaint that sat is wrong where an assertion is false as it stands, or why there is none, or nothing while questions
/// are open. Nobody else may say sat, neither those on trial nor witnesses.
fn accuse_of_sat(
    trial: &Trial<'_>,
    accused: usize,
    check: usize,
    wrong: TermId,
    questions: &mut Questions<'_>,
) -> Option<Result<Complaint, Abstention>> {
    let solver = trial.solver(accused);
    let pool = &trial.case.script.pool;
    if let Err(why) = speaks(solver, pool, &trial.queries()[check].assertions) {
        return Some(Err(Abstention::Foreign { to: solver.name.clone(), why }));
    }
    let witnesses = trial.solvers.len()..trial.solvers.len() + trial.witnesses.len();
    let asked: Vec<_> = witnesses.map(|w| (w, questions.ask(Probe::new(w, trial.text.to_owned())))).collect();
    let mut answers: Vec<(usize, Answer)> = trial.answers(check).filter(|(i, _)| *i != accused).collect();
    for (witness, run) in asked {
        answers.extend(reply_of(run?, check).map(|reply| (witness, reply.answer)));
    }
    if let Some((other, _)) = answers.iter().find(|(_, answer)| *answer == Answer::Sat) {
        let solvers = [trial.solver(*other).name.clone(), solver.name.clone()];
        return Some(Err(Abstention::TwoSaySat { solvers }));
    }
    let assertion = smt::write_term(pool, wrong);
    let mut evidence = vec![Evidence::Falsified { check, model: "()".to_owned(), assertion }];
    let denying = answers.into_iter().filter(|(_, answer)| *answer == Answer::Unsat);
    evidence.extend(denying.map(|(i, answer)| {
        let by = trial.solver(i).name.clone();
        Evidence::Answered { by, check, answer }
    }));
    Some(Ok(Complaint {
        fault: Fault::WrongSat { known: KnownUnsat::FalseAsItStands },
        against: Some(accused),
        check: Some(check),
        evidence,
    }))
}

/// The complaint that a model is wrong, or why there is none, or nothing while questions are open.
///
/// The accused is asked the formula with its model written in. If it says unsat, it contradicts itself. If it insists on
/// sat, it is accused only if some other solver says unsat and none says sat.
fn accuse(
    trial: &Trial<'_>,
    accused: usize,
    check: usize,
    given: &Given,
    wrong: usize,
    questions: &mut Questions<'_>,
) -> Option<Result<Complaint, Abstention>> {
    let solver = trial.solver(accused);
    let ask = &trial.queries()[check];
    let pool = &trial.case.script.pool;
    if let Err(why) = speaks(solver, pool, &ask.assertions) {
        return Some(Err(Abstention::Foreign { to: solver.name.clone(), why }));
    }
    let assertion = smt::write_term(pool, ask.assertions[wrong]);
    let mut evidence = vec![Evidence::Falsified { check, model: given.text.clone(), assertion }];
    let mut itself = false;
    if let Some(script) = given.plain.then(|| pinned(&trial.case.script, check, &given.model)).flatten() {
        let answer = answer_of(questions.ask(Probe::new(accused, script.clone()))?);
        evidence.push(Evidence::Pinned { by: solver.name.clone(), script: script.clone(), answer });
        itself = answer == Some(Answer::Unsat);
        if answer == Some(Answer::Sat) {
            let others = (0..trial.solvers.len() + trial.witnesses.len()).filter(|&o| o != accused);
            let answers: Vec<_> = others.map(|o| (o, questions.ask(Probe::new(o, script.clone())))).collect();
            let mut agreed = false;
            for (other, run) in answers {
                let answer = answer_of(run?);
                let by = trial.solver(other).name.clone();
                if answer == Some(Answer::Sat) {
                    return Some(Err(Abstention::ModelDefended { by, of: solver.name.clone() }));
                }
                agreed |= answer == Some(Answer::Unsat);
                evidence.push(Evidence::Pinned { by, script: script.clone(), answer });
            }
            if !agreed {
                return Some(Err(Abstention::ModelInsistedOn { of: solver.name.clone() }));
            }
        }
    }
    Some(Ok(Complaint {
        fault: Fault::WrongModel { itself },
        against: Some(accused),
        check: Some(check),
        evidence,
    }))
}
