//! Pass `inline`: writes lets and definitions out where they are used, and declares what was defined.

use smt::{Binder, FunId, Head, Pool, Script, Symbol, TermId, What};

use crate::reduce::spot::{self, Spot};
use crate::reduce::{Change, Pass};

/// Definitions first, then lets: all variables of one, then each.
pub struct Inline;

impl Pass for Inline {
    fn changes(&self, script: &mut Script, group: usize) -> Option<Vec<Change>> {
        match group {
            0 => Some(definitions(script)),
            1 => {
                let mut changes = Vec::new();
                for spot in spot::all(script) {
                    lets(&mut script.pool, &spot, &mut changes);
                }
                Some(changes)
            }
            _ => None,
        }
    }
}

fn definitions(script: &mut Script) -> Vec<Change> {
    let mut changes = Vec::new();
    for i in 0..script.commands.len() {
        match script.commands[i].what {
            What::DefineFun(fun) => {
                changes.extend(everywhere(script, i, fun));
                changes.push(Change::doing(i, What::DeclareFun(fun)));
            }
            What::DefineFunsRec(fun, 1) => changes.push(Change::doing(i, What::DeclareFun(fun))),
            _ => {}
        }
    }
    changes
}

/// All calls of a definition written out, and the definition left out.
fn everywhere(script: &mut Script, command: usize, fun: FunId) -> Option<Change> {
    let (list, body) = script.pool.body(fun)?;
    let names: Vec<Symbol> = script.pool.binders(list).iter().map(|b| b.name).collect();
    let mut change = Change::dropping(command);
    let calls = |script: &Script, spot: &Spot| script.pool.node(spot.term).head == Head::Fun(fun);
    // Inner calls first: what is put in the place of an outer one already has them written out.
    let mut spots: Vec<Spot> = spot::all(script).into_iter().filter(|s| calls(script, s)).collect();
    spots.sort_by_key(|s| std::cmp::Reverse(s.place.path.len()));
    if spots.len() > 200 {
        return None;
    }
    let mut written: Vec<(Spot, TermId)> = Vec::new();
    for spot in spots {
        let mut args = script.pool.args(spot.term).to_vec();
        for (inner, new) in &written {
            let same = (inner.place.command, inner.place.term) == (spot.place.command, spot.place.term);
            let rest = inner.place.path.strip_prefix(&spot.place.path[..]).filter(|_| same);
            if let Some((&k, way)) = rest.and_then(<[u32]>::split_first) {
                let arg = args.get_mut(k as usize)?;
                // It may be inside one that is already written out.
                *arg = script.pool.replace(*arg, way, *new).unwrap_or(*arg);
            }
        }
        let by: Vec<_> = names.iter().copied().zip(args).collect();
        let new = script.pool.substituted(body, &by)?;
        written.push((spot, new));
    }
    change.put = written.into_iter().map(|(spot, new)| (spot.place, new)).collect();
    Some(change)
}

/// A let with all its variables written out, or one of them.
fn lets(pool: &mut Pool, spot: &Spot, changes: &mut Vec<Change>) {
    let Head::Let(list) = pool.node(spot.term).head else { return };
    let binders = pool.binders(list).to_vec();
    let args = pool.args(spot.term).to_vec();
    let Some((&body, terms)) = args.split_last() else { return };
    let by: Vec<_> = binders.iter().map(|b| b.name).zip(terms.iter().copied()).collect();
    if let Some(new) = pool.substituted(body, &by) {
        changes.push(Change::putting(spot.place.clone(), new));
    }
    if binders.len() < 2 {
        return;
    }
    for k in 0..binders.len() {
        let rest: Vec<Binder> = without(&binders, k);
        let terms = without(terms, k);
        let Some(inside) = pool.substituted(body, &by[k..=k]) else { continue };
        // The other variables must not catch those of what is written in.
        let free = smt::walk::free_variables(pool, by[k].1, &[]);
        if rest.iter().any(|b| free.contains(&b.name)) {
            continue;
        }
        if let Some(new) = pool.let_in(&rest, &terms, inside) {
            changes.push(Change::putting(spot.place.clone(), new));
        }
    }
}

fn without<T: Copy>(all: &[T], k: usize) -> Vec<T> {
    all.iter().enumerate().filter(|(j, _)| *j != k).map(|(_, x)| *x).collect()
}
