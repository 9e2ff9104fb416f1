//! Rules for quantifiers. They bind variables, which rows of a table cannot name.

use smt::{Binder, Head, Pool, TermId};

use super::Found;
use super::inject::At;
use super::rules::Direction;
use super::schema::fresh;

/// Whether one of these rules may fit a formula.
pub(super) fn fits(pool: &Pool, term: TermId) -> bool {
    matches!(pool.node(term).head, Head::Forall(_) | Head::Exists(_))
}

/// The variables and the body of a quantifier, without the patterns, and whether it is `forall`.
fn parts(pool: &Pool, term: TermId) -> Option<(bool, Vec<Binder>, TermId)> {
    let (forall, list) = match pool.node(term).head {
        Head::Forall(list) => (true, list),
        Head::Exists(list) => (false, list),
        _ => return None,
    };
    let mut body = *pool.args(term).first()?;
    while let Head::Annotated(_) = pool.node(body).head {
        body = *pool.args(body).first()?;
    }
    Some((forall, pool.binders(list).to_vec(), body))
}

/// A quantifier made weaker or stronger.
///
/// A sort is never empty, so that `forall` is the stronger. An instance is a `let`, which captures nothing: its terms do
/// not see its variables.
pub(super) fn approximate(pool: &mut Pool, term: TermId, wanted: Direction, at: &mut At) -> Found {
    let (forall, binders, body) = parts(pool, term)?;
    let twice = |(i, binder): (usize, &Binder)| binders[..i].iter().any(|b| b.name == binder.name);
    if binders.iter().enumerate().any(twice) {
        return None;
    }
    // What `forall` loses by becoming weaker, `exists` loses by becoming stronger.
    let instance = forall == (wanted == Direction::Over);
    match (instance, at.choices.below(4)) {
        (true, 0) => Some((pool.quantified(!forall, &binders, body)?, "quantifier-dual")),
        (true, 1) => {
            let one = instantiate(pool, &binders, body, at)?;
            Some((one, "quantifier-instance"))
        }
        (true, 2) => {
            let pair = [instantiate(pool, &binders, body, at)?, instantiate(pool, &binders, body, at)?];
            let name = if forall { "and" } else { "or" };
            Some((pool.apply_named(name, &[], &pair, None).ok()?, "quantifier-instances"))
        }
        (true, _) => diagonal(pool, forall, &binders, body),
        (false, 0..2) => swap(pool, forall, &binders, body, wanted),
        (false, _) => told_twice(pool, forall, &binders, body),
    }
}

fn instantiate(pool: &mut Pool, binders: &[Binder], body: TermId, at: &mut At) -> Option<TermId> {
    let mut terms = Vec::with_capacity(binders.len());
    for binder in binders {
        terms.push(at.term(pool, binder.sort)?);
    }
    pool.let_in(binders, &terms, body)
}

/// `(forall ((z S) (w S)) r)` → `(forall ((z S)) (let ((w z)) r))`; of `exists`, it is stronger.
fn diagonal(pool: &mut Pool, forall: bool, binders: &[Binder], body: TermId) -> Found {
    let (&last, first) = binders.split_last()?;
    let same = *first.iter().find(|binder| binder.sort == last.sort && binder.name != last.name)?;
    let value = pool.variable(same);
    let inner = pool.let_in(&[last], &[value], body)?;
    Some((pool.quantified(forall, first, inner)?, "quantifier-diagonal"))
}

/// `(exists Z (forall W r))` → `(forall W (exists Z r))`, which is weaker; and back, which is stronger.
fn swap(pool: &mut Pool, forall: bool, binders: &[Binder], body: TermId, wanted: Direction) -> Found {
    let (inner_forall, inner, innermost) = parts(pool, body)?;
    let apart = !binders.iter().any(|one| inner.iter().any(|other| other.name == one.name));
    if forall == inner_forall || !apart || forall != (wanted == Direction::Under) {
        return None;
    }
    let swapped = pool.quantified(forall, binders, innermost)?;
    Some((pool.quantified(inner_forall, &inner, swapped)?, "quantifier-swap"))
}

/// `(forall ((z S)) p)` ↔ `(forall ((z S) (w S)) (and p p[w]))`, and `exists` with `or`: the same, told twice.
fn told_twice(pool: &mut Pool, forall: bool, binders: &[Binder], body: TermId) -> Found {
    let &first = binders.first()?;
    let other = fresh(pool, first.sort)?;
    let value = pool.variable(other);
    let again = pool.let_in(&[first], &[value], body)?;
    let connective = if forall { "and" } else { "or" };
    let both = pool.apply_named(connective, &[], &[body, again], None).ok()?;
    let all: Vec<Binder> = binders.iter().copied().chain([other]).collect();
    Some((pool.quantified(forall, &all, both)?, "quantifier-twice"))
}
