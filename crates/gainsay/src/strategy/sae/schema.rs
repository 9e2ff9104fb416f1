//! Schemas: the two sides of a rule as trees, matched against terms and built from terms.

use std::sync::LazyLock;

use smt::theory::{OpId, table};
use smt::value::{BitVec, Float, IBig, UBig, Value};
use smt::{Binder, Head, Index, Pool, Sort, SortId, TermId};

use super::rules::{Direction, Kind, Rule, When, injections, rules};

/// A side of a rule.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Schema {
    /// A metavariable.
    Hole(u8),
    /// All remaining arguments.
    Rest,
    /// An operator.
    Apply { name: &'static str, indices: Vec<&'static str>, args: Vec<Schema> },
    /// A quantifier over `u`, an index of `x`.
    Quantified { forall: bool, body: Box<Schema> },
    /// A literal as it is written, or a word such as `@0` whose value depends on the sort of `x`.
    Literal(&'static str),
}

/// A rule that was read.
pub(super) struct Read {
    pub rule: &'static Rule,
    pub from: Schema,
    pub to: Schema,
}

/// All rules, and an index by operator.
pub(super) struct Book {
    pub rules: Vec<Read>,
    /// The numbers of the rules by the operator on top of `from`.
    by_op: Vec<Vec<u16>>,
    pub injections: Vec<Read>,
}

impl Book {
    /// The rules with an operator of this name on top.
    pub fn on(&self, op: OpId) -> &[u16] {
        self.by_op.get(op.index()).map_or(&[], Vec::as_slice)
    }
}

/// The book of all rules.
pub(super) fn book() -> &'static Book {
    static BOOK: LazyLock<Book> = LazyLock::new(|| {
        let read = Read::of;
        let rules: Vec<Read> = rules().iter().map(read).collect();
        let mut by_op = vec![Vec::new(); table().count()];
        for (number, read) in rules.iter().enumerate() {
            if let Schema::Apply { name, .. } = read.from {
                for op in table().named(name) {
                    by_op[op.index()].push(number as u16);
                }
            }
        }
        Book { rules, by_op, injections: injections().iter().map(read).collect() }
    });
    &BOOK
}

/// Reads a side of a rule. It panics on a wrong row; tests read all rows.
pub(super) fn schema(text: &'static str) -> Schema {
    let mut rest = text;
    let schema = read(&mut rest);
    assert!(rest.trim().is_empty(), "one schema: {text}");
    schema
}

/// The next token, which is taken off the text.
fn word(rest: &mut &'static str) -> &'static str {
    let token = smt::sexpr::tokens(rest.as_bytes()).next().expect("a schema ends");
    let word = token.text(rest);
    *rest = &rest[token.end..];
    word
}

fn read(rest: &mut &'static str) -> Schema {
    match word(rest) {
        "(" => {}
        "rest" => return Schema::Rest,
        word if word.len() == 1 && word.as_bytes()[0].is_ascii_alphabetic() => {
            return Schema::Hole(word.as_bytes()[0]);
        }
        word if word.starts_with(['@', '"', '#']) || word.as_bytes()[0].is_ascii_digit() => {
            return Schema::Literal(word);
        }
        name => return Schema::Apply { name, indices: Vec::new(), args: Vec::new() },
    }
    let (mut name, mut indices) = (word(rest), Vec::new());
    if name == "(" {
        let underscore = word(rest);
        assert_eq!(underscore, "_", "an identifier with indices");
        name = word(rest);
        loop {
            match word(rest) {
                ")" => break,
                index => indices.push(index),
            }
        }
    }
    let mut args = Vec::new();
    while !rest.trim_start().starts_with(')') {
        args.push(read(rest));
    }
    word(rest);
    if let ("forall" | "exists", [_, _]) = (name, args.as_slice()) {
        let body = Box::new(args.remove(1));
        return Schema::Quantified { forall: name == "forall", body };
    }
    Schema::Apply { name, indices, args }
}

/// The length of a list of metavariables. No rule has as many.
const MOST: usize = 10;

/// The terms that metavariables stand for. It is copied for each use of a rule, so it is small and needs no allocation.
#[derive(Clone, Debug)]
pub(super) struct Bound {
    terms: [(u8, TermId); MOST],
    known: usize,
    numbers: [(u8, u32); 3],
    numbered: usize,
    rest: Vec<TermId>,
}

impl Bound {
    /// No metavariable is bound. The term fills the unused entries.
    fn nothing(term: TermId) -> Bound {
        Bound { terms: [(0, term); MOST], known: 0, numbers: [(0, 0); 3], numbered: 0, rest: Vec::new() }
    }

    /// What a rule that fits every formula binds.
    pub fn formula(term: TermId) -> Bound {
        let mut bound = Bound::nothing(term);
        bound.bind(b'p', term);
        bound
    }

    pub fn term(&self, hole: u8) -> Option<TermId> {
        self.terms[..self.known].iter().find(|(h, _)| *h == hole).map(|&(_, term)| term)
    }

    pub fn number(&self, hole: u8) -> Option<u32> {
        self.numbers[..self.numbered].iter().find(|(h, _)| *h == hole).map(|&(_, number)| number)
    }

    pub fn bind(&mut self, hole: u8, term: TermId) {
        self.terms[self.known] = (hole, term);
        self.known += 1;
    }

    pub fn bind_number(&mut self, hole: u8, number: u32) {
        self.numbers[self.numbered] = (hole, number);
        self.numbered += 1;
    }

    /// All bound terms.
    pub fn terms_mut(&mut self) -> impl Iterator<Item = &mut TermId> {
        self.terms[..self.known].iter_mut().map(|(_, term)| term).chain(&mut self.rest)
    }

    /// The sort of `x`, which decides the sort of constants.
    pub fn sort(&self, pool: &Pool) -> Option<SortId> {
        self.term(b'x').map(|x| pool.sort_of(x))
    }
}

impl Read {
    /// A rule, read.
    pub fn of(rule: &'static Rule) -> Read {
        Read { rule, from: schema(rule.from), to: schema(rule.to) }
    }

    /// The metavariables of the rule if it matches an operator of this name with these indices and arguments.
    pub fn matches(&self, pool: &Pool, name: &str, indices: &[Index], args: &[TermId]) -> Option<Bound> {
        let Schema::Apply { name: wanted, indices: patterns, args: schemas } = &self.from else {
            return None;
        };
        let mut bound = Bound::nothing(*args.first()?);
        let fits = *wanted == name
            && bind_indices(patterns, indices, &mut bound)
            && bind_args(pool, schemas, args, &mut bound)
            && self.is_of_kind(pool, &bound);
        fits.then_some(bound)
    }

    fn is_of_kind(&self, pool: &Pool, bound: &Bound) -> bool {
        let all = &bound.terms[..bound.known];
        let formulas = all.iter().filter(|(hole, _)| matches!(hole, b'p' | b'q' | b'r'));
        formulas.into_iter().all(|&(_, term)| pool.sort_of(term) == SortId::BOOL)
            && match bound.sort(pool) {
                Some(sort) => self.rule.kind.has(pool, sort),
                None => self.rule.kind == Kind::Formula,
            }
    }

    /// Whether the rule may be used where this direction is wanted.
    pub fn serves(&self, wanted: Direction) -> bool {
        self.rule.way.serves(wanted)
    }
}

fn bind_indices(patterns: &[&'static str], indices: &[Index], bound: &mut Bound) -> bool {
    patterns.len() == indices.len()
        && patterns.iter().zip(indices).all(|(pattern, index)| match (pattern.parse::<u32>(), index) {
            (Ok(wanted), Index::Number(number)) => wanted == *number,
            (Err(_), Index::Number(number)) => {
                bound.bind_number(pattern.as_bytes()[0], *number);
                true
            }
            _ => false,
        })
}

fn bind_args(pool: &Pool, schemas: &[Schema], args: &[TermId], bound: &mut Bound) -> bool {
    let all = match schemas.split_last() {
        Some((Schema::Rest, first)) if args.len() > first.len() => {
            bound.rest = args[first.len()..].to_vec();
            first
        }
        _ if args.len() == schemas.len() => schemas,
        _ => return false,
    };
    all.iter().zip(args).all(|(schema, &arg)| bind(pool, schema, arg, bound))
}

fn bind(pool: &Pool, schema: &Schema, term: TermId, bound: &mut Bound) -> bool {
    match schema {
        Schema::Hole(hole) => match bound.term(*hole) {
            Some(known) => known == term,
            None => {
                bound.bind(*hole, term);
                true
            }
        },
        Schema::Apply { name, indices, args } => match pool.node(term).head {
            Head::Op(op, list) => {
                table().op(op).name == *name
                    && bind_indices(indices, pool.indices(list), bound)
                    && bind_args(pool, args, pool.args(term), bound)
            }
            _ => false,
        },
        Schema::Rest | Schema::Quantified { .. } | Schema::Literal(_) => false,
    }
}

/// The source of the metavariables that only `to` has.
pub(super) trait Draw {
    fn hole(&mut self, pool: &mut Pool, hole: u8, when: When, bound: &Bound) -> Option<TermId>;
    fn number(&mut self, pool: &Pool, hole: &str, bound: &Bound) -> Option<u32>;
}

/// Builds the term of a side of a rule with these metavariables. Those that are not bound are drawn and then bound.
pub(super) fn build(
    pool: &mut Pool,
    schema: &Schema,
    when: When,
    bound: &mut Bound,
    draw: &mut dyn Draw,
) -> Option<TermId> {
    grow(pool, (schema, when), bound, draw, &mut Vec::with_capacity(MOST))
}

/// Builds the term of a side of a rule. `stack` holds the arguments of terms that are not built yet.
fn grow(
    pool: &mut Pool,
    (schema, when): (&Schema, When),
    bound: &mut Bound,
    draw: &mut dyn Draw,
    stack: &mut Vec<TermId>,
) -> Option<TermId> {
    match schema {
        Schema::Hole(hole) => {
            if let Some(number) = bound.number(*hole) {
                return pool.value(SortId::INT, &Value::Int(number.into())).ok();
            }
            if let Some(term) = bound.term(*hole) {
                return Some(term);
            }
            let term = draw.hole(pool, *hole, when, bound)?;
            bound.bind(*hole, term);
            Some(term)
        }
        Schema::Literal(text) => {
            let sort = bound.sort(pool);
            literal(pool, text, sort)
        }
        Schema::Quantified { forall, body } => {
            let Sort::Array(index, _) = pool.sort(bound.sort(pool)?) else { return None };
            let binder = fresh(pool, index)?;
            let variable = pool.variable(binder);
            bound.bind(b'u', variable);
            let body = grow(pool, (body, when), bound, draw, stack)?;
            pool.quantified(*forall, &[binder], body)
        }
        Schema::Apply { name, indices, args } => {
            let first = stack.len();
            for arg in args {
                match arg {
                    Schema::Rest => stack.extend_from_slice(&bound.rest),
                    arg => {
                        let built = grow(pool, (arg, when), bound, draw, stack)?;
                        stack.push(built);
                    }
                }
            }
            let mut list = Vec::with_capacity(indices.len());
            for index in indices {
                list.push(Index::Number(self::index(pool, index, bound, draw)?));
            }
            let built = match (*name, &stack[first..]) {
                ("and" | "or" | "=>", &[one]) => Some(one),
                (name, args) => pool.apply_named(name, &list, args, None).ok(),
            };
            stack.truncate(first);
            built
        }
        Schema::Rest => None,
    }
}

/// A variable whose name is not used, so that it captures nothing.
pub(super) fn fresh(pool: &mut Pool, sort: SortId) -> Option<Binder> {
    let name = (0..u32::MAX).map(|n| format!("u!{n}")).find(|name| pool.find(name).is_none())?;
    Some(pool.binder(&name, sort))
}

fn index(pool: &Pool, text: &'static str, bound: &mut Bound, draw: &mut dyn Draw) -> Option<u32> {
    if let Ok(number) = text.parse() {
        return Some(number);
    }
    // `@H` is drawn once and is the same from then on.
    let key = text.as_bytes()[text.len() - 1];
    if let Some(number) = bound.number(key) {
        return Some(number);
    }
    let number = draw.number(pool, text, bound)?;
    bound.bind_number(key, number);
    Some(number)
}

fn literal(pool: &mut Pool, text: &str, sort: Option<SortId>) -> Option<TermId> {
    if let Some(string) = text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) {
        let text: Vec<u32> = string.chars().map(u32::from).collect();
        return pool.value(SortId::STRING, &Value::Text(text.into())).ok();
    }
    if let Some(bits) = text.strip_prefix("#b") {
        let number = UBig::from_str_radix(bits, 2).ok()?;
        let sort = pool.bitvec(bits.len() as u32);
        return pool.value(sort, &Value::BitVec(BitVec::new(bits.len() as u32, number))).ok();
    }
    if let Ok(number) = text.parse::<u32>() {
        return match sort {
            Some(SortId::REAL) => pool.value(SortId::REAL, &Value::Real(IBig::from(number).into())).ok(),
            _ => pool.value(SortId::INT, &Value::Int(number.into())).ok(),
        };
    }
    let sort = sort?;
    let value = match (text, pool.sort(sort)) {
        ("@0", Sort::BitVec(width)) => Value::BitVec(BitVec::zero(width)),
        ("@1", Sort::BitVec(width)) => Value::BitVec(BitVec::new(width, UBig::from(1u8))),
        ("@MIN", Sort::BitVec(width)) => {
            Value::BitVec(BitVec::new(width, UBig::from(1u8) << (width as usize - 1)))
        }
        ("@Z", Sort::Float(eb, sb)) => Value::Float(Float::zero(super::constants::format(eb, sb)?, false)),
        ("@INF", Sort::Float(eb, sb)) => {
            Value::Float(Float::infinity(super::constants::format(eb, sb)?, false))
        }
        _ => return None,
    };
    pool.value(sort, &value).ok()
}
