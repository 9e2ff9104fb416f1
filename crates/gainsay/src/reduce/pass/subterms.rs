//! Pass `subterms`: puts a term inside another of the same sort in its place.

use rustc_hash::FxHashSet;
use smt::walk::{bound_in, free_variables};
use smt::{Head, Pool, Script, Symbol, TermId};

use crate::reduce::{Change, Pass, spot};

/// For one term no more than this many are offered.
const MOST: usize = 24;
/// How many terms are looked at inside one.
const LOOKED: usize = 2000;

/// Of each term on a level: the nearest terms inside of the same sort, the largest first.
pub struct Subterms;

impl Pass for Subterms {
    fn changes(&self, script: &mut Script, level: usize) -> Option<Vec<Change>> {
        let spots = spot::some_at(script, level)?;
        let mut changes = Vec::new();
        for spot in spots {
            for new in nearest(&script.pool, spot.term) {
                changes.push(Change::putting(spot.place.clone(), new));
            }
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

fn closed(pool: &Pool, term: TermId, bound: &[Symbol]) -> bool {
    let free = free_variables(pool, term, &[]);
    !bound.iter().any(|name| free.contains(name))
}
