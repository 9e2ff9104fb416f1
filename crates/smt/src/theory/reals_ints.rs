//! From integers to reals and back.

use dashu_ratio::RBig;

use super::ints::{div, modulo, rem};
use super::reals::{power, real};
use super::{BOOL, INT, Op, REAL, Use, op};
use crate::gap::Gap;
use crate::theory::call::Call;
use crate::value::Value;

pub(super) static OPS: &[Op] = &[
    op("to_real", &[INT], REAL, |c| real(RBig::from(c.int(0)?.clone()))).real_for_int(),
    // Older releases of z3 round down first.
    op("to_real", &[REAL], REAL, |c| real(c.real(0)?.clone()))
        .real_for_int()
        .extension()
        .since("z3", "4.16.0"),
    // The largest integer that is not larger, for negative numbers too.
    op("to_int", &[REAL], INT, |c| Ok(Value::Int(c.real(0)?.floor()))),
    op("is_int", &[REAL], BOOL, |c| Ok(Value::Bool(c.real(0)?.is_int()))),
    // z3 takes Reals, of which it first takes the largest integers that are not larger.
    op("div", &[REAL, REAL], INT, |c| of_floors(c, div)).left_assoc().at_least(2).not_mutable().z3_only(),
    op("mod", &[REAL, REAL], INT, |c| of_floors(c, modulo)).not_mutable().z3_only(),
    op("rem", &[REAL, REAL], INT, |c| of_floors(c, rem)).not_mutable().z3_only(),
    op("^", &[REAL, INT], REAL, |c| power(c, c.int(1)?)).arithmetic(Use::Power).constants(0b11).z3_only(),
];

/// The value of an operator on Ints of the arguments rounded down. In a chain, the first of them is an Int already.
fn of_floors(c: &mut Call, by: fn(&mut Call) -> Result<Value, Gap>) -> Result<Value, Gap> {
    let floors: Vec<Value> = c
        .args
        .iter()
        .map(|arg| if let Value::Real(q) = arg { Value::Int(q.floor()) } else { arg.clone() })
        .collect();
    let (op, sort) = (c.op, c.sort);
    by(&mut c.other(op, &floors, sort))
}

#[cfg(test)]
mod tests {
    use crate::theory::tests::samples::rows;

    use crate::theory::tests::testing::{holds, int, left_to_model, rational as q, value};

    rows! { division_of_reals,
        "both are rounded down"  : "(div 7.9 2.5)" => "3",
        "negative"               : "(div (- 7.9) 2.5)" => "(- 4)",
        "a chain"                : "(div 107.5 5.5 4.5)" => "5",
        "an Int among Reals"     : "(div 107 5.5 4)" => "5",
        "the rest"               : "(mod 7.9 2.5)" => "1",
        "the rest, signed"       : "(rem 7.9 (- 2.5))" => "(- 1)",
        "by less than one"       : "(div 7.9 0.5)" => "division by zero is left to the model, which does not say",
    }

    #[test]
    fn floor() {
        let rows = [(5, 2, 2), (-5, 2, -3), (2, 1, 2), (-2, 1, -2), (-1, 3, -1), (1, 3, 0), (0, 1, 0)];
        for (n, d, expected) in rows {
            assert_eq!(value("to_int", &[], &[q(n, d)]), Ok(int(expected)), "{n}/{d}");
        }
    }

    #[test]
    fn integrality() {
        for (n, d, expected) in [(4, 2, true), (0, 1, true), (-6, 3, true), (1, 2, false), (-1, 3, false)] {
            assert_eq!(holds("is_int", &[], &[q(n, d)]), Ok(expected), "{n}/{d}");
        }
        assert_eq!(value("to_real", &[], &[int(-3)]), Ok(q(-3, 1)));
    }

    #[test]
    fn powers() {
        assert_eq!(value("^", &[], &[q(1, 2), int(3)]), Ok(q(1, 8)));
        assert_eq!(value("^", &[], &[q(1, 2), int(0)]), Ok(q(1, 1)));
        assert!(left_to_model(&value("^", &[], &[q(1, 2), int(-1)])));
        assert!(left_to_model(&value("^", &[], &[q(0, 1), int(0)])));
    }
}
