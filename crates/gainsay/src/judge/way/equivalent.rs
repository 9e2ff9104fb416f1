//! Saying it otherwise: nobody may give two different definite answers to equivalent formulas.

use std::rc::Rc;

use smt::rewrite::{self, Keeps, Limits, Rule, Step};

use super::{Came, Dispute};
use crate::case::Answer;
use crate::judge::asked::Asked;
use crate::judge::attempt::Attempt;
use crate::judge::derived::{Equivalent, StepQuestion};
use crate::judge::evidence::{Evidence, Rewriting};
use crate::judge::fault::{Fault, SelfContradiction};
use crate::judge::pinned::asserting;
use crate::judge::probe::{Probe, Questions};
use crate::judge::trial::{Trial, answer_of};
use crate::judge::voices::{others, stands_by};

/// No step makes the assertions of an equivalent formula larger than this, in nodes of their trees.
const SIZE: u64 = 20_000;
/// More steps than this are not asked of other solvers one by one.
const MOST_QUESTIONS: usize = 24;

/// The simplest equivalent of a check that the steps lead to; none if there is no other than itself.
fn equivalent(trial: &Trial<'_>, check: usize) -> Option<Equivalent> {
    let script = &trial.case.script;
    let query = trial.queries().get(check)?;
    let limits = Limits { steps: trial.budget.steps, size: SIZE };
    let (normal, steps) = rewrite::normal(script, check, limits)?;
    if steps.is_empty() {
        return None;
    }
    let written = |step: &Step| Rewriting {
        rule: step.rule.word().to_owned(),
        old: smt::write_term(&normal.pool, step.old),
        new: smt::write_term(&normal.pool, step.new),
    };
    let formula: Vec<String> =
        query.assertions.iter().map(|&term| smt::write_term(&script.pool, term)).collect();
    let simple: Vec<String> = normal.queries().first().map_or_else(Vec::new, |query| {
        query.assertions.iter().map(|&term| smt::write_term(&normal.pool, term)).collect()
    });
    let without = |first: &[String], second: &[String]| {
        let mut all = first.to_vec();
        all.push(format!("(not (and true {}))", second.join(" ")));
        asserting(script, query, &all)
    };
    // A constant that is gone may have any value in the equivalent. Here it has the one that it had in the formula.
    let gone = steps.iter().filter(|step| step.rule == Rule::Substitute).map(|step| {
        let Rewriting { old, new, .. } = written(step);
        format!("(= {old} {new})")
    });
    let back: Vec<String> = simple.iter().cloned().chain(gone).collect();
    Some(Equivalent {
        is_evaluated: steps.iter().any(|step| step.rule == Rule::FoldGround),
        questions: step_questions(&normal, &steps),
        forth: without(&formula, &simple),
        back: without(&back, &formula),
        steps: steps.iter().map(written).collect(),
        script: normal.text(),
    })
}

/// A question for each step that changes a term; none if there are too many, or if one cannot be written.
fn step_questions(normal: &smt::Script, steps: &[Step]) -> Option<Vec<StepQuestion>> {
    // These change the list of assertions or what does not count, and their shape is checked.
    let is_shape = |rule| matches!(rule, Rule::SplitAnd | Rule::Reorder | Rule::Unannotate);
    let asked = |step: &&Step| step.keeps() == Keeps::Meaning && !is_shape(step.rule);
    if steps.iter().filter(asked).count() > MOST_QUESTIONS {
        return None;
    }
    let question = |step: &Step| {
        let script = rewrite::question(normal, step)?.text();
        Some(StepQuestion { rule: step.rule.word(), script })
    };
    let mut all = steps.iter().filter(asked).map(question).collect::<Option<Vec<_>>>()?;
    all.sort();
    all.dedup();
    Some(all)
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
    let Some(equivalent) = equivalent.as_ref().as_ref() else {
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
        match steps_hold(dispute, (accused, contrary), equivalent, &mut evidence, questions) {
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

/// Whether the two formulas are equivalent by the word of the accused itself, or by that of other solvers on every step. None
/// while questions are open.
///
/// The accused is asked the one without the other. If it says unsat, its three answers contradict each other whatever the steps
/// are. Else a wrong rule of ours could accuse it, and each step is asked.
fn steps_hold(
    dispute: &Dispute<'_, '_>,
    (accused, contrary): (usize, Answer),
    equivalent: &Equivalent,
    evidence: &mut Vec<Evidence>,
    questions: &mut Questions<'_>,
) -> Option<bool> {
    let script = if contrary == Answer::Unsat { &equivalent.forth } else { &equivalent.back };
    let run = questions.ask(Probe::new(accused, script.clone()))?;
    if let Some(answer @ Answer::Unsat) = answer_of(run) {
        let (by, about) = (dispute.trial.solver(accused).name.clone(), Asked::Equivalence);
        evidence.push(Evidence::Asked { by, about, script: script.clone(), answer: Some(answer) });
        return Some(true);
    }
    let Some(steps) = &equivalent.questions else { return Some(false) };
    for step in steps {
        if !step_holds(dispute.trial, accused, step, evidence, questions)? {
            return Some(false);
        }
    }
    Some(true)
}

/// Whether the accused says that the two sides of a step cannot differ; or another solver says so and stands by it, and none says
/// that they can. None while questions are open.
fn step_holds(
    trial: &Trial<'_>,
    accused: usize,
    step: &StepQuestion,
    evidence: &mut Vec<Evidence>,
    questions: &mut Questions<'_>,
) -> Option<bool> {
    let asked = |by: usize, answer: Answer| {
        let (by, about) = (trial.solver(by).name.clone(), Asked::Rewritten { rule: step.rule.to_owned() });
        Evidence::Asked { by, about, script: step.script.clone(), answer: Some(answer) }
    };
    let own = questions.ask(Probe::new(accused, step.script.clone()))?;
    if let Some(answer @ Answer::Unsat) = answer_of(own) {
        evidence.push(asked(accused, answer));
        return Some(true);
    }
    let mut held = false;
    for other in &others(trial, accused, &step.script) {
        if held && !other.may_deny {
            break;
        }
        let other = other.number;
        let run = questions.ask(Probe::new(other, step.script.clone()))?;
        match answer_of(run) {
            Some(Answer::Sat) => return Some(false),
            Some(answer @ Answer::Unsat) if !held => {
                held = stands_by(trial, other, (&step.script, answer), questions)?;
                evidence.push(asked(other, answer));
            }
            _ => {}
        }
    }
    Some(held)
}
