//! Booleans, equality and choice.

use super::{A, BOOL, Control, Identity, Op, op};
use crate::Pool;
use crate::gap::Gap;
use crate::sort::SortId;
use crate::term::Index;
use crate::theory::call::Call;
use crate::value::Value;

pub(super) static OPS: &[Op] = &[
    op("true", &[], BOOL, |_| Ok(Value::Bool(true))),
    op("false", &[], BOOL, |_| Ok(Value::Bool(false))),
    op("not", &[BOOL], BOOL, |c| Ok(Value::Bool(!c.boolean(0)?))),
    op("=>", &[BOOL, BOOL], BOOL, |c| Ok(Value::Bool(!c.boolean(0)? || c.boolean(1)?)))
        .right_assoc()
        .controls(Control::Implies),
    op("and", &[BOOL, BOOL], BOOL, |c| Ok(Value::Bool(c.boolean(0)? && c.boolean(1)?)))
        .monoid(Identity::True)
        .left_assoc()
        .at_least(0)
        .controls(Control::And),
    op("or", &[BOOL, BOOL], BOOL, |c| Ok(Value::Bool(c.boolean(0)? || c.boolean(1)?)))
        .monoid(Identity::False)
        .left_assoc()
        .at_least(0)
        .controls(Control::Or),
    op("xor", &[BOOL, BOOL], BOOL, |c| Ok(Value::Bool(c.boolean(0)? != c.boolean(1)?)))
        .monoid(Identity::False)
        .left_assoc(),
    op("=", &[A, A], BOOL, equal).symmetric().real_for_int().chainable(),
    op("distinct", &[A, A], BOOL, |c| Ok(Value::Bool(!c.equal(0, 1)?))).symmetric().real_for_int().pairwise(),
    op("ite", &[BOOL, A, A], A, |c| Ok(c.arg(if c.boolean(0)? { 1 } else { 2 })?.clone()))
        .controls(Control::Ite),
    // Of finite model finding: an uninterpreted sort has at most so many elements.
    op("fmf.card", &[], BOOL, |_| Err(Gap::NoMeaning("the size of a sort")))
        .not_mutable()
        .indexed(2)
        .cvc5_only(),
    // SMT-LIB 1 names that z3 still reads: the first two, in all releases asked (4.8.7 to 5.4.0), only without a logic.
    op("iff", &[A, A], BOOL, equal).commutative().chainable().z3_only().without_logic(),
    op("implies", &[BOOL, BOOL], BOOL, |c| Ok(Value::Bool(!c.boolean(0)? || c.boolean(1)?)))
        .right_assoc()
        .controls(Control::Implies)
        .z3_only()
        .without_logic(),
    op("if", &[BOOL, A, A], A, |c| Ok(c.arg(if c.boolean(0)? { 1 } else { 2 })?.clone()))
        .controls(Control::Ite)
        .z3_only(),
    op("at-most", &[BOOL], BOOL, |c| Ok(Value::Bool(count(c)? <= u64::from(c.index(0)?))))
        .variadic()
        .indexed(1)
        .z3_only(),
    op("at-least", &[BOOL], BOOL, |c| Ok(Value::Bool(count(c)? >= u64::from(c.index(0)?))))
        .variadic()
        .indexed(1)
        .z3_only(),
    op("pble", &[BOOL], BOOL, |c| Ok(Value::Bool(weighted(c)? <= u64::from(c.index(0)?))))
        .variadic()
        .indexed_by_any()
        .ruled(weighted_sort)
        .z3_only(),
    op("pbge", &[BOOL], BOOL, |c| Ok(Value::Bool(weighted(c)? >= u64::from(c.index(0)?))))
        .variadic()
        .indexed_by_any()
        .ruled(weighted_sort)
        .z3_only(),
    op("pbeq", &[BOOL], BOOL, |c| Ok(Value::Bool(weighted(c)? == u64::from(c.index(0)?))))
        .variadic()
        .indexed_by_any()
        .ruled(weighted_sort)
        .z3_only(),
];

fn equal(c: &mut Call) -> Result<Value, Gap> {
    Ok(Value::Bool(c.equal(0, 1)?))
}

/// How many arguments are true.
fn count(c: &Call) -> Result<u64, Gap> {
    (0..c.args.len()).map(|i| c.boolean(i).map(u64::from)).sum()
}

/// After the bound an index for each argument.
fn weighted_sort(pool: &mut Pool, indices: &[Index], args: &[SortId], _: Option<SortId>) -> Option<SortId> {
    let numbers = indices.iter().all(|i| match *i {
        Index::Number(_) => true,
        Index::Text(digits) => pool.bytes(digits).iter().all(u8::is_ascii_digit),
        Index::Function(_) => false,
    });
    let bools = args.iter().all(|&s| s == SortId::BOOL || s == SortId::UNKNOWN);
    (numbers && bools && indices.len() == args.len() + 1).then_some(SortId::BOOL)
}

/// The sum of the weights of the arguments that are true; weights are the indices after the first.
fn weighted(c: &Call) -> Result<u64, Gap> {
    let [_, weights @ ..] = c.indices else { return Err(Gap::NoMeaning("a sum without a bound")) };
    if weights.len() != c.args.len() {
        return Err(Gap::NoMeaning("a sum with more weights than arguments, or fewer"));
    }
    let mut sum = 0;
    for (i, weight) in weights.iter().enumerate() {
        let Index::Number(n) = weight else { return Err(Gap::TooLarge) };
        sum += if c.boolean(i)? { u64::from(*n) } else { 0 };
    }
    Ok(sum)
}
