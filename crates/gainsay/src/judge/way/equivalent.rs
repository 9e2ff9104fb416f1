//! Saying it otherwise: nobody may give two different definite answers to equivalent formulas.

use std::rc::Rc;

use smt::rewrite::{self, Limits, Rule, Step};

use super::{Came, Dispute};
use crate::case::Answer;
use crate::judge::asked::Asked;
use crate::judge::attempt::Attempt;
use crate::judge::derived::Equivalent;
use crate::judge::evidence::{Evidence, Rewriting};
use crate::judge::fault::{Fault, SelfContradiction};
use crate::judge::probe::{Probe, Questions};
use crate::judge::trial::{Trial, answer_of};
use crate::judge::voices::others;

/// No step makes the assertions of an equivalent formula larger than this, in nodes of their trees.
const SIZE: u64 = 20_000;
/// Equivalent formulas that rest on more evaluated terms than this are not used: each of them is asked of other solvers.
const MOST_FOLDS: usize = 12;

/// The simplest equivalent of a check that the steps lead to; none if there is no other than itself.
fn equivalent(trial: &Trial<'_>, check: usize) -> Option<Equivalent> {
    let limits = Limits { steps: trial.budget.steps, size: SIZE };
    let (normal, steps) = rewrite::normal(&trial.case.script, check, limits)?;
    if steps.is_empty() {
        return None;
    }
    let mut folds = Vec::new();
    for step in steps.iter().filter(|step| step.rule == Rule::FoldGround) {
        folds.push(rewrite::question(&normal, step)?.text());
    }
    folds.sort();
    folds.dedup();
    let written = |step: &Step| Rewriting {
        rule: step.rule.word().to_owned(),
        old: smt::write_term(&normal.pool, step.old),
        new: smt::write_term(&normal.pool, step.new),
    };
    Some(Equivalent { steps: steps.iter().map(written).collect(), script: normal.text(), folds })
}

/// The simplest formula that is equivalent to a check and not the same; none if the steps lead to no other.
pub fn equivalent_of(trial: &Trial<'_>, check: usize) -> Rc<Option<Equivalent>> {
    trial.equivalents.get(check, || equivalent(trial, check))
}

/// Asks everybody an equivalent formula.
pub fn try_equivalent(dispute: &Dispute<'_, '_>, questions: &mut Questions<'_>) -> Came {
    let trial = dispute.trial;
    let nothing = |steps| Came::Nothing(vec![Evidence::Tried { attempt: Attempt::Equivalent { steps } }]);
    if trial.budget.steps == 0 {
        return nothing(0);
    }
    let equivalent = equivalent_of(trial, dispute.check);
    let Some(equivalent) = equivalent.as_ref().as_ref().filter(|e| e.folds.len() <= MOST_FOLDS) else {
        return nothing(0);
    };
    let mut asking = false;
    let everybody = dispute.sat.iter().map(|&i| (i, Answer::Unsat));
    for (accused, contrary) in everybody.chain(dispute.unsat.iter().map(|&i| (i, Answer::Sat))) {
        let Some(run) = questions.ask(Probe::new(accused, equivalent.script.clone())) else {
            asking = true;
            continue;
        };
        if answer_of(run) != Some(contrary) {
            continue;
        }
        let mut evidence = dispute.answers();
        evidence.push(Evidence::Rewritten { steps: equivalent.steps.clone() });
        let (by, about) = (trial.solver(accused).name.clone(), Asked::Equivalent);
        let (script, answer) = (equivalent.script.clone(), Some(contrary));
        evidence.push(Evidence::Asked { by, about, script, answer });
        match folds_hold(dispute, accused, equivalent, &mut evidence, questions) {
            None => asking = true,
            Some(false) => {}
            Some(true) => {
                let fault = Fault::ContradictsItself { how: SelfContradiction::Equivalent };
                return Came::Complaints(vec![dispute.against(accused, fault, evidence)]);
            }
        }
    }
    if asking { Came::Asking } else { nothing(equivalent.steps.len()) }
}

/// Whether another solver than the accused says of every evaluated term that it cannot differ from its value, and none says that
/// it can. None while questions are open.
fn folds_hold(
    dispute: &Dispute<'_, '_>,
    accused: usize,
    equivalent: &Equivalent,
    evidence: &mut Vec<Evidence>,
    questions: &mut Questions<'_>,
) -> Option<bool> {
    let trial = dispute.trial;
    let others = others(trial, accused, dispute.check);
    for fold in &equivalent.folds {
        let mut held = false;
        for other in &others {
            if held && !other.may_deny {
                break;
            }
            let other = other.number;
            let run = questions.ask(Probe::new(other, fold.clone()))?;
            let Some(answer) = answer_of(run) else { continue };
            if answer == Answer::Sat {
                return Some(false);
            }
            let (by, about) = (
                trial.solver(other).name.clone(),
                Asked::Rewritten { rule: Rule::FoldGround.word().to_owned() },
            );
            if answer == Answer::Unsat && !held {
                evidence.push(Evidence::Asked { by, about, script: fold.clone(), answer: Some(answer) });
                held = true;
            }
        }
        if !held {
            return Some(false);
        }
    }
    Some(true)
}
