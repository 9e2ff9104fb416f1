//! How many values a sort has, and which, where it is finite.

use std::collections::{BTreeMap, BTreeSet};

use dashu_int::UBig;

use super::float::Format;
use super::{Array, BitVec, Float, Rounding, Value};
use crate::Pool;
use crate::sort::{Datatype, Sort, SortDeclId, SortId};

/// More values than are ever listed: infinitely many, or at least 2^64 - 1.
pub const ENDLESS: u64 = u64::MAX;

/// How many values a sort has, [`ENDLESS`] if more than can be counted here; nothing if that depends on the model or
/// is not known.
pub fn cardinality(pool: &Pool, sort: SortId) -> Option<u64> {
    count(pool, sort, &mut Vec::new(), &mut Counted { known: BTreeMap::new(), left: MOST_PARTS })
}

/// Datatypes of more parts in all are not counted, and values of more parts not listed.
const MOST_PARTS: u32 = 100_000;

/// Datatypes inside datatypes, no deeper than this.
const DEEPEST: usize = 100;

/// The sizes of datatypes found so far, and how many parts may still be looked at.
struct Counted {
    known: BTreeMap<SortDeclId, Option<u64>>,
    left: u32,
}

/// How many values the sort of this value has.
pub(super) fn size_by(pool: &Pool, value: &Value) -> Option<u64> {
    match value {
        Value::Bool(_) => Some(2),
        Value::BitVec(bits) => Some(power(2, u64::from(bits.width()))),
        Value::Field(_, modulus) => Some(u64::try_from(modulus).unwrap_or(ENDLESS)),
        Value::Int(_) | Value::Real(_) | Value::Text(_) | Value::Regex(_) | Value::Seq(_) | Value::Bag(_) => {
            Some(ENDLESS)
        }
        Value::Rounding(_) => Some(5),
        Value::Float(float) => Some(floats(float.format().eb(), float.format().sb())),
        Value::Tuple(parts) => product(parts.iter().map(|part| size_by(pool, part))),
        Value::Data(data) => cardinality(pool, pool.fun(data.constructor).result),
        _ => None,
    }
}

fn count(pool: &Pool, sort: SortId, inside: &mut Vec<SortDeclId>, known: &mut Counted) -> Option<u64> {
    known.left = known.left.checked_sub(1)?;
    match pool.sort(sort) {
        Sort::Bool => Some(2),
        Sort::RoundingMode => Some(5),
        Sort::Int | Sort::Real | Sort::String | Sort::RegLan | Sort::Seq(_) | Sort::Bag(_) => Some(ENDLESS),
        Sort::BitVec(width) => Some(power(2, u64::from(width))),
        Sort::Float(eb, sb) => Some(floats(eb, sb)),
        Sort::FiniteField(order) => Some(pool.text(order).parse().unwrap_or(ENDLESS)),
        Sort::Array(index, element) => {
            Some(power(count(pool, element, inside, known)?, count(pool, index, inside, known)?))
        }
        Sort::Nullable(element) => Some(count(pool, element, inside, known)?.saturating_add(1)),
        Sort::Set(element) | Sort::FiniteSet(element) => Some(power(2, count(pool, element, inside, known)?)),
        Sort::Tuple(list) => product(pool.sort_list(list).iter().map(|&s| count(pool, s, inside, known))),
        Sort::Function(list) => {
            let (&result, args) = pool.sort_list(list).split_last()?;
            let args = product(args.iter().map(|&s| count(pool, s, inside, known)))?;
            Some(power(count(pool, result, inside, known)?, args))
        }
        Sort::Declared(id, _) => {
            let decl = pool.sort_decl(id);
            let datatype = decl.datatype.as_ref()?;
            if let Some(&known) = known.known.get(&id) {
                return known;
            }
            if inside.contains(&id) {
                // Of its own values there is always a larger one. Not so for codatatypes, which are not counted.
                return Some(ENDLESS);
            }
            if inside.len() > DEEPEST {
                return None;
            }
            inside.push(id);
            let size = count_data(pool, datatype, inside, known);
            inside.pop();
            known.known.insert(id, size);
            size
        }
        _ => None,
    }
}

fn count_data(
    pool: &Pool,
    datatype: &Datatype,
    inside: &mut Vec<SortDeclId>,
    known: &mut Counted,
) -> Option<u64> {
    if datatype.co || !datatype.params.is_empty() || datatype.constructors.is_empty() {
        return None;
    }
    let mut sum = 0_u64;
    for constructor in &datatype.constructors {
        known.left = known.left.checked_sub(1)?;
        let fields = &pool.fun(constructor.function).args;
        sum = sum.saturating_add(product(fields.iter().map(|&s| count(pool, s, inside, known)))?);
    }
    Some(sum)
}

/// All bit patterns of a format; but there is only one NaN.
pub(super) fn floats(eb: u32, sb: u32) -> u64 {
    let (all, nans) = (power(2, u64::from(eb) + u64::from(sb)), power(2, u64::from(sb)) - 2);
    if all == ENDLESS { ENDLESS } else { all - nans + 1 }
}

fn power(base: u64, exponent: u64) -> u64 {
    match base {
        0 | 1 => 1,
        ENDLESS => ENDLESS,
        _ => u32::try_from(exponent).map_or(ENDLESS, |n| base.saturating_pow(n)),
    }
}

/// No sort is empty, so one endless factor makes the product endless.
fn product(factors: impl IntoIterator<Item = Option<u64>>) -> Option<u64> {
    factors.into_iter().try_fold(1_u64, |product, factor| Some(product.saturating_mul(factor?)))
}

/// All values of a sort that has at most `most`, in order; nothing for others, or where we do not list them.
pub fn elements(pool: &Pool, sort: SortId, most: u64) -> Option<Vec<Value>> {
    let mut left = MOST_PARTS;
    listed(pool, sort, most, &mut left)
}

fn listed(pool: &Pool, sort: SortId, most: u64, left: &mut u32) -> Option<Vec<Value>> {
    *left = left.checked_sub(1)?;
    if cardinality(pool, sort)? > most {
        return None;
    }
    match pool.sort(sort) {
        Sort::Bool => Some(vec![Value::Bool(false), Value::Bool(true)]),
        Sort::BitVec(width) => {
            Some((0..1_u64 << width).map(|n| Value::BitVec(BitVec::new(width, n.into()))).collect())
        }
        Sort::RoundingMode => Some(Rounding::ALL.map(Value::Rounding).into()),
        Sort::Float(eb, sb) => {
            let format = Format::new(eb, sb).ok()?;
            let all = (0..1_u64 << (eb + sb)).map(|bits| Float::from_bits(format, &UBig::from(bits)));
            let all: BTreeSet<Value> = all.map(Value::Float).collect();
            Some(all.into_iter().collect())
        }
        Sort::Nullable(element) => {
            let some = listed(pool, element, most, left)?.into_iter().map(|one| vec![one]);
            std::iter::once(Vec::new()).chain(some).map(|one| Value::seq(one).ok()).collect()
        }
        Sort::Set(element) | Sort::FiniteSet(element) => {
            let members = listed(pool, element, most, left)?;
            let mut sets: Vec<Value> = (0..1_u64 << members.len())
                .map(|bits| {
                    let inside = members.iter().enumerate().filter(|(i, _)| bits >> i & 1 == 1);
                    Value::set_of_distinct(inside.map(|(_, v)| v.clone()).collect()).ok()
                })
                .collect::<Option<_>>()?;
            sets.sort();
            Some(sets)
        }
        Sort::Array(index, element) => {
            let places = listed(pool, index, most.max(MOST_PLACES), left)?;
            tables(pool, &places, index, &listed(pool, element, most, left)?)
        }
        Sort::FiniteField(order) => {
            let order: u64 = pool.text(order).parse().ok()?;
            Some((0..order).map(|n| Value::Field(UBig::from(n), UBig::from(order))).collect())
        }
        Sort::Tuple(list) => {
            let rows = combinations(pool, pool.sort_list(list), most, left)?;
            rows.into_iter().map(|row| Value::tuple(row).ok()).collect()
        }
        Sort::Declared(id, _) => {
            let mut all = Vec::new();
            for constructor in &pool.sort_decl(id).datatype.as_ref()?.constructors {
                for row in combinations(pool, &pool.fun(constructor.function).args, most, left)? {
                    all.push(Value::data(constructor.function, row).ok()?);
                }
            }
            all.sort();
            Some(all)
        }
        _ => None,
    }
}

/// Arrays over more indices are not listed.
const MOST_PLACES: u64 = 64;

/// All arrays with these indices and elements, each in its normal form.
pub(crate) fn tables(pool: &Pool, places: &[Value], index: SortId, members: &[Value]) -> Option<Vec<Value>> {
    let mut tables: Vec<Vec<Value>> = vec![Vec::new()];
    for _ in places {
        let longer = |table: &Vec<Value>| {
            let table = table.clone();
            members.iter().map(move |v| [&table[..], std::slice::from_ref(v)].concat())
        };
        tables = tables.iter().flat_map(longer).collect();
    }
    let array = |table: Vec<Value>| {
        let default = table.first()?.clone();
        let array = Array { default, entries: places.iter().cloned().zip(table).collect() };
        Value::array_of_distinct(array.normal(pool, index)).ok()
    };
    let mut arrays: Vec<Value> = tables.into_iter().map(array).collect::<Option<_>>()?;
    arrays.sort();
    Some(arrays)
}

/// Every way to take one value of each sort.
fn combinations(pool: &Pool, sorts: &[SortId], most: u64, left: &mut u32) -> Option<Vec<Vec<Value>>> {
    sorts.iter().try_fold(vec![Vec::new()], |rows, &sort| {
        let values = listed(pool, sort, most, left)?;
        Some(
            rows.iter()
                .flat_map(|row| values.iter().map(move |v| [&row[..], std::slice::from_ref(v)].concat()))
                .collect(),
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::theory::tests::samples::PRELUDE;

    #[test]
    fn sizes() {
        for (sort, size) in [
            ("Bool", Some(2)),
            ("(_ BitVec 3)", Some(8)),
            ("(_ BitVec 64)", Some(ENDLESS)),
            ("(_ BitVec 100000)", Some(ENDLESS)),
            ("Int", Some(ENDLESS)),
            ("(Seq Bool)", Some(ENDLESS)),
            ("(Bag UnitTuple)", Some(ENDLESS)),
            ("(Set (_ BitVec 2))", Some(16)),
            ("(Set Int)", Some(ENDLESS)),
            ("(FiniteSet Color)", Some(8)),
            ("(FiniteSet String)", Some(ENDLESS)),
            ("(Nullable (_ BitVec 3))", Some(9)),
            ("(Nullable Int)", Some(ENDLESS)),
            ("UnitTuple", Some(1)),
            ("(Tuple Bool Color)", Some(6)),
            ("(Array Bool Color)", Some(9)),
            ("(Array Int UnitTuple)", Some(1)),
            ("(Array Int Bool)", Some(ENDLESS)),
            ("(Array (_ BitVec 20) Bool)", Some(ENDLESS)),
            ("(-> Bool Bool Bool)", Some(16)),
            ("Color", Some(3)),
            ("L", Some(ENDLESS)),
            ("(Option Bool)", None),
        ] {
            let script = crate::read(format!("{PRELUDE}(declare-const c {sort})").as_bytes()).expect(sort);
            let pool = &script.pool;
            let id = pool.fun(crate::FunId(pool.fun_count() - 1)).result;
            assert_eq!(cardinality(pool, id), size, "{sort}");
            let listed = elements(pool, id, 100);
            if let Some(listed) = &listed {
                assert_eq!(Some(listed.len() as u64), size, "{sort}");
                assert!(listed.is_sorted(), "{sort}");
            } else {
                assert!(size.is_none_or(|n| n > 100) || !sort.contains("Tuple Bool"), "{sort}");
            }
        }
        let pool = Pool::new();
        assert_eq!(elements(&pool, SortId::BOOL, 1), None);
    }

    #[test]
    fn floats_have_one_nan() {
        let mut pool = Pool::new();
        let small = pool.sort_id(Sort::Float(2, 3)).expect("shallow");
        // 32 patterns, of which 2 * 3 are NaN.
        assert_eq!(cardinality(&pool, small), Some(27));
    }
}
