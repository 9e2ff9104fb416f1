//! Formats whose numbers cannot be written out: nothing here may take noticeable time or memory.

use crate::text::{float, modes, outcome, rows};
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;
use smt::value::float::{Float, Format, MAX_BITS, Open, Rounding};

fn format(eb: u32, sb: u32) -> Format {
    Format::new(eb, sb).expect("a format")
}

/// `2^exponent`.
fn power(format: Format, exponent: i64) -> Float {
    let bias = (1i64 << (format.eb() - 1)) - 1;
    Float::from_parts(format, false, &UBig::from((exponent + bias) as u64), &UBig::ZERO)
}

/// The number just below the largest.
fn second(format: Format) -> Float {
    let (sign, exponent, significand) = Float::largest(format, false).to_parts().expect("a number");
    Float::from_parts(format, sign, &exponent, &(significand - UBig::ONE))
}

#[test]
fn sums_and_products() {
    let wide = format(60, 11);
    let read = |text: &str| if text == "second" { second(wide) } else { float(wide, text) };
    modes! { |mode, (x, y)| read(x).add(mode, &read(y)), read;
        "far apart": ("1", "min") => ["1", "1", "1+2^-10", "1", "1"],
        "far apart, signs": ("-1", "min") => ["-1", "-1", "-2047/2048", "-1", "-2047/2048"],
        "furthest": ("max", "-min") => ["max", "max", "max", "second", "second"],
        "overflow": ("max", "max") => ["+oo", "+oo", "+oo", "max", "max"],
        "overflow by a little": ("max", "min") => ["max", "max", "+oo", "max", "max"],
    }
    modes! { |mode, (x, y)| read(x).mul(mode, &read(y)), read;
        "overflow": ("max", "max") => ["+oo", "+oo", "+oo", "max", "max"],
        "underflow": ("min", "-min") => ["-0", "-0", "-0", "-min", "-0"],
    }
    modes! { |mode, (x, y)| read(x).div(mode, &read(y)), read;
        "overflow": ("max", "min") => ["+oo", "+oo", "+oo", "max", "max"],
        "underflow": ("min", "max") => ["+0", "+0", "min", "+0", "+0"],
    }
    modes! { |mode, (x, y, z)| read(x).fma(mode, &read(y), &read(z)), read;
        "product far above": ("max", "-max", "min") => ["-oo", "-oo", "-max", "-oo", "-max"],
        "product far below": ("min", "min", "max") => ["max", "max", "+oo", "max", "max"],
        "product below zero": ("min", "-min", "min") => ["min", "min", "min", "+0", "+0"],
    }
    modes! { |mode, x| read(x).round_to_integral(mode), |want| outcome(want, read);
        "largest": "max" => ["max"; 5],
        "smallest": "-min" => ["-0", "-0", "-0", "-1", "-0"],
    }
    assert_eq!(power(wide, (1 << 59) - 2).sqrt(Rounding::Rne), power(wide, (1 << 58) - 1));
}

#[test]
fn remainders() {
    for sb in [2, 11, 113] {
        let wide = format(60, sb);
        let [one, minus_one, three] = ["1", "-1", "3"].map(|text| float(wide, text));
        for exponent in [1 << 40, (1 << 59) - 2, 2, 4] {
            assert_eq!(power(wide, exponent).rem(&three), one, "2 is -1 modulo 3");
            assert_eq!(power(wide, exponent + 1).rem(&three), minus_one, "2 is -1 modulo 3");
        }
        let smallest = Float::smallest(wide, false);
        assert_eq!(Float::largest(wide, true).rem(&smallest), Float::zero(wide, true));
        assert_eq!(smallest.rem(&Float::largest(wide, true)), smallest);
    }
    // 2 has order 11 modulo 23, and 10 modulo 11: 2^40 is 1 there, 2^58 is 3 and 2^59 - 1 is 5.
    let wide = format(60, 11);
    rows! { |exponent| power(wide, exponent).rem(&float(wide, "23"));
        "2^1": 1 << 40 => float(wide, "2"),
        "2^4": (1 << 40) + 3 => float(wide, "-7"),
        "2^3": 1 << 58 => float(wide, "8"),
        "2^5": (1 << 59) - 1 => float(wide, "9"),
    }
}

#[test]
fn conversions() {
    let wide = format(60, 2);
    let read = |text: &str| float(wide, text);
    modes! { |mode, x| read(x).convert(Format::HALF, mode), |want| float(Format::HALF, want);
        "overflow": "-max" => ["-oo", "-oo", "-max", "-oo", "-max"],
        "underflow": "min" => ["+0", "+0", "min", "+0", "+0"],
    }
    let half = float(Format::HALF, "-min").convert(wide, Rounding::Rna);
    assert_eq!(half, float(wide, "-2^-24"));

    let limit = MAX_BITS as i64;
    rows! { |exponent| power(wide, exponent).to_real().map(|real| real > RBig::ONE);
        "largest that fits": limit - 1 => Ok(true),
        "too large": limit => Err(Open::TooLarge),
        "far too large": (1 << 59) - 1 => Err(Open::TooLarge),
        "smallest that fits": 1 - limit => Ok(false),
        "too small": -limit => Err(Open::TooLarge),
        "far too small": -(1 << 59) + 2 => Err(Open::TooLarge),
    }
    let bits = |(exponent, width)| {
        let float = power(wide, exponent);
        let unsigned = float.to_ubv(width, Rounding::Rne);
        let signed = float.to_sbv(width, Rounding::Rne);
        (unsigned.map(|n| n == UBig::ONE << exponent as usize), signed.map(|n| n > IBig::ZERO))
    };
    rows! { bits;
        "fits": (limit - 1, u32::MAX) => (Ok(true), Ok(true)),
        "just fits": (limit - 1, MAX_BITS as u32) => (Ok(true), Err(Open::Unspecified)),
        "out of range": (limit, MAX_BITS as u32) => (Err(Open::Unspecified), Err(Open::Unspecified)),
        "too large": (limit, MAX_BITS as u32 + 2) => (Err(Open::TooLarge), Err(Open::TooLarge)),
        "far out of range": (1 << 58, u32::MAX) => (Err(Open::Unspecified), Err(Open::Unspecified)),
    }
    let zero = Float::smallest(wide, false);
    assert_eq!(zero.to_ubv(8, Rounding::Rtp), Ok(UBig::ONE));
    assert_eq!(zero.to_sbv(8, Rounding::Rtz), Ok(IBig::ZERO));
}

#[test]
fn widest_significands() {
    let widest = format(60, 1 << 20);
    let (x, y) = (Float::largest(widest, false), Float::smallest(widest, false));
    let third = Float::from_real(widest, Rounding::Rne, &(RBig::ONE / RBig::from(3)));
    let one = float(widest, "1");
    assert_eq!(x.mul(Rounding::Rtz, &x), x);
    assert_eq!(x.fma(Rounding::Rtn, &y, &x), x);
    assert_eq!(one.div(Rounding::Rne, &float(widest, "3")), third);
    assert_eq!(third.mul(Rounding::Rna, &third).sqrt(Rounding::Rne), third);
    // The last digits of 0.0101...: 1 - 3 * third is ± one last place.
    assert_eq!(one.rem(&third).abs(), third.fma(Rounding::Rne, &float(widest, "-3"), &one).abs());
}
