//! A model that satisfies the formula: whoever says unsat is wrong.

use std::rc::Rc;

use smt::{Fuel, Verdict};

use super::{Came, Dispute};
use crate::case::Answer;
use crate::judge::attempt::Attempt;
use crate::judge::complaint::Complaint;
use crate::judge::derived::{Given, Models};
use crate::judge::doubt::Doubt;
use crate::judge::evidence::Evidence;
use crate::judge::fault::{Fault, Suspicion};
use crate::judge::language::{can_say, speaks};
use crate::judge::pinned::{part, pinned};
use crate::judge::probe::{Probe, Questions};
use crate::judge::trial::{Trial, answer_of, reply_of};
use crate::judge::voice::SecondVoice;
use crate::judge::voices::{Question, ask_others, has_nothing_to_search, witnesses};
use crate::solver::Solver;

/// Reads the model that a solver printed for a check of a script.
pub fn read_model(solver: &Solver, script: &smt::Script, query: &smt::Query, text: &str) -> Option<Given> {
    let model = smt::Model::read_in(script, Some(query.command), text.as_bytes(), solver.manner()).ok()?;
    Some(given_by(solver, text, model))
}

/// A model that a solver gave.
fn given_by(solver: &Solver, text: &str, model: smt::Model) -> Given {
    Given { by: Some(solver.name.clone()), text: text.to_owned(), model, plain: is_plain(solver, text) }
}

/// Whether the text of a model means to every solver what it means to the one that printed it.
pub fn is_plain(solver: &Solver, text: &str) -> bool {
    solver.manner() == smt::ModelDialect::STANDARD || !text.contains('\\')
}

/// Whether a model makes everything in scope true, completed where it says nothing. Completion can only acquit.
pub fn satisfies(query: &smt::Query, model: &smt::Model) -> bool {
    let fuel = Fuel::default();
    match smt::satisfies(query, model, &fuel) {
        Verdict::True => true,
        Verdict::False => false,
        Verdict::Open(_) => smt::satisfies(query, &model.completed(), &fuel) == Verdict::True,
    }
}

/// The models that solvers of the trial gave for a check, and the first of them that satisfies it.
pub fn models(trial: &Trial<'_>, check: usize) -> Rc<Models> {
    trial.models.get(check, || {
        let mut models = Models { read: 0, satisfying: None };
        let Some(query) = trial.queries().get(check) else { return models };
        for i in 0..trial.runs.len() {
            let Some(review) = trial.review(i, check) else { continue };
            let Some(model) = &review.model else { continue };
            models.read += 1;
            if models.satisfying.is_none() && satisfies(query, model) {
                let text = trial.reply(i, check).and_then(|reply| reply.model.as_deref()).unwrap_or_default();
                models.satisfying = Some(given_by(trial.solver(i), text, model.clone()));
            }
        }
        models
    })
}

/// What can be said against one who answers unsat to a check, given a model that satisfies it.
pub enum Charge {
    /// It is wrong, and this is who says so besides us.
    Wrong(SecondVoice, Vec<Evidence>),
    /// Nobody else speaks.
    Unconfirmed(Vec<Evidence>),
    /// The meaning is disputed, or the formula is not in its language.
    Disputed(Vec<Evidence>),
    /// Questions are open.
    Asking,
}

/// Charges a solver with answering unsat to a check of the case, which a model satisfies.
pub fn charge(
    trial: &Trial<'_>,
    check: usize,
    accused: usize,
    given: &Given,
    questions: &mut Questions<'_>,
) -> Charge {
    let proof = Evidence::Satisfied { by: given.by.clone(), check, model: given.text.clone() };
    charge_for(trial, (&trial.case.script, check), accused, (given, proof), questions)
}

/// The same for a check of any script of the case; `proof` is the evidence that the model satisfies it.
///
/// The accused is asked the formula with the model written in as definitions. If it now says sat, it contradicts itself. If it
/// does not, another solver must say sat, and no solver of another make may say unsat.
pub fn charge_for(
    trial: &Trial<'_>,
    (script, check): (&smt::Script, usize),
    accused: usize,
    (given, proof): (&Given, Evidence),
    questions: &mut Questions<'_>,
) -> Charge {
    let queries = script.queries();
    let Some(query) = queries.get(check) else { return Charge::Disputed(Vec::new()) };
    let solver = trial.solver(accused);
    let disputed = |why: Doubt| Charge::Disputed(vec![proof.clone(), Evidence::Undecided { why }]);
    if let Err(why) = speaks(solver, &script.pool, &query.assertions) {
        return disputed(Doubt::Foreign { to: solver.name.clone(), why });
    }
    if !can_say(solver, &given.text) {
        return disputed(Doubt::NoSuchCharacters { of: solver.name.clone() });
    }
    let mut evidence = vec![proof.clone()];
    let Some((pinned, giver)) = written_in(trial, script, check, given) else {
        return Charge::Unconfirmed(evidence);
    };
    if !can_say(solver, &pinned) {
        return disputed(Doubt::NoSuchCharacters { of: solver.name.clone() });
    }
    let Some(run) = questions.ask(Probe::new(accused, pinned.clone())) else { return Charge::Asking };
    let answer = answer_of(run);
    evidence.push(Evidence::Pinned { by: solver.name.clone(), script: pinned.clone(), answer });
    if let Some(voice) = SecondVoice::of_accused(run, Answer::Sat) {
        return Charge::Wrong(voice, evidence);
    }
    let question = Question { script: &pinned, wanted: Answer::Sat, giver };
    let Some(said) = ask_others(trial, accused, &question, questions) else { return Charge::Asking };
    if let Some(by) = said.denied {
        return disputed(Doubt::BothInsist { by, accused: solver.name.clone() });
    }
    evidence.extend(said.evidence);
    match said.voice {
        Some(voice) => Charge::Wrong(voice, evidence),
        None => Charge::Unconfirmed(evidence),
    }
}

/// The script with the model written in, and the solver whose word the model is. A formula that needs no model is asked as it
/// is, and then no model speaks for it.
fn written_in<'t>(
    trial: &Trial<'t>,
    script: &smt::Script,
    check: usize,
    given: &Given,
) -> Option<(String, Option<&'t Solver>)> {
    let giver = given.by.as_ref().and_then(|by| trial.named(by));
    // The values are written as the standard spells them, however the giver spells them. That they satisfy the formula is asked,
    // so that it does not matter whether the giver means them.
    if let Some(text) = pinned(script, check, &given.model) {
        return Some((text, giver));
    }
    let as_it_is = part(script, check, |_| true)?;
    has_nothing_to_search(&as_it_is).then_some((as_it_is, None))
}

/// The complaint that an unsat is wrong.
pub fn wrong_unsat(check: usize, accused: usize, voice: SecondVoice, evidence: Vec<Evidence>) -> Complaint {
    Complaint { fault: Fault::WrongUnsat { voice }, against: Some(accused), check: Some(check), evidence }
}

/// Looks for a model that satisfies the check, first among those given, then among those of witnesses, one after the other, and
/// charges each who says unsat.
pub fn try_models(dispute: &Dispute<'_, '_>, questions: &mut Questions<'_>) -> Came {
    let Dispute { trial, check, query, .. } = *dispute;
    let models = models(trial, check);
    if let Some(given) = &models.satisfying {
        return charge_all(dispute, given, questions);
    }
    let mut read = models.read;
    for witness in witnesses(trial, check) {
        let probe = Probe::new(witness, trial.text.to_owned()).with_model();
        let Some(run) = questions.ask(probe) else { return Came::Asking };
        let model = reply_of(run, check).and_then(|r| r.model.as_deref());
        let given = model.and_then(|m| read_model(trial.solver(witness), &trial.case.script, query, m));
        let Some(given) = given else { continue };
        read += 1;
        if satisfies(query, &given.model) {
            return charge_all(dispute, &given, questions);
        }
    }
    Came::Nothing(vec![Evidence::Tried { attempt: Attempt::Models { read } }])
}

/// Charges everybody who says unsat to what a model satisfies.
pub fn charge_all(dispute: &Dispute<'_, '_>, given: &Given, questions: &mut Questions<'_>) -> Came {
    let (mut complaints, mut tried, mut asking) = (Vec::new(), Vec::new(), false);
    for &accused in &dispute.unsat {
        match charge(dispute.trial, dispute.check, accused, given, questions) {
            Charge::Wrong(voice, evidence) => {
                complaints.push(wrong_unsat(dispute.check, accused, voice, evidence));
            }
            Charge::Unconfirmed(evidence) => {
                complaints.push(dispute.unconfirmed(accused, Suspicion::WrongUnsat, evidence));
            }
            Charge::Disputed(evidence) => tried.extend(evidence),
            Charge::Asking => asking = true,
        }
    }
    if asking {
        Came::Asking
    } else if complaints.is_empty() {
        Came::Nothing(tried)
    } else {
        Came::Complaints(complaints)
    }
}
