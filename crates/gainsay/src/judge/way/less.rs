//! Asking for less: whoever says sat to the formula must not say unsat to a part of its assertions.

use super::{Came, Dispute};
use crate::case::Answer;
use crate::judge::asked::Asked;
use crate::judge::attempt::Attempt;
use crate::judge::evidence::Evidence;
use crate::judge::fault::{Fault, SelfContradiction};
use crate::judge::pinned::asserting;
use crate::judge::probe::{Probe, Questions};
use crate::judge::trial::{answer_of, reply_of};

/// What names begin with that this way gives to assertions.
const NAME: &str = "gainsay!";

/// Asks those who say sat the cores of those who say unsat.
pub fn try_parts(dispute: &Dispute<'_, '_>, questions: &mut Questions<'_>) -> Came {
    let Dispute { trial, query, .. } = *dispute;
    let (mut parts, of) = (Vec::new(), query.assertions.len());
    if of > 1 {
        for &denying in dispute.unsat.iter().take(trial.budget.parts) {
            match core(dispute, denying, questions) {
                None => return Came::Asking,
                Some(part) if !part.is_empty() && part.len() < of && !parts.contains(&part) => {
                    parts.push(part);
                }
                Some(_) => {}
            }
        }
    }
    let mut open = false;
    for part in &parts {
        let Some(script) = with_assertions(dispute, |i| part.contains(&i), false) else { continue };
        for &accused in &dispute.sat {
            let Some(run) = questions.ask(Probe::new(accused, script.clone())) else {
                open = true;
                continue;
            };
            if answer_of(run) != Some(Answer::Unsat) {
                continue;
            }
            let by = trial.solver(accused).name.clone();
            let about = Asked::Part { kept: part.len(), of };
            let mut evidence = dispute.answers();
            evidence.push(Evidence::Asked { by, about, script, answer: Some(Answer::Unsat) });
            let fault = Fault::ContradictsItself { how: SelfContradiction::Part };
            return Came::Complaints(vec![dispute.against(accused, fault, evidence)]);
        }
    }
    if open {
        return Came::Asking;
    }
    Came::Nothing(vec![Evidence::Tried { attempt: Attempt::Less { parts: parts.len() } }])
}

/// The assertions, by number, that a solver names as its core; empty if it names none. None while it is asked.
fn core(dispute: &Dispute<'_, '_>, denying: usize, questions: &mut Questions<'_>) -> Option<Vec<usize>> {
    let Some(script) = with_assertions(dispute, |_| true, true) else { return Some(Vec::new()) };
    let mut probe = Probe::new(denying, script);
    probe.outputs.core = true;
    let reply = reply_of(questions.ask(probe)?, 0).filter(|reply| reply.answer == Answer::Unsat);
    let names = reply.and_then(|reply| reply.core.as_ref());
    let number = |name: &String| smt::unquoted(name).strip_prefix(NAME)?.parse::<usize>().ok();
    Some(names.map_or(Vec::new(), |names| names.iter().filter_map(number).collect()))
}

/// The check with those of its assertions that `keep` wants, each with a name if `named`. None if an assertion gives a name
/// itself and should get another.
fn with_assertions(dispute: &Dispute<'_, '_>, keep: impl Fn(usize) -> bool, named: bool) -> Option<String> {
    let script = &dispute.trial.case.script;
    let mut written = Vec::new();
    for (i, &term) in dispute.query.assertions.iter().enumerate().filter(|(i, _)| keep(*i)) {
        let term = smt::write_term(&script.pool, term);
        if named && term.contains(":named") {
            return None;
        }
        written.push(if named { format!("(! {term} :named {NAME}{i})") } else { term });
    }
    Some(asserting(script, dispute.query, &written))
}
