//! Models: what a solver says each function of a script is.

use std::collections::BTreeSet;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::Pool;
use crate::eval::{Fuel, eval};
use crate::heard::{HeardValue, Operator};
use crate::read::{self, ReadError};
use crate::script::Script;
use crate::sort::{Sort, SortId};
use crate::term::{Binder, BinderList, FunId, FunKind, Head, TermId};
use crate::theory::table;
use crate::value::literal::Escapes;
use crate::value::{Value, standard, write as write_value};
use crate::write::{sort_text, write_term};

/// Names under which solvers print what the standard leaves open.
pub(crate) fn is_left_open(name: &str) -> bool {
    matches!(name, "div0" | "mod0" | "rem0" | "/0" | "seq.nth_u" | "array-ext")
        || name.ends_with("_unspecified")
}

/// Interpretations of more nodes than this are not written out.
const MOST_WRITTEN: usize = 100_000;

/// How a solver spells values in the models it prints, where that is not as the standard has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ModelDialect {
    /// Which escapes its strings hold.
    pub escapes: Escapes,
    /// Whether a decimal with a fraction is a rounded one, which says no value at all.
    pub rounded: bool,
}

impl ModelDialect {
    /// The standard's manner.
    pub const STANDARD: ModelDialect = ModelDialect { escapes: Escapes::Standard, rounded: false };
}

/// An interpretation of a script's functions. Its pool stands on the script's, so that it can be asked about the
/// script's terms.
#[derive(Clone, Debug)]
pub struct Model {
    pool: Pool,
    interpretations: FxHashMap<FunId, (BinderList, TermId)>,
    /// Constants that are elements of uninterpreted sorts.
    elements: FxHashMap<FunId, Value>,
    /// Functions under which solvers give what the standard leaves open: `div0`.
    partial: FxHashMap<String, Vec<FunId>>,
    /// How many functions the script has; those after them are the model's own.
    own: u32,
    /// Functions of which the text does not tell which one it means.
    ambiguous: FxHashSet<FunId>,
    /// Elements of uninterpreted sorts, and whether the solver says they are all.
    universes: FxHashMap<SortId, (Vec<Value>, bool)>,
    /// The same elements, to ask whether one is known.
    known_elements: BTreeSet<(SortId, Value)>,
    /// What the solver answered beyond its model, in order.
    heard: Vec<HeardValue>,
    /// What of the text could not be used.
    pub problems: Vec<String>,
    complete: bool,
}

impl Model {
    /// A model of the script that says nothing.
    pub fn empty(script: &Script) -> Self {
        Model::over(script.pool.clone())
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

    /// Reads what a solver printed for `get-model` after the script's command `command` (or at its end): lists of
    /// `define-fun` with or without `model`, `(= x 1)`, in z3's, cvc5's, cvc4's, bitwuzla's, yices' and boolector's
    /// manner. What cannot be used is left out and named in [`Model::problems`].
    pub fn read(script: &Script, command: Option<usize>, text: &[u8]) -> Result<Self, ReadError> {
        Model::read_in(script, command, text, ModelDialect::STANDARD)
    }

    /// Reads a model that is printed in another manner than the standard's. A value that its text does not tell for
    /// certain is left out, and named in [`Model::problems`].
    pub fn read_in(
        script: &Script,
        command: Option<usize>,
        text: &[u8],
        manner: ModelDialect,
    ) -> Result<Self, ReadError> {
        read::model(script, command.unwrap_or(script.commands.len()), text, manner)
    }

    /// The same model, in which everything it does not say has some fixed value of its sort. Completing can only
    /// acquit: it finds *some* interpretation that the model allows.
    #[must_use]
    pub fn completed(&self) -> Self {
        Model { complete: true, ..self.clone() }
    }

    /// The same model, in which what it does not say is open.
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

    /// What the model says of a function, as a `define-fun` that stands for its declaration; none if it says nothing, or
    /// nothing that a script can say: elements of uninterpreted sorts, functions that only the model knows.
    pub fn definition(&self, fun: FunId) -> Option<String> {
        let (binders, body) = self.interpretation(fun)?;
        let pool = &self.pool;
        let mut left = vec![body];
        let mut steps = 0;
        while let Some(term) = left.pop() {
            steps += 1;
            let plain = match pool.node(term).head {
                Head::Op(op, _) => table().op(op).name != "as-array",
                Head::Fun(f) => matches!(
                    pool.fun(f).kind,
                    FunKind::Constructor(_) | FunKind::Selector(..) | FunKind::Tester(_)
                ),
                Head::Opaque => false,
                _ => true,
            };
            // An element of an uninterpreted sort has no name in a script.
            let element = pool.args(term).is_empty()
                && matches!(pool.sort(pool.sort_of(term)), Sort::Declared(decl, _) if pool.sort_decl(decl).datatype.is_none())
                && !matches!(pool.node(term).head, Head::Variable(_));
            if !plain || element || steps > MOST_WRITTEN {
                return None;
            }
            left.extend_from_slice(pool.args(term));
        }
        let decl = pool.fun(fun);
        // Solvers print constructors without the sort that they want to read with them; as a value they have it.
        let value = || {
            let value = eval(body, self, &mut Fuel::default()).ok()?;
            write_value(pool, decl.result, &value).ok()
        };
        let is_data =
            matches!(pool.sort(decl.result), Sort::Declared(..)) && pool.binders(binders).is_empty();
        let body = is_data.then(value).flatten().unwrap_or_else(|| write_term(pool, body));
        let bound = |b: &Binder| format!("({} {})", pool.text(b.spelling), sort_text(pool, b.sort));
        let bound: Vec<_> = pool.binders(binders).iter().map(bound).collect();
        Some(format!(
            "(define-fun {} ({}) {} {})",
            pool.text(decl.spelling),
            bound.join(" "),
            sort_text(pool, decl.result),
            body
        ))
    }

    /// What the model says of the declared functions, as a list of definitions, those that no script can say left out.
    pub fn definitions(&self) -> Vec<String> {
        let declared = |fun: &FunId| fun.0 < self.own && self.pool.fun(*fun).kind == FunKind::Declared;
        self.pool.functions().filter(declared).filter_map(|fun| self.definition(fun)).collect()
    }

    /// Says what a declared function is: its variables, and a body of its result sort. Both are of the pool that the
    /// model was made from.
    pub fn interpret(&mut self, fun: FunId, binders: BinderList, body: TermId) {
        self.interpretations.insert(fun, (binders, body));
    }

    /// Says what a declared function is by a value: of its sort, or a table of all its values, over tuples if it has
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

    /// The function of the model under which it gives what the standard leaves open; none if there are several, or if
    /// the script has a function of this name.
    pub(crate) fn partial(&self, name: &str) -> Option<FunId> {
        match self.partial.get(name)?[..] {
            [fun] if !self.ambiguous.contains(&fun) => Some(fun),
            _ => None,
        }
    }

    /// Whether the model says several things under a name, of which we cannot know which one is meant.
    pub(crate) fn clashes(&self, name: &str) -> bool {
        self.partial.contains_key(name) && self.partial(name).is_none()
    }

    /// Whether what it does not say has some fixed value.
    pub(crate) fn is_complete(&self) -> bool {
        self.complete
    }

    /// What the solver answered beyond its model, in the order in which it was heard.
    pub fn heard(&self) -> &[HeardValue] {
        &self.heard
    }

    /// What was heard of an operator, or of one instance of it.
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

    /// The text does not tell which of several things of one name it means: nothing is said of this function.
    pub(crate) fn set_ambiguous(&mut self, fun: FunId) {
        if self.ambiguous.insert(fun) {
            // The model's own functions are not in its pool before all of it is read.
            let name =
                if self.is_of_script(fun) { self.pool.text(self.pool.fun(fun).name) } else { "a function" };
            self.problems.push(format!("{name} names several things in this model"));
        }
    }

    pub(crate) fn is_ambiguous(&self, fun: FunId) -> bool {
        self.ambiguous.contains(&fun)
    }
}
