//! New names for bound variables and for declared functions.

use rustc_hash::FxHashMap;

use super::{Place, Rule, Step, asserted, names};
use crate::script::{Script, What};
use crate::term::{Fun, FunId, FunKind, Head, Index, TermId};

/// New names for all bound variables of an assertion.
pub(super) fn bound(script: &mut Script, command: usize) -> Option<Step> {
    let root = asserted(script, command)?;
    if names::bound(&script.pool, root).is_empty() {
        return None;
    }
    let new = names::freshened(&mut script.pool, root)?;
    Some(Step { rule: Rule::RenameBound, command, place: Place::Everywhere, old: root, new })
}

/// A new name for a constant that a command declares.
pub(super) fn function(script: &mut Script, command: usize) -> Option<Step> {
    let What::DeclareFun(fun) = script.commands[command].what else { return None };
    let decl = script.pool.fun(fun).clone();
    if decl.kind != FunKind::Declared || !decl.args.is_empty() || !only_in_assertions(script, fun) {
        return None;
    }
    let old = script.pool.call(fun, &[], None).ok()?;
    let name = names::fresh(&script.pool, script.pool.text(decl.name));
    let made = script.pool.binder(&name, decl.result);
    let renamed = script.pool.add_fun(Fun { name: made.name, spelling: made.spelling, ..decl });
    let new = script.pool.call(renamed, &[], None).ok()?;
    Some(Step { rule: Rule::Rename, command, place: Place::Everywhere, old, new })
}

/// Whether no definition uses a function, and no operator has it as its index.
fn only_in_assertions(script: &Script, fun: FunId) -> bool {
    let pool = &script.pool;
    let mut only = true;
    for (i, command) in script.commands.iter().enumerate() {
        script.each_term(i, |root| {
            names::each(pool, root, |term| {
                only &= match pool.node(term).head {
                    Head::Fun(used) => used != fun || matches!(command.what, What::Assert(_)),
                    Head::Op(_, indices) => !pool.indices(indices).contains(&Index::Function(fun)),
                    _ => true,
                };
            });
        });
    }
    only
}

fn constant(script: &Script, term: TermId) -> Option<FunId> {
    match script.pool.node(term).head {
        Head::Fun(fun) if script.pool.args(term).is_empty() => Some(fun),
        _ => None,
    }
}

pub(super) fn apply_function(script: &mut Script, step: &Step) -> bool {
    let (Some(old), Some(new)) = (constant(script, step.old), constant(script, step.new)) else {
        return false;
    };
    let (before, after) = (script.pool.fun(old), script.pool.fun(new));
    let alike =
        before.kind == FunKind::Declared && after.kind == FunKind::Declared && before.result == after.result;
    let declared = script.commands.get(step.command).map(|c| c.what) == Some(What::DeclareFun(old));
    let mut taken = false;
    for i in 0..script.commands.len() {
        script.each_function(i, |fun| taken |= script.pool.fun(fun).name == after.name);
    }
    if !alike || !declared || taken || !only_in_assertions(script, old) {
        return false;
    }
    let by = FxHashMap::from_iter([(step.old, step.new)]);
    for command in 0..script.commands.len() {
        let Some(root) = asserted(script, command) else { continue };
        if names::replace_all(&mut script.pool, root, &by) == root {
            continue;
        }
        if !names::may_stand(script, root, step.new) {
            return false;
        }
        let new = names::replace_all(&mut script.pool, root, &by);
        script.set_term(command, 0, new);
    }
    script.commands[step.command].what = What::DeclareFun(new);
    script.commands[step.command].span = None;
    true
}
