//! How a case was made: edits and claims in words.

use crate::case::{Approximation, CheckRef, Claim, Direction, Edit, Rule};

/// An edit, in one line.
pub fn edit(edit: &Edit) -> String {
    let Edit { place, old, new, rule } = edit;
    format!("{}: `{old}` → `{new}` in command {}", self::rule(rule), place.command + 1)
}

/// The name of a rule.
pub fn rule(rule: &Rule) -> String {
    match rule {
        Rule::Operator => "operator".to_owned(),
        Rule::Term => "term".to_owned(),
        Rule::Approximation(rule) => approximation(rule),
        Rule::Equal(name) => format!("equal {name}"),
        Rule::Equivalent(name) => format!("equivalent {name}"),
    }
}

/// A rule of approximation and its direction.
pub(super) fn approximation(rule: &Approximation) -> String {
    let direction = match rule.direction {
        Direction::Over => "over",
        Direction::Under => "under",
    };
    format!("{direction} {}", rule.name)
}

/// An edit and what follows from its rule.
pub(super) fn edit_with_meaning(edit: &Edit) -> String {
    let Edit { old, new, rule, place } = edit;
    let means = match rule {
        Rule::Approximation(Approximation { name, direction: Direction::Over }) => {
            format!("the first implies the second (rule {name})")
        }
        Rule::Approximation(Approximation { name, direction: Direction::Under }) => {
            format!("the second implies the first (rule {name})")
        }
        Rule::Equal(name) => format!("both have the same value here (rule {name})"),
        Rule::Equivalent(name) => format!("both always have the same value (rule {name})"),
        Rule::Operator | Rule::Term => format!("rule {}", self::rule(rule)),
    };
    format!("`{old}` becomes `{new}` in command {}; {means}", place.command + 1)
}

/// A check of the case, or of a script that it was made from.
fn check(check: CheckRef) -> String {
    match check.script {
        0 => format!("check {}", check.check + 1),
        other => format!("check {} of script {other} it was made from", check.check + 1),
    }
}

/// What is claimed of a case.
pub fn claim(claim: &Claim) -> String {
    match claim {
        Claim::Is(at, answer) => format!("{} is {answer}", check(*at)),
        Claim::Witness(at, model) if model.trim() == "()" => {
            format!("{} is true as it stands, without any constant", check(*at))
        }
        Claim::Witness(at, _) => format!("a model satisfies {} (`model`)", check(*at)),
        Claim::SatImplies(from, to) => format!("{} is sat if {} is", check(*to), check(*from)),
        Claim::Same(one, other) => {
            format!("{} has the answer of the same assertions alone (script {})", check(*one), other.script)
        }
        Claim::Core(at, names) => {
            format!("({}) is the only minimal core of {}", names.join(" "), check(*at))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::Place;

    #[test]
    fn edits_say_what_became_of_what() {
        let place = Place { command: 2, term: 0, path: vec![2] };
        let one = Edit { place, old: "bvudiv".to_owned(), new: "bvsdiv".to_owned(), rule: Rule::Operator };
        assert_eq!(edit(&one), "operator: `bvudiv` → `bvsdiv` in command 3");
        let one = Edit { rule: Rule::approximation("INT-1", Direction::Over), ..one };
        assert_eq!(edit(&one), "over INT-1: `bvudiv` → `bvsdiv` in command 3");
    }
}
