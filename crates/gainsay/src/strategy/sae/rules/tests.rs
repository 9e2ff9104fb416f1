//! Every rule fires and holds, by our evaluator; the rows that do not hold are not there.

use std::fmt::Write;

use smt::value::Value;
use smt::{Fuel, Model, Script, SortId, TermId, write_term};

use super::super::constants::edge;
use super::super::example::{applied, sort_of, sorts};
use super::super::schema::{Read, book, schema};
use super::{Kind, Way};
use crate::case::Choices;

/// Some value of a sort, as text.
fn value(script: &mut Script, sort: &str, choices: &mut Choices) -> Option<String> {
    let pool = &mut script.pool;
    let id = match sort {
        "Bool" => SortId::BOOL,
        "Int" => SortId::INT,
        "Real" => SortId::REAL,
        "String" => SortId::STRING,
        "(_ FloatingPoint 3 4)" => pool.sort_id(smt::Sort::Float(3, 4))?,
        "(_ FloatingPoint 5 11)" => pool.sort_id(smt::Sort::Float(5, 11))?,
        "(Seq Int)" => {
            let one = choices.below(3);
            return Some(match choices.below(3) {
                0 => "(as seq.empty (Seq Int))".to_owned(),
                1 => format!("(seq.unit {one})"),
                _ => format!("(seq.++ (seq.unit {one}) (seq.unit {}))", choices.below(3)),
            });
        }
        "(Set Int)" => {
            let one = choices.below(3);
            return Some(match choices.below(3) {
                0 => "(as set.empty (Set Int))".to_owned(),
                1 => format!("(set.singleton {one})"),
                _ => format!("(set.union (set.singleton {one}) (set.singleton {}))", choices.below(4)),
            });
        }
        _ if sort.starts_with("(Array") => {
            let (index, element) = (sort_of('i', sort), sort_of('v', sort));
            let mut text = format!("((as const {sort}) {})", value(script, &element, choices)?);
            for _ in 0..choices.below(3) {
                let (i, v) = (value(script, &index, choices)?, value(script, &element, choices)?);
                text = format!("(store {text} {i} {v})");
            }
            return Some(text);
        }
        vector => {
            let width: u32 = vector.strip_prefix("(_ BitVec ")?.trim_end_matches(')').parse().ok()?;
            pool.bitvec(width)
        }
    };
    // Small numbers meet each other more often.
    let value = match sort {
        "Int" if choices.happens(3, 4) => Value::Int((choices.below(9) as i64 - 4).into()),
        _ => edge(pool, id, choices)?,
    };
    let term = pool.value(id, &value).ok()?;
    Some(write_term(pool, term))
}

/// Whether the way goes from one truth value to the other: none if it is open.
fn holds(script: &mut Script, sides: (TermId, TermId), way: Way, choices: &mut Choices) -> Option<bool> {
    let mut text = String::from("(");
    for fun in script.pool.functions().collect::<Vec<_>>() {
        let (name, sort) = (script.pool.fun(fun).spelling, script.pool.fun(fun).result);
        let (name, sort) = (script.pool.text(name).to_owned(), smt::sort_text(&script.pool, sort));
        let value = value(script, &sort, choices)?;
        let _ = write!(text, "(define-fun {name} () {sort} {value})");
    }
    text.push(')');
    let model = Model::read(script, None, text.as_bytes()).expect("a model");
    let truth = |term| match smt::eval(term, &model, &mut Fuel::new(100_000)) {
        Ok(Value::Bool(truth)) => Some(truth),
        _ => None,
    };
    let (from, to) = (truth(sides.0)?, truth(sides.1)?);
    Some(match way {
        Way::Over => !from || to,
        Way::Under => from || !to,
        Way::Both => from == to,
    })
}

fn all() -> impl Iterator<Item = &'static Read> {
    book().rules.iter().chain(&book().injections)
}

#[test]
fn every_rule_fires_and_holds_for_random_values() {
    let mut silent = Vec::new();
    for read in all() {
        let (mut fired, mut known) = (0, 0);
        for sort in sorts(read.rule.kind) {
            // Elements of short sequences are known only at small indices.
            let draws = if read.rule.kind == Kind::Seq { 40 } else { 6 };
            for draw in 0..draws {
                let Some((mut script, from, to)) = applied(read, sort, draw, "cvc5") else { continue };
                fired += 1;
                let mut choices = Choices::drawn(draw, "values", 0);
                for _ in 0..12 {
                    let sides = (from, to);
                    let verdict = holds(&mut script, sides, read.rule.way, &mut choices);
                    known += u32::from(verdict.is_some());
                    let (from, to) = (write_term(&script.pool, from), write_term(&script.pool, to));
                    assert_ne!(verdict, Some(false), "{} at {sort}: {from} → {to}", read.rule.id);
                }
            }
        }
        if fired == 0 || known == 0 {
            silent.push(read.rule.id);
        }
    }
    assert_eq!(silent, [""; 0], "rules that never fire or whose sides are never known");
}

/// Rows of the published table, and natural readings of it, that do not hold: kind, left side, way, right side.
const UNSOUND: &[(Kind, &str, Way, &str)] = &[
    (Kind::Vector, "(bvsle x y)", Way::Under, "(bvsgt x y)"),
    (Kind::Vector, "(bvule x y)", Way::Over, "(bvult x (bvadd y a))"),
    (Kind::Vector, "(bvult x y)", Way::Under, "(bvule (bvadd x a) y)"),
    (Kind::Float, "(not (fp.lt x y))", Way::Over, "(fp.geq x y)"),
    (Kind::Float, "(not (fp.leq x y))", Way::Over, "(fp.gt x y)"),
    (Kind::Float, "(= x y)", Way::Over, "(fp.eq x y)"),
    (Kind::Float, "(= x y)", Way::Under, "(fp.eq x y)"),
    (Kind::Float, "(fp.eq x y)", Way::Under, "(= x y)"),
    (Kind::Float, "(fp.eq x y)", Way::Over, "(= x y)"),
    (Kind::Float, "(fp.leq x y)", Way::Under, "(fp.leq (fp.max x a) y)"),
    (Kind::Float, "(fp.isPositive x)", Way::Under, "(fp.geq x @Z)"),
    (Kind::Text, "(str.suffixof x y)", Way::Over, "(str.<= x y)"),
    (Kind::Text, "(str.contains x y)", Way::Over, "(str.<= y x)"),
    (
        Kind::Text,
        "(= x y)",
        Way::Under,
        "(and (str.suffixof x a) (str.prefixof x a) (str.suffixof y a) (str.prefixof y a))",
    ),
];

#[test]
fn what_does_not_hold_is_refuted_and_not_there() {
    for &(kind, from, way, to) in UNSOUND {
        let there = all().find(|read| {
            let same = read.from == schema(from) && read.to == schema(to);
            same && read.rule.kind == kind && read.serves(way)
        });
        assert!(there.is_none_or(|read| read.rule.when != super::When::Any), "{from} → {to} is there");
        let rule =
            Box::leak(Box::new(super::Rule { id: "wrong", kind, from, way, to, when: super::When::Any }));
        let read = Read { rule, from: schema(from), to: schema(to) };
        let refuted = sorts(kind).iter().any(|sort| {
            (0..60).any(|draw| {
                let Some((mut script, from, to)) = applied(&read, sort, draw, "") else { return false };
                let mut choices = Choices::drawn(draw, "values", 1);
                (0..20).any(|_| holds(&mut script, (from, to), way, &mut choices) == Some(false))
            })
        });
        assert!(refuted, "{from} → {to} should be refuted");
    }
}
