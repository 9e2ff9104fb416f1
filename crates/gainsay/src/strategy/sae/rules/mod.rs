//! Rules: which atom may become which, and which way that goes. One row each; the operator table gives them their sorts.
//!
//! The predicate symbol transformations of Yao, Huang, Tang, Shi, Wu and Zhang (ESEC/FSE 2021), without the rows of
//! their table that do not hold, and many more. A rule holds for all values of its metavariables that its condition
//! admits, so it holds under any context.

mod arithmetic;
mod containers;
mod core;
mod floats;
mod strings;
#[cfg(test)]
mod tests;
mod vectors;

use smt::value::{BitVec, IBig, RBig, Value};
use smt::{Pool, Sort, SortId};

/// Which way a formula moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::strategy) enum Way {
    /// It becomes weaker: what was true stays true.
    Over,
    /// It becomes stronger: what was false stays false.
    Under,
    /// It stays as true as it was.
    Both,
}

impl Way {
    /// Whether a rule that goes this way may be used where that one is wanted.
    pub fn serves(self, wanted: Way) -> bool {
        self == Way::Both || self == wanted
    }
}

/// The sort of a rule's `x`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::strategy) enum Kind {
    Any,
    /// There is no `x`, only formulas.
    Formula,
    Int,
    Real,
    Number,
    Vector,
    Float,
    Text,
    Array,
    Seq,
    Set,
}

impl Kind {
    /// Whether a sort is of this kind.
    pub fn has(self, pool: &Pool, sort: SortId) -> bool {
        match (self, pool.sort(sort)) {
            (Kind::Any, sort) => !matches!(sort, Sort::RegLan | Sort::Function(_) | Sort::Opaque(_)),
            (Kind::Formula, Sort::Bool)
            | (Kind::Int | Kind::Number, Sort::Int)
            | (Kind::Real | Kind::Number, Sort::Real)
            | (Kind::Vector, Sort::BitVec(_))
            | (Kind::Float, Sort::Float(..))
            | (Kind::Text, Sort::String)
            | (Kind::Array, Sort::Array(..))
            | (Kind::Seq, Sort::Seq(_))
            | (Kind::Set, Sort::Set(_)) => true,
            _ => false,
        }
    }
}

/// What a rule asks of its constant `a`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::strategy) enum When {
    Any,
    /// Greater than zero; of vectors: signed.
    Positive,
    /// Not less than zero; of vectors: signed.
    NonNegative,
    NonPositive,
    /// Not zero; of strings: not empty.
    NonZero,
    NotNan,
    /// `l` and `h` are characters, written down.
    Characters,
    /// So are they, and `a` and `b` are characters with `a` ≤ `l` ≤ `h` ≤ `b`.
    Wider,
    /// So are they, and `l` ≤ `a` ≤ `b` ≤ `h`.
    Narrower,
}

impl When {
    /// Whether a constant meets the condition, as far as that is one of a single constant.
    pub fn admits(self, value: &Value) -> bool {
        match self {
            When::Positive => order(value).is_gt(),
            When::NonNegative => order(value).is_ge(),
            When::NonPositive => order(value).is_le(),
            When::NonZero => match value {
                Value::BitVec(bits) => *bits != BitVec::zero(bits.width()),
                Value::Text(text) => !text.is_empty(),
                value => order(value).is_ne(),
            },
            When::NotNan => !matches!(value, Value::Float(float) if float.is_nan()),
            When::Any | When::Characters | When::Wider | When::Narrower => true,
        }
    }
}

/// Where a number is, seen from zero; zero for what is no number.
fn order(value: &Value) -> std::cmp::Ordering {
    match value {
        Value::Int(n) => n.cmp(&IBig::from(0)),
        Value::Real(q) => q.cmp(&RBig::from(0)),
        Value::BitVec(bits) => bits.signed().cmp(&IBig::from(0)),
        _ => std::cmp::Ordering::Equal,
    }
}

/// One rule.
///
/// `x`, `y`, `w` and others that `from` binds are any terms. Letters that only `to` has are drawn: `a`, `b` constants of
/// the sort of `x`; `k`, `n` of sort Int; `c`, `y` terms of the sort of `x`; `i`, `j` indices and `v`, `e` elements of
/// `x`; `q`, `r` formulas; `R`, `S` languages. `rest` is all further arguments, at least one.
#[derive(Clone, Copy, Debug)]
pub(in crate::strategy) struct Rule {
    pub id: &'static str,
    pub kind: Kind,
    pub from: &'static str,
    pub way: Way,
    pub to: &'static str,
    pub when: When,
}

impl Rule {
    const fn when(self, when: When) -> Rule {
        Rule { when, ..self }
    }
}

const fn over(id: &'static str, kind: Kind, from: &'static str, to: &'static str) -> Rule {
    Rule { id, kind, from, way: Way::Over, to, when: When::Any }
}

const fn under(id: &'static str, kind: Kind, from: &'static str, to: &'static str) -> Rule {
    Rule { id, kind, from, way: Way::Under, to, when: When::Any }
}

const fn both(id: &'static str, kind: Kind, from: &'static str, to: &'static str) -> Rule {
    Rule { id, kind, from, way: Way::Both, to, when: When::Any }
}

/// All rules but injections.
pub(in crate::strategy) fn rules() -> impl Iterator<Item = &'static Rule> {
    [core::RULES, arithmetic::RULES, vectors::RULES, floats::RULES, strings::RULES, containers::RULES]
        .into_iter()
        .flatten()
}

/// Rules that add a formula to any other.
pub(in crate::strategy) fn injections() -> &'static [Rule] {
    core::INJECTIONS
}
