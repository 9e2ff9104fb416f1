//! Oracle `core`: the core, together with all unnamed assertions and assumptions in scope, must be unsat.

use std::collections::HashSet;

use smt::{AttrValue, Head, Pool, TermId, What};

use super::Oracle;
use crate::case::{Answer, CheckRef, Claim};
use crate::judge::complaint::Complaint;
use crate::judge::language::speaks;
use crate::judge::pinned::{part, pinned};
use crate::judge::probe::{Probe, Questions, Step, Told};
use crate::judge::voice::SecondVoice;
use crate::judge::voices::{Question, Voices, ask_others};
use crate::judge::way::{read_model, satisfies, suspect};
use crate::judge::{Abstention, Evidence, Fault, Suspicion, Trial, answer_of, reply_of};

pub(super) struct Core;

impl Oracle for Core {
    fn step(&self, trial: &Trial<'_>, told: &Told<'_>) -> Step {
        let mut questions = Questions::new(told);
        let mut complaints = Vec::new();
        let mut abstained = None;
        for (accused, _) in trial.made() {
            for check in 0..trial.queries().len() {
                let Some(reply) = trial.reply(accused, check).filter(|r| r.answer == Answer::Unsat) else {
                    continue;
                };
                let Some(core) = &reply.core else { continue };
                let names = core.iter().map(|n| smt::unquoted(n)).collect();
                let core = GivenCore { accused, check, printed: core, names };
                match judge(trial, &core, &mut questions) {
                    Ok(found) => complaints.extend(found),
                    Err(why) => abstained = Some(why),
                }
            }
        }
        questions.or_judge(complaints, abstained)
    }
}

/// A core that a solver gave.
struct GivenCore<'t> {
    /// The position of the solver among those of the trial.
    accused: usize,
    check: usize,
    /// The names as it printed them.
    printed: &'t [String],
    /// The same names without bars.
    names: HashSet<&'t str>,
}

impl GivenCore<'_> {
    /// Whether an assertion has a name and the core does not have it.
    fn leaves_out(&self, pool: &Pool, term: TermId) -> bool {
        name(pool, term).is_some_and(|name| !self.names.contains(name))
    }
}

/// What is wrong with a core: something only if it is satisfiable, or larger than it should be.
fn judge(
    trial: &Trial<'_>,
    core: &GivenCore<'_>,
    questions: &mut Questions<'_>,
) -> Result<Option<Complaint>, Abstention> {
    let script = &trial.case.script;
    let left_out = |term: TermId| core.leaves_out(&script.pool, term);
    let kept = part(script, core.check, |c| !matches!(c.what, What::Assert(term) if left_out(term)));
    let Some(kept) = kept else { return Ok(None) };
    let claimed = trial.case.claims.iter().find_map(|claim| match claim {
        Claim::Core(CheckRef { script: 0, check }, minimal) if *check == core.check => Some((claim, minimal)),
        _ => None,
    });
    // What holds a core is one.
    let has_all =
        claimed.is_some_and(|(_, minimal)| minimal.iter().all(|n| core.names.contains(smt::unquoted(n))));
    if has_all {
        return Ok(claimed.and_then(|(claim, minimal)| too_large(trial, core, claim, minimal.len())));
    }
    // A core of the whole is no news: the answer itself is what the other oracles judge.
    if trial.queries()[core.check].assertions.iter().any(|&term| left_out(term)) {
        return satisfied(trial, core, &kept, questions);
    }
    Ok(None)
}

/// The complaint that a core has more names than a minimal one, against a solver that was asked for a minimal core.
fn too_large(trial: &Trial<'_>, core: &GivenCore<'_>, claim: &Claim, minimal: usize) -> Option<Complaint> {
    let names = core.names.len();
    (trial.solver(core.accused).minimises() && names > minimal).then(|| Complaint {
        fault: Fault::LargeCore { names, minimal },
        against: Some(core.accused),
        check: Some(core.check),
        evidence: vec![Evidence::Claimed { claim: claim.clone() }],
    })
}

/// The complaint that a model satisfies what the core keeps of the script: the first model that a solver gives and that our
/// evaluator accepts.
fn satisfied(
    trial: &Trial<'_>,
    core: &GivenCore<'_>,
    kept: &str,
    questions: &mut Questions<'_>,
) -> Result<Option<Complaint>, Abstention> {
    let solver = trial.solver(core.accused);
    let smaller = smt::read(kept.as_bytes()).map_err(|e| Abstention::UnreadCore { error: e.to_string() })?;
    let asks = smaller.queries();
    let Some(ask) = asks.last() else { return Ok(None) };
    for whom in 0..trial.solvers.len() + trial.witnesses.len() {
        let probe = Probe::new(whom, kept.to_owned()).with_model();
        let Some(run) = questions.ask(probe) else { continue };
        let Some(reply) = reply_of(run, 0).filter(|r| r.answer == Answer::Sat) else { continue };
        let given = reply.model.as_deref();
        let given = given.and_then(|m| read_model(trial.solver(whom), &smaller, ask, m));
        let Some(given) = given.filter(|g| satisfies(ask, &g.model)) else { continue };
        speaks(solver, &smaller.pool, &ask.assertions)
            .map_err(|why| Abstention::Foreign { to: solver.name.clone(), why })?;
        let shown = Evidence::SatisfiedCore {
            core: core.printed.to_vec(),
            script: kept.to_owned(),
            by: trial.solver(whom).name.clone(),
            model: given.text.clone(),
        };
        let pinned = given.plain.then(|| pinned(&smaller, 0, &given.model)).flatten();
        return Ok(accuse(trial, core, shown, (whom, pinned.as_deref()), questions));
    }
    Ok(None)
}

/// The complaint that rests on a model of what a core keeps: an accusation if somebody besides our evaluator says sat with the
/// model written in, else a suspicion. None while questions are open.
fn accuse(
    trial: &Trial<'_>,
    core: &GivenCore<'_>,
    shown: Evidence,
    (giver, pinned): (usize, Option<&str>),
    questions: &mut Questions<'_>,
) -> Option<Complaint> {
    let place = (core.accused, core.check);
    let mut evidence = vec![shown];
    let mut voice = None;
    if let Some(script) = pinned {
        let said = confirmed(trial, place, (giver, script), questions)?;
        evidence.extend(said.evidence);
        voice = said.voice.filter(|_| said.denied.is_none());
    }
    Some(match voice {
        Some(voice) => Complaint {
            fault: Fault::WrongCore { voice },
            against: Some(core.accused),
            check: Some(core.check),
            evidence,
        },
        None => suspect(trial, place, Suspicion::WrongCore, evidence),
    })
}

/// Who besides our evaluator says that a core is satisfiable: the accused, or another than who gave the model. None while
/// questions are open.
fn confirmed(
    trial: &Trial<'_>,
    (accused, check): (usize, usize),
    (giver, script): (usize, &str),
    questions: &mut Questions<'_>,
) -> Option<Voices> {
    let run = questions.ask(Probe::new(accused, script.to_owned()))?;
    let by = trial.solver(accused).name.clone();
    let itself = Evidence::Pinned { by, script: script.to_owned(), answer: answer_of(run) };
    if let Some(voice) = SecondVoice::of_accused(run, Answer::Sat) {
        return Some(Voices { voice: Some(voice), denied: None, evidence: vec![itself] });
    }
    let question = Question { script, wanted: Answer::Sat, giver: Some(trial.solver(giver)) };
    let mut said = ask_others(trial, (accused, check), &question, questions)?;
    said.evidence.insert(0, itself);
    Some(said)
}

/// The name that an assertion has as a whole.
fn name(pool: &Pool, term: TermId) -> Option<&str> {
    let Head::Annotated(attrs) = pool.node(term).head else { return None };
    pool.attrs(attrs).iter().find_map(|attr| match attr.value {
        AttrValue::Text(name) if pool.text(attr.keyword) == ":named" => Some(smt::unquoted(pool.text(name))),
        _ => None,
    })
}
