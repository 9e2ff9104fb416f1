//! Pass `flat`: writes the arguments of an operator inside the same operator among those of the outer one.

use smt::theory::{Arity, table};
use smt::{Head, Pool, Script, TermId};

use crate::reduce::{Change, Pass, spot};

/// `(and (and a b) c)` becomes `(and a b c)`, for all that associate; where it does not matter how, so does `(and a (and b c))`.
pub struct Flat;

impl Pass for Flat {
    fn changes(&self, script: &mut Script, group: usize) -> Option<Vec<Change>> {
        if group > 0 {
            return None;
        }
        let mut changes = Vec::new();
        for spot in spot::all(script) {
            let Head::Op(op, _) = script.pool.node(spot.term).head else { continue };
            let count = script.pool.args(spot.term).len();
            let row = table().op(op);
            let places: Vec<usize> = match row.arity {
                Arity::LeftAssoc if row.associative => (0..count).collect(),
                Arity::LeftAssoc => vec![0],
                Arity::RightAssoc => vec![count.wrapping_sub(1)],
                _ => continue,
            };
            let same = |&at: &usize| {
                let inner = script.pool.args(spot.term).get(at);
                inner.is_some_and(|&inner| {
                    script.pool.node(inner).head == script.pool.node(spot.term).head
                        && script.pool.args(inner).len() > 1
                })
            };
            let places: Vec<usize> = places.into_iter().filter(same).collect();
            // All of them, then each.
            let each = places.iter().map(std::slice::from_ref).filter(|_| places.len() > 1);
            for some in std::iter::once(&places[..]).chain(each).filter(|some| !some.is_empty()) {
                let new = opened(&mut script.pool, spot.term, some);
                changes.extend(new.map(|new| Change::putting(spot.place.clone(), new)));
            }
        }
        Some(changes)
    }
}

/// The term with the arguments of some of its arguments in their places.
fn opened(pool: &mut Pool, term: TermId, places: &[usize]) -> Option<TermId> {
    let node = *pool.node(term);
    let Head::Op(op, indices) = node.head else { return None };
    let mut args = Vec::new();
    for (at, &arg) in pool.args(term).iter().enumerate() {
        if places.contains(&at) {
            args.extend_from_slice(pool.args(arg));
        } else {
            args.push(arg);
        }
    }
    let indices = pool.indices(indices).to_vec();
    let new = pool.apply(op, &indices, &args, Some(node.sort)).ok()?;
    pool.renamed(new, node.name)
}
