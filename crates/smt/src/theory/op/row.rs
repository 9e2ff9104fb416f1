//! How rows are written: a row with the usual properties, and functions that change one property each.

use super::{Arity, Control, Departure, Identity, Meaning, Op, Rule, Use};
use crate::sort::Pat;
use crate::theory::ReleaseNumber;
use crate::theory::support::{DESCRIBED, Needs, Readers};

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
        only_in_models: false,
        departure: None,
        arithmetic: None,
        former: None,
        without_logic: false,
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
    /// This solver, too, reads it, under this name.
    pub(crate) const fn known_as(mut self, solver: &str, name: &'static str) -> Op {
        let mut reader = Readers::everyone().the(solver);
        reader.name = Some(name);
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

    /// It is read in models, and no term is made with it.
    pub(crate) const fn only_in_models(mut self) -> Op {
        (self.mutable, self.only_in_models) = (false, true);
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

    /// It needs this arithmetic.
    pub(crate) const fn arithmetic(mut self, arithmetic: Use) -> Op {
        self.arithmetic = Some(arithmetic);
        self
    }
    /// Solvers refuse it in a script that sets a logic.
    pub(crate) const fn without_logic(mut self) -> Op {
        self.without_logic = true;
        self
    }
    /// Before SMT-LIB 2.6 it had this name.
    pub(crate) const fn formerly(mut self, name: &'static str) -> Op {
        self.former = Some(name);
        self
    }
}
