//! The question that checks a step: no solver may find a difference between the old and the new term.

use super::{Keeps, Rule, Step, names};
use crate::script::{Command, Script, What};
use crate::symbol::Symbol;
use crate::term::{Fun, FunKind, Head, TermId};
use crate::walk::free_variables;

/// The script that asks whether the old and the new term of a step can differ: the declarations, then `(distinct old
/// new)`. Variables that are bound around the terms are constants in it. Every solver must answer `unsat`.
///
/// None if the step keeps only satisfiability, or if it is about the list of assertions and there is nothing to ask.
pub fn question(script: &Script, step: &Step) -> Option<Script> {
    if step.keeps() != Keeps::Meaning || matches!(step.rule, Rule::SplitAnd | Rule::Reorder) {
        return None;
    }
    let mut asking = script.clone();
    asking.commands.retain(|command| !matches!(command.what, What::Assert(_) | What::CheckSat));
    let pool = &mut asking.pool;
    let (old, new) = (pool.without_annotations(step.old), pool.without_annotations(step.new));
    let free = [free_variables(pool, old, &[]), free_variables(pool, new, &[])].concat();
    let mut by: Vec<(Symbol, TermId)> = Vec::new();
    let mut declared = Vec::new();
    for name in free {
        if by.iter().any(|&(known, _)| known == name) {
            continue;
        }
        let mut sort = None;
        for root in [old, new] {
            names::each(pool, root, |term| {
                if pool.node(term).head == Head::Variable(name) {
                    sort.get_or_insert(pool.sort_of(term));
                }
            });
        }
        let sort = sort?;
        let text = names::fresh(pool, pool.text(name));
        let made = pool.binder(&text, sort);
        let kind = FunKind::Declared;
        let (type_params, args) = (Vec::new(), Vec::new());
        let fun = Fun { name: made.name, spelling: made.spelling, type_params, args, result: sort, kind };
        let fun = pool.add_fun(fun);
        declared.push(Command { what: What::DeclareFun(fun), span: None });
        by.push((name, pool.call(fun, &[], None).ok()?));
    }
    let (old, new) = (names::instantiated(pool, old, &by)?, names::instantiated(pool, new, &by)?);
    let differ = pool.apply_named("distinct", &[], &[old, new], None).ok()?;
    asking.commands.extend(declared);
    asking.push(What::Assert(differ));
    asking.push(What::CheckSat);
    Some(asking)
}
