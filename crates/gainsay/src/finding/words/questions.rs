//! What solvers were asked, and what was tried, in words.

use super::lineage::approximation;
use crate::judge::{Asked, Attempt, SearchEnd};

/// What a solver was asked, in words that follow "asked".
pub fn asked(about: &Asked) -> String {
    match about {
        Asked::Step { rule } => format!("the step: {}", approximation(rule)),
        Asked::Polarity { rule } => format!("the place of the step: {}", approximation(rule)),
        Asked::Whole => "the first without the second".to_owned(),
        Asked::AfterEdits { done, of } => format!("after step {done} of {of}"),
        Asked::WithSeed { number } => format!("with the random number {number}"),
        Asked::Again => "again".to_owned(),
        Asked::Part { kept, of } => format!("{kept} of the {of} assertions"),
        Asked::With { conditions } => format!("the formula with {}", conditions.join(" and ")),
        Asked::Equivalent => "the equivalent formula".to_owned(),
        Asked::Equivalence => "one of the two formulas without the other".to_owned(),
        Asked::OneShot { check } => format!("what is in scope at check {} alone", check + 1),
        Asked::Plain { proofs: false } => "without commands that ask for output".to_owned(),
        Asked::Plain { proofs: true } => "without proofs".to_owned(),
        Asked::Rewritten { rule } => format!("whether the step {rule} can change the meaning"),
    }
}

/// What was tried to decide who is wrong, in words that follow "Tried:".
pub(super) fn attempt(attempt: &Attempt) -> String {
    match attempt {
        Attempt::Models { read } => {
            format!("the models that were given; none of {read} satisfies the formula")
        }
        Attempt::Values { heard } => {
            format!("the values that models leave open; with {heard} of them no model is false")
        }
        Attempt::WithValues { asked } => {
            format!(
                "values for all symbols, at most {asked} times; nobody says sat where an assertion is false"
            )
        }
        Attempt::Proof { provers: 0 } => "a proof; no solver here gives one".to_owned(),
        Attempt::Proof { provers } => format!("a proof from {provers} solvers; none was accepted"),
        Attempt::Search { end: SearchEnd::Infinite { symbol } } => {
            format!("small values; the values of {symbol} cannot all be tried")
        }
        Attempt::Search { end: SearchEnd::OverBudget { assignments } } => {
            format!("all assignments; the budget ended after {assignments}")
        }
        Attempt::Search { end: SearchEnd::Open } => {
            "all assignments; some of them leave the formula open".to_owned()
        }
        Attempt::Less { parts } => format!("{parts} parts of the assertions; no answer contradicts another"),
        Attempt::Split { conditions } => {
            format!("the formula with {conditions} conditions; no answer contradicts another")
        }
        Attempt::Equivalent { steps: 0 } => "an equivalent formula; none was found".to_owned(),
        Attempt::Equivalent { steps } => {
            format!("a formula that is equivalent by {steps} steps; no answer contradicts another")
        }
    }
}
