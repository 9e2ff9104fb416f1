//! Rules of approximation of users: rows of a table, checked before use.

use serde::Deserialize;
use smt::Verdict;

use super::example::{sort_of, sorts};
use super::rules::{Direction, Kind, Rule, When, direction_named, kind_named};
use super::schema::Read;
use crate::case::Choices;
use crate::strategy::points::{failure, literals};
use crate::strategy::rewrite::is_term;

/// The points at which a row is checked, at each sort.
const POINTS: usize = 300;

/// A rule as it stands in a table.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::strategy) struct Row {
    /// The name of the rule.
    pub name: String,
    /// The sort of x, by the words of the tables that come with the program: `Int`, `BitVec`, `String`.
    pub sort: String,
    /// Whether the second formula is weaker (`over`), stronger (`under`) or equivalent (`both`).
    pub direction: String,
    /// A formula over metavariables: one operator with arguments.
    pub from: String,
    /// What it becomes.
    pub to: String,
}

impl Row {
    /// Checks the row and reads it. The error says what is wrong with it.
    pub(super) fn read(&self) -> Result<&'static Read, String> {
        let kind = kind_named(&self.sort).ok_or_else(|| format!("{} is no sort of rules", self.sort))?;
        let way = direction_named(&self.direction)
            .ok_or_else(|| format!("{} is no direction: over, under or both is wanted", self.direction))?;
        for side in [&self.from, &self.to] {
            is_term(side, &letters(side))?;
        }
        if !self.from.starts_with('(') {
            return Err("what it replaces is an operator with arguments".to_owned());
        }
        for sort in sorts(kind) {
            self.check(kind, way, sort)?;
        }
        let kept = |text: &str| -> &'static str { Box::leak(text.to_owned().into_boxed_str()) };
        let id = kept(&self.name);
        let (from, to) = (kept(&self.from), kept(&self.to));
        let rule = Rule { id, ids: id, kind, way, when: When::Any, from, to, proved: "" };
        // A strategy is built once in a run, and its rules are used until the end.
        Ok(Box::leak(Box::new(Read::of(Box::leak(Box::new(rule))))))
    }

    /// Evaluates the row at drawn points of one sort.
    fn check(&self, kind: Kind, way: Direction, sort: &str) -> Result<(), String> {
        let mut names: Vec<char> = letters(&format!("({} {})", self.from, self.to)).into_iter().collect();
        names.sort_unstable();
        names.dedup();
        let named: Vec<(String, String)> = names
            .iter()
            .map(|&name| {
                let formula = name == 'c' && kind == Kind::Formula;
                (name.to_string(), if formula { "Bool".to_owned() } else { sort_of(name, sort) })
            })
            .collect();
        let parameters: Vec<(&str, &str)> = named.iter().map(|(n, s)| (n.as_str(), s.as_str())).collect();
        let (from, to) = (&self.from, &self.to);
        let formula = match way {
            Direction::Over => format!("(=> {from} {to})"),
            Direction::Under => format!("(=> {to} {from})"),
            Direction::Both => format!("(= {from} {to})"),
        };
        let mut choices = Choices::drawn(1, "points", 0);
        let values: Vec<Vec<String>> =
            parameters.iter().map(|(_, sort)| literals(sort, 16, &mut choices)).collect();
        let points: Vec<Vec<&str>> = (0..POINTS)
            .map(|_| values.iter().map(|some| some[choices.below(16) as usize].as_str()).collect())
            .collect();
        let Some(wrong) = failure("", &parameters, &formula, &points)? else { return Ok(()) };
        let at: Vec<String> =
            parameters.iter().zip(&points[wrong.point]).map(|((n, _), v)| format!("{n} = {v}")).collect();
        let at = at.join(", ");
        Err(match wrong.verdict {
            Verdict::Open(gap) => format!("it has no value at {at}: {gap}"),
            _ => format!("it does not hold at {at}"),
        })
    }
}

/// The metavariables of a side: its words of one letter.
fn letters(text: &str) -> Vec<char> {
    let words = smt::sexpr::words(text).filter(|word| word.len() == 1);
    words.filter_map(|word| word.chars().next()).filter(char::is_ascii_alphabetic).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::sync::Arc;

    use super::*;
    use crate::case::Answer;
    use crate::seed::{Asked, Keep, Seed};
    use crate::strategy::sae::{ENTRY, Sae};
    use crate::strategy::{Options, Strategy};

    fn row(sort: &str, direction: &str, from: &str, to: &str) -> Row {
        let [sort, direction, from, to] = [sort, direction, from, to].map(str::to_owned);
        Row { name: "mine".to_owned(), sort, direction, from, to }
    }

    #[test]
    fn rows_are_checked_before_use() {
        // (the sort, the direction, the two formulas, a word of the error; empty for none)
        let rows = [
            ("Int", "over", "(< x y)", "(< x (+ y 1))", ""),
            ("BitVec", "under", "(bvule x y)", "(bvult x y)", ""),
            ("Bool", "both", "(=> p q)", "(or q (not p))", ""),
            ("Array", "under", "(= (select x i) v)", "(= x (store x i v))", ""),
            ("Int", "over", "(< x y)", "(< x (- y 1))", "does not hold at"),
            ("Int", "under", "(< x y)", "(<= x y)", "does not hold at"),
            ("String", "both", "(str.contains x y)", "(str.prefixof y x)", "does not hold at"),
            ("Int", "over", "(= (div x y) y)", "(= x y)", "at x ="),
            ("Int", "weaker", "(< x y)", "(<= x y)", "is no direction"),
            ("Complex", "over", "(< x y)", "(<= x y)", "is no sort"),
            ("Int", "over", "p", "(or p q)", "an operator with arguments"),
            ("Int", "over", "(lesser x y)", "(<= x y)", "lesser"),
            ("Int", "over", "(< x y", "(<= x y)", "is no term"),
        ];
        for (sort, direction, from, to, word) in rows {
            let read = row(sort, direction, from, to).read().map(|_| ()).err().unwrap_or_default();
            assert!(
                if word.is_empty() { read.is_empty() } else { read.contains(word) },
                "{from} {to}: {read}"
            );
        }
    }

    #[test]
    fn rules_of_a_file_are_used() {
        let file = std::env::temp_dir().join(format!("gainsay-sae-{}.toml", std::process::id()));
        let table = "[[approximation]]\nname = \"mine\"\nsort = \"Int\"\ndirection = \"over\"\n\
                     from = \"(< x y)\"\nto = \"(< (* 2 x) (+ y y))\"\n";
        std::fs::write(&file, table).expect("writable");
        let flags = [("table", file.to_str().expect("a name")), ("only", "pst")];
        let flags: BTreeMap<_, _> = flags.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
        let strategy = Sae::of(&Options::of(ENTRY.flags, &flags)).expect("a good table");
        std::fs::remove_file(&file).expect("there");
        let text = b"(declare-const a Int)(declare-const b Int)(assert (< a b))(check-sat)";
        let seed = Arc::new(Seed::read("small", text, Keep::Bare).expect("usable"));
        let seeds = [Asked::agreed(seed, vec![Answer::Sat])];
        let mut series = strategy.series(0, &seeds, Choices::drawn(1, ENTRY.name, 0));
        let all: String = std::iter::from_fn(|| series.next()).map(|case| case.text()).collect();
        assert!(all.contains("(< (* 2 a) (+ b b))"), "{all}");
    }
}
