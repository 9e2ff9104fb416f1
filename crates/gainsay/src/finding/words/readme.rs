//! The `README.md` of a finding's folder.

use std::fmt::Write;

use super::evidence::sentence;
use super::lineage::edit;
use super::summary::summary;
use crate::finding::{Finding, grade};
use crate::judge::Fault;

/// The `README.md` of a finding's folder.
pub fn readme(finding: &Finding, number: u64) -> String {
    let mut text =
        format!("# {number}. {}\n\n{}.\n\n", heading(finding), summary(finding).trim_end_matches('.'));
    let _ = writeln!(text, "| solver | outcome | answers | CPU ms |\n|---|---|---|---|");
    for said in &finding.said {
        let cpu = said.cpu_ms.map_or_else(|| "-".to_owned(), |t| t.to_string());
        let _ = writeln!(text, "| {} | {} | {} | {cpu} |", said.solver, said.outcome, said.answer_words());
    }
    text.push_str("\n## Why this can be trusted\n\n");
    if let Some(grade) = grade(&finding.fault) {
        let _ = writeln!(text, "Grade of the evidence: {}.\n", grade.words());
    }
    for evidence in &finding.evidence {
        let _ = writeln!(text, "- {}", sentence(finding, evidence));
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
    for (i, one) in finding.lineage.edits.list().iter().enumerate() {
        let _ = writeln!(text, "{}. {}", i + 1, edit(one));
    }
    let _ = writeln!(text, "\nThe script is `case.smt2`; look again with `gainsay replay {number}`.");
    text
}

fn heading(finding: &Finding) -> String {
    match (&finding.against, &finding.fault) {
        (Some(whom), _) => format!("{} of {whom}", finding.kind),
        (None, Fault::Unconfirmed { suspect, .. }) => format!("{}: {suspect} is not accused", finding.kind),
        (None, _) => format!("{}: undecided", finding.kind),
    }
}
