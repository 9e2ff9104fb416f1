//! Views: the ways to read a formula as the left side of a rule, and the choice among the rules that fit.

use smt::theory::{OpId, table};
use smt::value::{RBig, Value};
use smt::{Head, Index, Pool, Script, SortId, TermId};

use super::constants::Constants;
use super::inject::{At, admits};
use super::rules::{Direction, When};
use super::schema::{Book, Bound, Read, Schema, book, build};
use super::{Made, Only, binders, data};
use crate::strategy::support::OperatorSupport;

/// A formula as an operator and its arguments.
struct View {
    name: &'static str,
    op: OpId,
    indices: Vec<Index>,
    args: Vec<TermId>,
}

fn views(pool: &Pool, term: TermId) -> Vec<View> {
    let Head::Op(op, list) = pool.node(term).head else { return Vec::new() };
    let name = table().op(op).name;
    let args = pool.args(term);
    let mut views = vec![View { name, op, indices: pool.indices(list).to_vec(), args: args.to_vec() }];
    let mut add = |name: &'static str, args: Vec<TermId>| {
        if let Some(&op) = table().named(name).first() {
            views.push(View { name, op, indices: Vec::new(), args });
        }
    };
    if let (&[x, y], Some(converse)) = (args, table().op(op).converse) {
        add(converse, vec![y, x]);
    }
    // `(not (= x y))` is `(distinct x y)`.
    if let ("not", &[inner]) = (name, args)
        && let Head::Op(op, _) = pool.node(inner).head
        && let &[x, y] = pool.args(inner)
    {
        match table().op(op).name {
            "=" => add("distinct", vec![x, y]),
            "distinct" => add("=", vec![x, y]),
            _ => {}
        }
    }
    views
}

/// The rules that may be used in a script.
pub(super) struct Applicable {
    rules: Vec<bool>,
    /// Rules of the user whose operators may be used.
    own: Vec<&'static Read>,
    /// Injections, those that make weaker and those that make stronger.
    injections: [Vec<&'static Read>; 2],
}

/// The rules that fit a formula, and what their metavariables are there.
pub(super) struct Fits {
    rows: Vec<(&'static Read, Bound)>,
    /// Whether rules that are written as code may fit.
    others: bool,
}

impl Applicable {
    /// The rules whose operators all readers of the mutants know and the script does not hide, with those of the user.
    pub fn new(script: &Script, support: &OperatorSupport, own: &[&'static Read]) -> Applicable {
        // Who has sets at all has all of them.
        let sets = OperatorSupport::of("cvc5").in_script(script);
        let has = |name: &str| {
            let mut rows = table().named(name).iter();
            rows.any(|&op| support.has(op) || (name.starts_with("set.") && sets.has(op)))
        };
        let rules = book().rules.iter().map(|read| knows(&read.to, &has)).collect();
        let injections = [Direction::Over, Direction::Under].map(|wanted| {
            let usable = |read: &&Read| read.serves(wanted) && knows(&read.to, &has);
            book().injections.iter().filter(usable).collect()
        });
        let own = own.iter().copied().filter(|read| knows(&read.to, &has)).collect();
        Applicable { rules, own, injections }
    }

    /// The rules that fit a formula and have the wanted direction.
    pub fn fits(&self, pool: &Pool, term: TermId, wanted: Direction, constants: &Constants) -> Fits {
        let mut rows = Vec::new();
        for View { name, op, indices, args } in views(pool, term) {
            let Book { rules, .. } = book();
            for &number in book().on(op) {
                let read = &rules[number as usize];
                if self.rules[number as usize]
                    && read.serves(wanted)
                    && let Some(bound) = read.matches(pool, name, &indices, &args)
                    && admits(read.rule.when, &bound, constants)
                {
                    rows.push((read, bound));
                }
            }
            for &read in &self.own {
                let is_it = matches!(&read.from, Schema::Apply { name: own, .. } if *own == name);
                if is_it
                    && read.serves(wanted)
                    && let Some(bound) = read.matches(pool, name, &indices, &args)
                {
                    rows.push((read, bound));
                }
            }
        }
        Fits { rows, others: binders::fits(pool, term) || data::fits(pool, term) }
    }

    /// A formula that follows from this one, or from which this one follows, by the wanted direction.
    pub fn approximate(
        &self,
        pool: &mut Pool,
        term: TermId,
        (wanted, only): (Direction, Only),
        fits: &Fits,
        at: &mut At,
    ) -> Made {
        let transform = match only {
            Only::Both => at.choices.happens(1, 2),
            Only::Transformation => true,
            Only::Injection => false,
        };
        let made = if transform { transformed(pool, term, wanted, fits, at) } else { None };
        match made {
            None if only != Only::Transformation => self.inject(pool, term, wanted, at),
            made => made,
        }
    }

    fn inject(&self, pool: &mut Pool, term: TermId, wanted: Direction, at: &mut At) -> Made {
        let read = *at.choices.pick(&self.injections[usize::from(wanted == Direction::Under)])?;
        let mut bound = Bound::formula(term);
        let new = build(pool, &read.to, When::Any, &mut bound, at)?;
        Some((new, wanted.by(read.rule.id)))
    }
}

fn transformed(pool: &mut Pool, term: TermId, wanted: Direction, fits: &Fits, at: &mut At) -> Made {
    if fits.others && (fits.rows.is_empty() || at.choices.happens(1, 3)) {
        let made = binders::approximate(pool, term, wanted, at);
        let made = made.or_else(|| data::approximate(pool, term, wanted, at));
        return made.map(|(new, id)| (new, wanted.by(id)));
    }
    let (read, bound) = at.choices.pick(&fits.rows)?;
    let mut bound = bound.clone();
    for term in bound.terms_mut() {
        *term = explicit(pool, *term, at)?;
    }
    let new = build(pool, &read.to, read.rule.when, &mut bound, at)?;
    Some((new, wanted.by(read.rule.id)))
}

fn knows(schema: &Schema, has: &impl Fn(&str) -> bool) -> bool {
    match schema {
        Schema::Apply { name, args, .. } => has(name) && args.iter().all(|arg| knows(arg, has)),
        Schema::Quantified { body, .. } => knows(body, has),
        _ => true,
    }
}

/// The term with an explicit conversion to Real, if it is an Int that is used as a Real.
fn explicit(pool: &mut Pool, term: TermId, at: &At) -> Option<TermId> {
    if pool.node(term).head != Head::Coerce {
        return Some(term);
    }
    let inner = *pool.args(term).first()?;
    match at.source.constants.value(inner) {
        Some(Value::Int(n)) => pool.value(SortId::REAL, &Value::Real(RBig::from(n.clone()))).ok(),
        _ => pool.apply_named("to_real", &[], &[inner], None).ok(),
    }
}
