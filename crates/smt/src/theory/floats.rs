//! IEEE floats.

use dashu_int::IBig;
use dashu_ratio::RBig;

use super::{BIT, BOOL, BV, Departure, INT, Op, REAL, RM, op};
use crate::gap::Gap;
use crate::sort::{Pat, Sort, Width};
use crate::theory::call::Call;
use crate::value::float::{Format, Open};
use crate::value::{BitVec, Float, Rounding, Value};

const EB: Width = Width::Var(2);
const SB: Width = Width::Var(3);
const FP: Pat = Pat::Float(EB, SB);
/// The format that the two indices name.
const NAMED: Pat = Pat::Float(Width::Index(0), Width::Index(1));
/// Any other format.
const OTHER: Pat = Pat::Float(Width::Var(0), Width::Var(1));

pub(super) static OPS: &[Op] = &[
    op(
        "fp",
        &[BIT, Pat::BitVec(EB), Pat::BitVec(SB)],
        Pat::Float(EB, Width::Sum(&SB, &Width::Is(1))),
        from_parts,
    ),
    op("+oo", &[], NAMED, |c| Ok(Value::Float(Float::infinity(named(c)?, false)))).indexed(2),
    op("-oo", &[], NAMED, |c| Ok(Value::Float(Float::infinity(named(c)?, true)))).indexed(2),
    op("+zero", &[], NAMED, |c| Ok(Value::Float(Float::zero(named(c)?, false)))).indexed(2),
    op("-zero", &[], NAMED, |c| Ok(Value::Float(Float::zero(named(c)?, true)))).indexed(2),
    op("NaN", &[], NAMED, |c| Ok(Value::Float(Float::nan(named(c)?)))).indexed(2),
    op("RNE", &[], RM, |_| Ok(Value::Rounding(Rounding::Rne))).also(&["roundNearestTiesToEven"]),
    op("RNA", &[], RM, |_| Ok(Value::Rounding(Rounding::Rna))).also(&["roundNearestTiesToAway"]),
    op("RTP", &[], RM, |_| Ok(Value::Rounding(Rounding::Rtp))).also(&["roundTowardPositive"]),
    op("RTN", &[], RM, |_| Ok(Value::Rounding(Rounding::Rtn))).also(&["roundTowardNegative"]),
    op("RTZ", &[], RM, |_| Ok(Value::Rounding(Rounding::Rtz))).also(&["roundTowardZero"]),
    op("fp.abs", &[FP], FP, |c| Ok(Value::Float(c.float(0)?.abs()))),
    op("fp.neg", &[FP], FP, |c| Ok(Value::Float(c.float(0)?.neg()))),
    op("fp.add", &[RM, FP, FP], FP, |c| work(c, |c| Ok(c.float(1)?.add(c.rounding(0)?, c.float(2)?)))),
    op("fp.sub", &[RM, FP, FP], FP, |c| work(c, |c| Ok(c.float(1)?.sub(c.rounding(0)?, c.float(2)?)))),
    op("fp.mul", &[RM, FP, FP], FP, |c| work(c, |c| Ok(c.float(1)?.mul(c.rounding(0)?, c.float(2)?)))),
    op("fp.div", &[RM, FP, FP], FP, |c| work(c, |c| Ok(c.float(1)?.div(c.rounding(0)?, c.float(2)?)))),
    op("fp.fma", &[RM, FP, FP, FP], FP, |c| {
        work(c, |c| Ok(c.float(1)?.fma(c.rounding(0)?, c.float(2)?, c.float(3)?)))
    }),
    op("fp.sqrt", &[RM, FP], FP, |c| work(c, |c| Ok(c.float(1)?.sqrt(c.rounding(0)?)))),
    op("fp.rem", &[FP, FP], FP, |c| work(c, |c| Ok(c.float(0)?.rem(c.float(1)?)))),
    op("fp.roundToIntegral", &[RM, FP], FP, |c| {
        work(c, |c| c.float(1)?.round_to_integral(c.rounding(0)?).map_err(|o| open(o, "fp.roundToIntegral")))
    }),
    op("fp.min", &[FP, FP], FP, |c| either_zero(c, c.float(0)?.minimum(c.float(1)?), "fp.min_unspecified"))
        .departs(Departure::Conversion),
    op("fp.max", &[FP, FP], FP, |c| either_zero(c, c.float(0)?.maximum(c.float(1)?), "fp.max_unspecified"))
        .departs(Departure::Conversion),
    op("fp.leq", &[FP, FP], BOOL, |c| Ok(Value::Bool(c.float(0)?.leq(c.float(1)?))))
        .converse("fp.geq")
        .chainable(),
    op("fp.lt", &[FP, FP], BOOL, |c| Ok(Value::Bool(c.float(0)?.lt(c.float(1)?))))
        .converse("fp.gt")
        .chainable(),
    op("fp.geq", &[FP, FP], BOOL, |c| Ok(Value::Bool(c.float(0)?.geq(c.float(1)?))))
        .converse("fp.leq")
        .chainable(),
    op("fp.gt", &[FP, FP], BOOL, |c| Ok(Value::Bool(c.float(0)?.gt(c.float(1)?))))
        .converse("fp.lt")
        .chainable(),
    op("fp.eq", &[FP, FP], BOOL, |c| Ok(Value::Bool(c.float(0)?.ieee_eq(c.float(1)?))))
        .commutative()
        .chainable(),
    op("fp.isNormal", &[FP], BOOL, |c| Ok(Value::Bool(c.float(0)?.is_normal()))),
    op("fp.isSubnormal", &[FP], BOOL, |c| Ok(Value::Bool(c.float(0)?.is_subnormal()))),
    op("fp.isZero", &[FP], BOOL, |c| Ok(Value::Bool(c.float(0)?.is_zero()))),
    op("fp.isInfinite", &[FP], BOOL, |c| Ok(Value::Bool(c.float(0)?.is_infinite()))),
    op("fp.isNaN", &[FP], BOOL, |c| Ok(Value::Bool(c.float(0)?.is_nan()))),
    op("fp.isNegative", &[FP], BOOL, |c| Ok(Value::Bool(c.float(0)?.is_negative()))),
    op("fp.isPositive", &[FP], BOOL, |c| Ok(Value::Bool(c.float(0)?.is_positive()))),
    op("to_fp", &[Pat::BitVec(Width::Sum(&Width::Index(0), &Width::Index(1)))], NAMED, from_bits).indexed(2),
    op("to_fp", &[RM, OTHER], NAMED, |c| {
        let format = named(c)?;
        work(c, |c| Ok(c.float(1)?.convert(format, c.rounding(0)?)))
    })
    .indexed(2),
    op("to_fp", &[RM, REAL], NAMED, |c| real(c, c.real(1)?))
        .constants(0b10)
        .constants_only("cvc5")
        .indexed(2),
    op("to_fp", &[RM, BV], NAMED, |c| integer(c, &c.bits(1)?.signed())).indexed(2),
    // z3 also takes a number and a power of two.
    op("to_fp", &[RM, REAL, INT], NAMED, |c| scaled(c, 1, 2)).constants(0b010).indexed(2).z3_only(),
    op("to_fp", &[RM, INT, REAL], NAMED, |c| scaled(c, 2, 1)).constants(0b100).indexed(2).z3_only(),
    op("to_fp_unsigned", &[RM, BV], NAMED, |c| integer(c, &IBig::from(c.bits(1)?.unsigned().clone())))
        .indexed(2),
    op("fp.to_ubv", &[RM, FP], Pat::BitVec(Width::Index(0)), to_ubv)
        .departs(Departure::Conversion)
        .indexed(1),
    op("fp.to_sbv", &[RM, FP], Pat::BitVec(Width::Index(0)), to_sbv)
        .departs(Departure::Conversion)
        .indexed(1),
    op("fp.to_real", &[FP], REAL, to_real).departs(Departure::Conversion),
    op("fp.to_ieee_bv", &[FP], Pat::BitVec(Width::Sum(&EB, &SB)), to_ieee).z3_only().also(&["to_ieee_bv"]),
];

fn format(eb: u32, sb: u32) -> Result<Format, Gap> {
    Format::new(eb, sb).map_err(|_| Gap::TooLarge)
}

/// The format that the indices name.
fn named(c: &Call) -> Result<Format, Gap> {
    format(c.index(0)?, c.index(1)?)
}

fn open(open: Open, what: &'static str) -> Gap {
    match open {
        Open::Unspecified => Gap::LeftToModel(what),
        Open::TooLarge => Gap::TooLarge,
    }
}

/// Pays for work on significands, then does it.
fn work(c: &mut Call, compute: impl Fn(&Call) -> Result<Float, Gap>) -> Result<Value, Gap> {
    if let Sort::Float(eb, sb) = c.pool().sort(c.sort) {
        format(eb, sb)?;
        let words = u64::from(sb) / 64;
        // A remainder squares as often as the exponent has bits.
        c.pay(words * words * (1 + u64::from(eb)))?;
    }
    compute(c).map(Value::Float)
}

fn from_parts(c: &mut Call) -> Result<Value, Gap> {
    let (sign, exponent, significand) = (c.bits(0)?, c.bits(1)?, c.bits(2)?);
    let format = format(exponent.width(), significand.width() + 1)?;
    Ok(Value::Float(Float::from_parts(format, sign.sign(), exponent.unsigned(), significand.unsigned())))
}

fn from_bits(c: &mut Call) -> Result<Value, Gap> {
    Ok(Value::Float(Float::from_bits(named(c)?, c.bits(0)?.unsigned())))
}

fn real(c: &mut Call, number: &RBig) -> Result<Value, Gap> {
    let format = named(c)?;
    work(c, |c| Ok(Float::from_real(format, c.rounding(0)?, number)))
}

fn integer(c: &mut Call, number: &IBig) -> Result<Value, Gap> {
    let format = named(c)?;
    work(c, |c| Ok(Float::from_int(format, c.rounding(0)?, number)))
}

/// A number times a power of two.
fn scaled(c: &mut Call, number: usize, power: usize) -> Result<Value, Gap> {
    let (number, power) = (c.real(number)?.clone(), c.int(power)?);
    let power = i64::try_from(power).map_err(|_| Gap::TooLarge)?;
    c.build(power.unsigned_abs())?;
    let factor = RBig::from(IBig::ONE << power.unsigned_abs() as usize);
    real(c, &if power < 0 { number / factor } else { number * factor })
}

/// The standard lets `fp.min` and `fp.max` of zeros with different signs give either.
fn either_zero(c: &mut Call, result: Result<Float, Open>, name: &'static str) -> Result<Value, Gap> {
    match result {
        Ok(float) => Ok(Value::Float(float)),
        Err(_) => c.unspecified_among(&[name], "the least or greatest of two zeros", |c, value| {
            Ok(value == c.arg(0)? || value == c.arg(1)?)
        }),
    }
}

fn to_ubv(c: &mut Call) -> Result<Value, Gap> {
    let width = c.index(0)?;
    c.build(u64::from(width))?;
    match c.float(1)?.to_ubv(width, c.rounding(0)?) {
        Ok(bits) => Ok(Value::BitVec(BitVec::new(width, bits))),
        Err(Open::TooLarge) => Err(Gap::TooLarge),
        Err(Open::Unspecified) => {
            c.unspecified(&["fp.to_ubv_unspecified"], "fp.to_ubv of a number out of range", c.args)
        }
    }
}

fn to_sbv(c: &mut Call) -> Result<Value, Gap> {
    let width = c.index(0)?;
    c.build(u64::from(width))?;
    match c.float(1)?.to_sbv(width, c.rounding(0)?) {
        Ok(number) => Ok(Value::BitVec(BitVec::wrap(width, &number))),
        Err(Open::TooLarge) => Err(Gap::TooLarge),
        Err(Open::Unspecified) => {
            c.unspecified(&["fp.to_sbv_unspecified"], "fp.to_sbv of a number out of range", c.args)
        }
    }
}

fn to_real(c: &mut Call) -> Result<Value, Gap> {
    match c.float(0)?.to_real() {
        Ok(number) => Ok(Value::Real(number)),
        Err(Open::TooLarge) => Err(Gap::TooLarge),
        Err(Open::Unspecified) => {
            c.unspecified(&["fp.to_real_unspecified"], "fp.to_real of an infinity or NaN", c.args)
        }
    }
}

fn to_ieee(c: &mut Call) -> Result<Value, Gap> {
    let float = c.float(0)?;
    let width = float.format().width();
    match float.to_bits() {
        Some(bits) => Ok(Value::BitVec(BitVec::new(width, bits))),
        None => {
            let format = float.format();
            c.unspecified_among(&["fp.to_ieee_bv_unspecified"], "the bits of NaN", |_, value| match value {
                Value::BitVec(bits) => Ok(Float::from_bits(format, bits.unsigned()) == Float::nan(format)),
                _ => Ok(false),
            })
        }
    }
}
