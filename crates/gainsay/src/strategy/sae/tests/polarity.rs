//! Places of a formula have the polarity of their context.

use smt::write_term;

use crate::strategy::sae::polarity::Sign::{self, Minus, Plus};
use crate::strategy::sae::polarity::{Signs, Spots};

/// Formulas, and in each the places that have a polarity, in the order of the text.
const POLARITIES: &[(&str, &[(&str, Sign)])] = &[
    ("(and p (not q))", &[("(and p (not q))", Plus), ("p", Plus), ("(not q)", Plus), ("q", Minus)]),
    ("(=> p q r)", &[("(=> p q r)", Plus), ("p", Minus), ("q", Minus), ("r", Plus)]),
    ("(ite p q r)", &[("(ite p q r)", Plus), ("q", Plus), ("r", Plus)]),
    ("(xor p q)", &[("(xor p q)", Plus)]),
    ("(= p q)", &[("(= p q)", Plus)]),
    ("(h p)", &[("(h p)", Plus)]),
    ("(= i (ite p i 0))", &[("(= i (ite p i 0))", Plus)]),
    (
        "(not (forall ((z Bool)) z))",
        &[("(not (forall ((z Bool)) z))", Plus), ("(forall ((z Bool)) z)", Minus), ("z", Minus)],
    ),
    (
        "(let ((z p)) (not z))",
        &[("(let ((z p)) (not z))", Plus), ("p", Minus), ("(not z)", Plus), ("z", Minus)],
    ),
    ("(let ((z p)) (= z q))", &[("(let ((z p)) (= z q))", Plus), ("(= z q)", Plus)]),
    (
        "(let ((z p)) (or z (not z)))",
        &[
            ("(let ((z p)) (or z (not z)))", Plus),
            ("(or z (not z))", Plus),
            ("z", Plus),
            ("(not z)", Plus),
            ("z", Minus),
        ],
    ),
    // The inner variable hides the outer one, whose polarity that of the inner's term is.
    (
        "(let ((z p)) (let ((z (not z))) (not z)))",
        &[
            ("(let ((z p)) (let ((z (not z))) (not z)))", Plus),
            ("p", Plus),
            ("(let ((z (not z))) (not z))", Plus),
            ("(not z)", Minus),
            ("z", Plus),
            ("(not z)", Plus),
            ("z", Minus),
        ],
    ),
    ("(let ((z p)) q)", &[("(let ((z p)) q)", Plus), ("q", Plus)]),
    ("(! (and p q) :named n)", &[("(and p q)", Plus), ("p", Plus), ("q", Plus)]),
    ("(and (! p :named n) n)", &[("n", Plus)]),
];

#[test]
fn places_have_the_polarity_of_their_context() {
    for (assertion, expected) in POLARITIES {
        let text = format!(
            "(declare-const p Bool)(declare-const q Bool)(declare-const r Bool)(declare-const i Int)
             (declare-fun h (Bool) Bool)(assert {assertion})"
        );
        let script = smt::read(text.as_bytes()).expect("well-sorted");
        let mut signs = Signs::default();
        signs.learn(&script.pool);
        let spots = Spots::of(&script, &signs, |_| 1, |_| true);
        let found: Vec<_> = spots.0.iter().filter(|spot| spot.free).collect();
        let found: Vec<_> =
            found.iter().map(|spot| (write_term(&script.pool, spot.term), spot.sign)).collect();
        let found: Vec<_> = found.iter().map(|(term, sign)| (term.as_str(), *sign)).collect();
        assert_eq!(found, *expected, "{assertion}");
    }
}
