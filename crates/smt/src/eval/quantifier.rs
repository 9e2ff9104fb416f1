//! Quantifiers: all values are tried where there are few; elsewhere a few values may refute or witness.

use std::collections::BTreeSet;

use dashu_int::IBig;

use super::machine::{Machine, Outcome};
use super::task::{Purpose, Task, Trying};
use crate::gap::{Fuel, Gap};
use crate::sort::{Sort, SortId};
use crate::term::{Binder, BinderList, TermId};
use crate::value::float::{Float, Format};
use crate::value::{BitVec, Rounding, Value, equal, finite};
use dashu_ratio::RBig;

/// Domains with more values than this are not tried out.
const MOST: u64 = 1 << 12;

/// Quantifiers over more variables are not tried out.
const MOST_VARIABLES: usize = 12;

/// A few floats: what an operator says of two zeros may be open, and then another value decides.
fn floats(eb: u32, sb: u32) -> Vec<Value> {
    let Ok(format) = Format::new(eb, sb) else { return Vec::new() };
    let one = Float::from_int(format, Rounding::Rne, &IBig::ONE);
    let minus = one.neg();
    [Float::zero(format, false), one, minus, Float::nan(format)].map(Value::Float).to_vec()
}

impl Machine<'_> {
    pub(super) fn try_all(&mut self, body: TermId, binders: BinderList, purpose: Purpose) {
        let mut domains = Vec::new();
        let mut complete = true;
        let mut total: u64 = 1;
        let variables = self.model.pool().binders(binders);
        if variables.len() > MOST_VARIABLES {
            return self.give(Err(Gap::Quantifier));
        }
        for &Binder { sort, .. } in variables {
            let (values, whole) = self.domain(sort);
            if let Err(gap) = self.fuel.pay(values.len() as u64) {
                return self.give(Err(gap));
            }
            complete &= whole;
            total = total.saturating_mul(values.len() as u64);
            domains.push(values);
        }
        if total > MOST {
            // Too many combinations: the first two of each.
            complete = false;
            for values in &mut domains {
                values.truncate(2);
            }
        }
        if domains.iter().any(Vec::is_empty) {
            return self.give(Err(Gap::Quantifier));
        }
        let now = vec![0; domains.len()];
        let trying = Box::new(Trying { body, binders, domains, now, complete, purpose, open: None });
        self.choose(trying);
    }

    fn choose(&mut self, trying: Box<Trying>) {
        if let Err(gap) = self.fuel.pay(2) {
            return self.give(Err(gap));
        }
        for (k, values) in trying.domains.iter().enumerate() {
            let binder = self.model.pool().binders(trying.binders)[k];
            self.bind(binder.name, Ok(values[trying.now[k]].clone()));
        }
        let body = trying.body;
        self.tasks.push(Task::Try(trying));
        self.tasks.push(Task::Term(body));
    }

    /// A body was evaluated: decide, take the value, or try the next values.
    pub(super) fn tried(&mut self, mut trying: Box<Trying>) {
        let outcome = self.pop();
        let held = matches!(outcome, Ok(Value::Bool(true)));
        match outcome {
            Err(Gap::TooMuchWork) => return self.give(Err(Gap::TooMuchWork)),
            Err(gap) => trying.open = Some(gap),
            Ok(Value::Bool(b)) => match &mut trying.purpose {
                Purpose::Decide { forall } if b != *forall => {
                    self.unbind(trying.domains.len() as u32);
                    return self.give(Ok(Value::Bool(b)));
                }
                Purpose::Choose { found, several } if held => {
                    let value = trying.domains[0][trying.now[0]].clone();
                    *several |= found.replace(value).is_some();
                }
                Purpose::Collect { member, .. } if held => {
                    // Its variables are still bound.
                    let member = *member;
                    self.tasks.push(Task::Collected(trying));
                    return self.tasks.push(Task::Term(member));
                }
                _ => {}
            },
            Ok(_) => {}
        }
        self.try_next(trying);
    }

    /// The member of a comprehension was evaluated.
    pub(super) fn collected(&mut self, mut trying: Box<Trying>) {
        match (self.pop(), &mut trying.purpose) {
            (Err(Gap::TooMuchWork), _) => return self.give(Err(Gap::TooMuchWork)),
            (Err(gap), _) => trying.open = Some(gap),
            (Ok(value), Purpose::Collect { found, .. }) => found.push(value),
            (Ok(_), _) => {}
        }
        self.try_next(trying);
    }

    fn try_next(&mut self, mut trying: Box<Trying>) {
        self.unbind(trying.domains.len() as u32);
        for k in 0..trying.now.len() {
            trying.now[k] += 1;
            if trying.now[k] < trying.domains[k].len() {
                return self.choose(trying);
            }
            trying.now[k] = 0;
        }
        let outcome = match trying.open {
            Some(gap) => Err(gap),
            None if trying.complete => self.settled(trying.purpose),
            None => Err(Gap::Quantifier),
        };
        self.give(outcome);
    }

    /// What comes of it when all values have been tried.
    fn settled(&mut self, purpose: Purpose) -> Outcome {
        match purpose {
            Purpose::Decide { forall } => Ok(Value::Bool(forall)),
            Purpose::Choose { found: Some(value), several: false } => Ok(value),
            Purpose::Choose { .. } => Err(Gap::LeftToModel("a choice among no or several values")),
            Purpose::Collect { found, .. } => {
                let mut set = BTreeSet::new();
                for value in found {
                    if equal::find(self, &set, &value)?.is_none() {
                        set.insert(value);
                    }
                }
                Value::set_of_distinct(set)
            }
        }
    }

    /// Values of a sort, and whether they are all of them.
    pub(super) fn domain(&self, sort: SortId) -> (Vec<Value>, bool) {
        let pool = self.model.pool();
        if let Some((universe, whole)) = self.model.universe(sort) {
            return (universe.to_vec(), whole);
        }
        if let Some(all) = finite::elements(pool, sort, MOST) {
            return (all, true);
        }
        let few = match pool.sort(sort) {
            Sort::Int => [0, 1, -1, 2].map(|n| Value::Int(IBig::from(n))).to_vec(),
            Sort::Real => {
                let half = RBig::from_parts(IBig::ONE, 2u8.into());
                let mut few: Vec<_> = [0, 1, -1].map(|n| Value::Real(RBig::from(IBig::from(n)))).to_vec();
                few.push(Value::Real(half));
                few
            }
            Sort::BitVec(w) if u64::from(w) <= Fuel::LARGEST => {
                [BitVec::zero(w), BitVec::wrap(w, &IBig::ONE), BitVec::ones(w)].map(Value::BitVec).to_vec()
            }
            Sort::Float(eb, sb) => floats(eb, sb),
            Sort::String => ["", "a"].map(|text| Value::Text(text.chars().map(u32::from).collect())).to_vec(),
            _ => self.model.some_value(sort).into_iter().collect(),
        };
        (few, false)
    }
}
