//! From integers to reals and back.

use dashu_ratio::RBig;

use super::reals::{power, real};
use super::{BOOL, INT, Op, REAL, Use, op};
use crate::value::Value;

pub(super) static OPS: &[Op] = &[
    op("to_real", &[INT], REAL, |c| real(RBig::from(c.int(0)?.clone()))).real_for_int(),
    op("to_real", &[REAL], REAL, |c| real(c.real(0)?.clone())).real_for_int().extension(),
    // The largest integer that is not larger, for negative numbers too.
    op("to_int", &[REAL], INT, |c| Ok(Value::Int(c.real(0)?.floor()))),
    op("is_int", &[REAL], BOOL, |c| Ok(Value::Bool(c.real(0)?.is_int()))),
    op("^", &[REAL, INT], REAL, |c| power(c, c.int(1)?)).arithmetic(Use::Power).constants(0b11).z3_only(),
];

#[cfg(test)]
mod tests {
    use crate::theory::tests::testing::{holds, int, left_to_model, rational as q, value};

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
