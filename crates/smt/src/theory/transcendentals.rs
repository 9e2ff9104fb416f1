//! Transcendental functions: a value where it is rational and certain, a gap everywhere else, never an approximation.

use dashu_base::{Signed, SquareRootRem};
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

use super::{Op, REAL, op};
use crate::gap::Gap;
use crate::theory::call::Call;
use crate::value::Value;

pub(super) static OPS: &[Op] = &[
    op("sin", &[REAL], REAL, |c| known(c, 0, 0)).extension(),
    op("cos", &[REAL], REAL, |c| known(c, 0, 1)).extension(),
    op("tan", &[REAL], REAL, |c| known(c, 0, 0)).extension(),
    op("arcsin", &[REAL], REAL, |c| inverse(c, 0)).cvc5_only(),
    op("arccos", &[REAL], REAL, |c| inverse(c, 1)).cvc5_only(),
    op("arctan", &[REAL], REAL, |c| known(c, 0, 0)).cvc5_only(),
    op("asin", &[REAL], REAL, |c| inverse(c, 0)).z3_only(),
    op("acos", &[REAL], REAL, |c| inverse(c, 1)).z3_only(),
    op("atan", &[REAL], REAL, |c| known(c, 0, 0)).z3_only(),
    op("tanh", &[REAL], REAL, |c| known(c, 0, 0)).z3_only(),
    // z3 says sat both to `(= (sinh 0.0) 0.0)` and to its negation, and the like of the others.
    op("sinh", &[REAL], REAL, |_| untied("sinh")).z3_only(),
    op("cosh", &[REAL], REAL, |_| untied("cosh")).z3_only(),
    op("asinh", &[REAL], REAL, |_| untied("asinh")).z3_only(),
    op("acosh", &[REAL], REAL, |_| untied("acosh")).z3_only(),
    op("atanh", &[REAL], REAL, |_| untied("atanh")).z3_only(),
    // cvc5 reads these two as 1 divided by the sine, or the cosine by it, so that their value at 0 is open.
    op("csc", &[REAL], REAL, pole).cvc5_only(),
    op("cot", &[REAL], REAL, pole).cvc5_only(),
    op("sec", &[REAL], REAL, |c| known(c, 0, 1)).cvc5_only(),
    // cvc5 says sat both to `(= (arcsec 1.0) 0.0)` and to its negation.
    op("arccsc", &[REAL], REAL, |_| untied("arccsc")).cvc5_only(),
    op("arcsec", &[REAL], REAL, |_| untied("arcsec")).cvc5_only(),
    op("arccot", &[REAL], REAL, |_| untied("arccot")).cvc5_only(),
    op("exp", &[REAL], REAL, |c| known(c, 0, 1)).extension().since("z3", "5.4.0"),
    op("sqrt", &[REAL], REAL, sqrt).cvc5_only(),
    op("real.pi", &[], REAL, |_| IRRATIONAL).cvc5_only(),
    op("pi", &[], REAL, |_| IRRATIONAL).z3_only(),
    op("euler", &[], REAL, |_| IRRATIONAL).z3_only(),
];

const IRRATIONAL: Result<Value, Gap> = Err(Gap::Inexact("a transcendental"));

/// A function with the rational value `value` at `at`; elsewhere its value is irrational, or we do not know.
fn known(c: &Call, at: u8, value: u8) -> Result<Value, Gap> {
    if *c.real(0)? == RBig::from(at) { Ok(Value::Real(RBig::from(value))) } else { IRRATIONAL }
}

/// The inverse of sine or cosine, which is 0 at `zero` and open outside of -1 to 1.
fn inverse(c: &Call, zero: u8) -> Result<Value, Gap> {
    let x = c.real(0)?;
    if *x > RBig::ONE || *x < -RBig::ONE {
        return Err(Gap::LeftToModel("the inverse of sine or cosine outside of its domain"));
    }
    known(c, zero, 0)
}

/// A function that its solver treats as any function: to hold it to its name would be a dispute over words.
fn untied(name: &'static str) -> Result<Value, Gap> {
    Err(Gap::LeftToModel(name))
}

fn pole(c: &mut Call) -> Result<Value, Gap> {
    if c.real(0)?.is_zero() { Err(Gap::LeftToModel("division by zero")) } else { IRRATIONAL }
}

/// Of a negative number it is left to the model.
fn sqrt(c: &mut Call) -> Result<Value, Gap> {
    let x = c.real(0)?;
    if x.is_negative() {
        return Err(Gap::LeftToModel("the root of a negative number"));
    }
    let (numerator, denominator) = x.clone().into_parts();
    let (_, numerator) = numerator.into_parts();
    match (perfect(&numerator), perfect(&denominator)) {
        (Some(n), Some(d)) => Ok(Value::Real(RBig::from_parts(IBig::from(n), d))),
        _ => Err(Gap::Inexact("a root")),
    }
}

fn perfect(n: &UBig) -> Option<UBig> {
    let (root, rest) = n.sqrt_rem();
    rest.is_zero().then_some(root)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::theory::tests::testing::{left_to_model, rational as q, value};

    type Ratio = (i64, i64);

    #[test]
    fn rational_values() {
        let rows: &[(&str, Ratio, Ratio)] = &[
            ("sin", (0, 1), (0, 1)),
            ("cos", (0, 1), (1, 1)),
            ("tan", (0, 1), (0, 1)),
            ("sec", (0, 1), (1, 1)),
            ("exp", (0, 1), (1, 1)),
            ("arcsin", (0, 1), (0, 1)),
            ("arccos", (1, 1), (0, 1)),
            ("arctan", (0, 1), (0, 1)),
            ("asin", (0, 1), (0, 1)),
            ("acos", (1, 1), (0, 1)),
            ("atan", (0, 1), (0, 1)),
            ("tanh", (0, 1), (0, 1)),
            ("sqrt", (4, 1), (2, 1)),
            ("sqrt", (1, 4), (1, 2)),
            ("sqrt", (0, 1), (0, 1)),
            ("sqrt", (18, 8), (3, 2)),
        ];
        for &(name, (n, d), (en, ed)) in rows {
            assert_eq!(value(name, &[], &[q(n, d)]), Ok(q(en, ed)), "{name} {n}/{d}");
        }
    }

    #[test]
    fn no_approximation() {
        for (name, n, d) in [
            ("sin", 1, 1),
            ("cos", 1, 1),
            ("exp", 1, 1),
            ("arcsin", 1, 1),
            ("arccos", 0, 1),
            ("atan", 1, 1),
            ("csc", 1, 1),
            ("sqrt", 2, 1),
            ("sqrt", 4, 3),
        ] {
            assert!(matches!(value(name, &[], &[q(n, d)]), Err(Gap::Inexact(_))), "{name} {n}/{d}");
        }
        for name in ["pi", "real.pi", "euler"] {
            assert!(matches!(value(name, &[], &[]), Err(Gap::Inexact(_))), "{name}");
        }
    }

    #[test]
    fn what_is_open() {
        for (name, n, d) in [
            ("sqrt", -4, 1),
            ("asin", 2, 1),
            ("arccos", -3, 2),
            ("csc", 0, 1),
            ("cot", 0, 1),
            ("arcsec", 1, 1),
            ("sinh", 0, 1),
            ("acosh", 1, 1),
        ] {
            assert!(left_to_model(&value(name, &[], &[q(n, d)])), "{name} {n}/{d}");
        }
    }
}
