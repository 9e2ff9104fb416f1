//! Terms without symbols as their values.

use super::names;
use crate::eval::eval;
use crate::gap::Fuel;
use crate::model::Model;
use crate::script::Script;
use crate::term::{FunKind, Head, TermId};
use crate::walk::free_variables;

/// The work that one value may cost.
const WORK: u64 = 100_000;

/// The value of a term that has no free variable and no symbol that a model interprets. Terms whose value is open, or
/// has no spelling, stay.
pub(super) fn ground(script: &mut Script, term: TermId) -> Option<TermId> {
    let pool = &script.pool;
    if let Head::Literal(_) | Head::Variable(_) | Head::Lambda(_) | Head::Annotated(_) = pool.node(term).head
    {
        return None;
    }
    let mut ground = true;
    names::each(pool, term, |part| {
        ground &= match pool.node(part).head {
            Head::Fun(fun) => matches!(
                pool.fun(fun).kind,
                FunKind::Constructor(_) | FunKind::Selector(..) | FunKind::Tester(_)
            ),
            Head::Literal(kind) => kind != crate::Literal::Element,
            Head::Opaque | Head::Annotated(_) => false,
            _ => true,
        };
    });
    if !ground || !free_variables(pool, term, &[]).is_empty() {
        return None;
    }
    let sort = pool.sort_of(term);
    let value = eval(term, &Model::empty(script), &mut Fuel::new(WORK)).ok()?;
    script.pool.value(sort, &value).ok()
}
