//! One value of each sort, always the same.

use std::collections::{BTreeMap, BTreeSet};
use std::str::FromStr;

use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

use super::float::Format;
use super::{Array, BitVec, Float, Rounding, Value};
use crate::Pool;
use crate::sort::{Sort, SortDeclId, SortId};

/// Some value of a sort, if we can make one: zero, the empty string, the smallest constructor.
pub fn standard(pool: &Pool, sort: SortId) -> Option<Value> {
    let mut left = MOST_PARTS;
    build(pool, sort, &mut Vec::new(), &mut left)
}

/// Datatypes inside datatypes double the value, and the number of ways to build none, with each level.
const MOST_PARTS: u32 = 10_000;

/// Datatypes inside datatypes, no deeper than this.
const DEEPEST: usize = 100;

fn build(pool: &Pool, sort: SortId, inside: &mut Vec<SortDeclId>, left: &mut u32) -> Option<Value> {
    *left = left.checked_sub(1)?;
    Some(match pool.sort(sort) {
        Sort::Bool => Value::Bool(false),
        Sort::Int => Value::Int(IBig::ZERO),
        Sort::Real => Value::Real(RBig::ZERO),
        Sort::BitVec(width) => Value::BitVec(BitVec::zero(width)),
        Sort::Float(eb, sb) => Value::Float(Float::zero(Format::new(eb, sb).ok()?, false)),
        Sort::RoundingMode => Value::Rounding(Rounding::Rne),
        Sort::String => Value::Text([].into()),
        Sort::Char => Value::Char(0),
        Sort::Seq(_) | Sort::Nullable(_) => Value::seq(Vec::new()).ok()?,
        Sort::Set(_) | Sort::FiniteSet(_) => Value::set(BTreeSet::new()).ok()?,
        Sort::Bag(_) => Value::bag(BTreeMap::new()).ok()?,
        Sort::Array(_, element) => Value::array(Array::constant(build(pool, element, inside, left)?)).ok()?,
        Sort::FiniteField(order) => Value::Field(UBig::ZERO, UBig::from_str(pool.text(order)).ok()?),
        Sort::Tuple(list) => {
            let parts: Option<Vec<_>> =
                pool.sort_list(list).iter().map(|&s| build(pool, s, inside, left)).collect();
            Value::tuple(parts?).ok()?
        }
        Sort::Declared(decl, list) => {
            let Some(datatype) = &pool.sort_decl(decl).datatype else {
                // Element 0 of an uninterpreted sort: the name says the sort, so that it is no other's.
                return Some(Value::Element(sort, pool.sort_decl(decl).name));
            };
            if inside.len() > DEEPEST || inside.contains(&decl) || datatype.co {
                return None;
            }
            inside.push(decl);
            let found = datatype.constructors.iter().find_map(|constructor| {
                let fields: Option<Vec<_>> = pool
                    .fun(constructor.function)
                    .args
                    .iter()
                    .map(|&field| {
                        let field = match pool.sort(field) {
                            Sort::Param(name) => {
                                let k = datatype.params.iter().position(|&p| p == name)?;
                                *pool.sort_list(list).get(k)?
                            }
                            _ => field,
                        };
                        build(pool, field, inside, left)
                    })
                    .collect();
                Value::data(constructor.function, fields?).ok()
            });
            inside.pop();
            return found;
        }
        _ => return None,
    })
}
