//! Against `rustc_apfloat`, a port of LLVM's.

use crate::draw::Draw;
use dashu_int::{IBig, UBig};
use rustc_apfloat::ieee::{Double, Half, Quad, Single};
use rustc_apfloat::{Float as Theirs, FloatConvert, Round, Status};
use smt::value::float::{Float, Format, Rounding};

const ROUNDS: usize = 6000;

fn round(mode: Rounding) -> Round {
    match mode {
        Rounding::Rne => Round::NearestTiesToEven,
        Rounding::Rna => Round::NearestTiesToAway,
        Rounding::Rtp => Round::TowardPositive,
        Rounding::Rtn => Round::TowardNegative,
        Rounding::Rtz => Round::TowardZero,
    }
}

fn ours(format: Format, bits: u128) -> Float {
    Float::from_bits(format, &UBig::from(bits))
}

fn same<T: Theirs>(what: &str, inputs: &[u128], mode: Option<Rounding>, got: &Float, want: T) {
    let want = (!want.is_nan()).then(|| UBig::from(want.to_bits()));
    assert_eq!(got.to_bits(), want, "{what} {mode:?} {inputs:x?} in {:?}", got.format());
}

fn operations<T: Theirs>(format: Format) {
    let mut draw = Draw::new(u64::from(format.sb()));
    for _ in 0..ROUNDS {
        let bits = [(); 3].map(|()| draw.float(format.eb(), format.sb()));
        let [x, y, z] = bits.map(|bits| ours(format, bits));
        let [a, b, c] = bits.map(|bits| T::from_bits(bits));
        same("rem", &bits[..2], None, &x.rem(&y), a.ieee_rem(b).value);
        assert_eq!(
            [x.lt(&y), x.leq(&y), x.gt(&y), x.geq(&y), x.ieee_eq(&y)],
            [a < b, a <= b, a > b, a >= b, a == b],
            "{bits:x?}"
        );
        if let Ok(least) = x.minimum(&y) {
            same("min", &bits[..2], None, &least, a.min(b));
        }
        if let Ok(most) = x.maximum(&y) {
            same("max", &bits[..2], None, &most, a.max(b));
        }
        assert_eq!([x.is_normal(), x.is_subnormal()], [a.is_normal(), a.is_denormal()]);
        for mode in Rounding::ALL {
            let r = round(mode);
            same("add", &bits[..2], Some(mode), &x.add(mode, &y), a.add_r(b, r).value);
            same("sub", &bits[..2], Some(mode), &x.sub(mode, &y), a.sub_r(b, r).value);
            same("mul", &bits[..2], Some(mode), &x.mul(mode, &y), a.mul_r(b, r).value);
            same("div", &bits[..2], Some(mode), &x.div(mode, &y), a.div_r(b, r).value);
            same("fma", &bits, Some(mode), &x.fma(mode, &y, &z), a.mul_add_r(b, c, r).value);
            let integral = x.round_to_integral(mode).expect("the format holds its integers");
            same("integral", &bits[..1], Some(mode), &integral, a.round_to_integral(r).value);
            integers(&mut draw, &x, a, mode);
        }
    }
}

fn integers<T: Theirs>(draw: &mut Draw, x: &Float, a: T, mode: Rounding) {
    let width = [2, 7, 8, 16, 24, 32, 63, 64, 127][draw.below(9) as usize];
    let unsigned = a.to_u128_r(width, round(mode), &mut false);
    let unsigned = (!unsigned.status.contains(Status::INVALID_OP)).then_some(UBig::from(unsigned.value));
    assert_eq!(x.to_ubv(width as u32, mode).ok(), unsigned, "{mode:?} {width} {x:?}");
    let signed = a.to_i128_r(width, round(mode), &mut false);
    let signed = (!signed.status.contains(Status::INVALID_OP)).then_some(IBig::from(signed.value));
    assert_eq!(x.to_sbv(width as u32, mode).ok(), signed, "{mode:?} {width} {x:?}");

    let integer = draw.wide() as i128 >> draw.below(127);
    let got = Float::from_int(x.format(), mode, &IBig::from(integer));
    same("from", &[integer as u128], Some(mode), &got, T::from_i128_r(integer, round(mode)).value);
    let natural = draw.wide() >> draw.below(127);
    let got = Float::from_int(x.format(), mode, &IBig::from(natural));
    same("from", &[natural], Some(mode), &got, T::from_u128_r(natural, round(mode)).value);
}

fn conversion<T: Theirs + FloatConvert<U>, U: Theirs>(from: Format, to: Format) {
    let mut draw = Draw::new(u64::from(from.sb() * to.sb()));
    for _ in 0..ROUNDS {
        let bits = draw.float(from.eb(), from.sb());
        for mode in Rounding::ALL {
            let got = ours(from, bits).convert(to, mode);
            let want: U = T::from_bits(bits).convert_r(round(mode), &mut false).value;
            same("convert", &[bits], Some(mode), &got, want);
        }
    }
}

#[test]
fn half() {
    operations::<Half>(Format::HALF);
}

#[test]
fn single() {
    operations::<Single>(Format::SINGLE);
}

#[test]
fn double() {
    operations::<Double>(Format::DOUBLE);
}

#[test]
fn quad() {
    operations::<Quad>(Format::QUAD);
}

#[test]
fn conversions() {
    use Format as F;
    conversion::<Half, Single>(F::HALF, F::SINGLE);
    conversion::<Single, Half>(F::SINGLE, F::HALF);
    conversion::<Double, Half>(F::DOUBLE, F::HALF);
    conversion::<Double, Single>(F::DOUBLE, F::SINGLE);
    conversion::<Single, Quad>(F::SINGLE, F::QUAD);
    conversion::<Quad, Half>(F::QUAD, F::HALF);
    conversion::<Quad, Single>(F::QUAD, F::SINGLE);
    conversion::<Quad, Double>(F::QUAD, F::DOUBLE);
}
