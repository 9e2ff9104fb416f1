//! Rules: which atom may become which, and which way that goes. One row each, in the tables beside this file; the
//! operator table gives them their sorts.
//!
//! The predicate symbol transformations of Yao, Huang, Tang, Shi, Wu and Zhang (ESEC/FSE 2021), without the rows of
//! their table that do not hold, and many more. A rule holds for all values of its metavariables that its condition
//! admits, so it holds under any context.

#[cfg(test)]
mod tests;

use std::sync::LazyLock;

use smt::value::{BitVec, IBig, RBig, Value};
use smt::{Pool, Sort, SortId};

/// How a formula changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::strategy) enum Direction {
    /// It becomes weaker: what was true stays true.
    Over,
    /// It becomes stronger: what was false stays false.
    Under,
    /// It stays equivalent.
    Both,
}

impl Direction {
    /// Whether a rule with this direction may be used where another direction is wanted.
    pub fn serves(self, wanted: Direction) -> bool {
        self == Direction::Both || self == wanted
    }

    /// The rule of an edit, with this direction and this name.
    pub fn by(self, name: &'static str) -> crate::case::Rule {
        let direction = match self {
            Direction::Under => crate::case::Direction::Under,
            Direction::Over | Direction::Both => crate::case::Direction::Over,
        };
        crate::case::Rule::approximation(name, direction)
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

/// The condition of a rule on its constants.
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
    /// `l` and `h` are literal characters.
    Characters,
    /// `l` and `h` are literal characters, and `a` and `b` are characters with `a` ≤ `l` ≤ `h` ≤ `b`.
    Wider,
    /// `l` and `h` are literal characters, and `a` and `b` are characters with `l` ≤ `a` ≤ `b` ≤ `h`.
    Narrower,
}

impl When {
    /// Whether a constant meets the condition. Conditions on several constants are met by all of them.
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

/// The comparison of a number with zero; equal for values that are not numbers.
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
    /// Its name, which is that of the published table of checked rules if it is there.
    pub id: &'static str,
    /// All its names: one row serves several sorts, instances or both ways of the published table.
    pub ids: &'static str,
    pub kind: Kind,
    pub way: Direction,
    pub when: When,
    pub from: &'static str,
    pub to: &'static str,
    /// The solvers that proved it, at all sorts that were tried.
    pub proved: &'static str,
}

const KINDS: &[(&str, Kind)] = &[
    ("any", Kind::Any),
    ("Bool", Kind::Formula),
    ("Int", Kind::Int),
    ("Real", Kind::Real),
    ("number", Kind::Number),
    ("BitVec", Kind::Vector),
    ("Float", Kind::Float),
    ("String", Kind::Text),
    ("Array", Kind::Array),
    ("Seq", Kind::Seq),
    ("Set", Kind::Set),
];

const WAYS: &[(&str, Direction)] =
    &[("over", Direction::Over), ("under", Direction::Under), ("both", Direction::Both)];

const CONDITIONS: &[(&str, When)] = &[
    ("-", When::Any),
    ("positive", When::Positive),
    ("non-negative", When::NonNegative),
    ("non-positive", When::NonPositive),
    ("non-zero", When::NonZero),
    ("not-nan", When::NotNan),
    ("characters", When::Characters),
    ("wider", When::Wider),
    ("narrower", When::Narrower),
];

/// The meaning of a word of a table, which is ours: a wrong one is found by the tests.
fn meaning<T: Copy>(words: &[(&str, T)], word: &str) -> T {
    words.iter().find(|(known, _)| *known == word).unwrap_or_else(|| panic!("no word of a table: {word}")).1
}

/// The kind of sort that a word of a table stands for.
pub(in crate::strategy) fn kind_named(word: &str) -> Option<Kind> {
    KINDS.iter().find(|(known, _)| *known == word).map(|(_, kind)| *kind)
}

/// The direction that a word of a table stands for.
pub(in crate::strategy) fn direction_named(word: &str) -> Option<Direction> {
    WAYS.iter().find(|(known, _)| *known == word).map(|(_, way)| *way)
}

/// The word in a table with this meaning.
fn word<T: PartialEq>(words: &[(&'static str, T)], meant: &T) -> &'static str {
    words.iter().find(|(_, known)| known == meant).map_or("", |(word, _)| word)
}

impl Kind {
    /// The theory of rules of this kind.
    pub fn theory(self) -> &'static str {
        match self {
            Kind::Any | Kind::Formula => "Core",
            Kind::Int => "Ints",
            Kind::Real => "Reals",
            Kind::Number => "Numbers",
            Kind::Vector => "BitVectors",
            Kind::Float => "Floats",
            Kind::Text => "Strings",
            Kind::Array => "Arrays",
            Kind::Seq => "Sequences",
            Kind::Set => "Sets",
        }
    }
}

impl Direction {
    /// The word in the tables.
    pub fn word(self) -> &'static str {
        word(WAYS, &self)
    }
}

impl When {
    /// The word in the tables.
    pub fn word(self) -> &'static str {
        word(CONDITIONS, &self)
    }
}

/// The rows of a table of rules.
pub(in crate::strategy) fn table_of(text: &'static str) -> impl Iterator<Item = Rule> {
    text.lines().skip(1).map(|line| {
        let cells: Vec<&'static str> = line.split('\t').collect();
        let &[ids, kind, way, when, from, to, proved] = cells.as_slice() else {
            panic!("a rule has seven cells: {line}")
        };
        let id = ids.split(' ').next().unwrap_or(ids);
        let (kind, way, when) = (meaning(KINDS, kind), meaning(WAYS, way), meaning(CONDITIONS, when));
        Rule { id, ids, kind, way, when, from, to, proved }
    })
}

/// All rules but injections.
pub(in crate::strategy) fn rules() -> &'static [Rule] {
    static RULES: LazyLock<Vec<Rule>> = LazyLock::new(|| {
        let tables = [
            include_str!("core.tsv"),
            include_str!("arithmetic.tsv"),
            include_str!("vectors.tsv"),
            include_str!("floats.tsv"),
            include_str!("strings.tsv"),
            include_str!("containers.tsv"),
        ];
        tables.into_iter().flat_map(table_of).collect()
    });
    &RULES
}

/// Rules that add a formula to any other.
pub(in crate::strategy) fn injections() -> &'static [Rule] {
    static INJECTIONS: LazyLock<Vec<Rule>> =
        LazyLock::new(|| table_of(include_str!("injections.tsv")).collect());
    &INJECTIONS
}
