//! Points: models that are drawn without looking at a formula, corners first.

mod corners;

use std::collections::BTreeSet;

use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;
use rustc_hash::FxHashSet;

use crate::Pool;
use crate::eval::eval;
use crate::gap::Fuel;
use crate::model::Model;
use crate::script::Script;
use crate::sort::{Sort, SortId};
use crate::term::{FunId, FunKind, Head, TermId};
use crate::value::float::{Float, Format};
use crate::value::{Array, BitVec, Value, cardinality};
use corners::{MOST_CORNERS, corners, near};

/// Combinations of corners are listed one after the other if there are at most so many.
const MOST_LISTED: u64 = 1000;
/// Sorts inside sorts, no deeper than this.
const DEEPEST: u32 = 3;
/// More symbols than this are not drawn for.
const MOST_SYMBOLS: usize = 32;

/// Draws models of the declared functions below some terms.
///
/// The first points combine corners: 0, 1, -1, the largest, the smallest, the empty string, NaN, both zeros, and what is near the
/// literals of the terms. Later ones mix corners with random values. The same number gives the same point.
///
/// ```
/// use smt::{Fuel, Points, eval};
///
/// let script = smt::read(b"(declare-const x Int)(assert (= (* x x) x))").expect("well-sorted");
/// let term = script.term_of(1, 0).expect("an assertion");
/// let mut points = Points::of(&script, &[term]).expect("integers can be drawn");
/// let values: Vec<_> = (0..3).map(|n| eval(term, points.at(n), &mut Fuel::default())).collect();
/// use smt::value::Value::Bool;
/// assert_eq!(values, [Ok(Bool(true)), Ok(Bool(true)), Ok(Bool(false))], "0, 1 and -1");
/// ```
pub struct Points {
    model: Model,
    symbols: Vec<Drawn>,
    /// How many combinations of corners there are.
    corners: u64,
    /// Whether the corners are all values.
    is_all: bool,
}

/// A symbol that is given values.
struct Drawn {
    fun: FunId,
    result: SortId,
    corners: Vec<Value>,
    /// Places of a function that may get values of their own; none for a constant.
    places: Vec<Value>,
}

impl Points {
    /// Points for the declared functions below these terms of a script; none if values of a sort cannot be drawn.
    pub fn of(script: &Script, terms: &[TermId]) -> Option<Points> {
        let model = Model::empty(script);
        let pool = model.pool();
        let mut symbols = Vec::new();
        let (mut corners, mut is_all) = (1_u64, true);
        let (declared, literals) = below(&model, terms);
        for fun in declared {
            let drawn = Drawn::of(pool, fun, &literals)?;
            corners = corners.saturating_mul(drawn.corners.len() as u64);
            let size = cardinality(pool, drawn.result).unwrap_or(u64::MAX);
            is_all &= drawn.places.is_empty() && size <= drawn.corners.len() as u64;
            symbols.push(drawn);
            if symbols.len() > MOST_SYMBOLS {
                return None;
            }
        }
        Some(Points { model, symbols, corners, is_all })
    }

    /// How many different points there are; none if there is no end.
    pub fn count(&self) -> Option<u64> {
        (self.is_all && self.corners <= MOST_LISTED).then_some(self.corners)
    }

    /// The point of a number.
    pub fn at(&mut self, number: u64) -> &Model {
        for (fun, value) in self.values(number) {
            self.model.set_value(fun, value);
        }
        &self.model
    }

    /// The point of a number, as a model of a script that can be written as definitions.
    pub fn written(&self, script: &Script, number: u64) -> Model {
        let mut model = Model::empty(script);
        for (fun, value) in self.values(number) {
            model.give(fun, &value);
        }
        model
    }

    fn values(&self, number: u64) -> Vec<(FunId, Value)> {
        let pool = self.model.pool();
        let mut chance = Chance(number);
        let mut rest = number;
        let listed = number < self.corners && self.corners <= MOST_LISTED;
        let mut found = Vec::with_capacity(self.symbols.len());
        for symbol in &self.symbols {
            let value = if listed {
                let count = symbol.corners.len() as u64;
                let corner = symbol.corners[(rest % count) as usize].clone();
                rest /= count;
                corner
            } else {
                symbol.some(pool, &mut chance)
            };
            found.push((symbol.fun, symbol.tabled(pool, value, listed, &mut chance)));
        }
        found
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
        let mut places = vec![Vec::new()];
        for &sort in &decl.args {
            let values = corners::corners(pool, sort, DEEPEST)?;
            let longer = |place: &Vec<Value>| {
                let place = place.clone();
                values.iter().take(4).map(move |v| [&place[..], std::slice::from_ref(v)].concat())
            };
            places = places.iter().flat_map(longer).take(MOST_CORNERS).collect();
        }
        let places = match decl.args.len() {
            0 => Vec::new(),
            1 => places.into_iter().flatten().collect(),
            _ => places.into_iter().map(Value::tuple).collect::<Result<_, _>>().ok()?,
        };
        Some(Drawn { fun, result: decl.result, corners, places })
    }

    /// A corner, or a random value.
    fn some(&self, pool: &Pool, chance: &mut Chance) -> Value {
        let corner = &self.corners[chance.below(self.corners.len() as u64) as usize];
        let random = if chance.below(4) > 0 { None } else { random(pool, self.result, chance) };
        random.unwrap_or_else(|| corner.clone())
    }

    /// The value of a constant, or a function that has this value but at some places.
    fn tabled(&self, pool: &Pool, value: Value, listed: bool, chance: &mut Chance) -> Value {
        if self.places.is_empty() {
            return value;
        }
        let mut table = Array::constant(value);
        for place in &self.places {
            if !listed && chance.below(2) == 0 {
                table.set(place.clone(), self.some(pool, chance));
            }
        }
        Value::array(table).unwrap_or(Value::Bool(false))
    }
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
    use crate::value::write;

    fn points(declared: &str) -> (Script, Points) {
        let script = read(format!("{declared}(assert (= x x))").as_bytes()).expect(declared);
        let term = script.term_of(script.commands.len() - 1, 0).expect("an assertion");
        let points = Points::of(&script, &[term]).expect(declared);
        (script, points)
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
            let (script, mut points) = points(&format!("{list}(declare-const x {sort})"));
            assert_eq!(points.count(), *count, "{sort}");
            let fun = script.pool.functions().last().expect("x");
            let first: Vec<String> = (0..64)
                .map(|n| {
                    let value = points.at(n).element(fun).expect("a value");
                    write(&script.pool, script.pool.fun(fun).result, &value).expect(sort)
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
        let points = Points::of(&script, &[term]).expect("all can be drawn");
        let corners: Vec<String> = points
            .symbols
            .iter()
            .flat_map(|s| s.corners.iter().map(|v| write(&script.pool, s.result, v).expect("plain")))
            .collect();
        for value in ["40", "41", "42", "#x1233", "#x1234", "#x1235", "\"xyz\""] {
            assert!(corners.iter().any(|one| one == value), "{value}: {corners:?}");
        }
    }

    #[test]
    fn points_are_written_and_drawn_again() {
        let text = "(declare-const y (_ BitVec 8))(declare-fun f ((_ BitVec 8) Int) Int)(declare-const n Int)\
                    (assert (> (f (bvadd y #x01) (f y n)) n))(check-sat)";
        let script = read(text.as_bytes()).expect("well-sorted");
        let term = script.term_of(3, 0).expect("an assertion");
        let mut points = Points::of(&script, &[term]).expect("all can be drawn");
        let mut seen = BTreeSet::new();
        for n in 0..400 {
            let drawn = eval(term, points.at(n), &mut Fuel::default());
            let written = points.written(&script, n);
            assert_eq!(eval(term, &written, &mut Fuel::default()), drawn, "{n}");
            assert_eq!(written.definitions().len(), 3);
            seen.insert(written.definitions());
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
            let script = read(format!("{declared}(assert (= x x))").as_bytes()).expect(declared);
            let term = script.term_of(script.commands.len() - 1, 0).expect("an assertion");
            assert!(Points::of(&script, &[term]).is_none(), "{declared}");
        }
    }
}
