//! Datatypes and tuples: the operators that are not functions declared by the script.

use super::relations::{at, columns, places};
use super::{A, B, BOOL, Op, op};
use crate::Pool;
use crate::gap::Gap;
use crate::sort::{Sort, SortId, SortList};
use crate::symbol::Symbol;
use crate::term::{FunId, FunKind, Index};
use crate::theory::call::Call;
use crate::value::Value;

const NEWEST: &str = "1.4.2";

pub(super) static OPS: &[Op] = &[
    op("is", &[A], BOOL, |c| Ok(Value::Bool(c.data(0)?.constructor == function(c.indices)?)))
        .indexed(1)
        .ruled(is_sort),
    op("update", &[A, B], A, update).indexed(1).ruled(update_sort).cvc5_only(),
    op("update-field", &[A, B], A, update).indexed(1).ruled(update_sort).z3_only(),
    op("tuple", &[A], A, |c| Value::tuple(c.args.to_vec()))
        .variadic()
        .at_least(0)
        .ruled(|pool, _, args, _| if unknown(args) { Some(SortId::UNKNOWN) } else { tuple_sort(pool, args) })
        .cvc5_only(),
    op("tuple.unit", &[], A, |_| Value::tuple(Vec::new()))
        .ruled(|pool, _, _, _| tuple_sort(pool, &[]))
        .cvc5_only()
        .since("cvc5", NEWEST),
    op("tuple.select", &[A], B, |c| c.tuple(0)?.get(c.index(0)? as usize).cloned().ok_or(CONFUSED))
        .indexed(1)
        .ruled(select_sort)
        .cvc5_only(),
    op("tuple.update", &[A, B], A, |c| {
        let mut parts = c.tuple(0)?.to_vec();
        *parts.get_mut(c.index(0)? as usize).ok_or(CONFUSED)? = c.arg(1)?.clone();
        Value::tuple(parts)
    })
    .indexed(1)
    .ruled(tuple_update_sort)
    .cvc5_only()
    .since("cvc5", NEWEST),
    op("tuple.project", &[A], B, |c| Value::tuple(columns(c.tuple(0)?, &at(c)?)?))
        .indexed_by_any()
        .ruled(project_sort)
        .cvc5_only()
        .since("cvc5", NEWEST),
];

const CONFUSED: Gap = Gap::NoMeaning("a part that is not there");

fn unknown(args: &[SortId]) -> bool {
    args.contains(&SortId::UNKNOWN)
}

/// The constructor or selector that is the only index.
fn function(indices: &[Index]) -> Result<FunId, Gap> {
    if let [Index::Function(f)] = indices { Ok(*f) } else { Err(CONFUSED) }
}

fn is_sort(pool: &mut Pool, indices: &[Index], args: &[SortId], _: Option<SortId>) -> Option<SortId> {
    let constructor = pool.fun(function(indices).ok()?);
    let FunKind::Constructor(_) = constructor.kind else { return None };
    if unknown(args) {
        return Some(SortId::BOOL);
    }
    let (Sort::Declared(is, _), Sort::Declared(of, _)) = (pool.sort(args[0]), pool.sort(constructor.result))
    else {
        return None;
    };
    (is == of).then_some(SortId::BOOL)
}

fn update_sort(pool: &mut Pool, indices: &[Index], args: &[SortId], _: Option<SortId>) -> Option<SortId> {
    let selector = pool.fun(function(indices).ok()?).clone();
    let FunKind::Selector(..) = selector.kind else { return None };
    if unknown(args) {
        return Some(args[0]);
    }
    let (Sort::Declared(is, sorts), Sort::Declared(of, _)) =
        (pool.sort(args[0]), pool.sort(*selector.args.first()?))
    else {
        return None;
    };
    let sorts = pool.sort_list(sorts).to_vec();
    let field = instance(pool, selector.result, &selector.type_params, &sorts)?;
    (is == of && field == args[1]).then_some(args[0])
}

/// A sort with its parameters replaced.
fn instance(pool: &mut Pool, sort: SortId, params: &[Symbol], sorts: &[SortId]) -> Option<SortId> {
    if params.is_empty() {
        return Some(sort);
    }
    let made = match pool.sort(sort) {
        Sort::Param(name) => return sorts.get(params.iter().position(|&p| p == name)?).copied(),
        Sort::Array(i, e) => {
            Sort::Array(instance(pool, i, params, sorts)?, instance(pool, e, params, sorts)?)
        }
        Sort::Tuple(list) => Sort::Tuple(instances(pool, list, params, sorts)?),
        Sort::Function(list) => Sort::Function(instances(pool, list, params, sorts)?),
        Sort::Declared(id, list) => Sort::Declared(id, instances(pool, list, params, sorts)?),
        other => match other.element() {
            Some(element) => other.with_element(instance(pool, element, params, sorts)?),
            None => return Some(sort),
        },
    };
    pool.sort_id(made)
}

fn instances(pool: &mut Pool, list: SortList, params: &[Symbol], sorts: &[SortId]) -> Option<SortList> {
    let list = pool.sort_list(list).to_vec();
    let list: Option<Vec<_>> = list.into_iter().map(|sort| instance(pool, sort, params, sorts)).collect();
    Some(pool.sort_list_id(&list?))
}

/// With one field exchanged; a value of another constructor stays as it is.
fn update(c: &mut Call) -> Result<Value, Gap> {
    let data = c.data(0)?;
    let FunKind::Selector(constructor, field) = c.pool().fun(function(c.indices)?).kind else {
        return Err(CONFUSED);
    };
    if c.pool().fun(data.constructor).kind != FunKind::Constructor(constructor) {
        return Ok(c.arg(0)?.clone());
    }
    let mut fields = data.fields.clone();
    *fields.get_mut(field as usize).ok_or(CONFUSED)? = c.arg(1)?.clone();
    Value::data(data.constructor, fields)
}

fn tuple_sort(pool: &mut Pool, parts: &[SortId]) -> Option<SortId> {
    let list = pool.sort_list_id(parts);
    pool.sort_id(Sort::Tuple(list))
}

/// The sort of the part of a tuple that the only index names.
fn part(pool: &Pool, indices: &[Index], tuple: SortId) -> Option<SortId> {
    let (Sort::Tuple(list), [Index::Number(i)]) = (pool.sort(tuple), indices) else { return None };
    pool.sort_list(list).get(*i as usize).copied()
}

fn select_sort(pool: &mut Pool, indices: &[Index], args: &[SortId], _: Option<SortId>) -> Option<SortId> {
    if unknown(args) { Some(SortId::UNKNOWN) } else { part(pool, indices, args[0]) }
}

fn tuple_update_sort(
    pool: &mut Pool,
    indices: &[Index],
    args: &[SortId],
    _: Option<SortId>,
) -> Option<SortId> {
    (unknown(args) || part(pool, indices, args[0])? == args[1]).then_some(args[0])
}

fn project_sort(pool: &mut Pool, indices: &[Index], args: &[SortId], _: Option<SortId>) -> Option<SortId> {
    if unknown(args) {
        return Some(SortId::UNKNOWN);
    }
    let Sort::Tuple(list) = pool.sort(args[0]) else { return None };
    let parts = pool.sort_list(list);
    let parts: Option<Vec<_>> = places(indices)?.into_iter().map(|i| parts.get(i).copied()).collect();
    tuple_sort(pool, &parts?)
}

#[cfg(test)]
mod tests {
    use crate::theory::tests::samples::rows;

    rows! { datatypes,
        "is"                   : "((_ is cons) (cons 1 nil))" => "true",
        "is not"               : "((_ is cons) nil)" => "false",
        "is of another type"   : "((_ is cons) 1)" => "no row for is",
        "is of no constructor" : "((_ is hd) nil)" => "no row for is",
        "is of a number"       : "((_ is 1) nil)" => "no row for is",
        "is, parametric"       : "((_ is some) ((as some (Option Int)) 1))" => "true",
        "update"               : "((_ update hd) (cons 1 nil) 2)" => "(cons 2 nil)",
        "update the second"    : "((_ update-field tl) (cons 1 nil) (cons 2 nil))" => "(cons 1 (cons 2 nil))",
        "update the wrong one" : "((_ update hd) nil 2)" => "nil",
        "update by another"    : "((_ update hd) (cons 1 nil) true)" => "no row for update",
        "update, parametric"   : "((_ update val) ((as some (Option Int)) 1) 2)" => "(some 2)",
        "update, parametric, by another" : "((_ update val) ((as some (Option Int)) 1) true)" => "no row for update",
        "update a tester"      : "((_ update cons) (cons 1 nil) 2)" => "no row for update",
        "equal"                : "(= (cons 1 nil) (cons 1 nil))" => "true",
        "different"            : "(= (cons 1 nil) nil)" => "false",
    }

    rows! { tuples,
        "tuple"                : "(tuple 1 true)" => "(tuple 1 true)",
        "no parts"             : "(= (tuple) tuple.unit)" => "true",
        "select"               : "((_ tuple.select 1) (tuple 1 true))" => "true",
        "select too far"       : "((_ tuple.select 2) (tuple 1 true))" => "no row for tuple.select",
        "select of no tuple"   : "((_ tuple.select 0) 1)" => "no row for tuple.select",
        "update"               : "((_ tuple.update 1) (tuple 1 true) false)" => "(tuple 1 false)",
        "update by another"    : "((_ tuple.update 0) (tuple 1 true) false)" => "no row for tuple.update",
        "project"              : "((_ tuple.project 1 1) (tuple 1 true))" => "(tuple true true)",
        "project to nothing"   : "(tuple.project (tuple 1 true))" => "tuple.unit",
        "project too far"      : "((_ tuple.project 3) (tuple 1 true))" => "no row for tuple.project",
    }
}
