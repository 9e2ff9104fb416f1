//! The rules of approximation that go both ways, as equivalences.

use super::rules::{Direction, Kind, Rule, When, rules};

/// An equivalence: its name, its variables with their sorts, and its two sides.
type Equivalence = (String, Vec<(String, String)>, String, String);

/// The rules that go both ways and that hold for all values, at each sort that they are for.
pub(in crate::strategy) fn two_way_rules() -> Vec<Equivalence> {
    let plain = |rule: &&Rule| {
        let words = [rule.from, rule.to].concat();
        let written = ["@", "forall", "exists", "rest", "divisible"].iter().any(|word| words.contains(word));
        rule.way == Direction::Both && rule.when == When::Any && !written
    };
    rules()
        .iter()
        .filter(plain)
        .flat_map(|rule| sorts(rule.kind).iter().map(|sort| equivalence(rule, sort)))
        .collect()
}

fn equivalence(rule: &Rule, sort: &str) -> Equivalence {
    let words = smt::sexpr::words(rule.from).chain(smt::sexpr::words(rule.to));
    let mut letters: Vec<&str> =
        words.filter(|word| word.len() == 1 && word.bytes().all(|b| b.is_ascii_alphabetic())).collect();
    letters.sort_unstable();
    letters.dedup();
    let variables =
        letters.into_iter().map(|letter| (letter.to_owned(), sort_of(letter, sort).to_owned())).collect();
    let name = if sorts(rule.kind).len() > 1 { format!("{} {sort}", rule.id) } else { rule.id.to_owned() };
    (name, variables, rule.from.to_owned(), rule.to.to_owned())
}

/// The sorts of `x` that a rule is for, as patterns.
fn sorts(kind: Kind) -> &'static [&'static str] {
    match kind {
        Kind::Any => &["A"],
        Kind::Formula => &["Bool"],
        Kind::Int => &["Int"],
        Kind::Real => &["Real"],
        Kind::Number => &["Int", "Real"],
        Kind::Vector => &["(_ BitVec n)"],
        Kind::Float => &["(_ FloatingPoint e s)"],
        Kind::Text => &["String"],
        Kind::Array => &["(Array A B)"],
        Kind::Seq => &["(Seq A)"],
        Kind::Set => &["(Set A)"],
    }
}

/// The sort of a metavariable where `x` has this one.
fn sort_of<'s>(letter: &str, sort: &'s str) -> &'s str {
    match letter {
        "p" | "q" | "r" => "Bool",
        "i" | "j" => "A",
        "v" if sort.starts_with("(Array") => "B",
        "e" => "A",
        "k" => "Int",
        "R" | "S" => "RegLan",
        _ => sort,
    }
}
