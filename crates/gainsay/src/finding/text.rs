//! A finding in words, for whoever opens its folder.

use std::fmt::Write;

use super::Finding;
use crate::judge::Evidence;

/// The `README.md` of a finding's folder.
pub fn readme(finding: &Finding, number: u64) -> String {
    let mut text =
        format!("# {number}. {}\n\n{}.\n\n", title(finding), finding.summary.trim_end_matches('.'));
    let _ = writeln!(text, "| solver | outcome | answers | CPU ms |\n|---|---|---|---|");
    for said in &finding.said {
        let cpu = said.cpu_ms.map_or_else(|| "-".to_owned(), |t| t.to_string());
        let _ = writeln!(text, "| {} | {} | {} | {cpu} |", said.solver, said.outcome, said.answers.join(" "));
    }
    text.push_str("\n## Why this can be trusted\n\n");
    for evidence in &finding.evidence {
        let _ = writeln!(text, "- {}", sentence(evidence));
    }
    let c = &finding.confirmed;
    let options = if c.default_options { ", with the solver's default options" } else { "" };
    let _ = writeln!(text, "- Seen in {} fresh processes{options}.", c.fresh);
    match c.without_logic {
        Some(true) => text.push_str("- The same without the logic line.\n"),
        Some(false) => text.push_str("- Only with the logic line, which the script keeps to.\n"),
        None => {}
    }
    text.push_str("\n## How it was made\n\n");
    let seeds: Vec<_> = finding.lineage.seeds.iter().map(|s| s.name.as_ref()).collect();
    let from = if seeds.is_empty() { "nothing".to_owned() } else { seeds.join(", ") };
    let _ = writeln!(text, "Strategy `{}` from {from}.", finding.lineage.strategy);
    for (i, edit) in finding.lineage.edits.list().iter().enumerate() {
        let _ = writeln!(text, "{}. {edit}", i + 1);
    }
    let _ = writeln!(text, "\nThe script is `case.smt2`; look again with `gainsay replay {number}`.");
    text
}

fn title(finding: &Finding) -> String {
    match &finding.against {
        Some(whom) => format!("{} of {whom}", finding.kind.word()),
        None => format!("{}: undecided", finding.kind.word()),
    }
}

/// A piece of evidence in a sentence.
pub fn sentence(evidence: &Evidence) -> String {
    let said = |answer: &Option<crate::case::Answer>| answer.map_or("nothing", crate::case::Answer::word);
    match evidence {
        Evidence::Satisfied { by, check, .. } => {
            format!(
                "Our evaluator finds every assertion in scope at check {} true under the model of {by} (`model`).",
                check + 1
            )
        }
        Evidence::SatisfiedCore { core, by, .. } => {
            format!(
                "Its core is ({}). Our evaluator finds that, with all that has no name (`asked.smt2`), true under the model of {by} (`model`).",
                core.join(" ")
            )
        }
        Evidence::Falsified { check, assertion, model } if model.trim() == "()" => {
            format!(
                "Our evaluator finds this assertion at check {} false as it stands: `{assertion}`",
                check + 1
            )
        }
        Evidence::Falsified { check, assertion, .. } => {
            format!(
                "Our evaluator finds this assertion at check {} false under the solver's own model (`model`): `{assertion}`",
                check + 1
            )
        }
        Evidence::Pinned { by, answer, .. } => {
            format!(
                "Asked with the model written in as definitions (`pinned.smt2`), {by} answers {}.",
                said(answer)
            )
        }
        Evidence::Claimed { claim } => format!("The case was made so that {claim}."),
        Evidence::Answered { by, check, answer } => {
            format!("{by} answers {} to check {}.", answer.word(), check + 1)
        }
        Evidence::Asked { by, about, answer, .. } => format!("Asked {about}, {by} answers {}.", said(answer)),
        Evidence::Turned { steps } => format!("The answer turns with {}.", steps.join(", then ")),
        Evidence::Printed { by, text } => format!("{by} prints: `{}`", text.replace('\n', " ⏎ ")),
        Evidence::Timed { by, milliseconds, on } => {
            let times: Vec<_> = milliseconds.iter().map(u64::to_string).collect();
            let on = if on.is_empty() { String::new() } else { format!(" on {on}") };
            format!("{by} took {} ms of CPU{on}.", times.join(", "))
        }
        Evidence::Undecided { why } => format!("Undecided: {why}."),
    }
}
