//! Values of a sort, those at boundaries more often than others.

use std::collections::{BTreeMap, BTreeSet};

use smt::value::float::Format;
use smt::value::{Array, BitVec, Float, IBig, RBig, Rounding, UBig, Value};
use smt::{Pool, Sort, SortId};

use crate::chance::Chance;

/// Integers at boundaries of something.
pub const INTS: &[i64] =
    &[0, 0, 1, 1, -1, -1, 2, -2, 3, -3, 5, 7, -7, 8, 10, 48, 97, 128, 255, 1000, 0x2_FFFF, 0x3_0000];
const FRACTIONS: &[(i64, i64)] = &[
    (0, 1),
    (0, 1),
    (1, 1),
    (-1, 1),
    (1, 2),
    (-1, 2),
    (1, 3),
    (-5, 3),
    (3, 2),
    (-3, 2),
    (5, 2),
    (7, 1),
    (1, 10),
    (255, 4),
    (1, 1 << 20),
];
const TEXTS: &[&str] = &[
    "", "", "a", "b", "ab", "ba", "aa", "aab", "abab", "A", "0", "1", "12", "007", "-1", "9a", "é", "\u{2}",
];
/// Code points that are special to somebody: limits, digits, quotes, the escape.
const CODES: &[u32] = &[
    0, 0x22, 0x2F, 0x30, 0x39, 0x3A, 0x41, 0x5C, 0x61, 0x7A, 0x7F, 0x80, 0xFF, 0x100, 0xD800, 0xFFFF,
    0x1_0000, 0x2_FFFF,
];

/// Few enough that rows of two tables often agree.
pub const FEW: &[i64] = &[0, 1, 2, -1];

/// A value of this sort in which integers are among these, or large; none of sorts that have no values of their own
/// (functions, languages).
pub fn value(
    pool: &mut Pool,
    chance: &mut Chance,
    sort: SortId,
    depth: usize,
    ints: &[i64],
) -> Option<Value> {
    Some(match pool.sort(sort) {
        Sort::Bool => Value::Bool(chance.once_in(2)),
        Sort::Int if chance.once_in(16) => Value::Int(large(chance)),
        Sort::Int => Value::Int(IBig::from(*chance.of(ints))),
        Sort::Real => {
            let &(over, under) = chance.of(FRACTIONS);
            Value::Real(RBig::from_parts_signed(over.into(), under.into()))
        }
        Sort::BitVec(width) => Value::BitVec(bits(chance, width)),
        Sort::Float(eb, sb) => Value::Float(float(chance, Format::new(eb, sb).ok()?)),
        Sort::RoundingMode => Value::Rounding(*chance.of(&[
            Rounding::Rne,
            Rounding::Rna,
            Rounding::Rtp,
            Rounding::Rtn,
            Rounding::Rtz,
        ])),
        Sort::String => Value::Text(text(chance).into()),
        Sort::Char => Value::Char(*chance.of(CODES)),
        Sort::FiniteField(modulus) => {
            let modulus: UBig = pool.text(modulus).parse().ok()?;
            let residue = UBig::from(chance.next()) % &modulus;
            Value::Field(residue, modulus)
        }
        Sort::Nullable(element) => {
            let one = if chance.once_in(3) {
                None
            } else {
                Some(value(pool, chance, element, depth.saturating_sub(1), ints)?)
            };
            Value::seq(one.into_iter().collect()).ok()?
        }
        Sort::Seq(element) => Value::seq(several(pool, chance, element, depth, ints)?).ok()?,
        Sort::Set(element) | Sort::FiniteSet(element) => {
            Value::set(several(pool, chance, element, depth, ints)?.into_iter().collect::<BTreeSet<_>>())
                .ok()?
        }
        Sort::Bag(element) => {
            let elements = several(pool, chance, element, depth, ints)?;
            let counts = elements.into_iter().map(|x| (x, UBig::from(*chance.of(&[1u8, 1, 2, 3, 5]))));
            Value::bag(counts.collect::<BTreeMap<_, _>>()).ok()?
        }
        Sort::Array(index, element) => {
            let mut array = Array::constant(value(pool, chance, element, depth.saturating_sub(1), ints)?);
            for i in several(pool, chance, index, depth, ints)? {
                let element = value(pool, chance, element, depth.saturating_sub(1), ints)?;
                array.set(i, element);
            }
            Value::array(array.normal(pool, index)).ok()?
        }
        Sort::Tuple(list) => {
            let sorts = pool.sort_list(list).to_vec();
            let parts: Option<Vec<_>> =
                sorts.into_iter().map(|s| value(pool, chance, s, depth, ints)).collect();
            Value::tuple(parts?).ok()?
        }
        Sort::Declared(decl, _) => {
            let constructors = &pool.sort_decl(decl).datatype.as_ref()?.constructors;
            let small = constructors.iter().map(|c| c.function).filter(|&f| pool.fun(f).args.is_empty());
            let small: Vec<_> = small.collect();
            let constructor = match &small[..] {
                [_, ..] if depth == 0 => *chance.of(&small),
                _ => chance.of(constructors).function,
            };
            let sorts = pool.field_sorts(constructor, sort)?;
            let fields: Option<Vec<_>> =
                sorts.into_iter().map(|s| value(pool, chance, s, depth.saturating_sub(1), ints)).collect();
            Value::data(constructor, fields?).ok()?
        }
        _ => return None,
    })
}

fn several(
    pool: &mut Pool,
    chance: &mut Chance,
    sort: SortId,
    depth: usize,
    ints: &[i64],
) -> Option<Vec<Value>> {
    let count = if depth == 0 { chance.below(2) } else { chance.below(4) };
    (0..count).map(|_| value(pool, chance, sort, depth.saturating_sub(1), ints)).collect()
}

fn large(chance: &mut Chance) -> IBig {
    let n = IBig::from(chance.next()) * IBig::from(chance.next() % 1000) + IBig::from(chance.next() % 3);
    if chance.once_in(2) { -n } else { n }
}

/// Zero, one, all ones, the least and the greatest number with a sign, or anything.
fn bits(chance: &mut Chance, width: u32) -> BitVec {
    match chance.below(8) {
        0 => BitVec::zero(width),
        1 => BitVec::new(width, UBig::ONE),
        2 => BitVec::ones(width),
        3 => BitVec::new(width, UBig::ONE << (width as usize - 1)),
        4 => BitVec::new(width, (UBig::ONE << (width as usize - 1)) - UBig::ONE),
        // Small: how far to shift, what to divide by.
        5 => BitVec::new(width, UBig::from(chance.below(width as usize + 2))),
        _ => BitVec::new(width, (UBig::from(chance.next()) << 64) + UBig::from(chance.next())),
    }
}

fn float(chance: &mut Chance, format: Format) -> Float {
    let negative = chance.once_in(2);
    let hidden = format.sb() as usize - 1;
    let parts =
        |exponent: UBig, significand: UBig| Float::from_parts(format, negative, &exponent, &significand);
    let any = bits(chance, format.sb() - 1).unsigned().clone();
    let bias = (UBig::ONE << (format.eb() as usize - 1)) - UBig::ONE;
    match chance.below(12) {
        0 => Float::nan(format),
        1 => Float::infinity(format, negative),
        2 => Float::zero(format, negative),
        3 => Float::largest(format, negative),
        4 => Float::smallest(format, negative),
        // The greatest subnormal and the least normal number.
        5 => parts(UBig::ZERO, UBig::ones(hidden)),
        6 => parts(UBig::ONE, UBig::ZERO),
        // Subnormal; near one; one.
        7 => parts(UBig::ZERO, any),
        8 => parts(bias + UBig::from(chance.below(2)), any),
        9 => parts(bias, UBig::ZERO),
        _ => parts(bits(chance, format.eb()).unsigned().clone(), any),
    }
}

fn text(chance: &mut Chance) -> Vec<u32> {
    if chance.once_in(5) {
        return (0..chance.below(3)).map(|_| *chance.of(CODES)).collect();
    }
    chance.of(TEXTS).chars().map(u32::from).collect()
}
