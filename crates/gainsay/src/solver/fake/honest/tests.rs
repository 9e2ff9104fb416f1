//! What the honest solver replies, as transcripts.

use super::*;
use smt::sexpr::commands;

/// All replies to a script, on one line.
fn replies(script: &str) -> String {
    let mut honest = Honest::default();
    let mut out = String::new();
    for command in commands(script).expect(script) {
        if command.head.starts_with("check-sat") {
            let (errors, checked) = honest.check(command.text);
            out += &errors;
            out += &checked.map(Checked::answer).unwrap_or_default();
        } else {
            out += &honest.take(command.text);
        }
    }
    out += &honest.settle();
    out.split_whitespace().collect::<Vec<_>>().join(" ").replace("( ", "(").replace(" )", ")")
}

fn check(rows: &[(&str, &str)]) {
    for (script, told) in rows {
        assert_eq!(replies(script), *told, "{script}");
    }
}

#[test]
fn few_bits_are_decided() {
    check(&[
        ("(check-sat)", "sat"),
        ("(assert false)(check-sat)", "unsat"),
        ("(assert (= (+ 1 2) 3))(check-sat)", "sat"),
        (
            "(declare-const p Bool)(assert (not p))(check-sat)(get-model)",
            "sat ((define-fun p () Bool false))",
        ),
        ("(declare-const p Bool)(assert p)(assert (not p))(check-sat)", "unsat"),
        (
            "(declare-const |a b| (_ BitVec 4))(assert (= (bvmul |a b| #x3) #x1))(check-sat)(get-model)",
            "sat ((define-fun |a b| () (_ BitVec 4) #xb))",
        ),
        ("(declare-const x (_ BitVec 12))(assert (= (bvmul x x) #x002))(check-sat)", "unsat"),
        (
            "(declare-datatypes ((C 0)) (((red) (green))))(declare-const c C)(assert (not (= c red)))(check-sat)
            (get-model)",
            "sat ((define-fun c () C green))",
        ),
        (
            "(declare-const x (_ FloatingPoint 2 3))(assert (not (= x x)))(check-sat)
            (reset)(declare-const x (_ FloatingPoint 2 3))(assert (not (fp.eq x x)))(check-sat)(get-model)",
            "unsat sat ((define-fun x () (_ FloatingPoint 2 3) (_ NaN 2 3)))",
        ),
        (
            "(declare-const r RoundingMode)(assert (not (= r RNE)))(assert (not (= r RNA)))(check-sat)(get-model)",
            "sat ((define-fun r () RoundingMode RTP))",
        ),
        (
            "(declare-const x (_ FiniteField 5))(assert (= (ff.mul x x) (as ff4 (_ FiniteField 5))))(check-sat)",
            "sat",
        ),
        (
            "(declare-fun f (Bool) Bool)(assert (f true))(assert (not (f false)))(check-sat)(get-model)",
            "sat ((define-fun f ((x!0 Bool)) Bool (ite (= x!0 false) false true)))",
        ),
        (
            "(declare-fun f (Bool Bool) Bool)(assert (distinct (f true false) (f true false)))(check-sat)",
            "unsat",
        ),
        (
            "(declare-const a (Array Bool (_ BitVec 2)))(assert (distinct (select a true) (select a false)))
            (assert (= (select a true) #b10))(check-sat)",
            "sat",
        ),
        ("(declare-const s (Set Bool))(assert (= (set.card s) 3))(check-sat)", "unsat"),
        (
            "(declare-const p Bool)(assert (forall ((x (_ BitVec 3))) (=> p (bvult x #b111))))(assert p)(check-sat)",
            "unsat",
        ),
        (
            "(define-fun twice ((x (_ BitVec 2))) (_ BitVec 2) (bvadd x x))(declare-const y (_ BitVec 2))
            (assert (= (twice y) #b01))(check-sat)",
            "unsat",
        ),
        ("(declare-const x Int)(declare-const p Bool)(assert p)(check-sat)", "sat"),
    ]);
}

#[test]
fn all_else_is_unknown() {
    check(&[
        ("(declare-const x Int)(assert (= x x))(check-sat)", "unknown"),
        ("(declare-const x (_ BitVec 13))(assert (= x x))(check-sat)", "unknown"),
        (
            "(declare-const x (_ BitVec 8))(declare-const y (_ BitVec 5))(assert (bvult x ((_ zero_extend 3) y)))
            (check-sat)(get-info :reason-unknown)",
            "unknown (:reason-unknown \"more than 12 free bits\")",
        ),
        ("(declare-sort U 0)(declare-const u U)(assert (= u u))(check-sat)", "unknown"),
        ("(assert (forall ((x Int)) (= x x)))(check-sat)", "unknown"),
        ("(assert (= (div 1 0) 1))(check-sat)", "unknown"),
        ("(define-fun-rec f ((n Int)) Int (ite (<= n 0) 0 (f (- n 1))))(assert (= (f 3) 0))(check-sat)", "unknown"),
        ("(define-fun-rec f ((n Int)) Int (ite (<= n 0) 0 (f (- n 1))))(assert (= (f 3) 1))(check-sat)", "unsat"),
        ("(declare-const p Bool)(assert p)(minimize (ite p 1 0))(check-sat)", "unknown"),
        ("(declare-fun f ((_ BitVec 4)) Bool)(assert (f #x0))(check-sat)", "unknown"),
        ("(declare-const p Bool)(assert (no-such-command))(check-sat)", "unknown"),
        ("(no-such-command)(assert true)(check-sat)", "unknown"),
    ]);
}

#[test]
fn levels_come_and_go() {
    check(&[
        (
            "(declare-const p Bool)(push 1)(assert p)(push)(assert (not p))(check-sat)(pop 1)(check-sat)(pop)(check-sat)",
            "unsat sat sat",
        ),
        (
            "(push 2)(declare-const q Bool)(pop 2)(declare-const q (_ BitVec 2))(assert (= q #b01))(check-sat)",
            "sat",
        ),
        (
            "(set-option :global-declarations true)(push 1)(declare-const p Bool)(assert (not p))(pop 1)(assert p)(check-sat)",
            "sat",
        ),
        (
            "(declare-const p Bool)(check-sat-assuming (p (not p)))(get-unsat-core)(check-sat-assuming (p))(check-sat)",
            "unsat (p (not p)) sat sat",
        ),
        ("(assert false)(reset-assertions)(check-sat)(assert false)(reset)(check-sat)", "sat sat"),
        (
            "(pop 1)(push 1)(pop 2)(check-sat)",
            "(error \"line 1 column 1: invalid pop command, argument is greater than the current stack depth\") \
            (error \"line 1 column 1: invalid pop command, argument is greater than the current stack depth\") sat",
        ),
        (
            "(push 999999999999)(check-sat)",
            "(error \"line 1 column 1: invalid push command, argument is too large\") sat",
        ),
    ]);
}

#[test]
fn what_is_wrong_is_dropped_and_the_rest_goes_on() {
    check(&[
        (
            "(declare-const p Bool)(assert (and p 1))(assert p)(echo \"here\")(check-sat)",
            "(error \"line 2 column 9: and does not take (Bool Int); expected (Bool Bool ..) Bool\") here sat",
        ),
        (
            "(declare-const p Bool)(push 1)(assert (not p 1))(push 1)(assert p)(pop 1)(assert (not p))(check-sat)(pop 1)
            (assert p)(check-sat)",
            "(error \"line 2 column 9: not does not take (Bool Int); expected (Bool) Bool\") sat sat",
        ),
        (
            "(check-sat-assuming ((not 1)))(check-sat-assuming (nobody))(check-sat)",
            "(error \"line 1 column 22: not does not take (Int); expected (Bool) Bool\") unknown sat",
        ),
        ("(declare-const p Bool)(assert (p p))", "(error \"line 2 column 9: expected a function or an array before arguments, not a term of sort Bool\")"),
    ]);
}

#[test]
fn other_questions() {
    check(&[
        ("(get-model)", "(error \"line 1 column 1: model is not available\")"),
        ("(assert false)(check-sat)(get-model)", "unsat (error \"line 1 column 1: model is not available\")"),
        ("(check-sat)(get-unsat-core)", "sat (error \"line 1 column 1: unsat core is not available\")"),
        (
            "(declare-const x (_ BitVec 2))(assert (= x #b10))(check-sat)(get-value (x (bvadd x x) (+ 1 1)))",
            "sat ((x #b10) ((bvadd x x) #b00) ((+ 1 1) 2))",
        ),
        ("(get-value (1))", "(error \"line 1 column 1: model is not available\")"),
        (
            "(get-info :name)(get-info :error-behavior)(get-abduct)",
            "(:name \"fake\") (:error-behavior continued-execution) unsupported",
        ),
        ("(set-logic ALL)(set-option :produce-models true)(set-info :status sat)(check-sat)", "sat"),
    ]);
}

#[test]
fn cores_are_minimal_and_leave_out_what_has_no_name() {
    let script = "(declare-const p Bool)(declare-const q Bool)(declare-const r Bool)
        (assert (! p :named a))(assert (=> p q))(assert (! r :named b))(assert (! (not q) :named |c d|))";
    check(&[
        (&format!("{script}(check-sat)(get-unsat-core)"), "unsat (a |c d|)"),
        (&format!("{script}(check-sat-assuming ((not r) (not p)))(get-unsat-core)"), "unsat (b (not r))"),
        ("(assert (! true :named a))(assert false)(check-sat)(get-unsat-core)", "unsat ()"),
    ]);
}

#[test]
fn words_are_found_in_assertions_only() {
    let script =
        "(declare-const bvor (_ BitVec 4))(define-fun f ((x (_ BitVec 4))) Bool (bvult (bvmul x x) #x3))
        (push 1)(assert (= bvor (bvlshr bvor #x1)))(pop 1)
        (assert (let ((y ((_ extract 1 0) #x1))) (or (f #x2) (= y #b11))))";
    for (word, there) in [
        ("bvmul", true),
        ("extract", true),
        ("let", true),
        ("#b11", true),
        ("f", true),
        ("bvlshr", false),
        ("bv", false),
        ("bvor", false),
        ("forall", false),
    ] {
        let mut honest = Honest::default();
        for command in commands(script).expect("whole") {
            honest.take(command.text);
        }
        let (errors, checked) = honest.check("(check-sat)");
        assert_eq!(errors, "");
        assert_eq!(checked.expect("a check").contains(word), there, "{word}");
    }
}
