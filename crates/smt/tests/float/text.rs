//! A short notation for floats, and rows of them.

use dashu_int::IBig;
use dashu_ratio::RBig;
use smt::value::float::{Float, Format, Open, Rounding};

/// A float written as `nan`, `+oo`, `+0`, `max`, `min` (the smallest subnormal) or a sum of integers,
/// fractions and powers of two, each perhaps after a minus: `-(2^-3+1)` is `-2^-3+1`.
pub fn float(format: Format, text: &str) -> Float {
    let (negative, rest) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    match rest.strip_prefix('+').unwrap_or(rest) {
        "nan" => Float::nan(format),
        "oo" => Float::infinity(format, negative),
        "0" => Float::zero(format, negative),
        "max" => Float::largest(format, negative),
        "min" => Float::smallest(format, negative),
        _ => {
            let real = real(text);
            let float = Float::from_real(format, Rounding::Rtz, &real);
            assert_eq!(float.to_real(), Ok(real), "{text} is a number of {format:?}");
            float
        }
    }
}

/// A real number in the same notation.
pub fn real(text: &str) -> RBig {
    let (negative, rest) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let sum = rest.split('+').map(term).fold(RBig::ZERO, |sum, term| sum + term);
    if negative { -sum } else { sum }
}

fn term(text: &str) -> RBig {
    let number = |text: &str| text.parse::<i64>().expect("a number");
    if let Some(exponent) = text.strip_prefix("2^") {
        let exponent = number(exponent);
        let power = RBig::from(IBig::ONE << exponent.unsigned_abs() as usize);
        if exponent < 0 { RBig::ONE / power } else { power }
    } else if let Some((over, under)) = text.split_once('/') {
        RBig::from(number(over)) / RBig::from(number(under))
    } else {
        RBig::from(number(text))
    }
}

/// The float, or the gap written `open` or `large`.
pub fn outcome<T>(text: &str, read: impl Fn(&str) -> T) -> Result<T, Open> {
    match text {
        "open" => Err(Open::Unspecified),
        "large" => Err(Open::TooLarge),
        _ => Ok(read(text)),
    }
}

/// One function on many inputs.
macro_rules! rows {
    ($function:expr; $($what:literal : $input:expr => $want:expr),+ $(,)?) => {
        $(assert_eq!($function($input), $want, $what);)+
    };
}

/// One function on many inputs in the modes RNE, RNA, RTP, RTN and RTZ.
macro_rules! modes {
    ($function:expr, $read:expr; $($what:literal : $input:expr => $want:expr),+ $(,)?) => {
        $(for (mode, want) in Rounding::ALL.into_iter().zip($want) {
            assert_eq!($function(mode, $input), $read(want), "{} in {mode:?}", $what);
        })+
    };
}

pub(crate) use {modes, rows};
