//! Every rule fires and holds, by our evaluator; the rows that do not hold are not there.

use std::fmt::Write;

use smt::sexpr::TokenKind;
use smt::value::Value;
use smt::{Fuel, Model, Script, SortId, TermId, write_term};

use super::super::constants::edge;
use super::super::example::{applied, sort_of, sorts};
use super::super::schema::{Read, Schema, book};
use super::{Direction, Kind, Rule, When, table_of};
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
fn holds(
    script: &mut Script,
    sides: (TermId, TermId),
    way: Direction,
    choices: &mut Choices,
) -> Option<bool> {
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
        Direction::Over => !from || to,
        Direction::Under => from || !to,
        Direction::Both => from == to,
    })
}

/// The words and lists that a text is made of.
#[derive(Clone, Debug, PartialEq)]
enum Part {
    Word(String),
    List(Vec<Part>),
}

fn parts(text: &str) -> Part {
    let mut open: Vec<Vec<Part>> = vec![Vec::new()];
    for token in smt::sexpr::tokens(text.as_bytes()) {
        let part = match token.kind {
            TokenKind::Open => {
                open.push(Vec::new());
                continue;
            }
            TokenKind::Close => Part::List(open.pop().expect("a list ends where one is open")),
            _ => Part::Word(token.text(text).to_owned()),
        };
        open.last_mut().expect("the outermost").push(part);
    }
    open.remove(0).remove(0)
}

/// Whether a formula is what the right side of a rule says. Letters that the left side has are constants of that name in
/// the example; others are whatever was drawn, the same wherever the letter is.
fn is_as_told(told: &Part, formula: &Part, fixed: &str, drawn: &mut Vec<(String, Part)>) -> bool {
    match (told, formula) {
        (Part::Word(word), formula) => {
            let letter = word.len() == 1 && word.as_bytes()[0].is_ascii_alphabetic();
            let free = (letter && !fixed.contains(word.as_str())) || word.starts_with('@');
            if free {
                match drawn.iter().find(|(known, _)| known == word) {
                    Some((_, same)) => return same == formula,
                    None => drawn.push((word.clone(), formula.clone())),
                }
                return true;
            }
            let Part::Word(found) = formula else { return false };
            found == word || *found == format!("{word}.0")
        }
        (Part::List(told), Part::List(found)) => {
            let pairs = told.iter().zip(found);
            told.len() == found.len() && pairs.fold(true, |all, (a, b)| all && is_as_told(a, b, fixed, drawn))
        }
        _ => false,
    }
}

/// The letters of a rule's left side that an example has as constants.
fn fixed(rule: &Rule) -> String {
    let letters = rule.from.split([' ', '(', ')']).filter(|w| w.len() == 1 && !"RSlhm".contains(w));
    letters.collect()
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
                let (told, new) = (parts(read.rule.to), write_term(&script.pool, to));
                // What is left over may be one, and a bound variable has a name of its own.
                if !read.rule.to.contains("rest") && !read.rule.to.contains(" u ") {
                    let same = is_as_told(&told, &parts(&new), &fixed(read.rule), &mut Vec::new());
                    assert!(same, "{}: {} gives {new}", read.rule.id, read.rule.to);
                }
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

/// Rows of the published table, and natural readings of it, that do not hold.
const UNSOUND: &str = include_str!("unsound.tsv");

/// Whether an instance of a row is refuted at some sort, with constants that its condition admits.
fn is_refuted(rule: &Rule) -> bool {
    let read = Read::of(Box::leak(Box::new(*rule)));
    sorts(rule.kind).iter().any(|sort| {
        (0..60).any(|draw| {
            let Some((mut script, from, to)) = applied(&read, sort, draw, "") else { return false };
            let mut choices = Choices::drawn(draw, "values", 1);
            (0..20).any(|_| holds(&mut script, (from, to), rule.way, &mut choices) == Some(false))
        })
    })
}

/// The rules of ours that give what a row gives from what it starts from, whatever their conditions: every rule is asked
/// for an instance of the row's left side, in any view of it, and what comes out is compared.
fn giving<'a>(rules: &'a [Rule], row: &Rule) -> Vec<&'a str> {
    let mut found = Vec::new();
    let wrong = Read::of(Box::leak(Box::new(*row)));
    let (from, to) = (&wrong.from, &wrong.to);
    for rule in rules.iter().filter(|rule| rule.way.serves(row.way)) {
        let read = Read::of(Box::leak(Box::new(*rule)));
        let kinds = rule.kind == row.kind || rule.kind == Kind::Any;
        let alike = kinds && renamed(&read.from, from).is_some_and(|names| same(&read.to, to, names));
        let stricter = rule.when != When::Any && rule.when != row.when;
        if alike && !stricter {
            found.push(rule.id);
        }
    }
    found
}

/// Which metavariables of the second stand where those of the first do, if they are the same but for names.
fn renamed(one: &Schema, other: &Schema) -> Option<Vec<(u8, u8)>> {
    let mut names = Vec::new();
    alike(one, other, &mut names).then_some(names)
}

fn same(one: &Schema, other: &Schema, mut names: Vec<(u8, u8)>) -> bool {
    alike(one, other, &mut names)
}

fn alike(one: &Schema, other: &Schema, names: &mut Vec<(u8, u8)>) -> bool {
    match (one, other) {
        (Schema::Hole(a), Schema::Hole(b)) => {
            let known = names.iter().any(|(x, y)| x == a || y == b);
            if !known {
                names.push((*a, *b));
            }
            names.contains(&(*a, *b))
        }
        (
            Schema::Apply { name, indices, args },
            Schema::Apply { name: name2, indices: indices2, args: args2 },
        ) => {
            let parts = args.len() == args2.len() && indices == indices2 && name == name2;
            parts && args.iter().zip(args2).all(|(a, b)| alike(a, b, names))
        }
        (a, b) => a == b,
    }
}

#[test]
fn what_does_not_hold_is_refuted_and_not_there() {
    let ours: Vec<Rule> = all().map(|read| *read.rule).collect();
    let rows: Vec<Rule> = table_of(UNSOUND).collect();
    assert_eq!(rows.len(), 14);
    for row in &rows {
        assert!(is_refuted(row), "{}: {} → {} should be refuted", row.id, row.from, row.to);
        assert_eq!(giving(&ours, row), [""; 0], "{} is there", row.id);
        // The test itself can fail: it sees the row where it is.
        let with: Vec<Rule> = ours.iter().copied().chain([*row]).collect();
        assert_eq!(giving(&with, row), [row.id]);
    }
}
