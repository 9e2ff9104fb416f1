//! Parts of seeds: formulas without free variables, and what they are at a model.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};
use smt::theory::table;
use smt::value::{Value, write};
use smt::walk::{free_variables, occurrences};
use smt::{Binder, Fuel, Head, Logic, Model, Pool, Script, SortId, TermId, eval};

use crate::case::Choices;
use crate::strategy::facts::TermFacts;

/// The most parts of a script.
const MOST: usize = 300;
/// Larger formulas are no parts.
const LARGEST: u32 = 120;
/// The most occurrences of a term that are looked at.
const LOOKED_AT: usize = 4000;
/// The work that the value of one term may cost.
const WORK: u64 = 20_000;
/// Longer values are not compared.
const LONGEST: usize = 200;
/// How deep in a part a term is replaced.
const DEEPEST: usize = 6;

/// The formulas in these terms that have no free variable. What a `let` around them binds is put around them again.
pub(super) fn parts(script: &mut Script, roots: &[TermId], facts: &mut TermFacts) -> Vec<TermId> {
    let mut found: Vec<TermId> = Vec::new();
    for &root in roots {
        let mut below: Vec<(TermId, Vec<u32>)> = Vec::new();
        let mut looked = 0;
        let mut seen = FxHashSet::default();
        occurrences(&script.pool, root, |term, path| {
            looked += 1;
            if looked < LOOKED_AT && script.pool.sort_of(term) == SortId::BOOL && seen.insert(term) {
                below.push((term, path.to_vec()));
            }
        });
        for (term, path) in below {
            found.extend(closed(&mut script.pool, root, &path, term));
        }
    }
    facts.learn_without_sites(&script.pool);
    let pool = &script.pool;
    let is_part = |term: &TermId| {
        let plain = !matches!(pool.node(*term).head, Head::Annotated(_) | Head::Opaque);
        plain && facts.of(*term).nodes <= LARGEST
    };
    found.retain(is_part);
    let mut seen = FxHashSet::default();
    found.retain(|term| seen.insert(*term));
    // Evenly from all of them.
    let every = found.len().div_ceil(MOST).max(1);
    found.into_iter().step_by(every).collect()
}

/// A formula with what the `let`s around it bind; none if it has free variables still.
fn closed(pool: &mut Pool, root: TermId, path: &[u32], formula: TermId) -> Option<TermId> {
    let mut free = free_variables(pool, formula, &[]);
    if free.is_empty() {
        return Some(formula);
    }
    let mut around: Vec<(Vec<Binder>, Vec<TermId>)> = Vec::new();
    let mut at = root;
    for &k in path {
        let args = pool.args(at);
        match pool.node(at).head {
            Head::Let(list) if k as usize + 1 == args.len() => {
                around.push((pool.binders(list).to_vec(), args[..k as usize].to_vec()));
            }
            // A variable that hides another must not be missing.
            Head::Forall(_) | Head::Exists(_) | Head::Lambda(_) | Head::Match(_) => return None,
            _ => {}
        }
        at = args[k as usize];
    }
    let mut whole = formula;
    while let Some((binders, terms)) = around.pop() {
        if binders.iter().any(|binder| free.contains(&binder.name)) {
            whole = pool.let_in(&binders, &terms, whole)?;
            free = free_variables(pool, whole, &[]);
        }
    }
    free.is_empty().then_some(whole)
}

/// What parts are at a model.
pub(super) struct View {
    /// The model, as text.
    pub model: String,
    /// The parts that are false, and those that are true.
    formulas: [Vec<TermId>; 2],
    /// Terms of one sort and value, several each.
    classes: Vec<Vec<TermId>>,
    /// By term: its class.
    class_of: FxHashMap<TermId, usize>,
}

impl View {
    /// What these parts are at a model; none if no part has a value.
    pub fn of(script: &Script, parts: &[TermId], text: String, model: &Model) -> Option<View> {
        let model = model.completed();
        let mut formulas = [Vec::new(), Vec::new()];
        let mut by_value: BTreeMap<(SortId, String), Vec<TermId>> = BTreeMap::new();
        let mut seen = FxHashSet::default();
        for &part in parts {
            let Ok(Value::Bool(value)) = eval(part, &model, &mut Fuel::new(WORK)) else { continue };
            formulas[usize::from(value)].push(part);
            each_argument(&script.pool, part, &mut seen, &mut |term| {
                let sort = script.pool.sort_of(term);
                let Ok(value) = eval(term, &model, &mut Fuel::new(WORK)) else { return };
                if let Ok(value) = write(&script.pool, sort, &value)
                    && value.len() <= LONGEST
                {
                    by_value.entry((sort, value)).or_default().push(term);
                }
            });
        }
        if formulas.iter().all(Vec::is_empty) {
            return None;
        }
        let classes: Vec<Vec<TermId>> = by_value.into_values().filter(|terms| terms.len() > 1).collect();
        let numbered = classes.iter().enumerate();
        let class_of = numbered.flat_map(|(i, terms)| terms.iter().map(move |&term| (term, i))).collect();
        Some(View { model: text, formulas, classes, class_of })
    }

    /// A part with this value, or the negation of one with the other. Now and then a term in it is replaced by another of the same
    /// value, if the logic allows that.
    pub fn formula(
        &self,
        pool: &mut Pool,
        wanted: bool,
        (facts, logic): (&TermFacts, Option<Logic>),
        choices: &mut Choices,
    ) -> Option<TermId> {
        let [with, without] = [wanted, !wanted].map(|value| &self.formulas[usize::from(value)]);
        let negated = with.is_empty() || (!without.is_empty() && choices.happens(1, 4));
        let part = *choices.pick(if negated { without } else { with })?;
        let mut formula = part;
        if choices.happens(1, 2)
            && let Some(varied) = self.varied(pool, part, choices)
            && logic.is_some_and(|logic| logic.holds(facts.logic_of(pool, varied)))
        {
            formula = varied;
        }
        if negated { pool.apply_named("not", &[], &[formula], None).ok() } else { Some(formula) }
    }

    /// A part with a term in it replaced by another of the same value.
    fn varied(&self, pool: &mut Pool, part: TermId, choices: &mut Choices) -> Option<TermId> {
        let (mut at, mut path) = (part, Vec::with_capacity(DEEPEST));
        while path.len() < DEEPEST {
            let places = replaceable(pool, at);
            let k = choices.below(places as u64) as usize;
            let term = *pool.args(at).get(k).filter(|_| k < places)?;
            let Head::Op(op, _) = pool.node(at).head else { return None };
            if table().op(op).wants_constant(k) {
                return None;
            }
            path.push(k as u32);
            if let Some(&class) = self.class_of.get(&term)
                && (choices.happens(1, 2) || replaceable(pool, term) == 0)
            {
                let other = *choices.pick(&self.classes[class])?;
                return (other != term).then(|| pool.replace(part, &path, other)).flatten();
            }
            at = term;
        }
        None
    }
}

/// How many arguments of a term may be replaced: those of operators.
fn replaceable(pool: &Pool, term: TermId) -> usize {
    match pool.node(term).head {
        Head::Op(..) => pool.args(term).len(),
        _ => 0,
    }
}

/// Calls `visit` with each term below operators once that has no free variable and may take the place of another.
fn each_argument(pool: &Pool, part: TermId, seen: &mut FxHashSet<TermId>, visit: &mut dyn FnMut(TermId)) {
    let mut left = vec![part];
    while let Some(term) = left.pop() {
        if !matches!(pool.node(term).head, Head::Op(..)) {
            continue;
        }
        for &arg in pool.args(term) {
            if seen.insert(arg) {
                left.push(arg);
                // An Int that is a Real without a word is part of a term, but none of its own.
                let plain = !matches!(
                    pool.node(arg).head,
                    Head::Coerce | Head::Annotated(_) | Head::Opaque | Head::Variable(_)
                );
                if plain && pool.sort_of(arg) != SortId::BOOL && free_variables(pool, arg, &[]).is_empty() {
                    visit(arg);
                }
            }
        }
    }
}
