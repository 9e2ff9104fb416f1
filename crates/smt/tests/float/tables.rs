//! Every operation at its corners.

use crate::text::{float, modes, outcome, real, rows};
use dashu_int::{IBig, UBig};
use smt::value::float::{Float, Format, FormatError, Open, Rounding};

const HALF: Format = Format::HALF;

fn half(text: &str) -> Float {
    float(HALF, text)
}

fn format(eb: u32, sb: u32) -> Format {
    Format::new(eb, sb).expect("a format")
}

#[test]
fn formats() {
    rows! { |(eb, sb)| Format::new(eb, sb).map(Format::width);
        "smallest": (2, 2) => Ok(4),
        "no exponent": (1, 2) => Err(FormatError::TooNarrow),
        "no significand": (2, 1) => Err(FormatError::TooNarrow),
        "nothing": (0, 0) => Err(FormatError::TooNarrow),
        "widest": (60, 1 << 20) => Ok(60 + (1 << 20)),
        "wide exponent": (61, 2) => Err(FormatError::TooWide),
        "wide significand": (2, (1 << 20) + 1) => Err(FormatError::TooWide),
        "narrow and wide": (1, u32::MAX) => Err(FormatError::TooNarrow),
    }
}

#[test]
fn bits() {
    rows! { |bits: u32| Float::from_bits(HALF, &UBig::from(bits));
        "+0": 0x0000 => half("+0"),
        "-0": 0x8000 => half("-0"),
        "smallest": 0x0001 => half("min"),
        "largest subnormal": 0x03ff => half("1023/16777216"),
        "smallest normal": 0x0400 => half("2^-14"),
        "one": 0x3c00 => half("1"),
        "minus two": 0xc000 => half("-2"),
        "largest": 0x7bff => half("65504"),
        "+oo": 0x7c00 => half("+oo"),
        "-oo": 0xfc00 => half("-oo"),
        "NaN": 0x7c01 => half("nan"),
        "quiet NaN": 0x7e00 => half("nan"),
        "negative NaN": 0xffff => half("nan"),
    }
    rows! { |text| half(text).to_bits();
        "+0": "+0" => Some(UBig::from(0x0000u32)),
        "-0": "-0" => Some(UBig::from(0x8000u32)),
        "smallest": "-min" => Some(UBig::from(0x8001u32)),
        "smallest normal": "2^-14" => Some(UBig::from(0x0400u32)),
        "largest": "max" => Some(UBig::from(0x7bffu32)),
        "-oo": "-oo" => Some(UBig::from(0xfc00u32)),
        "NaN": "nan" => None,
    }
    for (eb, sb) in [(2, 2), (2, 7), (5, 4), (7, 2)] {
        let format = format(eb, sb);
        for bits in (0..1u32 << (eb + sb)).map(UBig::from) {
            let float = Float::from_bits(format, &bits);
            assert_eq!(float.to_bits(), (!float.is_nan()).then_some(bits));
            if let Some((sign, exponent, significand)) = float.to_parts() {
                assert_eq!(Float::from_parts(format, sign, &exponent, &significand), float);
            }
        }
    }
}

#[test]
#[should_panic(expected = "the bits fit the format")]
fn too_many_bits() {
    let _ = Float::from_bits(HALF, &UBig::from(0x1_0000u32));
}

#[test]
#[should_panic(expected = "arguments of one format")]
fn two_formats() {
    let _ = half("1").add(Rounding::Rne, &float(Format::SINGLE, "1"));
}

#[test]
fn kinds() {
    let kinds = |text| {
        let x = half(text);
        [
            (x.is_normal(), 'n'),
            (x.is_subnormal(), 's'),
            (x.is_zero(), 'z'),
            (x.is_infinite(), 'i'),
            (x.is_nan(), 'x'),
            (x.is_negative(), '-'),
            (x.is_positive(), '+'),
        ]
        .into_iter()
        .filter_map(|(is, kind)| is.then_some(kind))
        .collect::<String>()
    };
    rows! { kinds;
        "one": "1" => "n+",
        "largest": "-max" => "n-",
        "smallest normal": "2^-14" => "n+",
        "largest subnormal": "1023/16777216" => "s+",
        "smallest": "-min" => "s-",
        "+0": "+0" => "z+",
        "-0": "-0" => "z-",
        "+oo": "+oo" => "i+",
        "-oo": "-oo" => "i-",
        "NaN has no sign": "nan" => "x",
    }
}

#[test]
fn signs() {
    rows! { |text| [half(text).abs(), half(text).neg()];
        "negative": "-3" => [half("3"), half("3")],
        "positive": "3" => [half("3"), half("-3")],
        "-0": "-0" => [half("+0"), half("+0")],
        "+0": "+0" => [half("+0"), half("-0")],
        "-oo": "-oo" => [half("+oo"), half("+oo")],
        "NaN": "nan" => [half("nan"), half("nan")],
    }
}

#[test]
fn comparisons() {
    let all = |(x, y)| {
        let (x, y) = (half(x), half(y));
        [x.lt(&y), x.leq(&y), x.ieee_eq(&y), x.geq(&y), x.gt(&y), x == y]
    };
    let (f, t) = (false, true);
    rows! { all;
        "less": ("1", "2") => [t, t, f, f, f, f],
        "negative less": ("-2", "-1") => [t, t, f, f, f, f],
        "signs": ("-1", "min") => [t, t, f, f, f, f],
        "zero below": ("-0", "min") => [t, t, f, f, f, f],
        "zero above": ("+0", "-min") => [f, f, f, t, t, f],
        "zeros": ("-0", "+0") => [f, t, t, t, f, f],
        "same": ("-3", "-3") => [f, t, t, t, f, t],
        "subnormal and normal": ("1023/16777216", "2^-14") => [t, t, f, f, f, f],
        "infinity": ("max", "+oo") => [t, t, f, f, f, f],
        "negative infinity": ("-max", "-oo") => [f, f, f, t, t, f],
        "infinities": ("+oo", "+oo") => [f, t, t, t, f, t],
        "both infinities": ("-oo", "+oo") => [t, t, f, f, f, f],
        "NaN": ("nan", "nan") => [f, f, f, f, f, t],
        "NaN left": ("nan", "1") => [f, f, f, f, f, f],
        "NaN right": ("-oo", "nan") => [f, f, f, f, f, f],
    }
}

#[test]
fn extremes() {
    let both = |(x, y)| [half(x).minimum(&half(y)), half(x).maximum(&half(y))];
    let want = |low, high| [outcome(low, half), outcome(high, half)];
    rows! { both;
        "ordered": ("1", "2") => want("1", "2"),
        "reversed": ("2", "-1") => want("-1", "2"),
        "NaN left": ("nan", "1") => want("1", "1"),
        "NaN right": ("-oo", "nan") => want("-oo", "-oo"),
        "NaNs": ("nan", "nan") => want("nan", "nan"),
        "zeros": ("-0", "+0") => want("open", "open"),
        "zeros reversed": ("+0", "-0") => want("open", "open"),
        "same zeros": ("-0", "-0") => want("-0", "-0"),
        "zero and more": ("-0", "min") => want("-0", "min"),
        "infinities": ("+oo", "-oo") => want("-oo", "+oo"),
    }
}

#[test]
fn sums() {
    modes! { |mode, (x, y)| half(x).add(mode, &half(y)), half;
        "exact": ("1", "2") => ["3", "3", "3", "3", "3"],
        "tie, even below": ("2048", "1") => ["2048", "2050", "2050", "2048", "2048"],
        "tie, even above": ("2050", "1") => ["2052", "2052", "2052", "2050", "2050"],
        "negative tie": ("-2048", "-1") => ["-2048", "-2050", "-2048", "-2050", "-2048"],
        "above a tie": ("2048", "1+2^-10") => ["2050", "2050", "2050", "2048", "2048"],
        "below a tie": ("2050", "1023/1024") => ["2050", "2050", "2052", "2050", "2050"],
        "far below": ("1", "min") => ["1", "1", "1+2^-10", "1", "1"],
        "far below, other sign": ("1", "-min") => ["1", "1", "1", "2047/2048", "2047/2048"],
        "far below, negative": ("-min", "-1") => ["-1", "-1", "-1", "-1+2^-10", "-1"],
        "carry": ("2047", "1") => ["2048", "2048", "2048", "2048", "2048"],
        "overflow": ("max", "max") => ["+oo", "+oo", "+oo", "max", "max"],
        "negative overflow": ("-max", "-max") => ["-oo", "-oo", "-max", "-oo", "-max"],
        "overflow by half a place": ("max", "16") => ["+oo", "+oo", "+oo", "max", "max"],
        "almost overflow": ("max", "15") => ["max", "max", "+oo", "max", "max"],
        "almost overflow, negative": ("-15", "-max") => ["-max", "-max", "-max", "-oo", "-max"],
        "cancel": ("3", "-3") => ["+0", "+0", "+0", "-0", "+0"],
        "cancel to subnormal": ("2^-14", "-1023/16777216") => ["min", "min", "min", "min", "min"],
        "zeros": ("+0", "-0") => ["+0", "+0", "+0", "-0", "+0"],
        "zeros of one sign": ("-0", "-0") => ["-0", "-0", "-0", "-0", "-0"],
        "positive zeros": ("+0", "+0") => ["+0", "+0", "+0", "+0", "+0"],
        "zero and number": ("-0", "-min") => ["-min", "-min", "-min", "-min", "-min"],
        "infinity": ("max", "-oo") => ["-oo", "-oo", "-oo", "-oo", "-oo"],
        "infinities": ("+oo", "-oo") => ["nan", "nan", "nan", "nan", "nan"],
        "infinities of one sign": ("-oo", "-oo") => ["-oo", "-oo", "-oo", "-oo", "-oo"],
        "NaN": ("nan", "1") => ["nan", "nan", "nan", "nan", "nan"],
        "infinity and NaN": ("+oo", "nan") => ["nan", "nan", "nan", "nan", "nan"],
    }
    modes! { |mode, (x, y)| half(x).sub(mode, &half(y)), half;
        "to zero": ("3", "3") => ["+0", "+0", "+0", "-0", "+0"],
        "zeros": ("+0", "+0") => ["+0", "+0", "+0", "-0", "+0"],
        "zeros of two signs": ("-0", "+0") => ["-0", "-0", "-0", "-0", "-0"],
        "infinities": ("+oo", "+oo") => ["nan", "nan", "nan", "nan", "nan"],
        "NaN": ("1", "nan") => ["nan", "nan", "nan", "nan", "nan"],
    }
}

#[test]
fn products() {
    modes! { |mode, (x, y)| half(x).mul(mode, &half(y)), half;
        "exact": ("-3", "5") => ["-15", "-15", "-15", "-15", "-15"],
        "half of the smallest": ("min", "1/2") => ["+0", "min", "min", "+0", "+0"],
        "half of the smallest, negative": ("min", "-1/2") => ["-0", "-min", "-0", "-min", "-0"],
        "less": ("min", "1/4") => ["+0", "+0", "min", "+0", "+0"],
        "far less": ("-min", "-min") => ["+0", "+0", "min", "+0", "+0"],
        "more than half": ("min", "3/4") => ["min", "min", "min", "+0", "+0"],
        "tie of subnormals": ("3/16777216", "1/2") => ["2^-23", "2^-23", "2^-23", "min", "min"],
        "tie of normals": ("1025", "3/2") => ["1538", "1538", "1538", "1537", "1537"],
        "just above": ("1023/1024", "1023/16777216") =>
            ["1022/16777216", "1022/16777216", "1023/16777216", "1022/16777216", "1022/16777216"],
        "carry into normal": ("2047/2048", "2^-14") =>
            ["2^-14", "2^-14", "2^-14", "1023/16777216", "1023/16777216"],
        "overflow": ("-max", "max") => ["-oo", "-oo", "-max", "-oo", "-max"],
        "signs of zero": ("-0", "3") => ["-0", "-0", "-0", "-0", "-0"],
        "zeros": ("-0", "-0") => ["+0", "+0", "+0", "+0", "+0"],
        "infinity": ("-oo", "min") => ["-oo", "-oo", "-oo", "-oo", "-oo"],
        "infinity and zero": ("+oo", "-0") => ["nan", "nan", "nan", "nan", "nan"],
        "NaN": ("nan", "+0") => ["nan", "nan", "nan", "nan", "nan"],
    }
}

#[test]
fn quotients() {
    modes! { |mode, (x, y)| half(x).div(mode, &half(y)), half;
        "exact": ("6", "-3") => ["-2", "-2", "-2", "-2", "-2"],
        "third": ("1", "3") => ["1365/4096", "1365/4096", "1366/4096", "1365/4096", "1365/4096"],
        "minus third": ("-1", "3") => ["-1365/4096", "-1365/4096", "-1365/4096", "-1366/4096", "-1365/4096"],
        "half of the smallest": ("min", "2") => ["+0", "min", "min", "+0", "+0"],
        "overflow": ("max", "min") => ["+oo", "+oo", "+oo", "max", "max"],
        "underflow": ("-min", "max") => ["-0", "-0", "-0", "-min", "-0"],
        "by zero": ("-1", "+0") => ["-oo", "-oo", "-oo", "-oo", "-oo"],
        "by negative zero": ("-1", "-0") => ["+oo", "+oo", "+oo", "+oo", "+oo"],
        "infinity by zero": ("+oo", "-0") => ["-oo", "-oo", "-oo", "-oo", "-oo"],
        "by infinity": ("1", "-oo") => ["-0", "-0", "-0", "-0", "-0"],
        "zero by infinity": ("-0", "-oo") => ["+0", "+0", "+0", "+0", "+0"],
        "zeros": ("+0", "+0") => ["nan", "nan", "nan", "nan", "nan"],
        "infinities": ("+oo", "-oo") => ["nan", "nan", "nan", "nan", "nan"],
        "NaN": ("1", "nan") => ["nan", "nan", "nan", "nan", "nan"],
    }
}

#[test]
fn fused_sums() {
    modes! { |mode, (x, y, z)| half(x).fma(mode, &half(y), &half(z)), half;
        "not rounded in between": ("1+2^-10", "1+2^-10", "-1+2^-9") => ["2^-20"; 5],
        "no overflow in between": ("max", "2", "-max") => ["max"; 5],
        "no underflow in between": ("min", "1/2", "2^-23") =>
            ["2^-23", "3/16777216", "3/16777216", "2^-23", "2^-23"],
        "a tie and a little": ("1025", "3/2", "min") => ["1538", "1538", "1538", "1537", "1537"],
        "a tie less a little": ("1025", "3/2", "-min") => ["1537", "1537", "1538", "1537", "1537"],
        "product far below": ("min", "min", "1") => ["1", "1", "1+2^-10", "1", "1"],
        "product far below, other sign": ("min", "-min", "1") => ["1", "1", "1", "2047/2048", "2047/2048"],
        "cancel": ("2", "3", "-6") => ["+0", "+0", "+0", "-0", "+0"],
        "zero product": ("-0", "3", "+0") => ["+0", "+0", "+0", "-0", "+0"],
        "zeros of one sign": ("-0", "3", "-0") => ["-0"; 5],
        "tiny product, zero": ("min", "-min", "+0") => ["-0", "-0", "-0", "-min", "-0"],
        "zero product and number": ("-0", "max", "3") => ["3"; 5],
        "infinite product": ("+oo", "-2", "max") => ["-oo"; 5],
        "infinities": ("+oo", "2", "-oo") => ["nan"; 5],
        "infinite term": ("max", "max", "-oo") => ["-oo"; 5],
        "infinity and zero": ("+oo", "-0", "1") => ["nan"; 5],
        "overflow": ("max", "max", "-max") => ["+oo", "+oo", "+oo", "max", "max"],
        "NaN term": ("1", "1", "nan") => ["nan"; 5],
        "NaN factor": ("+0", "nan", "+oo") => ["nan"; 5],
    }
}

#[test]
fn roots() {
    modes! { |mode, x| half(x).sqrt(mode), half;
        "exact": "9/4" => ["3/2"; 5],
        "two": "2" => ["1448/1024", "1448/1024", "1449/1024", "1448/1024", "1448/1024"],
        "three": "3" => ["1774/1024", "1774/1024", "1774/1024", "1773/1024", "1773/1024"],
        "smallest": "min" => ["2^-12"; 5],
        "odd exponent of subnormal": "2^-22" => ["2^-11"; 5],
        "largest": "max" => ["255+7/8", "255+7/8", "256", "255+7/8", "255+7/8"],
        "-0": "-0" => ["-0"; 5],
        "+0": "+0" => ["+0"; 5],
        "negative": "-min" => ["nan"; 5],
        "+oo": "+oo" => ["+oo"; 5],
        "-oo": "-oo" => ["nan"; 5],
        "NaN": "nan" => ["nan"; 5],
    }
}

#[test]
fn remainders() {
    rows! { |(x, y)| half(x).rem(&half(y));
        "up": ("5", "3") => half("-1"),
        "up, negative": ("-5", "3") => half("1"),
        "sign of the divisor": ("5", "-3") => half("-1"),
        "down": ("4", "3") => half("1"),
        "tie, even below": ("5", "2") => half("1"),
        "tie, even above": ("7", "2") => half("-1"),
        "tie, zero": ("1", "2") => half("1"),
        "tie, zero, negative": ("-1", "2") => half("-1"),
        "tie, one": ("3", "2") => half("-1"),
        "past a half": ("9/8", "2") => half("-7/8"),
        "divides": ("6", "3") => half("+0"),
        "divides, negative": ("-6", "3") => half("-0"),
        "divides, divisor negative": ("6", "-3") => half("+0"),
        "smaller": ("-1", "3") => half("-1"),
        "far smaller": ("min", "max") => half("min"),
        "far greater": ("max", "min") => half("+0"),
        "greater": ("max", "3") => half("-1"),
        "subnormal divisor": ("max", "-3/16777216") => half("-min"),
        "by infinity": ("-3", "+oo") => half("-3"),
        "zero by infinity": ("-0", "-oo") => half("-0"),
        "zero": ("-0", "2") => half("-0"),
        "of infinity": ("+oo", "2") => half("nan"),
        "by zero": ("1", "-0") => half("nan"),
        "zeros": ("+0", "+0") => half("nan"),
        "infinities": ("+oo", "+oo") => half("nan"),
        "NaN": ("nan", "1") => half("nan"),
        "by NaN": ("1", "nan") => half("nan"),
    }
}

#[test]
fn integrals() {
    modes! { |mode, x| half(x).round_to_integral(mode), |want| outcome(want, half);
        "half": "1/2" => ["+0", "1", "1", "+0", "+0"],
        "half, negative": "-1/2" => ["-0", "-1", "-0", "-1", "-0"],
        "one and a half": "3/2" => ["2", "2", "2", "1", "1"],
        "two and a half": "-5/2" => ["-2", "-3", "-2", "-3", "-2"],
        "below a half": "1023/2048" => ["+0", "+0", "1", "+0", "+0"],
        "above a half": "1025/2048" => ["1", "1", "1", "+0", "+0"],
        "smallest": "min" => ["+0", "+0", "1", "+0", "+0"],
        "smallest, negative": "-min" => ["-0", "-0", "-0", "-1", "-0"],
        "carry": "1023+1/2" => ["1024", "1024", "1024", "1023", "1023"],
        "integer": "-7" => ["-7"; 5],
        "largest": "max" => ["max"; 5],
        "-0": "-0" => ["-0"; 5],
        "+oo": "+oo" => ["+oo"; 5],
        "NaN": "nan" => ["nan"; 5],
    }
    let small = |text: &str| float(format(2, 4), text);
    modes! { |mode, x| small(x).round_to_integral(mode), |want| outcome(want, small);
        "out of the format": "15/4" => ["open", "open", "open", "3", "3"],
        "out of the format, negative": "-15/4" => ["open", "open", "-3", "open", "-3"],
        "tie at the end": "7/2" => ["open", "open", "open", "3", "3"],
        "below the tie": "13/4" => ["3", "3", "open", "3", "3"],
        "subnormal": "3/4" => ["1", "1", "1", "+0", "+0"],
    }
}

#[test]
fn conversions() {
    let single = |text: &str| float(Format::SINGLE, text);
    modes! { |mode, x| single(x).convert(HALF, mode), half;
        "exact": "-3/2" => ["-3/2"; 5],
        "tie": "2049" => ["2048", "2050", "2050", "2048", "2048"],
        "above the tie": "2049+2^-12" => ["2050", "2050", "2050", "2048", "2048"],
        "overflow": "2^17" => ["+oo", "+oo", "+oo", "max", "max"],
        "overflow by rounding": "65520" => ["+oo", "+oo", "+oo", "max", "max"],
        "largest by rounding": "-65519" => ["-max", "-max", "-max", "-oo", "-max"],
        "to subnormal, not rounded twice": "-3071/34359738368" =>
            ["-min", "-min", "-min", "-2^-23", "-min"],
        "half of the smallest": "-2^-25" => ["-0", "-min", "-0", "-min", "-0"],
        "underflow": "2^-100" => ["+0", "+0", "min", "+0", "+0"],
        "-0": "-0" => ["-0"; 5],
        "-oo": "-oo" => ["-oo"; 5],
        "NaN": "nan" => ["nan"; 5],
    }
    modes! { |mode, x| Float::from_real(HALF, mode, &real(x)), half;
        "zero": "0" => ["+0"; 5],
        "third": "1/3" => ["1365/4096", "1365/4096", "1366/4096", "1365/4096", "1365/4096"],
        "tie": "2049" => ["2048", "2050", "2050", "2048", "2048"],
        "tie and a little": "2049+2^-300" => ["2050", "2050", "2050", "2048", "2048"],
        "below the tie": "2048+2/3" => ["2048", "2048", "2050", "2048", "2048"],
        "overflow": "-2^300" => ["-oo", "-oo", "-max", "-oo", "-max"],
        "underflow": "-2^-300" => ["-0", "-0", "-0", "-min", "-0"],
        "half of the smallest": "2^-25" => ["+0", "min", "min", "+0", "+0"],
        "half and a little": "2^-25+2^-300" => ["min", "min", "min", "+0", "+0"],
        "a tenth": "1/10" => ["1638/16384", "1638/16384", "1639/16384", "1638/16384", "1638/16384"],
    }
    modes! { |mode, x: i64| Float::from_int(HALF, mode, &IBig::from(x)), half;
        "zero": 0 => ["+0"; 5],
        "exact": -2047 => ["-2047"; 5],
        "tie": -2049 => ["-2048", "-2050", "-2048", "-2050", "-2048"],
        "largest": 65519 => ["max", "max", "+oo", "max", "max"],
        "overflow": 65520 => ["+oo", "+oo", "+oo", "max", "max"],
        "far overflow": i64::MIN => ["-oo", "-oo", "-max", "-oo", "-max"],
    }
    rows! { |x| half(x).to_real();
        "fraction": "-3/4" => Ok(real("-3/4")),
        "smallest": "min" => Ok(real("2^-24")),
        "largest": "max" => Ok(real("65504")),
        "-0": "-0" => Ok(real("0")),
        "-oo": "-oo" => Err(Open::Unspecified),
        "NaN": "nan" => Err(Open::Unspecified),
    }
}

#[test]
fn to_bit_vectors() {
    let unsigned = |want| outcome(want, |n| n.parse::<UBig>().expect("a number"));
    modes! { |mode, (x, width)| half(x).to_ubv(width, mode), unsigned;
        "exact": ("255", 8) => ["255"; 5],
        "rounds out of range": ("255+1/2", 8) => ["open", "open", "open", "255", "255"],
        "out of range": ("256", 8) => ["open"; 5],
        "rounds to zero from below": ("-1/2", 8) => ["0", "open", "0", "open", "0"],
        "a little below zero": ("-min", 8) => ["0", "0", "0", "open", "0"],
        "negative": ("-1", 8) => ["open"; 5],
        "one bit": ("1", 1) => ["1"; 5],
        "one bit, rounded": ("1+1/2", 1) => ["open", "open", "open", "1", "1"],
        "-0": ("-0", 1) => ["0"; 5],
        "wide": ("max", u32::MAX) => ["65504"; 5],
        "+oo": ("+oo", 64) => ["open"; 5],
        "NaN": ("nan", 64) => ["open"; 5],
    }
    let signed = |want| outcome(want, |n| n.parse::<IBig>().expect("a number"));
    modes! { |mode, (x, width)| half(x).to_sbv(width, mode), signed;
        "exact": ("-3", 3) => ["-3"; 5],
        "rounds out of range": ("127+1/2", 8) => ["open", "open", "open", "127", "127"],
        "least": ("-128", 8) => ["-128"; 5],
        "rounds to the least": ("-128+1/2", 8) => ["-128", "open", "-128", "open", "-128"],
        "too small": ("-129", 8) => ["open"; 5],
        "too large": ("128", 8) => ["open"; 5],
        "one bit": ("-1", 1) => ["-1"; 5],
        "one bit, positive": ("1", 1) => ["open"; 5],
        "one bit, rounded": ("-1/2", 1) => ["0", "-1", "0", "-1", "0"],
        "-0": ("-0", 1) => ["0"; 5],
        "wide": ("-max", u32::MAX) => ["-65504"; 5],
        "-oo": ("-oo", 64) => ["open"; 5],
        "NaN": ("nan", 64) => ["open"; 5],
    }
}
