//! Values that a model leaves open: the solver that gave the model is asked for them, and the model is evaluated with its word.

use smt::{Fuel, Heard as HeardEnd, Verdict};

use super::satisfied::read_model;
use super::search::searched;
use super::{Came, Dispute, Reviewed};
use crate::case::Answer;
use crate::judge::attempt::Attempt;
use crate::judge::derived::Searched;
use crate::judge::evidence::{Evidence, Heard};
use crate::judge::fault::{Fault, KnownUnsat, Suspicion};
use crate::judge::pinned::{part, pinned};
use crate::judge::probe::{Probe, Questions};
use crate::judge::trial::reply_of;
use crate::judge::voice::SecondVoice;
use crate::judge::voices::{Question, ask_about_check, ask_all};

/// Asks those who say sat for the values that their models leave open, and accuses whose model is false with them.
pub fn try_values(dispute: &Dispute<'_, '_>, questions: &mut Questions<'_>) -> Came {
    let (mut complaints, mut heard, mut asking) = (Vec::new(), 0, false);
    for &accused in &dispute.sat {
        match completed(dispute, accused, questions) {
            None => asking = true,
            Some(Ending::Open(count)) => heard += count,
            Some(Ending::TwoValues(voice, evidence)) => {
                complaints.push(dispute.against(accused, Fault::WrongModel { voice }, evidence));
            }
            Some(Ending::False(refutation)) => match refuted(dispute, accused, &refutation, questions) {
                Reviewed::Asking => asking = true,
                Reviewed::Complaint(complaint) => complaints.push(*complaint),
                Reviewed::Defended => {}
            },
        }
    }
    if asking {
        Came::Asking
    } else if complaints.is_empty() {
        Came::Nothing(vec![Evidence::Tried { attempt: Attempt::Values { heard } }])
    } else {
        Came::Complaints(complaints)
    }
}

/// How the questions for values end.
enum Ending {
    /// The model is not false with these many values.
    Open(usize),
    /// The solver gave two values for one operator at one point.
    TwoValues(SecondVoice, Vec<Evidence>),
    /// An assertion is false.
    False(Box<Refutation>),
}

/// A model that is false with what its solver said of open terms.
pub struct Refutation {
    /// The model as printed.
    pub text: String,
    /// The model as read.
    pub model: smt::Model,
    /// Whether its text means the same to every solver.
    pub plain: bool,
    /// What the solver said of open terms.
    pub heard: Vec<Heard>,
    /// The number of the false assertion.
    pub wrong: usize,
}

/// Asks a solver for values until its model is true, false, or open for want of answers. None while it is asked.
fn completed(dispute: &Dispute<'_, '_>, accused: usize, questions: &mut Questions<'_>) -> Option<Ending> {
    let Dispute { trial, check, query, .. } = *dispute;
    let solver = trial.solver(accused);
    let script = &trial.case.script;
    let open = |heard: &[Heard]| Some(Ending::Open(heard.len()));
    let Some(asked) = part(script, check, |_| true) else { return open(&[]) };
    let mut terms: Vec<String> = Vec::new();
    for _ in 0..=trial.budget.values {
        let text = if terms.is_empty() {
            asked.clone()
        } else {
            format!("{asked}(get-value ({}))\n", terms.join(" "))
        };
        let run = questions.ask(Probe::new(accused, text).with_model())?;
        let reply = reply_of(run, 0).filter(|reply| reply.answer == Answer::Sat);
        let printed = reply.and_then(|reply| reply.model.as_deref());
        let Some(mut given) = printed.and_then(|text| read_model(solver, script, query, text)) else {
            return open(&[]);
        };
        let values: Vec<(String, String)> =
            run.reply.last_output().and_then(|list| smt::read_values(list).ok()).unwrap_or_default();
        let mut heard: Vec<Heard> = Vec::new();
        // Answers come in the order of the questions; what a solver prints as the term may be spelled otherwise.
        let answers = terms.iter().zip(&values).map(|(term, (_, value))| (term, value));
        let mut answers: Vec<(&String, &String)> = answers.collect();
        loop {
            let verdicts = smt::verdicts(query, &given.model, &Fuel::default());
            if let Some(wrong) = verdicts.iter().position(|verdict| *verdict == Verdict::False) {
                let (text, model, plain) = (given.text, given.model, given.plain);
                return Some(Ending::False(Box::new(Refutation { text, model, plain, heard, wrong })));
            }
            let unknown = smt::open_terms(query, &given.model, &Fuel::default());
            let next = unknown.iter().find_map(|term| {
                let at = answers.iter().position(|(asked, _)| **asked == term.text)?;
                Some((term, answers.remove(at).1))
            });
            let Some((term, value)) = next else {
                let new: Vec<String> =
                    unknown.into_iter().map(|term| term.text).filter(|text| !terms.contains(text)).collect();
                if new.is_empty() {
                    return open(&heard);
                }
                terms.extend(new);
                break;
            };
            match given.model.hear(script, query.command, term, value, solver.manner()) {
                Ok(()) => heard.push(Heard { term: term.text.clone(), value: value.clone() }),
                Err(HeardEnd::Contradiction { first, second }) => {
                    match two_values(dispute, accused, [&*first, &*second], questions)? {
                        Ending::Open(_) => {}
                        ending => return Some(ending),
                    }
                }
                // What is not understood, or not allowed, is not believed.
                Err(_) => {}
            }
        }
    }
    open(&[])
}

/// Two values for one operator at one point: the solver contradicts itself, if it says itself that the arguments are equal and
/// that the values are not. That the point is the same is our evaluation. None while it is asked.
fn two_values(
    dispute: &Dispute<'_, '_>,
    accused: usize,
    heard: [&smt::HeardValue; 2],
    questions: &mut Questions<'_>,
) -> Option<Ending> {
    let script = part(&dispute.trial.case.script, dispute.check, |_| true);
    let Some((script, equations)) = script.zip(equations(heard.map(|heard| heard.term.as_str()))) else {
        return Some(Ending::Open(0));
    };
    let text = format!("{script}(get-value ({}))\n", equations.join(" "));
    let run = questions.ask(Probe::new(accused, text).with_model())?;
    let Some(voice) = SecondVoice::of_unequal_values(run) else { return Some(Ending::Open(0)) };
    let values = heard.map(|heard| heard.text.clone());
    let term = heard.map(|heard| heard.term.as_str()).join(" and ");
    let mut evidence = vec![Evidence::TwoValues { term, values }];
    evidence.extend(dispute.answers());
    Some(Ending::TwoValues(voice, evidence))
}

/// The equations between the arguments of two applications of one operator, and then that between the applications. None if the
/// terms are not of that shape.
fn equations(terms: [&str; 2]) -> Option<Vec<String>> {
    let parts = terms.map(|term| if term.starts_with('(') { smt::sexpr::parts(term) } else { Vec::new() });
    let [Some((operator, first)), Some((other, second))] = [parts[0].split_first(), parts[1].split_first()]
    else {
        return None;
    };
    if operator != other || first.len() != second.len() || first.is_empty() {
        return None;
    }
    let equal = |(one, other): (&&str, &&str)| format!("(= {one} {other})");
    let mut all: Vec<String> = first.iter().zip(second).map(equal).collect();
    all.push(format!("(= {} {})", terms[0], terms[1]));
    Some(all)
}

/// What comes of a model that is false.
///
/// The accused is asked the formula with its model and its word on open terms written in. If it says unsat, it contradicts
/// itself. If it does not, another solver must say unsat and none may say sat.
pub fn refuted(
    dispute: &Dispute<'_, '_>,
    accused: usize,
    refutation: &Refutation,
    questions: &mut Questions<'_>,
) -> Reviewed {
    let Dispute { trial, check, query, .. } = *dispute;
    let script = &trial.case.script;
    let assertion = smt::write_term(&script.pool, query.assertions[refutation.wrong]);
    let (model, heard) = (refutation.text.clone(), refutation.heard.clone());
    let mut evidence = vec![Evidence::Falsified { check, model, heard, assertion }];
    let others = dispute.answers().into_iter().filter(is_unsat);
    let text = refutation.plain.then(|| pinned(script, check, &refutation.model)).flatten();
    let Some(text) = text.map(|text| with_heard(&text, &refutation.heard)) else {
        evidence.extend(others);
        return Reviewed::complaint(dispute.unconfirmed(accused, Suspicion::WrongModel, evidence));
    };
    let question = Question { script: &text, wanted: Answer::Unsat, giver: None };
    let Some(said) = ask_all(trial, accused, &question, questions) else {
        return Reviewed::Asking;
    };
    if said.denied.is_some() {
        return Reviewed::Defended;
    }
    evidence.extend(said.evidence);
    let voice = said.voice;
    evidence.extend(others);
    // Where no assignment satisfies the formula, not only the model is wrong.
    if let Searched::Unsat { assignments } = *searched(trial, check) {
        let Some(said) = ask_about_check(trial, (accused, check), questions) else { return Reviewed::Asking };
        if let Some(voice) = said.voice.filter(|_| said.denied.is_none()) {
            evidence.push(Evidence::Exhausted { check, assignments });
            evidence.extend(said.evidence);
            let fault = Fault::WrongSat { known: KnownUnsat::ByExhaustion, voice };
            return Reviewed::complaint(dispute.against(accused, fault, evidence));
        }
    }
    Reviewed::complaint(match voice {
        Some(voice) => dispute.against(accused, Fault::WrongModel { voice }, evidence),
        None => dispute.unconfirmed(accused, Suspicion::WrongModel, evidence),
    })
}

fn is_unsat(evidence: &Evidence) -> bool {
    matches!(evidence, Evidence::Answered { answer: Answer::Unsat, .. })
}

/// A script with what was heard asserted before its check.
fn with_heard(script: &str, heard: &[Heard]) -> String {
    let Some(check) = script.rfind("(check-sat") else { return script.to_owned() };
    let (before, check) = script.split_at(check);
    let one = |heard: &Heard| format!("(assert (= {} {}))\n", heard.term, heard.value);
    format!("{before}{}{check}", heard.iter().map(one).collect::<String>())
}
