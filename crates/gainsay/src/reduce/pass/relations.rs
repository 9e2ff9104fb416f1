//! Pass `relations`: a relation with a shorter name in the place of another.

use smt::theory::{Arity, OpId, table};
use smt::{Head, Script};

use crate::reduce::{Change, Pass, spot};

/// `<`, `>` and `=` for `<=` and the like, which do without the corner where both sides are equal.
pub struct Relations;

fn relates(op: OpId) -> bool {
    matches!(table().op(op).arity, Arity::Chainable | Arity::Pairwise)
}

impl Pass for Relations {
    fn changes(&self, script: &mut Script, group: usize) -> Option<Vec<Change>> {
        if group > 0 {
            return None;
        }
        let mut changes = Vec::new();
        for spot in spot::all(script) {
            let Head::Op(op, _) = script.pool.node(spot.term).head else { continue };
            if !relates(op) || table().op(op).name.len() < 2 {
                continue;
            }
            let (args, sort) = (script.pool.args(spot.term).to_vec(), script.pool.sort_of(spot.term));
            // `>` before `=` for `>=`: it changes less.
            let name = |op: OpId| table().op(op).name;
            let mut others: Vec<OpId> = table().ids().filter(|&o| relates(o) && name(o).len() == 1).collect();
            others.sort_by_key(|&other| !name(op).starts_with(name(other)));
            for other in others {
                if let Ok(new) = script.pool.apply(other, &[], &args, Some(sort)) {
                    changes.push(Change::putting(spot.place.clone(), new));
                }
            }
        }
        Some(changes)
    }
}
