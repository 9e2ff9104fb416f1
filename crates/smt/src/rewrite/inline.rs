//! Putting definitions, `let` and `lambda` in place.

use super::names;
use crate::Pool;
use crate::script::Script;
use crate::symbol::Symbol;
use crate::term::{BinderList, FunKind, Head, TermId};
use crate::theory::table;

/// The body of a definition that is applied, or of a named term. Recursive definitions stay.
pub(super) fn definition(script: &mut Script, term: TermId) -> Option<TermId> {
    let pool = &mut script.pool;
    let Head::Fun(fun) = pool.node(term).head else { return None };
    if !matches!(pool.fun(fun).kind, FunKind::Defined(..) | FunKind::Named(_)) {
        return None;
    }
    let (binders, body) = pool.body(fun)?;
    // A name inside the body would be given twice.
    let body = pool.without_annotations(body);
    let args = pool.args(term).to_vec();
    if args.is_empty() && !pool.binders(binders).is_empty() {
        let binders = pool.binders(binders).to_vec();
        return pool.lambda(&binders, body);
    }
    put(pool, binders, body, &args)
}

/// The body of a `let` with what it binds.
pub(super) fn binding(script: &mut Script, term: TermId) -> Option<TermId> {
    let pool = &mut script.pool;
    let Head::Let(list) = pool.node(term).head else { return None };
    let args = pool.args(term).to_vec();
    let (&body, bound) = args.split_last()?;
    put(pool, list, body, bound)
}

/// The body of a `lambda` that is applied, or that stands for an array whose element is selected.
pub(super) fn beta(script: &mut Script, term: TermId) -> Option<TermId> {
    let pool = &mut script.pool;
    match pool.node(term).head {
        Head::Apply => {}
        Head::Op(op, _) if table().op(op).name == "select" => {}
        _ => return None,
    }
    let all = pool.args(term).to_vec();
    let (&function, args) = all.split_first()?;
    let Head::Lambda(list) = pool.node(function).head else { return None };
    let binders = pool.binders(list).to_vec();
    let body = pool.args(function)[0];
    if args.len() < binders.len() {
        // What is left still takes the other arguments.
        let (taken, rest) = binders.split_at(args.len());
        if rest.iter().any(|r| taken.iter().any(|t| t.name == r.name)) {
            return None;
        }
        let left = pool.lambda(rest, body)?;
        let taken = pool.binders_id(taken);
        return put(pool, taken, left, args);
    }
    let (first, rest) = args.split_at(binders.len());
    let value = put(pool, list, body, first)?;
    if rest.is_empty() {
        return Some(value);
    }
    let node = *pool.node(term);
    (node.head == Head::Apply).then(|| {
        let all = [&[value], rest].concat();
        pool.add_term(Head::Apply, node.name, node.sort, &all)
    })
}

fn put(pool: &mut Pool, list: BinderList, body: TermId, args: &[TermId]) -> Option<TermId> {
    let names: Vec<Symbol> = pool.binders(list).iter().map(|b| b.name).collect();
    let distinct = names.iter().enumerate().all(|(i, name)| !names[..i].contains(name));
    if names.len() != args.len() || !distinct {
        return None;
    }
    let by: Vec<_> = names.into_iter().zip(args.iter().copied()).collect();
    names::instantiated(pool, body, &by)
}
