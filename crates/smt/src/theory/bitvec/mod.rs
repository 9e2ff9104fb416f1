//! Bit-vectors: the rows.

mod meaning;
#[cfg(test)]
mod tests;

use dashu_int::IBig;

use super::{A, BIT, BOOL, BV, INT, Identity, M, N, Op, op};
use crate::sort::{Pat, SortId, Width};
use crate::value::{BitVec, Value};
use meaning as is;
use meaning::{divide, one, test, two};

const NEW_Z3: &str = "5.4.0";
const NEW_CVC5: &str = "1.4.2";

/// A bit-vector wider by the index.
const EXTENDED: Pat = Pat::BitVec(Width::Sum(&M, &Width::Index(0)));
/// A bit-vector as wide as the index says.
const INDEXED: Pat = Pat::BitVec(Width::Index(0));

pub(super) static OPS: &[Op] = &[
    op("bvX", &[], Pat::BitVec(Width::Index(1)), is::constant)
        .not_mutable()
        .indexed(2)
        .ruled(is::constant_sort),
    op("concat", &[BV, Pat::BitVec(N)], Pat::BitVec(Width::Sum(&M, &N)), is::concat)
        .associative()
        .left_assoc()
        .ruled(is::concat_sort),
    op("extract", &[BV], Pat::BitVec(Width::Span(&Width::Index(0), &Width::Index(1))), is::extract)
        .indexed(2)
        .ruled(is::extract_sort),
    op("bvnot", &[BV], BV, |c| one(c, is::not)),
    op("bvneg", &[BV], BV, |c| one(c, BitVec::neg)),
    op("bvand", &[BV, BV], BV, |c| two(c, is::and)).monoid(Identity::AllOnes).left_assoc(),
    op("bvor", &[BV, BV], BV, |c| two(c, is::or)).monoid(Identity::Zero).left_assoc(),
    op("bvadd", &[BV, BV], BV, |c| two(c, is::add)).monoid(Identity::Zero).left_assoc(),
    op("bvmul", &[BV, BV], BV, |c| divide(c, is::mul)).monoid(Identity::One).left_assoc(),
    op("bvxor", &[BV, BV], BV, |c| two(c, is::xor)).monoid(Identity::Zero).left_assoc(),
    // The standard has it with two arguments. z3 takes more and reads them from the left, so that three are their
    // exclusive or; it also takes a single one and negates it, which no row can say.
    op("bvxnor", &[BV, BV], BV, |c| two(c, |a, b| is::not(&is::xor(a, b))))
        .commutative()
        .left_assoc()
        .at_least(2)
        .at_most(2),
    op("bvudiv", &[BV, BV], BV, |c| divide(c, is::udiv)),
    op("bvurem", &[BV, BV], BV, |c| divide(c, is::urem)),
    op("bvsdiv", &[BV, BV], BV, |c| divide(c, is::sdiv)),
    op("bvsrem", &[BV, BV], BV, |c| divide(c, is::srem)),
    op("bvsmod", &[BV, BV], BV, |c| divide(c, is::smod)),
    // Neither z3 nor cvc5 takes more than two.
    op("bvsub", &[BV, BV], BV, |c| two(c, is::sub)).left_assoc().at_least(2).at_most(2),
    op("bvshl", &[BV, BV], BV, |c| two(c, is::shl)),
    op("bvlshr", &[BV, BV], BV, |c| two(c, is::lshr)),
    op("bvashr", &[BV, BV], BV, |c| two(c, is::ashr)),
    op("bvnand", &[BV, BV], BV, |c| two(c, |a, b| is::not(&is::and(a, b)))).commutative(),
    op("bvnor", &[BV, BV], BV, |c| two(c, |a, b| is::not(&is::or(a, b)))).commutative(),
    op("bvult", &[BV, BV], BOOL, |c| test(c, |a, b| a.unsigned() < b.unsigned())).converse("bvugt"),
    op("bvule", &[BV, BV], BOOL, |c| test(c, |a, b| a.unsigned() <= b.unsigned())).converse("bvuge"),
    op("bvugt", &[BV, BV], BOOL, |c| test(c, |a, b| a.unsigned() > b.unsigned())).converse("bvult"),
    op("bvuge", &[BV, BV], BOOL, |c| test(c, |a, b| a.unsigned() >= b.unsigned())).converse("bvule"),
    op("bvslt", &[BV, BV], BOOL, |c| test(c, |a, b| a.signed() < b.signed())).converse("bvsgt"),
    op("bvsle", &[BV, BV], BOOL, |c| test(c, |a, b| a.signed() <= b.signed())).converse("bvsge"),
    op("bvsgt", &[BV, BV], BOOL, |c| test(c, |a, b| a.signed() > b.signed())).converse("bvslt"),
    op("bvsge", &[BV, BV], BOOL, |c| test(c, |a, b| a.signed() >= b.signed())).converse("bvsle"),
    op("bvcomp", &[BV, BV], BIT, |c| two(c, |a, b| is::bit(a == b))).commutative(),
    op("repeat", &[BV], Pat::BitVec(Width::Product(&Width::Index(0), &M)), is::repeat).indexed(1),
    op("zero_extend", &[BV], EXTENDED, is::zero_extend).indexed(1),
    op("sign_extend", &[BV], EXTENDED, is::sign_extend).indexed(1),
    op("rotate_left", &[BV], BV, is::rotate_left).indexed(1),
    op("rotate_right", &[BV], BV, is::rotate_right).indexed(1),
    // Overflow, standard since 2.7.
    op("bvnego", &[BV], BOOL, is::nego).since("z3", NEW_Z3).since("cvc5", NEW_CVC5),
    op("bvuaddo", &[BV, BV], BOOL, |c| test(c, is::uaddo)).since("z3", NEW_Z3),
    op("bvsaddo", &[BV, BV], BOOL, |c| test(c, is::saddo)).since("z3", NEW_Z3),
    op("bvumulo", &[BV, BV], BOOL, |c| is::test_product(c, is::umulo)).since("z3", NEW_Z3),
    op("bvsmulo", &[BV, BV], BOOL, |c| is::test_product(c, is::smulo)).since("z3", NEW_Z3),
    op("bvusubo", &[BV, BV], BOOL, |c| test(c, |a, b| a.unsigned() < b.unsigned())).since("z3", NEW_Z3),
    op("bvssubo", &[BV, BV], BOOL, |c| test(c, is::ssubo)).since("z3", NEW_Z3),
    op("bvsdivo", &[BV, BV], BOOL, |c| test(c, is::sdivo)).since("z3", NEW_Z3),
    // To and from integers. The names changed with 2.7.
    op("ubv_to_int", &[BV], INT, is::to_int).since("z3", NEW_Z3).since("cvc5", NEW_CVC5),
    op("sbv_to_int", &[BV], INT, |c| Ok(Value::Int(c.bits(0)?.signed())))
        .since("z3", NEW_Z3)
        .since("cvc5", NEW_CVC5),
    op("int_to_bv", &[INT], INDEXED, is::from_int).indexed(1).since("z3", NEW_Z3).since("cvc5", NEW_CVC5),
    op("bv2nat", &[BV], INT, is::to_int),
    op("nat2bv", &[INT], INDEXED, is::from_int).indexed(1).read_by_none(),
    op("int2bv", &[INT], INDEXED, is::from_int).indexed(1).extension(),
    op("bv2int", &[BV], INT, is::to_int).z3_only(),
    // Extensions.
    op("bvredor", &[BV], BIT, |c| one(c, |a| is::bit(!a.unsigned().is_zero()))).extension(),
    op("bvredand", &[BV], BIT, |c| one(c, |a| is::bit(is::is_ones(a)))).extension(),
    op("bvite", &[BIT, A, A], A, |c| Ok(c.arg(if c.bits(0)?.sign() { 1 } else { 2 })?.clone()))
        .not_mutable()
        .cvc5_only()
        .since("cvc5", NEW_CVC5),
    op("bvultbv", &[BV, BV], BIT, |c| two(c, |a, b| is::bit(a.unsigned() < b.unsigned()))).legacy(),
    op("bvsltbv", &[BV, BV], BIT, |c| two(c, |a, b| is::bit(a.signed() < b.signed()))).legacy(),
    op("ext_rotate_left", &[BV, BV], BV, |c| two(c, |a, b| is::rotated(a, is::turns(a, b)))).z3_only(),
    op("ext_rotate_right", &[BV, BV], BV, |c| two(c, |a, b| is::rotated(a, a.width() - is::turns(a, b))))
        .z3_only(),
    op("bit2bool", &[BV], BOOL, is::bit_at).indexed(1).ruled(is::bit_at_sort).z3_only(),
    op("@bit", &[BV], BOOL, is::bit_at).indexed(1).ruled(is::bit_at_sort).legacy(),
    op("@bvsize", &[BV], INT, |c| Ok(Value::Int(IBig::from(c.bits(0)?.width())))).legacy(),
    op("bvumul_noovfl", &[BV, BV], BOOL, |c| is::test_product(c, |a, b| !is::umulo(a, b))).z3_only(),
    op("bvsmul_noovfl", &[BV, BV], BOOL, |c| is::test_product(c, is::smul_not_above)).z3_only(),
    op("bvsmul_noudfl", &[BV, BV], BOOL, |c| is::test_product(c, is::smul_not_below)).z3_only(),
    // The first argument is the lowest bit.
    op("mkbv", &[BOOL], BV, |c| {
        let bits = (0..c.args.len()).map(|i| c.boolean(i)).collect::<Result<Vec<_>, _>>()?;
        let number = bits.iter().rev().fold(IBig::ZERO, |n, &bit| n * 2 + IBig::from(u8::from(bit)));
        Ok(Value::BitVec(BitVec::wrap(bits.len() as u32, &number)))
    })
    .variadic()
    .ruled(|pool, _, args, _| {
        let bools = args.iter().all(|&sort| sort == SortId::BOOL || sort == SortId::UNKNOWN);
        (bools && !args.is_empty()).then(|| pool.bitvec(args.len() as u32))
    })
    .not_mutable()
    .z3_only(),
    op("carry", &[BV, BV, BV], BV, is::carry).legacy(),
    op("xor3", &[BV, BV, BV], BV, is::xor3).legacy(),
];
