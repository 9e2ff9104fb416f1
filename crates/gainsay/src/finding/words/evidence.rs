//! A piece of evidence in a sentence.

use super::doubt::doubt;
use super::lineage::{approximation, claim, edit};
use super::summary::end;
use crate::case::Answer;
use crate::finding::Finding;
use crate::judge::{Asked, Attempt, CheckedBy, Evidence, Heard, Rewriting, SearchEnd};
use crate::solver::{ProofEnd, SolverId};

/// Who gave a model: a solver, or gainsay, which made the case or searched.
fn giver(by: Option<&SolverId>) -> &str {
    by.map_or("gainsay", SolverId::as_str)
}

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
        Asked::Rewritten { rule } => format!("whether the step {rule} can change the meaning"),
    }
}

/// What a solver said of terms, as a list.
pub(super) fn heard(heard: &[Heard]) -> String {
    let one = |heard: &Heard| format!("`{}` is `{}`", heard.term, heard.value);
    heard.iter().map(one).collect::<Vec<_>>().join(", ")
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

/// What came of a proof, and whose checker it was.
pub(super) fn proof(by: &str, options: &[String], checker: &CheckedBy, end: ProofEnd) -> String {
    let asked =
        format!("Asked with `{}` to prove that the formula is unsatisfiable, {by}", options.join(" "));
    match (checker, end) {
        (CheckedBy::Prover, ProofEnd::Accepted) => {
            format!("{asked} gives a proof without trusted steps that its own checker accepts.")
        }
        (CheckedBy::Prover, _) => format!("{asked} gives no proof that its own checker accepts."),
        (CheckedBy::Program { .. }, ProofEnd::Missing) => {
            format!("{asked} gives no proof that can be checked.")
        }
        (CheckedBy::Program { name }, ProofEnd::Accepted) => {
            format!("{asked} gives a proof. The proof checker {name} accepts every step of it.")
        }
        (CheckedBy::Program { name }, ProofEnd::Gaps) => {
            format!(
                "{asked} gives a proof with steps that nothing justifies, so that {name} cannot check it."
            )
        }
        (CheckedBy::Program { name }, ProofEnd::Rejected) => {
            format!("{asked} gives a proof that the proof checker {name} does not accept.")
        }
    }
}

/// A piece of evidence of a finding, in a sentence.
pub fn sentence(finding: &Finding, evidence: &Evidence) -> String {
    let said = |answer: &Option<Answer>| answer.map_or("nothing", Answer::word);
    match evidence {
        Evidence::Satisfied { by, check, .. } => {
            format!(
                "Our evaluator finds every assertion in scope at check {} true under the model of {} (`model`).",
                check + 1,
                giver(by.as_ref())
            )
        }
        Evidence::SatisfiedCore { core, by, .. } => {
            format!(
                "Its core is ({}). Our evaluator finds that, with all that has no name (`asked.smt2`), true under the model of {} (`model`).",
                core.join(" "),
                by
            )
        }
        Evidence::SatisfiedOther { script, check, by, .. } => {
            format!(
                "Our evaluator finds every assertion in scope at check {} of script {script} true under the model of {} (`model`).",
                check + 1,
                giver(by.as_ref())
            )
        }
        Evidence::Falsified { check, assertion, model, .. } if model.trim() == "()" => {
            format!(
                "Our evaluator finds this assertion at check {} false as it stands: `{assertion}`",
                check + 1
            )
        }
        Evidence::Falsified { check, assertion, heard, .. } => {
            let with = if heard.is_empty() {
                String::new()
            } else {
                format!(" and what it said of open terms, {}", self::heard(heard))
            };
            format!(
                "Our evaluator finds this assertion at check {} false under the solver's own model (`model`){with}: `{assertion}`",
                check + 1
            )
        }
        Evidence::Exhausted { check, assignments } => {
            format!(
                "Our evaluator tried all assignments at check {} ({assignments} values given to symbols). None satisfies every assertion.",
                check + 1
            )
        }
        Evidence::TwoValues { term, values: [one, two] } => {
            format!(
                "Asked for the values of {term}, it answers `{one}` and `{two}`. The arguments are equal, so the values must be."
            )
        }
        Evidence::Rewritten { steps } => {
            let one = |step: &Rewriting| format!("`{}` becomes `{}` ({})", step.old, step.new, step.rule);
            format!(
                "The formula has an equivalent by these steps: {}.",
                steps.iter().map(one).collect::<Vec<_>>().join("; ")
            )
        }
        Evidence::FalseWith { check, values, assertion } => {
            format!(
                "With the values {values} our evaluator finds this assertion at check {} false: `{assertion}`",
                check + 1
            )
        }
        Evidence::Proof { by, options, checker, end, .. } => proof(by.as_str(), options, checker, *end),
        Evidence::Tried { attempt: tried } => format!("Tried: {}.", attempt(tried)),
        Evidence::Pinned { by, answer, .. } => {
            format!(
                "Asked with the model written in as definitions (`pinned.smt2`), {by} answers {}.",
                said(answer)
            )
        }
        Evidence::Claimed { claim: claimed } => format!("The case was made so that {}.", claim(claimed)),
        Evidence::Answered { by, check, answer } => answers(by.as_str(), *check, *answer),
        Evidence::Asked { by, about, answer, .. } => {
            format!("Asked {}, {by} answers {}.", asked(about), said(answer))
        }
        Evidence::Turned { edits: numbers } => {
            format!("The answer turns with {}.", turned(finding, numbers).join(", then "))
        }
        Evidence::Printed { by, text } => format!("{by} prints: `{}`", text.replace('\n', " ⏎ ")),
        Evidence::Ended { by, ending, text } if text.is_empty() => {
            format!("{by} ends with {} and prints nothing about it.", end(*ending))
        }
        Evidence::Ended { by, ending, text } => {
            format!("{by} ends with {} and prints: `{}`", end(*ending), text.replace('\n', " ⏎ "))
        }
        Evidence::Timed { by, milliseconds, on } => took(by.as_str(), milliseconds, on),
        Evidence::Undecided { why } => format!("Undecided: {}.", doubt(why)),
    }
}

/// What a solver, as it is called here, answers to a check.
pub(super) fn answers(by: &str, check: usize, answer: Answer) -> String {
    format!("{by} answers {answer} to check {}.", check + 1)
}

/// How much time a solver, as it is called here, took on a machine.
pub(super) fn took(by: &str, milliseconds: &[u64], on: &str) -> String {
    let times: Vec<_> = milliseconds.iter().map(u64::to_string).collect();
    let on = if on.is_empty() { String::new() } else { format!(" on {on}") };
    format!("{by} took {} ms of CPU{on}.", times.join(", "))
}

/// The edits with which an answer changes, each with its number.
fn turned(finding: &Finding, numbers: &[usize]) -> Vec<String> {
    let all = finding.lineage.edits.list();
    let one = |number: &usize| match all.get(*number) {
        Some(found) => format!("step {} of {}: {}", number + 1, all.len(), edit(found)),
        None => format!("step {}", number + 1),
    };
    numbers.iter().map(one).collect()
}
