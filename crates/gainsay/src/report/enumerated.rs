//! What was asked of the formulas of grammars, in words.

use super::words::many;
use crate::store::{Enumerated, Unanswered};

/// What was asked of the formulas of one grammar, in lines.
pub fn lines(asked: &Enumerated) -> Vec<String> {
    let Enumerated { grammar, first, later, cut, solvers } = asked;
    let later = if *later > 0 { format!(", and {later} later ones") } else { String::new() };
    let mut lines = vec![format!("first {first} of grammar {grammar} asked{later}")];
    for (solver, Unanswered { late, refused, unasked }) in solvers {
        if late + refused + unasked == 0 {
            continue;
        }
        let unasked = match unasked {
            0 => String::new(),
            n => format!(", {n} not asked because it does not read an operator in them"),
        };
        lines.push(format!("  {solver}: {late} late, {refused} refused{unasked}"));
    }
    if !cut.is_empty() {
        let places: Vec<String> = cut.iter().map(u64::to_string).collect();
        let parts = many(cut.len() as u64, "part");
        lines.push(format!("  not asked: the rest of {parts} that ended early ({})", places.join(", ")));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_not_asked_is_named() {
        let grammar = || "Ints".to_owned();
        let solver = |name: &str, late, refused, unasked| {
            (name.parse().expect("a name"), Unanswered { late, refused, unasked })
        };
        let rows = [
            (
                Enumerated { grammar: grammar(), first: 3000, ..Enumerated::default() },
                "first 3000 of grammar Ints asked",
            ),
            (
                Enumerated {
                    grammar: grammar(),
                    first: 12,
                    later: 1000,
                    cut: vec![0, 3],
                    solvers: [solver("cvc4@1.8", 2, 40, 7), solver("z3@4.8.7", 0, 0, 0)].into(),
                },
                "first 12 of grammar Ints asked, and 1000 later ones\n  \
                 cvc4@1.8: 2 late, 40 refused, 7 not asked because it does not read an operator in them\n  \
                 not asked: the rest of 2 parts that ended early (0, 3)",
            ),
        ];
        for (asked, expected) in rows {
            assert_eq!(lines(&asked).join("\n"), expected);
        }
    }
}
