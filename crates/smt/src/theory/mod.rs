//! The table of operators: one row each, read by the reader, the checker, the printer, every strategy and the
//! evaluator.

mod array_sets;
mod arrays;
mod bags;
mod bitvec;
mod core;
mod datatypes;
mod fields;
mod floats;
mod higher_order;
mod ints;
mod produce;
mod reals;
mod reals_ints;
mod regexes;
mod relations;
mod resolve;
#[cfg(test)]
pub(crate) mod samples;
mod separation;
mod sequences;
mod sets;
mod special_relations;
mod stand_in;
mod strings;
mod tables;
#[cfg(test)]
mod testing;
mod transcendentals;

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use crate::Pool;
use crate::eval::{Call, Gap};
use crate::sort::{Pat, SortId, Width};
use crate::term::Index;
use crate::value::Value;

pub(crate) use produce::is_unmistakable;
pub use produce::{Menu, Shape, may_take, producers, shape, shape_into};
pub(crate) use resolve::resolve;
pub use resolve::{Found, NoRow};
pub use stand_in::{StandIn, admitted, stand_ins};

/// An operator, by its row in the [`table`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct OpId(pub(crate) u16);

impl OpId {
    /// Its number, below [`Table::count`].
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What an operator's value is, given its arguments' values.
pub type Meaning = fn(&mut Call<'_, '_>) -> Result<Value, Gap>;

/// A sort rule that no pattern can write: indices, argument sorts and, after `as`, the wanted sort.
pub type Rule = fn(&mut Pool, &[Index], &[SortId], Option<SortId>) -> Option<SortId>;

/// How many arguments an operator takes and how more than the row shows are read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Arity {
    /// Exactly the row's arguments.
    Fixed,
    /// `(f a b c)` is `(f (f a b) c)`.
    LeftAssoc,
    /// `(f a b c)` is `(f a (f b c))`.
    RightAssoc,
    /// `(f a b c)` is `(and (f a b) (f b c))`.
    Chainable,
    /// `(f a b c)` is `(and (f a b) (f a c) (f b c))`.
    Pairwise,
    /// One or more of the row's only argument; the meaning sees them all.
    Variadic,
}

/// Operators whose arguments are not all looked at first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Control {
    /// `and`
    And,
    /// `or`
    Or,
    /// `=>`
    Implies,
    /// `ite`
    Ite,
}

/// From which release on a solver is known to read an operator.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Since {
    /// In every release we use.
    Always,
    /// In this release and later ones; earlier ones are not known to.
    Release(&'static str),
    /// Not even in the newest.
    Never,
}

/// The options without which a solver refuses an operator.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Needs {
    /// One of these; it has had several names.
    pub options: &'static [&'static str],
    /// In these releases.
    pub since: Since,
}

impl Needs {
    /// Whether a release refuses the operator under these options.
    pub fn lacks<S: AsRef<str>>(self, release: Option<&str>, options: &[S]) -> bool {
        let given = options.iter().any(|option| self.options.contains(&option.as_ref()));
        !given && self.since.reads(release)
    }
}

/// One row of the table.
#[derive(Debug)]
pub struct Op {
    /// Its name in the standard, or the name its solver gives it.
    pub name: &'static str,
    /// Other names for the same thing.
    pub aliases: &'static [&'static str],
    /// How many indices it takes; `None` for any number.
    pub indices: Option<u8>,
    /// Its argument sorts.
    pub args: &'static [Pat],
    /// Its result sort.
    pub result: Pat,
    /// How more arguments are read.
    pub arity: Arity,
    /// Its sorts, where patterns cannot say them; the patterns then are only the closest there are.
    pub rule: Option<Rule>,
    /// How it is evaluated, if not all arguments first.
    pub control: Option<Control>,
    /// What it means.
    pub meaning: Meaning,
    /// Whether SMT-LIB 2.7 or an earlier version defines it.
    pub standard: bool,
    /// Which z3 reads it.
    pub z3: Since,
    /// Which cvc5 reads it.
    pub cvc5: Since,
    /// The options without which cvc5 refuses it.
    pub cvc5_needs: Option<Needs>,
    /// The least number of arguments that some solver takes.
    pub least: u8,
    /// The most arguments the solvers take where the standard sets no limit.
    pub most: Option<u8>,
}

/// A row: name, argument sorts, result sort, meaning. Standard and read by all unless said otherwise.
pub(crate) const fn op(name: &'static str, args: &'static [Pat], result: Pat, meaning: Meaning) -> Op {
    Op {
        name,
        aliases: &[],
        indices: Some(0),
        args,
        result,
        arity: Arity::Fixed,
        rule: None,
        control: None,
        meaning,
        standard: true,
        z3: Since::Always,
        cvc5: Since::Always,
        cvc5_needs: None,
        least: args.len() as u8,
        most: None,
    }
}

impl Since {
    /// Whether a release reads it, given by its numbers (`4.8.12`); none stands for the newest.
    pub fn reads(self, release: Option<&str>) -> bool {
        let numbers = |text: &str| -> Vec<u32> { text.split('.').map_while(|n| n.parse().ok()).collect() };
        match (self, release) {
            (Since::Always, _) | (Since::Release(_), None) => true,
            (Since::Release(first), Some(release)) => numbers(release) >= numbers(first),
            (Since::Never, _) => false,
        }
    }
}

impl Op {
    const fn with_arity(mut self, arity: Arity) -> Op {
        self.arity = arity;
        self.least = 1;
        self
    }
    /// `(f a b c)` is `(f (f a b) c)`.
    pub(crate) const fn left_assoc(self) -> Op {
        self.with_arity(Arity::LeftAssoc)
    }
    /// `(f a b c)` is `(f a (f b c))`.
    pub(crate) const fn right_assoc(self) -> Op {
        let mut op = self.with_arity(Arity::RightAssoc);
        op.least = 2;
        op
    }
    /// `(f a b c)` is `(and (f a b) (f b c))`.
    pub(crate) const fn chainable(self) -> Op {
        self.with_arity(Arity::Chainable)
    }
    /// All arguments pairwise.
    pub(crate) const fn pairwise(self) -> Op {
        self.with_arity(Arity::Pairwise)
    }
    /// One or more of the only argument.
    pub(crate) const fn variadic(self) -> Op {
        self.with_arity(Arity::Variadic)
    }
    /// Takes `n` indices.
    pub(crate) const fn indexed(mut self, n: u8) -> Op {
        self.indices = Some(n);
        self
    }
    /// Takes any number of indices.
    pub(crate) const fn indexed_by_any(mut self) -> Op {
        self.indices = None;
        self
    }
    /// Has these other names.
    pub(crate) const fn also(mut self, aliases: &'static [&'static str]) -> Op {
        self.aliases = aliases;
        self
    }
    /// Its sorts are computed.
    pub(crate) const fn ruled(mut self, rule: Rule) -> Op {
        self.rule = Some(rule);
        self
    }
    /// Not all arguments are evaluated first.
    pub(crate) const fn controls(mut self, control: Control) -> Op {
        self.control = Some(control);
        self
    }
    /// An extension that z3 and cvc5 share.
    pub(crate) const fn extension(mut self) -> Op {
        self.standard = false;
        self
    }
    /// An extension only z3 has.
    pub(crate) const fn z3_only(mut self) -> Op {
        self.standard = false;
        self.cvc5 = Since::Never;
        self
    }
    /// An extension only cvc5 has.
    pub(crate) const fn cvc5_only(mut self) -> Op {
        self.standard = false;
        self.z3 = Since::Never;
        self
    }
    /// An extension neither reads in its newest release (older ones, or their printed models, have it).
    pub(crate) const fn legacy(mut self) -> Op {
        self.standard = false;
        self.z3 = Since::Never;
        self.cvc5 = Since::Never;
        self
    }
    /// z3 reads it since then.
    pub(crate) const fn z3_since(mut self, since: Since) -> Op {
        self.z3 = since;
        self
    }
    /// cvc5 reads it since then.
    pub(crate) const fn cvc5_since(mut self, since: Since) -> Op {
        self.cvc5 = since;
        self
    }
    /// cvc5 takes it only under one of these options.
    pub(crate) const fn cvc5_under(mut self, options: &'static [&'static str], since: Since) -> Op {
        self.cvc5_needs = Some(Needs { options, since });
        self
    }
    /// Some solver takes as few arguments as this.
    pub(crate) const fn at_least(mut self, n: u8) -> Op {
        self.least = n;
        self
    }
    /// Solvers take no more arguments than this, whatever the standard says.
    pub(crate) const fn at_most(mut self, n: u8) -> Op {
        self.most = Some(n);
        self
    }

    /// Whether it can be written with `n` arguments, by some solver's leave if need be.
    pub fn admits(&self, n: usize) -> bool {
        match self.arity {
            Arity::Fixed => n == self.args.len(),
            _ => n >= self.least as usize,
        }
    }

    /// The pattern of argument `i` of `n`.
    #[inline]
    pub fn arg(&self, i: usize, n: usize) -> Pat {
        match self.arity {
            Arity::Fixed => self.args[i],
            Arity::RightAssoc => self.args[usize::from(i + 1 == n)],
            Arity::Variadic => self.args[0],
            _ => self.args[usize::from(i > 0)],
        }
    }
}

/// A part of the standard, or of a solver's extensions, by which rows are grouped.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Theory {
    /// Booleans, equality, `ite`.
    Core,
    /// Integers.
    Ints,
    /// Reals.
    Reals,
    /// Both, and what leads from one to the other.
    RealsInts,
    /// Sine and its kin.
    Transcendentals,
    /// Bit-vectors.
    BitVectors,
    /// Arrays.
    Arrays,
    /// IEEE floats.
    Floats,
    /// Unicode strings and regular languages.
    Strings,
    /// Sequences.
    Sequences,
    /// Finite sets, relations and bags, as cvc5 has them, and z3's sets as arrays.
    Sets,
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

/// All rows.
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

    /// All operators.
    pub fn ids(&self) -> impl Iterator<Item = OpId> + use<> {
        (0..self.rows.len() as u16).map(OpId)
    }

    /// How many operators there are.
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
            (Theory::Sets, bags::OPS),
            (Theory::Sets, relations::OPS),
            (Theory::Sets, tables::OPS),
            (Theory::Datatypes, datatypes::OPS),
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
