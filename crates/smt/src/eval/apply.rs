//! Applications: operators of the table and functions of the script, applied to values.

use super::characters::{apart, together};
use super::machine::{Machine, Outcome, shortened};
use super::task::Task;
use crate::gap::Gap;
use crate::sort::{Sort, SortId};
use crate::term::{BinderList, FunId, FunKind, Head, Index, TermId};
use crate::theory::{Arity, Call, Op, Operator, Point, World as _, table};
use crate::value::{Functions as _, Value};

impl Machine<'_> {
    /// All arguments of this term are evaluated: applies its operator or function.
    pub(super) fn apply_term(&mut self, term: TermId) {
        let node = self.pool().node(term);
        let first = self.outcomes.len() - node.len as usize;
        // Strict: the first open argument makes the whole open.
        if let Some(open) = self.outcomes[first..].iter().position(Result::is_err) {
            let gap = self.outcomes.swap_remove(first + open);
            self.outcomes.truncate(first);
            return self.give(gap);
        }
        let mut values = match node.head {
            Head::Op(..) => std::mem::take(&mut self.arguments),
            _ => Vec::with_capacity(node.len as usize),
        };
        values.extend(self.outcomes.drain(first..).map(|outcome| outcome.expect("none is open")));
        match node.head {
            Head::Op(op, indices) => {
                let indices = self.pool().indices(indices);
                let outcome = self.operation(table().op(op), indices, node.sort, &values);
                values.clear();
                self.arguments = values;
                self.give(outcome);
            }
            Head::Fun(fun) => {
                let pool = self.pool();
                self.first_sort = pool.args(term).first().map(|&arg| pool.sort_of(arg));
                self.function(fun, node.sort, values);
            }
            Head::Coerce => self.give(match values.into_iter().next() {
                Some(Value::Int(n)) => Ok(Value::Real(n.into())),
                _ => Err(Gap::NoMeaning("an Int as a Real")),
            }),
            _ => {
                let (function, args) = values.split_first().expect("an application has a function");
                let outcome = self.apply(function, args);
                self.give(outcome);
            }
        }
    }

    /// An operator applied to values.
    pub fn operation(
        &mut self,
        op: &'static Op,
        indices: &[Index],
        sort: SortId,
        values: &[Value],
    ) -> Outcome {
        let value = match apart(op, values, &mut self.fuel)? {
            None => self.operator(op, indices, sort, values)?,
            Some(values) => self.operator(op, indices, sort, &values)?,
        };
        together(op, sort, value)
    }

    /// A function of the script applied to values.
    pub fn called(&mut self, fun: FunId, sort: SortId, values: Vec<Value>) -> Outcome {
        let base = self.tasks.len();
        self.first_sort = None;
        self.function(fun, sort, values);
        self.finish(base)
    }

    /// The value of a declared function whose table is the first of these values, at the others.
    pub fn looked_up(&mut self, mut values: Vec<Value>) -> Outcome {
        if values.len() < 2 {
            return Err(Gap::NoMeaning("a function of other arguments"));
        }
        let table = values.remove(0);
        self.apply(&table, &[index_of(values)?])
    }

    fn operator(&mut self, op: &'static Op, indices: &[Index], sort: SortId, values: &[Value]) -> Outcome {
        let mut call = |args: &[Value]| {
            self.fuel.pay(1)?;
            Call { args, indices, sort, op, world: self }.evaluated()
        };
        if values.len() == op.args.len() {
            return call(values);
        }
        match op.arity {
            Arity::Fixed | Arity::Variadic => call(values),
            Arity::LeftAssoc => {
                let (first, rest) = values.split_first().ok_or(Gap::NoMeaning(op.name))?;
                rest.iter().try_fold(first.clone(), |left, right| call(&[left, right.clone()]))
            }
            Arity::RightAssoc => {
                let (last, rest) = values.split_last().ok_or(Gap::NoMeaning(op.name))?;
                rest.iter().rev().try_fold(last.clone(), |right, left| call(&[left.clone(), right]))
            }
            Arity::Chainable => all(values.windows(2), &mut call),
            Arity::Pairwise => {
                let pairs = values
                    .iter()
                    .enumerate()
                    .flat_map(|(i, a)| values[i + 1..].iter().map(move |b| [a.clone(), b.clone()]));
                all(pairs, &mut call)
            }
        }
    }

    /// Applies a function of the script.
    pub(super) fn function(&mut self, fun: FunId, sort: SortId, values: Vec<Value>) {
        let decl = self.pool().fun(fun);
        let outcome = match decl.kind {
            FunKind::Defined(..) | FunKind::Recursive(_) | FunKind::Named(_) => match self.pool().body(fun) {
                Some((binders, body)) => return self.call(fun, binders, body, values),
                None => Err(Gap::NoMeaning("a function without a body")),
            },
            FunKind::Declared => match self.model.interpretation(fun) {
                Some((binders, body)) => return self.call(fun, binders, body, values),
                None => self.declared(fun, sort, values),
            },
            FunKind::Constructor(_) => {
                if self.is_co(decl.result) {
                    Err(Gap::NoMeaning("a codatatype"))
                } else {
                    Value::data(fun, values)
                }
            }
            FunKind::Selector(constructor, k) => match values.first() {
                Some(Value::Data(data)) if self.number(data.constructor) == Some(constructor) => {
                    data.fields.get(k as usize).cloned().ok_or(Gap::NoMeaning("a field that is not there"))
                }
                _ => self.selected_elsewhere(fun, sort, values),
            },
            FunKind::Tester(constructor) => match values.first() {
                Some(Value::Data(data)) => {
                    Ok(Value::Bool(self.number(data.constructor) == Some(constructor)))
                }
                _ => Err(Gap::NoMeaning("a tester on something else than data")),
            },
            FunKind::Subterm => Err(Gap::NoMeaning("the order of subterms")),
        };
        self.give(outcome);
    }

    /// A declared function that the model does not define: the model may give it as an element or as a table.
    fn declared(&mut self, fun: FunId, sort: SortId, values: Vec<Value>) -> Outcome {
        match self.model.element(fun) {
            Some(element) if values.is_empty() => Ok(element),
            Some(table) => self.apply(&table, &[index_of(values)?]),
            None => {
                let pool = self.pool();
                let decl = pool.fun(fun);
                // The usual case: nobody was asked for values, and nothing is collected.
                if self.points.is_none() && self.model.heard().is_empty() {
                    let default = self.default(sort);
                    let outcome = default.ok_or_else(|| Gap::NotInModel(shortened(pool.text(decl.name))));
                    if values.is_empty() {
                        self.constants.insert(fun, outcome.clone());
                    }
                    return outcome;
                }
                let point = Point { operator: Operator::Function(fun), arguments: values, sort: decl.result };
                self.unsaid(point, sort, || Gap::NotInModel(shortened(pool.text(decl.name))))
            }
        }
    }

    /// A selector applied to data that another constructor built. The standard leaves its value to the model.
    fn selected_elsewhere(&mut self, fun: FunId, sort: SortId, values: Vec<Value>) -> Outcome {
        let decl = self.pool().fun(fun);
        let gap = || Gap::LeftToModel("a selector on another constructor");
        // Selectors of a parametric sort are one function for all its instances.
        let instance = self
            .first_sort
            .or_else(|| if decl.type_params.is_empty() { decl.args.first().copied() } else { None });
        match instance {
            Some(instance) => {
                let operator = Operator::Function(fun);
                self.unsaid(Point { operator, arguments: values, sort: instance }, sort, gap)
            }
            None => self.default(sort).ok_or_else(gap),
        }
    }

    /// The value at a point of which the model says nothing: what the solver answered, else what completion gives.
    fn unsaid(&mut self, point: Point, result: SortId, gap: impl FnOnce() -> Gap) -> Outcome {
        match self.heard(point)? {
            Some(value) => Ok(value),
            None => self.default(result).ok_or_else(gap),
        }
    }

    /// The value at a point, as evaluation finds it there.
    pub fn at_point(&mut self, point: &Point, sort: SortId) -> Outcome {
        match &point.operator {
            Operator::Row(op, indices) => self.operator(op, indices, sort, &point.arguments),
            Operator::Function(fun) => {
                self.first_sort = Some(point.sort);
                self.function(*fun, sort, point.arguments.clone());
                self.finish(0)
            }
        }
    }

    fn number(&self, constructor: FunId) -> Option<u32> {
        match self.pool().fun(constructor).kind {
            FunKind::Constructor(k) => Some(k),
            _ => None,
        }
    }

    fn is_co(&self, sort: SortId) -> bool {
        match self.pool().sort(sort) {
            Sort::Declared(decl, _) => self.pool().sort_decl(decl).datatype.as_ref().is_some_and(|d| d.co),
            _ => false,
        }
    }

    /// Binds the arguments of a definition and goes on with its body.
    pub(super) fn call(&mut self, fun: FunId, binders: BinderList, body: TermId, values: Vec<Value>) {
        let binders = self.pool().binders(binders);
        if binders.is_empty() && values.is_empty() {
            self.tasks.push(Task::Remember(fun));
        }
        if binders.len() != values.len() {
            return self.give(Err(Gap::NoMeaning("a function of other arguments")));
        }
        // A call costs as much as it keeps alive, so that endless recursion ends.
        if let Err(gap) = self.fuel.pay(8 + 4 * values.len() as u64) {
            return self.give(Err(gap));
        }
        for (binder, value) in binders.iter().zip(values) {
            self.bind(binder.name, Ok(value));
        }
        self.tasks.push(Task::Unbind(binders.len() as u32));
        self.tasks.push(Task::Term(body));
    }
}

/// Whether a relation holds between all pairs: false if one is false, open if none is false and one is open.
fn all(
    pairs: impl Iterator<Item = impl AsRef<[Value]>>,
    call: &mut impl FnMut(&[Value]) -> Outcome,
) -> Outcome {
    let mut open = None;
    for pair in pairs {
        match call(pair.as_ref()) {
            Ok(Value::Bool(false)) => return Ok(Value::Bool(false)),
            Ok(_) => {}
            // There is no fuel for the others either.
            Err(Gap::TooMuchWork) => return Err(Gap::TooMuchWork),
            Err(gap) => open = Some(gap),
        }
    }
    open.map_or(Ok(Value::Bool(true)), Err)
}

/// Several arguments as one index.
fn index_of(mut values: Vec<Value>) -> Outcome {
    match values.len() {
        1 => Ok(values.remove(0)),
        _ => Value::tuple(values),
    }
}
