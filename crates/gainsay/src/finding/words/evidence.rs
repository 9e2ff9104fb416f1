//! A piece of evidence in a sentence.

use super::doubt::doubt;
use super::lineage::{claim, edit};
use super::questions::{asked, attempt};
use super::summary::end;
use crate::case::Answer;
use crate::finding::Finding;
use crate::judge::{CheckedBy, Evidence, Heard, Output, Rewriter, Rewriting};
use crate::solver::{Ending, ProofEnd, SolverId};

/// Who gave a model: a solver, or gainsay, which made the case or searched.
fn giver(by: Option<&SolverId>) -> &str {
    by.map_or("gainsay", SolverId::as_str)
}

/// What a solver said of terms, as a list.
pub(super) fn heard(heard: &[Heard]) -> String {
    let one = |heard: &Heard| format!("`{}` is `{}`", heard.term, heard.value);
    heard.iter().map(one).collect::<Vec<_>>().join(", ")
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
        Evidence::Satisfied { by, check, .. } => satisfied(*check, None, by.as_ref()),
        Evidence::SatisfiedCore { core, by, .. } => satisfied_core(core, by),
        Evidence::SatisfiedAssumptions { assumptions, by, .. } => satisfied_assumptions(assumptions, by),
        Evidence::PrintedValue { check, of, term, printed, expected, .. } => {
            printed_value(*check, *of, term, [printed, expected])
        }
        Evidence::Differ { rewriter, term, into, point, values } => {
            differ(rewriter, [term, into], point, values)
        }
        Evidence::SatisfiedOther { script, check, by, .. } => satisfied(*check, Some(*script), by.as_ref()),
        Evidence::Falsified { check, assertion, model, heard } => falsified(*check, assertion, model, heard),
        Evidence::Exhausted { check, assignments } => {
            format!(
                "Our evaluator tried all assignments at check {} ({assignments} values given to symbols). None satisfies every assertion.",
                check + 1
            )
        }
        Evidence::NoCounterexample { about, assignments } => {
            format!(
                "Our evaluator tried all assignments for the question about {} ({assignments} values given to symbols). None makes it fail.",
                asked(about)
            )
        }
        Evidence::TwoValues { term, values: [one, two] } => {
            format!(
                "Asked for the values of {term}, it answers `{one}` and `{two}`. The arguments are equal, so the values must be."
            )
        }
        Evidence::Rewritten { steps } => rewritten(steps),
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
        Evidence::Ended { by, ending, text } => ended(by, *ending, text),
        Evidence::Timed { by, milliseconds, on } => took(by.as_str(), milliseconds, on),
        Evidence::Undecided { why } => format!("Undecided: {}.", doubt(why)),
    }
}

/// That a model makes every assertion at a check true: of the script of the finding, or of another by its number.
fn satisfied(check: usize, script: Option<usize>, by: Option<&SolverId>) -> String {
    let of = script.map(|number| format!(" of script {number}")).unwrap_or_default();
    format!(
        "Our evaluator finds every assertion in scope at check {}{of} true under the model of {} (`model`).",
        check + 1,
        giver(by)
    )
}

/// That a model satisfies a core.
fn satisfied_core(core: &[String], by: &SolverId) -> String {
    format!(
        "Its core is ({}). Our evaluator finds that, with all that has no name (`asked.smt2`), true under the model of {by} (`model`).",
        core.join(" ")
    )
}

/// That a model satisfies what is asserted, with assumptions that should not allow it.
pub(super) fn satisfied_assumptions(assumptions: &[String], by: &SolverId) -> String {
    format!(
        "It prints ({}) as the assumptions that suffice. Our evaluator finds all that is asserted, with these assumptions (`asked.smt2`), true under the model of {by} (`model`).",
        assumptions.join(" ")
    )
}

/// That a solver printed a value that contradicts what else it printed.
pub(super) fn printed_value(check: usize, of: Output, term: &str, [printed, expected]: [&str; 2]) -> String {
    let check = check + 1;
    match of {
        Output::Value => format!(
            "At check {check} it prints `{printed}` as the value of `{term}`. Under its model (`model`) that is `{expected}` by our evaluator."
        ),
        Output::SecondValue => {
            format!("At check {check} it prints two values for `{term}`: `{expected}` and `{printed}`.")
        }
        Output::SecondModel => format!(
            "At check {check} it prints two models. `{term}` is `{expected}` under the first (`model`) and `{printed}` under the second."
        ),
        Output::Assignment => format!(
            "At check {check} `get-assignment` says that `{term}` is {printed}. Under its model (`model`) it is {expected} by our evaluator."
        ),
    }
}

/// That a term and what became of it differ at a point.
pub(super) fn differ(
    rewriter: &Rewriter,
    [term, into]: [&str; 2],
    point: &str,
    [one, two]: &[String; 2],
) -> String {
    let how = match rewriter {
        Rewriter::Simplify => "`simplify` makes".to_owned(),
        Rewriter::Tactic(tactic) => format!("The tactic `{tactic}` makes"),
    };
    let point = match point.trim() {
        "" => String::new(),
        point => {
            format!(" with {}", point.lines().map(|line| format!("`{line}`")).collect::<Vec<_>>().join(" "))
        }
    };
    format!("{how} `{into}` of `{term}`. By our evaluator they are `{two}` and `{one}`{point}.")
}

/// That an assertion is false under a model, with what the solver said of open terms; or as it stands, if the model is empty.
fn falsified(check: usize, assertion: &str, model: &str, told: &[Heard]) -> String {
    let check = check + 1;
    if model.trim() == "()" {
        return format!(
            "Our evaluator finds this assertion at check {check} false as it stands: `{assertion}`"
        );
    }
    let with = match told.is_empty() {
        true => String::new(),
        false => format!(" and what it said of open terms, {}", heard(told)),
    };
    format!(
        "Our evaluator finds this assertion at check {check} false under the solver's own model (`model`){with}: `{assertion}`"
    )
}

/// The steps to an equivalent formula.
fn rewritten(steps: &[Rewriting]) -> String {
    let one = |step: &Rewriting| format!("`{}` becomes `{}` ({})", step.old, step.new, step.rule);
    let steps: Vec<String> = steps.iter().map(one).collect();
    format!("The formula has an equivalent by these steps: {}.", steps.join("; "))
}

/// How the process of a solver ended, and what it printed about that.
fn ended(by: &SolverId, ending: Ending, text: &str) -> String {
    match text.is_empty() {
        true => format!("{by} ends with {} and prints nothing about it.", end(ending)),
        false => format!("{by} ends with {} and prints: `{}`", end(ending), text.replace('\n', " ⏎ ")),
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
