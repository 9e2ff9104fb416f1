//! Bit-vectors against integers: every pair of every small width, then the corners of wide ones.

use super::super::table;
use crate::gap::Gap;
use crate::term::Index;
use crate::theory::resolve::{Occurrence, resolve};
use crate::theory::tests::testing::{bits, holds, int, is_sorted, value};
use crate::value::{BitVec, Value};
use crate::{Fuel, Pool};

/// `n`, a number of this width, in two's complement.
fn signed(w: u32, n: i64) -> i64 {
    if n >= 1 << (w - 1) { n - (1 << w) } else { n }
}

fn wrap(w: u32, n: i64) -> i64 {
    n.rem_euclid(1 << w)
}

fn number(value: &Value) -> i64 {
    match value {
        Value::BitVec(b) => i64::try_from(b.unsigned()).expect("small"),
        other => panic!("{other:?} is no bit-vector"),
    }
}

/// The standard defines the signed divisions by cases over the unsigned ones; so do we here.
mod by_cases {
    use super::wrap;

    pub fn udiv(w: u32, s: i64, t: i64) -> i64 {
        s.checked_div(t).unwrap_or((1 << w) - 1)
    }

    pub fn urem(_: u32, s: i64, t: i64) -> i64 {
        s.checked_rem(t).unwrap_or(s)
    }

    fn msb(w: u32, s: i64) -> bool {
        s >> (w - 1) & 1 == 1
    }

    fn neg(w: u32, s: i64) -> i64 {
        wrap(w, -s)
    }

    pub fn sdiv(w: u32, s: i64, t: i64) -> i64 {
        match (msb(w, s), msb(w, t)) {
            (false, false) => udiv(w, s, t),
            (true, false) => neg(w, udiv(w, neg(w, s), t)),
            (false, true) => neg(w, udiv(w, s, neg(w, t))),
            (true, true) => udiv(w, neg(w, s), neg(w, t)),
        }
    }

    pub fn srem(w: u32, s: i64, t: i64) -> i64 {
        match (msb(w, s), msb(w, t)) {
            (false, false) => urem(w, s, t),
            (true, false) => neg(w, urem(w, neg(w, s), t)),
            (false, true) => urem(w, s, neg(w, t)),
            (true, true) => neg(w, urem(w, neg(w, s), neg(w, t))),
        }
    }

    pub fn smod(w: u32, s: i64, t: i64) -> i64 {
        let abs = |x| if msb(w, x) { neg(w, x) } else { x };
        let u = urem(w, abs(s), abs(t));
        if u == 0 {
            return u;
        }
        match (msb(w, s), msb(w, t)) {
            (false, false) => u,
            (true, false) => wrap(w, neg(w, u) + t),
            (false, true) => wrap(w, u + t),
            (true, true) => neg(w, u),
        }
    }
}

/// Bit by bit.
fn each(w: u32, a: i64, b: i64, f: fn(bool, bool) -> bool) -> i64 {
    (0..w).map(|i| i64::from(f(a >> i & 1 == 1, b >> i & 1 == 1)) << i).sum()
}

/// One step to the left, `n` times.
fn turned(w: u32, a: i64, n: i64) -> i64 {
    (0..n).fold(a, |a, _| wrap(w, a << 1) | a >> (w - 1))
}

type Naive = fn(u32, i64, i64) -> i64;
type NaiveTest = fn(u32, i64, i64) -> bool;

/// Of arguments and results as natural numbers.
const BINARY: &[(&str, Naive)] = &[
    ("bvand", |w, a, b| each(w, a, b, |x, y| x && y)),
    ("bvor", |w, a, b| each(w, a, b, |x, y| x || y)),
    ("bvxor", |w, a, b| each(w, a, b, |x, y| x != y)),
    ("bvxnor", |w, a, b| each(w, a, b, |x, y| x == y)),
    ("bvnand", |w, a, b| each(w, a, b, |x, y| !(x && y))),
    ("bvnor", |w, a, b| each(w, a, b, |x, y| !(x || y))),
    ("bvadd", |w, a, b| wrap(w, a + b)),
    ("bvsub", |w, a, b| wrap(w, a - b)),
    ("bvmul", |w, a, b| wrap(w, a * b)),
    ("bvudiv", by_cases::udiv),
    ("bvurem", by_cases::urem),
    ("bvsdiv", by_cases::sdiv),
    ("bvsrem", by_cases::srem),
    ("bvsmod", by_cases::smod),
    ("bvshl", |w, a, b| (0..b).fold(a, |a, _| wrap(w, a * 2))),
    ("bvlshr", |_, a, b| (0..b).fold(a, |a, _| a / 2)),
    ("bvashr", |w, a, b| (0..b).fold(a, |a, _| a / 2 + (a >> (w - 1) << (w - 1)))),
    ("bvcomp", |_, a, b| i64::from(a == b)),
    ("bvultbv", |_, a, b| i64::from(a < b)),
    ("bvsltbv", |w, a, b| i64::from(signed(w, a) < signed(w, b))),
    ("ext_rotate_left", turned),
    // As many steps as bring it back, less the ones to the right.
    ("ext_rotate_right", |w, a, b| turned(w, a, i64::from(w) * b - b)),
    ("concat", |w, a, b| a * (1 << w) + b),
];

fn out_of_range(w: u32, n: i64) -> bool {
    n < -(1 << (w - 1)) || n >= 1 << (w - 1)
}

const TESTS: &[(&str, NaiveTest)] = &[
    ("bvult", |_, a, b| a < b),
    ("bvule", |_, a, b| a <= b),
    ("bvugt", |_, a, b| a > b),
    ("bvuge", |_, a, b| a >= b),
    ("bvslt", |w, a, b| signed(w, a) < signed(w, b)),
    ("bvsle", |w, a, b| signed(w, a) <= signed(w, b)),
    ("bvsgt", |w, a, b| signed(w, a) > signed(w, b)),
    ("bvsge", |w, a, b| signed(w, a) >= signed(w, b)),
    ("bvuaddo", |w, a, b| a + b >= 1 << w),
    ("bvsaddo", |w, a, b| out_of_range(w, signed(w, a) + signed(w, b))),
    ("bvusubo", |_, a, b| a - b < 0),
    ("bvssubo", |w, a, b| out_of_range(w, signed(w, a) - signed(w, b))),
    ("bvumulo", |w, a, b| a * b >= 1 << w),
    ("bvsmulo", |w, a, b| out_of_range(w, signed(w, a) * signed(w, b))),
    ("bvsdivo", |w, a, b| b != 0 && out_of_range(w, signed(w, a) / signed(w, b))),
    ("bvumul_noovfl", |w, a, b| a * b < 1 << w),
    ("bvsmul_noovfl", |w, a, b| signed(w, a) * signed(w, b) < 1 << (w - 1)),
    ("bvsmul_noudfl", |w, a, b| signed(w, a) * signed(w, b) >= -(1 << (w - 1))),
];

#[test]
fn binary_operators_of_every_small_pair() {
    for w in 1..=5 {
        for (a, b) in (0..1 << w).flat_map(|a| (0..1 << w).map(move |b| (a, b))) {
            for (name, naive) in BINARY {
                let actual = value(name, &[], &[bits(w, a), bits(w, b)]).map(|v| number(&v));
                assert_eq!(actual, Ok(naive(w, a, b)), "({name} {a} {b}) at width {w}");
            }
            for (name, naive) in TESTS {
                let actual = holds(name, &[], &[bits(w, a), bits(w, b)]);
                assert_eq!(actual, Ok(naive(w, a, b)), "({name} {a} {b}) at width {w}");
            }
        }
    }
}

#[test]
fn unary_and_indexed_operators_of_every_small_value() {
    for w in 1..=5u32 {
        for a in 0..1i64 << w {
            let of = |name: &str, indices: &[u32]| value(name, indices, &[bits(w, a)]);
            assert_eq!(of("bvnot", &[]), Ok(bits(w, (1 << w) - 1 - a)), "bvnot {a}:{w}");
            assert_eq!(of("bvneg", &[]), Ok(bits(w, -a)), "bvneg {a}:{w}");
            assert_eq!(of("bvredor", &[]), Ok(bits(1, i64::from(a != 0))), "bvredor {a}:{w}");
            assert_eq!(of("bvredand", &[]), Ok(bits(1, i64::from(a == (1 << w) - 1))), "bvredand {a}:{w}");
            assert_eq!(of("bvnego", &[]), Ok(Value::Bool(out_of_range(w, -signed(w, a)))), "bvnego {a}:{w}");
            for name in ["ubv_to_int", "bv2nat", "bv2int"] {
                assert_eq!(of(name, &[]), Ok(int(a)), "{name} {a}:{w}");
            }
            assert_eq!(of("sbv_to_int", &[]), Ok(int(signed(w, a))), "sbv_to_int {a}:{w}");
            assert_eq!(of("@bvsize", &[]), Ok(int(w.into())));
            for n in 0..12u32 {
                assert_eq!(of("zero_extend", &[n]), Ok(bits(w + n, a)), "zero_extend {n} {a}:{w}");
                let s = signed(w, a);
                assert_eq!(of("sign_extend", &[n]), Ok(bits(w + n, s)), "sign_extend {n} {a}:{w}");
                let left = turned(w, a, n.into());
                assert_eq!(of("rotate_left", &[n]), Ok(bits(w, left)), "rotate_left {n} {a}:{w}");
                let right = turned(w, a, i64::from(w * n - n));
                assert_eq!(of("rotate_right", &[n]), Ok(bits(w, right)), "rotate_right {n} {a}:{w}");
                if n > 0 {
                    let repeated = (0..n).fold(0, |all, _| all << w | a);
                    assert_eq!(of("repeat", &[n]), Ok(bits(w * n, repeated)), "repeat {n} {a}:{w}");
                }
            }
            for high in 0..w {
                assert_eq!(of("bit2bool", &[high]), Ok(Value::Bool(a >> high & 1 == 1)));
                assert_eq!(of("@bit", &[high]), Ok(Value::Bool(a >> high & 1 == 1)));
                for low in 0..=high {
                    assert_eq!(
                        of("extract", &[high, low]),
                        Ok(bits(high - low + 1, a >> low)),
                        "{high} {low}"
                    );
                }
            }
        }
        for n in -40..40 {
            for name in ["int_to_bv", "int2bv", "nat2bv"] {
                assert_eq!(value(name, &[w], &[int(n)]), Ok(bits(w, wrap(w, n))), "{name} {n}:{w}");
            }
        }
    }
}

#[test]
fn ternary_operators() {
    for (a, b, c) in (0..64).map(|n| (n & 3, n >> 2 & 3, n >> 4)) {
        let args = [bits(2, a), bits(2, b), bits(2, c)];
        assert_eq!(value("xor3", &[], &args), Ok(bits(2, a ^ b ^ c)));
        assert_eq!(value("carry", &[], &args), Ok(bits(2, a & b | a & c | b & c)));
    }
    assert_eq!(value("bvite", &[], &[bits(1, 1), int(3), int(4)]), Ok(int(3)));
    assert_eq!(value("bvite", &[], &[bits(1, 0), int(3), int(4)]), Ok(int(4)));
}

#[test]
fn more_than_two() {
    let rows: &[(&str, &[i64], i64)] = &[
        ("bvadd", &[7, 8, 9], 8),
        ("bvmul", &[3, 3, 3], 11),
        ("bvand", &[7, 13, 6], 4),
        ("bvor", &[1, 2, 8], 11),
        ("bvxor", &[1, 3, 8], 10),
        // As z3 reads them.
        ("bvxnor", &[12, 10, 15], 9),
        ("bvxnor", &[12, 10, 15, 1], 7),
        ("bvsub", &[9, 1, 3], 5),
    ];
    for (name, args, expected) in rows {
        let args: Vec<_> = args.iter().map(|&n| bits(4, n)).collect();
        assert_eq!(value(name, &[], &args), Ok(bits(4, *expected)), "{name} {args:?}");
    }
    assert_eq!(value("concat", &[], &[bits(1, 1), bits(2, 0), bits(3, 5)]), Ok(bits(6, 0b10_0101)));
}

#[test]
fn corners_of_wide_ones() {
    let least = Value::BitVec(BitVec::new(128, dashu_int::UBig::ONE << 127));
    let wide = |n| bits(128, n);
    let rows: &[(&str, &Value, Value, Value)] = &[
        ("bvsdiv", &least, wide(-1), least.clone()),
        ("bvsdiv", &least, wide(0), wide(1)),
        ("bvsdiv", &wide(5), wide(0), wide(-1)),
        ("bvsdiv", &wide(-7), wide(2), wide(-3)),
        ("bvsrem", &least, wide(-1), wide(0)),
        ("bvsrem", &least, wide(0), least.clone()),
        ("bvsrem", &wide(-7), wide(2), wide(-1)),
        ("bvsrem", &wide(7), wide(-2), wide(1)),
        ("bvsmod", &wide(-7), wide(2), wide(1)),
        ("bvsmod", &wide(7), wide(-2), wide(-1)),
        ("bvsmod", &wide(-7), wide(-2), wide(-1)),
        ("bvsmod", &wide(-8), wide(2), wide(0)),
        ("bvsmod", &least, wide(0), least.clone()),
        ("bvudiv", &wide(5), wide(0), wide(-1)),
        ("bvurem", &wide(5), wide(0), wide(5)),
        ("bvshl", &wide(1), wide(127), least.clone()),
        ("bvshl", &wide(-1), wide(128), wide(0)),
        ("bvshl", &wide(-1), least.clone(), wide(0)),
        ("bvlshr", &least, wide(127), wide(1)),
        ("bvlshr", &least, wide(-1), wide(0)),
        ("bvashr", &least, wide(127), wide(-1)),
        ("bvashr", &least, wide(-1), wide(-1)),
        ("bvashr", &wide(5), wide(-1), wide(0)),
        ("bvadd", &wide(-1), wide(1), wide(0)),
        ("bvmul", &least, wide(2), wide(0)),
        ("bvsub", &wide(0), wide(1), wide(-1)),
    ];
    for (name, a, b, expected) in rows {
        assert_eq!(value(name, &[], &[(*a).clone(), b.clone()]), Ok(expected.clone()), "{name} {a:?} {b:?}");
    }
    assert_eq!(holds("bvnego", &[], std::slice::from_ref(&least)), Ok(true));
    assert_eq!(holds("bvsdivo", &[], &[least, wide(-1)]), Ok(true));
}

#[test]
fn indices_out_of_range_have_no_row() {
    let n = Index::Number;
    let b = || vec![bits(4, 5)];
    let rows: &[(&str, Vec<Index>, Vec<Value>, bool)] = &[
        ("extract", vec![n(3), n(0)], b(), true),
        ("extract", vec![n(3), n(3)], b(), true),
        ("extract", vec![n(4), n(0)], b(), false),
        ("extract", vec![n(1), n(2)], b(), false),
        ("extract", vec![n(u32::MAX), n(0)], b(), false),
        ("extract", vec![n(1)], b(), false),
        ("repeat", vec![n(1)], b(), true),
        ("repeat", vec![n(0)], b(), false),
        ("repeat", vec![n(1 << 31)], b(), false),
        ("zero_extend", vec![n(0)], b(), true),
        ("zero_extend", vec![n(u32::MAX)], b(), false),
        ("int_to_bv", vec![n(0)], vec![int(3)], false),
        ("bit2bool", vec![n(3)], b(), true),
        ("bit2bool", vec![n(4)], b(), false),
        ("bvX", vec![n(15), n(4)], vec![], true),
        ("bvX", vec![n(16), n(4)], vec![], false),
        ("bvX", vec![n(0), n(0)], vec![], false),
        ("bvadd", vec![], vec![bits(4, 1), bits(5, 1)], false),
        ("concat", vec![], vec![bits(4, 1), bits(5, 1)], true),
        ("concat", vec![], vec![bits(4, 1), int(1)], false),
    ];
    for (name, indices, args, expected) in rows {
        assert_eq!(is_sorted(name, indices, args), *expected, "{name} {indices:?}");
    }
}

#[test]
fn constants() {
    use crate::theory::tests::testing::{Bare, apply};
    let mut world = Bare { pool: Pool::new(), fuel: Fuel::default(), model: &[] };
    let large = world.pool.intern("340282366920938463463374607431768211455");
    let text = world.pool.intern("#xff");
    let mut of = |value, width| {
        let indices = [value, Index::Number(width)];
        apply(&mut world, "bvX", &[], Occurrence { indices: &indices, want: None, args: &[] })
    };
    assert_eq!(of(Index::Number(13), 8), Ok(bits(8, 13)));
    assert_eq!(of(Index::Number(0), 1), Ok(bits(1, 0)));
    assert_eq!(of(Index::Text(large), 128), Ok(bits(128, -1)));
    assert_eq!(
        of(Index::Text(large), 129),
        Ok(Value::BitVec(BitVec::new(129, BitVec::ones(128).unsigned().clone())))
    );
    assert_eq!(of(Index::Number(13), u32::MAX), Err(Gap::TooLarge));
    let (rows, indices) = (table().named("bvX"), [Index::Text(text), Index::Number(8)]);
    assert!(resolve(&mut world.pool, rows, &indices, None, &[]).is_err(), "not a numeral");
}

#[test]
fn what_is_too_large_is_a_gap() {
    assert_eq!(value("repeat", &[1 << 28], &[bits(8, 1)]), Err(Gap::TooLarge));
    assert_eq!(value("zero_extend", &[1 << 30], &[bits(8, 1)]), Err(Gap::TooLarge));
    assert_eq!(value("sign_extend", &[1 << 30], &[bits(8, 1)]), Err(Gap::TooLarge));
    assert_eq!(value("int_to_bv", &[1 << 30], &[int(1)]), Err(Gap::TooLarge));
    assert!(value("repeat", &[1 << 22], &[bits(1, 1)]).is_ok());
}

crate::theory::tests::samples::rows! { made_of_bits,
    "the lowest bit is first" : "(mkbv true false)" => "#b01",
    "one bit"                 : "(mkbv true)" => "#b1",
    "four bits"               : "(mkbv false false true true)" => "#xc",
    "of no Bool"              : "(mkbv #b1)" => "no row for mkbv",
}
