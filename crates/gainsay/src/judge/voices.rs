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

/// Asks others than the accused, one after the other, about a script that has the assertions of a check. None while a question
/// is open.
///
/// A release of the accused's own make may share its fault, so that its contrary answer is no denial. The word of others counts
/// only where nothing is left to search. The newest release of every other make is asked, because it may deny. After that, the
/// first voice ends it.
pub fn ask_others(
    trial: &Trial<'_>,
    (accused, check): (usize, usize),
    question: &Question<'_>,
    questions: &mut Questions<'_>,
) -> Option<Voices> {
    let contrary = if question.wanted == Answer::Sat { Answer::Unsat } else { Answer::Sat };
    let counts = has_nothing_to_search(question.script);
    let mut said = Voices { voice: None, denied: None, evidence: Vec::new() };
    for other in others(trial, accused, check) {
        if said.denied.is_some() || (said.voice.is_some() && !other.may_deny) {
            break;
        }
        let run = questions.ask(Probe::new(other.number, question.script.to_owned()))?;
        let solver = trial.solver(other.number);
        let Some(answer) = answer_of(run) else { continue };
        if answer == contrary && !same_make(solver, trial.solver(accused)) {
            said.denied = Some(solver.name.clone());
        }
        if counts && said.voice.is_none() {
            said.voice = SecondVoice::of_other(solver, question.giver, run, question.wanted);
        }
        let (by, script) = (solver.name.clone(), question.script.to_owned());
        said.evidence.push(Evidence::Pinned { by, script, answer: Some(answer) });
    }
    Some(said)
}

/// A solver of another make than the accused that says unsat to the check itself. Those on trial have answered; witnesses are
/// asked one after the other until one says unsat. None while a question is open.
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
    let Some(script) = part(&trial.case.script, check, |_| true) else { return Some(said) };
    for other in others(trial, accused, check) {
        let solver = trial.solver(other.number);
        if said.voice.is_some() {
            break;
        }
        if other.number < trial.solvers.len() || same_make(solver, trial.solver(accused)) {
            continue;
        }
        let run = questions.ask(Probe::new(other.number, script.clone()))?;
        if let Some(answer) = answer_of(run) {
            said.evidence.push(Evidence::Answered { by: solver.name.clone(), check, answer });
        }
        said.voice = SecondVoice::of_other(solver, None, run, Answer::Unsat);
    }
    Some(said)
}

/// Another solver that may be asked.
pub struct Other {
    /// Its number.
    pub number: usize,
    /// Whether its contrary answer would be a denial: it is the newest release of another make than the accused.
    pub may_deny: bool,
}

/// The others that are asked about a check, in the order in which they are asked.
///
/// They are those to whom the formula means what it means to us. Other makes than that of the accused come first, and the
/// newest release of each make before the older ones.
pub fn others(trial: &Trial<'_>, accused: usize, check: usize) -> Vec<Other> {
    let Some(query) = trial.queries().get(check) else { return Vec::new() };
    let all: Vec<usize> =
        (0..trial.all()).filter(|&other| other != accused && understands(trial, other, query)).collect();
    let is_own = |other: usize| same_make(trial.solver(other), trial.solver(accused));
    let mut ranked: Vec<(bool, usize, usize)> =
        all.iter().map(|&other| (is_own(other), newer(trial, &all, other), other)).collect();
    ranked.sort_unstable();
    ranked.truncate(trial.budget.others);
    ranked.into_iter().map(|(own, rank, number)| Other { number, may_deny: !own && rank == 0 }).collect()
}

/// The witnesses that are asked about a check, the newest release of each make before the older ones.
pub fn witnesses(trial: &Trial<'_>, check: usize) -> Vec<usize> {
    let Some(query) = trial.queries().get(check) else { return Vec::new() };
    let all: Vec<usize> = (trial.solvers.len()..trial.all())
        .filter(|&witness| may_read(trial.solver(witness), &trial.case.script.pool, &query.assertions))
        .collect();
    let mut ranked: Vec<(usize, usize)> = all.iter().map(|&one| (newer(trial, &all, one), one)).collect();
    ranked.sort_unstable();
    ranked.into_iter().take(trial.budget.others).map(|(_, witness)| witness).collect()
}

/// How many of these solvers are newer releases of the make of one of them. A build without a number is the newest.
fn newer(trial: &Trial<'_>, all: &[usize], one: usize) -> usize {
    let age = |number: usize| (trial.solver(number).release.as_ref(), std::cmp::Reverse(number));
    let is_newer = |&other: &usize| {
        let ((release, number), (mine, own)) = (age(other), age(one));
        let later = match (release, mine) {
            (None, Some(_)) => true,
            (Some(_), None) => false,
            (Some(release), Some(mine)) if release != mine => release > mine,
            _ => number > own,
        };
        later && same_make(trial.solver(other), trial.solver(one))
    };
    all.iter().filter(|other| **other != one && is_newer(other)).count()
}

/// Whether a formula means to a solver what it means to us.
pub fn understands(trial: &Trial<'_>, solver: usize, query: &smt::Query) -> bool {
    let (solver, pool) = (trial.solver(solver), &trial.case.script.pool);
    may_read(solver, pool, &query.assertions) && speaks(solver, pool, &query.assertions).is_ok()
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
