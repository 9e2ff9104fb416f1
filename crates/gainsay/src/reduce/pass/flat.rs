//! Pass `flat`: writes the arguments of an operator inside the same operator among those of the outer one.

use smt::theory::{Arity, table};
use smt::{Head, Script};

use crate::reduce::{Change, Pass, spot};

/// `(and (and a b) c)` becomes `(and a b c)`, for all that associate.
pub struct Flat;

impl Pass for Flat {
    fn changes(&self, script: &mut Script, group: usize) -> Option<Vec<Change>> {
        if group > 0 {
            return None;
        }
        let mut changes = Vec::new();
        for spot in spot::all(script) {
            let node = *script.pool.node(spot.term);
            let Head::Op(op, indices) = node.head else { continue };
            let at = match table().op(op).arity {
                Arity::LeftAssoc => 0,
                Arity::RightAssoc => script.pool.args(spot.term).len().wrapping_sub(1),
                _ => continue,
            };
            let Some(&inner) = script.pool.args(spot.term).get(at) else { continue };
            if script.pool.node(inner).head != node.head || script.pool.args(inner).len() < 2 {
                continue;
            }
            let mut args = script.pool.args(spot.term).to_vec();
            args.splice(at..=at, script.pool.args(inner).to_vec());
            let indices = script.pool.indices(indices).to_vec();
            let new = script.pool.apply(op, &indices, &args, Some(node.sort)).ok();
            if let Some(new) = new.and_then(|new| script.pool.renamed(new, node.name)) {
                changes.push(Change::putting(spot.place, new));
            }
        }
        Some(changes)
    }
}
