//! The subterms that leave an assertion open under a model, as terms that the solver can be asked for.

use rustc_hash::{FxHashMap, FxHashSet};

use super::Outcome;
use super::machine::Machine;
use crate::Pool;
use crate::gap::{Fuel, Gap};
use crate::model::Model;
use crate::query::Query;
use crate::sort::{Sort, SortId};
use crate::symbol::Symbol;
use crate::term::{BinderList, FunId, FunKind, Head, TermId};
use crate::theory::{Arity, Control, table};
use crate::theory::{Operator, Point};
use crate::value::Value;
use crate::write::write_term;

/// No more terms than this are returned.
const MOST: usize = 32;

/// A quantifier is looked into for no more choices of its variables than this.
const MOST_CHOICES: usize = 16;

/// Longer terms are not asked for: `let` can double the length of a term with each level.
const LONGEST: usize = 4096;

/// A term whose value the standard leaves open, or of which the model says nothing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OpenTerm {
    /// The term as text for `get-value` at the check: without bound variables, and with definitions applied.
    pub text: String,
    /// The subterm of the script that it comes from.
    pub term: TermId,
    /// The sort of the term.
    pub sort: SortId,
    /// Its operator and the values of its arguments.
    pub point: Point,
    /// Why it is open; none if the solver has answered about the same operator and equal arguments in other words.
    pub gap: Option<Gap>,
}

/// The subterms that leave an assertion of a check open, in a fixed order and without those that the solver was asked
/// for already ([`Model::hear`]). All arguments of each have values, so the outer ones appear once the inner ones were
/// answered. No more than 32 are returned. Those without any answer come first.
///
/// ```
/// use smt::{Fuel, Model, ModelDialect, Verdict, open_terms, satisfies};
///
/// let script = smt::read(b"(declare-const n Int)(assert (= (div n n) 1))(check-sat)").expect("well-sorted");
/// let query = &script.queries()[0];
/// let mut model = Model::read(&script, Some(query.command), b"((define-fun n () Int 0))").expect("a model");
/// let open = open_terms(query, &model, &Fuel::default());
/// assert_eq!(open[0].text, "(div n n)");
/// model.hear(&script, query.command, &open[0], "0", ModelDialect::STANDARD).expect("any integer is allowed");
/// assert_eq!(satisfies(query, &model, &Fuel::default()), Verdict::False);
/// ```
pub fn open_terms(query: &Query, model: &Model, fuel: &Fuel) -> Vec<OpenTerm> {
    let asked = model.heard().iter().map(|heard| heard.term.clone()).collect();
    let mut finder = Finder {
        model: model.incomplete(),
        fuel: fuel.clone(),
        asked,
        known: FxHashMap::default(),
        entered: FxHashSet::default(),
        found: Vec::new(),
    };
    for &assertion in &query.assertions {
        finder.find_in(assertion);
    }
    let (mut open, rest): (Vec<_>, Vec<_>) = finder.found.into_iter().partition(|term| term.gap.is_some());
    open.extend(rest);
    open.truncate(MOST);
    open
}

/// The outcome of the evaluation of a closed term.
#[derive(Clone)]
struct Looked {
    outcome: Outcome,
    /// The last application met whose value only a model can say.
    point: Option<Point>,
}

impl Looked {
    /// Whether neither the term nor a part of it that was evaluated rests on more than the model.
    fn is_plain(&self) -> bool {
        self.outcome.is_ok() && self.point.is_none()
    }
}

/// The values of all arguments, or why one has none.
type Outcomes = Result<Vec<Value>, Gap>;

struct Finder {
    model: Model,
    fuel: Fuel,
    /// Terms that the solver has answered.
    asked: FxHashSet<String>,
    known: FxHashMap<TermId, Looked>,
    entered: FxHashSet<TermId>,
    found: Vec<OpenTerm>,
}

/// A step of the walk.
enum Visit {
    /// Look into a closed term, which stands for a subterm of the script.
    Enter(TermId, TermId),
    /// Its arguments were looked into.
    Leave(TermId, TermId),
}

impl Finder {
    fn pool(&self) -> &Pool {
        self.model.pool()
    }

    fn look(&mut self, term: TermId) -> Looked {
        if let Some(known) = self.known.get(&term) {
            return known.clone();
        }
        let mut machine = Machine::collecting(&self.model, self.fuel.clone());
        let outcome = machine.eval(term);
        let (mut points, fuel) = machine.into_points();
        self.fuel = fuel;
        let looked = Looked { outcome, point: points.pop() };
        self.known.insert(term, looked.clone());
        looked
    }

    fn find_in(&mut self, root: TermId) {
        let mut left = vec![Visit::Enter(root, root)];
        while let Some(visit) = left.pop() {
            if self.found.len() >= 2 * MOST || *self.fuel.left() == 0 {
                return;
            }
            match visit {
                Visit::Enter(term, of) => {
                    if self.entered.insert(term) && !self.look(term).is_plain() {
                        left.push(Visit::Leave(term, of));
                        let inner = self.inner(term, of);
                        left.extend(inner.into_iter().rev().map(|(term, of)| Visit::Enter(term, of)));
                    }
                }
                Visit::Leave(term, of) => self.leave(term, of),
            }
        }
    }

    /// The closed terms that the value of a term is made of, each with the subterm of the script that it stands for.
    fn inner(&mut self, term: TermId, of: TermId) -> Vec<(TermId, TermId)> {
        let node = *self.pool().node(term);
        let args = self.pool().args(term).to_vec();
        // What is below a substituted term is not a subterm of the script any more.
        let own = self.pool().args(of).to_vec();
        let own = |k: usize| own.get(k).copied().unwrap_or(of);
        let all = || args.iter().enumerate().map(|(k, &arg)| (arg, own(k))).collect();
        match node.head {
            Head::Op(op, _) if table().op(op).control == Some(Control::Ite) => {
                let mut inner = vec![(args[0], own(0))];
                if let Ok(Value::Bool(condition)) = self.look(args[0]).outcome {
                    let k = if condition { 1 } else { 2 };
                    inner.push((args[k], own(k)));
                }
                inner
            }
            Head::Op(..) | Head::Apply | Head::Coerce => all(),
            Head::Annotated(_) => vec![(args[0], own(0))],
            Head::Fun(fun) => {
                let mut inner: Vec<_> = all();
                if let Some((binders, body)) = self.body(fun) {
                    inner.extend(self.replaced(binders, body, &args).map(|new| (new, body)));
                }
                inner
            }
            Head::Let(list) => {
                let count = self.pool().binders(list).len();
                let mut inner: Vec<_> = all();
                inner.truncate(count);
                inner.extend(self.replaced(list, args[count], &args[..count]).map(|new| (new, own(count))));
                inner
            }
            Head::Forall(list) | Head::Exists(list) => {
                let choices = self.choices(list);
                let instance = |finder: &mut Self, values: &[TermId]| finder.replaced(list, args[0], values);
                choices.iter().filter_map(|c| Some((instance(self, c)?, own(0)))).collect()
            }
            Head::Match(_) => self.matched(term, own),
            Head::Literal(_) | Head::Variable(_) | Head::Lambda(_) | Head::Opaque => Vec::new(),
            Head::Choice(_) | Head::Comprehension(_) => Vec::new(),
        }
    }

    /// The variables and the body of a definition of the script.
    fn body(&self, fun: FunId) -> Option<(BinderList, TermId)> {
        match self.pool().fun(fun).kind {
            FunKind::Defined(..) | FunKind::Recursive(_) | FunKind::Named(_) => self.pool().body(fun),
            _ => None,
        }
    }

    fn replaced(&mut self, list: BinderList, body: TermId, by: &[TermId]) -> Option<TermId> {
        let names = self.pool().binders(list).iter().map(|b| b.name);
        let by: Vec<(Symbol, TermId)> = names.zip(by.iter().copied()).collect();
        self.fuel.pay(by.len() as u64 + 8).ok()?;
        self.model.pool_mut().substituted(body, &by)
    }

    /// Choices of values for the variables of a quantifier, as terms.
    fn choices(&mut self, list: BinderList) -> Vec<Vec<TermId>> {
        let sorts: Vec<SortId> = self.pool().binders(list).iter().map(|b| b.sort).collect();
        let mut choices = vec![Vec::new()];
        for sort in sorts {
            let (values, _) = Machine::new(&self.model, Fuel::new(0)).domain(sort);
            let values: Vec<TermId> =
                values.iter().take(MOST_CHOICES).filter_map(|value| self.written(sort, value)).collect();
            let longer = |choice: &Vec<TermId>| {
                let choice = choice.clone();
                values.iter().map(move |&value| [&choice[..], &[value]].concat())
            };
            choices = choices.iter().flat_map(longer).take(MOST_CHOICES).collect();
        }
        choices
    }

    /// The case of a `match` that applies, and the term that it looks at.
    fn matched(&mut self, term: TermId, own: impl Fn(usize) -> TermId) -> Vec<(TermId, TermId)> {
        let args = self.pool().args(term).to_vec();
        let mut inner = vec![(args[0], own(0))];
        let Head::Match(cases) = self.pool().node(term).head else { return inner };
        let Ok(Value::Data(data)) = self.look(args[0]).outcome else { return inner };
        let fits = |case: &crate::Case| case.constructor.is_none_or(|c| c == data.constructor);
        let Some(k) = self.pool().cases(cases).iter().position(fits) else { return inner };
        let case = self.pool().cases(cases)[k];
        let fields: Option<Vec<TermId>> = if case.constructor.is_none() {
            Some(vec![args[0]])
        } else {
            let sorts = self.pool().binders(case.binders).iter().map(|b| b.sort).collect::<Vec<_>>();
            sorts.into_iter().zip(&data.fields).map(|(sort, field)| self.written(sort, field)).collect()
        };
        let body = fields.and_then(|fields| self.replaced(case.binders, args[k + 1], &fields));
        inner.extend(body.map(|body| (body, own(k + 1))));
        inner
    }

    /// A value as a term that the solver can read; none for functions, languages and elements.
    fn written(&mut self, sort: SortId, value: &Value) -> Option<TermId> {
        let term = self.model.pool_mut().value(sort, value).ok()?;
        let pool = self.pool();
        let mut left = vec![term];
        while let Some(part) = left.pop() {
            if pool.node(part).head == Head::Literal(crate::Literal::Element) {
                return None;
            }
            left.extend_from_slice(pool.args(part));
        }
        Some(term)
    }

    /// Adds a term whose arguments all have values, and whose own value only a model can say.
    fn leave(&mut self, term: TermId, of: TermId) {
        let looked = self.look(term);
        let Some(point) = looked.point else { return };
        let args = self.pool().args(term).to_vec();
        let values: Outcomes = args.iter().map(|&arg| self.look(arg).outcome).collect();
        let Ok(values) = values else { return };
        if self.is_application_of(term, &point) {
            if values.len() > point.arguments.len() {
                self.leave_chain(term, of);
            } else if Machine::new(&self.model, Fuel::default()).all_same(&values, &point.arguments)
                == Ok(true)
            {
                self.add(term, of, point);
            }
            return;
        }
        // The application is inside a function that the operator applies: its arguments are only values.
        if looked.outcome.is_err()
            && self.is_strict(term)
            && let Some(term) = self.of_values(&point)
        {
            self.add(term, of, point);
        }
    }

    /// Whether the point is an application of the operator at the top of the term.
    fn is_application_of(&self, term: TermId, point: &Point) -> bool {
        match (self.pool().node(term).head, &point.operator) {
            (Head::Op(op, indices), Operator::Row(row, given)) => {
                std::ptr::eq(table().op(op), *row) && self.pool().indices(indices) == given
            }
            (Head::Fun(fun), Operator::Function(given)) => fun == *given,
            _ => false,
        }
    }

    /// Whether the value of a term follows from those of its arguments alone.
    fn is_strict(&self, term: TermId) -> bool {
        match self.pool().node(term).head {
            Head::Op(op, _) => table().op(op).control.is_none(),
            Head::Fun(fun) => self.body(fun).is_none(),
            Head::Apply => true,
            _ => false,
        }
    }

    /// `(div a b c)` is `(div (div a b) c)`: looks at both.
    fn leave_chain(&mut self, term: TermId, of: TermId) {
        let Head::Op(op, indices) = self.pool().node(term).head else { return };
        if table().op(op).arity != Arity::LeftAssoc {
            return;
        }
        let args = self.pool().args(term).to_vec();
        let indices = self.pool().indices(indices).to_vec();
        let mut left = args[0];
        for &right in &args[1..] {
            let Ok(next) = self.model.pool_mut().apply(op, &indices, &[left, right], None) else { return };
            self.leave(next, of);
            left = next;
        }
    }

    /// The operator of a point applied to its arguments, written as values.
    fn of_values(&mut self, point: &Point) -> Option<TermId> {
        let Operator::Function(fun) = point.operator else { return None };
        let decl = self.pool().fun(fun);
        if decl.kind != FunKind::Declared || !self.model.is_of_script(fun) {
            return None;
        }
        let sorts = decl.args.clone();
        let args: Option<Vec<TermId>> =
            sorts.into_iter().zip(&point.arguments).map(|(sort, value)| self.written(sort, value)).collect();
        self.model.pool_mut().call(fun, &args?, None).ok()
    }

    fn add(&mut self, term: TermId, of: TermId, point: Point) {
        let plain = self.model.pool_mut().without_annotations(term);
        let text = write_term(self.pool(), plain);
        let args = self.pool().args(term);
        let is_instance = |&arg: &TermId| has_parameters(self.pool(), self.pool().sort_of(arg));
        let unclear = matches!(point.operator, Operator::Row(..)) && args.iter().any(is_instance);
        if unclear || text.len() > LONGEST || !self.asked.insert(text.clone()) {
            return;
        }
        let gap = match self.look(term).outcome {
            Ok(_) => None,
            Err(gap @ (Gap::LeftToModel(_) | Gap::NotInModel(_))) => Some(gap),
            Err(_) => return,
        };
        let sort = self.pool().sort_of(term);
        self.found.push(OpenTerm { text, term: of, sort, point, gap });
    }
}

/// Whether a sort has an instance of a parametric sort in it: values of two instances can look alike.
fn has_parameters(pool: &Pool, sort: SortId) -> bool {
    match pool.sort(sort) {
        Sort::Declared(_, list) => !pool.sort_list(list).is_empty(),
        Sort::Array(a, b) => has_parameters(pool, a) || has_parameters(pool, b),
        Sort::Seq(a) | Sort::Set(a) | Sort::FiniteSet(a) | Sort::Bag(a) | Sort::Nullable(a) => {
            has_parameters(pool, a)
        }
        Sort::Tuple(list) | Sort::Function(list) => {
            pool.sort_list(list).iter().any(|&part| has_parameters(pool, part))
        }
        _ => false,
    }
}
