//! Pass `binders`: drops variables that are bound and not used, gives others a value, or declares them.

use smt::value::{Value, standard};
use smt::walk::free_variables;
use smt::{Binder, Head, Pool, Script, SortId, TermId};

use super::constants::{declare, putting_declared, spelled};
use crate::reduce::{Change, Pass, spot};

/// For each quantifier and each of its variables: without it or with a plain one if it is not used, with a
/// value for it, with a constant for it.
pub struct Binders;

impl Pass for Binders {
    fn changes(&self, script: &mut Script, group: usize) -> Option<Vec<Change>> {
        if group > 0 {
            return None;
        }
        let mut changes = Vec::new();
        for spot in spot::all(script) {
            let (forall, list) = match script.pool.node(spot.term).head {
                Head::Forall(list) => (true, list),
                Head::Exists(list) => (false, list),
                _ => continue,
            };
            let binders = script.pool.binders(list).to_vec();
            let Some(&body) = script.pool.args(spot.term).first() else { continue };
            let free = free_variables(&script.pool, body, &[]);
            for (k, binder) in binders.iter().enumerate() {
                let rest: Vec<Binder> =
                    binders.iter().enumerate().filter(|(j, _)| *j != k).map(|(_, b)| *b).collect();
                if !free.contains(&binder.name) {
                    let without = quantified(&mut script.pool, forall, &rest, body);
                    changes.extend(without.map(|new| Change::putting(spot.place.clone(), new)));
                    // Where some variable must be there, any sort will do.
                    let name = script.pool.text(binder.name).to_owned();
                    let mut plain = binders.clone();
                    plain[k] = script.pool.binder(&name, SortId::BOOL);
                    let plain = quantified(&mut script.pool, forall, &plain, body);
                    changes.extend(plain.map(|new| Change::putting(spot.place.clone(), new)));
                    continue;
                }
                for value in values(&mut script.pool, binder.sort) {
                    let inside = script.pool.substituted(body, &[(binder.name, value)]);
                    let new = inside.and_then(|b| quantified(&mut script.pool, forall, &rest, b));
                    changes.extend(new.map(|new| Change::putting(spot.place.clone(), new)));
                }
                // A name of its own, for the variable's may be another constant's.
                let name = script.pool.text(binder.name).to_owned();
                let taken = script.pool.functions().any(|f| script.pool.fun(f).name == binder.name);
                let name = if taken { format!("{name}!{k}") } else { name };
                let Some((fun, constant)) = declare(&mut script.pool, &name, binder.sort) else { continue };
                let inside = script.pool.substituted(body, &[(binder.name, constant)]);
                let new = inside.and_then(|b| quantified(&mut script.pool, forall, &rest, b));
                changes.extend(new.map(|new| putting_declared(spot.place.clone(), new, fun)));
            }
        }
        Some(changes)
    }
}

fn quantified(pool: &mut Pool, forall: bool, binders: &[Binder], body: TermId) -> Option<TermId> {
    if binders.is_empty() { Some(body) } else { pool.quantified(forall, binders, body) }
}

fn values(pool: &mut Pool, sort: SortId) -> Vec<TermId> {
    let Some(value) = standard(pool, sort) else { return Vec::new() };
    let mut all = vec![value];
    if sort == SortId::BOOL {
        all.push(Value::Bool(true));
    }
    all.retain(|v| !matches!(v, Value::Element(..)));
    all.iter().filter_map(|v| spelled(pool, sort, v)).collect()
}
