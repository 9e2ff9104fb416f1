//! Functions that look at their arguments only to compare them with constants, as solvers print them in models: such
//! a function is known once it is known at these constants and at one other place.

use super::closure::Closure;
use crate::gap::Gap;
use crate::sort::{Sort, SortId};
use crate::symbol::Symbol;
use crate::term::{BinderList, Head, TermId};
use crate::value::{Array, BitVec, Function, Functions, Value};
use dashu_int::{IBig, UBig};

/// Bodies of more terms than this are not looked through.
const MOST_TERMS: u32 = 10_000;

/// The constants that a function compares each of its arguments with; none if it does anything else with one.
pub(super) fn compared(world: &mut dyn Functions, closure: &Closure) -> Result<Option<Vec<Vec<Value>>>, Gap> {
    let names: Vec<Symbol> = closure.binders.iter().map(|b| b.name).collect();
    let mut found: Vec<Vec<TermId>> = vec![Vec::new(); names.len()];
    if collect(world, closure.body, &names, &mut found).is_none() {
        return Ok(None);
    }
    let mut constants = Vec::new();
    for terms in found {
        let mut values = Vec::new();
        for term in terms {
            let constant = Value::function(Function::Lambda(BinderList(0), term, closure.around.clone()))?;
            values.push(world.apply(&constant, &[])?);
        }
        constants.push(values);
    }
    Ok(Some(constants))
}

/// The indices that a table names.
pub(super) fn listed(array: &Array) -> Vec<Vec<Value>> {
    vec![array.entries.keys().cloned().collect()]
}

fn collect(world: &dyn Functions, body: TermId, names: &[Symbol], found: &mut [Vec<TermId>]) -> Option<()> {
    let pool = world.pool();
    let place = |term: TermId| match pool.node(term).head {
        // Of several variables of one name the last hides the others.
        Head::Variable(name) => names.iter().rposition(|n| *n == name),
        _ => None,
    };
    let mut left = vec![body];
    let mut steps = 0;
    while let Some(term) = left.pop() {
        steps += 1;
        if steps > MOST_TERMS || place(term).is_some() {
            return None;
        }
        match (pool.node(term).head, pool.args(term)) {
            (Head::Op(op, _), &[a, b]) if world.is_equality(op) => match (place(a), place(b)) {
                (Some(k), None) => {
                    found[k].push(b);
                    left.push(b);
                }
                (None, Some(k)) => {
                    found[k].push(a);
                    left.push(a);
                }
                _ => left.extend([a, b]),
            },
            (Head::Literal(_) | Head::Variable(_), _) => {}
            (Head::Op(..) | Head::Fun(_) | Head::Apply | Head::Coerce, args) => {
                left.extend_from_slice(args);
            }
            (Head::Annotated(_), &[inner, ..]) => left.push(inner),
            _ => return None,
        }
    }
    // What is compared with an argument must not hang on another argument in turn: this was seen above.
    Some(())
}

/// A value of an infinite or large sort that is none of these.
pub(super) fn another(world: &dyn Functions, sort: SortId, known: &[Value]) -> Option<Value> {
    let above = |n: IBig| n + IBig::ONE;
    match world.pool().sort(sort) {
        Sort::Int => {
            let numbers =
                known.iter().filter_map(|v| if let Value::Int(n) = v { Some(n.clone()) } else { None });
            Some(Value::Int(above(numbers.max().unwrap_or(IBig::ZERO))))
        }
        Sort::Real => {
            let ceilings =
                known.iter().filter_map(|v| if let Value::Real(q) = v { Some(q.ceil()) } else { None });
            Some(Value::Real(above(ceilings.max().unwrap_or(IBig::ZERO)).into()))
        }
        Sort::String => {
            let longest = known.iter().map(|v| if let Value::Text(t) = v { t.len() } else { 0 }).max();
            Some(Value::Text(vec![u32::from(b'a'); longest.unwrap_or(0) + 1].into()))
        }
        Sort::BitVec(width) => {
            let candidates = (0..=known.len()).map(|n| BitVec::new(width, UBig::from(n)));
            candidates.map(Value::BitVec).find(|value| !known.contains(value))
        }
        _ => None,
    }
}
