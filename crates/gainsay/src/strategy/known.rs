//! What is known of seeds: their answers as they are told, and models that a short search of our own finds.

use smt::sexpr::parts;
use smt::{Decision, Fuel, Model, Query, Script, Verdict, satisfies};

use crate::case::{Answer, Choices};
use crate::seed::Asked;

/// How many values the search for a model may give to symbols.
const SEARCH: u64 = 20_000;
/// The search for each further model has this part of it.
const FURTHER: u64 = 4;

/// Whether a check of a seed is said to be unsatisfiable. This is only the word of solvers, or of the seed itself if no solver was
/// asked.
pub(super) fn is_said_unsat(asked: &Asked, check: usize) -> bool {
    let noted = asked.opinions.is_empty() && asked.seed.status == Some(Answer::Unsat);
    !is_said_sat(asked, check) && (says(asked, check, Answer::Unsat) || noted)
}

/// Whether some solver says that a check of a seed is satisfiable.
pub(super) fn is_said_sat(asked: &Asked, check: usize) -> bool {
    says(asked, check, Answer::Sat)
}

fn says(asked: &Asked, check: usize, wanted: Answer) -> bool {
    asked.opinions.iter().any(|answers| answers.get(check) == Some(&wanted))
}

/// A model that a short search finds, as definitions.
pub(super) fn found_model(script: &Script) -> Option<String> {
    match searched(script, SEARCH)? {
        Decision::Sat(model) => Some(model.definitions().join("\n ")),
        _ => None,
    }
}

/// Whether a short search shows that a script has no model.
pub(super) fn is_shown_unsat(script: &Script) -> bool {
    matches!(searched(script, SEARCH), Some(Decision::Unsat { .. }))
}

fn searched(script: &Script, values: u64) -> Option<Decision> {
    let query = script.queries().pop()?;
    Some(smt::decide(script, &query, values, &mut |_| {}))
}

/// Whether a model satisfies a check, completed where it says nothing.
pub(super) fn is_satisfied(query: &Query, model: &Model) -> bool {
    let fuel = Fuel::default();
    match satisfies(query, model, &fuel) {
        Verdict::True => true,
        Verdict::False => false,
        Verdict::Open(_) => satisfies(query, &model.completed(), &fuel) == Verdict::True,
    }
}

/// Up to so many models of a script that ends with its only check, as definitions. In each, some constant has another value than
/// in the one before.
pub(super) fn found_models(text: &str, most: usize, choices: &mut Choices) -> Vec<String> {
    let mut models = Vec::new();
    let Some(head) = text.trim_end().strip_suffix("(check-sat)") else { return models };
    let mut more = String::new();
    while models.len() < most {
        let Ok(script) = smt::read(format!("{head}{more}(check-sat)\n").as_bytes()) else { break };
        let values = if models.is_empty() { SEARCH } else { SEARCH / FURTHER };
        let Some(Decision::Sat(model)) = searched(&script, values) else { break };
        let definitions = model.definitions();
        models.push(definitions.join("\n "));
        let values: Vec<String> = definitions.iter().filter_map(|text| other_value(text)).collect();
        let Some(other) = choices.pick(&values) else { break };
        more.push_str(other);
    }
    models
}

/// An assertion that a constant has another value than in its definition; none of a function.
fn other_value(definition: &str) -> Option<String> {
    match parts(definition)[..] {
        ["define-fun", name, "()", _, value] => Some(format!("(assert (distinct {name} {value}))\n")),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::sync::Arc;

    use super::*;
    use crate::seed::{Keep, Seed};

    #[test]
    fn models_differ_and_end_where_there_are_no_more() {
        // (the script, how many different models it has, at most five)
        let rows = [
            ("(declare-const x (_ BitVec 2))(assert (bvult x #b11))(check-sat)\n", 3),
            ("(declare-const n Int)(assert (< n 3))(check-sat)", 5),
            ("(declare-const p Bool)(assert p)(check-sat)", 1),
            ("(assert true)(check-sat)", 1),
            ("(declare-const p Bool)(assert (and p (not p)))(check-sat)", 0),
        ];
        for (text, count) in rows {
            let models = found_models(text, 5, &mut Choices::drawn(1, "models", 0));
            assert_eq!(models.len(), count, "{text}");
            assert_eq!(models.iter().collect::<BTreeSet<_>>().len(), count, "{models:?}");
            let script = smt::read(text.as_bytes()).expect("well-sorted");
            assert_eq!(found_model(&script).is_some(), count > 0, "{text}");
            assert_eq!(is_shown_unsat(&script), count == 0, "{text}");
        }
    }

    #[test]
    fn answers_are_the_word_of_solvers_or_of_the_seed() {
        let seed = |status: &str| {
            let text = format!("{status}(declare-const p Bool)(assert p)(check-sat)");
            Arc::new(Seed::read("small", text.as_bytes(), Keep::Bare).expect("usable"))
        };
        let noted = || seed("(set-info :status unsat)");
        let asked = |answers: &[Answer]| {
            Asked::by_solvers(noted(), &answers.iter().map(|a| vec![*a]).collect::<Vec<_>>())
        };
        use Answer::{Sat, Unknown, Unsat};
        // (what the seed is, whether it is said to be satisfiable, or unsatisfiable)
        let rows = [
            (Asked::unasked(seed("")), [false, false]),
            (Asked::unasked(noted()), [false, true]),
            (asked(&[Unknown]), [false, false]),
            (asked(&[Unknown, Unsat]), [false, true]),
            (asked(&[Unsat, Sat]), [true, false]),
            (asked(&[Sat]), [true, false]),
        ];
        for (asked, expected) in rows {
            assert_eq!([is_said_sat(&asked, 0), is_said_unsat(&asked, 0)], expected, "{:?}", asked.opinions);
            assert!(!is_said_sat(&asked, 1), "it has one check: {:?}", asked.opinions);
        }
    }
}
