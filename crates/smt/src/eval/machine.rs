//! Evaluation with a stack of tasks instead of recursion.

use rustc_hash::FxHashMap;

use super::call::World as _;
use super::characters::{apart, together};
use super::quantifier::Trying;
use super::{Call, Fuel, Gap, literal};
use crate::Pool;
use crate::heard::{Operator, Point};
use crate::model::Model;
use crate::sort::{Sort, SortId};
use crate::symbol::Symbol;
use crate::term::{BinderList, FunId, FunKind, Head, Index, TermId};
use crate::theory::{Arity, Control, Op, table};
use crate::value::{Function, Value};
use crate::walk::free_variables_within;

/// A value, or why there is none.
pub type Outcome = Result<Value, Gap>;

/// An evaluation under way.
pub(crate) struct Machine<'m> {
    pub(super) model: &'m Model,
    pub(super) fuel: Fuel,
    pub(super) tasks: Vec<Task>,
    outcomes: Vec<Outcome>,
    /// The values of bound variables, innermost last.
    variables: FxHashMap<Symbol, Vec<Outcome>>,
    /// Bound variables in the order they were bound.
    trail: Vec<Symbol>,
    /// The values of constants, once known.
    constants: FxHashMap<FunId, Outcome>,
    /// The values that completion gives, by sort: each may take some work to find.
    defaults: FxHashMap<SortId, Option<Value>>,
    pub(super) depth: u32,
    /// The sort of the first argument of the application at hand, where it is known.
    first_sort: Option<SortId>,
    /// The applications met so far whose value only a model can say, if they are collected.
    pub(super) points: Option<Vec<Point>>,
}

/// What is to be done next.
pub(super) enum Task {
    Term(TermId),
    /// All arguments are evaluated: apply the operator or function.
    Apply(TermId),
    /// One more argument of a connective is evaluated; which one, and whether one before was open.
    Control(TermId, Control, u32, Option<Gap>),
    /// The bound terms of a `let` are evaluated.
    Let(TermId),
    /// The term a `match` looks at is evaluated.
    Match(TermId),
    /// Leave a scope of so many variables.
    Unbind(u32),
    /// The value of a constant is known.
    Remember(FunId),
    /// A body was evaluated for one choice of a quantifier's variables.
    Try(Box<Trying>),
}

impl<'m> Machine<'m> {
    pub fn new(model: &'m Model, fuel: Fuel) -> Self {
        Machine {
            model,
            fuel,
            tasks: Vec::new(),
            outcomes: Vec::new(),
            variables: FxHashMap::default(),
            trail: Vec::new(),
            constants: FxHashMap::default(),
            defaults: FxHashMap::default(),
            depth: 0,
            first_sort: None,
            points: None,
        }
    }

    /// The same, and it collects the applications whose value only a model can say.
    pub fn collecting(model: &'m Model, fuel: Fuel) -> Self {
        Machine { points: Some(Vec::new()), ..Machine::new(model, fuel) }
    }

    /// The applications met so far whose value only a model can say, in the order of evaluation.
    pub fn into_points(self) -> (Vec<Point>, Fuel) {
        (self.points.unwrap_or_default(), self.fuel)
    }

    /// The work that may still be done.
    pub fn fuel_left(&mut self) -> &mut u64 {
        self.fuel.left()
    }

    pub fn into_fuel(self) -> Fuel {
        self.fuel
    }

    /// The value of a closed term.
    pub fn eval(&mut self, term: TermId) -> Outcome {
        self.run(Task::Term(term))
    }

    pub(super) fn run(&mut self, first: Task) -> Outcome {
        let base = self.tasks.len();
        self.tasks.push(first);
        while self.tasks.len() > base {
            let task = self.tasks.pop().expect("longer than the base");
            self.step(task);
        }
        self.pop()
    }

    pub(super) fn pop(&mut self) -> Outcome {
        self.outcomes.pop().expect("every term leaves an outcome")
    }

    pub(super) fn pool(&self) -> &'m Pool {
        self.model.pool()
    }

    pub(super) fn step(&mut self, task: Task) {
        match task {
            Task::Term(term) => {
                if let Err(gap) = self.fuel.pay(1) {
                    return self.outcomes.push(Err(gap));
                }
                self.term(term);
            }
            Task::Apply(term) => self.apply_term(term),
            Task::Control(term, control, k, open) => self.control(term, control, k as usize, open),
            Task::Let(term) => {
                let Head::Let(list) = self.pool().node(term).head else { return };
                let binders = self.pool().binders(list);
                let args = self.pool().args(term);
                let first = self.outcomes.len() - binders.len();
                let values: Vec<_> = self.outcomes.drain(first..).collect();
                for (binder, value) in binders.iter().zip(values) {
                    self.bind(binder.name, value);
                }
                self.tasks.push(Task::Unbind(binders.len() as u32));
                self.tasks.push(Task::Term(args[binders.len()]));
            }
            Task::Match(term) => self.match_case(term),
            Task::Unbind(n) => self.unbind(n),
            Task::Remember(fun) => {
                if let Some(outcome) = self.outcomes.last() {
                    self.constants.insert(fun, outcome.clone());
                }
            }
            Task::Try(trying) => self.tried(trying),
        }
    }

    pub(super) fn bind(&mut self, name: Symbol, value: Outcome) {
        self.variables.entry(name).or_default().push(value);
        self.trail.push(name);
    }

    pub(super) fn unbind(&mut self, n: u32) {
        for _ in 0..n {
            let name = self.trail.pop().expect("what is unbound was bound");
            let values = self.variables.get_mut(&name).expect("what is unbound was bound");
            values.pop();
        }
    }

    pub(super) fn model(&self) -> &'m Model {
        self.model
    }

    fn term(&mut self, term: TermId) {
        let pool = self.pool();
        let node = pool.node(term);
        let args = pool.args(term);
        match node.head {
            Head::Literal(kind) => {
                let paid = self.fuel.pay(pool.bytes(node.name).len() as u64 / 8);
                let value = paid.and_then(|()| literal::value(pool, kind, node.name, node.sort));
                self.outcomes.push(value);
            }
            Head::Variable(name) => {
                let value = self.variables.get(&name).and_then(|values| values.last());
                let outcome = match value {
                    Some(value) => copied(&mut self.fuel, value),
                    None => Err(Gap::NotInModel(shortened(pool.text(name)))),
                };
                self.outcomes.push(outcome);
            }
            Head::Op(op, _) => match table().op(op).control {
                Some(control) => match args.first() {
                    Some(&first) => {
                        self.tasks.push(Task::Control(term, control, 0, None));
                        self.tasks.push(Task::Term(first));
                    }
                    None => self.outcomes.push(Ok(Value::Bool(control != Control::Or))),
                },
                None => self.after_args(Task::Apply(term), args),
            },
            // A function without its arguments is a value itself.
            Head::Fun(fun) if args.is_empty() && !pool.fun(fun).args.is_empty() => {
                self.outcomes.push(value_of(Function::Named(fun)));
            }
            Head::Fun(fun) => match self.constants.get(&fun) {
                Some(outcome) if args.is_empty() => self.outcomes.push(copied(&mut self.fuel, outcome)),
                _ => self.after_args(Task::Apply(term), args),
            },
            Head::Apply | Head::Coerce => self.after_args(Task::Apply(term), args),
            Head::Let(list) => {
                let count = pool.binders(list).len();
                self.after_args(Task::Let(term), &args[..count]);
            }
            Head::Forall(list) => self.try_all(args[0], list, true),
            Head::Exists(list) => self.try_all(args[0], list, false),
            Head::Lambda(list) => {
                let closure = self.close(list, args[0]);
                self.outcomes.push(closure);
            }
            Head::Match(_) => {
                self.tasks.push(Task::Match(term));
                self.tasks.push(Task::Term(args[0]));
            }
            Head::Annotated(_) => self.tasks.push(Task::Term(args[0])),
            Head::Opaque => self.outcomes.push(Err(Gap::Opaque(shortened(pool.text(node.name))))),
        }
    }

    /// Evaluates `args` in order, then does `task`.
    fn after_args(&mut self, task: Task, args: &[TermId]) {
        self.tasks.push(task);
        self.tasks.extend(args.iter().rev().map(|&arg| Task::Term(arg)));
    }

    fn apply_term(&mut self, term: TermId) {
        let node = self.pool().node(term);
        let first = self.outcomes.len() - node.len as usize;
        // Strict: the first open argument makes the whole open.
        let values: Result<Vec<Value>, Gap> = self.outcomes.drain(first..).collect();
        let values = match values {
            Ok(values) => values,
            Err(gap) => return self.outcomes.push(Err(gap)),
        };
        match node.head {
            Head::Op(op, indices) => {
                let indices = self.pool().indices(indices);
                let outcome = self.operation(table().op(op), indices, node.sort, &values);
                self.outcomes.push(outcome);
            }
            Head::Fun(fun) => {
                let pool = self.pool();
                self.first_sort = pool.args(term).first().map(|&arg| pool.sort_of(arg));
                self.function(fun, node.sort, values);
            }
            Head::Coerce => self.outcomes.push(match values.into_iter().next() {
                Some(Value::Int(n)) => Ok(Value::Real(n.into())),
                _ => Err(Gap::NoMeaning("an Int as a Real")),
            }),
            _ => {
                let (function, args) = values.split_first().expect("an application has a function");
                let outcome = self.apply(function, args);
                self.outcomes.push(outcome);
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
        while self.tasks.len() > base {
            let task = self.tasks.pop().expect("longer than the base");
            self.step(task);
        }
        self.pop()
    }

    /// The value of a term whose free variables are these.
    pub fn eval_around(&mut self, term: TermId, around: &[(Symbol, Value)]) -> Outcome {
        for (name, value) in around {
            self.bind(*name, Ok(value.clone()));
        }
        let outcome = self.run(Task::Term(term));
        self.unbind(around.len() as u32);
        outcome
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
        let name = || shortened(self.model.pool().text(decl.name));
        let outcome = match decl.kind {
            FunKind::Defined(..) | FunKind::Recursive(_) | FunKind::Named(_) => match self.pool().body(fun) {
                Some((binders, body)) => return self.call(fun, binders, body, values),
                None => Err(Gap::NoMeaning("a function without a body")),
            },
            FunKind::Declared => match self.model.interpretation(fun) {
                Some((binders, body)) => return self.call(fun, binders, body, values),
                None => match self.model.element(fun) {
                    Some(element) if values.is_empty() => Ok(element),
                    // A table of all values of the function.
                    Some(table) => match index_of(values) {
                        Ok(index) => self.apply(&table, &[index]),
                        Err(gap) => Err(gap),
                    },
                    None => {
                        let operator = Operator::Function(fun);
                        let point = Point { operator, arguments: values, sort: decl.result };
                        self.unsaid(point, sort, || Gap::NotInModel(name()))
                    }
                },
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
                // Another constructor built it: the standard leaves the value to the model.
                _ => {
                    let gap = || Gap::LeftToModel("a selector on another constructor");
                    // Selectors of a parametric sort are one function for all its instances.
                    let instance = self.first_sort.or_else(|| {
                        if decl.type_params.is_empty() { decl.args.first().copied() } else { None }
                    });
                    match instance {
                        Some(instance) => {
                            let operator = Operator::Function(fun);
                            self.unsaid(Point { operator, arguments: values, sort: instance }, sort, gap)
                        }
                        None => self.default(sort).ok_or_else(gap),
                    }
                }
            },
            FunKind::Tester(constructor) => match values.first() {
                Some(Value::Data(data)) => {
                    Ok(Value::Bool(self.number(data.constructor) == Some(constructor)))
                }
                _ => Err(Gap::NoMeaning("a tester on something else than data")),
            },
            FunKind::Subterm => Err(Gap::NoMeaning("the order of subterms")),
        };
        self.outcomes.push(outcome);
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
                while let Some(task) = self.tasks.pop() {
                    self.step(task);
                }
                self.pop()
            }
        }
    }

    pub(super) fn default(&mut self, sort: SortId) -> Option<Value> {
        let model = self.model;
        self.defaults.entry(sort).or_insert_with(|| model.default(sort)).clone()
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
            return self.outcomes.push(Err(Gap::NoMeaning("a function of other arguments")));
        }
        // A call costs as much as it keeps alive, so that endless recursion ends.
        if let Err(gap) = self.fuel.pay(8 + 4 * values.len() as u64) {
            return self.outcomes.push(Err(gap));
        }
        for (binder, value) in binders.iter().zip(values) {
            self.bind(binder.name, Ok(value));
        }
        self.tasks.push(Task::Unbind(binders.len() as u32));
        self.tasks.push(Task::Term(body));
    }

    /// A `lambda` with the values of the variables around it.
    fn close(&mut self, binders: BinderList, body: TermId) -> Outcome {
        let mut around: Vec<(Symbol, Value)> = Vec::new();
        let (pool, less) = (self.pool(), self.pool().binders(binders));
        let free = free_variables_within(pool, body, less, self.fuel.left()).ok_or(Gap::TooMuchWork)?;
        for name in free {
            match self.variables.get(&name).and_then(|values| values.last()) {
                Some(value) => around.push((name, copied(&mut self.fuel, value)?)),
                None => return Err(Gap::NotInModel(shortened(self.pool().text(name)))),
            }
        }
        value_of(Function::Lambda(binders, body, around))
    }

    fn match_case(&mut self, term: TermId) {
        let pool = self.pool();
        let Head::Match(cases) = pool.node(term).head else { return };
        let data = match self.pop() {
            Ok(Value::Data(data)) => data,
            Ok(_) => return self.outcomes.push(Err(Gap::NoMeaning("a match on something else than data"))),
            Err(gap) => return self.outcomes.push(Err(gap)),
        };
        for (k, case) in pool.cases(cases).iter().enumerate() {
            let binders = pool.binders(case.binders);
            let fields = match case.constructor {
                None => vec![Value::Data(data.clone())],
                Some(constructor) if constructor == data.constructor => data.fields.clone(),
                Some(_) => continue,
            };
            for (binder, field) in binders.iter().zip(fields) {
                self.bind(binder.name, Ok(field));
            }
            self.tasks.push(Task::Unbind(binders.len() as u32));
            self.tasks.push(Task::Term(pool.args(term)[k + 1]));
            return;
        }
        self.outcomes.push(Err(Gap::NoMeaning("a match without a case for the value")));
    }

    /// Whether a connective holds, or which branch of `ite` is taken.
    #[cfg(not(test))]
    #[expect(clippy::unused_self, reason = "the test of mutations looks at the term")]
    fn controlled(&self, _: TermId, holds: bool) -> bool {
        holds
    }

    /// Whether a connective holds, or which branch of `ite` is taken, changed if the test of mutations asks for it.
    #[cfg(test)]
    fn controlled(&self, term: TermId, holds: bool) -> bool {
        let Head::Op(op, _) = self.pool().node(term).head else { return holds };
        super::mutation::controlled(table().op(op), holds)
    }

    /// Connectives look at one argument after the other, and see through open ones where they can.
    fn control(&mut self, term: TermId, control: Control, k: usize, open: Option<Gap>) {
        let args = self.pool().args(term);
        let last = k + 1 == args.len();
        let outcome = self.pop();
        if control == Control::Ite {
            return match outcome {
                Ok(Value::Bool(condition)) => {
                    let condition = self.controlled(term, condition);
                    self.tasks.push(Task::Term(args[if condition { 1 } else { 2 }]));
                }
                Ok(_) => self.outcomes.push(Err(Gap::NoMeaning("a condition that is not Bool"))),
                Err(gap) => self.outcomes.push(Err(gap)),
            };
        }
        // The value of one argument that decides the whole, and the whole then.
        let (deciding, decided) = match control {
            Control::And => (false, false),
            Control::Or => (true, true),
            _ if last => (true, true),
            _ => (false, true),
        };
        let open = match outcome {
            Ok(Value::Bool(b)) if b == deciding => {
                let decided = self.controlled(term, decided);
                return self.outcomes.push(Ok(Value::Bool(decided)));
            }
            Ok(Value::Bool(_)) => open,
            Ok(_) => Some(Gap::NoMeaning("a connective of something else than Bool")),
            Err(gap) => Some(open.unwrap_or(gap)),
        };
        if last {
            self.outcomes.push(match open {
                Some(gap) => Err(gap),
                None => Ok(Value::Bool(self.controlled(term, !decided))),
            });
        } else {
            self.tasks.push(Task::Control(term, control, k as u32 + 1, open));
            self.tasks.push(Task::Term(args[k + 1]));
        }
    }

    /// Tries the next choice of a quantifier's variables.
    pub(super) fn attempt(&mut self, trying: Box<Trying>) {
        let body = trying.body;
        self.tasks.push(Task::Try(trying));
        self.tasks.push(Task::Term(body));
    }

    pub(super) fn take(&mut self) -> Outcome {
        self.pop()
    }

    pub(super) fn give(&mut self, outcome: Outcome) {
        self.outcomes.push(outcome);
    }

    pub(super) fn fuel_mut(&mut self) -> &mut Fuel {
        &mut self.fuel
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

pub(super) fn value_of(function: Function) -> Outcome {
    Value::function(function)
}

/// A value once more: numbers are copied, so that large ones cost.
fn copied(fuel: &mut Fuel, outcome: &Outcome) -> Outcome {
    if let Ok(value @ (Value::Int(_) | Value::Real(_) | Value::BitVec(_) | Value::Field(..))) = outcome {
        fuel.pay(value.size() / 64)?;
    }
    outcome.clone()
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(60) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
