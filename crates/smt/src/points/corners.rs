//! Corners: the values of a sort that are most often treated wrongly.

use std::collections::{BTreeMap, BTreeSet};

use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

use crate::Pool;
use crate::sort::{Sort, SortDeclId, SortId};
use crate::value::float::{Float, Format};
use crate::value::{Array, BitVec, Rounding, Value, elements};

/// Sorts of at most so many values have all of them as corners.
const FEW: u64 = 64;
/// No sort has more corners than this.
pub(super) const MOST_CORNERS: usize = 64;

/// The values of a sort that are most often treated wrongly; none if no values of it can be made.
pub(super) fn corners(pool: &Pool, sort: SortId, depth: u32) -> Option<Vec<Value>> {
    let depth = depth.checked_sub(1)?;
    if let Some(all) = elements(pool, sort, FEW) {
        return Some(all);
    }
    let mut found: Vec<Value> = match pool.sort(sort) {
        Sort::Int => integers().map(Value::Int).collect(),
        Sort::Real => reals().map(Value::Real).collect(),
        Sort::BitVec(width) => bit_vectors(width),
        Sort::Float(eb, sb) => floats(Format::new(eb, sb).ok()?),
        Sort::RoundingMode => Rounding::ALL.map(Value::Rounding).into(),
        Sort::String => texts(),
        Sort::Seq(element) => {
            let some = corners(pool, element, depth)?;
            words(&some).into_iter().filter_map(|word| Value::seq(word).ok()).collect()
        }
        Sort::Set(element) => {
            let some = corners(pool, element, depth)?;
            let sets = words(&some).into_iter().map(|word| word.into_iter().collect::<BTreeSet<_>>());
            sets.filter_map(|set| Value::set(set).ok()).collect()
        }
        Sort::Bag(element) => {
            let some = corners(pool, element, depth)?;
            let bags = words(&some).into_iter().map(|word| {
                let mut counts: BTreeMap<Value, UBig> = BTreeMap::new();
                for one in word {
                    *counts.entry(one).or_default() += UBig::ONE;
                }
                counts
            });
            bags.filter_map(|bag| Value::bag(bag).ok()).collect()
        }
        Sort::Array(index, element) => arrays(pool, (index, element), depth)?,
        Sort::Tuple(list) => tuples(pool, pool.sort_list(list), depth)?
            .into_iter()
            .filter_map(|parts| Value::tuple(parts).ok())
            .collect(),
        Sort::FiniteField(order) => {
            let order: UBig = pool.text(order).parse().ok()?;
            let last = &order - UBig::ONE;
            let some = [UBig::ZERO, UBig::ONE, UBig::from(2_u8), last];
            some.map(|n| Value::Field(n % &order, order.clone())).into()
        }
        Sort::Declared(decl, list) if pool.sort_list(list).is_empty() => data(pool, decl, depth)?,
        _ => return None,
    };
    let mut seen = BTreeSet::new();
    found.retain(|value| seen.insert(value.clone()));
    found.truncate(MOST_CORNERS);
    (!found.is_empty()).then_some(found)
}

/// A few values of each constructor of a datatype; none if the sort is no datatype, or a codatatype.
fn data(pool: &Pool, decl: SortDeclId, depth: u32) -> Option<Vec<Value>> {
    let datatype = pool.sort_decl(decl).datatype.as_ref().filter(|datatype| !datatype.co)?;
    let of = |constructor: &crate::Constructor| {
        let fields = tuples(pool, &pool.fun(constructor.function).args, depth).unwrap_or_default();
        let function = constructor.function;
        fields.into_iter().take(8).filter_map(move |fields| Value::data(function, fields).ok())
    };
    Some(datatype.constructors.iter().flat_map(of).collect())
}

/// Combinations of corners of several sorts, the first of each first.
fn tuples(pool: &Pool, sorts: &[SortId], depth: u32) -> Option<Vec<Vec<Value>>> {
    let mut all = vec![Vec::new()];
    for &sort in sorts {
        let some = corners(pool, sort, depth)?;
        let longer = |tuple: &Vec<Value>| {
            let tuple = tuple.clone();
            some.iter().take(4).map(move |value| [&tuple[..], std::slice::from_ref(value)].concat())
        };
        all = all.iter().flat_map(longer).take(MOST_CORNERS).collect();
    }
    Some(all)
}

/// The empty word, and words of one and two letters over the first three values.
fn words(some: &[Value]) -> Vec<Vec<Value>> {
    let letters = &some[..some.len().min(3)];
    let mut all = vec![Vec::new()];
    all.extend(letters.iter().map(|one| vec![one.clone()]));
    for one in letters {
        all.extend(letters.iter().map(|two| vec![one.clone(), two.clone()]));
    }
    all
}

fn arrays(pool: &Pool, (index, element): (SortId, SortId), depth: u32) -> Option<Vec<Value>> {
    let (places, some) = (corners(pool, index, depth)?, corners(pool, element, depth)?);
    let constants: Vec<Array> = some.iter().take(4).cloned().map(Array::constant).collect();
    let mut all = constants.clone();
    for (array, value) in constants.iter().zip(some.iter().cycle().skip(1)) {
        for place in places.iter().take(3) {
            let mut stored = array.clone();
            stored.set(place.clone(), value.clone());
            all.push(stored);
        }
    }
    Some(all.into_iter().filter_map(|array| Value::array(array.normal(pool, index)).ok()).collect())
}

fn integers() -> impl Iterator<Item = IBig> {
    let small = [0, 1, -1, 2, -2, 3, -3, 5, 7, 8, 10, 16, 255, 256, -256];
    let power = |n: usize| IBig::ONE << n;
    let large = [power(31) - IBig::ONE, -power(31), power(32), power(63), -power(63) - IBig::ONE, power(64)];
    small.into_iter().map(IBig::from).chain(large)
}

fn reals() -> impl Iterator<Item = RBig> {
    let small = [(0, 1), (1, 1), (-1, 1), (1, 2), (-1, 2), (1, 3), (2, 1), (-2, 1), (3, 2), (-7, 3), (10, 1)];
    let part = |(n, d): (i32, u8)| RBig::from_parts(IBig::from(n), d.into());
    let large = [RBig::from(IBig::ONE << 64_usize), RBig::from_parts(IBig::ONE, UBig::ONE << 40_usize)];
    small.into_iter().map(part).chain(large)
}

fn bit_vectors(width: u32) -> Vec<Value> {
    let last = width as usize - 1;
    let half = UBig::ONE << last;
    let all = (&half << 1_usize) - UBig::ONE;
    let small = [0_u32, 1].map(UBig::from);
    let edges = [all.clone(), half.clone(), &half - UBig::ONE, &half + UBig::ONE, all - UBig::ONE];
    let shifts = [2, width - 1, width, width + 1].map(UBig::from);
    small.into_iter().chain(edges).chain(shifts).map(|bits| Value::BitVec(BitVec::new(width, bits))).collect()
}

fn floats(format: Format) -> Vec<Value> {
    let (eb, sb) = (format.eb() as usize, format.sb() as usize);
    let bias = (UBig::ONE << (eb - 1)) - UBig::ONE;
    let half = UBig::ONE << (sb - 2);
    let mut all = Vec::new();
    for negative in [false, true] {
        all.push(Float::zero(format, negative));
        all.push(Float::from_parts(format, negative, &bias, &UBig::ZERO));
        all.push(Float::smallest(format, negative));
        all.push(Float::largest(format, negative));
        // Infinity, the smallest normal number, the largest subnormal one, one and a half, two, the next to one.
        let ones = (UBig::ONE << eb) - UBig::ONE;
        all.push(Float::from_parts(format, negative, &ones, &UBig::ZERO));
        all.push(Float::from_parts(format, negative, &UBig::ONE, &UBig::ZERO));
        all.push(Float::from_parts(format, negative, &UBig::ZERO, &((&half << 1_usize) - UBig::ONE)));
        all.push(Float::from_parts(format, negative, &bias, &half));
        all.push(Float::from_parts(format, negative, &(&bias + UBig::ONE), &UBig::ZERO));
        all.push(Float::from_parts(format, negative, &bias, &UBig::ONE));
        if !negative {
            all.push(Float::from_parts(format, false, &ones, &half));
        }
    }
    all.into_iter().map(Value::Float).collect()
}

fn texts() -> Vec<Value> {
    let some =
        ["", "a", "b", "0", "aa", "ab", "ba", "1", "01", "10", "-1", "A", "aba", "é", "\u{10000}", "abab"];
    some.map(|text| Value::Text(text.chars().map(u32::from).collect())).into()
}

/// The values of a sort beside a literal: where it is compared with something, they tell one side from the other.
pub(super) fn near(pool: &Pool, sort: SortId, literal: &Value) -> Vec<Value> {
    let steps = [0, -1, 1].map(IBig::from);
    match (pool.sort(sort), literal) {
        (Sort::Int, Value::Int(n)) => steps.map(|step| Value::Int(n + step)).into(),
        (Sort::Real, Value::Int(n)) => steps.map(|step| Value::Real(RBig::from(n + step))).into(),
        (Sort::Real, Value::Real(n)) => steps.map(|step| Value::Real(n + RBig::from(step))).into(),
        (Sort::BitVec(width), Value::BitVec(bits)) if bits.width() == width => {
            steps.map(|step| Value::BitVec(BitVec::wrap(width, &(bits.signed() + step)))).into()
        }
        (Sort::String, Value::Text(_)) => vec![literal.clone()],
        _ => Vec::new(),
    }
}
