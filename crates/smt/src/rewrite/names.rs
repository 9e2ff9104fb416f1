//! Which names a term uses and binds, and replacing terms where no binder captures a name.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::Pool;
use crate::script::Script;
use crate::symbol::Symbol;
use crate::term::{Binder, BinderList, Case, FunKind, Head, Index, TermId};
use crate::theory::table;

/// Calls `visit` with each subterm once, those in patterns included.
pub(super) fn each(pool: &Pool, root: TermId, mut visit: impl FnMut(TermId)) {
    let mut seen = FxHashSet::default();
    let mut left = vec![root];
    while let Some(term) = left.pop() {
        if seen.insert(term) {
            visit(term);
            left.extend_from_slice(pool.args(term));
        }
    }
}

/// Whether some symbol of the term other than a bound variable has one of these names.
pub(super) fn mentions(pool: &Pool, root: TermId, names: &FxHashSet<Symbol>) -> bool {
    if names.is_empty() {
        return false;
    }
    let mut found = false;
    each(pool, root, |term| {
        found |= match pool.node(term).head {
            Head::Fun(fun) => names.contains(&pool.fun(fun).name),
            Head::Op(op, indices) => {
                let row = table().op(op);
                let named = |name: &str| pool.find(name).is_some_and(|name| names.contains(&name));
                named(row.name)
                    || row.aliases.iter().any(|alias| named(alias))
                    || pool.indices(indices).iter().any(|index| match *index {
                        Index::Function(fun) => names.contains(&pool.fun(fun).name),
                        _ => false,
                    })
            }
            _ => false,
        };
    });
    found
}

/// The names that binders in a term bind.
pub(super) fn bound(pool: &Pool, root: TermId) -> FxHashSet<Symbol> {
    let mut names = FxHashSet::default();
    each(pool, root, |term| {
        for k in 0..pool.args(term).len() {
            names.extend(crate::walk::bound_in(pool, term, k).iter().map(|b| b.name));
        }
    });
    names
}

/// Whether no binder of `root` can capture a symbol of `new`.
pub(super) fn may_stand(script: &Script, root: TermId, new: TermId) -> bool {
    !mentions(&script.pool, new, &bound(&script.pool, root))
}

/// The root with other terms of the same sorts in the place of some, each with the same free variables.
pub(super) fn replace_all(pool: &mut Pool, root: TermId, by: &FxHashMap<TermId, TermId>) -> TermId {
    rebuilt(pool, root, |_, term| by.get(&term).copied())
}

/// The root with some of its terms replaced. `change` is asked before the arguments of a term are looked at; none means
/// that they decide. A replacement of another sort than the term leaves what is around it as it was.
pub(super) fn rebuilt(
    pool: &mut Pool,
    root: TermId,
    mut change: impl FnMut(&mut Pool, TermId) -> Option<TermId>,
) -> TermId {
    let mut done: FxHashMap<TermId, TermId> = FxHashMap::default();
    let mut left = vec![(root, false)];
    while let Some((term, ready)) = left.pop() {
        if done.contains_key(&term) {
            continue;
        }
        if ready {
            let args: Vec<TermId> = pool.args(term).iter().map(|arg| done[arg]).collect();
            let new =
                if args == pool.args(term) { term } else { pool.over_args(term, &args).unwrap_or(term) };
            done.insert(term, new);
        } else if let Some(new) = change(pool, term) {
            done.insert(term, new);
        } else {
            left.push((term, true));
            left.extend(pool.args(term).iter().map(|&arg| (arg, false)));
        }
    }
    done[&root]
}

/// A name that the script does not have yet.
pub(super) fn fresh(pool: &Pool, like: &str) -> String {
    let stem = like.split('!').next().unwrap_or(like);
    let stem = if stem.is_empty() { "x" } else { stem };
    let mut n = 0_u64;
    loop {
        let name = format!("{stem}!{n}");
        if pool.find(&name).is_none() {
            return name;
        }
        n += 1;
    }
}

/// The term with names for all bound variables that the script does not have yet; none if a sort is nested too deeply.
pub(super) fn freshened(pool: &mut Pool, root: TermId) -> Option<TermId> {
    let mut done: FxHashMap<TermId, TermId> = FxHashMap::default();
    let mut left = vec![(root, false)];
    while let Some((term, ready)) = left.pop() {
        if done.contains_key(&term) {
            continue;
        }
        if !ready {
            left.push((term, true));
            left.extend(pool.args(term).iter().map(|&arg| (arg, false)));
            continue;
        }
        let args: Vec<TermId> = pool.args(term).iter().map(|arg| done[arg]).collect();
        let new = freshened_node(pool, term, args)?;
        done.insert(term, new);
    }
    done.get(&root).copied()
}

/// One node over new arguments, with new names for the variables that it binds.
fn freshened_node(pool: &mut Pool, term: TermId, mut args: Vec<TermId>) -> Option<TermId> {
    let node = *pool.node(term);
    let last = args.len().checked_sub(1);
    let head = match node.head {
        Head::Let(list) => Head::Let(new_binders(pool, list, &mut args[last?..])?),
        Head::Forall(list) => Head::Forall(new_binders(pool, list, &mut args)?),
        Head::Exists(list) => Head::Exists(new_binders(pool, list, &mut args)?),
        Head::Lambda(list) => Head::Lambda(new_binders(pool, list, &mut args)?),
        Head::Choice(list) => Head::Choice(new_binders(pool, list, &mut args)?),
        Head::Comprehension(list) => Head::Comprehension(new_binders(pool, list, &mut args)?),
        Head::Match(list) => {
            let mut cases: Vec<Case> = pool.cases(list).to_vec();
            for (case, body) in cases.iter_mut().zip(&mut args[1..]) {
                case.binders = new_binders(pool, case.binders, std::slice::from_mut(body))?;
                if case.constructor.is_none() {
                    case.spelling = pool.binders(case.binders)[0].spelling;
                }
            }
            Head::Match(pool.cases_id(&cases))
        }
        head => head,
    };
    Some(pool.add_term(head, node.name, node.sort, &args))
}

fn new_binders(pool: &mut Pool, list: BinderList, bodies: &mut [TermId]) -> Option<BinderList> {
    let mut binders: Vec<Binder> = pool.binders(list).to_vec();
    let mut by = Vec::new();
    for binder in &mut binders {
        let old = binder.name;
        let name = fresh(pool, pool.text(old));
        let made = pool.binder(&name, binder.sort);
        (binder.name, binder.spelling) = (made.name, made.spelling);
        by.push((old, pool.variable(*binder)));
    }
    // Of several variables of one name the last counts.
    by.reverse();
    for body in bodies {
        *body = pool.substituted(*body, &by)?;
    }
    Some(pool.binders_id(&binders))
}

/// The body with these terms in the place of its variables. Its own bound variables get new names where they would
/// capture something.
pub(super) fn instantiated(pool: &mut Pool, body: TermId, by: &[(Symbol, TermId)]) -> Option<TermId> {
    let here = bound(pool, body);
    let clashes = |pool: &Pool, &(_, term): &(Symbol, TermId)| {
        mentions(pool, term, &here)
            || crate::walk::free_variables(pool, term, &[]).iter().any(|name| here.contains(name))
    };
    let clash = !here.is_empty() && by.iter().any(|pair| clashes(pool, pair));
    let body = if clash { freshened(pool, body)? } else { body };
    pool.substituted(body, by)
}

/// How many nodes the tree of a term has.
pub(super) fn tree_size(pool: &Pool, root: TermId, known: &mut FxHashMap<TermId, u64>) -> u64 {
    let mut left = vec![(root, false)];
    while let Some((term, ready)) = left.pop() {
        if known.contains_key(&term) {
            continue;
        }
        if ready {
            let size = pool.args(term).iter().fold(1_u64, |all, arg| all.saturating_add(known[arg]));
            known.insert(term, size);
        } else {
            left.push((term, true));
            left.extend(pool.args(term).iter().map(|&arg| (arg, false)));
        }
    }
    known[&root]
}

/// The functions that a term uses, those in the bodies of definitions included.
pub(super) fn used(pool: &Pool, root: TermId, funs: &mut FxHashSet<crate::FunId>) {
    let mut roots = vec![root];
    while let Some(root) = roots.pop() {
        each(pool, root, |term| {
            let mut meet = |fun: crate::FunId| {
                if funs.insert(fun)
                    && let FunKind::Defined(..) | FunKind::Recursive(_) | FunKind::Named(_) =
                        pool.fun(fun).kind
                    && let Some((_, body)) = pool.body(fun)
                {
                    roots.push(body);
                }
            };
            match pool.node(term).head {
                Head::Fun(fun) => meet(fun),
                Head::Op(_, indices) => {
                    for index in pool.indices(indices) {
                        if let Index::Function(fun) = *index {
                            meet(fun);
                        }
                    }
                }
                _ => {}
            }
        });
    }
}
