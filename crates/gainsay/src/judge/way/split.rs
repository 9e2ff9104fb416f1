//! Splitting: whoever says sat to the formula must say sat to it with a condition or with the negation of that condition.

use rustc_hash::FxHashSet;
use smt::{FunKind, Head, Logic, Pool, Sort, SortId, TermId};

use super::satisfied::{charge_all, read_model, satisfies};
use super::{Came, Dispute};
use crate::case::Answer;
use crate::judge::asked::Asked;
use crate::judge::attempt::Attempt;
use crate::judge::evidence::Evidence;
use crate::judge::fault::{Fault, SelfContradiction};
use crate::judge::pinned::asserting;
use crate::judge::probe::{Probe, Questions};
use crate::judge::trial::reply_of;
use crate::solver::Run;

/// Atoms longer than this make no good conditions.
const LONGEST: usize = 400;

/// Asks everybody the formula with conditions and their negations, and goes on with the half that is sat.
pub fn try_halves(dispute: &Dispute<'_, '_>, questions: &mut Questions<'_>) -> Came {
    let mut conditions = conditions(dispute);
    conditions.retain(|condition| stays_within_logic(dispute, condition));
    let mut asked = 0;
    for &accused in dispute.sat.iter().chain(&dispute.unsat) {
        let mut kept: Vec<String> = Vec::new();
        for condition in conditions.iter().take(dispute.trial.budget.conditions) {
            let halves = [condition.clone(), format!("(not {condition})")];
            let runs = halves.clone().map(|half| {
                let script = with(dispute, &kept, &half);
                let run = questions.ask(Probe::new(accused, script.clone()).with_model());
                (script, run)
            });
            let [(first, Some(yes)), (second, Some(no))] = runs else { return Came::Asking };
            asked += 1;
            match judge(
                dispute,
                accused,
                &kept,
                &[(&halves[0], first, yes), (&halves[1], second, no)],
                questions,
            ) {
                Half::Decided(came) => return came,
                Half::GoOn(0) => kept.push(halves[0].clone()),
                Half::GoOn(_) => kept.push(halves[1].clone()),
                Half::Neither => {}
            }
        }
    }
    Came::Nothing(vec![Evidence::Tried { attempt: Attempt::Split { conditions: asked } }])
}

/// What came of two halves.
enum Half {
    Decided(Came),
    /// This half is sat.
    GoOn(usize),
    Neither,
}

type Asking<'a> = (&'a String, String, &'a Run);

fn judge(
    dispute: &Dispute<'_, '_>,
    accused: usize,
    kept: &[String],
    halves: &[Asking<'_>; 2],
    questions: &mut Questions<'_>,
) -> Half {
    let trial = dispute.trial;
    let says_sat = dispute.sat.contains(&accused);
    let answers = [0, 1].map(|i: usize| reply_of(halves[i].2, 0).map(|reply| reply.answer));
    for (i, (_, _, run)) in halves.iter().enumerate().filter(|(i, _)| answers[*i] == Some(Answer::Sat)) {
        // A model of a half is a model of the whole.
        let model = reply_of(run, 0).and_then(|reply| reply.model.as_deref());
        let model =
            model.and_then(|m| read_model(trial.solver(accused), &trial.case.script, dispute.query, m));
        if let Some(given) = model.filter(|given| satisfies(dispute.query, &given.model)) {
            let came = charge_all(dispute, &given, questions);
            if !matches!(came, Came::Nothing(_)) {
                return Half::Decided(came);
            }
        }
        if says_sat {
            return Half::GoOn(i);
        }
    }
    let evidence = |which: &[usize]| {
        let mut evidence = dispute.answers();
        // The halves are halves of what it said sat to last.
        if let Some((last, before)) = kept.split_last() {
            let (by, about) = (trial.solver(accused).name.clone(), Asked::With { conditions: kept.to_vec() });
            let (script, answer) = (with(dispute, before, last), Some(Answer::Sat));
            evidence.push(Evidence::Asked { by, about, script, answer });
        }
        for &i in which {
            let (half, script, _) = &halves[i];
            let mut conditions = kept.to_vec();
            conditions.push((*half).clone());
            evidence.push(Evidence::Asked {
                by: trial.solver(accused).name.clone(),
                about: Asked::With { conditions },
                script: script.clone(),
                answer: answers[i],
            });
        }
        evidence
    };
    let fault = |how| Fault::ContradictsItself { how };
    if says_sat && answers == [Some(Answer::Unsat); 2] {
        let complaint = dispute.against(accused, fault(SelfContradiction::Halves), evidence(&[0, 1]));
        return Half::Decided(Came::Complaints(vec![complaint]));
    }
    if !says_sat && let Some(i) = answers.iter().position(|answer| *answer == Some(Answer::Sat)) {
        let complaint = dispute.against(accused, fault(SelfContradiction::More), evidence(&[i]));
        return Half::Decided(Came::Complaints(vec![complaint]));
    }
    Half::Neither
}

fn with(dispute: &Dispute<'_, '_>, kept: &[String], half: &str) -> String {
    let script = &dispute.trial.case.script;
    let mut all: Vec<String> =
        dispute.query.assertions.iter().map(|&term| smt::write_term(&script.pool, term)).collect();
    all.extend(kept.iter().cloned());
    all.push(half.to_owned());
    asserting(script, dispute.query, &all)
}

/// Whether the formula with a condition is within the logic that the script declares. Outside of it, the answer of a solver is
/// not its word.
fn stays_within_logic(dispute: &Dispute<'_, '_>, condition: &str) -> bool {
    let Some(declared) = dispute.trial.case.script.logic() else { return true };
    let holds = |script: &smt::Script| Logic::named(declared).is_some_and(|l| l.holds(Logic::of(script)));
    let with = smt::read(with(dispute, &[], condition).as_bytes());
    // A script that is itself outside of its logic is asked without the logic before anybody is accused.
    !holds(&dispute.trial.case.script) || with.is_ok_and(|script| holds(&script))
}

/// Conditions that make the formula easier, the best first: what a constant may be, then the atoms of the formula.
fn conditions(dispute: &Dispute<'_, '_>) -> Vec<String> {
    let pool = &dispute.trial.case.script.pool;
    let (mut constants, mut atoms, mut seen) = (Vec::new(), Vec::new(), FxHashSet::default());
    let mut left: Vec<TermId> = dispute.query.assertions.iter().rev().copied().collect();
    while let Some(term) = left.pop() {
        if !seen.insert(term) {
            continue;
        }
        match pool.node(term).head {
            // What is below may speak of bound variables.
            Head::Forall(_)
            | Head::Exists(_)
            | Head::Let(_)
            | Head::Lambda(_)
            | Head::Choice(_)
            | Head::Comprehension(_)
            | Head::Match(_)
            | Head::Opaque => {}
            Head::Annotated(_) => left.push(pool.args(term)[0]),
            head => {
                left.extend(pool.args(term).iter().rev());
                let is_constant = matches!(head, Head::Fun(fun)
                    if pool.fun(fun).kind == FunKind::Declared && pool.args(term).is_empty());
                if is_constant {
                    constants.extend(about_constant(pool, term));
                } else if pool.sort_of(term) == SortId::BOOL && is_atom(pool, term) {
                    let written = smt::write_term(pool, term);
                    if written.len() <= LONGEST && !written.contains(":named") && !has_variable(pool, term) {
                        atoms.push(written);
                    }
                }
            }
        }
    }
    constants.extend(atoms);
    constants
}

/// A formula that is no connective of formulas and no truth value.
fn is_atom(pool: &Pool, term: TermId) -> bool {
    let args = pool.args(term);
    !args.is_empty() && args.iter().any(|&arg| pool.sort_of(arg) != SortId::BOOL)
}

/// Whether a variable is in the term: then it cannot stand alone.
fn has_variable(pool: &Pool, term: TermId) -> bool {
    let (mut left, mut seen) = (vec![term], FxHashSet::default());
    while let Some(term) = left.pop() {
        if matches!(pool.node(term).head, Head::Variable(_)) {
            return true;
        }
        if seen.insert(term) {
            left.extend_from_slice(pool.args(term));
        }
    }
    false
}

/// A condition about a constant.
fn about_constant(pool: &Pool, term: TermId) -> Option<String> {
    let name = smt::write_term(pool, term);
    Some(match pool.sort(pool.sort_of(term)) {
        Sort::Bool => name,
        Sort::Int => format!("(= {name} 0)"),
        Sort::Real => format!("(= {name} 0.0)"),
        Sort::String => format!("(= (str.len {name}) 0)"),
        Sort::BitVec(width) => format!("(= {name} (_ bv0 {width}))"),
        _ => return None,
    })
}
