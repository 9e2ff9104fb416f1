//! The definitions of the standard, written down as plainly as they are slow: all numbers of a small
//! format in a list, and the result looked for in it.

use crate::draw::Draw;
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;
use smt::value::float::{Float, Format, Open, Rounding};
use std::cmp::Ordering;

#[derive(Clone, PartialEq, Debug)]
enum Value {
    Nan,
    Infinity(bool),
    Zero(bool),
    Number(RBig),
}
use Value::{Infinity, Nan, Number, Zero};

struct Small {
    eb: u32,
    sb: u32,
    format: Format,
    /// By bits.
    values: Vec<Value>,
    /// Ascending, with the evenness of the significand; zero once. At both ends the number that
    /// would follow if exponents went on: results there are infinite.
    line: Vec<(RBig, bool)>,
}

fn two_to(exponent: i32) -> RBig {
    let power = RBig::from(1u64 << exponent.abs());
    if exponent < 0 { RBig::ONE / power } else { power }
}

impl Small {
    fn new(eb: u32, sb: u32) -> Self {
        let ones = (1u32 << eb) - 1;
        let bias = (ones >> 1) as i32;
        let mut line = vec![];
        let values = (0..1u32 << (eb + sb)).map(|bits| {
            let negative = bits >> (eb + sb - 1) == 1;
            let exponent = (bits >> (sb - 1)) & ones;
            let fraction = bits & ((1 << (sb - 1)) - 1);
            let part = RBig::from(fraction) / RBig::from(1u32 << (sb - 1));
            let magnitude = match exponent {
                0 if fraction == 0 => return Zero(negative),
                0 => part * two_to(1 - bias),
                _ if exponent < ones => (RBig::ONE + part) * two_to(exponent as i32 - bias),
                _ if fraction == 0 => return Infinity(negative),
                _ => return Nan,
            };
            let number = if negative { -magnitude } else { magnitude };
            line.push((number.clone(), fraction.is_multiple_of(2)));
            Number(number)
        });
        let values = values.collect();
        let end = two_to(bias + 1);
        line.extend([(RBig::ZERO, true), (end.clone(), true), (-end, true)]);
        line.sort();
        Self { eb, sb, format: Format::new(eb, sb).expect("a format"), values, line }
    }

    fn float(&self, bits: usize) -> Float {
        Float::from_bits(self.format, &UBig::from(bits))
    }

    fn all(&self) -> impl Iterator<Item = (Float, &Value)> {
        self.values.iter().enumerate().map(|(bits, value)| (self.float(bits), value))
    }

    fn pairs(&self) -> impl Iterator<Item = (Float, &Value, Float, &Value)> {
        self.all().flat_map(|(x, a)| self.all().map(move |(y, b)| (x.clone(), a, y, b)))
    }

    /// The value of a float, by its bits.
    fn value(&self, float: &Float) -> Value {
        assert_eq!(float.format(), self.format);
        match float.to_bits() {
            None => Nan,
            Some(bits) => self.values[usize::try_from(bits).expect("few bits")].clone(),
        }
    }

    /// Rounds a real that is not zero, known by how other reals compare to it.
    fn round(&self, mode: Rounding, compare: impl Fn(&RBig) -> Ordering) -> Value {
        let negative = compare(&RBig::ZERO) == Ordering::Greater;
        let last = self.line.len() - 1;
        let below = self.line.iter().rposition(|(x, _)| compare(x) != Ordering::Greater);
        let above = self.line.iter().position(|(x, _)| compare(x) != Ordering::Less);
        let (below, above) = (below.unwrap_or(0), above.unwrap_or(last));
        let nearest = |tie| {
            let middle = (&self.line[below].0 + &self.line[above].0) / RBig::from(2);
            match compare(&middle) {
                Ordering::Less => above,
                Ordering::Greater => below,
                Ordering::Equal => tie,
            }
        };
        // Both are one index at a number of the line and beyond its ends.
        let index = match mode {
            Rounding::Rne => nearest(if self.line[below].1 { below } else { above }),
            Rounding::Rna => nearest(if negative { below } else { above }),
            Rounding::Rtp => above,
            Rounding::Rtn => below,
            Rounding::Rtz if negative => above,
            Rounding::Rtz => below,
        };
        // Directed modes stop before the ends if they are directed inwards.
        let index = match mode {
            Rounding::Rtz => index.clamp(1, last - 1),
            Rounding::Rtp => index.max(1),
            Rounding::Rtn => index.min(last - 1),
            _ => index,
        };
        match &self.line[index].0 {
            _ if index == 0 || index == last => Infinity(negative),
            x if x.is_zero() => Zero(negative),
            x => Number(x.clone()),
        }
    }

    fn round_real(&self, mode: Rounding, real: &RBig) -> Value {
        self.round(mode, |x| x.cmp(real))
    }

    /// A number that must be in the list.
    fn exact(&self, real: RBig) -> Option<Value> {
        let last = self.line.len() - 1;
        self.line[1..last].iter().any(|(x, _)| *x == real).then_some(Number(real))
    }

    fn add(&self, mode: Rounding, a: &Value, b: &Value) -> Value {
        match (a, b) {
            (Nan, _) | (_, Nan) => Nan,
            (Infinity(x), Infinity(y)) if x != y => Nan,
            (Infinity(x), _) | (_, Infinity(x)) => Infinity(*x),
            _ => self.sum(mode, real(a), negative(a), real(b), negative(b)),
        }
    }

    fn sum(&self, mode: Rounding, x: RBig, x_negative: bool, y: RBig, y_negative: bool) -> Value {
        let sum = x + y;
        match (sum.is_zero(), x_negative, y_negative) {
            (false, ..) => self.round_real(mode, &sum),
            (true, true, true) => Zero(true),
            (true, false, false) => Zero(false),
            _ => Zero(mode == Rounding::Rtn),
        }
    }

    fn mul(&self, mode: Rounding, a: &Value, b: &Value) -> Value {
        let sign = || negative(a) != negative(b);
        match (a, b) {
            (Nan, _) | (_, Nan) | (Infinity(_), Zero(_)) | (Zero(_), Infinity(_)) => Nan,
            (Infinity(_), _) | (_, Infinity(_)) => Infinity(sign()),
            (Zero(_), _) | (_, Zero(_)) => Zero(sign()),
            (Number(x), Number(y)) => self.round_real(mode, &(x * y)),
        }
    }

    fn div(&self, mode: Rounding, a: &Value, b: &Value) -> Value {
        let sign = || negative(a) != negative(b);
        match (a, b) {
            (Nan, _) | (_, Nan) | (Infinity(_), Infinity(_)) | (Zero(_), Zero(_)) => Nan,
            (Infinity(_), _) | (_, Zero(_)) => Infinity(sign()),
            (Zero(_), _) | (_, Infinity(_)) => Zero(sign()),
            (Number(x), Number(y)) => self.round_real(mode, &(x / y)),
        }
    }

    fn fma(&self, mode: Rounding, a: &Value, b: &Value, c: &Value) -> Value {
        match (a, b, c) {
            (Nan, ..) | (_, Nan, _) | (.., Nan) => Nan,
            (Infinity(_), Zero(_), _) | (Zero(_), Infinity(_), _) => Nan,
            (Infinity(_), _, _) | (_, Infinity(_), _) => {
                self.add(mode, &Infinity(negative(a) != negative(b)), c)
            }
            (_, _, Infinity(_)) => c.clone(),
            _ => self.sum(mode, real(a) * real(b), negative(a) != negative(b), real(c), negative(c)),
        }
    }

    fn sqrt(&self, mode: Rounding, a: &Value) -> Value {
        match a {
            Zero(_) => a.clone(),
            Infinity(false) => a.clone(),
            Number(x) if *x > RBig::ZERO => {
                self.round(mode, |y| if *y < RBig::ZERO { Ordering::Less } else { (y * y).cmp(x) })
            }
            _ => Nan,
        }
    }

    fn rem(&self, a: &Value, b: &Value) -> Value {
        match (a, b) {
            (Nan | Infinity(_), _) | (_, Nan | Zero(_)) => Nan,
            (_, Infinity(_)) | (Zero(_), _) => a.clone(),
            (Number(x), Number(y)) => {
                let rest = x - y * RBig::from(integer(Rounding::Rne, &(x / y)));
                if rest.is_zero() { Zero(negative(a)) } else { self.exact(rest).expect("representable") }
            }
        }
    }

    fn integral(&self, mode: Rounding, a: &Value) -> Option<Value> {
        let Number(x) = a else { return Some(a.clone()) };
        let integer = integer(mode, x);
        if integer.is_zero() { Some(Zero(negative(a))) } else { self.exact(RBig::from(integer)) }
    }
}

fn negative(value: &Value) -> bool {
    match value {
        Nan => panic!("NaN has no sign"),
        Infinity(negative) | Zero(negative) => *negative,
        Number(x) => *x < RBig::ZERO,
    }
}

fn real(value: &Value) -> RBig {
    match value {
        Zero(_) => RBig::ZERO,
        Number(x) => x.clone(),
        _ => panic!("not a real"),
    }
}

/// The integer nearest by the mode, of all those around.
fn integer(mode: Rounding, x: &RBig) -> IBig {
    let low = x.floor();
    let high = x.ceil();
    let to_low = x - RBig::from(low.clone());
    let to_high = RBig::from(high.clone()) - x;
    let even = if (&low % IBig::from(2)).is_zero() { &low } else { &high };
    let away = if *x < RBig::ZERO { &low } else { &high };
    let toward = if *x < RBig::ZERO { &high } else { &low };
    let nearest = |tie: &IBig| match to_low.cmp(&to_high) {
        Ordering::Less => low.clone(),
        Ordering::Greater => high.clone(),
        Ordering::Equal => tie.clone(),
    };
    match mode {
        _ if low == high => low,
        Rounding::Rne => nearest(even),
        Rounding::Rna => nearest(away),
        Rounding::Rtp => high,
        Rounding::Rtn => low,
        Rounding::Rtz => toward.clone(),
    }
}

fn formats() -> Vec<Small> {
    [(2, 2), (2, 3), (3, 2), (3, 3)].into_iter().map(|(eb, sb)| Small::new(eb, sb)).collect()
}

/// Also formats with more significand than exponent, and the other way.
fn more_formats() -> Vec<Small> {
    let mut all = formats();
    all.extend([(2, 4), (2, 6), (3, 5), (4, 2), (4, 4), (5, 3)].map(|(eb, sb)| Small::new(eb, sb)));
    all
}

#[test]
fn two_arguments() {
    for small in formats() {
        for (x, a, y, b) in small.pairs() {
            for mode in Rounding::ALL {
                let what = || format!("{mode:?} {x:?} {y:?}");
                assert_eq!(small.value(&x.add(mode, &y)), small.add(mode, a, b), "add {}", what());
                assert_eq!(small.value(&x.mul(mode, &y)), small.mul(mode, a, b), "mul {}", what());
                assert_eq!(small.value(&x.div(mode, &y)), small.div(mode, a, b), "div {}", what());
                let minus = small.value(&y.neg());
                assert_eq!(small.value(&x.sub(mode, &y)), small.add(mode, a, &minus), "sub {}", what());
            }
        }
    }
}

#[test]
fn remainders_and_order() {
    for small in more_formats() {
        for (x, a, y, b) in small.pairs() {
            assert_eq!(small.value(&x.rem(&y)), small.rem(a, b), "{x:?} {y:?}");
            let order = match (a, b) {
                (Nan, _) | (_, Nan) => None,
                (Infinity(p), Infinity(q)) => Some(q.cmp(p)),
                (Infinity(p), _) => Some(if *p { Ordering::Less } else { Ordering::Greater }),
                (_, Infinity(q)) => Some(if *q { Ordering::Greater } else { Ordering::Less }),
                _ => Some(real(a).cmp(&real(b))),
            };
            let is = |wanted: &[Ordering]| order.is_some_and(|order| wanted.contains(&order));
            assert_eq!(x.lt(&y), is(&[Ordering::Less]));
            assert_eq!(x.leq(&y), is(&[Ordering::Less, Ordering::Equal]));
            assert_eq!(x.gt(&y), is(&[Ordering::Greater]));
            assert_eq!(x.geq(&y), is(&[Ordering::Greater, Ordering::Equal]));
            assert_eq!(x.ieee_eq(&y), is(&[Ordering::Equal]));
            assert_eq!(x == y, a == b);
            let (least, most) = match (a, b, order) {
                (Zero(p), Zero(q), _) if p != q => (Err(Open::Unspecified), Err(Open::Unspecified)),
                (Nan, _, _) => (Ok(y.clone()), Ok(y.clone())),
                (_, Nan, _) => (Ok(x.clone()), Ok(x.clone())),
                (.., Some(Ordering::Less)) => (Ok(x.clone()), Ok(y.clone())),
                _ => (Ok(y.clone()), Ok(x.clone())),
            };
            assert_eq!((x.minimum(&y), x.maximum(&y)), (least, most));
        }
    }
}

#[test]
fn fused_sums() {
    let check = |small: &Small, mode, bits: [usize; 3]| {
        let [x, y, z] = bits.map(|bits| small.float(bits));
        let [a, b, c] = bits.map(|bits| &small.values[bits]);
        assert_eq!(small.value(&x.fma(mode, &y, &z)), small.fma(mode, a, b, c), "{mode:?} {bits:?}");
    };
    let small = Small::new(2, 2);
    for bits in 0..small.values.len().pow(3) {
        for mode in Rounding::ALL {
            check(&small, mode, [bits % 16, bits / 16 % 16, bits / 256]);
        }
    }
    let mut draw = Draw::new(3);
    for small in more_formats() {
        for _ in 0..4000 {
            let bits = [(); 3].map(|()| draw.below(small.values.len() as u64) as usize);
            check(&small, Rounding::ALL[draw.below(5) as usize], bits);
        }
    }
}

#[test]
fn one_argument() {
    for small in more_formats() {
        for (x, a) in small.all() {
            let bias = (1 << (small.eb - 1)) - 1;
            let normal = matches!(a, Number(r) if *r >= two_to(1 - bias) || -r >= two_to(1 - bias));
            assert_eq!(x.is_normal(), normal);
            assert_eq!(x.is_subnormal(), matches!(a, Number(_)) && !normal);
            assert_eq!(x.is_zero(), matches!(a, Zero(_)));
            assert_eq!(x.is_infinite(), matches!(a, Infinity(_)));
            assert_eq!(x.is_nan(), *a == Nan);
            assert_eq!(x.is_negative(), *a != Nan && negative(a));
            assert_eq!(x.is_positive(), *a != Nan && !negative(a));
            let is_real = !matches!(a, Nan | Infinity(_));
            assert_eq!(x.to_real(), if is_real { Ok(real(a)) } else { Err(Open::Unspecified) });
            for mode in Rounding::ALL {
                assert_eq!(small.value(&x.sqrt(mode)), small.sqrt(mode, a), "sqrt {mode:?} {x:?}");
                let integral = x.round_to_integral(mode).map(|y| small.value(&y));
                assert_eq!(integral.ok(), small.integral(mode, a), "integral {mode:?} {x:?}");
                for width in 1..8 {
                    let integer = is_real.then(|| integer(mode, &real(a)));
                    let half = IBig::ONE << (width as usize - 1);
                    let unsigned =
                        integer.clone().filter(|n| *n >= IBig::ZERO && *n < IBig::ONE << width as usize);
                    let signed = integer.filter(|n| *n >= -half.clone() && *n < half);
                    assert_eq!(x.to_ubv(width, mode).ok().map(IBig::from), unsigned, "{mode:?} {x:?}");
                    assert_eq!(x.to_sbv(width, mode).ok(), signed, "{mode:?} {x:?}");
                }
            }
        }
    }
}

#[test]
fn conversions() {
    for small in more_formats() {
        for mode in Rounding::ALL {
            for other in more_formats() {
                for (x, a) in other.all() {
                    let want = match a {
                        Number(r) => small.round_real(mode, r),
                        _ => a.clone(),
                    };
                    let got = small.value(&x.convert(small.format, mode));
                    assert_eq!(got, want, "{mode:?} {x:?} to {} {}", small.eb, small.sb);
                }
            }
            for over in -300..=300 {
                for under in [1, 3, 7, 64, 65] {
                    let real = RBig::from(over) / RBig::from(under);
                    let want = if over == 0 { Zero(false) } else { small.round_real(mode, &real) };
                    let got = small.value(&Float::from_real(small.format, mode, &real));
                    assert_eq!(got, want, "{mode:?} {real}");
                    if under == 1 {
                        let got = Float::from_int(small.format, mode, &IBig::from(over));
                        assert_eq!(small.value(&got), want, "{mode:?} {over}");
                    }
                }
            }
        }
    }
}
