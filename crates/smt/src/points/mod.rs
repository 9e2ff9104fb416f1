//! Points: models that are drawn without looking at a formula, corners first.

mod compare;
mod corners;
mod sheet;

use std::collections::BTreeSet;

use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;
use rustc_hash::FxHashSet;

use crate::Pool;
use crate::eval::eval;
use crate::gap::Fuel;
use crate::model::Model;
use crate::sort::{Sort, SortId};
use crate::term::{FunId, FunKind, Head, TermId};
use crate::value::float::{Float, Format};
use crate::value::{Array, BitVec, Value, cardinality};
use corners::{MOST_CORNERS, corners, near};
pub use sheet::Work;

/// Combinations of corners are listed one after the other if there are at most so many.
const MOST_LISTED: u64 = 1000;
/// Sorts inside sorts, no deeper than this.
const DEEPEST: u32 = 3;
/// So many random values of each constant are drawn from.
const RANDOM: usize = 100;
/// So many functions are drawn from for each symbol with arguments.
const TABLES: usize = 64;
/// So many of them are combined with the corners of other symbols.
const FIRST_TABLES: usize = 12;
/// More symbols than this are not drawn for.
const MOST_SYMBOLS: usize = 32;

/// Draws models of the declared functions below some terms.
///
/// The first points combine corners: 0, 1, -1, the largest, the smallest, the empty string, NaN, both zeros, and what is near the
/// literals of the terms. Later ones mix corners with random values. The same number gives the same point.
///
/// ```
/// use smt::{Fuel, Model, Points, eval};
///
/// let script = smt::read(b"(declare-const x Int)(assert (= (* x x) x))").expect("well-sorted");
/// let term = script.term_of(1, 0).expect("an assertion");
/// let model = Model::empty(&script);
/// let points = Points::of(&model, &[term]).expect("integers can be drawn");
/// let values: Vec<_> = (0..3).map(|n| eval(term, &points.at(n), &mut Fuel::default())).collect();
/// use smt::value::Value::Bool;
/// assert_eq!(values, [Ok(Bool(true)), Ok(Bool(true)), Ok(Bool(false))], "0, 1 and -1");
/// ```
pub struct Points<'m> {
    /// A model that says nothing of the symbols.
    base: &'m Model,
    symbols: Vec<Drawn>,
    /// How many combinations of corners there are.
    corners: u64,
    /// Whether the corners are all values.
    is_all: bool,
}

/// A symbol that is given values.
struct Drawn {
    fun: FunId,
    /// The values that it can have, corners first: of its sort, or tables.
    values: Vec<Value>,
    /// How many of them are corners.
    corners: usize,
}

impl<'m> Points<'m> {
    /// Points for the declared functions below these terms, about which the model says nothing; none if values of a sort cannot
    /// be drawn.
    pub fn of(base: &'m Model, terms: &[TermId]) -> Option<Points<'m>> {
        let pool = base.pool();
        let mut symbols = Vec::new();
        let (mut corners, mut is_all) = (1_u64, true);
        let (declared, literals) = below(base, terms);
        for fun in declared {
            let drawn = Drawn::of(pool, fun, &literals)?;
            corners = corners.saturating_mul(drawn.corners as u64);
            let size = cardinality(pool, pool.fun(fun).result).unwrap_or(u64::MAX);
            is_all &= pool.fun(fun).args.is_empty() && size <= drawn.corners as u64;
            symbols.push(drawn);
            if symbols.len() > MOST_SYMBOLS {
                return None;
            }
        }
        Some(Points { base, symbols, corners, is_all })
    }

    /// How many different points there are; none if there is no end.
    pub fn count(&self) -> Option<u64> {
        (self.is_all && self.corners <= MOST_LISTED).then_some(self.corners)
    }

    /// The point of a number, as a model that can be written as definitions.
    pub fn at(&self, number: u64) -> Model {
        let mut model = self.base.clone();
        let mut chosen = Vec::new();
        self.choose(number, &mut chosen);
        for (symbol, &place) in self.symbols.iter().zip(&chosen) {
            model.give(symbol.fun, &symbol.values[place]);
        }
        model
    }

    /// The places of the values that the symbols have at a point.
    fn choose(&self, number: u64, chosen: &mut Vec<usize>) {
        chosen.clear();
        let listed = number < self.corners && self.corners <= MOST_LISTED;
        let (mut rest, mut chance) = (number, Chance(number));
        for symbol in &self.symbols {
            let corners = symbol.corners as u64;
            let others = symbol.values.len() as u64 - corners;
            chosen.push(if listed {
                let place = rest % corners;
                rest /= corners;
                place as usize
            } else if others > 0 && chance.below(4) == 0 {
                (corners + chance.below(others)) as usize
            } else {
                chance.below(corners) as usize
            });
        }
    }
}

impl Drawn {
    fn of(pool: &Pool, fun: FunId, literals: &BTreeSet<Value>) -> Option<Drawn> {
        let decl = pool.fun(fun);
        let mut corners = corners(pool, decl.result, DEEPEST)?;
        for value in literals.iter().flat_map(|literal| near(pool, decl.result, literal)) {
            if !corners.contains(&value) && corners.len() < MOST_CORNERS {
                corners.push(value);
            }
        }
        let mut chance = Chance(u64::from(fun.0));
        let mut count = corners.len();
        let mut values = corners;
        values.extend((0..RANDOM).map_while(|_| random(pool, decl.result, &mut chance)));
        if !decl.args.is_empty() {
            values = tables(&places(pool, &decl.args)?, &values, &mut chance);
            count = FIRST_TABLES;
        }
        Some(Drawn { fun, values, corners: count })
    }
}

/// Places of a function of these arguments that may get values of their own.
fn places(pool: &Pool, args: &[SortId]) -> Option<Vec<Value>> {
    let mut places = vec![Vec::new()];
    for &sort in args {
        let values = corners(pool, sort, DEEPEST)?;
        let longer = |place: &Vec<Value>| {
            let place = place.clone();
            values.iter().take(4).map(move |v| [&place[..], std::slice::from_ref(v)].concat())
        };
        places = places.iter().flat_map(longer).take(MOST_CORNERS).collect();
    }
    match args.len() {
        1 => Some(places.into_iter().flatten().collect()),
        _ => places.into_iter().map(|place| Value::tuple(place).ok()).collect(),
    }
}

/// Functions, of which every fourth is constant. The others have other values at about half of some places.
fn tables(places: &[Value], values: &[Value], chance: &mut Chance) -> Vec<Value> {
    let some = |chance: &mut Chance| values[chance.below(values.len() as u64) as usize].clone();
    let table = |number: usize| {
        if number.is_multiple_of(4) {
            return Array::constant(values[number / 4 % values.len()].clone());
        }
        let mut table = Array::constant(some(chance));
        for place in places {
            if chance.below(2) == 0 {
                table.set(place.clone(), some(chance));
            }
        }
        table
    };
    let all = (0..TABLES).map(table);
    all.map(|table| Value::array(table).unwrap_or(Value::Bool(false))).collect()
}

/// The declared functions and the values of literals below these terms, bodies of definitions included.
fn below(model: &Model, terms: &[TermId]) -> (BTreeSet<FunId>, BTreeSet<Value>) {
    let pool = model.pool();
    let (mut seen, mut functions, mut literals) = (FxHashSet::default(), BTreeSet::new(), BTreeSet::new());
    let mut left = terms.to_vec();
    while let Some(term) = left.pop() {
        if !seen.insert(term) {
            continue;
        }
        match pool.node(term).head {
            Head::Fun(fun) => {
                left.extend(pool.body(fun).map(|(_, body)| body));
                if pool.fun(fun).kind == FunKind::Declared {
                    functions.insert(fun);
                }
            }
            Head::Literal(_) => literals.extend(eval(term, model, &mut Fuel::default())),
            _ => {}
        }
        left.extend_from_slice(pool.args(term));
    }
    (functions, literals)
}

/// A random value of a sort that has many; none for others.
fn random(pool: &Pool, sort: SortId, chance: &mut Chance) -> Option<Value> {
    let small = |chance: &mut Chance| IBig::from(chance.below(201)) - IBig::from(100);
    Some(match pool.sort(sort) {
        Sort::Int => Value::Int(small(chance)),
        Sort::Real => Value::Real(RBig::from_parts(small(chance), UBig::from(chance.below(9) + 1))),
        Sort::BitVec(width) => Value::BitVec(BitVec::new(width, chance.bits(width))),
        Sort::Float(eb, sb) => {
            Value::Float(Float::from_bits(Format::new(eb, sb).ok()?, &chance.bits(eb + sb)))
        }
        Sort::String => {
            let letters = ['a', 'b', '0', '1', 'A'];
            let length = chance.below(6);
            Value::Text((0..length).map(|_| u32::from(letters[chance.below(5) as usize])).collect())
        }
        _ => return None,
    })
}

/// Numbers that look random and depend on the first one only.
struct Chance(u64);

impl Chance {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, end: u64) -> u64 {
        self.next() % end.max(1)
    }

    fn bits(&mut self, width: u32) -> UBig {
        let mut bits = UBig::ZERO;
        for _ in 0..width.div_ceil(64) {
            bits = (bits << 64_usize) + UBig::from(self.next());
        }
        bits & ((UBig::ONE << width as usize) - UBig::ONE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read;
    use crate::script::Script;
    use crate::value::write;

    fn equality(declared: &str) -> (Script, TermId) {
        let script = read(format!("{declared}(assert (= x x))").as_bytes()).expect(declared);
        let term = script.term_of(script.commands.len() - 1, 0).expect("an assertion");
        (script, term)
    }

    #[test]
    fn corners_of_each_sort_come_first() {
        // The sort, the number of points if there is an end, and some values that must be among the first.
        let rows: &[(&str, Option<u64>, &[&str])] = &[
            ("Bool", Some(2), &["false", "true"]),
            ("Int", None, &["0", "1", "(- 1)", "18446744073709551616"]),
            ("Real", None, &["0.0", "(/ 1.0 3.0)", "(- 0.5)"]),
            ("(_ BitVec 3)", Some(8), &["#b000", "#b111", "#b100", "#b011"]),
            ("(_ BitVec 8)", None, &["#x00", "#x01", "#xff", "#x80", "#x7f", "#x08"]),
            (
                "(_ FloatingPoint 8 24)",
                None,
                &[
                    "(_ NaN 8 24)",
                    "(fp #b0 #b00000000 #b00000000000000000000000)",
                    "(fp #b1 #b00000000 #b00000000000000000000000)",
                    "(fp #b1 #b11111111 #b00000000000000000000000)",
                ],
            ),
            ("RoundingMode", Some(5), &["RNE", "RTZ"]),
            ("String", None, &["\"\"", "\"a\"", "\"-1\""]),
            ("(Seq Int)", None, &["(as seq.empty (Seq Int))", "(seq.unit 0)"]),
            ("(Array Int Int)", None, &["((as const (Array Int Int)) 0)"]),
            ("L", None, &["nil", "(cons 0 nil)"]),
        ];
        for (sort, count, wanted) in rows {
            let list = "(declare-datatypes ((L 0)) (((nil) (cons (head Int) (tail L)))))";
            let (script, term) = equality(&format!("{list}(declare-const x {sort})"));
            let model = Model::empty(&script);
            let points = Points::of(&model, &[term]).expect(sort);
            assert_eq!(points.count(), *count, "{sort}");
            let fun = script.pool.functions().last().expect("x");
            let first: Vec<String> = (0..64)
                .map(|n| {
                    let mut chosen = Vec::new();
                    points.choose(n, &mut chosen);
                    let value = &points.symbols[0].values[chosen[0]];
                    write(&script.pool, script.pool.fun(fun).result, value).expect(sort)
                })
                .collect();
            for value in *wanted {
                assert!(first.iter().any(|one| one == value), "{sort} {value}: {first:?}");
            }
        }
    }

    #[test]
    fn what_is_near_a_literal_is_a_corner() {
        let text = "(declare-const n Int)(declare-const b (_ BitVec 16))(declare-const s String)\
                    (assert (and (< n 41) (bvult b #x1234) (distinct s \"xyz\")))";
        let script = read(text.as_bytes()).expect("well-sorted");
        let term = script.term_of(3, 0).expect("an assertion");
        let model = Model::empty(&script);
        let points = Points::of(&model, &[term]).expect("all can be drawn");
        let mut corners = Vec::new();
        for symbol in &points.symbols {
            let sort = script.pool.fun(symbol.fun).result;
            let values = symbol.values[..symbol.corners].iter();
            corners.extend(values.map(|value| write(&script.pool, sort, value).expect("plain")));
        }
        for value in ["40", "41", "42", "#x1233", "#x1234", "#x1235", "\"xyz\""] {
            assert!(corners.iter().any(|one| one == value), "{value}: {corners:?}");
        }
    }

    #[test]
    fn points_can_be_written() {
        let text = "(declare-const y (_ BitVec 8))(declare-fun f ((_ BitVec 8) Int) Int)(declare-const n Int)\
                    (assert (> (f (bvadd y #x01) (f y n)) n))(check-sat)";
        let script = read(text.as_bytes()).expect("well-sorted");
        let term = script.term_of(3, 0).expect("an assertion");
        let model = Model::empty(&script);
        let points = Points::of(&model, &[term]).expect("all can be drawn");
        let mut seen = BTreeSet::new();
        for n in 0..400 {
            let written = points.at(n).definitions();
            assert_eq!(written, points.at(n).definitions(), "the same number gives the same point");
            assert_eq!(written.len(), 3);
            seen.insert(written);
        }
        assert!(seen.len() > 300, "{}", seen.len());
    }

    #[test]
    fn what_cannot_be_drawn_has_no_points() {
        for declared in [
            "(declare-sort U 0)(declare-const x U)",
            "(declare-const x RegLan)",
            "(declare-codatatypes ((S 0)) (((s (t S)))))(declare-const x S)",
        ] {
            let (script, term) = equality(declared);
            assert!(Points::of(&Model::empty(&script), &[term]).is_none(), "{declared}");
        }
    }
}
