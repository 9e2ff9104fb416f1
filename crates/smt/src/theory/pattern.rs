//! Which sorts may be instances of a pattern.

use crate::pool::Pool;
use crate::sort::{Pat, Sort, SortId, Width};

/// Whether a sort may be an instance of a pattern.
pub(super) fn may_be(pool: &Pool, pat: Pat, sort: SortId) -> bool {
    match (pat, pool.sort(sort)) {
        (Pat::Any(_), _) => true,
        (Pat::Is(id), _) => id == sort,
        (Pat::BitVec(Width::Is(n)), Sort::BitVec(m)) => n == m,
        (Pat::BitVec(_), Sort::BitVec(_)) | (Pat::Float(..), Sort::Float(..)) => true,
        (Pat::Field, Sort::FiniteField(_)) => true,
        (Pat::Array(x, y), Sort::Array(i, e)) => may_be(pool, *x, i) && may_be(pool, *y, e),
        (Pat::Seq(x), Sort::String) => may_be(pool, *x, SortId::CHAR),
        (Pat::Function(pats), Sort::Function(list)) => {
            let sorts = pool.sort_list(list);
            sorts.len() == pats.len() && pats.iter().zip(sorts).all(|(&p, &s)| may_be(pool, p, s))
        }
        (pat, sort) => pat.elements_with(sort).is_some_and(|(&x, e)| may_be(pool, x, e)),
    }
}
