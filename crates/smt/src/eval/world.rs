//! The evaluation as meanings and comparisons use it: functions applied, cases left to the model, equality.

use super::machine::{Machine, Outcome};
use crate::gap::{Fuel, Gap};
use crate::pool::Pool;
use crate::sort::SortId;
use crate::term::{BinderList, FunId, FunKind, OpId, TermId};
use crate::theory::{Point, World, table};
use crate::value::{Functions, Value, equal};

/// The deepest nesting of functions that call functions through operators such as `seq.map`.
const DEEPEST: u32 = 32;

impl Functions for Machine<'_> {
    fn pool(&self) -> &Pool {
        self.model.pool()
    }

    fn fuel(&mut self) -> &mut Fuel {
        &mut self.fuel
    }

    fn apply(&mut self, function: &Value, args: &[Value]) -> Outcome {
        if let (Value::Array(array), [index, rest @ ..]) = (function, args) {
            let key = array.find(self, index)?;
            let element = key.map_or(&array.default, |key| array.get(key)).clone();
            return if rest.is_empty() { Ok(element) } else { self.apply(&element, rest) };
        }
        let Value::Function(function) = function else {
            return Err(Gap::NoMeaning("an application of something that is no function"));
        };
        self.one_deeper(|machine| machine.apply_function(function, args))
    }

    fn points(&mut self, sort: SortId) -> (Vec<Value>, bool) {
        self.domain(sort)
    }

    fn body(&self, fun: FunId) -> Option<(BinderList, TermId)> {
        match self.pool().fun(fun).kind {
            FunKind::Defined(..) => self.pool().body(fun),
            FunKind::Declared => self.model.interpretation(fun),
            _ => None,
        }
    }

    fn is_equality(&self, op: OpId) -> bool {
        table().op(op).name == "="
    }
}

impl World for Machine<'_> {
    fn completes(&self) -> bool {
        self.model.is_complete()
    }

    fn unspecified(&mut self, names: &[&str], what: &'static str, args: &[Value], point: Point) -> Outcome {
        for name in names {
            if let Some(fun) = self.model.partial(name)
                && let Some((binders, body)) = self.model.interpretation(fun)
                && self.pool().fun(fun).result == point.sort
            {
                let wanted = self.pool().binders(binders).len();
                let args = &args[..wanted.min(args.len())];
                return self.one_deeper(|machine| machine.run_call(fun, binders, body, args));
            }
        }
        let sort = point.sort;
        if let Some(value) = self.heard(point)? {
            return Ok(value);
        }
        // The model says several things under such a name, and it is not known which one is meant.
        if names.iter().any(|name| self.model.clashes(name)) {
            return Err(Gap::LeftToModel(what));
        }
        self.default(sort).ok_or(Gap::LeftToModel(what))
    }

    fn heard(&mut self, point: Point) -> Result<Option<Value>, Gap> {
        let found = self.heard_at(&point);
        if let Some(points) = &mut self.points {
            points.push(point);
        }
        Ok(found?.map(|number| self.model.heard()[number].value.clone()))
    }
}

impl Machine<'_> {
    /// The number of the answer of the solver that is about this point, if there is one.
    pub fn heard_at(&mut self, point: &Point) -> Result<Option<usize>, Gap> {
        let model = self.model;
        let mut open = None;
        for (number, known) in model.heard_of(&point.operator, point.sort) {
            match equal::all_equal(self, &known.point.arguments, &point.arguments) {
                Ok(true) => return Ok(Some(number)),
                Ok(false) => {}
                // It may be about this point.
                Err(gap) => open = Some(gap),
            }
        }
        open.map_or(Ok(None), Err)
    }

    /// Whether two lists of values, each pair of one sort, are equal.
    pub fn all_same(&mut self, a: &[Value], b: &[Value]) -> Result<bool, Gap> {
        equal::all_equal(self, a, b)
    }

    /// Whether two values of one sort are equal.
    pub fn same(&mut self, a: &Value, b: &Value) -> Result<bool, Gap> {
        equal::equal(self, a, b)
    }

    /// An evaluation inside an evaluation, which is recursion.
    fn one_deeper(&mut self, run: impl FnOnce(&mut Self) -> Outcome) -> Outcome {
        if self.depth >= DEEPEST {
            return Err(Gap::TooMuchWork);
        }
        self.depth += 1;
        let outcome = run(self);
        self.depth -= 1;
        outcome
    }

    fn run_call(&mut self, fun: FunId, binders: BinderList, body: TermId, args: &[Value]) -> Outcome {
        let base = self.tasks.len();
        self.call(fun, binders, body, args.to_vec());
        self.finish(base)
    }
}
