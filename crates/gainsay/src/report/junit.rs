//! The findings of a campaign as `JUnit` XML: a suite for each solver, a failing case for each finding.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::campaign::{Campaign, Entry};
use super::escape::escape;
use crate::solver::id::SolverId;

/// The report. A campaign that found nothing has one case, which passes.
pub fn write(campaign: &Campaign) -> String {
    let mut suites: BTreeMap<&str, Vec<&Entry>> = BTreeMap::new();
    for entry in &campaign.entries {
        suites
            .entry(entry.finding.against.as_ref().map_or("undecided", SolverId::as_str))
            .or_default()
            .push(entry);
    }
    let failures = campaign.entries.len();
    let mut out = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"gainsay {}\" tests=\"{}\" failures=\"{failures}\">\n",
        escape(&campaign.name),
        failures.max(1)
    );
    for (solver, entries) in &suites {
        let count = entries.len();
        let _ =
            writeln!(out, " <testsuite name=\"{}\" tests=\"{count}\" failures=\"{count}\">", escape(solver));
        for entry in entries {
            let shown = entry.shown();
            let _ = writeln!(
                out,
                "  <testcase classname=\"{}\" name=\"{}. {}\"><failure message=\"{}\">{}</failure></testcase>",
                escape(shown.kind.word()),
                entry.id,
                escape(&entry.title),
                escape(&crate::finding::words::summary(shown)),
                escape(&format!("{}\n{}", entry.folder, shown.case))
            );
        }
        out.push_str(" </testsuite>\n");
    }
    if suites.is_empty() {
        out.push_str(" <testsuite name=\"all solvers\" tests=\"1\" failures=\"0\"><testcase classname=\"campaign\" name=\"nothing was found\"/></testsuite>\n");
    }
    out.push_str("</testsuites>\n");
    out
}
