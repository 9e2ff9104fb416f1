//! Oracle `model`: a model that makes an assertion in scope false, by our evaluation and without completing it; or a sat where
//! an assertion is false whatever the model.

use smt::{Fuel, TermId, Verdict};

use super::Oracle;
use crate::case::Answer;
use crate::judge::complaint::Complaint;
use crate::judge::language::{is_closed, speaks};
use crate::judge::pinned::part;
use crate::judge::probe::{Questions, Step, Told};
use crate::judge::voices::{Question, ask_others};
use crate::judge::way::{Dispute, Refutation, Reviewed, is_plain, refuted, suspect};
use crate::judge::{Abstention, Evidence, Fault, KnownUnsat, Suspicion, Trial, same_make};

pub(super) struct Model;

impl Oracle for Model {
    fn step(&self, trial: &Trial<'_>, told: &Told<'_>) -> Step {
        let mut questions = Questions::new(told);
        let mut complaints = Vec::new();
        let mut abstained = None;
        for (accused, _) in trial.made() {
            for check in 0..trial.queries().len() {
                match judge(trial, accused, check, &mut questions) {
                    Found::Complaint(complaint) => complaints.push(*complaint),
                    Found::Abstention(why) => abstained = Some(why),
                    Found::Nothing => {}
                }
            }
        }
        questions.or_judge(complaints, abstained)
    }
}

enum Found {
    Complaint(Box<Complaint>),
    Abstention(Abstention),
    /// Nothing is wrong, or questions are open.
    Nothing,
}

/// Judges the answer of a solver to a check.
fn judge(trial: &Trial<'_>, accused: usize, check: usize, questions: &mut Questions<'_>) -> Found {
    let (solver, query, script) = (trial.solver(accused), &trial.queries()[check], &trial.case.script);
    let Some(reply) = trial.reply(accused, check).filter(|r| r.answer == Answer::Sat) else {
        return Found::Nothing;
    };
    let falsehood = falsehood(script, query);
    let refutation = match (falsehood, &reply.model) {
        (Some(_), _) => None,
        (None, None) => return Found::Nothing,
        (None, Some(text)) => {
            let review = trial.review(accused, check);
            let Some((model, wrong)) = review.as_ref().and_then(|r| Some((r.model.as_ref()?, r.wrong)))
            else {
                return Found::Abstention(Abstention::UnreadModel { of: solver.name.clone() });
            };
            let Some(wrong) = wrong else { return Found::Nothing };
            let (text, model, plain) = (text.clone(), model.clone(), is_plain(solver, text));
            Some(Refutation { text, model, plain, heard: Vec::new(), wrong })
        }
    };
    if let Err(why) = speaks(solver, &script.pool, &query.assertions) {
        return Found::Abstention(Abstention::Foreign { to: solver.name.clone(), why });
    }
    let reviewed = match (refutation, falsehood) {
        (Some(refutation), _) => {
            let Some(dispute) = Dispute::of(trial, check) else { return Found::Nothing };
            refuted(&dispute, accused, &refutation, questions)
        }
        (None, Some(wrong)) => accuse_of_sat(trial, (accused, check), wrong, questions),
        (None, None) => return Found::Nothing,
    };
    match reviewed {
        Reviewed::Asking => Found::Nothing,
        Reviewed::Complaint(complaint) => Found::Complaint(complaint),
        Reviewed::Defended => Found::Abstention(Abstention::Defended { of: solver.name.clone() }),
    }
}

/// The first assertion in scope that is false without any model, where nothing is declared that one could choose.
fn falsehood(script: &smt::Script, query: &smt::Query) -> Option<TermId> {
    if query.opaque || !is_closed(&script.pool, &query.assertions) {
        return None;
    }
    let verdicts = smt::verdicts(query, &smt::Model::empty(script), &Fuel::default());
    let wrong = verdicts.iter().position(|verdict| *verdict == Verdict::False)?;
    Some(query.assertions[wrong])
}

/// What comes of a sat where an assertion is false as it stands.
fn accuse_of_sat(
    trial: &Trial<'_>,
    (accused, check): (usize, usize),
    wrong: TermId,
    questions: &mut Questions<'_>,
) -> Reviewed {
    let script = &trial.case.script;
    let assertion = smt::write_term(&script.pool, wrong);
    let mut evidence =
        vec![Evidence::Falsified { check, model: "()".to_owned(), heard: Vec::new(), assertion }];
    let defends = |(i, answer): (usize, Answer)| {
        answer == Answer::Sat && !same_make(trial.solver(i), trial.solver(accused))
    };
    if trial.answers(check).any(defends) {
        return Reviewed::Defended;
    }
    let as_it_is = part(script, check, |_| true).unwrap_or_default();
    let question = Question { script: &as_it_is, wanted: Answer::Unsat, giver: None };
    let Some(said) = ask_others(trial, accused, &question, questions) else {
        return Reviewed::Asking;
    };
    if said.denied.is_some() {
        return Reviewed::Defended;
    }
    evidence.extend(said.evidence);
    Reviewed::complaint(match said.voice {
        Some(voice) => Complaint {
            fault: Fault::WrongSat { known: KnownUnsat::FalseAsItStands, voice },
            against: Some(accused),
            check: Some(check),
            evidence,
        },
        None => suspect(trial, (accused, check), Suspicion::WrongSat, evidence),
    })
}
