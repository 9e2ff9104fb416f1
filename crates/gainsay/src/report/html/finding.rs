//! One finding in the page: formula, answers side by side, evidence, how it became small, whom it concerns, the text to paste.

use maud::{Markup, html};

use super::super::campaign::Entry;
use super::smt::highlight;
use crate::finding::words::{edit, sentence, summary};
use crate::finding::{Finding, Said};
use crate::judge::Evidence;

/// Edits of a lineage that are shown; of more, the last.
const EDITS: usize = 40;

/// The place of a finding in the page.
pub fn anchor(id: u64) -> String {
    format!("finding-{id}")
}

/// A finding, closed until somebody opens it.
pub fn details(entry: &Entry) -> Markup {
    let (at, shown) = (anchor(entry.id), entry.shown());
    html! {
        details.finding id=(at) {
            summary {
                b { (entry.id) "." } " " (entry.title) " "
                span.dim { (shown.case.len()) " bytes, " (entry.finding.lineage.strategy) }
            }
            div {
                p { (summary(shown)) }
                h3 { "Formula" }
                pre.smt { (highlight(shown.case.trim_end())) }
                (answers(shown))
                (evidence(shown))
                (releases(entry))
                (history(entry))
                h3 {
                    "As an issue "
                    button type="button" class="copy script-only" data-from={ (at) "-issue" } { "Copy" }
                }
                pre id={ (at) "-issue" } { (entry.issue) }
                p.dim {
                    "All files: " code { (entry.folder) } ". Look again: " code { "gainsay replay " (entry.id) } "."
                }
            }
        }
    }
}

fn answers(shown: &Finding) -> Markup {
    let number = |n: Option<u64>| n.map_or_else(|| "-".to_owned(), |n| n.to_string());
    html! {
        h3 { "Who says what" }
        div.wide {
            table {
                thead {
                    tr { th { "solver" } th { "answers" } th { "run" } th.r { "CPU ms" } th.r { "MB" } }
                }
                tbody {
                    @for said in &shown.said {
                        @let mark = (shown.against.as_ref() == Some(&said.solver)).then_some("bad");
                        tr {
                            td class=[mark] { (said.solver) }
                            td class=[mark] { (answered(said)) }
                            td { (said.outcome) ", " (said.ending) }
                            td.r { (number(said.cpu_ms)) }
                            td.r { (number(said.peak.map(|bytes| bytes >> 20))) }
                        }
                    }
                }
            }
        }
    }
}

fn answered(said: &Said) -> String {
    if said.answers.is_empty() { "-".to_owned() } else { said.answer_words() }
}

/// The scripts and models that a piece of evidence keeps, each with what it is.
fn kept(evidence: &Evidence) -> Vec<(&'static str, &str)> {
    match evidence {
        Evidence::Satisfied { model, .. }
        | Evidence::SatisfiedOther { model, .. }
        | Evidence::Falsified { model, .. } => vec![("the model", model)],
        Evidence::SatisfiedCore { script, model, .. } => {
            vec![("the core as a script", script), ("the model", model)]
        }
        Evidence::SatisfiedAssumptions { script, model, .. } => {
            vec![("what was asked", script), ("the model", model)]
        }
        Evidence::PrintedValue { model, .. } if !model.is_empty() => vec![("the model", model)],
        Evidence::Pinned { script, .. } | Evidence::Asked { script, .. } => vec![("what was asked", script)],
        _ => Vec::new(),
    }
}

fn evidence(shown: &Finding) -> Markup {
    let confirmed = &shown.confirmed;
    html! {
        h3 { "Why this can be trusted" }
        ul {
            @for evidence in &shown.evidence {
                li {
                    (sentence(shown, evidence))
                    @for (what, text) in kept(evidence) {
                        details {
                            summary { (what) }
                            pre.smt { (highlight(text)) }
                        }
                    }
                }
            }
            li {
                "Seen in " (confirmed.fresh) " fresh processes"
                @if confirmed.default_options { ", with default options" }
                "."
            }
        }
    }
}

fn releases(entry: &Entry) -> Markup {
    html! {
        @if !entry.releases.is_empty() {
            h3 { "Versions" }
            p {
                @for (release, fails) in &entry.releases {
                    @let (class, word) = if *fails { ("bad", "fails") } else { ("good", "does not") };
                    span class=(class) title=(word) { (release) } " "
                }
                span.dim { "(bold: fails in the same way)" }
            }
        }
    }
}

fn history(entry: &Entry) -> Markup {
    let found = &entry.finding;
    let seeds = &found.lineage.seeds;
    let edits = found.lineage.edits.list();
    let skipped = edits.len().saturating_sub(EDITS);
    html! {
        h3 { "How it came to be" }
        p {
            "Strategy " (found.lineage.strategy) " from "
            @if seeds.is_empty() { "no seed" }
            @for (i, seed) in seeds.iter().enumerate() {
                @if i > 0 { ", " }
                code { (seed.name) }
            }
            ", series " (found.turn.series) " step " (found.turn.step) ". "
            (found.case.len()) " bytes when it was found"
            @if let Some(reduced) = &entry.reduced { ", " (reduced.case.len()) " now" }
            "."
        }
        @if !edits.is_empty() {
            details {
                summary { (edits.len()) " edits" }
                ol start=(skipped + 1) { @for one in &edits[skipped..] { li { code { (edit(one)) } } } }
            }
        }
        @if entry.reduced.is_some() {
            details {
                summary { "the formula as it was found" }
                pre.smt { (highlight(found.case.trim_end())) }
            }
        }
    }
}
