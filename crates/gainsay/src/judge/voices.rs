//! Asking others: what solvers besides the accused say of a script.

use smt::value::cardinality;
use smt::value::finite::ENDLESS;
use smt::{FunKind, Head, TermId};

use super::doubt::Doubt;
use super::evidence::Evidence;
use super::language::{all_below, may_read, speaks};
use super::pinned::{asserting, part};
use super::probe::{Probe, Questions};
use super::trial::{Trial, answer_of};
use super::voice::{SecondVoice, same_make};
use crate::case::Answer;
use crate::solver::{Solver, SolverId};

/// What others say of a script.
#[derive(Default)]
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
/// only where nothing is left to search, and only if they stand by it. The newest release of every other make is asked, because
/// it may deny. After that, the first voice ends it.
pub fn ask_others(
    trial: &Trial<'_>,
    accused: usize,
    question: &Question<'_>,
    questions: &mut Questions<'_>,
) -> Option<Voices> {
    let contrary = if question.wanted == Answer::Sat { Answer::Unsat } else { Answer::Sat };
    let counts = has_nothing_to_search(question.script);
    let mut said = Voices::default();
    for other in others(trial, accused, question.script) {
        if said.denied.is_some() || (said.voice.is_some() && !other.may_deny) {
            break;
        }
        let run = questions.ask(Probe::new(other.number, question.script.to_owned()))?;
        let solver = trial.solver(other.number);
        let Some(answer) = answer_of(run) else { continue };
        if answer == contrary && !same_make(solver, trial.solver(accused)) {
            said.denied = Some(solver.name.clone());
        }
        let (by, script) = (solver.name.clone(), question.script.to_owned());
        said.evidence.push(Evidence::Pinned { by, script, answer: Some(answer) });
        if counts && said.voice.is_none() {
            let voice = SecondVoice::of_other(solver, question.giver, run, question.wanted);
            said.hear(trial, (other.number, voice), (question.script, question.wanted), questions)?;
        }
    }
    Some(said)
}

/// Asks the accused itself about a script, and if it does not speak against itself, others.
pub fn ask_all(
    trial: &Trial<'_>,
    accused: usize,
    question: &Question<'_>,
    questions: &mut Questions<'_>,
) -> Option<Voices> {
    let run = questions.ask(Probe::new(accused, question.script.to_owned()))?;
    let by = trial.solver(accused).name.clone();
    let itself = Evidence::Pinned { by, script: question.script.to_owned(), answer: answer_of(run) };
    if let Some(voice) = SecondVoice::of_accused(run, question.wanted) {
        return Some(Voices { voice: Some(voice), denied: None, evidence: vec![itself] });
    }
    let mut said = ask_others(trial, accused, question, questions)?;
    said.evidence.insert(0, itself);
    Some(said)
}

/// Asks solvers of other makes than the accused whether they say unsat to the check itself. Those on trial have answered;
/// witnesses are asked one after the other. None while a question is open. One of the accused's family may deny, but is no
/// voice: the formula is searched, and both may search it with the same code.
///
/// The newest release of every other make is heard, because it denies the accusation if it says sat. After that, the first
/// voice ends it.
pub fn ask_about_check(
    trial: &Trial<'_>,
    (accused, check): (usize, usize),
    questions: &mut Questions<'_>,
) -> Option<Voices> {
    let mut said = Voices::default();
    let Some(script) = part(&trial.case.script, check, |_| true) else { return Some(said) };
    for other in others(trial, accused, &script) {
        let solver = trial.solver(other.number);
        if same_make(solver, trial.solver(accused)) {
            continue;
        }
        if said.denied.is_some() || (said.voice.is_some() && !other.may_deny) {
            break;
        }
        let is_witness = other.number >= trial.solvers.len();
        let answer = match is_witness {
            true => answer_of(questions.ask(Probe::new(other.number, script.clone()))?),
            false => trial.reply(other.number, check).map(|reply| reply.answer),
        };
        let Some(answer) = answer else { continue };
        let by = solver.name.clone();
        if answer == Answer::Sat {
            said.denied = Some(by.clone());
        }
        said.evidence.push(Evidence::Answered { by, check, answer });
        if said.voice.is_none() {
            let voice = match is_witness {
                true => {
                    let run = questions.ask(Probe::new(other.number, script.clone()))?;
                    SecondVoice::of_other(solver, Some(trial.solver(accused)), run, Answer::Unsat)
                }
                false => SecondVoice::of_check(trial, (accused, other.number), check, Answer::Unsat),
            };
            said.hear(trial, (other.number, voice), (&script, Answer::Unsat), questions)?;
        }
    }
    Some(said)
}

impl Voices {
    /// Hears the voice of a solver if the solver stands by its answer to a script. None while it is asked.
    fn hear(
        &mut self,
        trial: &Trial<'_>,
        (solver, voice): (usize, Option<SecondVoice>),
        (script, answer): (&str, Answer),
        questions: &mut Questions<'_>,
    ) -> Option<()> {
        if voice.is_some() {
            if stands_by(trial, solver, (script, answer), questions)? {
                self.voice = voice;
            } else {
                let by = trial.solver(solver).name.clone();
                let why = Doubt::SameOfNegation { by, answer };
                self.evidence.push(Evidence::Undecided { why });
            }
        }
        Some(())
    }
}

/// Whether a solver stands by its answer to a script: it does not give the same answer to the negation of what is asserted.
/// One that does contradicts itself, and its word counts for nothing. None while it is asked.
pub fn stands_by(
    trial: &Trial<'_>,
    solver: usize,
    (script, answer): (&str, Answer),
    questions: &mut Questions<'_>,
) -> Option<bool> {
    debug_assert!(solver < trial.all(), "a solver of the trial");
    let Some(negation) = negation(script, answer) else { return Some(true) };
    let run = questions.ask(Probe::new(solver, negation))?;
    Some(answer_of(run) != Some(answer))
}

/// A script that asserts the negation of what another one asserts, where both cannot have this answer; none if they can, or
/// if it cannot be written.
///
/// Both cannot be unsatisfiable. Both can be satisfiable, unless our evaluation knows the value of the formula.
fn negation(script: &str, answer: Answer) -> Option<String> {
    let script = smt::read(script.as_bytes()).ok()?;
    let queries = script.queries();
    let query = queries.last().filter(|query| !query.opaque)?;
    if answer == Answer::Sat {
        let verdicts = smt::verdicts(query, &smt::Model::empty(&script), &smt::Fuel::default());
        if verdicts.iter().any(|verdict| *verdict != smt::Verdict::True) {
            return None;
        }
    }
    let all: Vec<_> = query.assertions.iter().map(|&term| smt::write_term(&script.pool, term)).collect();
    Some(asserting(&script, query, &[format!("(not (and true {}))", all.join(" "))]))
}

/// Another solver that may be asked.
pub struct Other {
    /// Its number.
    pub number: usize,
    /// Whether its contrary answer would be a denial: it is the newest release of another make than the accused.
    pub may_deny: bool,
}

/// The others that are asked about a script, in the order in which they are asked.
///
/// They are those to whom what is asserted means what it means to us. Other makes than that of the accused come first, and the
/// newest release of each make before the older ones.
pub fn others(trial: &Trial<'_>, accused: usize, script: &str) -> Vec<Other> {
    let Ok(script) = smt::read(script.as_bytes()) else { return Vec::new() };
    let queries = script.queries();
    let all: Vec<usize> = (0..trial.all())
        .filter(|&other| may_speak(trial, accused, other))
        .filter(|&other| queries.iter().all(|query| means_the_same(trial.solver(other), &script.pool, query)))
        .collect();
    let is_own = |other: usize| same_make(trial.solver(other), trial.solver(accused));
    let mut ranked: Vec<(bool, usize, usize)> =
        all.iter().map(|&other| (is_own(other), newer(trial, &all, other), other)).collect();
    ranked.sort_unstable();
    ranked.truncate(trial.budget.others);
    ranked.into_iter().map(|(own, rank, number)| Other { number, may_deny: !own && rank == 0 }).collect()
}

/// Whether another solver may speak of the accused: a variant has no say where the solver itself is there.
fn may_speak(trial: &Trial<'_>, accused: usize, other: usize) -> bool {
    other != accused && trial.variant_of(other).is_none()
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

/// Whether what is asserted at a check of the case means to a solver what it means to us.
pub fn understands(trial: &Trial<'_>, solver: usize, query: &smt::Query) -> bool {
    means_the_same(trial.solver(solver), &trial.case.script.pool, query)
}

fn means_the_same(solver: &Solver, pool: &smt::Pool, query: &smt::Query) -> bool {
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
