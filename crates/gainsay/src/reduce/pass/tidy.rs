//! Pass `tidy`: everywhere at once, drops variables that are bound and not used and writes small lets out.

use rustc_hash::FxHashMap;
use smt::walk::free_variables;
use smt::{Binder, Head, Pool, Script, Symbol, TermId};

use crate::case::Place;
use crate::reduce::{Change, Pass, spot};

/// Lets first, then quantifiers, then quantifiers that keep their first variable.
pub struct Tidy;

#[derive(Clone, Copy, PartialEq, Eq)]
enum How {
    Lets,
    Quantifiers { keep: usize },
}

impl Pass for Tidy {
    fn changes(&self, script: &mut Script, group: usize) -> Option<Vec<Change>> {
        let how = match group {
            0 => How::Lets,
            1 => How::Quantifiers { keep: 0 },
            2 => How::Quantifiers { keep: 1 },
            _ => return None,
        };
        let mut changes = Vec::new();
        for spot in spot::level(script, 0) {
            if let Some(new) = tidied(&mut script.pool, spot.term, how).filter(|new| *new != spot.term) {
                let place = Place { path: Vec::new(), ..spot.place };
                changes.push(Change::putting(place, new));
            }
        }
        Some(changes)
    }
}

/// The term with all its binders tidied, the innermost first.
fn tidied(pool: &mut Pool, root: TermId, how: How) -> Option<TermId> {
    let mut done: FxHashMap<TermId, TermId> = FxHashMap::default();
    let mut left = vec![(root, false)];
    while let Some((term, ready)) = left.pop() {
        if done.contains_key(&term) {
            continue;
        }
        let args = pool.args(term).to_vec();
        if !ready && !args.is_empty() {
            left.push((term, true));
            left.extend(args.into_iter().map(|arg| (arg, false)));
            continue;
        }
        let args: Vec<TermId> = args.iter().map(|arg| done[arg]).collect();
        let new = if args == pool.args(term) { term } else { pool.over_args(term, &args)? };
        let new = match (pool.node(new).head, how) {
            (Head::Let(list), How::Lets) => {
                let binders = pool.binders(list).to_vec();
                without_lets(pool, new, &binders)
            }
            (Head::Forall(list), How::Quantifiers { keep }) => without_variables(pool, new, true, list, keep),
            (Head::Exists(list), How::Quantifiers { keep }) => {
                without_variables(pool, new, false, list, keep)
            }
            _ => None,
        }
        .unwrap_or(new);
        done.insert(term, new);
    }
    done.get(&root).copied()
}

/// A let without the variables that are not used, used once, or stand for something that is no longer than a name.
fn without_lets(pool: &mut Pool, term: TermId, binders: &[Binder]) -> Option<TermId> {
    let args = pool.args(term).to_vec();
    let (&body, terms) = args.split_last()?;
    let names: Vec<Symbol> = binders.iter().map(|b| b.name).collect();
    let uses = counts(pool, body, &names);
    let (mut kept, mut kept_terms, mut out) = (Vec::new(), Vec::new(), Vec::new());
    for (k, binder) in binders.iter().enumerate() {
        if uses[k] < 2 || pool.args(terms[k]).is_empty() {
            out.push((binder.name, terms[k]));
        } else {
            kept.push(*binder);
            kept_terms.push(terms[k]);
        }
    }
    if out.is_empty() {
        return None;
    }
    // Those that stay must not catch the variables of what is written in.
    for (_, inner) in &out {
        let free = free_variables(pool, *inner, &[]);
        if kept.iter().any(|b| free.contains(&b.name)) {
            return None;
        }
    }
    let inside = pool.substituted(body, &out)?;
    if kept.is_empty() { Some(inside) } else { pool.let_in(&kept, &kept_terms, inside) }
}

/// How often each name occurs below a term, shadowed or not.
fn counts(pool: &Pool, term: TermId, names: &[Symbol]) -> Vec<u32> {
    let mut found = vec![0; names.len()];
    smt::walk::occurrences(pool, term, |inner, _| {
        if let Head::Variable(name) = pool.node(inner).head
            && let Some(k) = names.iter().position(|n| *n == name)
        {
            found[k] += 1;
        }
    });
    found
}

fn without_variables(
    pool: &mut Pool,
    term: TermId,
    forall: bool,
    list: smt::BinderList,
    keep: usize,
) -> Option<TermId> {
    let body = *pool.args(term).first()?;
    let binders = pool.binders(list).to_vec();
    let free = free_variables(pool, body, &[]);
    let mut rest: Vec<Binder> = binders.iter().filter(|b| free.contains(&b.name)).copied().collect();
    if rest.is_empty() {
        rest.extend(binders.iter().take(keep));
    }
    if rest.len() == binders.len() {
        return None;
    }
    if rest.is_empty() { Some(body) } else { pool.quantified(forall, &rest, body) }
}
