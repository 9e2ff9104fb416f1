//! Pass `arguments`: leaves arguments of operators out that take any number of them.

use smt::theory::{Arity, table};
use smt::{Head, Pool, Script, TermId};

use crate::reduce::{Change, Pass, spot};

/// Of each operator on a level: the first half of its arguments, the second, then each.
pub struct Arguments;

impl Pass for Arguments {
    fn changes(&self, script: &mut Script, level: usize) -> Option<Vec<Change>> {
        let spots = spot::some_at(script, level)?;
        let mut changes = Vec::new();
        for spot in spots {
            let count = script.pool.args(spot.term).len();
            let Head::Op(op, _) = script.pool.node(spot.term).head else { continue };
            if table().op(op).arity == Arity::Fixed || count < 2 {
                continue;
            }
            let mut without = |from: usize, to: usize| {
                if let Some(new) = leaving_out(&mut script.pool, spot.term, from, to) {
                    changes.push(Change::putting(spot.place.clone(), new));
                }
            };
            let half = count / 2;
            if count > 4 {
                without(0, half);
                without(half, count);
            }
            if count > 16 {
                let quarter = count.div_ceil(8);
                (0..8).for_each(|k| without(k * quarter, ((k + 1) * quarter).min(count)));
            }
            (0..count).for_each(|k| without(k, k + 1));
        }
        Some(changes)
    }
}

/// The operator without some of its arguments, of the same sort.
fn leaving_out(pool: &mut Pool, term: TermId, from: usize, to: usize) -> Option<TermId> {
    let Head::Op(op, indices) = pool.node(term).head else { return None };
    let mut args = pool.args(term).to_vec();
    args.drain(from.min(to)..to);
    let (indices, sort) = (pool.indices(indices).to_vec(), pool.sort_of(term));
    let name = pool.node(term).name;
    if let [_] = args[..] {
        // Of one argument only what the standard has so: `(- a)`, not `(+ a)`.
        let mut alone = table().named(table().op(op).name).iter().filter(|o| table().op(**o).args.len() == 1);
        let unary = *alone.find(|o| table().op(**o).arity == Arity::Fixed)?;
        return pool.apply(unary, &indices, &args, Some(sort)).ok();
    }
    if args.len() < 2 || !table().op(op).admits(args.len()) {
        return None;
    }
    let new = pool.apply(op, &indices, &args, Some(sort)).ok()?;
    // As it was spelled before: a solver may know no other name.
    pool.renamed(new, name)
}
