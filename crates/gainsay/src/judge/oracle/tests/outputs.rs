//! What solvers print for commands of the script: values, second models, assignments, assumptions, terms, goals, information.

use super::{NOTHING, complaints, judged, said, solver};
use crate::case::{Case, Lineage};
use crate::judge::probe::Probe;
use crate::judge::{Budget, Trial};

/// What the oracle of a name says of a script of z3, given what z3 printed and what it prints when it is asked again.
fn by(name: &str, script: &str, printed: &str, again: &dyn Fn(&Probe) -> &'static str) -> Vec<String> {
    let case = Case {
        script: smt::read(script.as_bytes()).expect(script),
        others: Vec::new(),
        claims: Vec::new(),
        lineage: Lineage::default(),
    };
    let solvers = [solver("z3")];
    let mut trial = Trial::new(&case, script, &solvers, vec![Some(said(&solvers[0], printed))]);
    trial.budget = Budget { assignments: 1000, ..Budget::NONE };
    complaints(&|o| o.name == name, &trial, &["z3"], again)
}

fn never(probe: &Probe) -> &'static str {
    panic!("asked {}", probe.script)
}

const X: &str = "(declare-const x Int)(declare-fun f (Int) Int)(assert (> x 5))(check-sat)(get-value (x (+ x 1)))(get-value ((+ x 1)))";
const SEVEN: &str = "sat model: ((define-fun x () Int 7))";

#[test]
fn a_value_is_that_of_the_model() {
    let rows: &[(&str, &[&str])] = &[
        ("asked: get-value ((x 7) ((+ x 1) 8))", &NOTHING),
        ("asked: get-value ((x 7) ((+ x 1) 9))", &["wrong-output z3"]),
        ("asked: get-value ((x 8) ((+ x 1) 8))", &["wrong-output z3"]),
        // The second command is compared, too.
        ("asked: get-value ((x 7) ((+ x 1) 8)) asked: get-value (((+ x 1) 0))", &["wrong-output z3"]),
        // What is no value, or not the answer to the question, says nothing.
        ("asked: get-value ((x 7) ((+ x 1) (+ 1 x)))", &NOTHING),
        ("asked: get-value ((x 9))", &NOTHING),
        ("asked: get-value (error \"no model\")", &NOTHING),
        ("asked: get-value ((x 7) ((+ x 1) nonsense))", &NOTHING),
    ];
    for (printed, expected) in rows {
        let printed = format!("{SEVEN} {printed}");
        assert_eq!(by("value", X, &printed, &|_| "unsat"), *expected, "{printed}");
    }
    let wrong = format!("{SEVEN} asked: get-value ((x 8) ((+ x 1) 8))");
    // Nobody else speaks: the accused insists, or says nothing.
    assert_eq!(by("value", X, &wrong, &|_| "sat"), ["unconfirmed nobody"]);
    assert_eq!(by("value", X, &wrong, &|_| "unknown"), ["unconfirmed nobody"]);
    // Without a model there is nothing to compare with, and what a model does not say is open.
    assert_eq!(by("value", X, "sat asked: get-value ((x 8) ((+ x 1) 8))", &never), NOTHING);
    let open = "(declare-const x Int)(assert (= x 0))(check-sat)(get-value ((div 1 x)))";
    let zero = "sat model: ((define-fun x () Int 0)) asked: get-value (((div 1 x) 5))";
    assert_eq!(by("value", open, zero, &never), NOTHING);
}

#[test]
fn one_term_has_one_value() {
    let twice = "(declare-const x Int)(check-sat)(get-value (x))(get-value (x))";
    let rows: &[(&str, &[&str])] = &[
        ("sat asked: get-value ((x 1)) asked: get-value ((x 2))", &["wrong-output z3"]),
        ("sat asked: get-value ((x 1)) asked: get-value ((x 1))", &NOTHING),
        ("sat asked: get-value ((x 1)) asked: get-value ((x (+ 0 1)))", &NOTHING),
        ("sat asked: get-value ((x 1)) asked: get-value (error \"too late\")", &NOTHING),
    ];
    for (printed, expected) in rows {
        assert_eq!(by("value", twice, printed, &|_| "unsat"), *expected, "{printed}");
    }
    // Another check may have another model.
    let checks = "(declare-const x Int)(check-sat)(get-value (x))(check-sat)(get-value (x))";
    let printed = "sat asked: get-value ((x 1)) next: sat asked: get-value ((x 2))";
    assert_eq!(by("value", checks, printed, &never), NOTHING);
}

#[test]
fn two_models_of_one_check_are_the_same() {
    let script = "(declare-const x Int)(declare-fun f (Int) Int)(assert (> (f x) 5))(check-sat)(get-model)";
    let first = "sat model: ((define-fun x () Int 1) (define-fun f ((a Int)) Int 7)) asked: get-model";
    let rows: &[(&str, &[&str])] = &[
        ("((define-fun f ((b Int)) Int 7) (define-fun x () Int 1))", &NOTHING),
        ("((define-fun x () Int 1) (define-fun f ((a Int)) Int 8))", &["wrong-output z3"]),
        ("((define-fun x () Int 2) (define-fun f ((a Int)) Int 7))", &["wrong-output z3"]),
        // They differ where nobody looks.
        ("((define-fun x () Int 1) (define-fun f ((a Int)) Int (ite (= a 1) 7 0)))", &NOTHING),
        ("((define-fun x () Int 1))", &NOTHING),
    ];
    for (second, expected) in rows {
        let printed = format!("{first} {second}");
        assert_eq!(by("second-model", script, &printed, &|_| "unsat"), *expected, "{second}");
    }
}

#[test]
fn an_assignment_agrees_with_the_model() {
    let script = "(declare-const p Bool)(declare-const q Bool)(assert (! (or p q) :named a))\
                  (assert (or (! q :named |b c|) p))(check-sat)(get-assignment)";
    let model = "sat model: ((define-fun p () Bool true) (define-fun q () Bool false)) asked: get-assignment";
    let rows: &[(&str, &[&str])] = &[
        ("((a true) (|b c| false))", &NOTHING),
        ("((a true) (|b c| true))", &["wrong-output z3"]),
        ("((a false))", &["wrong-output z3"]),
        ("((unheard false))", &NOTHING),
        ("((a unknown))", &NOTHING),
        ("()", &NOTHING),
    ];
    for (printed, expected) in rows {
        let printed = format!("{model} {printed}");
        assert_eq!(by("assignment", script, &printed, &|_| "unsat"), *expected, "{printed}");
    }
}

#[test]
fn assumptions_are_some_of_the_check_and_suffice() {
    let script = "(declare-const p Bool)(declare-const q Bool)(declare-const r Bool)(assert (not (and p q)))\
                  (check-sat-assuming (p q r))(get-unsat-assumptions)";
    let again = |probe: &Probe| {
        let all = ["(check-sat-assuming (p q", "(check-sat-assuming (q p"];
        if all.iter().any(|both| probe.script.contains(both)) {
            return "unsat";
        }
        "sat model: ((define-fun p () Bool true) (define-fun q () Bool false) (define-fun r () Bool true))"
    };
    let rows: &[(&str, &[&str])] = &[
        ("(p q)", &NOTHING),
        ("(q p)", &NOTHING),
        ("(p r)", &["wrong-core z3"]),
        ("()", &["wrong-core z3"]),
        ("(p q r)", &NOTHING),
        // None of these is assumed.
        ("(p (not q))", &["wrong-core z3"]),
        // Nobody of us understands it.
        ("(p (and q r))", &NOTHING),
        ("(nonsense)", &NOTHING),
    ];
    for (printed, expected) in rows {
        let printed = format!("unsat asked: get-unsat-assumptions {printed}");
        assert_eq!(by("assumptions", script, &printed, &again), *expected, "{printed}");
    }
    // That they do not suffice must be shown by a model, not by somebody's word.
    assert_eq!(by("assumptions", script, "unsat asked: get-unsat-assumptions (p)", &|_| "sat"), NOTHING);
    assert_eq!(by("assumptions", script, "sat asked: get-unsat-assumptions (p)", &never), NOTHING);
}

#[test]
fn a_simplified_term_has_the_same_values() {
    let script =
        "(declare-const x (_ BitVec 8))(declare-const n Int)(simplify (bvadd x #x01))(simplify (div n n))";
    let rows: &[(&str, &str, &[&str])] = &[
        ("(bvadd #x01 x) asked: simplify (div n n)", "sat", &NOTHING),
        ("(bvadd #x02 x) asked: simplify (div n n)", "sat", &["wrong-rewriting z3"]),
        // It is wrong at one point only.
        ("(ite (= x #x80) #x00 (bvadd #x01 x)) asked: simplify (div n n)", "sat", &["wrong-rewriting z3"]),
        // At zero the standard leaves the value open.
        ("(bvadd #x01 x) asked: simplify (ite (= n 0) 5 1)", "sat", &NOTHING),
        ("(bvadd #x01 x) asked: simplify 1", "sat", &NOTHING),
        ("(bvadd #x01 x) asked: simplify (ite (= n 0) 5 2)", "sat", &["wrong-rewriting z3"]),
        // The solver insists that both are equal.
        ("(bvadd #x02 x) asked: simplify 1", "unsat", &["unconfirmed nobody"]),
        ("(nonsense x) asked: simplify true", "sat", &NOTHING),
        ("(error \"line 1: no\") asked: simplify 1", "sat", &NOTHING),
    ];
    for (printed, again, expected) in rows {
        let again: &'static str = again;
        let found = by("rewriting", script, &format!("asked: simplify {printed}"), &|_| again);
        assert_eq!(found, *expected, "{printed}");
    }
    // After an error in the script its names may mean something else: cvc5 then left out a constant.
    let wrong = "asked: simplify (bvadd #x02 x) asked: simplify (div n n)";
    let refused = "(error \"Cannot bind x to symbol of type (_ BitVec 8)\")";
    assert_eq!(by("rewriting", script, &format!("{refused} {wrong}"), &|_| "sat"), NOTHING);
}

#[test]
fn goals_keep_what_their_tactic_promises() {
    let formula = "(declare-const x Int)(declare-const y Int)(assert (and (= x (+ y 1)) (> x 3)))";
    let precise = ":precision precise :depth 1";
    let rows: &[(&str, &str, &[&str])] = &[
        ("simplify", "(= x (+ 1 y)) (not (<= x 3))", &NOTHING),
        ("simplify", "(= x (+ 1 y))", &["wrong-rewriting z3"]),
        // What is eliminated may make it weaker, but not stronger.
        ("solve-eqs", "(> (+ y 1) 3)", &NOTHING),
        ("solve-eqs", "(> y 3)", &["wrong-rewriting z3"]),
        ("add-bounds", "(= x (+ y 1)) (> x 3) (< x 9)", &NOTHING),
        ("add-bounds", "(= x (+ y 1))", &["wrong-rewriting z3"]),
        ("elim-uncnstr", "(> y 100)", &NOTHING),
        ("elim-uncnstr", "false", &["wrong-rewriting z3"]),
        ("elim-uncnstr", "k!1", &NOTHING),
        ("(then simplify solve-eqs)", "(> y 3)", &["wrong-rewriting z3"]),
        ("unheard", "false", &NOTHING),
    ];
    for (tactic, goal, expected) in rows {
        let script = format!("{formula}(apply {tactic})");
        let printed = format!("asked: apply (goals (goal {goal} {precise}))");
        assert_eq!(by("rewriting", &script, &printed, &|_| "sat"), *expected, "{tactic} {goal}");
    }
    // A goal that is not precise promises less.
    let script = format!("{formula}(apply simplify)");
    let over = "asked: apply (goals (goal (= x (+ 1 y)) :precision over :depth 1))";
    assert_eq!(by("rewriting", &script, over, &never), NOTHING);
}

#[test]
fn output_changes_no_answer() {
    let script = "(declare-const p Bool)(assert p)(check-sat)(get-value (p))(assert (not p))(check-sat)";
    let proofs = "(set-option :produce-proofs true)(declare-const p Bool)(assert p)(check-sat)";
    let silent = "(declare-const p Bool)(assert p)(check-sat)(get-value (p))";
    let rows: &[(&str, &str, &'static str, &[&str])] = &[
        (script, "sat asked: get-value ((p true)) next: sat", "sat next: unsat", &["soundness z3"]),
        (script, "sat asked: get-value ((p true)) next: unsat", "sat next: unsat", &NOTHING),
        (script, "sat asked: get-value ((p true)) next: unknown", "sat next: unsat", &NOTHING),
        (proofs, "unsat", "sat model: ((define-fun p () Bool true))", &["soundness z3"]),
        (proofs, "unknown", "sat", &NOTHING),
        (proofs, "sat", "sat", &NOTHING),
    ];
    for (script, printed, again, expected) in rows {
        assert_eq!(by("outputs", script, printed, &|_| again), *expected, "{script} {printed}");
    }
    // Nothing is asked where output comes after the last check.
    assert_eq!(by("outputs", silent, "sat asked: get-value ((p true))", &never), NOTHING);
}

#[test]
fn information_is_a_list() {
    let script = "(check-sat)(get-info :all-statistics)(get-info :name)";
    let rows: &[(&str, &[&str])] = &[
        ("asked: get-info (:time 0.1 :memory 3)", &NOTHING),
        ("asked: get-info ()", &NOTHING),
        ("asked: get-info time 0.1", &["wrong-output z3"]),
        ("asked: get-info (time 0.1)", &["wrong-output z3"]),
        ("asked: get-info (:time 0.1", &["wrong-output z3"]),
        ("asked: get-info unsupported", &NOTHING),
        ("asked: get-info (:time 1) asked: get-info z3", &NOTHING),
    ];
    for (printed, expected) in rows {
        assert_eq!(by("information", script, &format!("sat {printed}"), &never), *expected, "{printed}");
    }
}

/// A core after a pop, with a formula that is asserted twice, and with assumptions.
#[test]
fn cores_of_sessions_are_judged_in_their_scope() {
    let script = "(declare-const x Int)(declare-const g Bool)(push 1)(assert (! (> x 9) :named gone))(pop 1)\
                  (assert (! (< x 2) :named a))(assert (! (< x 2) :named b))(assert (! (=> g (> x 3)) :named c))\
                  (check-sat-assuming (g))";
    let sat = |p: &Probe| {
        let all = p.script.contains("(< x 2)") && p.script.contains("(> x 3)");
        if all { "unsat" } else { "sat model: ((define-fun x () Int 5) (define-fun g () Bool true))" }
    };
    let told = |core: &'static str| judged(script, vec![], &[("z3", core)], &sat);
    assert_eq!(told("unsat core: (a c)"), NOTHING);
    assert_eq!(told("unsat core: (b c g)"), NOTHING);
    assert_eq!(told("unsat core: (gone c)"), ["wrong-core z3"]);
    assert_eq!(told("unsat core: (c g)"), ["wrong-core z3"]);
}
