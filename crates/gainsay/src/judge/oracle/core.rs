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
        for (i, _) in trial.made() {
            for check in 0..trial.queries().len() {
                let Some(reply) = trial.reply(i, check).filter(|r| r.answer == Answer::Unsat) else {
                    continue;
                };
                let Some(core) = &reply.core else { continue };
                match judge(trial, i, check, core, &mut questions) {
                    Ok(found) => complaints.extend(found),
                    Err(why) => abstained = Some(why),
                }
            }
        }
        questions.or_judge(complaints, abstained)
    }
}

fn judge(
    trial: &Trial<'_>,
    accused: usize,
    check: usize,
    core: &[String],
    questions: &mut Questions<'_>,
) -> Result<Option<Complaint>, Abstention> {
    let script = &trial.case.script;
    let pool = &script.pool;
    let names: HashSet<&str> = core.iter().map(|n| smt::unquoted(n)).collect();
    let solver = trial.solver(accused);
    let left_out = |term: TermId| name(pool, term).is_some_and(|n| !names.contains(n));
    let kept = part(script, check, |c| !matches!(c.what, What::Assert(term) if left_out(term)));
    let Some(kept) = kept else { return Ok(None) };
    let claimed = trial.case.claims.iter().find_map(|claim| match claim {
        Claim::Core(CheckRef { script: 0, check: c }, minimal) if *c == check => Some((claim, minimal)),
        _ => None,
    });
    // What holds a core is one.
    let has_all =
        claimed.is_some_and(|(_, minimal)| minimal.iter().all(|n| names.contains(smt::unquoted(n))));
    let asserted = &trial.queries()[check].assertions;
    if !has_all && asserted.iter().any(|&term| left_out(term)) {
        // A core of the whole is no news: the answer itself is what the other oracles judge.
        let smaller =
            smt::read(kept.as_bytes()).map_err(|e| Abstention::UnreadCore { error: e.to_string() })?;
        let asks = smaller.queries();
        let Some(ask) = asks.last() else { return Ok(None) };
        for whom in 0..trial.solvers.len() + trial.witnesses.len() {
            let probe = Probe::new(whom, kept.clone()).with_model();
            let Some(run) = questions.ask(probe) else { continue };
            let Some(reply) = reply_of(run, 0).filter(|r| r.answer == Answer::Sat) else { continue };
            let given = reply.model.as_deref();
            let given = given.and_then(|m| read_model(trial.solver(whom), &smaller, ask, m));
            let Some(given) = given.filter(|g| satisfies(ask, &g.model)) else { continue };
            speaks(solver, &smaller.pool, &ask.assertions)
                .map_err(|why| Abstention::Foreign { to: solver.name.clone(), why })?;
            let mut evidence = vec![Evidence::SatisfiedCore {
                core: core.to_vec(),
                script: kept,
                by: trial.solver(whom).name.clone(),
                model: given.text.clone(),
            }];
            let text = given.plain.then(|| pinned(&smaller, 0, &given.model)).flatten();
            let mut voice = None;
            if let Some(text) = text {
                let Some(said) = confirmed(trial, (accused, check), (whom, &text), questions) else {
                    return Ok(None);
                };
                evidence.extend(said.evidence);
                voice = said.voice.filter(|_| said.denied.is_none());
            }
            return Ok(Some(match voice {
                Some(voice) => Complaint {
                    fault: Fault::WrongCore { voice },
                    against: Some(accused),
                    check: Some(check),
                    evidence,
                },
                None => suspect(trial, (accused, check), Suspicion::WrongCore, evidence),
            }));
        }
    }
    let Some((claim, minimal)) = claimed else { return Ok(None) };
    // Only who was asked for a minimal core can miss it.
    Ok((has_all && solver.minimises() && names.len() > minimal.len()).then(|| Complaint {
        fault: Fault::LargeCore { names: names.len(), minimal: minimal.len() },
        against: Some(accused),
        check: Some(check),
        evidence: vec![Evidence::Claimed { claim: claim.clone() }],
    }))
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
