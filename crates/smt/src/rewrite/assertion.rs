//! Steps about whole assertions: annotations go, conjunctions are split, assertions change places.

use super::{Place, Rule, Step, asserted, names};
use crate::Pool;
use crate::script::{Command, Script, What};
use crate::term::{FunKind, Head, TermId};
use crate::theory::table;

/// The name and the arguments of an application of an operator.
pub(super) fn operator(pool: &Pool, term: TermId) -> Option<(&'static str, &[TermId])> {
    match pool.node(term).head {
        Head::Op(op, _) => Some((table().op(op).name, pool.args(term))),
        _ => None,
    }
}

/// The assertion without its annotations, if no name that they give is used elsewhere.
pub(super) fn unannotate(script: &mut Script, command: usize) -> Option<Step> {
    let root = asserted(script, command)?;
    if !annotated(&script.pool, root) || uses_names(script) {
        return None;
    }
    let new = script.pool.without_annotations(root);
    Some(Step { rule: Rule::Unannotate, command, place: Place::Everywhere, old: root, new })
}

/// Whether some command uses a name that `:named` gives.
pub(super) fn uses_names(script: &Script) -> bool {
    let mut used = false;
    for i in 0..script.commands.len() {
        script.each_term(i, |root| used |= named(&script.pool, root).is_some());
    }
    used
}

/// A name given by `:named` that a term uses.
pub(super) fn named(pool: &Pool, root: TermId) -> Option<TermId> {
    let mut found = None;
    names::each(pool, root, |term| {
        if let Head::Fun(fun) = pool.node(term).head
            && let FunKind::Named(_) = pool.fun(fun).kind
        {
            found.get_or_insert(term);
        }
    });
    found
}

/// Whether a term has an annotation in it.
pub(super) fn annotated(pool: &Pool, root: TermId) -> bool {
    let mut found = false;
    names::each(pool, root, |term| found |= matches!(pool.node(term).head, Head::Annotated(_)));
    found
}

/// An asserted conjunction, apart.
pub(super) fn split(script: &Script, command: usize) -> Option<Step> {
    let root = asserted(script, command)?;
    let ("and", [_, ..]) = operator(&script.pool, root)? else { return None };
    Some(Step { rule: Rule::SplitAnd, command, place: Place::Everywhere, old: root, new: root })
}

pub(super) fn apply_split(script: &mut Script, step: &Step) -> bool {
    if asserted(script, step.command) != Some(step.old) {
        return false;
    }
    let Some(("and", parts)) = operator(&script.pool, step.old) else { return false };
    let parts: Vec<_> = parts.iter().map(|&part| Command { what: What::Assert(part), span: None }).collect();
    script.commands.splice(step.command..=step.command, parts);
    true
}

/// An assertion changes places with the next one.
pub(super) fn reorder(script: &Script, command: usize) -> Option<Step> {
    let old = asserted(script, command)?;
    let new = asserted(script, command + 1)?;
    if annotated(&script.pool, old) || annotated(&script.pool, new) {
        return None;
    }
    Some(Step { rule: Rule::Reorder, command, place: Place::Everywhere, old, new })
}

pub(super) fn apply_reorder(script: &mut Script, step: &Step) -> bool {
    if reorder(script, step.command).as_ref() != Some(step) {
        return false;
    }
    script.commands.swap(step.command, step.command + 1);
    true
}
