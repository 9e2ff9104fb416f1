//! Functions as values: closures, partial application, and models that give them as solvers print them.

use smt::{Fuel, Model, Verdict, satisfies};

fn verdict(script: &str, model: &str) -> String {
    let script = smt::read(format!("{script}(check-sat)").as_bytes()).expect(script);
    assert!(script.opaque.is_empty(), "{:?}", script.opaque);
    let query = script.queries().pop().expect("a check");
    let model = Model::read(&script, Some(query.command), model.as_bytes()).expect(model);
    assert!(model.problems.is_empty(), "{:?}", model.problems);
    match satisfies(&query, &model, &Fuel::default()) {
        Verdict::True => "true".to_owned(),
        Verdict::False => "false".to_owned(),
        Verdict::Open(gap) => gap.to_string(),
    }
}

const CONSTANT: &str = "(define-fun a ((b (-> Int (-> Int Int))) (c Int) (d Int)) Int (b 0 0))
    (declare-const e (-> Int (-> Int Int)))
    (assert (= e (lambda ((f Int)) (lambda ((g Int)) 0))))
    (assert (not (< (a e 0 0) 1)))";

#[test]
fn a_function_that_gives_a_function_is_evaluated() {
    for model in [
        "((define-fun e () (-> Int Int Int) (lambda ((f Int) (g Int)) 0)))",
        "((define-fun e () (-> Int Int Int) (lambda ((f Int)) (lambda ((g Int)) 0))))",
        "((define-fun e () (-> Int (-> Int Int)) (lambda ((_arg_1 Int) (_arg_2 Int)) 0)))",
        "((define-fun e ((_arg_1 Int) (_arg_2 Int)) Int 0))",
        "((define-fun e () (-> Int (-> Int Int)) ((as const (-> Int (-> Int Int))) ((as const (-> Int Int)) 0))))",
        // Not equal to the lambda, so that the other assertion is false.
        "((define-fun e () (-> Int Int Int) (lambda ((f Int) (g Int)) 1)))",
        "((define-fun e () (-> Int Int Int) (lambda ((f Int) (g Int)) (ite (= f 7) 1 0))))",
    ] {
        assert_eq!(verdict(CONSTANT, model), "false", "{model}");
    }
    assert_eq!(verdict(CONSTANT, "()"), "the model does not say what e is");
}

#[test]
fn combinators_are_evaluated() {
    let script = "(declare-sort U 0) (declare-fun a () U) (define-fun K ((x U) (y U)) U x)
        (define-fun S ((f (-> U (-> U U))) (g (-> U U)) (x U)) U (f x (g x)))
        (assert (not (= (S (lambda ((x U)) (lambda ((y U)) (K x y))) (lambda ((x U)) (K x a)) a) a)))";
    assert_eq!(verdict(script, "((define-fun a () U (as @U_0 U)))"), "false");
    assert_eq!(verdict(script, "((declare-fun U!val!3 () U) (define-fun a () U U!val!3))"), "false");
}

#[test]
fn functions_are_partially_applied() {
    let script =
        "(declare-fun f (Int Int) Int)(declare-const g (-> Int Int))(declare-const h (-> Int Int Int))";
    let model = "((define-fun f ((x Int) (y Int)) Int (+ x (* 2 y)))
        (define-fun g () (-> Int Int) (lambda ((y Int)) (+ 1 (* 2 y))))
        (define-fun h () (-> Int Int Int) (lambda ((x Int) (y Int)) (- x y))))";
    for (assertion, expected) in [
        ("(= ((f 1) 5) 11)", "true"),
        ("(= ((f 1) 5) (g 5))", "true"),
        ("(= ((h 1) 5) (- 4))", "true"),
        ("(= (h 1 5) 4)", "false"),
        ("(= (f 1) g)", "functions cannot be compared"),
        ("(= (f 2) g)", "false"),
        ("(= (h 1) (lambda ((z Int)) (- 1 z)))", "functions cannot be compared"),
        ("(= (h 1) (h 2))", "false"),
        ("(= (let ((k (f 3))) (k 1)) 5)", "true"),
        ("(= ((lambda ((k (-> Int Int)) (x Int)) (k (k x))) (f 1) 1) 7)", "true"),
        ("(= ((ite (= (g 0) 1) (f 1) (h 1)) 2) 5)", "true"),
    ] {
        assert_eq!(verdict(&format!("{script}(assert {assertion})"), model), expected, "{assertion}");
    }
}

#[test]
fn closures_are_compared_where_that_can_be_known() {
    let script = "(declare-const p (-> Bool Bool))(declare-const f (-> Int Int))(declare-const c Int)";
    let model = "((define-fun p () (-> Bool Bool) (lambda ((b Bool)) (not b)))
        (define-fun f () (-> Int Int) (lambda ((x Int)) (* x x)))
        (define-fun c () Int 3))";
    for (assertion, expected) in [
        ("(= p (lambda ((q Bool)) (ite q false true)))", "true"),
        ("(= p (lambda ((q Bool)) q))", "false"),
        ("(= f (lambda ((y Int)) (* y y)))", "true"),
        ("(= f (lambda ((y Int)) (+ y y)))", "false"),
        ("(= f (lambda ((y Int)) (* (- y) (- y))))", "functions cannot be compared"),
        (
            "(= (lambda ((y Int)) (+ y c)) (let ((d 3)) (lambda ((z Int)) (+ z d))))",
            "functions cannot be compared",
        ),
        ("(= (let ((d 3)) (lambda ((y Int)) (+ y d))) (let ((d c)) (lambda ((z Int)) (+ z d))))", "true"),
        ("(= (let ((d 4)) (lambda ((y Int)) (+ y d))) (let ((d c)) (lambda ((z Int)) (+ z d))))", "false"),
    ] {
        assert_eq!(verdict(&format!("{script}(assert {assertion})"), model), expected, "{assertion}");
    }
}

#[test]
fn arrays_are_given_as_functions() {
    let script = "(declare-const a (Array Int Int))";
    let model = "((define-fun k!0 ((x!0 Int)) Int (ite (= x!0 2) 5 7)) (define-fun a () (Array Int Int) (_ as-array k!0)))";
    for (assertion, expected) in [
        ("(= (select a 2) 5)", "true"),
        ("(= (select a 3) 5)", "false"),
        ("(= a (store ((as const (Array Int Int)) 7) 2 5))", "true"),
        ("(= a ((as const (Array Int Int)) 7))", "false"),
        ("(= (select (store a 3 1) 3) 1)", "true"),
        ("(= (store a 2 7) ((as const (Array Int Int)) 7))", "true"),
    ] {
        assert_eq!(verdict(&format!("{script}(assert {assertion})"), model), expected, "{assertion}");
    }
}
