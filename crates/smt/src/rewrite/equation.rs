//! Equations with a constant are used up: its value stands in its place.

use rustc_hash::{FxHashMap, FxHashSet};

use super::assertion::{annotated, operator};
use super::{Place, Rule, Step, asserted, names};
use crate::Pool;
use crate::script::Script;
use crate::term::{FunId, FunKind, Head, TermId};

/// What an assertion says that constants are: `(= x t)` in both directions, `x`, `(not x)`.
fn equations(pool: &mut Pool, root: TermId) -> Vec<(FunId, TermId, TermId)> {
    let constant = |pool: &Pool, term: TermId| match pool.node(term).head {
        Head::Fun(fun) if pool.fun(fun).kind == FunKind::Declared && pool.fun(fun).args.is_empty() => {
            Some(fun)
        }
        _ => None,
    };
    let truth = |pool: &mut Pool, value: &str, term: TermId| {
        let fun = constant(pool, term)?;
        Some((fun, term, pool.apply_named(value, &[], &[], None).ok()?))
    };
    if let Some(found) = truth(pool, "true", root) {
        return vec![found];
    }
    match operator(pool, root) {
        Some(("not", &[inner])) => truth(pool, "false", inner).into_iter().collect(),
        Some(("=", &[a, b])) => {
            let mut found = Vec::new();
            for (x, t) in [(a, b), (b, a)] {
                if let Some(fun) = constant(pool, x)
                    && pool.sort_of(x) == pool.sort_of(t)
                {
                    found.push((fun, x, t));
                }
            }
            found
        }
        _ => Vec::new(),
    }
}

/// A constant that an assertion says the value of, in the place of which its value can stand everywhere.
pub(super) fn substitute(script: &mut Script, command: usize) -> Option<Step> {
    let root = asserted(script, command)?;
    equations(&mut script.pool, root).into_iter().find_map(|(fun, old, new)| {
        let step = Step { rule: Rule::Substitute, command, place: Place::Everywhere, old, new };
        may_go(script, fun, new, command).then_some(step)
    })
}

/// Whether a constant occurs neither in a term nor in a definition that an assertion uses. Assertions with annotations
/// are left alone: a name would be given twice.
fn may_go(script: &Script, fun: FunId, by: TermId, command: usize) -> bool {
    let pool = &script.pool;
    let mut inside = FxHashSet::default();
    names::used(pool, by, &mut inside);
    if inside.contains(&fun) || annotated(pool, by) {
        return false;
    }
    let mut all = FxHashSet::default();
    for other in (0..script.commands.len()).filter(|&other| other != command) {
        if let Some(root) = asserted(script, other) {
            names::used(pool, root, &mut all);
        }
    }
    let has_it = |&definition: &FunId| {
        pool.body(definition).is_some_and(|(_, body)| {
            let mut inside = FxHashSet::default();
            names::used(pool, body, &mut inside);
            inside.contains(&fun)
        })
    };
    !all.iter().any(has_it)
}

pub(super) fn apply_substitute(script: &mut Script, step: &Step) -> bool {
    let Some(root) = asserted(script, step.command) else { return false };
    let found = equations(&mut script.pool, root);
    let Some(&(fun, ..)) = found.iter().find(|&&(_, old, new)| (old, new) == (step.old, step.new)) else {
        return false;
    };
    if !may_go(script, fun, step.new, step.command) {
        return false;
    }
    let by = FxHashMap::from_iter([(step.old, step.new)]);
    for command in (0..script.commands.len()).filter(|&other| other != step.command) {
        let Some(mut root) = asserted(script, command) else { continue };
        if names::replace_all(&mut script.pool, root, &by) == root {
            continue;
        }
        if !names::may_stand(script, root, step.new) {
            let Some(fresh) = names::freshened(&mut script.pool, root) else { return false };
            root = fresh;
        }
        let new = names::replace_all(&mut script.pool, root, &by);
        let mut left = FxHashSet::default();
        names::used(&script.pool, new, &mut left);
        if left.contains(&fun) || !script.set_term(command, 0, new) {
            return false;
        }
    }
    script.commands.remove(step.command);
    true
}
