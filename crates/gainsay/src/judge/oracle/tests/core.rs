//! The oracle `core`: cores that are satisfiable, or larger than claimed.

use super::{NOTHING, judged};
use crate::case::{CheckRef, Claim};
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
    // That it is sat must be shown by a model, not by somebody's word.
    assert_eq!(judged(NAMED, vec![], &[("z3", "unsat core: (d)")], &|_| "sat"), NOTHING);
    let minimal = vec![Claim::Core(CheckRef::own(0), vec!["a".to_owned()])];
    let row = |name: &'static str| [(name, "unsat core: (a |b c|)")];
    // Only who was asked for a minimal core can miss it; and nobody is asked what the claim says.
    assert_eq!(judged(NAMED, minimal.clone(), &row("z3"), &|_| "unsat"), NOTHING);
    let asked = "z3 published";
    assert_eq!(judged(NAMED, minimal, &row(asked), &|_| unreachable!()), ["imprecision z3 published"]);
}
