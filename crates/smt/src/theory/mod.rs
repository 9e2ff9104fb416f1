//! The table of operators: one row each, read by the reader, the checker, the printer, every strategy and the
//! evaluator.

mod array_sets;
mod arrays;
mod bags;
mod bitvec;
pub(crate) mod call;
mod core;
mod datatypes;
mod fields;
mod finite_sets;
mod floats;
mod higher_order;
mod ints;
mod nullables;
mod op;
mod pattern;
mod point;
mod produce;
mod reals;
mod reals_ints;
mod regexes;
mod relations;
mod release;
mod resolve;
mod separation;
mod sequences;
mod sets;
mod special_relations;
mod stand_in;
mod strings;
mod support;
mod tables;
#[cfg(test)]
pub(crate) mod tests;
mod transcendentals;
mod unambiguous;

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use crate::sort::{Pat, SortId, Width};
pub use crate::term::OpId;

pub use call::Call;
pub(crate) use call::World;
pub(crate) use op::op;
pub use op::{Arity, Control, Departure, Identity, Meaning, Op, Rule, Use};
pub use point::{Operator, Point};
pub use produce::{Menu, Shape, may_take, producers, shape};
pub use release::ReleaseNumber;
pub(crate) use resolve::resolve;
pub use resolve::{Found, NoRow};
pub use stand_in::{Place, StandIn, admitted, stand_ins};
pub use support::{DESCRIBED, Needs, Reader, Readers};
pub(crate) use unambiguous::is_unmistakable;

/// A part of the standard, or of a solver's extensions, by which rows are grouped.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Theory {
    /// Booleans, equality, `ite`.
    Core,
    /// Integer arithmetic.
    Ints,
    /// Real arithmetic.
    Reals,
    /// Integers and reals together, and the conversions between them.
    RealsInts,
    /// Sine and the other transcendental functions.
    Transcendentals,
    /// Bit-vectors of fixed width.
    BitVectors,
    /// Arrays with one or more indices.
    Arrays,
    /// IEEE floats.
    Floats,
    /// Unicode strings and regular languages.
    Strings,
    /// Sequences of elements of one sort.
    Sequences,
    /// Finite sets, relations and bags, as cvc5 has them, and z3's sets as arrays.
    Sets,
    /// z3's finite sets.
    FiniteSets,
    /// Datatypes and tuples.
    Datatypes,
    /// Finite fields.
    FiniteFields,
    /// z3's orders and closures.
    SpecialRelations,
    /// Functions as values.
    HigherOrder,
    /// cvc5's separation logic.
    Separation,
}

/// The table of operators: all rows, with an index of their names.
pub struct Table {
    rows: Vec<(&'static Op, Theory)>,
    by_name: FxHashMap<&'static str, Vec<OpId>>,
}

impl Table {
    /// The row of an operator.
    #[inline]
    pub fn op(&self, id: OpId) -> &'static Op {
        self.rows[id.0 as usize].0
    }

    /// The theory of an operator.
    #[inline]
    pub fn theory(&self, id: OpId) -> Theory {
        self.rows[id.0 as usize].1
    }

    /// All operators, in the order of their rows.
    pub fn ids(&self) -> impl Iterator<Item = OpId> + use<> {
        (0..self.rows.len() as u16).map(OpId)
    }

    /// The number of operators.
    pub fn count(&self) -> usize {
        self.rows.len()
    }

    /// The rows with this name.
    pub fn named(&self, name: &str) -> &[OpId] {
        self.by_name.get(name).map_or(&[], Vec::as_slice)
    }

    /// All names in the order of their rows, each once.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        self.rows.iter().enumerate().flat_map(move |(i, (op, _))| {
            std::iter::once(op.name)
                .chain(op.aliases.iter().copied())
                .filter(move |name| self.by_name[name][0].0 as usize == i)
        })
    }
}

/// The table of operators.
pub fn table() -> &'static Table {
    static TABLE: LazyLock<Table> = LazyLock::new(|| {
        let groups: &[(Theory, &'static [Op])] = &[
            (Theory::Core, core::OPS),
            (Theory::Ints, ints::OPS),
            (Theory::Reals, reals::OPS),
            (Theory::RealsInts, reals_ints::OPS),
            (Theory::Transcendentals, transcendentals::OPS),
            (Theory::BitVectors, bitvec::OPS),
            (Theory::Arrays, arrays::OPS),
            (Theory::Sets, array_sets::OPS),
            (Theory::FiniteFields, fields::OPS),
            (Theory::Floats, floats::OPS),
            (Theory::Strings, strings::OPS),
            (Theory::Strings, regexes::OPS),
            (Theory::Sequences, sequences::OPS),
            (Theory::Sets, sets::OPS),
            (Theory::FiniteSets, finite_sets::OPS),
            (Theory::Sets, bags::OPS),
            (Theory::Sets, relations::OPS),
            (Theory::Sets, tables::OPS),
            (Theory::Datatypes, datatypes::OPS),
            (Theory::Datatypes, nullables::OPS),
            (Theory::HigherOrder, higher_order::OPS),
            (Theory::SpecialRelations, special_relations::OPS),
            (Theory::Separation, separation::OPS),
        ];
        let rows: Vec<_> =
            groups.iter().flat_map(|(theory, ops)| ops.iter().map(move |op| (op, *theory))).collect();
        let mut by_name: FxHashMap<&'static str, Vec<OpId>> = FxHashMap::default();
        for (i, (op, _)) in rows.iter().enumerate() {
            for name in std::iter::once(op.name).chain(op.aliases.iter().copied()) {
                by_name.entry(name).or_default().push(OpId(i as u16));
            }
        }
        Table { rows, by_name }
    });
    &TABLE
}

// The sorts that rows are written in.
const BOOL: Pat = Pat::Is(SortId::BOOL);
const INT: Pat = Pat::Is(SortId::INT);
const REAL: Pat = Pat::Is(SortId::REAL);
const STR: Pat = Pat::Is(SortId::STRING);
const REG: Pat = Pat::Is(SortId::REGLAN);
const RM: Pat = Pat::Is(SortId::ROUNDING);
const CHAR: Pat = Pat::Is(SortId::CHAR);
/// Any sort.
const A: Pat = Pat::Any(0);
/// Any other sort.
const B: Pat = Pat::Any(1);
const M: Width = Width::Var(0);
const N: Width = Width::Var(1);
/// A bit-vector of any width.
const BV: Pat = Pat::BitVec(M);
/// A single bit.
const BIT: Pat = Pat::BitVec(Width::Is(1));
