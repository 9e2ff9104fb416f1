//! Sort parameters: replacing them in a sort, and finding out what they stand for.

use crate::pool::Pool;
use crate::sort::{Sort, SortId, SortList};
use crate::symbol::Symbol;

/// Replaces sort parameters. None if the result is nested too deeply.
pub(crate) fn substitute(pool: &mut Pool, sort: SortId, binding: &[(Symbol, SortId)]) -> Option<SortId> {
    let list = |pool: &mut Pool, list: SortList| {
        let sorts = pool.sort_list(list).to_vec();
        let sorts: Option<Vec<_>> = sorts.into_iter().map(|s| substitute(pool, s, binding)).collect();
        Some(pool.sort_list_id(&sorts?))
    };
    let new = match pool.sort(sort) {
        Sort::Param(name) => return Some(binding.iter().find(|(p, _)| *p == name).map_or(sort, |(_, s)| *s)),
        Sort::Array(i, e) => Sort::Array(substitute(pool, i, binding)?, substitute(pool, e, binding)?),
        Sort::Tuple(sorts) => Sort::Tuple(list(pool, sorts)?),
        Sort::Function(sorts) => Sort::Function(list(pool, sorts)?),
        Sort::Declared(decl, sorts) => Sort::Declared(decl, list(pool, sorts)?),
        other => match other.element() {
            Some(element) => other.with_element(substitute(pool, element, binding)?),
            None => return Some(sort),
        },
    };
    pool.sort_id(new)
}

/// Whether `actual` is an instance of `pattern`, binding its sort parameters.
pub(crate) fn unify(
    pool: &Pool,
    pattern: SortId,
    actual: SortId,
    binding: &mut Vec<(Symbol, SortId)>,
) -> bool {
    if pattern == actual || actual == SortId::UNKNOWN {
        return true;
    }
    let lists = |a: SortList, b: SortList, binding: &mut Vec<(Symbol, SortId)>| {
        let (a, b) = (pool.sort_list(a), pool.sort_list(b));
        a.len() == b.len() && a.iter().zip(b).all(|(&a, &b)| unify(pool, a, b, binding))
    };
    match (pool.sort(pattern), pool.sort(actual)) {
        (Sort::Param(name), _) => {
            if let Some(&(_, bound)) = binding.iter().find(|(p, _)| *p == name) {
                return bound == actual;
            }
            binding.push((name, actual));
            true
        }
        (Sort::Array(a, b), Sort::Array(c, d)) => unify(pool, a, c, binding) && unify(pool, b, d, binding),
        (Sort::Tuple(a), Sort::Tuple(b)) | (Sort::Function(a), Sort::Function(b)) => lists(a, b, binding),
        (Sort::Declared(x, a), Sort::Declared(y, b)) => x == y && lists(a, b, binding),
        (x, y) => match (x.element(), y.element()) {
            (Some(a), Some(b)) => x.with_element(b) == y && unify(pool, a, b, binding),
            _ => false,
        },
    }
}
