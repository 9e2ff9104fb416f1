//! A campaign as one page that needs nothing else: no network, no script but for filters, light and dark.

mod figures;
mod finding;
mod smt;

use std::collections::BTreeSet;

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::campaign::{Campaign, Entry};
use super::escape::without_control;
use crate::solver::id::SolverId;
use finding::{anchor, details};

/// What one may filter by: the name of the attribute, the label, and the values of an entry.
type Filter = (&'static str, &'static str, fn(&Entry) -> Vec<String>);

/// What the page may load: nothing but what is in it.
const POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:";

const FILTERS: &[Filter] = &[
    ("kind", "kind", |e| vec![e.verdict().kind.word().to_owned()]),
    ("solver", "solver", |e| vec![e.accused().0]),
    ("release", "release", |e| vec![e.accused().1.to_owned()]),
    ("strategy", "strategy", |e| vec![e.finding.lineage.strategy.to_string()]),
    ("theory", "theory", |e| e.theories.clone()),
];

/// The page. With `refresh`, a browser asks for it again every so many seconds.
pub fn page(campaign: &Campaign, refresh: Option<u32>) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta http-equiv="Content-Security-Policy" content=(POLICY);
                @if let Some(seconds) = refresh {
                    meta http-equiv="refresh" content=(seconds);
                }
                title { "gainsay: " (campaign.name) }
                link rel="icon" href="data:,";
                style { (PreEscaped(include_str!("style.css"))) }
            }
            body {
                (head(campaign))
                (body(campaign))
                script { (PreEscaped(include_str!("script.js"))) }
            }
        }
    };
    without_control(&page.into_string())
}

fn body(campaign: &Campaign) -> Markup {
    let plots = figures::figures(campaign);
    html! {
        @if !campaign.workers.is_empty() {
            h2 id="workers" { "Workers" }
            pre { (campaign.workers) }
        }
        (table(&campaign.entries))
        @if !plots.is_empty() {
            h2 id="plots" { "Plots" }
            div.plots { @for plot in &plots { (plot.markup()) } }
        }
        @if let Some(evolution) = &campaign.evolution {
            h2 id="evolution" { "Releases" }
            div.plots { @for (_, figure) in super::evolve::figures(evolution) { (figure.markup()) } }
            details {
                summary { "The same as tables" }
                pre { (super::evolve::terminal(evolution)) }
            }
        }
        @if !campaign.matrix.is_empty() {
            h2 id="matrix" { "Tests by construction" }
            pre { (campaign.matrix.terminal()) }
        }
        @for entry in &campaign.entries { (details(entry)) }
    }
}

fn head(campaign: &Campaign) -> Markup {
    let turns = campaign.turns.values().sum();
    let wrong =
        |kind: &str| campaign.entries.iter().filter(|e| e.verdict().kind.word() == kind).count() as u64;
    let cards: [(u64, &str); 8] = [
        (turns, "turns"),
        (campaign.entries.len() as u64, "findings kept"),
        (campaign.faults.all(), "faults, as far as can be told"),
        (campaign.faults.undecided, "faults undecided"),
        (campaign.faults.unconfirmed, "faults unconfirmed"),
        (wrong("soundness"), "wrong answers"),
        (wrong("wrong-model"), "wrong models"),
        (wrong("crash"), "crashes"),
    ];
    html! {
        h1 { "gainsay: " (campaign.name) }
        ul.cards { @for (count, what) in cards { li { b { (count) } " " (what) } } }
        details {
            summary { "How it was set up" }
            dl {
                dt { "random number" }
                dd { (campaign.draw) }
                @for (name, value) in &campaign.settings {
                    dt { (name) }
                    dd { (value) }
                }
            }
        }
    }
}

/// The columns of the table of findings, and whether they hold numbers.
const COLUMNS: &[(&str, bool)] = &[
    ("#", true),
    ("what", false),
    ("solver", false),
    ("strategy", false),
    ("theories", false),
    ("bytes", true),
    ("triggers", true),
];

fn table(entries: &[Entry]) -> Markup {
    html! {
        h2 id="list" { "Findings" }
        @if entries.is_empty() {
            p { "Nothing was found." }
        } @else {
            (filters(entries))
            div.wide {
                table id="findings" {
                    thead {
                        tr {
                            @for &(name, number) in COLUMNS {
                                th class=[number.then_some("r")] { button type="button" { (name) } }
                            }
                        }
                    }
                    tbody { @for entry in entries { (row(entry)) } }
                }
            }
        }
    }
}

fn filters(entries: &[Entry]) -> Markup {
    html! {
        form id="filters" class="script-only" {
            @for (name, label, values) in FILTERS {
                @let all = entries.iter().flat_map(values).filter(|v| !v.is_empty()).collect::<BTreeSet<String>>();
                label {
                    (label)
                    select name=(name) {
                        option value="" { "all" }
                        @for value in &all { option value=(value) { (value) } }
                    }
                }
            }
            label { "text" input type="search" name="text"; }
            span id="told" class="dim" role="status" {}
        }
    }
}

fn row(entry: &Entry) -> Markup {
    let at = anchor(entry.id);
    let values: Vec<String> = FILTERS.iter().map(|(_, _, values)| values(entry).join("|")).collect();
    let [kind, solver, release, strategy, theory] = &values[..] else {
        unreachable!("one value for each filter")
    };
    html! {
        tr data-at=(at) data-kind=(kind) data-solver=(solver) data-release=(release) data-strategy=(strategy)
            data-theory=(theory) {
            td.r data-value=(entry.id) { a href={ "#" (at) } { (entry.id) } }
            td { (entry.title) }
            td { (entry.verdict().against.as_ref().map_or("undecided", SolverId::as_str)) }
            td { (entry.finding.lineage.strategy) }
            td { (entry.theories.join(", ")) }
            td.r { (entry.shown().case.len()) }
            td.r { (entry.triggers) }
        }
    }
}
