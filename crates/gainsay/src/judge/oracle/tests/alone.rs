//! What one solver alone is blamed for: unknown and time-outs where the answer is known.

use super::{NOTHING, judged_by};
use crate::case::{Answer, CheckRef, Claim};
use crate::judge::Budget;
use crate::judge::oracle::Entry;
use crate::judge::probe::Probe;

const AND: &str = "(declare-const x Int)(assert (and (> x 5) (< x 9)))(check-sat)";

fn alone(claims: Vec<Claim>, printed: &str, again: &dyn Fn(&Probe) -> &'static str) -> Vec<String> {
    let judges = |o: &Entry| matches!(o.name, "incompleteness" | "performance");
    let budget = Budget { steps: 100, ..Budget::NONE };
    judged_by(&judges, (AND, claims), budget, &[("z3", printed)], again)
}

#[test]
fn unknown_and_time_outs_on_tests_by_construction() {
    let claims = || vec![Claim::Is(CheckRef::own(0), Answer::Sat)];
    assert_eq!(alone(claims(), "unknown", &|_| "unknown"), ["incompleteness z3"]);
    assert_eq!(alone(claims(), "TIME", &|_| "TIME"), ["performance z3"]);
    // Alone on the machine it answers.
    assert_eq!(alone(claims(), "TIME", &|_| "sat"), NOTHING);
    // Who had less time than the limits allow is not slow.
    assert_eq!(alone(claims(), "SHORT TIME", &|_| "TIME"), NOTHING);
    // Nothing is known of the answer.
    assert_eq!(alone(Vec::new(), "unknown", &|_| "unknown"), NOTHING);
    assert_eq!(alone(Vec::new(), "TIME", &|_| "TIME"), NOTHING);
}

#[test]
fn the_same_formula_asked_otherwise() {
    let seeded = |p: &Probe| p.seed.is_some();
    let rewritten = |p: &Probe| p.script != AND;
    let ways: [&dyn Fn(&Probe) -> bool; 2] = [&seeded, &rewritten];
    for is_other in ways {
        let unknown = |p: &Probe| if is_other(p) { "unknown" } else { "sat" };
        assert_eq!(alone(Vec::new(), "sat", &unknown), ["incompleteness z3"]);
        let slow = |p: &Probe| if is_other(p) { "TIME" } else { "sat" };
        assert_eq!(alone(Vec::new(), "sat", &slow), ["performance z3"]);
        let better = |p: &Probe| if is_other(p) { "sat" } else { "unknown" };
        assert_eq!(alone(Vec::new(), "unknown", &better), ["incompleteness z3"]);
    }
    assert_eq!(alone(Vec::new(), "sat", &|_| "sat"), NOTHING);
}
