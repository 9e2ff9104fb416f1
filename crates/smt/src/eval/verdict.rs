//! The values of the assertions at one check of a script under a model.

use rustc_hash::{FxHashMap, FxHashSet};

use super::machine::{Machine, Outcome};
use crate::Pool;
use crate::gap::{Fuel, Gap};
use crate::model::Model;
use crate::query::Query;
use crate::term::{FunId, Head, TermId};
use crate::value::Value;

/// The value of a closed term under a model. The model must be of the script the term belongs to.
pub fn eval(term: TermId, model: &Model, fuel: &mut Fuel) -> Outcome {
    let mut machine = Machine::new(model, std::mem::take(fuel));
    let outcome = machine.eval(term);
    *fuel = machine.into_fuel();
    outcome
}

/// The value of an assertion under a model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// It holds.
    True,
    /// It does not hold.
    False,
    /// We cannot know.
    Open(Gap),
}

/// The verdict on each assertion in scope at a check, each with fuel of its own.
pub fn verdicts(ask: &Query, model: &Model, fuel: &Fuel) -> Vec<Verdict> {
    ask.assertions
        .iter()
        .map(|&term| match eval(term, model, &mut fuel.clone()) {
            Ok(Value::Bool(true)) => Verdict::True,
            Ok(Value::Bool(false)) => Verdict::False,
            Ok(_) => Verdict::Open(Gap::NoMeaning("an assertion that is not Bool")),
            Err(gap) => Verdict::Open(gap),
        })
        .collect()
}

/// Whether the model satisfies everything in scope at a check: true is a proof that `unsat` is wrong, false that
/// the model is.
///
/// A recursive definition is an axiom, and that it has a model at all is more than evaluating it shows: with one
/// in scope that calls itself, true becomes open. So it does after a command that we do not understand.
pub fn satisfies(ask: &Query, model: &Model, fuel: &Fuel) -> Verdict {
    let mut open = None;
    for verdict in verdicts(ask, model, fuel) {
        match verdict {
            Verdict::True => {}
            Verdict::False => return Verdict::False,
            Verdict::Open(gap) => open = open.or(Some(gap)),
        }
    }
    if ask.opaque {
        open = open.or(Some(Gap::Opaque("a command before the check".to_owned())));
    }
    let pool = model.pool();
    if let Some(fun) = calling_itself(pool, &ask.recursive) {
        open = open.or_else(|| Some(Gap::Recursive(pool.text(pool.fun(fun).name).to_owned())));
    }
    open.map_or(Verdict::True, Verdict::Open)
}

/// The first of these functions that calls itself, directly or through others: what is left when functions that call
/// none of those left are taken away again and again, and then those that none of them calls.
fn calling_itself(pool: &Pool, funs: &[FunId]) -> Option<FunId> {
    let mut calls: Vec<(FunId, FunId)> = Vec::new();
    let mut seen: FxHashSet<FunId> = funs.iter().copied().collect();
    let mut left = funs.to_vec();
    while let Some(fun) = left.pop() {
        for called in called_by(pool, fun) {
            calls.push((fun, called));
            if seen.insert(called) {
                left.push(called);
            }
        }
    }
    take_away(&mut seen, &calls);
    let callers: Vec<_> = calls.iter().map(|&(caller, called)| (called, caller)).collect();
    take_away(&mut seen, &callers);
    funs.iter().copied().find(|fun| seen.contains(fun))
}

/// Takes away, again and again, functions without an arrow to one that is left.
fn take_away(left: &mut FxHashSet<FunId>, arrows: &[(FunId, FunId)]) {
    let mut out: FxHashMap<FunId, usize> = left.iter().map(|&fun| (fun, 0)).collect();
    let mut to: FxHashMap<FunId, Vec<FunId>> = FxHashMap::default();
    for (a, b) in arrows.iter().filter(|(a, b)| left.contains(a) && left.contains(b)) {
        *out.entry(*a).or_default() += 1;
        to.entry(*b).or_default().push(*a);
    }
    let mut free: Vec<_> = out.iter().filter(|(_, n)| **n == 0).map(|(&fun, _)| fun).collect();
    while let Some(fun) = free.pop() {
        left.remove(&fun);
        for from in to.get(&fun).into_iter().flatten() {
            let n = out.get_mut(from).expect("every arrow is from one that is left");
            *n -= 1;
            if *n == 0 {
                free.push(*from);
            }
        }
    }
}

/// The functions that a function's body calls, each once.
fn called_by(pool: &Pool, fun: FunId) -> FxHashSet<FunId> {
    let mut called = FxHashSet::default();
    let mut seen: FxHashSet<TermId> = FxHashSet::default();
    let mut left: Vec<TermId> = pool.body(fun).map(|(_, body)| body).into_iter().collect();
    while let Some(term) = left.pop() {
        if !seen.insert(term) {
            continue;
        }
        if let Head::Fun(fun) = pool.node(term).head {
            called.insert(fun);
        }
        left.extend_from_slice(pool.args(term));
    }
    called
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read;

    fn satisfied(script: &str, model: &str) -> String {
        let script = read(script.as_bytes()).expect(script);
        let asks = script.queries();
        let ask = asks.last().expect("a check");
        let model = Model::read(&script, Some(ask.command), model.as_bytes()).expect(model);
        match satisfies(ask, &model, &Fuel::default()) {
            Verdict::True => "true".to_owned(),
            Verdict::False => "false".to_owned(),
            Verdict::Open(gap) => gap.to_string(),
        }
    }

    #[test]
    fn only_what_is_in_scope_counts() {
        let script = "(declare-const x Int)(assert (> x 0))(push 1)(assert (> x 9))(pop 1)(check-sat)";
        assert_eq!(satisfied(script, "((define-fun x () Int 5))"), "true");
        let assuming =
            "(declare-const x Int)(declare-const p Bool)(assert (> x 0))(check-sat-assuming (p (not p)))";
        assert_eq!(satisfied(assuming, "((define-fun x () Int 5) (define-fun p () Bool true))"), "false");
    }

    #[test]
    fn what_the_model_does_not_say_is_open() {
        let script =
            "(declare-const x Int)(declare-const y Int)(assert (> x 0))(assert (= y y 3))(check-sat)";
        assert_eq!(satisfied(script, "((define-fun x () Int 5))"), "the model does not say what y is");
        assert_eq!(satisfied(script, "((define-fun x () Int 0))"), "false");
        let division = "(declare-const x Int)(assert (= (div x 0) 7))(check-sat)";
        let open = "division by zero is left to the model, which does not say";
        assert_eq!(satisfied(division, "((define-fun x () Int 5))"), open);
        let said = "((define-fun x () Int 5) (define-fun div0 ((a Int) (b Int)) Int (ite (= a 5) 7 0)))";
        assert_eq!(satisfied(division, said), "true");
    }

    #[test]
    fn a_recursive_definition_is_an_axiom() {
        let script =
            "(define-fun-rec f ((x Int)) Int (+ (f x) 1))(declare-const y Int)(assert (= y 0))(check-sat)";
        let open = "f is defined by itself, and that is an axiom";
        assert_eq!(satisfied(script, "((define-fun y () Int 0))"), open);
        assert_eq!(satisfied(script, "((define-fun y () Int 1))"), "false");
        let used = "(define-fun-rec f ((n Int)) Int (ite (<= n 0) 0 (+ 1 (f (- n 1)))))(declare-const y Int)
            (assert (= (f y) 3))(check-sat)";
        assert_eq!(satisfied(used, "((define-fun y () Int 3))"), open);
        assert_eq!(satisfied(used, "((define-fun y () Int 4))"), "false");
        let endless = "(define-fun-rec f ((n Int)) Int (f (+ n 1)))(declare-const y Int)(assert (= (f y) 3))(check-sat)";
        assert_eq!(satisfied(endless, "((define-fun y () Int 3))"), "it would take too much work");
        let plain =
            "(define-fun-rec f ((x Int)) Int (+ x 1))(declare-const y Int)(assert (= (f y) 1))(check-sat)";
        assert_eq!(satisfied(plain, "((define-fun y () Int 0))"), "true");
    }

    #[test]
    fn universes() {
        let script = "(declare-sort U 0)(declare-fun p (U) Bool)(assert (forall ((x U)) (p x)))(check-sat)";
        let whole = "(;; universe for U:
            (declare-fun U!val!0 () U) (declare-fun U!val!1 () U)
            (forall ((x U)) (or (= x U!val!0) (= x U!val!1)))
            (define-fun p ((x U)) Bool (or (= x U!val!0) (= x U!val!1))))";
        assert_eq!(satisfied(script, whole), "true");
        let part = "((declare-fun U!val!0 () U) (define-fun p ((x U)) Bool true))";
        assert_eq!(satisfied(script, part), "a quantifier over a domain that cannot be tried out");
        let refuted = "((declare-fun U!val!0 () U) (define-fun p ((x U)) Bool (not (= x U!val!0))))";
        assert_eq!(satisfied(script, refuted), "false");
        let cvc5 =
            "(\n; cardinality of U is 1\n; rep: (as @U_0 U)\n(define-fun p ((x U)) Bool (= x (as @U_0 U))))";
        assert_eq!(satisfied(script, &cvc5.replace("\\n", "\n")), "true");
    }
}
