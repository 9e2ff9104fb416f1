//! What a candidate becomes by the simplifications that every solver does first. A candidate that becomes what a rejected one
//! became need not be asked about.

use std::collections::BTreeMap;

use smt::Script;
use smt::rename::canonical;
use smt::sexpr::{self, TokenKind};

/// Longer texts are taken as they are: what is asked about them is little beside what they cost to solve.
const LONG: usize = 8 << 10;

/// The text that a candidate has in common with all that are like it: names that say nothing; `(> 1 0)` is true, `(* 0 a)` is
/// zero; what is asserted and says nothing, or was asserted before, is left out.
///
/// Only what no solver could be wrong about is done here, or the smallest script of a fault in a rewriting rule would be taken
/// for one without it: an operator that is applied to values, be it `(* 0 0)`, is left alone, but for the relations of numbers.
pub fn alike(script: &Script, text: &str) -> String {
    if text.len() > LONG { canonical(script, text) } else { canonical(script, &folded(text)) }
}

/// The text without what says nothing.
fn folded(text: &str) -> String {
    let mut commands = commands(text);
    let plain = !commands.iter().any(|c| ["push", "pop", "reset", "reset-assertions"].contains(&c.head));
    let wrong = plain && commands.iter().any(|c| c.text == "(assert false)");
    let mut seen = Vec::new();
    commands.retain(|c| {
        let idle = c.text == "(assert true)" || (wrong && c.text != "(assert false)");
        let again = plain && seen.contains(&c.text);
        seen.push(c.text.clone());
        c.head != "assert" || !(idle || again)
    });
    let mut uses: BTreeMap<&str, usize> = BTreeMap::new();
    for word in commands.iter().flat_map(|c| sexpr::words(&c.text)) {
        *uses.entry(word).or_default() += 1;
    }
    let used = |c: &&Command| c.declares.as_deref().is_none_or(|name| uses.get(name).is_some_and(|n| *n > 1));
    commands.iter().filter(used).flat_map(|c| [c.text.as_str(), "\n"]).collect()
}

/// A command whose terms have been simplified.
struct Command<'t> {
    head: &'t str,
    /// The name of the constant or function that it declares.
    declares: Option<String>,
    text: String,
}

fn commands(text: &str) -> Vec<Command<'_>> {
    let mut found = Vec::new();
    let mut open: Vec<Vec<String>> = Vec::new();
    let mut head = "";
    for token in sexpr::tokens(text.as_bytes()) {
        match token.kind {
            TokenKind::Open => open.push(Vec::new()),
            TokenKind::Close => {
                let Some(list) = open.pop() else { continue };
                let Some(outer) = open.last_mut() else {
                    let declares =
                        ["declare-const", "declare-fun"].contains(&head).then(|| list.get(1).cloned());
                    found.push(Command {
                        head,
                        declares: declares.flatten(),
                        text: format!("({})", list.join(" ")),
                    });
                    continue;
                };
                outer.push(simple(list));
            }
            TokenKind::Comment => {}
            _ => {
                if let ([list], true) = (&open[..], token.is_word())
                    && list.is_empty()
                {
                    head = token.text(text);
                }
                if let Some(list) = open.last_mut() {
                    list.push(token.text(text).to_owned());
                }
            }
        }
    }
    found
}

/// A list of simplified pieces, simplified.
fn simple(mut list: Vec<String>) -> String {
    let Some(head) = list.first().cloned() else { return "()".to_owned() };
    let is_zero = |s: &String| s == "0" || s == "0.0";
    let is_one = |s: &String| s == "1" || s == "1.0";
    // An operator that is applied to values alone may be what is rewritten wrongly.
    let open = list[1..].iter().any(|s| !is_number(s));
    match (head.as_str(), list.len()) {
        ("and", 2..) => return joined(list, |s| s == "true", |s| s == "false"),
        ("or", 2..) => return joined(list, |s| s == "false", |s| s == "true"),
        ("+", 3..) if open => return joined(list, is_zero, |_| false),
        ("*", 3..) if open => return joined(list, is_one, is_zero),
        ("-", 3) if open && is_zero(&list[2]) => return list.swap_remove(1),
        ("not", 2) if list[1] == "true" => return "false".to_owned(),
        ("not", 2) if list[1] == "false" => return "true".to_owned(),
        ("ite", 4) if list[1] == "true" => return list.swap_remove(2),
        ("ite", 4) if list[1] == "false" => return list.swap_remove(3),
        (relation, 3) => {
            if let Some(value) = holds(relation, &list[1], &list[2]) {
                return value.to_string();
            }
        }
        _ => {}
    }
    format!("({})", list.join(" "))
}

/// An operator's arguments without those that change nothing, or the one that decides.
fn joined(
    mut list: Vec<String>,
    neutral: impl Fn(&String) -> bool,
    decides: impl Fn(&String) -> bool,
) -> String {
    if let Some(at) = list[1..].iter().position(decides) {
        return list.swap_remove(at + 1);
    }
    let last = list[list.len() - 1].clone();
    let head = list.remove(0);
    list.retain(|s| !neutral(s));
    match list.len() {
        0 => last,
        1 => list.swap_remove(0),
        _ => format!("({head} {})", list.join(" ")),
    }
}

/// Whether a relation holds between two texts, where that is plain to see.
fn holds(relation: &str, left: &str, right: &str) -> Option<bool> {
    let (with, less) = match relation {
        "=" | "<=" | ">=" => (true, relation == "<="),
        "distinct" | "<" | ">" => (false, relation == "<"),
        _ => return None,
    };
    if left == right {
        return Some(with);
    }
    let (left, right) = (number(left)?, number(right)?);
    Some(match relation {
        "=" => left == right,
        "distinct" => left != right,
        _ if left == right => with,
        _ => (left < right) == less,
    })
}

fn number(text: &str) -> Option<u64> {
    text.strip_suffix(".0").unwrap_or(text).parse().ok()
}

fn is_number(text: &str) -> bool {
    number(text).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_says_nothing_makes_no_difference() {
        let declared = "(declare-const a Int)(declare-const b Int)";
        let of = |text: &str| {
            let text = format!("{declared}{text}");
            alike(&smt::read(text.as_bytes()).expect("well-sorted"), &text)
        };
        let rows = [
            // What is asserted and is true, or twice.
            ("(assert (> 1 0))(assert (= a 0))(check-sat)", "(assert (= a 0))(check-sat)"),
            ("(assert (= a 0))(assert (= a 0))(check-sat)", "(assert (= b 0))(check-sat)"),
            ("(assert (>= a a))(check-sat)", "(check-sat)"),
            ("(assert (> 0 0))(assert (= a 0))(check-sat)", "(assert (distinct 7 7))(check-sat)"),
            ("(assert (= 7 (+ a (* 0 b))))(check-sat)", "(assert (= 7 (* 1 a)))(check-sat)"),
            ("(assert (not (and (< 1 0) (= a b))))(check-sat)", "(check-sat)"),
        ];
        for (one, other) in rows {
            assert_eq!(of(one), of(other), "{one} {other}");
        }
        let apart = [
            // An operator may be rewritten wrongly, even if it is applied to values.
            ("(assert (= (div 1 1) 1))(check-sat)", "(check-sat)"),
            ("(assert (= (+ 1 2) 3))(check-sat)", "(check-sat)"),
            ("(assert (= (* 0 0) 0))(check-sat)", "(check-sat)"),
            ("(assert (= a b))(check-sat)", "(assert (= a a))(check-sat)"),
            ("(assert (> a 0))(check-sat)", "(assert (> 0 a))(check-sat)"),
            ("(push 1)(assert false)(pop 1)(assert (= a 0))(check-sat)", "(assert false)(check-sat)"),
            (
                "(assert (= a 0))(push 1)(assert (= a 0))(pop 1)(check-sat)",
                "(push 1)(assert (= a 0))(pop 1)(check-sat)",
            ),
        ];
        for (one, other) in apart {
            assert_ne!(of(one), of(other), "{one} {other}");
        }
    }

    #[test]
    fn strings_and_barred_names_are_not_looked_into() {
        let text = "(declare-const |and true| String)\n(assert (= |and true| \"(and true)\"))\n(check-sat)\n";
        let script = smt::read(text.as_bytes()).expect("well-sorted");
        assert_eq!(
            alike(&script, text),
            "(declare-const a String)\n(assert (= a \"(and true)\"))\n(check-sat)\n"
        );
    }
}
