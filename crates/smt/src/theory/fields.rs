//! Finite fields.

use dashu_int::UBig;

use super::{Identity, Op, op};
use crate::gap::Gap;
use crate::sort::Pat;
use crate::theory::call::{CONFUSED, Call};
use crate::value::Value;

const FIELD: Pat = Pat::Field;

// cvc5 invented them, but the builds we use cannot solve them (no CoCoA).
pub(super) static OPS: &[Op] = &[
    row(op("ff.add", &[FIELD, FIELD], FIELD, |c| fold(c, |a, b| a + b))
        .monoid(Identity::Zero)
        .left_assoc()
        .at_least(2)),
    row(op("ff.mul", &[FIELD, FIELD], FIELD, |c| fold(c, |a, b| a * b))
        .monoid(Identity::One)
        .left_assoc()
        .at_least(2)),
    row(op("ff.neg", &[FIELD], FIELD, |c| {
        let (a, p) = residue(c, 0)?;
        Ok(Value::Field((p - a) % p, p.clone()))
    })),
    row(op("ff.bitsum", &[FIELD], FIELD, bitsum).variadic().at_least(2)),
];

const fn row(op: Op) -> Op {
    op.z3_only().since("z3", "5.4.0")
}

fn residue<'a>(c: &Call<'a, '_>, i: usize) -> Result<(&'a UBig, &'a UBig), Gap> {
    if let Value::Field(residue, modulus) = c.arg(i)? { Ok((residue, modulus)) } else { Err(CONFUSED) }
}

fn fold(c: &mut Call, f: fn(&UBig, &UBig) -> UBig) -> Result<Value, Gap> {
    let ((a, p), (b, _)) = (residue(c, 0)?, residue(c, 1)?);
    Ok(Value::Field(f(a, b) % p, p.clone()))
}

/// The sum of the arguments, the first once, the second twice, the third four times and so on.
fn bitsum(c: &mut Call) -> Result<Value, Gap> {
    let (_, p) = residue(c, 0)?;
    let mut sum = UBig::ZERO;
    for i in (0..c.args.len()).rev() {
        sum = (sum * 2u8 + residue(c, i)?.0) % p;
    }
    Ok(Value::Field(sum, p.clone()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::theory::tests::testing::value;

    #[test]
    fn of_seven() {
        let rows: &[(&str, &[u8], u8)] = &[
            ("ff.add", &[3, 3], 6),
            ("ff.add", &[3, 3, 3], 2),
            ("ff.mul", &[3, 3], 2),
            ("ff.mul", &[3, 3, 3], 6),
            ("ff.neg", &[3], 4),
            ("ff.neg", &[0], 0),
            ("ff.bitsum", &[3, 3, 3], 0),
            ("ff.bitsum", &[1, 0, 1], 5),
            ("ff.bitsum", &[0, 1], 2),
            ("ff.bitsum", &[0, 0, 0, 1], 1),
        ];
        let element = |n: u8| Value::Field(n.into(), 7u8.into());
        for (name, args, expected) in rows {
            let args: Vec<_> = args.iter().map(|&n| element(n)).collect();
            assert_eq!(value(name, &[], &args), Ok(element(*expected)), "{name} {args:?}");
        }
    }
}
