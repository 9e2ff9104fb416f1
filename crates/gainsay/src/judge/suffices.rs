//! Whether a part of what is asserted at a check is unsatisfiable, as the accused says: a core, or some of the assumptions.

use super::complaint::Complaint;
use super::doubt::{Abstention, Foreign};
use super::evidence::Evidence;
use super::fault::{Fault, Suspicion};
use super::language::{can_say, speaks};
use super::pinned::pinned;
use super::probe::{Probe, Questions};
use super::trial::{Trial, reply_of};
use super::voice::{SecondVoice, same_make};
use super::voices::{Question, ask_all, has_nothing_to_search};
use super::way::{read_model, satisfies, suspect};
use crate::case::Answer;
use crate::solver::{Solver, SolverId};

/// A part of what is asserted that the accused says is unsatisfiable.
pub struct Part<'p> {
    /// The accused and the number of the check.
    pub place: (usize, usize),
    /// The part, as a script with one check.
    pub script: &'p str,
    /// The evidence that a model satisfies it, from the script, who gave the model, and the model.
    pub shown: &'p dyn Fn(String, SolverId, String) -> Evidence,
    /// The fault if somebody besides our evaluator says so.
    pub fault: fn(SecondVoice) -> Fault,
    /// What is suspected if nobody does.
    pub suspicion: Suspicion,
}

/// The complaint that a model satisfies a part: the first model that a solver gives and that our evaluator accepts.
///
/// Solvers are asked one after the other. If one of another make says that the part is unsatisfiable, as the accused says, no
/// further one is asked: parts are mostly right, and each costs the start of a process.
pub fn insufficient(
    trial: &Trial<'_>,
    part: &Part<'_>,
    questions: &mut Questions<'_>,
) -> Result<Option<Complaint>, Abstention> {
    let solver = trial.solver(part.place.0);
    let smaller =
        smt::read(part.script.as_bytes()).map_err(|e| Abstention::UnreadCore { error: e.to_string() })?;
    let asks = smaller.queries();
    let Some(ask) = asks.last() else { return Ok(None) };
    for whom in 0..trial.all() {
        let probe = Probe::new(whom, part.script.to_owned()).with_model();
        let Some(run) = questions.ask(probe) else { return Ok(None) };
        let Some(reply) = reply_of(run, 0) else { continue };
        if reply.answer == Answer::Unsat && !same_make(solver, trial.solver(whom)) {
            return Ok(None);
        }
        if reply.answer != Answer::Sat {
            continue;
        }
        let given = reply.model.as_deref();
        let given = given.and_then(|m| read_model(trial.solver(whom), &smaller, ask, m));
        let Some(given) = given.filter(|g| satisfies(ask, &g.model)) else { continue };
        let foreign = |why| Abstention::Foreign { to: solver.name.clone(), why };
        speaks(solver, &smaller.pool, &ask.assertions).map_err(foreign)?;
        let by = trial.solver(whom).name.clone();
        let shown = (part.shown)(part.script.to_owned(), by, given.text.clone());
        // The values are written as the standard spells them, however the giver spells them.
        let pinned = pinned(&smaller, 0, &given.model);
        if [Some(&given.text), pinned.as_ref()].into_iter().flatten().any(|text| !can_say(solver, text)) {
            return Err(foreign(Foreign::EightBitCharacters));
        }
        let question = match &pinned {
            Some(script) => Some((script.as_str(), Some(trial.solver(whom)))),
            // Nothing is to be chosen, so that no model speaks for it.
            None => has_nothing_to_search(part.script).then_some((part.script, None)),
        };
        return Ok(accuse(trial, part, shown, question, questions));
    }
    Ok(None)
}

/// The complaint that rests on a model of a part: an accusation if somebody besides our evaluator says sat with the model written
/// in, else a suspicion. None while questions are open.
fn accuse(
    trial: &Trial<'_>,
    part: &Part<'_>,
    shown: Evidence,
    question: Option<(&str, Option<&Solver>)>,
    questions: &mut Questions<'_>,
) -> Option<Complaint> {
    let (accused, check) = part.place;
    let mut evidence = vec![shown];
    let mut voice = None;
    if let Some((script, giver)) = question {
        let question = Question { script, wanted: Answer::Sat, giver };
        let said = ask_all(trial, accused, &question, questions)?;
        evidence.extend(said.evidence);
        voice = said.voice.filter(|_| said.denied.is_none());
    }
    Some(match voice {
        Some(voice) => {
            Complaint { fault: (part.fault)(voice), against: Some(accused), check: Some(check), evidence }
        }
        None => suspect(trial, part.place, part.suspicion, evidence),
    })
}
