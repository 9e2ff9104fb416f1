//! Solvers that give a script another meaning than the standard are not accused of it.

use super::{judged, solver};
use crate::judge::language::speaks;
use crate::judge::probe::Probe;

/// What it is about, a script, who says sat with which model, and who says unsat but must not be accused of it.
const INNOCENT: &[(&str, &str, (&str, &str), &str)] = &[
    (
        "a recursive definition is an axiom",
        "(define-fun-rec f ((x Int)) Int (+ (f x) 1))(declare-const y Int)(assert (= y 0))(check-sat)",
        ("z3", "((define-fun y () Int 0))"),
        "cvc5",
    ),
    (
        "characters above 255",
        "(declare-const s String)(assert (= (str.len s) 1))(assert (not (= s \"a\")))(check-sat)",
        ("cvc5", "((define-fun s () String \"\\u{100}\"))"),
        "z3@4.8.10",
    ),
    (
        "escapes in the manner of the standard",
        "(declare-const s String)(assert (= s \"\\u{61}\"))(assert (= (str.len s) 1))(check-sat)",
        ("cvc5", "((define-fun s () String \"a\"))"),
        "z3@4.8.10",
    ),
    (
        "an extension of another solver",
        "(declare-const x (_ BitVec 2))(assert (= x (bvxnor x x x)))(check-sat)",
        ("z3", "((define-fun x () (_ BitVec 2) #b00))"),
        "bitwuzla",
    ),
    (
        "a codatatype may be cyclic",
        "(declare-codatatypes ((S 0)) (((scons (shead Int) (stail S)))))(declare-const s S)(assert (= (shead s) 1))(check-sat)",
        ("cvc5", "((define-fun s () S (scons 1 s)))"),
        "z3",
    ),
    (
        "an element of an uninterpreted sort",
        "(declare-sort U 0)(declare-const a U)(declare-const b U)(assert (distinct a b))(assert (forall ((x U)) (= x a)))(check-sat)",
        ("z3", "((define-fun a () U (as @U_0 U)) (define-fun b () U (as @U_1 U)))"),
        "cvc5",
    ),
];

#[test]
fn another_meaning_is_no_mistake() {
    for (about, script, (sat, model), unsat) in INNOCENT {
        let printed = format!("sat model: {model}");
        // Everybody says sat with the model written in, and nothing to other questions.
        let again = |p: &Probe| if p.outputs.model { "unknown" } else { "sat" };
        let found = judged(script, vec![], &[(sat, &printed), (unsat, "unsat")], &again);
        let accused = found.iter().any(|f| f.ends_with(unsat));
        assert!(!accused, "{about}: {found:?}");
    }
}

#[test]
fn what_is_older_than_the_standard_is_no_mistake() {
    let text =
        "(declare-const x String)(assert (str.in_re x ((_ re.loop 2 0) (str.to_re \"a\"))))(check-sat)";
    let script = smt::read(text.as_bytes()).expect("well-sorted");
    let reads = |name| speaks(&solver(name), &script.pool, &script.queries()[0].assertions).is_ok();
    assert_eq!(["z3@4.8.7", "z3@4.8.8", "z3@4.8.9", "z3@5.4.0"].map(reads), [false, false, true, true]);
}
