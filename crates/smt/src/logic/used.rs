//! What a script uses, node by node, so that a mutant's logic costs what it changes.

use std::ops::Range;

use rustc_hash::FxHashSet;

use super::{Arithmetic, Logic};
use crate::Pool;
use crate::script::{Script, What};
use crate::sort::{Sort, SortDeclId, SortId};
use crate::term::{FunId, FunKind, Head, Literal, TermId};
use crate::theory::{Op, Theory, Use, table};

impl Logic {
    /// The logic of everything that a script uses.
    pub fn of(script: &Script) -> Logic {
        Logic::of_commands(script, 0..script.commands.len())
    }

    /// The logic of everything that some commands of a script use.
    pub fn of_commands(script: &Script, commands: Range<usize>) -> Logic {
        let pool = &script.pool;
        let mut logic = Logic::of_declarations(script, commands.clone());
        let mut seen: FxHashSet<TermId> = FxHashSet::default();
        let mut left = Vec::new();
        for command in commands {
            // What only asks for values uses nothing.
            if !matches!(script.commands[command].what, What::GetValue(_) | What::Query(..)) {
                script.each_term(command, |term| left.push(term));
            }
        }
        while let Some(term) = left.pop() {
            if seen.insert(term) {
                logic = logic.join(Logic::of_node(pool, term));
                let args = pool.args(term).iter().enumerate();
                left.extend(args.filter(|&(k, _)| Logic::counts(pool, term, k)).map(|(_, &arg)| arg));
            }
        }
        logic.settled()
    }

    /// What the declarations among some commands of a script use, whatever the terms are.
    pub fn of_declarations(script: &Script, commands: Range<usize>) -> Logic {
        let pool = &script.pool;
        let mut logic = Logic { other: !script.opaque.is_empty(), ..Logic::default() };
        for command in &script.commands[commands] {
            match command.what {
                What::DeclareFun(fun) => {
                    let fun = pool.fun(fun);
                    logic.functions |= !fun.args.is_empty();
                    fun.args.iter().chain([&fun.result]).for_each(|&sort| logic.add_sort(pool, sort));
                }
                What::DeclareSort(_) => logic.functions = true,
                What::DeclareDatatypes(first, count) => {
                    logic.datatypes = true;
                    for decl in (first.0..first.0 + count).map(SortDeclId) {
                        for constructor in pool.sort_decl(decl).datatype.iter().flat_map(|d| &d.constructors)
                        {
                            let args = &pool.fun(constructor.function).args;
                            for &sort in args {
                                logic.add_sort(pool, sort);
                            }
                        }
                    }
                }
                What::DefineFunsRec(first, count) => {
                    // A recursive definition is a quantified axiom.
                    (logic.functions, logic.quantifiers) = (true, true);
                    for fun in (first.0..first.0 + count).map(FunId) {
                        for &sort in &pool.fun(fun).args {
                            logic.add_sort(pool, sort);
                        }
                    }
                }
                _ => {}
            }
        }
        logic
    }

    /// What a node uses itself: its operator, its sort, the sorts of the variables it binds; not its arguments.
    pub fn of_node(pool: &Pool, term: TermId) -> Logic {
        let mut logic = Logic::default();
        logic.add_term(pool, term);
        logic.add_sort(pool, pool.sort_of(term));
        let node = pool.node(term);
        if let Some(list) = node.head.binders() {
            pool.binders(list).iter().for_each(|binder| logic.add_sort(pool, binder.sort));
        }
        if let Head::Match(cases) = node.head {
            for case in pool.cases(cases) {
                pool.binders(case.binders).iter().for_each(|binder| logic.add_sort(pool, binder.sort));
            }
        }
        logic
    }

    /// Whether what argument `k` of a term uses counts: a number that a float is made from is no use of the Reals.
    #[inline]
    pub fn counts(pool: &Pool, term: TermId, k: usize) -> bool {
        let of_floats =
            matches!(pool.node(term).head, Head::Op(op, _) if table().theory(op) == Theory::Floats);
        !(of_floats && is_constant(pool, pool.args(term)[k]))
    }

    /// The logic after all nodes and declarations have been joined.
    #[must_use]
    #[inline]
    pub fn settled(mut self) -> Logic {
        if self.ints || self.reals {
            self.arithmetic = self.arithmetic.max(Arithmetic::Difference);
        }
        self
    }

    fn add_sort(&mut self, pool: &Pool, sort: SortId) {
        match pool.sort(sort) {
            Sort::Bool => {}
            Sort::Int => self.ints = true,
            Sort::Real => self.reals = true,
            Sort::BitVec(_) => self.bitvectors = true,
            Sort::Float(..) | Sort::RoundingMode => self.floats = true,
            Sort::FiniteField(_) => self.fields = true,
            Sort::String | Sort::RegLan => self.strings = true,
            Sort::Array(index, element) => {
                self.arrays = true;
                self.add_sort(pool, index);
                self.add_sort(pool, element);
            }
            Sort::Function(list) => {
                self.higher_order = true;
                pool.sort_list(list).iter().for_each(|&part| self.add_sort(pool, part));
            }
            Sort::Declared(decl, list) => {
                let is_datatype = pool.sort_decl(decl).datatype.is_some();
                self.datatypes |= is_datatype;
                self.functions |= !is_datatype;
                pool.sort_list(list).iter().for_each(|&part| self.add_sort(pool, part));
            }
            Sort::Seq(part)
            | Sort::Set(part)
            | Sort::FiniteSet(part)
            | Sort::Bag(part)
            | Sort::Nullable(part) => {
                self.other = true;
                self.add_sort(pool, part);
            }
            Sort::Tuple(list) => {
                self.other = true;
                pool.sort_list(list).iter().for_each(|&part| self.add_sort(pool, part));
            }
            Sort::Unknown | Sort::Char | Sort::Opaque(_) => self.other = true,
            Sort::Param(_) => {}
        }
    }

    fn add_term(&mut self, pool: &Pool, term: TermId) {
        let args = pool.args(term);
        match pool.node(term).head {
            Head::Forall(_) | Head::Exists(_) => self.quantifiers = true,
            Head::Lambda(_) | Head::Apply => self.higher_order = true,
            Head::Opaque | Head::Choice(_) | Head::Comprehension(_) => self.other = true,
            Head::Match(_) => self.datatypes = true,
            Head::Fun(fun) => match pool.fun(fun).kind {
                FunKind::Declared => self.functions |= !pool.fun(fun).args.is_empty(),
                FunKind::Defined(..) | FunKind::Recursive(_) | FunKind::Named(_) => {}
                _ => self.datatypes = true,
            },
            Head::Op(op, _) => {
                let (row, theory) = (table().op(op), table().theory(op));
                match theory {
                    Theory::Ints | Theory::Reals | Theory::RealsInts => {
                        self.arithmetic = self.arithmetic.max(amount(pool, row, args));
                        self.ints |= theory == Theory::RealsInts;
                        self.reals |= theory == Theory::RealsInts;
                    }
                    Theory::Transcendentals => self.transcendentals = true,
                    // No logic by name has what leads from bit-vectors to integers or back.
                    Theory::BitVectors => {
                        let is_int = |term: TermId| pool.sort_of(term) == SortId::INT;
                        self.other |= is_int(term) || args.iter().any(|&a| is_int(a));
                    }
                    Theory::Core
                    | Theory::Arrays
                    | Theory::Floats
                    | Theory::Strings
                    | Theory::Datatypes
                    | Theory::FiniteFields => {}
                    Theory::HigherOrder => self.higher_order = true,
                    _ => self.other = true,
                }
                // The constant array is in no standard logic, but every solver with arrays that reads it takes it there.
                let named = matches!(theory, Theory::Arrays | Theory::Transcendentals | Theory::FiniteFields);
                self.other |= !row.standard && !named;
            }
            _ => {}
        }
    }
}

/// How much arithmetic one application needs.
fn amount(pool: &Pool, row: &Op, args: &[TermId]) -> Arithmetic {
    match row.arithmetic {
        Some(Use::Product) if args.iter().filter(|&&a| !is_constant(pool, a)).count() > 1 => {
            Arithmetic::NonLinear
        }
        Some(Use::Quotient) if !args.iter().skip(1).all(|&a| is_nonzero(pool, a)) => Arithmetic::NonLinear,
        Some(Use::Power) => Arithmetic::NonLinear,
        Some(Use::Comparison) if args.iter().all(|&a| is_difference(pool, a)) => Arithmetic::Difference,
        // A negated numeral is a constant.
        None if row.name == "-" && args.len() == 1 && is_constant(pool, args[0]) => Arithmetic::Difference,
        // The difference itself; sums of differences show above it.
        None if row.name == "-" && args.len() == 2 && args.iter().all(|&a| is_atomic(pool, a)) => {
            Arithmetic::Difference
        }
        _ => Arithmetic::Linear,
    }
}

/// A variable, a constant, or the difference of two variables.
fn is_difference(pool: &Pool, term: TermId) -> bool {
    is_atomic(pool, term)
        || is_constant(pool, term)
        || matches!(pool.node(term).head, Head::Op(op, _)
            if table().op(op).name == "-" && pool.args(term).iter().all(|&a| is_atomic(pool, a)))
}

fn is_atomic(pool: &Pool, term: TermId) -> bool {
    match pool.node(term).head {
        Head::Variable(_) => true,
        Head::Fun(_) => pool.args(term).is_empty(),
        Head::Coerce => is_atomic(pool, pool.args(term)[0]),
        _ => false,
    }
}

/// A number: a literal, its negation, or a quotient of two of these.
fn is_constant(pool: &Pool, term: TermId) -> bool {
    // Written by hand these are at most three deep; a bound keeps this from being a walk. To z3 neither a difference of
    // numbers is a number nor a quotient of quotients.
    fn within(pool: &Pool, term: TermId, depth: u8, quotient: bool) -> bool {
        let args = pool.args(term);
        let all = |quotient| depth > 0 && args.iter().all(|&a| within(pool, a, depth - 1, quotient));
        match pool.node(term).head {
            Head::Literal(_) => true,
            Head::Coerce => all(quotient),
            Head::Op(op, _) => match (table().op(op).name, args.len()) {
                ("-" | "to_real", 1) => all(quotient),
                ("/", 2) => quotient && all(false),
                _ => false,
            },
            _ => false,
        }
    }
    within(pool, term, 6, true)
}

/// A number that is certainly not zero.
fn is_nonzero(pool: &Pool, term: TermId) -> bool {
    let mut term = term;
    loop {
        match pool.node(term).head {
            Head::Literal(Literal::Numeral | Literal::Decimal) => {
                return pool.bytes(pool.node(term).name).iter().any(|b| (b'1'..=b'9').contains(b));
            }
            Head::Op(op, _) if table().op(op).name == "-" && pool.args(term).len() == 1 => {
                term = pool.args(term)[0];
            }
            Head::Coerce => term = pool.args(term)[0],
            _ => return false,
        }
    }
}
