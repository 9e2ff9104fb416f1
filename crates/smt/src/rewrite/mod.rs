//! Equivalent forms of what is asserted at a check: steps that anybody can check, and a normal form made of them.
//!
//! A step is data. [`steps`] lists what could be done, [`apply`] does one, [`normal`] does all simplifying ones, and
//! [`question`] writes the script to which every solver must answer `unsat` if a step keeps the meaning of a term.
//!
//! ```
//! let text = b"(declare-const x Int)(assert (= x 3))(assert (let ((y (+ x 1))) (distinct y x 4)))(check-sat)";
//! let script = smt::read(text).expect("well-sorted");
//! let (normal, steps) = smt::rewrite::normal(&script, 0, smt::rewrite::Limits::default()).expect("a check");
//! assert!(normal.text().contains("(assert false)"));
//! assert!(steps.iter().any(|step| step.rule == smt::rewrite::Rule::Substitute));
//! ```

mod alone;
mod assertion;
mod boolean;
mod equation;
mod fold;
mod inline;
mod names;
mod quantifier;
mod question;
mod rename;
mod step;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::script::{Script, What};
use crate::symbol::Symbol;
use crate::term::{Head, TermId};
use crate::walk::{at, bound_in};

pub use alone::alone;
pub use question::question;
pub use step::{Keeps, Place, Rule, Step};

/// The limits of a normal form.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The largest number of steps.
    pub steps: usize,
    /// No step that makes the assertions larger than this together, in nodes of their trees.
    pub size: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { steps: 2_000, size: 20_000 }
    }
}

/// A rule about terms: the script, a subterm of an assertion, and what replaces it.
type TermRule = fn(&mut Script, TermId) -> Option<TermId>;

/// Rules about terms that [`normal`] uses, in the order in which they are tried.
const SIMPLIFYING: &[(Rule, TermRule)] = &[
    (Rule::InlineDefinition, inline::definition),
    (Rule::InlineLet, inline::binding),
    (Rule::Beta, inline::beta),
    (Rule::FoldGround, fold::ground),
    (Rule::ExpandDistinct, boolean::distinct),
    (Rule::ExpandImplies, boolean::implies),
    (Rule::ExpandXor, boolean::xor),
];

/// The other rules about terms.
const OTHER: &[(Rule, TermRule)] = &[(Rule::Binary, boolean::binary)];

/// What is asserted at a check of the script, with all simplifying steps done: definitions, `let` and `lambda` in place,
/// equations with a constant used up, conjunctions split, ground terms evaluated. None if the script has no such check,
/// or if something before it is not understood. The steps lead from [`alone`] to the new script.
pub fn normal(script: &Script, check: usize, limits: Limits) -> Option<(Script, Vec<Step>)> {
    let mut script = alone(script, check)?;
    let mut steps = Vec::new();
    // Assertions in which no rule about terms applies.
    let mut settled = FxHashSet::default();
    while steps.len() < limits.steps
        && let Some(step) = next(&mut script, &mut settled, limits)
    {
        if !apply_to(&mut script, &step) {
            break;
        }
        steps.push(step);
    }
    Some((script, steps))
}

/// The next simplifying step.
fn next(script: &mut Script, settled: &mut FxHashSet<TermId>, limits: Limits) -> Option<Step> {
    // Annotations can go once nobody uses the names that they give.
    if assertion::uses_names(script) {
        return (0..script.commands.len()).find_map(|command| unnamed(script, command));
    }
    for command in 0..script.commands.len() {
        let What::Assert(root) = script.commands[command].what else { continue };
        if settled.contains(&root) {
            continue;
        }
        if let Some(step) = assertion::unannotate(script, command).or_else(|| simplified(script, command)) {
            if size(script, &step) <= limits.size {
                return Some(step);
            }
        } else if let Some(step) = assertion::split(script, command) {
            return Some(step);
        }
        settled.insert(root);
    }
    (0..script.commands.len()).find_map(|command| {
        let step = equation::substitute(script, command)?;
        (size(script, &step) <= limits.size).then_some(step)
    })
}

/// The body of a named term that an assertion uses, in the place of its name.
fn unnamed(script: &mut Script, command: usize) -> Option<Step> {
    let root = asserted(script, command)?;
    let old = assertion::named(&script.pool, root)?;
    let new = inline::definition(script, old)?;
    if !names::may_stand(script, root, new) {
        return rename::bound(script, command);
    }
    Some(Step { rule: Rule::InlineDefinition, command, place: Place::Everywhere, old, new })
}

/// The first simplifying step about a term of an assertion, outermost first.
fn simplified(script: &mut Script, command: usize) -> Option<Step> {
    let What::Assert(root) = script.commands[command].what else { return None };
    let mut seen = FxHashSet::default();
    let mut left = vec![root];
    while let Some(term) = left.pop() {
        if !seen.insert(term) {
            continue;
        }
        for &(rule, make) in SIMPLIFYING {
            let Some(new) = made(script, term, make) else { continue };
            if names::may_stand(script, root, new) {
                return Some(Step { rule, command, place: Place::Everywhere, old: term, new });
            }
            return rename::bound(script, command);
        }
        left.extend(script.pool.args(term).iter().rev());
    }
    None
}

/// What a rule makes of a term: another term of the same sort.
fn made(script: &mut Script, term: TermId, make: TermRule) -> Option<TermId> {
    // A name inside the term would be given twice.
    if assertion::annotated(&script.pool, term) {
        return None;
    }
    let new = make(script, term)?;
    (new != term && script.pool.sort_of(new) == script.pool.sort_of(term)).then_some(new)
}

/// Steps that can be done on a script with one check, such as [`alone`] gives, no more than `limit`, in a fixed order.
/// Its pool gets the terms that they make.
pub fn steps(script: &mut Script, limit: usize) -> Vec<Step> {
    let mut found = Vec::new();
    for command in 0..script.commands.len() {
        found.extend(rename::function(script, command));
        let What::Assert(root) = script.commands[command].what else { continue };
        found.extend(assertion::unannotate(script, command));
        found.extend(assertion::split(script, command));
        found.extend(equation::substitute(script, command));
        found.extend(quantifier::skolem(script, command));
        found.extend(quantifier::instances(script, command));
        found.extend(assertion::reorder(script, command));
        found.extend(rename::bound(script, command));
        for (term, path) in places(script, root, limit.saturating_sub(found.len())) {
            for &(rule, make) in SIMPLIFYING.iter().chain(OTHER) {
                if let Some(new) = made(script, term, make) {
                    found.push(Step { rule, command, place: Place::At(path.clone()), old: term, new });
                }
            }
        }
        if found.len() >= limit {
            break;
        }
    }
    found.retain(|step| apply(script, step).is_some());
    found.truncate(limit);
    found
}

/// What the rules about terms make of a term below variables of these names: each rule with the new term. Its pool gets them.
pub fn of_term(script: &mut Script, term: TermId, bound: &[Symbol]) -> Vec<(Rule, TermId)> {
    let bound: FxHashSet<Symbol> = bound.iter().copied().collect();
    let mut found = Vec::new();
    for &(rule, make) in SIMPLIFYING.iter().chain(OTHER) {
        if let Some(new) = made(script, term, make)
            && !names::mentions(&script.pool, new, &bound)
        {
            found.push((rule, new));
        }
    }
    found
}

/// Occurrences of subterms in preorder, without those in patterns, no more than a few for each step that is wanted.
fn places(script: &Script, root: TermId, wanted: usize) -> Vec<(TermId, Vec<u32>)> {
    let mut found = Vec::new();
    let mut left = vec![(root, Vec::new())];
    while let Some((term, path)) = left.pop() {
        if found.len() > wanted.saturating_mul(8) {
            break;
        }
        let args = script.pool.args(term);
        let inside = if let Head::Annotated(_) = script.pool.node(term).head { &args[..1] } else { args };
        for (k, &arg) in inside.iter().enumerate().rev() {
            left.push((arg, [&path[..], &[k as u32]].concat()));
        }
        found.push((term, path));
    }
    found
}

/// The script after a step; none if the step is not one of this script, or if its shape is not that of its rule.
pub fn apply(script: &Script, step: &Step) -> Option<Script> {
    let mut script = script.clone();
    apply_to(&mut script, step).then_some(script)
}

fn apply_to(script: &mut Script, step: &Step) -> bool {
    match step.rule {
        Rule::Substitute => equation::apply_substitute(script, step),
        Rule::SplitAnd => assertion::apply_split(script, step),
        Rule::Instance => quantifier::apply_instance(script, step),
        Rule::Skolem => quantifier::apply_skolem(script, step),
        Rule::Reorder => assertion::apply_reorder(script, step),
        Rule::Rename => rename::apply_function(script, step),
        _ => replaced(script, step).is_some_and(|new| script.set_term(step.command, 0, new)),
    }
}

/// The assertion of a step about a term, with the new term in place; none if a binder would capture a name of it.
fn replaced(script: &mut Script, step: &Step) -> Option<TermId> {
    let root = asserted(script, step.command)?;
    match &step.place {
        Place::Everywhere if step.old == root => Some(step.new),
        Place::Everywhere => {
            if !names::may_stand(script, root, step.new) {
                return None;
            }
            let new =
                names::replace_all(&mut script.pool, root, &FxHashMap::from_iter([(step.old, step.new)]));
            (new != root).then_some(new)
        }
        Place::At(path) => {
            if at(&script.pool, root, path) != Some(step.old) {
                return None;
            }
            let mut bound = FxHashSet::default();
            let mut term = root;
            for &k in path {
                bound.extend(bound_in(&script.pool, term, k as usize).iter().map(|b| b.name));
                term = script.pool.args(term)[k as usize];
            }
            if names::mentions(&script.pool, step.new, &bound) {
                return None;
            }
            script.pool.replace(root, path, step.new)
        }
    }
}

/// The term that a command asserts.
fn asserted(script: &Script, command: usize) -> Option<TermId> {
    match script.commands.get(command)?.what {
        What::Assert(root) => Some(root),
        _ => None,
    }
}

/// How large the assertions are together after a step, in nodes of their trees.
fn size(script: &Script, step: &Step) -> u64 {
    let Some(after) = apply(script, step) else { return u64::MAX };
    let mut known = FxHashMap::default();
    let asserted = (0..after.commands.len()).filter_map(|i| asserted(&after, i));
    asserted.fold(0, |all, root| all.saturating_add(names::tree_size(&after.pool, root, &mut known)))
}
