//! The oracle `constructed`: what is known by construction is checked before it accuses.

use super::{NOTHING, X, judged};
use crate::case::{Answer, CheckRef, Claim};

#[test]
fn claims_are_checked_before_they_convict() {
    let own = CheckRef::own(0);
    let unsat = || vec![Claim::Is(own, Answer::Unsat)];
    // A model refutes the claim: nobody is accused.
    let right = ("z3", "sat model: ((define-fun x () Int 6))");
    assert_eq!(judged(X, unsat(), &[right], &|_| "unknown"), NOTHING);
    // Nobody supports the claim, and the model cannot be refuted.
    assert_eq!(judged(X, unsat(), &[("z3", "sat")], &|_| "unknown"), ["unconfirmed nobody"]);
    // Another solver does.
    let both = [("z3", "sat"), ("cvc5", "unsat")];
    let found = judged(X, unsat(), &both, &|_| "unknown");
    assert!(found.contains(&"soundness z3".to_owned()), "{found:?}");
    // A witness is evaluated.
    let witness = |text: &str| vec![Claim::Witness(own, text.to_owned())];
    let good = witness("((define-fun x () Int 6))");
    assert_eq!(judged(X, good, &[("z3", "unsat")], &|_| "sat"), ["soundness z3"]);
    let bad = witness("((define-fun x () Int 5))");
    assert_eq!(judged(X, bad, &[("z3", "unsat")], &|_| "sat"), NOTHING);
}
