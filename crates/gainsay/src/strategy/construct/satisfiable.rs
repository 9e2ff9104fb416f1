//! Satisfiable tests: an operation equal to its result, with some of both fixed, or with terms of the right values in their
//! places. Each comes with the model it was made from.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::OnceLock;

use rustc_hash::FxHashSet;
use smt::value::Value;

use super::Test;
use super::operations::{Operation, Operations, Row};
use crate::case::{Answer, Category};

/// How many tests of term synthesis are made of one row of an operation.
const TURNS: usize = 1;

/// A family of tests, by what its series is about.
#[derive(Clone, Copy, Debug)]
pub enum Family {
    /// One test for each operation.
    Operations,
    /// Constants in the places of one operation.
    Constants(usize),
    /// Terms in the places of one operation.
    Terms(usize),
}

/// The satisfiable half of a theory's suite.
pub struct Satisfiable {
    theory: &'static str,
    operations: Operations,
    depth: usize,
    partial: bool,
    /// Of the rows that came first, and of all.
    pools: [OnceLock<TermPool>; 2],
}

/// A term made of operations and constants.
#[derive(Clone, Debug, PartialEq)]
enum Term {
    /// A constant, by the numbers of its sort and of itself.
    Constant(usize, usize),
    /// A constant that stays one.
    Fixed(usize, usize),
    /// An operation, by its number, and its arguments.
    Apply(usize, Vec<Term>),
}

/// Terms by their sort and value.
type TermPool = BTreeMap<(usize, Value), Vec<Term>>;

impl Satisfiable {
    pub fn new(theory: &'static str, operations: Operations, depth: usize, partial: bool) -> Satisfiable {
        Satisfiable { theory, operations, depth, partial, pools: Default::default() }
    }

    /// All families, in order.
    pub fn families(&self) -> Vec<Family> {
        let own = || (0..self.operations.all.len()).filter(|&i| !self.operations.all[i].covered);
        let families = own().map(Family::Constants).chain(own().map(Family::Terms));
        std::iter::once(Family::Operations).chain(families).collect()
    }

    /// The most tests that a family has.
    pub fn most(&self) -> usize {
        let one = |op: &Operation| op.rows.len() * (TURNS * 2).max((1 << (op.args.len() + 1)) - 1);
        self.operations.all.iter().map(one).max().unwrap_or(0).max(self.operations.all.len())
    }

    /// The tests of a family.
    pub fn tests(&self, family: Family) -> Box<dyn Iterator<Item = Test> + '_> {
        match family {
            Family::Operations => Box::new(self.operations.all.iter().map(|op| self.operation(op))),
            Family::Constants(which) => Box::new(self.constants(&self.operations.all[which])),
            Family::Terms(which) => Box::new(self.terms(which)),
        }
    }

    fn test(&self, category: Category, name: &str, formula: &str, free: &[(String, usize, &str)]) -> Test {
        let mut body = String::with_capacity(64 * free.len() + formula.len() + 16);
        let mut model = String::from("(");
        for (variable, sort, value) in free {
            let sort = &self.operations.sorts[*sort].text;
            let _ = writeln!(body, "(declare-const {variable} {sort})");
            let _ = write!(model, "(define-fun {variable} () {sort} {value})");
        }
        let _ = writeln!(body, "(assert {formula})");
        model.push(')');
        let name = format!("{}/{}/{name}", self.theory, category.word());
        Test { name, category, body, answer: Answer::Sat, model: Some(model), core: None }
    }

    /// The operation alone, everything free.
    fn operation(&self, op: &Operation) -> Test {
        self.assigned(op, &op.rows[0], 0, Category::Operation, &op.name).1
    }

    /// An operation and its result where the places of a mask have the constants of a row and the others are free.
    fn assigned(
        &self,
        op: &Operation,
        row: &Row,
        mask: usize,
        category: Category,
        name: &str,
    ) -> (String, Test) {
        let mut args = Vec::with_capacity(op.args.len());
        let mut free = Vec::new();
        for (i, (&sort, &number)) in op.args.iter().zip(&row.args).enumerate() {
            let text = &self.operations.sorts[sort].constants[number].text;
            if mask >> i & 1 == 1 || !op.open[i] {
                args.push(text.clone());
            } else {
                args.push(format!("x{}", i + 1));
                free.push((format!("x{}", i + 1), sort, text.as_str()));
            }
        }
        let mut formula = String::from("(= ");
        op.write(args.iter().map(String::as_str), &mut formula);
        if mask >> op.args.len() & 1 == 1 {
            let _ = write!(formula, " {})", row.text);
        } else {
            formula.push_str(" res)");
            free.push(("res".to_owned(), op.result, &row.text));
        }
        let test = self.test(category, name, &formula, &free);
        (formula, test)
    }

    /// Constant assignment: for every row, every set of places but the empty one.
    fn constants<'a>(&'a self, op: &'a Operation) -> impl Iterator<Item = Test> + 'a {
        let places: Vec<usize> = (0..op.args.len()).filter(|&i| op.open[i]).chain([op.args.len()]).collect();
        let masks: Vec<usize> = (1..1usize << places.len())
            .map(|set| places.iter().enumerate().map(|(k, &place)| (set >> k & 1) << place).sum())
            .collect();
        let mut known: FxHashSet<Vec<usize>> = FxHashSet::default();
        let results = self.results(op);
        op.rows.iter().enumerate().flat_map(move |(number, row)| {
            let mut made = Vec::new();
            for &mask in &masks {
                // Equal formulas are one test.
                let fixed =
                    |(i, &c): (usize, &usize)| if mask >> i & 1 == 1 || !op.open[i] { c + 1 } else { 0 };
                let mut key: Vec<usize> = row.args.iter().enumerate().map(fixed).collect();
                key.push(if mask >> op.args.len() & 1 == 1 { results[number].0 + 1 } else { 0 });
                if !known.insert(key) {
                    continue;
                }
                let name = self.name(op, row, mask, &results[number].1);
                made.push(self.assigned(op, row, mask, Category::Constant, &name).1);
            }
            made
        })
    }

    /// `str.replace/empty,_,_=a`: what each place is, `_` if it is free.
    fn name(&self, op: &Operation, row: &Row, mask: usize, result: &str) -> String {
        let mut name = format!("{}/", op.name);
        for (i, (&sort, &number)) in op.args.iter().zip(&row.args).enumerate() {
            let sort = &self.operations.sorts[sort];
            let fixed = mask >> i & 1 == 1 || !op.open[i];
            let _ = write!(
                name,
                "{}{}",
                if i > 0 { "," } else { "" },
                if fixed { &sort.constants[number].label } else { "_" }
            );
        }
        let _ = write!(name, "={}", if mask >> op.args.len() & 1 == 1 { result } else { "_" });
        name
    }

    /// The number of each row's value among the values of an operation, and the word for it: a constant's, or its number.
    fn results(&self, op: &Operation) -> Vec<(usize, String)> {
        let constants = &self.operations.sorts[op.result].constants;
        let mut known: BTreeMap<&Value, usize> = BTreeMap::new();
        let mut words = Vec::with_capacity(op.rows.len());
        for row in &op.rows {
            let next = known.len();
            let number = *known.entry(&row.value).or_insert(next);
            let constant = constants.iter().find(|c| c.value.as_ref() == Some(&row.value));
            words.push((number, constant.map_or_else(|| format!("v{number}"), |c| c.label.clone())));
        }
        words
    }

    fn pool(&self, late: bool) -> &TermPool {
        self.pools[usize::from(late)].get_or_init(|| {
            let mut pool = TermPool::new();
            for level in 0..self.depth {
                let mut next: Vec<((usize, Value), Term)> = Vec::new();
                for (number, op) in self.operations.all.iter().enumerate() {
                    let rows = if late { &op.rows } else { &op.rows[..op.first] };
                    for (k, row) in rows.iter().enumerate() {
                        let part = |i: usize| self.part((op, row), i, k, (level > 0).then_some(&pool));
                        let args = (0..op.args.len()).map(part).collect();
                        next.push(((op.result, row.value.clone()), Term::Apply(number, args)));
                    }
                }
                for (key, term) in next {
                    let known = pool.entry(key).or_default();
                    if level == 0 || !known.contains(&term) {
                        known.push(term);
                    }
                }
            }
            pool
        })
    }

    /// A term for an argument of a row: of the pool so far, or the constant itself.
    fn part(&self, (op, row): (&Operation, &Row), i: usize, turn: usize, pool: Option<&TermPool>) -> Term {
        let (sort, number) = (op.args[i], row.args[i]);
        if !op.open[i] {
            return Term::Fixed(sort, number);
        }
        let constant = &self.operations.sorts[sort].constants[number];
        let found = constant.value.as_ref().and_then(|value| pool?.get(&(sort, value.clone())));
        match found {
            // Numbers without a common factor lead to different terms in different places.
            Some(terms) => terms[(turn * 31 + i * 7) % terms.len()].clone(),
            None => Term::Constant(sort, number),
        }
    }

    /// Term synthesis: terms of the right values as arguments and result, then constants become variables.
    fn terms(&self, which: usize) -> impl Iterator<Item = Test> + '_ {
        let op = &self.operations.all[which];
        let rows = op.rows.iter().enumerate();
        rows.flat_map(move |(k, row)| (0..TURNS).map(move |turn| (k, row, turn))).flat_map(
            move |(k, row, turn)| {
                let pool = self.pool(k >= op.first);
                let spread = k * TURNS + turn;
                let part = |i: usize| self.part((op, row), i, spread, Some(pool));
                let left = Term::Apply(which, (0..op.args.len()).map(part).collect());
                let others = pool.get(&(op.result, row.value.clone())).map_or(&[][..], Vec::as_slice);
                let other = |n: usize| &others[(spread * 17 + n) % others.len()];
                let right = (0..others.len()).map(other).find(|term| **term != left);
                let mut made = Vec::new();
                if let Some(right) = right {
                    made.push(self.generalised(op, &left, right, false, spread));
                    if self.partial {
                        made.push(self.generalised(op, &left, right, true, spread));
                    }
                }
                made
            },
        )
    }

    fn generalised(&self, op: &Operation, left: &Term, right: &Term, partial: bool, number: usize) -> Test {
        let mut writer = Writer { of: self, partial, known: Vec::new() };
        let mut formula = String::from("(= ");
        writer.write(left, &mut formula);
        formula.push(' ');
        writer.write(right, &mut formula);
        formula.push(')');
        let variables = writer.known.iter().enumerate().map(|(k, &(sort, constant, _))| {
            let sorts = &self.operations.sorts;
            (format!("tmp_{}{k}", sorts[sort].short), sort, sorts[sort].constants[constant].text.as_str())
        });
        let variables: Vec<_> = variables.collect();
        // Other depths have other terms, so that they have other names.
        let depth = if self.depth > 1 { format!("+d{}", self.depth) } else { String::new() };
        let name = format!("{}/{number:03}{depth}{}", op.name, if partial { "+part" } else { "" });
        self.test(Category::Term, &name, &formula, &variables)
    }
}

/// Writes terms with variables in the places of constants: the same constant is the same variable everywhere.
struct Writer<'a> {
    of: &'a Satisfiable,
    /// Whether every second occurrence of a constant stays.
    partial: bool,
    /// The constants that are variables now, and how often each occurred.
    known: Vec<(usize, usize, usize)>,
}

impl Writer<'_> {
    fn write(&mut self, term: &Term, out: &mut String) {
        match term {
            Term::Fixed(sort, number) => {
                out.push_str(&self.of.operations.sorts[*sort].constants[*number].text);
            }
            Term::Constant(sort, number) => {
                let of = &self.of.operations.sorts[*sort];
                let same = |(s, n, _): &(usize, usize, usize)| s == sort && n == number;
                let k = self.known.iter().position(same).unwrap_or_else(|| {
                    self.known.push((*sort, *number, 0));
                    self.known.len() - 1
                });
                self.known[k].2 += 1;
                if self.partial && self.known[k].2.is_multiple_of(2) {
                    out.push_str(&of.constants[*number].text);
                } else {
                    let _ = write!(out, "tmp_{}{k}", of.short);
                }
            }
            Term::Apply(op, args) => {
                let op = &self.of.operations.all[*op];
                out.push_str(&op.pieces[0]);
                for (arg, piece) in args.iter().zip(&op.pieces[1..]) {
                    self.write(arg, out);
                    out.push_str(piece);
                }
            }
        }
    }
}
