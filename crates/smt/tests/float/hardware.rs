//! Against this machine's own arithmetic, which rounds to nearest even.

#![expect(clippy::float_cmp, clippy::cast_precision_loss, reason = "what is tested")]

use crate::draw::Draw;
use dashu_int::{IBig, UBig};
use smt::value::float::{Float, Format, Rounding};

const ROUNDS: usize = 100_000;

macro_rules! machine {
    ($name:ident, $float:ty, $bits:ty, $format:expr, $other:ty, $other_format:expr) => {
        #[test]
        fn $name() {
            let ours = |bits: $bits| Float::from_bits($format, &UBig::from(bits));
            let theirs = |x: $float| ours(x.to_bits());
            let mut draw = Draw::new(<$bits>::BITS.into());
            for _ in 0..ROUNDS {
                let bits = [(); 3].map(|()| draw.float($format.eb(), $format.sb()) as $bits);
                let [x, y, z] = bits.map(ours);
                let [a, b, c] = bits.map(<$float>::from_bits);
                let mode = Rounding::Rne;
                assert_eq!(x.add(mode, &y), theirs(a + b), "{a:e} + {b:e}");
                assert_eq!(x.sub(mode, &y), theirs(a - b), "{a:e} - {b:e}");
                assert_eq!(x.mul(mode, &y), theirs(a * b), "{a:e} * {b:e}");
                assert_eq!(x.div(mode, &y), theirs(a / b), "{a:e} / {b:e}");
                assert_eq!(x.sqrt(mode), theirs(a.sqrt()), "sqrt {a:e}");
                assert_eq!(x.fma(mode, &y, &z), theirs(a.mul_add(b, c)), "{a:e} * {b:e} + {c:e}");
                assert_eq!(
                    Rounding::ALL.map(|mode| x.round_to_integral(mode)),
                    [a.round_ties_even(), a.round(), a.ceil(), a.floor(), a.trunc()].map(|a| Ok(theirs(a))),
                    "{a:e}"
                );
                assert_eq!([x.abs(), x.neg()], [theirs(a.abs()), theirs(-a)]);
                assert_eq!([x.lt(&y), x.leq(&y), x.ieee_eq(&y)], [a < b, a <= b, a == b]);
                assert_eq!([x.is_normal(), x.is_subnormal()], [a.is_normal(), a.is_subnormal()]);
                let other = Float::from_bits($other_format, &UBig::from((a as $other).to_bits()));
                assert_eq!(x.convert($other_format, mode), other, "{a:e}");
                if let Ok(n) = x.to_sbv(64, Rounding::Rtz) {
                    assert_eq!(n, IBig::from(a as i64), "{a:e}");
                }
                if let Ok(n) = x.to_ubv(64, Rounding::Rtz) {
                    assert_eq!(n, UBig::from(a as u64), "{a:e}");
                }
                let integer = draw.next() as i64 >> draw.below(63);
                let float = Float::from_int($format, mode, &IBig::from(integer));
                assert_eq!(float, theirs(integer as $float), "{integer}");
            }
        }
    };
}

machine!(single, f32, u32, Format::SINGLE, f64, Format::DOUBLE);
machine!(double, f64, u64, Format::DOUBLE, f32, Format::SINGLE);
