//! Models: interpretations of the functions of a script.

use std::collections::BTreeSet;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::Pool;
use crate::script::Script;
use crate::sort::SortId;
use crate::term::{BinderList, FunId, TermId};
use crate::theory::{Operator, Point};
use crate::value::literal::Escapes;
use crate::value::{Value, standard};

/// Whether solvers print values that the standard leaves open under this name.
pub(crate) fn is_left_open(name: &str) -> bool {
    matches!(name, "div0" | "mod0" | "rem0" | "/0" | "seq.nth_u" | "array-ext")
        || name.ends_with("_unspecified")
}

/// One answer of a solver about a term that its model leaves open.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HeardValue {
    /// The term that the solver was asked for.
    pub term: String,
    /// Its answer as text.
    pub text: String,
    /// The operator of the term and the values of its arguments.
    pub point: Point,
    /// The value that the solver gave.
    pub value: Value,
}

/// How a solver spells values in the models it prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ModelDialect {
    /// The escapes in its string literals.
    pub escapes: Escapes,
    /// Whether it rounds decimals, so that a decimal with a fraction gives no value.
    pub rounded: bool,
}

impl ModelDialect {
    /// The spelling of the standard.
    pub const STANDARD: ModelDialect = ModelDialect { escapes: Escapes::Standard, rounded: false };
}

/// An interpretation of a script's functions. Its pool extends the script's, so that it can be asked about the
/// script's terms.
#[derive(Clone, Debug)]
pub struct Model {
    pool: Pool,
    interpretations: FxHashMap<FunId, (BinderList, TermId)>,
    /// Constants that are elements of uninterpreted sorts.
    elements: FxHashMap<FunId, Value>,
    /// Functions such as `div0`, which give values that the standard leaves open.
    partial: FxHashMap<String, Vec<FunId>>,
    /// How many functions the script has; those after them are the model's own.
    own: u32,
    /// Functions of which the text does not tell which one it means.
    ambiguous: FxHashSet<FunId>,
    /// Elements of uninterpreted sorts, and whether the solver says they are all.
    universes: FxHashMap<SortId, (Vec<Value>, bool)>,
    /// The same elements, to ask whether one is known.
    known_elements: BTreeSet<(SortId, Value)>,
    /// The answers of the solver beyond its model, in order.
    heard: Vec<HeardValue>,
    /// The parts of the text that could not be used.
    pub problems: Vec<String>,
    complete: bool,
}

impl Model {
    /// A model of the script that says nothing.
    pub fn empty(script: &Script) -> Self {
        Model::over(script.pool.clone())
    }

    /// A model of a script with this pool. The reader holds the model's pool and gives it back with [`Model::set_pool`]:
    /// a second copy would double the cost of reading a small model.
    pub(crate) fn before_reading(script: &Pool) -> Self {
        Model { own: script.fun_count(), ..Model::over(Pool::empty()) }
    }

    pub(crate) fn over(pool: Pool) -> Self {
        Model {
            own: pool.fun_count(),
            ambiguous: FxHashSet::default(),
            pool,
            interpretations: FxHashMap::default(),
            elements: FxHashMap::default(),
            partial: FxHashMap::default(),
            universes: FxHashMap::default(),
            known_elements: BTreeSet::new(),
            heard: Vec::new(),
            problems: Vec::new(),
            complete: false,
        }
    }

    /// The same model, in which everything it does not say has some fixed value of its sort. Completing can only
    /// acquit: it finds *some* interpretation that the model allows.
    #[must_use]
    pub fn completed(&self) -> Self {
        Model { complete: true, ..self.clone() }
    }

    /// The same model, in which everything it does not say is open.
    pub(crate) fn incomplete(&self) -> Self {
        Model { complete: false, ..self.clone() }
    }

    /// The pool of the model, which holds all terms of the script.
    pub fn pool(&self) -> &Pool {
        &self.pool
    }

    /// Whether the model says anything about a function.
    pub fn says(&self, fun: FunId) -> bool {
        self.interpretations.contains_key(&fun) || self.elements.contains_key(&fun)
    }

    /// Interprets a declared function by its variables and a body of its result sort. Both are of the pool that the
    /// model was made from.
    pub fn interpret(&mut self, fun: FunId, binders: BinderList, body: TermId) {
        self.interpretations.insert(fun, (binders, body));
    }

    /// Interprets a declared function by a value: of its sort, or a table of all its values, over tuples if it has
    /// several arguments.
    pub(crate) fn set_value(&mut self, fun: FunId, value: Value) {
        self.elements.insert(fun, value);
    }

    pub(crate) fn unset_value(&mut self, fun: FunId) {
        self.elements.remove(&fun);
    }

    pub(crate) fn pool_mut(&mut self) -> &mut Pool {
        &mut self.pool
    }

    pub(crate) fn interpretation(&self, fun: FunId) -> Option<(BinderList, TermId)> {
        self.interpretations.get(&fun).copied()
    }

    pub(crate) fn element(&self, fun: FunId) -> Option<Value> {
        self.elements.get(&fun).cloned()
    }

    /// The function of the model under which it gives values that the standard leaves open; none if there are several,
    /// or if the script has a function of this name.
    pub(crate) fn partial(&self, name: &str) -> Option<FunId> {
        match self.partial.get(name)?[..] {
            [fun] if !self.ambiguous.contains(&fun) => Some(fun),
            _ => None,
        }
    }

    /// Whether the model uses one name for several things, so that it is unknown which one is meant.
    pub(crate) fn clashes(&self, name: &str) -> bool {
        self.partial.contains_key(name) && self.partial(name).is_none()
    }

    /// Whether everything it does not say has some fixed value.
    pub(crate) fn is_complete(&self) -> bool {
        self.complete
    }

    /// The answers of the solver beyond its model, in the order in which they were given.
    pub fn heard(&self) -> &[HeardValue] {
        &self.heard
    }

    /// The answers about an operator, or about one instance of it.
    pub(crate) fn heard_of<'m>(
        &'m self,
        operator: &'m Operator,
        sort: SortId,
    ) -> impl Iterator<Item = (usize, &'m HeardValue)> {
        let known = self.heard.iter().enumerate();
        known.filter(move |(_, heard)| heard.point.sort == sort && heard.point.operator == *operator)
    }

    pub(crate) fn add_heard(&mut self, heard: HeardValue) {
        self.heard.push(heard);
    }

    pub(crate) fn forget_last_heard(&mut self) -> Option<HeardValue> {
        self.heard.pop()
    }

    pub(crate) fn universe(&self, sort: SortId) -> Option<(&[Value], bool)> {
        self.universes.get(&sort).map(|(values, whole)| (&values[..], *whole))
    }

    /// Some value of a sort.
    pub(crate) fn some_value(&self, sort: SortId) -> Option<Value> {
        match self.universe(sort) {
            Some(([first, ..], _)) => Some(first.clone()),
            _ => standard(&self.pool, sort),
        }
    }

    /// The value that completion gives to everything of this sort about which nothing is said.
    pub(crate) fn default(&self, sort: SortId) -> Option<Value> {
        if self.complete { self.some_value(sort) } else { None }
    }

    // ---- for the reader

    /// The functions that the model adds to those of the script.
    pub(crate) fn own_functions(&self) -> impl Iterator<Item = FunId> + use<> {
        (self.own..self.pool.fun_count()).map(FunId)
    }

    pub(crate) fn set_pool(&mut self, pool: Pool) {
        self.pool = pool;
    }

    pub(crate) fn add_element(&mut self, fun: FunId, sort: SortId, value: Value) {
        self.elements.insert(fun, value.clone());
        self.add_to_universe(sort, value);
    }

    pub(crate) fn add_to_universe(&mut self, sort: SortId, value: Value) {
        if self.known_elements.insert((sort, value.clone())) {
            self.universes.entry(sort).or_default().0.push(value);
        }
    }

    pub(crate) fn set_whole(&mut self, sort: SortId, size: usize) {
        let (values, whole) = self.universes.entry(sort).or_default();
        *whole = values.len() == size && size > 0;
    }

    pub(crate) fn add_partial(&mut self, name: &str, fun: FunId) {
        let funs = self.partial.entry(name.to_owned()).or_default();
        if !funs.contains(&fun) {
            funs.push(fun);
        }
    }

    /// Whether a function is one of the script's.
    pub(crate) fn is_of_script(&self, fun: FunId) -> bool {
        fun.0 < self.own
    }

    /// Marks a function as ambiguous: the text uses `name` for several things, so the model says nothing about it.
    pub(crate) fn set_ambiguous(&mut self, fun: FunId, name: &str) {
        if self.ambiguous.insert(fun) {
            self.problems.push(format!("{name} names several things in this model"));
        }
    }

    pub(crate) fn is_ambiguous(&self, fun: FunId) -> bool {
        self.ambiguous.contains(&fun)
    }
}
