//! One finding in the page: formula, answers side by side, evidence, how it became small, whom it concerns, the text to paste.

use std::fmt::Write;

use super::super::campaign::Entry;
use super::super::escape::escape;
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
pub fn details(out: &mut String, entry: &Entry) {
    let (at, shown) = (anchor(entry.id), entry.shown());
    let _ = writeln!(
        out,
        "<details class=\"finding\" id=\"{at}\"><summary><b>{}.</b> {} <span class=\"dim\">{} bytes, {}</span></summary><div>",
        entry.id,
        escape(&entry.title),
        shown.case.len(),
        escape(&entry.finding.lineage.strategy),
    );
    let _ = writeln!(out, "<p>{}</p>", escape(&summary(shown)));
    let _ = writeln!(out, "<h3>Formula</h3><pre class=\"smt\">{}</pre>", highlight(shown.case.trim_end()));
    answers(out, shown);
    evidence(out, shown);
    releases(out, entry);
    history(out, entry);
    let _ = writeln!(
        out,
        "<h3>As an issue <button type=\"button\" class=\"copy script-only\" data-from=\"{at}-issue\">Copy</button></h3>\
         <pre id=\"{at}-issue\">{}</pre>",
        escape(&entry.issue)
    );
    let _ = writeln!(
        out,
        "<p class=\"dim\">All files: <code>{}</code>. Look again: <code>gainsay replay {}</code>.</p></div></details>",
        escape(&entry.folder),
        entry.id
    );
}

fn answers(out: &mut String, shown: &Finding) {
    out.push_str("<h3>Who says what</h3><div class=\"wide\"><table><thead><tr><th>solver</th><th>answers</th><th>run</th><th class=\"r\">CPU ms</th><th class=\"r\">MB</th></tr></thead><tbody>\n");
    for said in &shown.said {
        let accused = shown.against.as_ref() == Some(&said.solver);
        let mark = if accused { " class=\"bad\"" } else { "" };
        let number = |n: Option<u64>| n.map_or_else(|| "-".to_owned(), |n| n.to_string());
        let _ = writeln!(
            out,
            "<tr><td{mark}>{}</td><td{mark}>{}</td><td>{}</td><td class=\"r\">{}</td><td class=\"r\">{}</td></tr>",
            escape(said.solver.as_str()),
            escape(&answered(said)),
            escape(&format!("{}, {}", said.outcome, said.ending)),
            number(said.cpu_ms),
            number(said.peak.map(|bytes| bytes >> 20)),
        );
    }
    out.push_str("</tbody></table></div>\n");
}

fn answered(said: &Said) -> String {
    if said.answers.is_empty() { "-".to_owned() } else { said.answer_words() }
}

fn evidence(out: &mut String, shown: &Finding) {
    out.push_str("<h3>Why this can be trusted</h3><ul>\n");
    for evidence in &shown.evidence {
        let _ = write!(out, "<li>{}", escape(&sentence(shown, evidence)));
        let kept = match evidence {
            Evidence::Satisfied { model, .. } | Evidence::Falsified { model, .. } => {
                vec![("the model", model)]
            }
            Evidence::SatisfiedCore { script, model, .. } => {
                vec![("the core as a script", script), ("the model", model)]
            }
            Evidence::Pinned { script, .. } | Evidence::Asked { script, .. } => {
                vec![("what was asked", script)]
            }
            _ => Vec::new(),
        };
        for (what, text) in kept {
            let _ = write!(
                out,
                "<details><summary>{what}</summary><pre class=\"smt\">{}</pre></details>",
                highlight(text)
            );
        }
        out.push_str("</li>\n");
    }
    let confirmed = &shown.confirmed;
    let options = if confirmed.default_options { ", with default options" } else { "" };
    let _ = writeln!(out, "<li>Seen in {} fresh processes{options}.</li></ul>", confirmed.fresh);
}

fn releases(out: &mut String, entry: &Entry) {
    if entry.releases.is_empty() {
        return;
    }
    out.push_str("<h3>Versions</h3><p>");
    for (release, fails) in &entry.releases {
        let (class, word) = if *fails { ("bad", "fails") } else { ("good", "does not") };
        let _ = write!(out, "<span class=\"{class}\" title=\"{word}\">{}</span> ", escape(release));
    }
    out.push_str("<span class=\"dim\">(bold: fails in the same way)</span></p>\n");
}

fn history(out: &mut String, entry: &Entry) {
    let found = &entry.finding;
    out.push_str("<h3>How it came to be</h3>\n");
    let seeds: Vec<String> =
        found.lineage.seeds.iter().map(|seed| format!("<code>{}</code>", escape(&seed.name))).collect();
    let from = if seeds.is_empty() { "no seed".to_owned() } else { seeds.join(", ") };
    let _ = writeln!(
        out,
        "<p>Strategy {} from {from}, series {} step {}. {} bytes when it was found{}.</p>",
        escape(&found.lineage.strategy),
        found.turn.series,
        found.turn.step,
        found.case.len(),
        entry.reduced.as_ref().map_or_else(String::new, |reduced| format!(", {} now", reduced.case.len())),
    );
    let edits = found.lineage.edits.list();
    if !edits.is_empty() {
        let skipped = edits.len().saturating_sub(EDITS);
        let _ =
            write!(out, "<details><summary>{} edits</summary><ol start=\"{}\">", edits.len(), skipped + 1);
        for one in &edits[skipped..] {
            let _ = write!(out, "<li><code>{}</code></li>", escape(&edit(one)));
        }
        out.push_str("</ol></details>\n");
    }
    if entry.reduced.is_some() {
        let _ = writeln!(
            out,
            "<details><summary>the formula as it was found</summary><pre class=\"smt\">{}</pre></details>",
            highlight(found.case.trim_end())
        );
    }
}
