//! Bit-vectors: the meanings and the sort rules.

use dashu_base::{BitTest, Signed};
use dashu_int::{IBig, UBig};

use crate::Pool;
use crate::gap::Gap;
use crate::sort::{Sort, SortId};
use crate::term::Index;
use crate::theory::call::Call;
use crate::value::{BitVec, Value};

// ---- sort rules

/// The number and width of `(_ bv13 8)`; a number that the width cannot hold is not the standard's, and cvc5 refuses
/// it where z3 cuts it.
fn parts(pool: &Pool, indices: &[Index]) -> Option<(UBig, u32)> {
    let [value, Index::Number(width)] = *indices else { return None };
    let value = match value {
        Index::Number(n) => UBig::from(n),
        Index::Text(symbol) => {
            let digits = pool.text(symbol);
            if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
                return None;
            }
            UBig::from_str_radix(digits, 10).ok()?
        }
        Index::Function(_) => return None,
    };
    (width > 0 && value.bit_len() <= width as usize).then_some((value, width))
}

pub(super) fn constant_sort(
    pool: &mut Pool,
    indices: &[Index],
    _: &[SortId],
    _: Option<SortId>,
) -> Option<SortId> {
    let (_, width) = parts(pool, indices)?;
    Some(pool.bitvec(width))
}

pub(super) fn concat_sort(
    pool: &mut Pool,
    _: &[Index],
    args: &[SortId],
    _: Option<SortId>,
) -> Option<SortId> {
    let mut sum = 0u32;
    for &arg in args {
        match pool.sort(arg) {
            Sort::BitVec(width) => sum = sum.checked_add(width)?,
            Sort::Unknown => return Some(SortId::UNKNOWN),
            _ => return None,
        }
    }
    Some(pool.bitvec(sum))
}

/// Of `(_ extract i j)`: m > i >= j.
pub(super) fn extract_sort(
    pool: &mut Pool,
    indices: &[Index],
    args: &[SortId],
    _: Option<SortId>,
) -> Option<SortId> {
    let [Index::Number(high), Index::Number(low)] = *indices else { return None };
    let inside = match pool.sort(args[0]) {
        Sort::BitVec(width) => high < width,
        sort => sort == Sort::Unknown,
    };
    (inside && high >= low).then(|| (high - low).checked_add(1).map(|width| pool.bitvec(width)))?
}

/// Of `(_ bit2bool i)`: m > i.
pub(super) fn bit_at_sort(
    pool: &mut Pool,
    indices: &[Index],
    args: &[SortId],
    _: Option<SortId>,
) -> Option<SortId> {
    let [Index::Number(i)] = *indices else { return None };
    match pool.sort(args[0]) {
        Sort::BitVec(width) if i >= width => None,
        Sort::BitVec(_) | Sort::Unknown => Some(SortId::BOOL),
        _ => None,
    }
}

// ---- calls: the work is paid for, then done

pub(super) fn one(c: &mut Call, f: impl FnOnce(&BitVec) -> BitVec) -> Result<Value, Gap> {
    let a = c.bits(0)?;
    c.build(a.width().into())?;
    Ok(Value::BitVec(f(a)))
}

pub(super) fn two(c: &mut Call, f: impl FnOnce(&BitVec, &BitVec) -> BitVec) -> Result<Value, Gap> {
    let (a, b) = (c.bits(0)?, c.bits(1)?);
    c.build(a.width().into())?;
    Ok(Value::BitVec(f(a, b)))
}

/// Multiplication, division and similar operators, whose work grows with the square of the width.
pub(super) fn divide(c: &mut Call, f: fn(&BitVec, &BitVec) -> BitVec) -> Result<Value, Gap> {
    square(c)?;
    two(c, f)
}

pub(super) fn test(c: &mut Call, f: impl FnOnce(&BitVec, &BitVec) -> bool) -> Result<Value, Gap> {
    let (a, b) = (c.bits(0)?, c.bits(1)?);
    c.build(a.width().into())?;
    Ok(Value::Bool(f(a, b)))
}

pub(super) fn test_product(c: &mut Call, f: fn(&BitVec, &BitVec) -> bool) -> Result<Value, Gap> {
    square(c)?;
    test(c, f)
}

fn square(c: &mut Call) -> Result<(), Gap> {
    let words = u64::from(c.bits(0)?.width() / 64);
    c.pay(words * words)
}

pub(super) fn constant(c: &mut Call) -> Result<Value, Gap> {
    let (value, width) =
        parts(c.pool(), c.indices).ok_or(Gap::NoMeaning("a number too large for its width"))?;
    c.build(width.into())?;
    Ok(Value::BitVec(BitVec::new(width, value)))
}

pub(super) fn concat(c: &mut Call) -> Result<Value, Gap> {
    let mut all = c.bits(0)?.clone();
    for i in 1..c.args.len() {
        let low = c.bits(i)?;
        c.build(u64::from(all.width()) + u64::from(low.width()))?;
        all = joined(&all, low);
    }
    Ok(Value::BitVec(all))
}

pub(super) fn extract(c: &mut Call) -> Result<Value, Gap> {
    let (high, low) = (c.index(0)?, c.index(1)?);
    if high < low {
        return Err(Gap::NoMeaning("a slice that ends before it starts"));
    }
    one(c, |a| BitVec::new(high - low + 1, a.unsigned() >> low as usize))
}

pub(super) fn repeat(c: &mut Call) -> Result<Value, Gap> {
    let (a, times) = (c.bits(0)?, c.index(0)?);
    c.build(u64::from(a.width()) * u64::from(times))?;
    // Doubling, so that many copies of a few bits do not take the square of their number.
    let mut all: Option<BitVec> = None;
    for i in (0..u32::BITS - times.leading_zeros()).rev() {
        all = all.map(|all| joined(&all, &all));
        if times >> i & 1 == 1 {
            all = Some(all.map_or_else(|| a.clone(), |all| joined(&all, a)));
        }
    }
    all.map(Value::BitVec).ok_or(Gap::NoMeaning("a bit-vector without bits"))
}

pub(super) fn zero_extend(c: &mut Call) -> Result<Value, Gap> {
    let width = extended(c)?;
    Ok(Value::BitVec(BitVec::new(width, c.bits(0)?.unsigned().clone())))
}

pub(super) fn sign_extend(c: &mut Call) -> Result<Value, Gap> {
    let width = extended(c)?;
    Ok(Value::BitVec(BitVec::wrap(width, &c.bits(0)?.signed())))
}

fn extended(c: &mut Call) -> Result<u32, Gap> {
    let width = c.bits(0)?.width().checked_add(c.index(0)?).ok_or(Gap::TooLarge)?;
    c.build(width.into())?;
    Ok(width)
}

pub(super) fn rotate_left(c: &mut Call) -> Result<Value, Gap> {
    let by = c.index(0)?;
    one(c, |a| rotated(a, by % a.width()))
}

pub(super) fn rotate_right(c: &mut Call) -> Result<Value, Gap> {
    let by = c.index(0)?;
    one(c, |a| rotated(a, a.width() - by % a.width()))
}

pub(super) fn nego(c: &mut Call) -> Result<Value, Gap> {
    Ok(Value::Bool(is_least(c.bits(0)?)))
}

pub(super) fn to_int(c: &mut Call) -> Result<Value, Gap> {
    Ok(Value::Int(IBig::from(c.bits(0)?.unsigned().clone())))
}

/// Modulo 2^m, for negative numbers too.
pub(super) fn from_int(c: &mut Call) -> Result<Value, Gap> {
    let width = c.index(0)?;
    c.build(width.into())?;
    Ok(Value::BitVec(BitVec::wrap(width, c.int(0)?)))
}

pub(super) fn bit_at(c: &mut Call) -> Result<Value, Gap> {
    Ok(Value::Bool(c.bits(0)?.get(c.index(0)?)))
}

pub(super) fn carry(c: &mut Call) -> Result<Value, Gap> {
    let z = c.bits(2)?;
    two(c, |x, y| or(&or(&and(x, y), &and(x, z)), &and(y, z)))
}

pub(super) fn xor3(c: &mut Call) -> Result<Value, Gap> {
    let z = c.bits(2)?;
    two(c, |x, y| xor(&xor(x, y), z))
}

// ---- bits

pub(super) fn bit(set: bool) -> BitVec {
    BitVec::bit(set)
}

pub(super) fn not(a: &BitVec) -> BitVec {
    BitVec::new(a.width(), a.unsigned() ^ BitVec::ones(a.width()).unsigned())
}

pub(super) fn and(a: &BitVec, b: &BitVec) -> BitVec {
    BitVec::new(a.width(), a.unsigned() & b.unsigned())
}

pub(super) fn or(a: &BitVec, b: &BitVec) -> BitVec {
    BitVec::new(a.width(), a.unsigned() | b.unsigned())
}

pub(super) fn xor(a: &BitVec, b: &BitVec) -> BitVec {
    BitVec::new(a.width(), a.unsigned() ^ b.unsigned())
}

fn joined(high: &BitVec, low: &BitVec) -> BitVec {
    let bits = (high.unsigned() << low.width() as usize) | low.unsigned();
    BitVec::new(high.width() + low.width(), bits)
}

/// To the left, by at most the width.
pub(super) fn rotated(a: &BitVec, by: u32) -> BitVec {
    let bits = (a.unsigned() << by as usize) | (a.unsigned() >> (a.width() - by) as usize);
    BitVec::new(a.width(), bits)
}

/// How far `b`, as a natural number, turns `a`.
pub(super) fn turns(a: &BitVec, b: &BitVec) -> u32 {
    u32::try_from(b.unsigned() % UBig::from(a.width())).expect("a remainder is below the width")
}

/// How far `b`, as a natural number, shifts `a`; none if past the width.
fn shift(a: &BitVec, b: &BitVec) -> Option<usize> {
    u32::try_from(b.unsigned()).ok().filter(|&n| n < a.width()).map(|n| n as usize)
}

pub(super) fn shl(a: &BitVec, b: &BitVec) -> BitVec {
    BitVec::new(a.width(), shift(a, b).map_or(UBig::ZERO, |n| a.unsigned() << n))
}

pub(super) fn lshr(a: &BitVec, b: &BitVec) -> BitVec {
    BitVec::new(a.width(), shift(a, b).map_or(UBig::ZERO, |n| a.unsigned() >> n))
}

pub(super) fn ashr(a: &BitVec, b: &BitVec) -> BitVec {
    if a.sign() { not(&lshr(&not(a), b)) } else { lshr(a, b) }
}

// ---- numbers

pub(super) fn add(a: &BitVec, b: &BitVec) -> BitVec {
    BitVec::new(a.width(), a.unsigned() + b.unsigned())
}

pub(super) fn sub(a: &BitVec, b: &BitVec) -> BitVec {
    add(a, &b.neg())
}

pub(super) fn mul(a: &BitVec, b: &BitVec) -> BitVec {
    BitVec::new(a.width(), a.unsigned() * b.unsigned())
}

/// By zero: all ones.
pub(super) fn udiv(a: &BitVec, b: &BitVec) -> BitVec {
    if b.unsigned().is_zero() {
        return BitVec::ones(a.width());
    }
    BitVec::new(a.width(), a.unsigned() / b.unsigned())
}

/// By zero: the dividend.
pub(super) fn urem(a: &BitVec, b: &BitVec) -> BitVec {
    if b.unsigned().is_zero() {
        return a.clone();
    }
    BitVec::new(a.width(), a.unsigned() % b.unsigned())
}

/// Towards zero; by zero: 1 for what is negative, else -1.
pub(super) fn sdiv(a: &BitVec, b: &BitVec) -> BitVec {
    if b.unsigned().is_zero() {
        return if a.sign() { BitVec::new(a.width(), UBig::ONE) } else { BitVec::ones(a.width()) };
    }
    BitVec::wrap(a.width(), &(a.signed() / b.signed()))
}

/// With the sign of the dividend; by zero: the dividend.
pub(super) fn srem(a: &BitVec, b: &BitVec) -> BitVec {
    if b.unsigned().is_zero() {
        return a.clone();
    }
    BitVec::wrap(a.width(), &(a.signed() % b.signed()))
}

/// With the sign of the divisor; by zero: the dividend.
pub(super) fn smod(a: &BitVec, b: &BitVec) -> BitVec {
    if b.unsigned().is_zero() {
        return a.clone();
    }
    let (divisor, rest) = (b.signed(), a.signed() % b.signed());
    let turn = !rest.is_zero() && rest.is_negative() != divisor.is_negative();
    BitVec::wrap(a.width(), &if turn { rest + divisor } else { rest })
}

// ---- overflow

fn is_least(a: &BitVec) -> bool {
    a.sign() && a.neg() == *a
}

pub(super) fn is_ones(a: &BitVec) -> bool {
    *a == BitVec::ones(a.width())
}

/// Whether `value` is a number of this width in two's complement.
fn fits(width: u32, value: &IBig) -> bool {
    BitVec::wrap(width, value).signed() == *value
}

pub(super) fn uaddo(a: &BitVec, b: &BitVec) -> bool {
    (a.unsigned() + b.unsigned()).bit_len() > a.width() as usize
}

pub(super) fn saddo(a: &BitVec, b: &BitVec) -> bool {
    !fits(a.width(), &(a.signed() + b.signed()))
}

pub(super) fn ssubo(a: &BitVec, b: &BitVec) -> bool {
    !fits(a.width(), &(a.signed() - b.signed()))
}

pub(super) fn umulo(a: &BitVec, b: &BitVec) -> bool {
    (a.unsigned() * b.unsigned()).bit_len() > a.width() as usize
}

pub(super) fn smulo(a: &BitVec, b: &BitVec) -> bool {
    !fits(a.width(), &(a.signed() * b.signed()))
}

/// The product is not too large, though it may be too small.
pub(super) fn smul_not_above(a: &BitVec, b: &BitVec) -> bool {
    a.sign() != b.sign() || !smulo(a, b)
}

/// The product is not too small, though it may be too large.
pub(super) fn smul_not_below(a: &BitVec, b: &BitVec) -> bool {
    a.sign() == b.sign() || !smulo(a, b)
}

pub(super) fn sdivo(a: &BitVec, b: &BitVec) -> bool {
    is_least(a) && is_ones(b)
}
