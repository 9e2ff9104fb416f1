//! Arrays.

#[cfg(test)]
mod tests;

use super::{A, Arity, B, BOOL, Op, op, table};
use crate::Pool;
use crate::gap::Gap;
use crate::sort::{Pat, Sort, SortId};
use crate::term::Index;
use crate::theory::call::{CONFUSED, Call};
use crate::value::{Array, Function, Value, elements, listed};

const ARRAY: Pat = Pat::Array(&A, &B);

pub(super) static OPS: &[Op] = &[
    op("select", &[ARRAY, A], B, select),
    op("store", &[ARRAY, A, B], ARRAY, store),
    // z3's arrays of several indices.
    op("select", &[ARRAY], B, select).variadic().at_least(3).ruled(select_sort).z3_only(),
    op("store", &[ARRAY], ARRAY, store).variadic().at_least(4).ruled(store_sort).z3_only(),
    // Written `((as const (Array X Y)) v)`; cvc5 wants `v` to be a value.
    op("const", &[B], ARRAY, |c| Value::array(Array::constant(c.arg(0)?.clone())))
        .constants(0b1)
        .constants_only("cvc5")
        .extension()
        .under("cvc5", &["--arrays-exp"], "1.2.1"),
    op("map", &[ARRAY], ARRAY, map).not_mutable().variadic().indexed(1).ruled(map_sort).z3_only(),
    // A choice of the model; over finite index sorts it need not even occur in the array.
    op("default", &[ARRAY], B, |_| Err(Gap::LeftToModel("the default of an array"))).z3_only(),
    op("array-ext", &[ARRAY, ARRAY], A, difference).z3_only(),
    op("eqrange", &[ARRAY, ARRAY, A, A], BOOL, eqrange)
        .ruled(eqrange_sort)
        .cvc5_only()
        .since("cvc5", "1.4.2"),
];

/// Several indices as one.
fn index_of(indices: &[Value]) -> Result<Value, Gap> {
    match indices {
        [index] => Ok(index.clone()),
        _ => Value::tuple(indices.to_vec()),
    }
}

/// The sort of the elements of an array of several indices, if it has these.
fn element_sort(pool: &Pool, array: SortId, indices: &[SortId]) -> Option<SortId> {
    let Sort::Array(index, element) = pool.sort(array) else { return None };
    let Sort::Tuple(list) = pool.sort(index) else { return None };
    (pool.sort_list(list) == indices).then_some(element)
}

fn select_sort(pool: &mut Pool, _: &[Index], args: &[SortId], _: Option<SortId>) -> Option<SortId> {
    let (&array, indices) = args.split_first()?;
    element_sort(pool, array, indices)
}

fn store_sort(pool: &mut Pool, _: &[Index], args: &[SortId], _: Option<SortId>) -> Option<SortId> {
    let [array, indices @ .., element] = args else { return None };
    (element_sort(pool, *array, indices)? == *element).then_some(*array)
}

/// Some index where two arrays differ, if they do.
fn difference(c: &mut Call) -> Result<Value, Gap> {
    let (a, b) = (c.arg(0)?, c.arg(1)?);
    let differ = !c.same(a, b)?;
    c.unspecified_among(&["array-ext"], "where two arrays differ", |c, index| {
        let (x, y) = (c.apply(a, std::slice::from_ref(index))?, c.apply(b, std::slice::from_ref(index))?);
        Ok(!differ || !c.same(&x, &y)?)
    })
}

fn select(c: &mut Call) -> Result<Value, Gap> {
    let (array, indices) = c.args.split_first().ok_or(CONFUSED)?;
    let index = &index_of(indices)?;
    match array {
        Value::Array(array) => {
            let key = c.entry(array, index)?;
            Ok(key.map_or(&array.default, |key| array.get(key)).clone())
        }
        Value::Function(_) => c.apply(array, indices),
        _ => Err(CONFUSED),
    }
}

fn store(c: &mut Call) -> Result<Value, Gap> {
    let [_, indices @ .., element] = c.args else { return Err(CONFUSED) };
    let index = &index_of(indices)?;
    let mut array = tabulated(c, 0)?;
    let key = c.entry(&array, index)?.unwrap_or(index).clone();
    c.pay(array.entries.len() as u64 / 8)?;
    // The key is one of the entries' own or was compared with all of them.
    array.set(key, element.clone());
    finished(c, array)
}

/// The index sort of the array that the call is to give.
fn index_sort(c: &Call) -> Option<SortId> {
    match c.pool().sort(c.sort) {
        Sort::Array(index, _) | Sort::Set(index) => Some(index),
        Sort::Function(list) => match *c.pool().sort_list(list) {
            [index, _] => Some(index),
            _ => None,
        },
        _ => None,
    }
}

/// The array a call gives, in its normal form. Its indices differ by meaning.
pub(super) fn finished(c: &mut Call, array: Array) -> Result<Value, Gap> {
    let Some(index) = index_sort(c) else { return Err(CONFUSED) };
    c.pay(array.entries.len() as u64)?;
    let array = if array.is_dense(c.pool(), index) { array.normal(c.pool(), index) } else { array };
    Value::array_of_distinct(array)
}

/// Functions over no more indices than this may stand where a table is wanted.
const FEW: u64 = 256;

/// Argument `i` as a table. A function becomes one if the call gives an array over the same few indices, or if the
/// function only compares its argument with constants.
pub(super) fn tabulated(c: &mut Call, i: usize) -> Result<Array, Gap> {
    let value = c.arg(i)?;
    match value {
        Value::Array(array) => Ok((***array).clone()),
        Value::Function(_) => {
            let index = index_sort(c);
            let Some(indices) = index.and_then(|sort| elements(c.pool(), sort, FEW)) else {
                let table = index.map(|sort| c.table_of(value, sort)).transpose()?.flatten();
                return table.ok_or(Gap::NoMeaning("a function where an array is to be changed"));
            };
            let mut array: Option<Array> = None;
            for index in indices {
                let element = c.apply(value, std::slice::from_ref(&index))?;
                match &mut array {
                    None => array = Some(Array::constant(element)),
                    Some(array) => array.set(index, element),
                }
            }
            array.ok_or(CONFUSED)
        }
        _ => Err(CONFUSED),
    }
}

/// Applies `f` to the elements of all arrays at each index.
pub(super) fn pointwise(
    c: &mut Call,
    arrays: &[Array],
    f: impl Fn(&mut Call, &[Value]) -> Result<Value, Gap>,
) -> Result<Value, Gap> {
    let indices = listed(arrays)?;
    c.pay((indices.len() * arrays.len()) as u64)?;
    let defaults: Vec<_> = arrays.iter().map(|a| a.default.clone()).collect();
    let mut result = Array::constant(f(c, &defaults)?);
    for index in indices {
        let elements: Vec<_> = arrays.iter().map(|a| a.get(index).clone()).collect();
        let element = f(c, &elements)?;
        result.set(index.clone(), element);
    }
    finished(c, result)
}

/// Of `((_ map f) a ..)`: the arrays have one index sort, and `f` takes their elements. The index is a function of
/// the script or the name of an operator.
/// The name in a ranked index such as `(+ (Int Int) Int)`.
fn bare(name: &str) -> &str {
    name.strip_prefix('(').and_then(|rest| rest.split(' ').next()).unwrap_or(name)
}

fn map_sort(pool: &mut Pool, indices: &[Index], args: &[SortId], _: Option<SortId>) -> Option<SortId> {
    let mut index = None;
    let mut elements = Vec::new();
    for &arg in args {
        let Sort::Array(i, element) = pool.sort(arg) else { return None };
        if *index.get_or_insert(i) != i {
            return None;
        }
        elements.push(element);
    }
    let result = match *indices {
        [Index::Function(f)] => {
            let f = pool.fun(f);
            if f.args != elements {
                return None;
            }
            f.result
        }
        [Index::Text(name)] => {
            let rows = table().named(bare(pool.text(name)));
            let found = super::resolve::resolve(pool, rows, &[], None, &elements).ok()?;
            if found.coerced != 0 {
                return None;
            }
            found.sort
        }
        _ => return None,
    };
    pool.sort_id(Sort::Array(index?, result))
}

fn map(c: &mut Call) -> Result<Value, Gap> {
    let arrays = (0..c.args.len()).map(|i| tabulated(c, i)).collect::<Result<Vec<_>, _>>()?;
    let Sort::Array(_, sort) = c.pool().sort(c.sort) else { return Err(CONFUSED) };
    match *c.indices {
        [Index::Function(f)] => {
            let f = Value::function(Function::Named(f))?;
            pointwise(c, &arrays, |c, elements| c.apply(&f, elements))
        }
        [Index::Text(name)] => {
            // A name with several rows would need the sorts of the elements.
            let &[row] = table().named(bare(c.pool().text(name))) else {
                return Err(Gap::NoMeaning("map with an operator of several sorts"));
            };
            let op = table().op(row);
            let direct = match op.arity {
                Arity::Fixed | Arity::Variadic => true,
                _ => c.args.len() == 2,
            };
            if !direct {
                return Err(Gap::NoMeaning("map with an operator of more arguments than its row has"));
            }
            pointwise(c, &arrays, |c, elements| c.other(op, elements, sort).evaluated())
        }
        _ => Err(CONFUSED),
    }
}

/// cvc5 orders indices that are bit-vectors (as natural numbers), floats, integers and reals.
fn eqrange_sort(pool: &mut Pool, _: &[Index], args: &[SortId], _: Option<SortId>) -> Option<SortId> {
    let [a, b, low, high] = *args else { return None };
    let Sort::Array(index, _) = pool.sort(a) else { return None };
    let ordered = matches!(pool.sort(index), Sort::BitVec(_) | Sort::Float(..) | Sort::Int | Sort::Real);
    (ordered && a == b && low == index && high == index).then_some(SortId::BOOL)
}

/// Whether two arrays are equal from one index to another, both included.
fn eqrange(c: &mut Call) -> Result<Value, Gap> {
    let (Value::Array(a), Value::Array(b)) = (c.arg(0)?, c.arg(1)?) else {
        return Err(Gap::NoMeaning("eqrange of a function"));
    };
    let (low, high) = (c.arg(2)?, c.arg(3)?);
    if low > high {
        return Ok(Value::Bool(true));
    }
    let indices = listed([&***a, &***b])?;
    c.pay(indices.len() as u64)?;
    let mut inside = 0u64;
    for &index in indices.range::<Value, _>(low..=high) {
        inside += 1;
        if !c.same(a.get(index), b.get(index))? {
            return Ok(Value::Bool(false));
        }
    }
    let all_listed = match (low, high) {
        (Value::Int(low), Value::Int(high)) => high - low < inside.into(),
        (Value::BitVec(low), Value::BitVec(high)) => high.unsigned() - low.unsigned() < inside.into(),
        (Value::Real(low), Value::Real(high)) => low == high && inside == 1,
        _ => return Err(Gap::NoMeaning("eqrange over floats")),
    };
    Ok(Value::Bool(all_listed || c.same(&a.default, &b.default)?))
}
