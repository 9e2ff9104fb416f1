//! The oracle `model`: what a model makes false, and what it leaves open.

use super::{NOTHING, X, is_negation, judged, plainly};
use crate::judge::probe::Probe;

#[test]
fn a_wrong_model_is_false_without_completion() {
    let wrong = [("z3", "sat model: ((define-fun x () Int 5))")];
    assert_eq!(judged(X, vec![], &wrong, &|_| "unsat"), ["wrong-model z3"]);
    // It does not contradict itself, and nobody else speaks: our evaluation alone accuses nobody.
    assert_eq!(judged(X, vec![], &wrong, &|_| "unknown"), ["unconfirmed nobody"]);
    assert_eq!(judged(X, vec![], &wrong, &|_| "sat"), ["unconfirmed nobody"]);
    let two =
        [("z3", "sat model: ((define-fun x () Int 5))"), ("cvc5", "sat model: ((define-fun x () Int 7))")];
    let other = |p: &Probe| if p.whom == 0 || is_negation(p) { "sat" } else { "unsat" };
    assert_eq!(judged(X, vec![], &two, &other), ["wrong-model z3"]);
    // One that says unsat to everything is no second voice.
    let liar = |p: &Probe| if p.whom == 0 { "sat" } else { "unsat" };
    assert_eq!(judged(X, vec![], &two, &liar), ["unconfirmed nobody"]);
    // A value that the model does not give is open.
    assert_eq!(plainly(X, &[("z3", "sat model: ()")]), NOTHING);
}

/// What it is about, a script, and a model that must not be called wrong.
const OPEN_MODELS: &[(&str, &str, &str)] = &[
    (
        "division by zero",
        "(declare-const x Int)(assert (= (div x 0) 5))(check-sat)",
        "((define-fun x () Int 1))",
    ),
    ("modulo zero", "(declare-const x Int)(assert (= (mod x 0) 5))(check-sat)", "((define-fun x () Int 1))"),
    (
        "real division by zero",
        "(declare-const x Real)(assert (= (/ x 0.0) 5.0))(check-sat)",
        "((define-fun x () Real 1.0))",
    ),
    (
        "the sign of a least zero",
        "(declare-const x Float16)(assert (= x (fp.min (_ +zero 5 11) (_ -zero 5 11))))(check-sat)",
        "((define-fun x () (_ FloatingPoint 5 11) (_ -zero 5 11)))",
    ),
    (
        "a float out of range",
        "(declare-const x (_ BitVec 4))(assert (= x ((_ fp.to_ubv 4) RNE (_ +oo 5 11))))(check-sat)",
        "((define-fun x () (_ BitVec 4) #x3))",
    ),
    (
        "a selector of another constructor",
        "(declare-datatype L ((nil) (cons (head Int) (tail L))))(declare-const l L)(assert (= (head l) 3))(check-sat)",
        "((define-fun l () L nil))",
    ),
    (
        "an element past the end",
        "(declare-const s (Seq Int))(assert (= (seq.nth s 4) 3))(check-sat)",
        "((define-fun s () (Seq Int) (as seq.empty (Seq Int))))",
    ),
    (
        "an algebraic number",
        "(declare-const x Real)(assert (= (* x x) 2.0))(check-sat)",
        "((define-fun x () Real (root-obj (+ (^ x 2) (- 2)) 2)))",
    ),
    (
        "a quantifier over all integers",
        "(declare-fun f (Int) Int)(assert (forall ((x Int)) (> (f x) x)))(check-sat)",
        "((define-fun f ((x Int)) Int (+ x 1)))",
    ),
    (
        "a universe that is not said to be whole",
        "(declare-sort U 0)(declare-const a U)(assert (forall ((x U)) (= x a)))(check-sat)",
        "((define-fun a () U (as @U_0 U)))",
    ),
    (
        "another check's scope",
        "(declare-const x Int)(assert (> x 0))(check-sat)(assert (> x 9))(check-sat)",
        "((define-fun x () Int 5)) next: unknown",
    ),
];

#[test]
fn what_is_left_open_is_not_wrong() {
    for (about, script, model) in OPEN_MODELS {
        for whom in ["z3", "cvc5"] {
            let printed = format!("sat model: {model}");
            assert_eq!(plainly(script, &[(whom, &printed)]), NOTHING, "{about} by {whom}");
        }
    }
}

#[test]
fn what_is_false_as_it_stands_is_not_sat() {
    let ground = "(assert (= (str.len \"ab\") 3))(check-sat)";
    type Row<'r> = (&'r str, &'r [(&'r str, &'r str)], &'r [&'r str]);
    let rows: [Row<'_>; 8] = [
        // With a model or without one; our evaluation alone accuses nobody.
        (ground, &[("z3", "sat model: ()")], &["unconfirmed nobody"]),
        (ground, &[("z3", "sat"), ("cvc5", "unknown")], &["unconfirmed nobody"]),
        (ground, &[("z3", "unknown")], &[]),
        // Nobody else may say sat.
        (ground, &[("z3", "sat model: ()"), ("cvc5", "sat")], &[]),
        // What is declared but not named, and what is defined, is no choice.
        (
            "(declare-const p Bool)(define-fun f () Int 1)(assert (> f 2))(check-sat)",
            &[("z3", "sat")],
            &["unconfirmed nobody"],
        ),
        // What is left to the model is one, and so is what is declared.
        ("(assert (= (div 1 0) 2))(check-sat)", &[("z3", "sat model: ()")], &[]),
        ("(declare-const p Bool)(assert p)(check-sat)", &[("z3", "sat")], &[]),
        (
            "(declare-const p Bool)(assert p)(check-sat)",
            &[("z3", "sat model: ((define-fun p () Bool false))")],
            &["unconfirmed nobody"],
        ),
    ];
    for (script, runs, expected) in rows {
        let found = plainly(script, runs);
        assert_eq!(found, expected, "{script} {runs:?}");
    }
    // In another language it may be something else.
    assert_eq!(plainly("(assert (= (bvxnor #b1 #b1 #b1) #b0))(check-sat)", &[("yices", "sat")]), NOTHING);
    let row = [("z3", "sat"), ("cvc5", "unsat")];
    let two = judged(ground, vec![], &row, &|p| if p.whom == 0 || is_negation(p) { "sat" } else { "unsat" });
    assert!(two.contains(&"soundness z3".to_owned()), "{two:?}");
    let liar = judged(ground, vec![], &row, &|p| if p.whom == 0 { "sat" } else { "unsat" });
    assert!(liar.iter().all(|found| found.ends_with("nobody")), "{liar:?}");
}

#[test]
fn numbers_that_a_solver_rounds_are_open() {
    let script = "(declare-const x Real)(assert (= (* x 3.0) 1.0))(check-sat)";
    let rounded = "sat model: ((define-fun x () Real 0.333333))";
    assert_eq!(plainly(script, &[("yices", rounded)]), NOTHING);
    assert_eq!(judged(script, vec![], &[("z3", rounded)], &|_| "unsat"), ["wrong-model z3"]);
}
