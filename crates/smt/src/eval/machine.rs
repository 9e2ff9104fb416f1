//! Evaluation with a stack of tasks instead of recursion.

use rustc_hash::FxHashMap;

use super::literal;
use super::task::{Purpose, Task};
use crate::gap::{Fuel, Gap};
use crate::model::Model;
use crate::pool::Pool;
use crate::sort::SortId;
use crate::symbol::Symbol;
use crate::term::{FunId, Head, TermId};
use crate::theory::{Control, Point, table};
use crate::value::{Function, Value};

/// The result of an evaluation: a value, or the reason why there is none.
pub type Outcome = Result<Value, Gap>;

/// An evaluation in progress.
pub(crate) struct Machine<'m> {
    pub(super) model: &'m Model,
    pub(super) fuel: Fuel,
    pub(super) tasks: Vec<Task>,
    pub(super) outcomes: Vec<Outcome>,
    /// Room for the arguments of an operator, so that not every application allocates; empty between applications.
    pub(super) arguments: Vec<Value>,
    /// The values of bound variables, innermost last.
    pub(super) variables: FxHashMap<Symbol, Vec<Outcome>>,
    /// Bound variables in the order they were bound.
    trail: Vec<Symbol>,
    /// The values of constants, once known.
    pub(super) constants: FxHashMap<FunId, Outcome>,
    /// The values that completion gives, by sort: each may take some work to find.
    defaults: FxHashMap<SortId, Option<Value>>,
    pub(super) depth: u32,
    /// The sort of the first argument of the application at hand, where it is known.
    pub(super) first_sort: Option<SortId>,
    /// The applications met so far whose value only a model can say, if they are collected.
    pub(super) points: Option<Vec<Point>>,
}

impl<'m> Machine<'m> {
    pub fn new(model: &'m Model, fuel: Fuel) -> Self {
        Machine {
            model,
            fuel,
            tasks: Vec::new(),
            outcomes: Vec::new(),
            arguments: Vec::new(),
            variables: FxHashMap::default(),
            trail: Vec::new(),
            constants: FxHashMap::default(),
            defaults: FxHashMap::default(),
            depth: 0,
            first_sort: None,
            points: None,
        }
    }

    /// A machine that also collects the applications whose value only a model can give.
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
        self.finish(base)
    }

    /// Does all tasks above the lowest `base` ones; the outcome of the last.
    pub(super) fn finish(&mut self, base: usize) -> Outcome {
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
            Task::Collected(trying) => self.collected(trying),
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

    /// The value that a variable has here.
    fn variable(&mut self, name: Symbol) -> Outcome {
        match self.variables.get(&name).and_then(|values| values.last()) {
            Some(value) => copied(&mut self.fuel, value),
            None => Err(Gap::NotInModel(shortened(self.model.pool().text(name)))),
        }
    }

    /// Begins the evaluation of a term.
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
                let value = self.variable(name);
                self.outcomes.push(value);
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
                self.outcomes.push(Value::function(Function::Named(fun)));
            }
            Head::Fun(fun) if args.is_empty() => match self.constants.get(&fun) {
                Some(outcome) => self.outcomes.push(copied(&mut self.fuel, outcome)),
                None => {
                    self.first_sort = None;
                    self.function(fun, node.sort, Vec::new());
                }
            },
            Head::Fun(_) | Head::Apply | Head::Coerce => self.after_args(Task::Apply(term), args),
            Head::Let(list) => {
                let count = pool.binders(list).len();
                self.after_args(Task::Let(term), &args[..count]);
            }
            Head::Forall(list) => self.try_all(args[0], list, Purpose::Decide { forall: true }),
            Head::Exists(list) => self.try_all(args[0], list, Purpose::Decide { forall: false }),
            Head::Choice(list) => {
                self.try_all(args[0], list, Purpose::Choose { found: None, several: false });
            }
            Head::Comprehension(list) => {
                self.try_all(args[0], list, Purpose::Collect { member: args[1], found: Vec::new() });
            }
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

    /// The value of a term whose free variables are these.
    pub fn eval_around(&mut self, term: TermId, around: &[(Symbol, Value)]) -> Outcome {
        for (name, value) in around {
            self.bind(*name, Ok(value.clone()));
        }
        let outcome = self.run(Task::Term(term));
        self.unbind(around.len() as u32);
        outcome
    }

    pub(super) fn default(&mut self, sort: SortId) -> Option<Value> {
        let model = self.model;
        self.defaults.entry(sort).or_insert_with(|| model.default(sort)).clone()
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

    pub(super) fn give(&mut self, outcome: Outcome) {
        self.outcomes.push(outcome);
    }
}

/// A value once more: numbers are copied, so that large ones cost.
pub(super) fn copied(fuel: &mut Fuel, outcome: &Outcome) -> Outcome {
    if let Ok(value @ (Value::Int(_) | Value::Real(_) | Value::BitVec(_) | Value::Field(..))) = outcome {
        fuel.pay(value.size() / 64)?;
    }
    outcome.clone()
}

/// The first characters of a name.
pub(super) fn shortened(text: &str) -> String {
    match text.char_indices().nth(60) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
