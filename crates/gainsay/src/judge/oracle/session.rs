//! Oracle `session`: an answer in a session that contradicts the answer of the same solver to the same assertions alone, or
//! its answer to another check of the session.
//!
//! That one of the two answers is wrong follows from the word of the solver alone. A model or a search says which.

use super::Oracle;
use super::two_answers::{charge_with_any, contradiction, exhausted};
use crate::case::{Answer, CheckRef, Claim};
use crate::judge::complaint::Complaint;
use crate::judge::probe::{Probe, Questions, Step, Told};
use crate::judge::way::{Charge, charge, charge_for, read_model, satisfies, wrong_unsat};
use crate::judge::{Asked, Evidence, Given, SecondVoice, SelfContradiction, Trial, reply_of};
use crate::solver::Run;

pub(super) struct Session;

impl Oracle for Session {
    fn step(&self, trial: &Trial<'_>, told: &Told<'_>) -> Step {
        let mut questions = Questions::new(told);
        let mut complaints = Vec::new();
        for (accused, _) in trial.made() {
            match against_one_shots(trial, accused, &mut questions) {
                Found::Complaint(complaint) => complaints.push(*complaint),
                Found::Asking => {}
                Found::Nothing => {
                    if let Found::Complaint(complaint) = between_checks(trial, accused, &mut questions) {
                        complaints.push(*complaint);
                    }
                }
            }
        }
        questions.or_judge(complaints, None)
    }
}

/// What comes of the answers of one solver.
enum Found {
    Complaint(Box<Complaint>),
    /// Questions are open.
    Asking,
    Nothing,
}

impl Found {
    /// A complaint; none while questions are open.
    fn of(complaint: Option<Complaint>) -> Found {
        complaint.map_or(Found::Asking, |complaint| Found::Complaint(Box::new(complaint)))
    }
}

/// The definite answer of a solver to a check of the session.
fn definite(trial: &Trial<'_>, solver: usize, check: usize) -> Option<Answer> {
    trial.reply(solver, check).map(|reply| reply.answer).filter(|answer| *answer != Answer::Unknown)
}

/// Compares the answers to the checks of a session with the answers to their one-shot forms, the last check first.
///
/// Where the answer to a form is known and agrees, nothing is asked. Otherwise the form is asked in a fresh process, because the
/// complaint rests on it.
fn against_one_shots(trial: &Trial<'_>, accused: usize, questions: &mut Questions<'_>) -> Found {
    for claim in trial.case.claims.iter().rev() {
        let Claim::Same(own @ CheckRef { script: 0, check }, form) = *claim else { continue };
        let Some(said) = definite(trial, accused, check) else { continue };
        let known =
            form.script.checked_sub(1).and_then(|n| trial.known.get(n)?.get(accused)?.get(form.check));
        // Where nothing at all is known, everything is asked.
        if !trial.known.is_empty() && !known.is_some_and(|known| known.contradicts(said)) {
            continue;
        }
        let Some(script) = trial.case.script_of(form) else { continue };
        let text = script.text();
        let Some(run) = questions.ask(Probe::new(accused, text.clone()).with_model()) else {
            return Found::Asking;
        };
        let Some(answer) = reply_of(run, form.check).map(|reply| reply.answer) else { continue };
        if answer.contradicts(said) {
            let by = trial.solver(accused).name.clone();
            let evidence = vec![
                Evidence::Claimed { claim: Claim::Same(own, form) },
                Evidence::Answered { by: by.clone(), check, answer: said },
                Evidence::Asked { by, about: Asked::OneShot { check }, script: text, answer: Some(answer) },
            ];
            let alone = Alone { trial, accused, check, form, script, run };
            return Found::of(match said {
                Answer::Unsat => alone.unsat_in_session(evidence, questions),
                _ => Some(alone.sat_in_session(evidence)),
            });
        }
    }
    Found::Nothing
}

/// An answer in a session that contradicts the answer to the one-shot form.
struct Alone<'t> {
    trial: &'t Trial<'t>,
    accused: usize,
    check: usize,
    form: CheckRef,
    /// The one-shot form.
    script: &'t smt::Script,
    /// What the accused did with the one-shot form.
    run: &'t Run,
}

impl Alone<'_> {
    /// The session says unsat and the one-shot form sat. A model that satisfies the form shows that the unsat is wrong. None
    /// while questions are open.
    fn unsat_in_session(
        &self,
        mut evidence: Vec<Evidence>,
        questions: &mut Questions<'_>,
    ) -> Option<Complaint> {
        let &Alone { trial, accused, check, form, script, run } = self;
        let queries = script.queries();
        let model = reply_of(run, form.check).and_then(|reply| reply.model.as_deref());
        let given = queries.get(form.check).zip(model).and_then(|(query, text)| {
            let given = read_model(trial.solver(accused), script, query, text)?;
            satisfies(query, &given.model).then_some(given)
        });
        let charged = match given {
            Some(given) => {
                let (by, model) = (given.by.clone(), given.text.clone());
                let proof = Evidence::SatisfiedOther { script: form.script, check: form.check, by, model };
                charge_for(trial, (script, form.check), accused, (&given, proof), questions)
            }
            None => charge_with_any(trial, check, accused, questions),
        };
        match charged {
            Charge::Asking => None,
            Charge::Wrong(voice, more) => {
                evidence.extend(more);
                Some(wrong_unsat(check, accused, voice, evidence))
            }
            // The two answers contradict each other whatever the formula means.
            Charge::Unconfirmed(more) | Charge::Disputed(more) => {
                evidence.extend(more);
                Some(contradiction(accused, check, SelfContradiction::Session, evidence))
            }
        }
    }

    /// The session says sat and the one-shot form unsat. If no assignment satisfies the check, the sat is wrong.
    fn sat_in_session(&self, mut evidence: Vec<Evidence>) -> Complaint {
        let &Alone { trial, accused, check, run, .. } = self;
        let voice = SecondVoice::of_accused(run, Answer::Unsat);
        if let Some(complaint) = exhausted(trial, accused, check, voice, &evidence) {
            return complaint;
        }
        evidence.extend(satisfied(trial, accused, check));
        contradiction(accused, check, SelfContradiction::Session, evidence)
    }
}

/// That the model of a sat satisfies its check, if it does.
fn satisfied(trial: &Trial<'_>, solver: usize, check: usize) -> Option<Evidence> {
    let given = model_at(trial, solver, check)?;
    let query = trial.queries().get(check)?;
    satisfies(query, &given.model).then_some(Evidence::Satisfied { by: given.by, check, model: given.text })
}

/// The model that a solver printed at a check.
fn model_at(trial: &Trial<'_>, solver: usize, check: usize) -> Option<Given> {
    let (reply, query) = (trial.reply(solver, check)?, trial.queries().get(check)?);
    read_model(trial.solver(solver), &trial.case.script, query, reply.model.as_deref()?)
}

/// Looks for a check of the session that is unsat, and another that has all its assertions and is sat.
fn between_checks(trial: &Trial<'_>, accused: usize, questions: &mut Questions<'_>) -> Found {
    if trial.queries().len() < 2 {
        return Found::Nothing;
    }
    let said = |wanted| {
        let is_it = move |&check: &usize| definite(trial, accused, check) == Some(wanted);
        (0..trial.queries().len()).filter(is_it)
    };
    for unsat in said(Answer::Unsat) {
        for sat in said(Answer::Sat) {
            if is_part(&trial.queries()[unsat], &trial.queries()[sat]) {
                return Found::of(pair(trial, accused, (unsat, sat), questions));
            }
        }
    }
    Found::Nothing
}

/// Whether all that one check has in scope is in the scope of another.
fn is_part(part: &smt::Query, whole: &smt::Query) -> bool {
    !part.opaque
        && !whole.opaque
        && part.assertions.iter().all(|term| whole.assertions.contains(term))
        && part.recursive.iter().all(|fun| whole.recursive.contains(fun))
}

/// The complaint about two checks of a session that contradict each other. None while questions are open.
fn pair(
    trial: &Trial<'_>,
    accused: usize,
    (unsat, sat): (usize, usize),
    questions: &mut Questions<'_>,
) -> Option<Complaint> {
    let by = trial.solver(accused).name.clone();
    let mut evidence: Vec<Evidence> = [(unsat, Answer::Unsat), (sat, Answer::Sat)]
        .map(|(check, answer)| Evidence::Answered { by: by.clone(), check, answer })
        .to_vec();
    let query = trial.queries().get(unsat)?;
    let given = model_at(trial, accused, sat).filter(|given| satisfies(query, &given.model));
    let charged = match &given {
        Some(given) => charge(trial, unsat, accused, given, questions),
        None => charge_with_any(trial, unsat, accused, questions),
    };
    match charged {
        Charge::Asking => return None,
        Charge::Wrong(voice, more) => {
            evidence.extend(more);
            return Some(wrong_unsat(unsat, accused, voice, evidence));
        }
        Charge::Unconfirmed(more) | Charge::Disputed(more) => evidence.extend(more),
    }
    let voice = SecondVoice::of_session(trial, accused, unsat, Answer::Unsat);
    let wrong_sat = exhausted(trial, accused, sat, voice, &evidence);
    Some(
        wrong_sat
            .unwrap_or_else(|| contradiction(accused, unsat.max(sat), SelfContradiction::Checks, evidence)),
    )
}
