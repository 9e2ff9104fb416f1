//! Asserted quantifiers: new constants for what exists, and instances of what holds for all.

use rustc_hash::FxHashSet;

use super::assertion::{annotated, operator};
use super::{Place, Rule, Step, asserted, names};
use crate::Pool;
use crate::script::{Command, Script, What};
use crate::sort::SortId;
use crate::symbol::Symbol;
use crate::term::{Binder, Fun, FunId, FunKind, Head, TermId};
use crate::walk::free_variables;

/// A `forall` has no more instances than this among the steps.
const MOST_INSTANCES: usize = 4;

/// The variables and the body of an assertion that says that something exists, and whether the body is to be denied.
fn outermost(pool: &Pool, root: TermId) -> Option<(Vec<Binder>, TermId, bool)> {
    let (term, denied) = match operator(pool, root) {
        Some(("not", &[inner])) => (inner, true),
        _ => (root, false),
    };
    match (pool.node(term).head, denied) {
        (Head::Exists(list), false) | (Head::Forall(list), true) => {
            Some((pool.binders(list).to_vec(), pool.args(term)[0], denied))
        }
        _ => None,
    }
}

/// New constants for the variables of an assertion that says that something exists.
pub(super) fn skolem(script: &mut Script, command: usize) -> Option<Step> {
    let root = asserted(script, command)?;
    if annotated(&script.pool, root) {
        return None;
    }
    let (binders, ..) = outermost(&script.pool, root)?;
    let constants: Vec<TermId> = binders.iter().map(|b| new_constant(&mut script.pool, *b).1).collect();
    let new = witnessed(&mut script.pool, root, &constants)?;
    Some(Step { rule: Rule::Skolem, command, place: Place::Everywhere, old: root, new })
}

/// A constant that the script does not have yet, named like a variable.
fn new_constant(pool: &mut Pool, like: Binder) -> (FunId, TermId) {
    let name = names::fresh(pool, pool.text(like.name));
    let Binder { name, spelling, .. } = pool.binder(&name, like.sort);
    let kind = FunKind::Declared;
    let fun = Fun { name, spelling, type_params: Vec::new(), args: Vec::new(), result: like.sort, kind };
    let fun = pool.add_fun(fun);
    (fun, pool.call(fun, &[], None).expect("a constant fits anywhere"))
}

fn witnessed(pool: &mut Pool, root: TermId, constants: &[TermId]) -> Option<TermId> {
    let (binders, body, denied) = outermost(pool, root)?;
    let by: Vec<_> = binders.iter().map(|b| b.name).zip(constants.iter().copied()).collect();
    let new = names::instantiated(pool, body, &by)?;
    if denied { pool.apply_named("not", &[], &[new], None).ok() } else { Some(new) }
}

/// Declares the constants that the step names, which nothing else in the script may use.
pub(super) fn apply_skolem(script: &mut Script, step: &Step) -> bool {
    if asserted(script, step.command) != Some(step.old) {
        return false;
    }
    let fresh = undeclared(script, step.new);
    let Some(constants) = witnesses(&mut script.pool, step.old, &fresh) else { return false };
    if witnessed(&mut script.pool, step.old, &constants) != Some(step.new)
        || !script.set_term(step.command, 0, step.new)
    {
        return false;
    }
    let declarations = fresh.into_iter().map(|fun| Command { what: What::DeclareFun(fun), span: None });
    let first = script.commands.iter().position(|c| matches!(c.what, What::Assert(_)));
    let first = first.expect("one was changed");
    script.commands.splice(first..first, declarations);
    true
}

/// The constants of a term that the script declares nowhere, in order.
fn undeclared(script: &Script, term: TermId) -> Vec<FunId> {
    let mut declared = FxHashSet::default();
    for i in 0..script.commands.len() {
        script.each_function(i, |fun| {
            declared.insert(fun);
        });
    }
    let mut used = FxHashSet::default();
    names::used(&script.pool, term, &mut used);
    let mut fresh: Vec<FunId> =
        used.into_iter().filter(|&fun| is_new(&script.pool, fun, &declared)).collect();
    fresh.sort_unstable();
    fresh
}

/// These constants in the place of the variables that the body uses, each of the sort of its variable; none if there are
/// more or fewer.
fn witnesses(pool: &mut Pool, root: TermId, fresh: &[FunId]) -> Option<Vec<TermId>> {
    let (binders, body, _) = outermost(pool, root)?;
    let free = free_variables(pool, body, &[]);
    let mut left = fresh.iter();
    let mut constants = Vec::new();
    for binder in binders {
        let fun = if free.contains(&binder.name) { *left.next()? } else { new_constant(pool, binder).0 };
        if pool.fun(fun).result != binder.sort {
            return None;
        }
        constants.push(pool.call(fun, &[], None).ok()?);
    }
    left.next().is_none().then_some(constants)
}

/// Whether a constant is declared nowhere.
fn is_new(pool: &Pool, fun: FunId, declared: &FxHashSet<FunId>) -> bool {
    pool.fun(fun).kind == FunKind::Declared && pool.fun(fun).args.is_empty() && !declared.contains(&fun)
}

/// Instances of an asserted `forall` with closed terms of the script.
pub(super) fn instances(script: &mut Script, command: usize) -> Vec<Step> {
    let Some(root) = asserted(script, command) else { return Vec::new() };
    let Head::Forall(list) = script.pool.node(root).head else { return Vec::new() };
    if annotated(&script.pool, root) {
        return Vec::new();
    }
    let sorts: Vec<SortId> = script.pool.binders(list).iter().map(|b| b.sort).collect();
    let candidates: Vec<Vec<TermId>> = sorts.iter().map(|&sort| closed(script, sort)).collect();
    let count = candidates.iter().map(Vec::len).max().unwrap_or(0).min(MOST_INSTANCES);
    let mut steps = Vec::new();
    for n in 0..count {
        let some = |all: &Vec<TermId>| all.get(n % all.len().max(1)).copied();
        let Some(terms) = candidates.iter().map(some).collect::<Option<Vec<TermId>>>() else { break };
        let Some(new) = instance(&mut script.pool, root, &terms) else { continue };
        steps.push(Step { rule: Rule::Instance, command, place: Place::Everywhere, old: root, new });
    }
    steps
}

/// Closed terms of a sort in the assertions, in order.
fn closed(script: &Script, sort: SortId) -> Vec<TermId> {
    let pool = &script.pool;
    let mut found = Vec::new();
    for root in (0..script.commands.len()).filter_map(|i| asserted(script, i)) {
        names::each(pool, root, |term| {
            let fits = pool.sort_of(term) == sort && !found.contains(&term) && found.len() < MOST_INSTANCES;
            if fits && !annotated(pool, term) && free_variables(pool, term, &[]).is_empty() {
                found.push(term);
            }
        });
    }
    found
}

fn instance(pool: &mut Pool, root: TermId, terms: &[TermId]) -> Option<TermId> {
    let Head::Forall(list) = pool.node(root).head else { return None };
    let names: Vec<_> = pool.binders(list).iter().map(|b| b.name).collect();
    let by: Vec<_> = names.into_iter().zip(terms.iter().copied()).collect();
    let body = pool.args(root)[0];
    names::instantiated(pool, body, &by)
}

/// Asserts the instance if it is one: the body and the new term differ only where the variables stand.
pub(super) fn apply_instance(script: &mut Script, step: &Step) -> bool {
    if asserted(script, step.command) != Some(step.old) {
        return false;
    }
    let Head::Forall(list) = script.pool.node(step.old).head else { return false };
    let body = script.pool.args(step.old)[0];
    let names: Vec<_> = script.pool.binders(list).iter().map(|b| b.name).collect();
    let Some(terms) = matched(&script.pool, body, step.new, &names) else { return false };
    // What a variable that does not occur stands for makes no difference.
    let by: Vec<_> = names.iter().copied().zip(terms).filter_map(|(n, t)| Some((n, t?))).collect();
    if !free_variables(&script.pool, step.new, &[]).is_empty()
        || names::instantiated(&mut script.pool, body, &by) != Some(step.new)
    {
        return false;
    }
    script.commands.insert(step.command + 1, Command { what: What::Assert(step.new), span: None });
    true
}

/// What stands in the place of each variable, as far as one pattern and its instance tell at first sight.
fn matched(pool: &Pool, body: TermId, new: TermId, names: &[Symbol]) -> Option<Vec<Option<TermId>>> {
    let mut found = vec![None; names.len()];
    let mut left = vec![(body, new)];
    let mut seen = FxHashSet::default();
    while let Some((a, b)) = left.pop() {
        if !seen.insert((a, b)) {
            continue;
        }
        if let Head::Variable(name) = pool.node(a).head
            && let Some(k) = names.iter().position(|&n| n == name)
        {
            found[k].get_or_insert(b);
            continue;
        }
        if pool.args(a).len() != pool.args(b).len() {
            return None;
        }
        left.extend(pool.args(a).iter().copied().zip(pool.args(b).iter().copied()));
    }
    Some(found)
}
