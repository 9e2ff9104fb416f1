//! One row of the table: all that is known of an operator.

use super::ReleaseNumber;
use super::support::{DESCRIBED, Needs, Reader, Readers};
use crate::Pool;
use crate::eval::{Call, Gap};
use crate::sort::{Pat, SortId, Width};
use crate::term::Index;
use crate::value::Value;

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

/// A point on which some solvers are known to depart from the standard; their profiles say which.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Departure {
    /// The value depends on codes of characters, of which a smaller alphabet has fewer.
    Codes,
    /// It stands for every character. Together with a complement, the value depends on how many there are.
    Alphabet,
    /// It is a complement.
    Complement,
    /// The standard says only since version 2.6 what it means when its numbers are zero or in the wrong order.
    Bounds,
    /// The standard leaves the value open for some divisors.
    Division,
    /// The standard leaves the value of an operator on floats open for some arguments.
    Conversion,
}

/// What an operator asks of a logic's arithmetic.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Use {
    /// Linear arithmetic if all arguments but one are constants.
    Product,
    /// Linear arithmetic if all arguments but the first are constants other than zero.
    Quotient,
    /// Nonlinear arithmetic, whatever the arguments are.
    Power,
    /// Difference logic if the arguments are differences.
    Comparison,
}

/// The element that an operator leaves its other argument unchanged with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Identity {
    /// `true`
    True,
    /// `false`
    False,
    /// Zero, of whatever sort the arguments have.
    Zero,
    /// One, of whatever sort the arguments have.
    One,
    /// The bit-vector of ones.
    AllOnes,
    /// The empty string, sequence, set or bag.
    Empty,
    /// The language with the empty string alone.
    EmptyWord,
    /// The language with no string at all.
    NoString,
    /// The language of all strings.
    AllStrings,
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
    /// The solvers that read it.
    pub readers: Readers,
    /// The arguments that some solver takes only as constants: bit `i` for argument `i`.
    pub constants: u8,
    /// Whether the arguments may change places.
    pub commutative: bool,
    /// Whether brackets may stand anywhere: `(f (f a b) c)` is `(f a (f b c))`.
    pub associative: bool,
    /// The element that changes nothing on either side.
    pub identity: Option<Identity>,
    /// The relation that is this one with its two arguments in the other order.
    pub converse: Option<&'static str>,
    /// Whether its name also stands for an operator that takes a Real where this one takes an Int.
    pub real_for_int: bool,
    /// Whether it may stand where another operator stood, and another in its place.
    pub mutable: bool,
    /// Where solvers are known to depart from the standard.
    pub departure: Option<Departure>,
    /// What it asks of arithmetic; none if it is linear or none at all.
    pub arithmetic: Option<Use>,
    /// The name that it had before SMT-LIB 2.6.
    pub former: Option<&'static str>,
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
        readers: Readers::everyone(),
        constants: 0,
        commutative: false,
        associative: false,
        identity: None,
        converse: None,
        real_for_int: false,
        mutable: true,
        departure: None,
        arithmetic: None,
        former: None,
        least: args.len() as u8,
        most: None,
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
    /// An extension that only one solver has.
    pub(crate) const fn only(mut self, solver: &str) -> Op {
        self.standard = false;
        self.readers = self.readers.only(solver);
        self
    }
    /// An extension only z3 has.
    pub(crate) const fn z3_only(self) -> Op {
        self.only("z3")
    }
    /// An extension only cvc5 has.
    pub(crate) const fn cvc5_only(self) -> Op {
        self.only("cvc5")
    }
    /// An extension that no newest release reads; older ones, or their printed models, have it.
    pub(crate) const fn legacy(mut self) -> Op {
        self.standard = false;
        self.read_by_none()
    }
    /// No newest release reads it.
    pub(crate) const fn read_by_none(mut self) -> Op {
        let mut i = 0;
        while i < DESCRIBED.len() {
            self.readers = self.readers.without(DESCRIBED[i]);
            i += 1;
        }
        self
    }
    /// No release of this solver reads it.
    pub(crate) const fn not_read_by(mut self, solver: &str) -> Op {
        self.readers = self.readers.without(solver);
        self
    }
    /// This solver reads it since that release.
    pub(crate) const fn since(mut self, solver: &str, release: &str) -> Op {
        let mut reader = self.readers.the(solver);
        reader.since = ReleaseNumber::parse(release).expect("the row has a release number");
        self.readers = self.readers.with(reader);
        self
    }
    /// This solver takes it only under one of these options, since that release.
    pub(crate) const fn under(mut self, solver: &str, options: &'static [&'static str], release: &str) -> Op {
        let since = ReleaseNumber::parse(release).expect("the row has a release number");
        let mut reader = self.readers.the(solver);
        reader.needs = Some(Needs { options, since });
        self.readers = self.readers.with(reader);
        self
    }
    /// These arguments are given as constants: bit `i` for argument `i`.
    pub(crate) const fn constants(mut self, arguments: u8) -> Op {
        self.constants = arguments;
        self
    }
    /// This solver refuses it where the arguments that are to be constants are none.
    pub(crate) const fn constants_only(mut self, solver: &str) -> Op {
        let mut reader = self.readers.the(solver);
        reader.constants_only = true;
        self.readers = self.readers.with(reader);
        self
    }
    /// Its arguments may change places.
    pub(crate) const fn commutative(mut self) -> Op {
        self.commutative = true;
        self
    }
    /// Its brackets may stand anywhere.
    pub(crate) const fn associative(mut self) -> Op {
        self.associative = true;
        self
    }
    /// It associates, its arguments may change places, and this element changes nothing.
    pub(crate) const fn monoid(self, identity: Identity) -> Op {
        self.associative().commutative().identity(identity)
    }
    /// This element changes nothing on either side.
    pub(crate) const fn identity(mut self, identity: Identity) -> Op {
        self.identity = Some(identity);
        self
    }
    /// With its two arguments in the other order it is the relation of this name.
    pub(crate) const fn converse(mut self, name: &'static str) -> Op {
        self.converse = Some(name);
        self
    }
    /// It is the same with its two arguments in the other order.
    pub(crate) const fn symmetric(self) -> Op {
        let name = self.name;
        self.commutative().converse(name)
    }
    /// Its name also stands for an operator on Reals.
    pub(crate) const fn real_for_int(mut self) -> Op {
        self.real_for_int = true;
        self
    }
    /// It stands for no other operator, and no other for it.
    pub(crate) const fn not_mutable(mut self) -> Op {
        self.mutable = false;
        self
    }
    /// Solvers are known to depart from the standard here.
    pub(crate) const fn departs(mut self, departure: Departure) -> Op {
        self.departure = Some(departure);
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

    /// This is what it asks of arithmetic.
    pub(crate) const fn arithmetic(mut self, arithmetic: Use) -> Op {
        self.arithmetic = Some(arithmetic);
        self
    }
    /// Before SMT-LIB 2.6 it had this name.
    pub(crate) const fn formerly(mut self, name: &'static str) -> Op {
        self.former = Some(name);
        self
    }

    /// Whether its two indices are the format of the floats that it gives.
    pub fn names_format(&self) -> bool {
        self.indices == Some(2) && matches!(self.result, Pat::Float(Width::Index(0), Width::Index(1)))
    }

    /// Whether a solver reads it, by its release (none for the newest) and options; `None` if the table does not
    /// describe the solver.
    pub fn is_read_by<S: AsRef<str>>(
        &self,
        solver: &str,
        release: Option<ReleaseNumber>,
        options: &[S],
    ) -> Option<bool> {
        let reads = self.readers.get(solver).is_some_and(|reader| reader.reads(release, options));
        DESCRIBED.contains(&solver).then_some(reads)
    }

    /// Whether all described solvers read it in every release.
    pub fn is_read_everywhere(&self) -> bool {
        let always = |reader: &&Reader| reader.since == ReleaseNumber::ZERO;
        self.readers.iter().filter(always).count() == DESCRIBED.len()
    }

    /// Whether some solver takes argument `i` only as a constant.
    pub fn wants_constant(&self, i: usize) -> bool {
        i < 8 && self.constants >> i & 1 == 1
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
