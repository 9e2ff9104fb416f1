//! One row of the table: everything known about an operator.

mod row;

use super::ReleaseNumber;
use super::support::{DESCRIBED, Reader, Readers};
use crate::Pool;
use crate::gap::Gap;
use crate::sort::{Pat, SortId, Width};
use crate::term::Index;
use crate::theory::call::Call;
use crate::value::Value;
pub(crate) use row::op;

/// The function that computes the value of an operator from the values of its arguments.
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
    /// The operator `and`.
    And,
    /// The operator `or`.
    Or,
    /// The operator `=>`.
    Implies,
    /// The operator `ite`.
    Ite,
}

/// A point on which some solvers depart from the standard. The profiles of the solvers say which.
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

/// The arithmetic that an operator needs.
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

/// An element that leaves the other argument of an operator unchanged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Identity {
    /// The value `true`.
    True,
    /// The value `false`.
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
    /// The number of indices it takes; `None` for any number.
    pub indices: Option<u8>,
    /// Its argument sorts.
    pub args: &'static [Pat],
    /// Its result sort.
    pub result: Pat,
    /// The rule for more arguments than `args` has.
    pub arity: Arity,
    /// Its sorts, where patterns cannot say them; the patterns then are only the closest there are.
    pub rule: Option<Rule>,
    /// The order of evaluation, if the arguments are not all evaluated first.
    pub control: Option<Control>,
    /// The function that evaluates it.
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
    /// Its identity element, on either side.
    pub identity: Option<Identity>,
    /// The relation that is this one with its two arguments in the other order.
    pub converse: Option<&'static str>,
    /// Whether its name also stands for an operator that takes a Real where this one takes an Int.
    pub real_for_int: bool,
    /// Whether it may stand where another operator stood, and another in its place.
    pub mutable: bool,
    /// Whether it is a name under which models give what the standard leaves open. It is read, and no term is made with it.
    pub only_in_models: bool,
    /// The point on which some solvers depart from the standard.
    pub departure: Option<Departure>,
    /// The arithmetic that it needs, if it is more than linear arithmetic.
    pub arithmetic: Option<Use>,
    /// The name that it had before SMT-LIB 2.6.
    pub former: Option<&'static str>,
    /// Whether solvers read it only in scripts that set no logic.
    pub without_logic: bool,
    /// The least number of arguments that some solver takes.
    pub least: u8,
    /// The most arguments the solvers take where the standard sets no limit.
    pub most: Option<u8>,
}

impl Op {
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

    /// Whether all described solvers have read it since the standard has strings. What came later, others may not have.
    pub fn is_read_everywhere(&self) -> bool {
        let strings = ReleaseNumber::parse("4.8.9").expect("a number");
        let long = |reader: &&Reader| {
            reader.since == ReleaseNumber::ZERO || (reader.solver == "z3" && reader.since <= strings)
        };
        self.readers.iter().filter(long).count() == DESCRIBED.len()
    }

    /// Whether some solver takes argument `i` only as a constant.
    pub fn wants_constant(&self, i: usize) -> bool {
        i < 8 && self.constants >> i & 1 == 1
    }

    /// Whether some solver takes it with `n` arguments.
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
