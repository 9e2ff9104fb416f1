//! What smaller means: a total order of scripts, so that reduction ends and has one result.

use std::cmp::Ordering;

use smt::{Head, Script};

/// What a quantified variable weighs, in bytes: a person reads past a dozen bytes of declarations more easily.
const VARIABLE: usize = 12;

/// How large a script is. Of two texts that weigh the same, the one that comes first in the order of bytes is smaller:
/// `0` is smaller than `7`, `a` than `x`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Size {
    weight: usize,
    text: String,
}

impl Size {
    /// The size of a script with this text.
    pub fn of(script: &Script, text: &str) -> Size {
        let mut variables = 0;
        for command in 0..script.commands.len() {
            script.each_term(command, |root| {
                smt::walk::occurrences(&script.pool, root, |term, _| {
                    if let Head::Forall(list) | Head::Exists(list) = script.pool.node(term).head {
                        variables += script.pool.binders(list).len();
                    }
                });
            });
        }
        Size { weight: text.trim_end().len() + VARIABLE * variables, text: text.to_owned() }
    }
}

impl PartialOrd for Size {
    fn partial_cmp(&self, other: &Size) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Size {
    fn cmp(&self, other: &Size) -> Ordering {
        self.weight.cmp(&other.weight).then_with(|| self.text.cmp(&other.text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn smaller_is_what_a_person_would_say() {
        let size = |text: &str| Size::of(&smt::read(text.as_bytes()).expect("well-sorted"), text);
        // Each is smaller than the next.
        let rows = [
            "(assert true)",
            "(assert false)",
            "(assert (= 0 0))",
            "(assert (= 0 7))",
            "(assert (= 1 0))",
            "(declare-const a Int)(assert (= a 0))",
            "(declare-const x Int)(assert (= x 0))",
            "(assert (exists ((x Int)) (= x 0)))",
        ];
        for pair in rows.windows(2) {
            assert!(size(pair[0]) < size(pair[1]), "{} < {}", pair[0], pair[1]);
        }
    }
}
