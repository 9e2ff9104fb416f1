//! Reals, as far as they are rational.

use dashu_base::{Abs, BitTest, Signed};
use dashu_int::IBig;
use dashu_ratio::RBig;

use super::{BOOL, Departure, Identity, Op, REAL, Use, op};
use crate::gap::Gap;
use crate::theory::call::Call;
use crate::value::Value;

pub(super) static OPS: &[Op] = &[
    op("-", &[REAL], REAL, |c| real(-c.real(0)?.clone())).real_for_int(),
    op("~", &[REAL], REAL, |c| real(-c.real(0)?.clone())).z3_only(),
    op("-", &[REAL, REAL], REAL, |c| exact(c, |a, b| a - b)).real_for_int().left_assoc().at_least(2),
    op("+", &[REAL, REAL], REAL, |c| exact(c, |a, b| a + b))
        .monoid(Identity::Zero)
        .real_for_int()
        .left_assoc(),
    op("*", &[REAL, REAL], REAL, |c| exact(c, |a, b| a * b))
        .arithmetic(Use::Product)
        .monoid(Identity::One)
        .real_for_int()
        .left_assoc(),
    op("/", &[REAL, REAL], REAL, divide)
        .arithmetic(Use::Quotient)
        .real_for_int()
        .departs(Departure::Division)
        .left_assoc()
        .at_least(2),
    op("<=", &[REAL, REAL], BOOL, |c| Ok(Value::Bool(c.real(0)? <= c.real(1)?)))
        .arithmetic(Use::Comparison)
        .converse(">=")
        .real_for_int()
        .chainable(),
    op("<", &[REAL, REAL], BOOL, |c| Ok(Value::Bool(c.real(0)? < c.real(1)?)))
        .arithmetic(Use::Comparison)
        .converse(">")
        .real_for_int()
        .chainable(),
    op(">=", &[REAL, REAL], BOOL, |c| Ok(Value::Bool(c.real(0)? >= c.real(1)?)))
        .arithmetic(Use::Comparison)
        .converse("<=")
        .real_for_int()
        .chainable(),
    op(">", &[REAL, REAL], BOOL, |c| Ok(Value::Bool(c.real(0)? > c.real(1)?)))
        .arithmetic(Use::Comparison)
        .converse("<")
        .real_for_int()
        .chainable(),
    op("/_total", &[REAL, REAL], REAL, |c| if c.real(1)?.is_zero() { real(RBig::ZERO) } else { divide(c) })
        .cvc5_only()
        .since("cvc5", "1.4.2"),
    op("^", &[REAL, REAL], REAL, |c| {
        let exponent = c.real(1)?;
        if exponent.is_int() { power(c, exponent.numerator()) } else { Err(Gap::Inexact("a power")) }
    })
    .arithmetic(Use::Power)
    .extension()
    .constants(0b11)
    .constants_only("cvc5"),
    // The standard has it on integers only.
    op("abs", &[REAL], REAL, |c| real(c.real(0)?.clone().abs())).real_for_int().extension(),
    // The name under which z3's models give what the standard leaves open.
    op("/0", &[REAL, REAL], REAL, |c| {
        if !c.real(1)?.is_zero() {
            return Err(Gap::LeftToModel("division by zero of something else than zero"));
        }
        c.unspecified(&["/0"], "/0", c.args)
    })
    .z3_only()
    .only_in_models(),
];

pub(super) fn real(q: RBig) -> Result<Value, Gap> {
    Ok(Value::Real(q))
}

/// The bits of numerator and denominator.
fn size(q: &RBig) -> u64 {
    (q.numerator().bit_len() + q.denominator().bit_len()) as u64
}

/// Pays for a result that grows with both arguments, and for bringing it to lowest terms.
fn exact(c: &mut Call, f: fn(&RBig, &RBig) -> RBig) -> Result<Value, Gap> {
    let (a, b) = (c.real(0)?, c.real(1)?);
    let size = size(a) + size(b);
    c.build(size)?;
    c.pay((size / 64).saturating_mul(size / 64))?;
    real(f(a, b))
}

// SMT-LIB leaves `(/ x 0.0)` to the model.
fn divide(c: &mut Call) -> Result<Value, Gap> {
    if c.real(1)?.is_zero() {
        return c.unspecified(&["/0"], "division by zero", &c.args[..2]);
    }
    exact(c, |a, b| a / b)
}

/// Argument 0 to this power, for exponents of at least 1, and 0 where the base is not 0. cvc5 refuses negative
/// exponents; z3 gives 0 for `(^ 0.0 (- 1.0))`, which it may.
pub(super) fn power(c: &mut Call, exponent: &IBig) -> Result<Value, Gap> {
    let base = c.real(0)?;
    if exponent.is_negative() || (exponent.is_zero() && base.is_zero()) {
        return Err(Gap::LeftToModel("a power with this exponent"));
    }
    let exponent = u32::try_from(exponent).map_err(|_| Gap::TooLarge)?;
    let size = u64::from(exponent).saturating_mul(size(base));
    c.build(size)?;
    c.pay((size / 64).saturating_mul(size / 64))?;
    real(base.pow(exponent as isize))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::theory::tests::testing::{holds, left_to_model, rational as q, value, with_model};

    type Ratio = (i64, i64);

    #[test]
    fn arithmetic() {
        let rows: &[(&str, &[Ratio], Ratio)] = &[
            ("-", &[(1, 2)], (-1, 2)),
            ("-", &[(1, 2), (1, 3)], (1, 6)),
            ("-", &[(1, 2), (1, 3), (1, 6)], (0, 1)),
            ("+", &[(1, 2), (1, 3), (1, 6)], (1, 1)),
            ("*", &[(-1, 2), (2, 3), (3, 1)], (-1, 1)),
            ("/", &[(1, 1), (2, 1), (3, 1)], (1, 6)),
            ("/", &[(1, 1), (-2, 1)], (-1, 2)),
            ("/", &[(0, 1), (-2, 1)], (0, 1)),
            ("/_total", &[(5, 1), (0, 1)], (0, 1)),
            ("/_total", &[(5, 1), (2, 1)], (5, 2)),
            ("abs", &[(-5, 2)], (5, 2)),
            ("abs", &[(0, 1)], (0, 1)),
            ("^", &[(1, 2), (3, 1)], (1, 8)),
            ("^", &[(-2, 1), (3, 1)], (-8, 1)),
            ("^", &[(-2, 1), (0, 1)], (1, 1)),
            ("^", &[(0, 1), (2, 1)], (0, 1)),
        ];
        for (name, args, expected) in rows {
            let args: Vec<_> = args.iter().map(|&(n, d)| q(n, d)).collect();
            assert_eq!(value(name, &[], &args), Ok(q(expected.0, expected.1)), "{name} {args:?}");
        }
    }

    #[test]
    fn comparison() {
        let rows: &[(&str, &[Ratio], bool)] = &[
            ("<", &[(1, 3), (1, 2)], true),
            ("<", &[(-1, 3), (-1, 2)], false),
            ("<", &[(1, 3), (1, 2), (1, 2)], false),
            ("<=", &[(1, 3), (1, 2), (2, 4)], true),
            (">", &[(1, 2), (1, 3), (0, 1)], true),
            (">", &[(1, 2), (1, 3), (1, 3)], false),
            (">=", &[(1, 2), (1, 3), (1, 3)], true),
            (">=", &[(1, 3), (1, 2)], false),
        ];
        for (name, args, expected) in rows {
            let args: Vec<_> = args.iter().map(|&(n, d)| q(n, d)).collect();
            assert_eq!(holds(name, &[], &args), Ok(*expected), "{name} {args:?}");
        }
    }

    #[test]
    fn what_is_open() {
        assert!(left_to_model(&value("/", &[], &[q(1, 1), q(0, 1)])));
        assert!(left_to_model(&value("/", &[], &[q(0, 1), q(0, 1)])));
        assert!(left_to_model(&value("/", &[], &[q(1, 1), q(2, 1), q(0, 1)])), "later in a chain");
        assert!(left_to_model(&value("/", &[], &[q(1, 1), q(0, 1), q(2, 1)])), "earlier in a chain");
        assert!(left_to_model(&value("^", &[], &[q(0, 1), q(0, 1)])));
        assert!(left_to_model(&value("^", &[], &[q(2, 1), q(-1, 1)])));
        assert_eq!(value("^", &[], &[q(4, 1), q(1, 2)]), Err(Gap::Inexact("a power")));
        assert_eq!(value("^", &[], &[q(2, 1), q(1 << 30, 1)]), Err(Gap::TooLarge));
    }

    #[test]
    fn the_model_may_say() {
        let says = [("/0", vec![q(1, 2), q(0, 1)], q(7, 1))];
        assert_eq!(with_model(&says, "/", &[], &[q(1, 2), q(0, 1)]), Ok(q(7, 1)));
        assert_eq!(with_model(&says, "/", &[], &[q(1, 1), q(2, 1), q(0, 1), q(7, 1)]), Ok(q(1, 1)));
        assert!(left_to_model(&with_model(&says, "/", &[], &[q(1, 3), q(0, 1)])), "not of these arguments");
        assert_eq!(with_model(&says, "/0", &[], &[q(1, 2), q(0, 1)]), Ok(q(7, 1)));
    }
}
