//! Integers.

use dashu_base::{Abs, BitTest, DivEuclid, PowerOfTwo, RemEuclid, Signed, UnsignedAbs};
use dashu_int::{IBig, UBig};

use super::{BOOL, INT, Op, Since, op};
use crate::eval::{Call, Gap};
use crate::value::Value;

pub(super) static OPS: &[Op] =
    &[
        op("-", &[INT], INT, |c| int(-c.int(0)?.clone())),
        op("-", &[INT, INT], INT, |c| int(c.int(0)? - c.int(1)?)).left_assoc().at_least(2),
        op("+", &[INT, INT], INT, |c| int(c.int(0)? + c.int(1)?)).left_assoc(),
        op("*", &[INT, INT], INT, multiply).left_assoc(),
        op("div", &[INT, INT], INT, div).left_assoc().at_least(2),
        op("mod", &[INT, INT], INT, modulo),
        op("abs", &[INT], INT, |c| int(c.int(0)?.clone().abs())),
        op("<=", &[INT, INT], BOOL, |c| Ok(Value::Bool(c.int(0)? <= c.int(1)?))).chainable(),
        op("<", &[INT, INT], BOOL, |c| Ok(Value::Bool(c.int(0)? < c.int(1)?))).chainable(),
        op(">=", &[INT, INT], BOOL, |c| Ok(Value::Bool(c.int(0)? >= c.int(1)?))).chainable(),
        op(">", &[INT, INT], BOOL, |c| Ok(Value::Bool(c.int(0)? > c.int(1)?))).chainable(),
        op("divisible", &[INT], BOOL, divisible).indexed(1).z3_since(Since::Never),
        op("rem", &[INT, INT], INT, rem).z3_only(),
        op("^", &[INT, INT], INT, power).extension(),
        op("**", &[INT, INT], INT, power).z3_only().z3_since(Since::Release("5.4.0")),
        op("int.pow2", &[INT], INT, pow2).cvc5_only(),
        op("int.log2", &[INT], INT, log2).cvc5_only().cvc5_since(Since::Release("1.4.2")),
        op("int.ispow2", &[INT], BOOL, is_pow2).legacy(),
        op("iand", &[INT, INT], INT, |c| and_bits(c.index(0)?, c.int(0)?, c.int(1)?)).indexed(1).cvc5_only(),
        op("piand", &[INT, INT, INT], INT, piand).cvc5_only().cvc5_since(Since::Release("1.4.2")),
        op("div_total", &[INT, INT], INT, |c| if c.int(1)?.is_zero() { int(IBig::ZERO) } else { div(c) })
            .cvc5_only()
            .cvc5_since(Since::Release("1.4.2")),
        op("mod_total", &[INT, INT], INT, |c| {
            if c.int(1)?.is_zero() { int(c.int(0)?.clone()) } else { modulo(c) }
        })
        .cvc5_only()
        .cvc5_since(Since::Release("1.4.2")),
        // The names under which z3's models give what the standard leaves open.
        op("div0", &[INT, INT], INT, |c| c.unspecified(&["div0"], "div0", c.args)).z3_only(),
        op("mod0", &[INT, INT], INT, |c| c.unspecified(&["mod0"], "mod0", c.args)).z3_only(),
    ];

fn int(n: IBig) -> Result<Value, Gap> {
    Ok(Value::Int(n))
}

fn multiply(c: &mut Call) -> Result<Value, Gap> {
    let (a, b) = (c.int(0)?, c.int(1)?);
    c.build((a.bit_len() + b.bit_len()) as u64)?;
    c.pay((a.bit_len() as u64 / 64) * (b.bit_len() as u64 / 64))?;
    int(a * b)
}

// SMT-LIB leaves `(div x 0)` to the model; guessing a value would turn honest solvers into suspects.
fn div(c: &mut Call) -> Result<Value, Gap> {
    let (a, b) = (c.int(0)?, c.int(1)?);
    if b.is_zero() {
        return c.unspecified(&["div0"], "division by zero", &c.args[..2]);
    }
    int(a.div_euclid(b))
}

fn modulo(c: &mut Call) -> Result<Value, Gap> {
    let (a, b) = (c.int(0)?, c.int(1)?);
    if b.is_zero() {
        return c.unspecified(&["mod0"], "mod by zero", &c.args[..2]);
    }
    int(a.rem_euclid(b).into())
}

/// z3's `rem`: `mod` with the sign of the divisor.
fn rem(c: &mut Call) -> Result<Value, Gap> {
    let (a, b) = (c.int(0)?, c.int(1)?);
    if b.is_zero() {
        return c.unspecified(&["rem0"], "rem by zero", &c.args[..2]);
    }
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

/// `base^exponent`, for exponents of at least 1, and 0 where the base is not 0: the solvers agree on no more.
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
