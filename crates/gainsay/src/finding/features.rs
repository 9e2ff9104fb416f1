//! Features: what a formula has that may be the reason why it goes wrong.
//!
//! The cause of a fault can seldom be seen from outside the solver. Two facts come near it: the operators without which
//! nothing is wrong, and the release that fixed it.

use smt::{Script, TermId};

use super::group::place;
use crate::finding::Finding;
use crate::judge::language::{operators, telling};
use crate::judge::{Kind, OwnPlace};
use crate::solver::{Make, SolverId};

/// What a formula has that may be the reason why it goes wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Features {
    kind: Kind,
    whom: Option<Make>,
    /// The place in the solver, if that is known.
    place: Option<OwnPlace>,
    /// All its operators.
    operators: Vec<&'static str>,
    /// The operators that are neither connectives nor part of constants.
    telling: Vec<&'static str>,
}

impl Features {
    /// The features of a finding; none if its script cannot be read.
    pub fn of(finding: &Finding) -> Option<Features> {
        let script = smt::read(finding.case.as_bytes()).ok()?;
        let whom = finding.against.as_ref().map(SolverId::make);
        Some(Features::that(finding.kind, whom, place(finding), &script))
    }

    fn that(kind: Kind, whom: Option<&Make>, place: Option<OwnPlace>, script: &Script) -> Features {
        let asserted = roots(script, None);
        Features {
            kind,
            whom: whom.cloned(),
            place,
            operators: operators(&script.pool, &asserted),
            telling: telling(&script.pool, &asserted),
        }
    }

    /// Whether two formulas may be wrong for one reason: one has all telling operators of the other, and they have the same solver,
    /// place and kind. Wrong answers, models and cores count as one kind.
    pub fn are_near(&self, other: &Features) -> bool {
        let answers = |kind| matches!(kind, Kind::Soundness | Kind::WrongModel | Kind::WrongCore);
        let kind = self.kind == other.kind || answers(self.kind) && answers(other.kind);
        let operators = match (self.telling.as_slice(), other.telling.as_slice()) {
            ([], _) | (_, []) => self.operators == other.operators,
            _ => self.has(&other.telling) || other.has(&self.telling),
        };
        kind && (&self.whom, &self.place) == (&other.whom, &other.place) && operators
    }

    fn has(&self, names: &[&str]) -> bool {
        names.iter().all(|name| self.operators.binary_search(name).is_ok())
    }
}

/// The terms that a script is about: what is asserted at a check, or at all of them; in a script without checks all its terms.
pub(super) fn roots(script: &Script, check: Option<usize>) -> Vec<TermId> {
    let mut asks = script.queries();
    if asks.is_empty() {
        let mut all = Vec::new();
        (0..script.commands.len()).for_each(|command| script.each_term(command, |term| all.push(term)));
        return all;
    }
    match check.filter(|&check| check < asks.len()) {
        Some(check) => asks.swap_remove(check).assertions,
        None => asks.into_iter().flat_map(|ask| ask.assertions).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn features(kind: Kind, whom: &str, formula: &str) -> Features {
        let text = format!("(declare-const a Int)(declare-const s String)(assert {formula})(check-sat)");
        let whom: SolverId = whom.parse().expect("a name");
        Features::that(kind, Some(whom.make()), None, &smt::read(text.as_bytes()).expect("well-sorted"))
    }

    #[test]
    fn what_a_formula_may_be_wrong_for() {
        let small = features(Kind::Soundness, "z3@4.8.7", "(str.prefixof s \"a\")");
        let rows = [
            (Kind::Soundness, "z3@4.8.7", "(not (str.prefixof \"b\" s))", true),
            (Kind::WrongModel, "z3@4.8.5 x=1", "(and (> a 1) (str.prefixof s s))", true),
            (Kind::WrongModel, "z3@4.8.7", "(str.suffixof s s)", false),
            (Kind::WrongModel, "z3@4.8.7", "(> a 1)", false),
            // A constant may be written in any way.
            (Kind::WrongModel, "z3@4.8.7", "(= (str.prefixof s s) (> (+ 1 2) 3))", true),
            (Kind::Crash, "z3@4.8.7", "(str.prefixof s s)", false),
            (Kind::Soundness, "cvc5@1.0.3", "(str.prefixof s s)", false),
        ];
        for (kind, whom, formula, expected) in rows {
            let other = features(kind, whom, formula);
            assert_eq!(other.are_near(&small), expected, "{whom} {formula}");
            assert_eq!(small.are_near(&other), expected, "{whom} {formula}");
        }
        let written = features(Kind::WrongModel, "z3@4.8.7", "(str.prefixof s (str.++ \"a\" \"b\"))");
        assert!(written.are_near(&features(
            Kind::WrongModel,
            "z3@4.8.7",
            "(= a (ite (str.prefixof s \"b\") 1 2))"
        )));
        // Where there are only constants, that is what it is about.
        let constant = features(Kind::WrongModel, "z3@4.8.7", "(= (str.++ \"a\" \"b\") \"c\")");
        assert!(!constant.are_near(&small) && constant.are_near(&constant));
        // Connectives alone are no reason why something with more than them goes wrong.
        let empty = features(Kind::Crash, "z3", "(not false)");
        assert!(features(Kind::Crash, "z3", "(and false (not false))") != empty);
        assert!(!features(Kind::Crash, "z3", "(and (= a 1) (not false))").are_near(&empty));
        assert!(features(Kind::Crash, "z3", "(not (not false))").are_near(&empty));
        let placed = Features { place: Some(OwnPlace::Message("a.cpp:3".to_owned())), ..empty.clone() };
        assert!(!placed.are_near(&empty) && !empty.are_near(&placed) && placed.are_near(&placed));
    }
}
