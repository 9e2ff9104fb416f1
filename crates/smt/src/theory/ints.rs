//! Integers.

use dashu_base::{Abs, BitTest, DivEuclid, PowerOfTwo, RemEuclid, Signed, UnsignedAbs};
use dashu_int::{IBig, UBig};

use super::{BOOL, Departure, INT, Identity, Op, Use, op};
use crate::gap::Gap;
use crate::sort::SortId;
use crate::term::Index;
use crate::theory::call::Call;
use crate::value::Value;

pub(super) static OPS: &[Op] =
    &[
        op("-", &[INT], INT, |c| int(-c.int(0)?.clone())).real_for_int(),
        op("~", &[INT], INT, |c| int(-c.int(0)?.clone())).z3_only(),
        op("-", &[INT, INT], INT, |c| int(c.int(0)? - c.int(1)?)).real_for_int().left_assoc().at_least(2),
        op("+", &[INT, INT], INT, |c| int(c.int(0)? + c.int(1)?))
            .monoid(Identity::Zero)
            .real_for_int()
            .left_assoc(),
        op("*", &[INT, INT], INT, multiply)
            .arithmetic(Use::Product)
            .monoid(Identity::One)
            .real_for_int()
            .left_assoc(),
        op("div", &[INT, INT], INT, div)
            .arithmetic(Use::Quotient)
            .departs(Departure::Division)
            .left_assoc()
            .at_least(2),
        op("mod", &[INT, INT], INT, modulo).arithmetic(Use::Quotient).departs(Departure::Division),
        op("abs", &[INT], INT, |c| int(c.int(0)?.clone().abs())).real_for_int(),
        op("<=", &[INT, INT], BOOL, |c| Ok(Value::Bool(c.int(0)? <= c.int(1)?)))
            .arithmetic(Use::Comparison)
            .converse(">=")
            .real_for_int()
            .chainable(),
        op("<", &[INT, INT], BOOL, |c| Ok(Value::Bool(c.int(0)? < c.int(1)?)))
            .arithmetic(Use::Comparison)
            .converse(">")
            .real_for_int()
            .chainable(),
        op(">=", &[INT, INT], BOOL, |c| Ok(Value::Bool(c.int(0)? >= c.int(1)?)))
            .arithmetic(Use::Comparison)
            .converse("<=")
            .real_for_int()
            .chainable(),
        op(">", &[INT, INT], BOOL, |c| Ok(Value::Bool(c.int(0)? > c.int(1)?)))
            .arithmetic(Use::Comparison)
            .converse("<")
            .real_for_int()
            .chainable(),
        op("divisible", &[INT], BOOL, divisible)
            .indexed(1)
            .ruled(|_, indices, args, _| by_positive(indices, args, SortId::BOOL))
            .not_read_by("z3"),
        op("rem", &[INT, INT], INT, rem).arithmetic(Use::Quotient).z3_only(),
        op("^", &[INT, INT], INT, power)
            .arithmetic(Use::Power)
            .constants(0b11)
            .constants_only("cvc5")
            .extension(),
        op("**", &[INT, INT], INT, power).arithmetic(Use::Power).z3_only().since("z3", "5.4.0"),
        op("int.pow2", &[INT], INT, pow2).arithmetic(Use::Power).cvc5_only(),
        op("int.log2", &[INT], INT, log2).cvc5_only().since("cvc5", "1.4.2"),
        op("int.ispow2", &[INT], BOOL, is_pow2).legacy(),
        op("iand", &[INT, INT], INT, |c| and_bits(c.index(0)?, c.int(0)?, c.int(1)?))
            .arithmetic(Use::Power)
            .commutative()
            .indexed(1)
            .ruled(|_, indices, args, _| by_positive(indices, args, SortId::INT))
            .cvc5_only(),
        op("piand", &[INT, INT, INT], INT, piand).arithmetic(Use::Power).cvc5_only().since("cvc5", "1.4.2"),
        op("div_total", &[INT, INT], INT, |c| if c.int(1)?.is_zero() { int(IBig::ZERO) } else { div(c) })
            .cvc5_only()
            .since("cvc5", "1.4.2"),
        op("mod_total", &[INT, INT], INT, |c| {
            if c.int(1)?.is_zero() { int(c.int(0)?.clone()) } else { modulo(c) }
        })
        .cvc5_only()
        .since("cvc5", "1.4.2"),
        // The names under which z3's models give what the standard leaves open.
        op("div0", &[INT, INT], INT, |c| by_zero(c, "div0")).z3_only().only_in_models(),
        op("mod0", &[INT, INT], INT, |c| by_zero(c, "mod0")).z3_only().only_in_models(),
    ];

/// The index is a positive number.
fn by_positive(indices: &[Index], args: &[SortId], result: SortId) -> Option<SortId> {
    let positive = match indices {
        [Index::Number(n)] => *n > 0,
        [Index::Text(_)] => true,
        _ => false,
    };
    (positive && args.iter().all(|&s| s == SortId::INT || s == SortId::UNKNOWN)).then_some(result)
}

fn int(n: IBig) -> Result<Value, Gap> {
    Ok(Value::Int(n))
}

fn multiply(c: &mut Call) -> Result<Value, Gap> {
    let (a, b) = (c.int(0)?, c.int(1)?);
    c.build((a.bit_len() + b.bit_len()) as u64)?;
    pay_for_product(c)?;
    int(a * b)
}

/// Multiplication and division take about as much work as there are pairs of words.
fn pay_for_product(c: &mut Call) -> Result<(), Gap> {
    let (a, b) = (c.int(0)?, c.int(1)?);
    c.pay((a.bit_len() as u64 / 64) * (b.bit_len() as u64 / 64))
}

/// The names under which z3's models give what the standard leaves open; what they say elsewhere has no meaning.
fn by_zero(c: &mut Call, name: &'static str) -> Result<Value, Gap> {
    if !c.int(1)?.is_zero() {
        return Err(Gap::LeftToModel("division by zero of something else than zero"));
    }
    c.unspecified(&[name], name, c.args)
}

// SMT-LIB leaves `(div x 0)` to the model; guessing a value would turn honest solvers into suspects.
pub(super) fn div(c: &mut Call) -> Result<Value, Gap> {
    let (a, b) = (c.int(0)?, c.int(1)?);
    if b.is_zero() {
        return c.unspecified(&["div0"], "division by zero", &c.args[..2]);
    }
    pay_for_product(c)?;
    int(a.div_euclid(b))
}

pub(super) fn modulo(c: &mut Call) -> Result<Value, Gap> {
    let (a, b) = (c.int(0)?, c.int(1)?);
    if b.is_zero() {
        return c.unspecified(&["mod0"], "mod by zero", &c.args[..2]);
    }
    pay_for_product(c)?;
    int(a.rem_euclid(b).into())
}

/// z3's `rem`: `mod` with the sign of the divisor. By zero it is `mod` by zero, whatever that is; older releases have
/// a name of its own for it.
pub(super) fn rem(c: &mut Call) -> Result<Value, Gap> {
    let (a, b) = (c.int(0)?, c.int(1)?);
    if b.is_zero() {
        return c.unspecified(&["rem0", "mod0"], "rem by zero", &c.args[..2]);
    }
    pay_for_product(c)?;
    let magnitude = IBig::from(a.rem_euclid(b));
    int(if b.is_negative() { -magnitude } else { magnitude })
}

fn divisible(c: &mut Call) -> Result<Value, Gap> {
    let n = c.index(0)?;
    if n == 0 {
        return Err(Gap::NoMeaning("divisible by zero"));
    }
    Ok(Value::Bool(c.int(0)?.rem_euclid(IBig::from(n)) == UBig::ZERO))
}

/// `base^exponent`, for exponents of at least 1, and 0 where the base is not 0. cvc5 refuses negative exponents, where
/// z3 rounds towards zero; and older releases of z3 leave `(^ 0 0)` open, which now is 1.
fn power(c: &mut Call) -> Result<Value, Gap> {
    let (base, exponent) = (c.int(0)?, c.int(1)?);
    if exponent.is_negative() || (exponent.is_zero() && base.is_zero()) {
        return Err(Gap::LeftToModel("a power with this exponent"));
    }
    let exponent = u64::try_from(exponent).map_err(|_| Gap::TooLarge)?;
    let size = exponent.saturating_mul(base.bit_len() as u64);
    c.build(size)?;
    c.pay((size / 64).saturating_mul(size / 64))?;
    int(base.pow(exponent as usize))
}

fn pow2(c: &mut Call) -> Result<Value, Gap> {
    let n = c.int(0)?;
    if n.is_negative() {
        return int(IBig::ZERO);
    }
    let n = u64::try_from(n).map_err(|_| Gap::TooLarge)?;
    c.build(n)?;
    int(IBig::ONE << n as usize)
}

/// The position of the highest bit; 0 for what is not positive.
fn log2(c: &mut Call) -> Result<Value, Gap> {
    let n = c.int(0)?;
    int(if n.is_negative() || n.is_zero() { IBig::ZERO } else { IBig::from(n.bit_len() - 1) })
}

fn is_pow2(c: &mut Call) -> Result<Value, Gap> {
    let n = c.int(0)?;
    Ok(Value::Bool(!n.is_negative() && n.unsigned_abs().is_power_of_two()))
}

/// Bitwise and of the low `width` bits in two's complement.
fn and_bits(width: u32, a: &IBig, b: &IBig) -> Result<Value, Gap> {
    use crate::value::BitVec;
    if u64::from(width) > crate::Fuel::LARGEST {
        return Err(Gap::TooLarge);
    }
    int((BitVec::wrap(width, a).unsigned() & BitVec::wrap(width, b).unsigned()).into())
}

fn piand(c: &mut Call) -> Result<Value, Gap> {
    let width = c.int(0)?;
    if width.is_negative() || width.is_zero() {
        return int(IBig::ZERO);
    }
    let width = u32::try_from(width).map_err(|_| Gap::TooLarge)?;
    and_bits(width, c.int(1)?, c.int(2)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::Index;
    use crate::theory::tests::testing::{holds, int, is_sorted, left_to_model, value, with_model};

    fn of(name: &str, args: &[i64]) -> Result<Value, Gap> {
        let args: Vec<_> = args.iter().map(|&n| int(n)).collect();
        value(name, &[], &args)
    }

    #[test]
    fn arithmetic() {
        let rows: &[(&str, &[i64], i64)] = &[
            ("-", &[5], -5),
            ("-", &[5, 2, 1], 2),
            ("+", &[1, 2, 3], 6),
            ("*", &[-2, 3, 4], -24),
            ("abs", &[-5], 5),
            ("abs", &[0], 0),
            ("div", &[100, 3, 2], 16),
            ("^", &[-2, 3], -8),
            ("^", &[5, 0], 1),
            ("^", &[0, 3], 0),
            ("^", &[-1, 5], -1),
            ("**", &[2, 10], 1024),
            ("int.pow2", &[0], 1),
            ("int.pow2", &[10], 1024),
            ("int.pow2", &[-1], 0),
            ("int.log2", &[1], 0),
            ("int.log2", &[7], 2),
            ("int.log2", &[8], 3),
            ("int.log2", &[0], 0),
            ("int.log2", &[-8], 0),
            ("piand", &[4, 29, 15], 13),
            ("piand", &[4, -1, -2], 14),
            ("piand", &[0, 29, 15], 0),
            ("piand", &[-1, 29, 15], 0),
            ("div_total", &[7, 0], 0),
            ("mod_total", &[7, 0], 7),
            ("div_total", &[-7, -3], 3),
            ("mod_total", &[-7, -3], 2),
        ];
        for (name, args, expected) in rows {
            assert_eq!(of(name, args), Ok(int(*expected)), "{name} {args:?}");
        }
        assert_eq!(value("iand", &[4], &[int(29), int(15)]), Ok(int(13)));
        assert_eq!(value("iand", &[4], &[int(13), int(-1)]), Ok(int(13)));
        assert_eq!(value("iand", &[64], &[int(-1), int(-2)]), Ok(Value::Int((IBig::ONE << 64) - 2)));
    }

    #[test]
    fn division_leaves_what_is_not_negative() {
        // a, b, div, mod, rem
        let rows = [
            (7, 3, 2, 1, 1),
            (-7, 3, -3, 2, 2),
            (7, -3, -2, 1, -1),
            (-7, -3, 3, 2, -2),
            (6, -3, -2, 0, 0),
            (-6, 3, -2, 0, 0),
            (0, -3, 0, 0, 0),
        ];
        for (a, b, div, modulo, rem) in rows {
            assert_eq!(of("div", &[a, b]), Ok(int(div)), "div {a} {b}");
            assert_eq!(of("mod", &[a, b]), Ok(int(modulo)), "mod {a} {b}");
            assert_eq!(of("rem", &[a, b]), Ok(int(rem)), "rem {a} {b}");
        }
    }

    #[test]
    fn what_is_open() {
        for (name, args) in [
            ("div", [7, 0]),
            ("mod", [7, 0]),
            ("rem", [7, 0]),
            ("^", [0, 0]),
            ("^", [2, -1]),
            ("^", [1, -1]),
            ("div0", [7, 0]),
            ("mod0", [7, 0]),
        ] {
            assert!(left_to_model(&of(name, &args)), "{name} {args:?}");
        }
        assert!(left_to_model(&of("div", &[7, 2, 0])), "later in a chain");
        assert_eq!(of("^", &[2, 1 << 40]), Err(Gap::TooLarge));
        assert_eq!(of("int.pow2", &[1 << 40]), Err(Gap::TooLarge));
        assert_eq!(of("piand", &[1 << 40, 1, 1]), Err(Gap::TooLarge));
    }

    #[test]
    fn the_model_may_say() {
        let said = |name, n| [(name, vec![int(7), int(0)], int(n))];
        let args = [int(7), int(0)];
        assert_eq!(with_model(&said("div0", 3), "div", &[], &args), Ok(int(3)));
        assert_eq!(with_model(&said("mod0", 3), "mod", &[], &args), Ok(int(3)));
        assert_eq!(with_model(&said("mod0", 3), "rem", &[], &args), Ok(int(3)));
        assert!(left_to_model(&with_model(&said("mod0", 3), "div", &[], &args)));
        assert_eq!(with_model(&said("div0", 3), "div", &[], &[int(14), int(2), int(0)]), Ok(int(3)));
    }

    #[test]
    fn tests() {
        for (name, args, expected) in [
            ("<", [1, 2, 3], true),
            ("<", [1, 2, 2], false),
            ("<=", [1, 2, 2], true),
            (">", [3, 2, 1], true),
            (">", [3, 3, 1], false),
            (">=", [3, 3, 1], true),
        ] {
            assert_eq!(holds(name, &[], &args.map(int)), Ok(expected), "{name} {args:?}");
        }
        for (n, by, expected) in [(6, 3, true), (-6, 3, true), (7, 3, false), (0, 3, true)] {
            assert_eq!(holds("divisible", &[by], &[int(n)]), Ok(expected), "{n}");
        }
        for (n, expected) in [(1, true), (8, true), (6, false), (0, false), (-8, false)] {
            assert_eq!(holds("int.ispow2", &[], &[int(n)]), Ok(expected), "{n}");
        }
        assert!(!is_sorted("iand", &[], &[int(1), int(2)]));
        assert!(!is_sorted("divisible", &[Index::Number(1), Index::Number(2)], &[int(1)]));
    }
}
