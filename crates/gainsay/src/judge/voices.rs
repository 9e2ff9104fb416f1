//! Asking others: what solvers besides the accused say of a script.

use smt::value::cardinality;
use smt::value::finite::ENDLESS;
use smt::{FunKind, Head, TermId};

use super::evidence::Evidence;
use super::language::{all_below, may_read, speaks};
use super::pinned::part;
use super::probe::{Probe, Questions};
use super::trial::{Trial, answer_of};
use super::voice::{SecondVoice, same_make};
use crate::case::Answer;
use crate::solver::{Solver, SolverId};

/// What others say of a script.
pub struct Voices {
    /// One who says what is wanted and whose word counts.
    pub voice: Option<SecondVoice>,
    /// One who says the contrary: the meaning of the script is disputed.
    pub denied: Option<SolverId>,
    /// What each said.
    pub evidence: Vec<Evidence>,
}

/// A script about which others are asked, and what they should say if the accused is wrong.
pub struct Question<'q> {
    /// The script, with one check.
    pub script: &'q str,
    /// The answer that speaks against the accused.
    pub wanted: Answer,
    /// The solver whose model is written into the script, where the answer supports that model.
    pub giver: Option<&'q Solver>,
}

/// Asks others than the accused about a script that has the assertions of a check. None while questions are open.
///
/// A release of the accused's own make may share its fault, so that its contrary answer is no denial. The word of others counts
/// only where nothing is left to search.
pub fn ask_others(
    trial: &Trial<'_>,
    (accused, check): (usize, usize),
    question: &Question<'_>,
    questions: &mut Questions<'_>,
) -> Option<Voices> {
    let contrary = if question.wanted == Answer::Sat { Answer::Unsat } else { Answer::Sat };
    let counts = has_nothing_to_search(question.script);
    let others = others(trial, accused, check);
    let runs: Vec<_> = others
        .into_iter()
        .map(|other| (other, questions.ask(Probe::new(other, question.script.to_owned()))))
        .collect();
    let mut said = Voices { voice: None, denied: None, evidence: Vec::new() };
    for (other, run) in runs {
        let (run, solver) = (run?, trial.solver(other));
        let Some(answer) = answer_of(run) else { continue };
        if answer == contrary && !same_make(solver, trial.solver(accused)) {
            said.denied.get_or_insert_with(|| solver.name.clone());
        }
        let voice = || SecondVoice::of_other(solver, question.giver, run, question.wanted);
        if counts && said.voice.is_none() {
            said.voice = voice();
        }
        let (by, script) = (solver.name.clone(), question.script.to_owned());
        said.evidence.push(Evidence::Pinned { by, script, answer: Some(answer) });
    }
    Some(said)
}

/// A solver of another make than the accused that says unsat to the check itself. Those on trial have answered; witnesses are
/// asked. None while questions are open.
pub fn ask_about_check(
    trial: &Trial<'_>,
    (accused, check): (usize, usize),
    questions: &mut Questions<'_>,
) -> Option<Voices> {
    let answered = |(i, answer)| Evidence::Answered { by: trial.solver(i).name.clone(), check, answer };
    let mut said = Voices {
        voice: SecondVoice::of_check(trial, accused, check, Answer::Unsat),
        denied: None,
        evidence: trial.answers(check).filter(|(_, a)| *a == Answer::Unsat).map(answered).collect(),
    };
    if said.voice.is_some() {
        return Some(said);
    }
    let Some(script) = part(&trial.case.script, check, |_| true) else { return Some(said) };
    let witnesses = others(trial, accused, check).into_iter().filter(|&other| other >= trial.solvers.len());
    let runs: Vec<_> = witnesses
        .filter(|&other| !same_make(trial.solver(other), trial.solver(accused)))
        .map(|other| (other, questions.ask(Probe::new(other, script.clone()))))
        .collect();
    for (other, run) in runs {
        let (run, solver) = (run?, trial.solver(other));
        if let Some(answer) = answer_of(run) {
            said.evidence.push(Evidence::Answered { by: solver.name.clone(), check, answer });
        }
        said.voice = said.voice.or(SecondVoice::of_other(solver, None, run, Answer::Unsat));
    }
    Some(said)
}

/// The others that are asked about a check: those to whom the formula means what it means to us, of other makes first.
fn others(trial: &Trial<'_>, accused: usize, check: usize) -> Vec<usize> {
    let Some(query) = trial.queries().get(check) else { return Vec::new() };
    let pool = &trial.case.script.pool;
    let understands = |&other: &usize| {
        let solver = trial.solver(other);
        other != accused
            && may_read(solver, pool, &query.assertions)
            && speaks(solver, pool, &query.assertions).is_ok()
    };
    let mut others: Vec<usize> = (0..trial.all()).filter(understands).collect();
    others.sort_by_key(|&other| same_make(trial.solver(other), trial.solver(accused)));
    others.truncate(trial.budget.others);
    others
}

/// Whether a script has nothing left to search: no declared symbol, no recursive definition, and no quantifier over a domain
/// that is not finite.
pub fn has_nothing_to_search(script: &str) -> bool {
    let Ok(script) = smt::read(script.as_bytes()) else { return false };
    let queries = script.queries();
    let roots: Vec<TermId> = queries.iter().flat_map(|query| query.assertions.iter().copied()).collect();
    let pool = &script.pool;
    let finite = |binders: smt::BinderList| {
        let few = |binder: &smt::Binder| cardinality(pool, binder.sort).is_some_and(|size| size < ENDLESS);
        pool.binders(binders).iter().all(few)
    };
    queries.iter().all(|query| !query.opaque && query.recursive.is_empty())
        && all_below(pool, &roots, |term| match pool.node(term).head {
            Head::Fun(fun) => pool.fun(fun).kind != FunKind::Declared,
            Head::Forall(binders) | Head::Exists(binders) => finite(binders),
            Head::Opaque => false,
            _ => true,
        })
}

#[cfg(test)]
mod tests {
    use super::has_nothing_to_search;

    #[test]
    fn what_is_left_to_search() {
        let rows = [
            ("(assert (= 1 2))(check-sat)", true),
            ("(define-fun f ((x Int)) Int (+ x 1))(assert (= (f 1) 2))(check-sat)", true),
            ("(declare-const x Int)(assert (= 1 2))(check-sat)", true),
            ("(declare-const x Int)(assert (= x 2))(check-sat)", false),
            ("(declare-const x Int)(define-fun y () Int x)(assert (= y 2))(check-sat)", false),
            ("(assert (forall ((b (_ BitVec 2))) (= b b)))(check-sat)", true),
            ("(assert (forall ((n Int)) (= n n)))(check-sat)", false),
            (
                "(define-fun-rec f ((x Int)) Int (ite (= x 0) 0 (f (- x 1))))(assert (= (f 3) 0))(check-sat)",
                false,
            ),
            ("(assert (nonsense 1))(check-sat)", false),
        ];
        for (script, expected) in rows {
            assert_eq!(has_nothing_to_search(script), expected, "{script}");
        }
    }
}
