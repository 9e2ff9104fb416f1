//! The oracle `core`: cores that are satisfiable, or larger than claimed.

use super::{Entry, NOTHING, judged, judged_by};
use crate::case::{CheckRef, Claim};
use crate::judge::Budget;
use crate::judge::probe::Probe;

const NAMED: &str = "(declare-const x Int)(assert (> x 3))(assert (! (< x 2) :named a))(assert (! (> x 0) :named |b c|))\
                     (assert (! (< x 9) :named d))(check-sat)";

#[test]
fn a_core_has_what_has_no_name() {
    // `(a)` is a core, because `(> x 3)` has no name.
    let sat = |p: &Probe| {
        let all = p.script.contains("(> x 3)") && p.script.contains("(< x 2)");
        if all { "unsat" } else { "sat model: ((define-fun x () Int 4))" }
    };
    assert_eq!(judged(NAMED, vec![], &[("z3", "unsat core: (a)")], &sat), NOTHING);
    assert_eq!(judged(NAMED, vec![], &[("z3", "unsat core: (|b c| d)")], &sat), ["wrong-core z3"]);
    // An element that is no name may stand for several names.
    assert_eq!(judged(NAMED, vec![], &[("z3", "unsat core: (|b c| (and a d))")], &sat), NOTHING);
    // So may a name that the script does not give, and a literal that is not assumed.
    for core in ["unsat core: (|b c| k!0)", "unsat core: (|b c| (not p))", "unsat core: (|b c| (not a))"] {
        assert_eq!(judged(NAMED, vec![], &[("z3", core)], &sat), NOTHING, "{core}");
    }
    let assumed = NAMED.replace("(check-sat)", "(check-sat-assuming ((not p) q))");
    let assumed = format!("(declare-const p Bool)(declare-const q Bool){assumed}");
    for (core, found) in [
        ("unsat core: (d (not p))", vec!["wrong-core z3"]),
        ("unsat core: (d q)", vec!["wrong-core z3"]),
        ("unsat core: (d (not q))", vec![]),
        ("unsat core: (d p)", vec![]),
    ] {
        let sat = |p: &Probe| {
            let all = p.script.contains("(< x 2)");
            if all {
                "unsat"
            } else {
                "sat model: ((define-fun x () Int 4) (define-fun p () Bool false) (define-fun q () Bool true))"
            }
        };
        assert_eq!(judged(&assumed, vec![], &[("z3", core)], &sat), found, "{core}");
    }
    // That it is sat must be shown by a model, not by somebody's word.
    assert_eq!(judged(NAMED, vec![], &[("z3", "unsat core: (d)")], &|_| "sat"), NOTHING);
    let minimal = vec![Claim::Core(CheckRef::own(0), vec!["a".to_owned()])];
    let row = |name: &'static str| [(name, "unsat core: (a |b c|)")];
    // Only who was asked for a minimal core can miss it; and nobody is asked what the claim says.
    assert_eq!(judged(NAMED, minimal.clone(), &row("z3"), &|_| "unsat"), NOTHING);
    let asked = "cvc5 minimal-cores";
    assert_eq!(judged(NAMED, minimal, &row(asked), &|_| unreachable!()), ["imprecision cvc5 minimal-cores"]);
}

/// A solver that shares equal terms tells a formula by its first name, even if that assertion was popped.
#[test]
fn a_formula_with_two_names_is_told_by_either() {
    let twice = "(set-option :global-declarations true)(declare-const x Int)(push 1)(assert (! (< x 2) :named a))\
                 (check-sat)(pop 1)(assert (! (< x 2) :named b))(assert (! (> x 3) :named c))\
                 (assert (! (< x 9) :named d))(check-sat)";
    let sat = |p: &Probe| {
        let all = p.script.contains("(> x 3)") && p.script.contains("(< x 2)");
        if all { "unsat" } else { "sat model: ((define-fun x () Int 4))" }
    };
    let told = |core: &'static str| judged(twice, vec![], &[("z3", core)], &sat);
    assert_eq!(told("sat next: unsat core: (a c)"), NOTHING);
    assert_eq!(told("sat next: unsat core: (b c)"), NOTHING);
    assert_eq!(told("sat next: unsat core: (c d)"), ["wrong-core z3"]);
}

#[test]
fn a_model_in_an_old_spelling_shows_that_a_core_is_satisfiable() {
    let script = "(declare-const s String)(declare-const t String)(assert (! (= t \"ab\") :named a))\
                  (assert (! (= (str.at s 0) t) :named b))(assert (! (= (str.len s) 1) :named c))(check-sat)";
    let old = "sat model: ((define-fun s () String \"\\x00\") (define-fun t () String \"ab\"))";
    let far = "sat model: ((define-fun s () String \"\\u{100}\") (define-fun t () String \"ab\"))";
    // Who gives the core, who gives a model for it, and the model.
    let rows: [(&str, &str, &str, &[&str]); 4] = [
        ("z3@5.4.0", "z3@4.8.7", old, &["wrong-core z3@5.4.0"]),
        ("z3@5.4.0", "cvc5", far, &["wrong-core z3@5.4.0"]),
        // A character that the release does not have, or would read as several.
        ("z3@4.8.7", "cvc5", far, &NOTHING),
        ("z3@4.8.7", "z3@4.8.6", old, &NOTHING),
    ];
    for (accused, giver, model, expected) in rows {
        // What is written in is as the standard spells it.
        let again = |p: &Probe| match (p.whom, p.script.contains("define-fun s () String \"\\u{")) {
            (0, true) => "sat",
            (1, false) => model,
            _ => "unknown",
        };
        let runs = [(accused, "unsat core: (a c)"), (giver, "unsat")];
        assert_eq!(judged(script, vec![], &runs, &again), expected, "{accused} {giver} {model}");
    }
}

#[test]
fn whoever_of_another_make_says_unsat_ends_the_search_for_a_model() {
    let model = "sat model: ((define-fun x () Int 4))";
    // What the accused, a release of its make, cvc5 and yices say of the part; who is asked; and what is found.
    let rows: [([&'static str; 4], &[usize], &[&str]); 5] = [
        (["unsat", "unsat", "unsat", model], &[0, 1, 2], &NOTHING),
        (["unsat", "unsat", "unknown", "unsat"], &[0, 1, 2, 3], &NOTHING),
        (["unsat", "unsat", "unknown", model], &[0, 1, 2, 3], &["wrong-core z3"]),
        (["unsat", model, "unsat", "unsat"], &[0, 1], &["wrong-core z3"]),
        ([model, "unsat", "unsat", "unsat"], &[0], &["wrong-core z3"]),
    ];
    for (says, expected, found) in rows {
        let asked = std::cell::RefCell::new(Vec::new());
        let again = |p: &Probe| {
            if p.script.contains("define-fun x") {
                return if p.whom == 0 { "sat" } else { "unknown" };
            }
            if !p.script.contains(":named a)") {
                asked.borrow_mut().push(p.whom);
            }
            says[p.whom]
        };
        let runs = [("z3", "unsat core: (d)"), ("z3@4.8.7", "unsat"), ("cvc5", "unsat"), ("yices", "unsat")];
        let core = &|entry: &Entry| entry.name == "core";
        assert_eq!(judged_by(core, (NAMED, vec![]), Budget::NONE, &runs, &again), found, "{says:?}");
        assert_eq!(*asked.borrow(), expected, "{says:?}");
    }
}
