//! The oracle `constructed`: what is known by construction is checked before it accuses.

use super::{NOTHING, X, is_negation, judged};
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
    // One that says unsat to the negation, too, does not count.
    let liar = judged(X, unsat(), &both, &|p| if is_negation(p) { "unsat" } else { "unknown" });
    assert!(liar.iter().all(|found| found.ends_with("nobody")), "{liar:?}");
    // A third make that says sat acquits.
    for said in ["sat", "unknown"] {
        let three = [("z3", "sat"), ("cvc5", "unsat"), ("yices", said)];
        let found = judged(X, unsat(), &three, &|_| "unknown");
        assert_eq!(found.iter().any(|f| f.starts_with("soundness")), said != "sat", "{said}: {found:?}");
    }
    // A witness is evaluated.
    let witness = |text: &str| vec![Claim::Witness(own, text.to_owned())];
    let good = witness("((define-fun x () Int 6))");
    assert_eq!(judged(X, good, &[("z3", "unsat")], &|_| "sat"), ["soundness z3"]);
    let bad = witness("((define-fun x () Int 5))");
    assert_eq!(judged(X, bad, &[("z3", "unsat")], &|_| "sat"), NOTHING);
}
