//! What a model makes of the assertions at one check of a script.

use super::machine::{Machine, Outcome};
use super::{Fuel, Gap};
use crate::Pool;
use crate::model::Model;
use crate::script::Ask;
use crate::term::{FunKind, Head, TermId};
use crate::value::Value;

/// The value of a closed term under a model. The model must be of the script the term belongs to.
pub fn eval(term: TermId, model: &Model, fuel: &mut Fuel) -> Outcome {
    let mut machine = Machine::new(model, std::mem::take(fuel));
    let outcome = machine.eval(term);
    *fuel = machine.into_fuel();
    outcome
}

/// What an assertion is under a model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// It holds.
    True,
    /// It does not hold.
    False,
    /// We cannot know.
    Open(Gap),
}

/// The verdict on each assertion in scope at a check, each with fuel of its own.
///
/// A true assertion that rests on a recursive definition is open: the definition is an axiom, and that it has a
/// model at all is more than one evaluation shows.
pub fn verdicts(ask: &Ask, model: &Model, fuel: &Fuel) -> Vec<Verdict> {
    ask.assertions
        .iter()
        .map(|&term| match eval(term, model, &mut fuel.clone()) {
            Ok(Value::Bool(true)) => Verdict::True,
            Ok(Value::Bool(false)) => Verdict::False,
            Ok(_) => Verdict::Open(Gap::NoMeaning("an assertion that is not Bool")),
            Err(gap) => Verdict::Open(gap),
        })
        .collect()
}

/// Whether a term calls, directly or through other definitions, a function that is defined recursively.
pub fn is_recursive(pool: &Pool, term: TermId) -> bool {
    let mut seen = rustc_hash::FxHashSet::default();
    let mut left = vec![term];
    while let Some(term) = left.pop() {
        if !seen.insert(term) {
            continue;
        }
        if let Head::Fun(fun) = pool.node(term).head {
            if let FunKind::Recursive(_) = pool.fun(fun).kind {
                return true;
            }
            left.extend(pool.body(fun).map(|(_, body)| body));
        }
        left.extend_from_slice(pool.args(term));
    }
    false
}
