//! Pass `subterms`: puts a term inside another of the same sort in its place.

use rustc_hash::{FxHashMap, FxHashSet};
use smt::walk::{bound_in, free_variables};
use smt::{Head, Pool, Script, Symbol, TermId};

use crate::reduce::{Change, Pass, spot};

/// For one term no more than this many are offered.
const MOST: usize = 24;
/// How many terms are looked at inside one.
const LOOKED: usize = 2000;

/// Terms with fewer nodes than this are not halved.
const LARGE: usize = 16;

/// Of each term on a level, terms inside of the same sort: in a large one the largest of at most half its size, so that a long
/// chain is not gone down link by link; what is twice inside the same, such as two negations; then the nearest, the
/// largest first.
pub struct Subterms;

impl Pass for Subterms {
    fn changes(&self, script: &mut Script, level: usize) -> Option<Vec<Change>> {
        let spots = spot::some_at(script, level)?;
        let mut changes = Vec::new();
        for spot in spots {
            let near = nearest(&script.pool, spot.term);
            let far = half(&script.pool, spot.term).or_else(|| twice_inside(&script.pool, spot.term));
            let new = far.into_iter().filter(|far| !near.contains(far)).chain(near.iter().copied());
            changes.extend(new.map(|new| Change::putting(spot.place.clone(), new)));
        }
        Some(changes)
    }
}

/// The terms inside of the same sort, not looking into those found, that need no variable bound on the way.
fn nearest(pool: &Pool, root: TermId) -> Vec<TermId> {
    let sort = pool.sort_of(root);
    let mut found = Vec::new();
    let mut seen: FxHashSet<TermId> = FxHashSet::default();
    let mut queue: Vec<(TermId, Vec<Symbol>)> = vec![(root, Vec::new())];
    let mut at = 0;
    while at < queue.len() && at < LOOKED && found.len() < MOST {
        let (term, bound) = queue[at].clone();
        at += 1;
        for (k, &arg) in pool.args(term).iter().enumerate() {
            // What an annotation says is no part of the formula.
            if k > 0 && matches!(pool.node(term).head, Head::Annotated(_)) {
                continue;
            }
            let mut inside = bound.clone();
            inside.extend(bound_in(pool, term, k).iter().map(|b| b.name));
            let fits = pool.sort_of(arg) == sort;
            if fits && (inside.is_empty() || closed(pool, arg, &inside)) {
                if seen.insert(arg) {
                    found.push(arg);
                }
            } else {
                queue.push((arg, inside));
            }
        }
    }
    found
}

/// The largest term inside of the same sort that has at most half the nodes, of a large one. What a binder is above is left
/// out, for it may need the variables.
fn half(pool: &Pool, root: TermId) -> Option<TermId> {
    let sort = pool.sort_of(root);
    let all = sizes(pool, root);
    let whole = all.last()?.1;
    if whole < LARGE {
        return None;
    }
    let fits =
        |&&(term, size): &&(TermId, usize)| pool.sort_of(term) == sort && size <= whole / 2 && size > 1;
    all.iter().filter(fits).max_by_key(|(_, size)| *size).map(|(term, _)| *term)
}

/// The terms inside that are under no binder and no annotation, each once and after those inside it, with how many nodes
/// they have when written out.
fn sizes(pool: &Pool, root: TermId) -> Vec<(TermId, usize)> {
    let mut done: FxHashMap<TermId, usize> = FxHashMap::default();
    let mut found = Vec::new();
    let mut left = vec![(root, false)];
    while let Some((term, ready)) = left.pop() {
        if done.contains_key(&term) {
            continue;
        }
        let open = |k: usize| {
            bound_in(pool, term, k).is_empty() && !matches!(pool.node(term).head, Head::Annotated(_))
        };
        let args = || pool.args(term).iter().enumerate().filter(|(k, _)| open(*k)).map(|(_, arg)| *arg);
        if !ready {
            left.push((term, true));
            left.extend(args().map(|arg| (arg, false)));
            continue;
        }
        let size = args().fold(1usize, |sum, arg| sum.saturating_add(done[&arg]));
        done.insert(term, size);
        found.push((term, size));
    }
    found
}

/// `x` of `(f (f x))`.
fn twice_inside(pool: &Pool, term: TermId) -> Option<TermId> {
    let [inner] = pool.args(term) else { return None };
    let [inmost] = pool.args(*inner) else { return None };
    let same = matches!(pool.node(term).head, Head::Op(..)) && pool.node(*inner).head == pool.node(term).head;
    (same && pool.sort_of(*inmost) == pool.sort_of(term)).then_some(*inmost)
}

fn closed(pool: &Pool, term: TermId, bound: &[Symbol]) -> bool {
    let free = free_variables(pool, term, &[]);
    !bound.iter().any(|name| free.contains(name))
}
