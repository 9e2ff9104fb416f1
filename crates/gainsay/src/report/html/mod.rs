//! A campaign as one page that needs nothing else: no network, no script but for filters, light and dark.

mod figures;
mod finding;
mod smt;

use std::collections::BTreeSet;
use std::fmt::Write;

use super::campaign::{Campaign, Entry};
use super::escape::escape;
use crate::solver::id::SolverId;
use finding::{anchor, details};

/// What one may filter by: the name of the attribute, the label, and the values of an entry.
type Filter = (&'static str, &'static str, fn(&Entry) -> Vec<String>);

const FILTERS: &[Filter] = &[
    ("kind", "kind", |e| vec![e.finding.kind.word().to_owned()]),
    ("solver", "solver", |e| vec![e.accused().0]),
    ("release", "release", |e| vec![e.accused().1.to_owned()]),
    ("strategy", "strategy", |e| vec![e.finding.lineage.strategy.to_string()]),
    ("theory", "theory", |e| e.theories.clone()),
];

/// The page. With `refresh`, a browser asks for it again every so many seconds.
pub fn page(campaign: &Campaign, refresh: Option<u32>) -> String {
    let mut out = String::new();
    let live =
        refresh.map_or_else(String::new, |s| format!("<meta http-equiv=\"refresh\" content=\"{s}\">\n"));
    let _ = writeln!(
        out,
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:\">\n\
         {live}<title>gainsay: {}</title><link rel=\"icon\" href=\"data:,\">\n<style>\n{}</style></head><body>",
        escape(&campaign.name),
        include_str!("style.css")
    );
    head(&mut out, campaign);
    if !campaign.workers.is_empty() {
        let _ = writeln!(out, "<h2 id=\"workers\">Workers</h2><pre>{}</pre>", escape(&campaign.workers));
    }
    table(&mut out, &campaign.entries);
    let plots = figures::figures(campaign);
    if !plots.is_empty() {
        let _ = writeln!(out, "<h2 id=\"plots\">Plots</h2><div class=\"plots\">{}</div>", plots.concat());
    }
    if let Some(evolution) = &campaign.evolution {
        let _ = writeln!(out, "<h2 id=\"evolution\">Releases</h2><div class=\"plots\">");
        for (_, svg) in super::evolve::figures(evolution) {
            out.push_str(&svg);
        }
        let _ = writeln!(
            out,
            "</div>\n<details><summary>The same as tables</summary><pre>{}</pre></details>",
            escape(&super::evolve::terminal(evolution))
        );
    }
    if !campaign.matrix.is_empty() {
        let _ = writeln!(
            out,
            "<h2 id=\"matrix\">Tests by construction</h2><pre>{}</pre>",
            escape(&campaign.matrix.terminal())
        );
    }
    for entry in &campaign.entries {
        details(&mut out, entry);
    }
    let _ = writeln!(out, "<script>\n{}</script></body></html>", include_str!("script.js"));
    out
}

fn head(out: &mut String, campaign: &Campaign) {
    let _ = writeln!(out, "<h1>gainsay: {}</h1>", escape(&campaign.name));
    let turns = campaign.turns.values().sum();
    let faults: BTreeSet<&str> = campaign.entries.iter().map(|e| e.group.as_str()).collect();
    let wrong = |kind: &str| campaign.entries.iter().filter(|e| e.finding.kind.word() == kind).count() as u64;
    let cards = [
        (turns, "turns"),
        (campaign.entries.len() as u64, "findings kept"),
        (faults.len() as u64, "faults, as far as can be told"),
        (wrong("soundness"), "wrong answers"),
        (wrong("wrong-model"), "wrong models"),
        (wrong("crash"), "crashes"),
    ];
    out.push_str("<ul class=\"cards\">");
    for (count, what) in cards {
        let _ = write!(out, "<li><b>{count}</b> {what}</li>");
    }
    out.push_str("</ul>\n<details><summary>How it was set up</summary><dl>");
    let _ = write!(out, "<dt>random number</dt><dd>{}</dd>", campaign.draw);
    for (name, value) in &campaign.settings {
        let _ = write!(out, "<dt>{}</dt><dd>{}</dd>", escape(name), escape(value));
    }
    out.push_str("</dl></details>\n");
}

fn table(out: &mut String, entries: &[Entry]) {
    out.push_str("<h2 id=\"list\">Findings</h2>\n");
    if entries.is_empty() {
        out.push_str("<p>Nothing was found.</p>\n");
        return;
    }
    out.push_str("<form id=\"filters\" class=\"script-only\">");
    for (name, label, values) in FILTERS {
        let all: BTreeSet<String> = entries.iter().flat_map(values).filter(|v| !v.is_empty()).collect();
        let _ = write!(out, "<label>{label}<select name=\"{name}\"><option value=\"\">all</option>");
        for value in all {
            let value = escape(&value);
            let _ = write!(out, "<option value=\"{value}\">{value}</option>");
        }
        out.push_str("</select></label>");
    }
    out.push_str("<label>text<input type=\"search\" name=\"text\"></label><span id=\"told\" class=\"dim\" role=\"status\"></span></form>\n");
    let columns = [
        ("#", true),
        ("what", false),
        ("solver", false),
        ("strategy", false),
        ("theories", false),
        ("bytes", true),
        ("triggers", true),
    ];
    out.push_str("<div class=\"wide\"><table id=\"findings\"><thead><tr>");
    for (name, number) in columns {
        let class = if number { " class=\"r\"" } else { "" };
        let _ = write!(out, "<th{class}><button type=\"button\">{name}</button></th>");
    }
    out.push_str("</tr></thead><tbody>\n");
    for entry in entries {
        let mut attributes = String::new();
        for (name, _, values) in FILTERS {
            let _ = write!(attributes, " data-{name}=\"{}\"", escape(&values(entry).join("|")));
        }
        let at = anchor(entry.id);
        let _ = writeln!(
            out,
            "<tr data-at=\"{at}\"{attributes}><td class=\"r\" data-value=\"{}\"><a href=\"#{at}\">{}</a></td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td class=\"r\">{}</td><td class=\"r\">{}</td></tr>",
            entry.id,
            entry.id,
            escape(&entry.title),
            escape(entry.finding.against.as_ref().map_or("undecided", SolverId::as_str)),
            escape(&entry.finding.lineage.strategy),
            escape(&entry.theories.join(", ")),
            entry.shown().case.len(),
            entry.triggers,
        );
    }
    out.push_str("</tbody></table></div>\n");
}
