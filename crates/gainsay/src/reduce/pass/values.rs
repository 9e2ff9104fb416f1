//! Pass `values`: a value in the place of a declared constant, wherever that stands.

use smt::{Head, Script, TermId, What};

use super::constants::neutral;
use crate::case::Place;
use crate::reduce::spot::{self, Spot};
use crate::reduce::{Change, Pass};

/// The value alone; and in a script that is small by now, with another literal changed besides, since what was wrong with one value may
/// be wrong with another.
pub struct Values;

/// At most this many changes of two things are offered.
const PAIRS: usize = 16;

impl Pass for Values {
    fn changes(&self, script: &mut Script, group: usize) -> Option<Vec<Change>> {
        if group > 0 {
            return None;
        }
        let spots = spot::all(script);
        let mut singles = Vec::new();
        for i in 0..script.commands.len() {
            let What::DeclareFun(fun) = script.commands[i].what else { continue };
            let there = |spot: &&Spot| script.pool.node(spot.term).head == Head::Fun(fun);
            let found: Vec<&Spot> = spots.iter().filter(there).collect();
            let Some(first) = found.first().filter(|_| script.pool.fun(fun).args.is_empty()) else {
                continue;
            };
            for opposite in [false, true] {
                if let Some(new) = neutral(&mut script.pool, first, opposite) {
                    singles.push(found.iter().map(|s| (s.place.clone(), new)).collect::<Vec<_>>());
                }
            }
        }
        let others: Vec<(Place, TermId)> = spots.iter().filter_map(|spot| other(script, spot)).collect();
        let change = |put: Vec<(Place, TermId)>| Change { put, ..Change::default() };
        let mut changes: Vec<Change> = singles.iter().cloned().map(change).collect();
        if singles.len() * others.len() <= PAIRS {
            for single in &singles {
                changes.extend(
                    others.iter().map(|one| change([&single[..], std::slice::from_ref(one)].concat())),
                );
            }
        }
        Some(changes)
    }
}

/// Another literal for the one that stands there.
fn other(script: &mut Script, spot: &Spot) -> Option<(Place, TermId)> {
    spot.above?;
    let literal = matches!(script.pool.node(spot.term).head, Head::Literal(_));
    let new = [true, false]
        .into_iter()
        .filter_map(|opposite| neutral(&mut script.pool, spot, opposite))
        .find(|new| *new != spot.term)?;
    literal.then(|| (spot.place.clone(), new))
}
