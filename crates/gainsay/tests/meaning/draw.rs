//! Terms without variables, drawn from the table of operators.

use smt::theory::{Menu, Op, OpId, Theory, producers, shape, table};
use smt::value::{IBig, RBig, Value};
use smt::{Binder, FunKind, Pat, Pool, Sort, SortId, Symbol, TermId};

use crate::chance::Chance;
use crate::known::avoided;
use crate::values::{FEW, INTS, value};

/// Whom a term is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct For {
    pub z3: bool,
    pub cvc5: bool,
}

impl For {
    /// Whether all of them read this operator in their newest releases.
    fn reads(self, op: OpId) -> bool {
        let op = table().op(op);
        (!self.z3 || op.readers.get("z3").is_some()) && (!self.cvc5 || op.readers.get("cvc5").is_some())
    }

    /// Whether all of them have this sort.
    fn has(self, pool: &Pool, sort: SortId) -> bool {
        let all = |sorts: &[SortId]| sorts.iter().all(|&s| self.has(pool, s));
        match pool.sort(sort) {
            Sort::Set(e) | Sort::Bag(e) => !self.z3 && all(&[e]),
            Sort::Nullable(e) => !self.z3 && all(&[e]),
            Sort::FiniteSet(e) => self.z3 && all(&[e]),
            Sort::Tuple(list) => !self.z3 && all(pool.sort_list(list)),
            Sort::Function(list) => all(pool.sort_list(list)),
            // z3's arrays of several indices are written as such, at the top only. cvc5's arrays over tuples are the
            // same sort, but would be written in z3's way; it has no arrays over arrays.
            Sort::Array(i, e) => {
                let several = |s| matches!(pool.sort(s), Sort::Array(i, _) if is_tuple(pool, i));
                let nested = several(i) || several(e) || i == SortId::REGLAN || e == SortId::REGLAN;
                match pool.sort(i) {
                    _ if nested => false,
                    Sort::Tuple(list) if is_tuple(pool, i) => {
                        !self.cvc5 && all(pool.sort_list(list)) && all(&[e])
                    }
                    Sort::Array(..) if self.cvc5 => false,
                    _ => all(&[i, e]),
                }
            }
            Sort::Seq(e) => e != SortId::REGLAN && all(&[e]),
            // cvc5 reads only 32 bits of the exponent in `(fp ..)`; z3 takes very long for very large numbers.
            Sort::Float(eb, _) => eb <= 16,
            Sort::Char => !self.cvc5,
            _ => true,
        }
    }
}

/// Whether several indices stand behind a sort.
fn is_tuple(pool: &Pool, sort: SortId) -> bool {
    matches!(pool.sort(sort), Sort::Tuple(list) if pool.sort_list(list).len() > 1)
}

/// What terms of a theory are drawn from.
pub struct Draw {
    pub pool: Pool,
    pub chance: Chance,
    pub theory: Theory,
    /// Sorts that may be asked for and drawn.
    pub sorts: Vec<SortId>,
    /// Names and character codes that may be indices.
    pub texts: Vec<Symbol>,
    pub whom: For,
    scope: Vec<Binder>,
}

const WIDTHS: &[u32] = &[1, 1, 2, 3, 4, 5, 8, 8, 16, 31, 32, 33, 64, 65];
const NUMBERS: &[u32] = &[0, 0, 1, 1, 2, 2, 3, 4, 5, 8, 31, 64];

impl Draw {
    pub fn new(pool: Pool, chance: Chance, theory: Theory, sorts: Vec<SortId>, texts: Vec<Symbol>) -> Draw {
        let whom = For { z3: true, cvc5: true };
        Draw { pool, chance, theory, sorts, texts, whom, scope: Vec::new() }
    }

    /// A term with this operator at its top, and whom to ask about it.
    pub fn rooted(&mut self, op: OpId) -> Option<(TermId, For)> {
        let all = [(true, true), (true, true), (true, false), (false, true)];
        let all: Vec<_> =
            all.into_iter().map(|(z3, cvc5)| For { z3, cvc5 }).filter(|w| w.reads(op)).collect();
        if all.is_empty() {
            return None;
        }
        for _ in 0..40 {
            self.whom = *self.chance.of(&all);
            let sorts: Vec<_> =
                self.sorts.iter().copied().filter(|&s| producers(&self.pool, s).any(|o| o == op)).collect();
            if sorts.is_empty() {
                return None;
            }
            let sort = *self.chance.of(&sorts);
            if !self.whom.has(&self.pool, sort) {
                continue;
            }
            let depth = 1 + self.chance.below(3);
            if let Some(term) = self.application(op, sort, depth)
                && let Some(term) = self.askable(term)
            {
                return Some((term, self.whom));
            }
        }
        None
    }

    /// A language is asked whether a word is in it; a function cannot be asked.
    fn askable(&mut self, term: TermId) -> Option<TermId> {
        match self.pool.sort(self.pool.sort_of(term)) {
            Sort::RegLan => {
                let word = self.term(SortId::STRING, 0)?;
                self.pool.apply_named("str.in_re", &[], &[word, term], None).ok()
            }
            Sort::Function(_) => None,
            _ => Some(term),
        }
    }

    /// A term of this sort, nested so deep at most.
    pub fn term(&mut self, sort: SortId, depth: usize) -> Option<TermId> {
        if let Sort::Function(list) = self.pool.sort(sort) {
            return self.function(list, depth);
        }
        let variables: Vec<_> = self.scope.iter().copied().filter(|b| b.sort == sort).collect();
        if !variables.is_empty() && !self.chance.once_in(3) {
            let variable = *self.chance.of(&variables);
            return Some(self.pool.variable(variable));
        }
        if depth == 0 || self.chance.once_in(4) {
            return self.leaf(sort);
        }
        let whom = self.whom;
        let all = producers(&self.pool, sort).filter(|&op| whom.reads(op) && !meaningless(op));
        let (own, all): (Vec<_>, Vec<_>) = all.partition(|&op| table().theory(op) == self.theory);
        // Of other theories, what gives any sort (`seq.nth`, `set.choose`) is mostly open, and so is the sine.
        let other = |op: &OpId| {
            let Op { name, result, .. } = table().op(*op);
            let mostly_open = matches!(result, Pat::Any(_)) && !matches!(*name, "ite" | "select");
            !mostly_open && table().theory(*op) != Theory::Transcendentals
        };
        let all: Vec<_> = all.into_iter().filter(other).collect();
        for _ in 0..6 {
            if self.chance.once_in(4)
                && let Some(term) = self.call(sort, depth)
            {
                return Some(term);
            }
            let list =
                if own.is_empty() || (!all.is_empty() && self.chance.once_in(4)) { &all } else { &own };
            if list.is_empty() {
                break;
            }
            let op = *self.chance.of(list);
            if let Some(term) = self.application(op, sort, depth) {
                return Some(term);
            }
        }
        self.leaf(sort)
    }

    fn application(&mut self, op: OpId, sort: SortId, depth: usize) -> Option<TermId> {
        let menu = Menu { sorts: &self.sorts, widths: WIDTHS, numbers: NUMBERS, texts: &self.texts };
        let chance = &mut self.chance;
        let shape = shape(&mut self.pool, op, sort, &menu, &mut |n| chance.below(n))?;
        let row = table().op(op);
        if !shape.args.iter().all(|&s| self.whom.has(&self.pool, s)) {
            return None;
        }
        // Only z3's strings are sequences.
        let sequence = |pat: Pat, sort: SortId| matches!(pat, Pat::Seq(_)) && sort == SortId::STRING;
        let count = shape.args.len();
        let strings = shape.args.iter().enumerate().any(|(i, &s)| sequence(row.arg(i, count), s));
        if self.whom.cvc5 && (strings || sequence(row.result, sort)) {
            return None;
        }
        let args = if self.whom.cvc5 && row.name == "const" {
            // cvc5 takes values only.
            shape.args.iter().map(|&s| self.leaf(s)).collect::<Option<Vec<_>>>()?
        } else {
            let mut args = Vec::with_capacity(count);
            for (i, &s) in shape.args.iter().enumerate() {
                args.push(self.argument(row, i, s, depth - 1)?);
            }
            args
        };
        if avoided(&self.pool, row.name, &shape.indices, &args, self.whom) {
            return None;
        }
        self.pool.apply(op, &shape.indices, &args, Some(sort)).ok()
    }

    /// Argument `i` of an operator, mostly such that the whole is not open or too large: small whole exponents, indices
    /// in range, sets of one element.
    fn argument(&mut self, row: &Op, i: usize, sort: SortId, depth: usize) -> Option<TermId> {
        if self.chance.once_in(4) {
            return self.term(sort, depth);
        }
        let small = match (row.name, i) {
            ("^" | "**", 1) | ("int.pow2", 0) => 6,
            ("seq.nth", 1) => 2,
            ("set.choose" | "bag.choose", 0) => {
                let (Sort::Set(element) | Sort::Bag(element)) = self.pool.sort(sort) else { return None };
                let element = self.term(element, depth)?;
                if row.name == "set.choose" {
                    return self.pool.apply_named("set.singleton", &[], &[element], None).ok();
                }
                let times =
                    self.pool.value(SortId::INT, &Value::Int(IBig::from(1 + self.chance.below(3)))).ok()?;
                return self.pool.apply_named("bag", &[], &[element, times], None).ok();
            }
            _ => return self.term(sort, depth),
        };
        let number = IBig::from(self.chance.below(small));
        let value = if sort == SortId::REAL { Value::Real(number.into()) } else { Value::Int(number) };
        self.pool.value(sort, &value).ok()
    }

    /// A function of a datatype that gives this sort: a constructor, or a selector or tester.
    fn call(&mut self, sort: SortId, depth: usize) -> Option<TermId> {
        let mut funs = Vec::new();
        if let Sort::Declared(decl, _) = self.pool.sort(sort)
            && let Some(datatype) = &self.pool.sort_decl(decl).datatype
        {
            funs.extend(datatype.constructors.iter().map(|c| c.function));
        }
        let sorts = self.sorts.clone();
        for &of in &sorts {
            let Sort::Declared(decl, _) = self.pool.sort(of) else { continue };
            let Some(datatype) = &self.pool.sort_decl(decl).datatype else { continue };
            for constructor in &datatype.constructors {
                let parts = constructor.selectors.iter().chain([&constructor.tester]);
                funs.extend(parts.copied().filter(|&f| self.pool.fun(f).result == sort));
            }
        }
        if funs.is_empty() {
            return None;
        }
        let fun = *self.chance.of(&funs);
        let args = match self.pool.fun(fun).kind {
            FunKind::Constructor(_) => self.pool.field_sorts(fun, sort)?,
            _ => self.pool.fun(fun).args.clone(),
        };
        let args: Option<Vec<_>> = args.into_iter().map(|s| self.term(s, depth - 1)).collect();
        self.pool.call(fun, &args?, Some(sort)).ok()
    }

    /// A lambda whose body may use its variables.
    fn function(&mut self, list: smt::SortList, depth: usize) -> Option<TermId> {
        let mut sorts = self.pool.sort_list(list).to_vec();
        let result = sorts.pop()?;
        let outer = self.scope.len();
        for sort in sorts {
            let name = format!("x{}", self.scope.len());
            let binder = self.pool.binder(&name, sort);
            self.scope.push(binder);
        }
        // The outermost does something with its variables.
        let body = self.term(result, if outer == 0 { depth.max(1) } else { depth });
        let binders = self.scope.split_off(outer);
        self.pool.lambda(&binders, body?)
    }

    /// A value, or a small language.
    fn leaf(&mut self, sort: SortId) -> Option<TermId> {
        if sort == SortId::REGLAN {
            let word = self.term(SortId::STRING, 0)?;
            let name = *self.chance.of(&["re.none", "re.all", "re.allchar", "", "", "", ""]);
            return match name {
                "" => self.pool.apply_named("str.to_re", &[], &[word], None).ok(),
                _ => self.pool.apply_named(name, &[], &[], None).ok(),
            };
        }
        let depth = self.chance.below(3);
        // An array of several indices: its entries would be written with tuples.
        if let Sort::Array(index, element) = self.pool.sort(sort)
            && is_tuple(&self.pool, index)
        {
            let element = self.leaf(element)?;
            return self.pool.apply_named("const", &[], &[element], Some(sort)).ok();
        }
        let value = match (self.theory, sort) {
            (Theory::Transcendentals, SortId::REAL) if !self.chance.once_in(3) => Value::Real(RBig::ZERO),
            (Theory::Transcendentals, SortId::REAL) if !self.chance.once_in(3) => Value::Real(RBig::ONE),
            (Theory::Strings | Theory::Sequences, SortId::INT) if !self.chance.once_in(3) => {
                Value::Int(IBig::from(self.chance.below(4)))
            }
            (Theory::Sets | Theory::FiniteSets, _) => {
                value(&mut self.pool, &mut self.chance, sort, depth, FEW)?
            }
            _ => value(&mut self.pool, &mut self.chance, sort, depth, INTS)?,
        };
        self.pool.value(sort, &value).ok()
    }
}

/// Rows without a meaning, or whose value is always open, which would only make terms open.
pub fn meaningless(op: OpId) -> bool {
    const OPEN: &[&str] = &[
        "fmf.card",
        "set.universe",
        "set.complement",
        "default",
        "array-ext",
        "div0",
        "mod0",
        "/0",
        "sinh",
        "cosh",
        "asinh",
        "acosh",
        "atanh",
        "csc",
        "cot",
        "arccsc",
        "arcsec",
        "arccot",
        "real.pi",
        "pi",
        "euler",
    ];
    matches!(table().theory(op), Theory::Separation | Theory::SpecialRelations)
        || OPEN.contains(&table().op(op).name)
}
