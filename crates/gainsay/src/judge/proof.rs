//! Evidence: when a model proves that `unsat` is wrong, and against whom that counts (`docs/decisions/0021-who-may-be-accused.md`).

use smt::{Fuel, Verdict};

use super::complaint::Complaint;
use super::doubt::Doubt;
use super::evidence::Evidence;
use super::fault::Fault;
use super::language::{can_say, speaks};
use super::pinned::pinned;
use super::probe::{Probe, Questions};
use crate::case::Answer;
use crate::judge::{Trial, answer_of};
use crate::solver::{Solver, SolverId};

/// A model that some solver gave for a check, read.
pub struct Given {
    /// The solver that gave it; none if the case came with it.
    pub by: Option<SolverId>,
    /// As printed.
    pub text: String,
    /// Read.
    pub model: smt::Model,
    /// Whether its text means the same to every solver.
    pub plain: bool,
}

/// Reads the model that a solver printed for a check of a script.
pub fn read_model(solver: &Solver, script: &smt::Script, ask: &smt::Query, text: &str) -> Option<Given> {
    let model = smt::Model::read_in(script, Some(ask.command), text.as_bytes(), solver.manner()).ok()?;
    let plain = solver.manner() == smt::ModelDialect::STANDARD || !text.contains('\\');
    Some(Given { by: Some(solver.name.clone()), text: text.to_owned(), model, plain })
}

/// Whether a model makes everything in scope true, completed where it says nothing: completion can only acquit.
pub fn satisfies(ask: &smt::Query, model: &smt::Model) -> bool {
    let fuel = Fuel::default();
    match smt::satisfies(ask, model, &fuel) {
        Verdict::True => true,
        Verdict::False => false,
        Verdict::Open(_) => smt::satisfies(ask, &model.completed(), &fuel) == Verdict::True,
    }
}

/// What can be said against one who answers unsat to a check, given a model that satisfies it.
pub enum Charge {
    /// It is wrong, and why.
    Wrong(Vec<Evidence>),
    /// The meaning is disputed, or it is not its language.
    Disputed(Vec<Evidence>),
    /// Questions are open.
    Asking,
}

/// Charges solver `accused` with answering unsat to check `check`, which `given` satisfies.
///
/// The accused is asked the formula with the model written in as definitions. If it now says sat, nobody can argue. If it
/// still says unsat, it is charged only if every other solver that answers says sat.
pub fn charge(
    trial: &Trial<'_>,
    check: usize,
    accused: usize,
    given: &Given,
    questions: &mut Questions<'_>,
) -> Charge {
    let ask = &trial.queries()[check];
    let solver = trial.solver(accused);
    let proof = Evidence::Satisfied { by: given.by.clone(), check, model: given.text.clone() };
    let disputed = |why: Doubt| Charge::Disputed(vec![proof.clone(), Evidence::Undecided { why }]);
    if let Err(why) = speaks(solver, &trial.case.script.pool, &ask.assertions) {
        return disputed(Doubt::Foreign { to: solver.name.clone(), why });
    }
    if !can_say(solver, &given.text) {
        return disputed(Doubt::NoSuchCharacters { of: solver.name.clone() });
    }
    let mut evidence = vec![proof.clone()];
    let script = given.plain.then(|| pinned(&trial.case.script, check, &given.model)).flatten();
    let Some(script) = script else {
        // The model cannot be written in; our evaluation stands, if nobody who answered says otherwise.
        return match others_deny(trial, check, accused) {
            Some(why) => disputed(why),
            None => Charge::Wrong(evidence),
        };
    };
    let Some(run) = questions.ask(Probe::new(accused, script.clone())) else { return Charge::Asking };
    let answer = answer_of(run);
    evidence.push(Evidence::Pinned { by: solver.name.clone(), script: script.clone(), answer });
    if answer == Some(Answer::Sat) {
        return Charge::Wrong(evidence);
    }
    if answer != Some(Answer::Unsat) {
        return match others_deny(trial, check, accused) {
            Some(why) => disputed(why),
            None => Charge::Wrong(evidence),
        };
    }
    let mut asking = false;
    for other in (0..trial.solvers.len() + trial.witnesses.len()).filter(|&o| o != accused) {
        let Some(run) = questions.ask(Probe::new(other, script.clone())) else {
            asking = true;
            continue;
        };
        let by = trial.solver(other).name.clone();
        match answer_of(run) {
            Some(Answer::Unsat) => {
                return disputed(Doubt::BothInsist { by, accused: solver.name.clone() });
            }
            Some(answer) => {
                evidence.push(Evidence::Pinned { by, script: script.clone(), answer: Some(answer) });
            }
            None => {}
        }
    }
    let agrees = |e: &Evidence| matches!(e, Evidence::Pinned { answer: Some(Answer::Sat), .. });
    if asking {
        Charge::Asking
    } else if evidence.iter().any(agrees) {
        Charge::Wrong(evidence)
    } else {
        disputed(Doubt::Insists { accused: solver.name.clone() })
    }
}

/// The doubt that another solver answers unsat to the check itself.
fn others_deny(trial: &Trial<'_>, check: usize, accused: usize) -> Option<Doubt> {
    let denying = trial.answers(check).find(|&(i, answer)| i != accused && answer == Answer::Unsat);
    denying.map(|(i, _)| Doubt::AlsoUnsat { by: trial.solver(i).name.clone() })
}

/// The complaint that an unsat is wrong.
pub fn wrong_unsat(trial: &Trial<'_>, check: usize, accused: usize, evidence: Vec<Evidence>) -> Complaint {
    let itself = evidence.iter().any(|e| {
        matches!(e, Evidence::Pinned { by, answer: Some(Answer::Sat), .. } if *by == trial.solver(accused).name)
    });
    Complaint { fault: Fault::WrongUnsat { itself }, against: Some(accused), check: Some(check), evidence }
}

/// The models that solvers of the trial gave for a check and that satisfy it.
pub fn satisfying<'t>(trial: &'t Trial<'_>, check: usize) -> impl Iterator<Item = Given> + use<'t> {
    let ask = trial.queries().get(check);
    let script = &trial.case.script;
    (0..trial.runs.len()).filter_map(move |i| {
        let reply = trial.reply(i, check).filter(|r| r.answer == Answer::Sat)?;
        let given = read_model(trial.solver(i), script, ask?, reply.model.as_deref()?)?;
        satisfies(ask?, &given.model).then_some(given)
    })
}
