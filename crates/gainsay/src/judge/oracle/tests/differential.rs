//! The oracle `differential`: answers that contradict each other accuse only by evidence.

use super::{NOTHING, X, is_negation, judged, judged_by, plainly};
use crate::judge::Budget;
use crate::judge::probe::Probe;

#[test]
fn what_is_no_answer_is_no_evidence() {
    let right = "sat model: ((define-fun x () Int 6))";
    for other in ["TIME", "MEMORY", "unknown", "KILL", "TERM", "timeout", "(error \"line 1: unsupported\")"] {
        let found = plainly(X, &[("z3", right), ("yices", other)]);
        assert_eq!(found, NOTHING, "{other}");
    }
    // An answer after an error is none.
    let found = plainly(X, &[("z3", right), ("cvc4", "(error \"no\")\nunsat")]);
    assert_eq!(found, NOTHING);
    // What a limit cut short is compared as far as it goes.
    let two = "(declare-const p Bool)(assert p)(check-sat)(assert (not p))(check-sat)";
    let p = "sat model: ((define-fun p () Bool true)) next: unsat";
    assert_eq!(plainly(two, &[("z3", p), ("cvc5", "sat")]), NOTHING);
}

#[test]
fn sat_against_unsat_needs_a_model() {
    let right = "sat model: ((define-fun x () Int 6))";
    let row = [("z3", right), ("cvc5", "unsat")];
    // The accused contradicts itself when the model is written in.
    let itself = |p: &Probe| if p.script.contains("(define-fun x () Int 6)") { "sat" } else { "unknown" };
    assert_eq!(judged(X, vec![], &row, &itself), ["soundness cvc5"]);
    // It insists, and only the solver that gave the model says sat: nobody confirms our evaluation.
    let insists = |p: &Probe| if p.whom == 1 || is_negation(p) { "unsat" } else { "sat" };
    assert_eq!(judged(X, vec![], &row, &insists), ["unconfirmed nobody"]);
    // Another release of the make that gave the model does not confirm it either.
    let release = [("z3", right), ("cvc5", "unsat"), ("z3@4.8.7", "unknown")];
    assert_eq!(judged(X, vec![], &release, &insists), ["unconfirmed nobody"]);
    // A third make does.
    let third = [("z3", right), ("cvc5", "unsat"), ("yices", "unknown")];
    assert_eq!(judged(X, vec![], &third, &insists), ["soundness cvc5"]);
    // But not if it says sat to everything.
    let liar = |p: &Probe| if p.whom == 1 { "unsat" } else { "sat" };
    assert_eq!(judged(X, vec![], &third, &liar), ["unconfirmed nobody"]);
    // It insists, and nobody else says anything.
    let alone = |p: &Probe| if p.whom == 1 { "unsat" } else { "unknown" };
    assert_eq!(judged(X, vec![], &row, &alone), ["unconfirmed nobody"]);
    // It insists, and another agrees with it: the meaning is disputed. No majority votes.
    let three = [("z3", right), ("cvc5", "unsat"), ("yices", "unsat")];
    let both = |p: &Probe| if p.whom == 0 { "sat" } else { "unsat" };
    assert_eq!(judged(X, vec![], &three, &both), ["disagreement nobody"]);
    // No model, no accusation.
    assert_eq!(plainly(X, &[("z3", "sat"), ("cvc5", "unsat")]), ["disagreement nobody"]);
}

#[test]
fn the_status_of_a_script_is_no_evidence() {
    let script = "(set-info :status unsat)(declare-const x Int)(assert (> x 5))(check-sat)";
    assert_eq!(plainly(script, &[("z3", "sat")]), NOTHING);
}

#[test]
fn a_model_in_an_old_spelling_is_written_in_as_the_standard_spells_it() {
    let script = "(declare-const s String)(assert (= (str.len s) 1))(check-sat)";
    let old = "sat model: ((define-fun s () String \"\\x00\"))";
    let confirms = |p: &Probe| match p.script.contains("\\u{0}") && p.whom == 2 {
        true if is_negation(p) => "unsat",
        true => "sat",
        false => "unknown",
    };
    let row = [("z3@4.8.7", old), ("cvc5", "unsat"), ("yices", "unknown")];
    assert_eq!(judged(script, vec![], &row, &confirms), ["soundness cvc5"]);
    assert_eq!(judged(script, vec![], &row, &|_| "unknown"), ["unconfirmed nobody"]);
}

#[test]
fn a_solver_of_the_same_family_is_no_second_voice_but_may_deny() {
    let model = "sat model: ((define-fun x () Int 6))";
    // The third solver confirms the model of the first, or says the contrary.
    let rows = [
        ("cvc4@1.8", "cvc5", "sat", "unconfirmed nobody"),
        ("cvc5", "cvc4@1.8", "sat", "unconfirmed nobody"),
        ("cvc5", "cvc5@1.0.3", "sat", "unconfirmed nobody"),
        ("cvc5", "yices", "sat", "soundness z3"),
        // The accused is of the family, and the giver is not.
        ("yices", "cvc5", "sat", "soundness z3"),
        ("yices", "cvc5", "unsat", "disagreement nobody"),
    ];
    for (giver, other, says, expected) in rows {
        let again = |p: &Probe| match (p.whom, is_negation(p)) {
            (1, _) => "unsat",
            (2, false) => says,
            (2, true) => "unsat",
            _ => "unknown",
        };
        let found = judged(X, vec![], &[(giver, model), ("z3", "unsat"), (other, "unknown")], &again);
        assert_eq!(found, [expected], "{giver} {other} {says}");
    }
    // cvc5 denies what is held against cvc4: they are of one family, but not of one make.
    let rows = [
        ("yices", "soundness cvc4@1.8"),
        ("cvc5", "disagreement nobody"),
        ("cvc4@1.7", "unconfirmed nobody"),
    ];
    for (other, expected) in rows {
        let says = if other == "yices" { "sat" } else { "unsat" };
        let again = |p: &Probe| match (p.whom, is_negation(p)) {
            (1, _) => "unsat",
            (2, false) => says,
            (2, true) => "unsat",
            _ => "unknown",
        };
        let found = judged(X, vec![], &[("z3", model), ("cvc4@1.8", "unsat"), (other, "unknown")], &again);
        assert_eq!(found, [expected], "{other}");
    }
    // Where a check is searched, one of the family that says unsat, too, is no second voice against a sat.
    let bits = "(declare-const x (_ BitVec 2))(assert (bvult x (bvand x x)))(check-sat)";
    for (other, expected) in [("cvc5", "unconfirmed nobody"), ("yices", "soundness cvc4@1.8")] {
        let runs = [("cvc4@1.8", "sat"), (other, "unsat")];
        let judges = |oracle: &crate::judge::oracle::Entry| oracle.name == "differential";
        let budget = Budget { assignments: 1000, ..Budget::NONE };
        let found = judged_by(&judges, (bits, vec![]), budget, &runs, &|_| "unknown");
        assert_eq!(found, [expected], "{other}");
    }
}
