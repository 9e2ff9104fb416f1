//! The findings of a campaign as comma-separated values.

use super::campaign::{Campaign, Entry};
use super::table::Table;
use crate::finding::standing;

/// A column: its name, and what it holds of a finding.
type Column = (&'static str, fn(&Entry) -> String);

const COLUMNS: &[Column] = &[
    ("id", |e| e.id.to_string()),
    ("kind", |e| e.verdict().kind.word().to_owned()),
    ("against", |e| e.verdict().against.as_ref().map_or_else(String::new, ToString::to_string)),
    ("title", |e| e.title.clone()),
    ("strategy", |e| e.finding.lineage.strategy.to_string()),
    ("theories", |e| e.theories.join(" ")),
    ("bytes_found", |e| e.finding.case.len().to_string()),
    ("bytes", |e| e.shown().case.len().to_string()),
    ("triggers", |e| e.triggers.to_string()),
    ("group", |e| e.group.clone()),
    ("fingerprint", |e| e.finding.fingerprint.clone()),
    ("failing_releases", |e| {
        let failing = e.releases.iter().filter(|r| r.1).map(|r| r.0.as_str());
        failing.collect::<Vec<_>>().join(" ")
    }),
    ("folder", |e| e.folder.clone()),
    ("standing", |e| standing(e.verdict()).word().to_owned()),
];

/// The report.
pub fn write(campaign: &Campaign) -> String {
    let names: Vec<&str> = COLUMNS.iter().map(|(name, _)| *name).collect();
    let mut table = Table::new(&names);
    for entry in &campaign.entries {
        table.row(COLUMNS.iter().map(|(_, cell)| no_formula(cell(entry))));
    }
    table.text()
}

/// A cell as text, also where a spreadsheet would take it for a formula.
fn no_formula(text: String) -> String {
    if text.starts_with(['=', '+', '-', '@']) { format!("'{text}") } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_quoted_where_they_must_be() {
        let rows = [
            ("a b", "a b"),
            ("a,b", "\"a,b\""),
            ("say \"x\"", "\"say \"\"x\"\"\""),
            ("two\nlines", "\"two\nlines\""),
            ("=1+1", "'=1+1"),
        ];
        for (text, expected) in rows {
            let mut table = Table::new(&["a", "b"]);
            table.row([no_formula(text.to_owned()), String::new()]);
            assert_eq!(table.text(), format!("a,b\n{expected},\n"));
        }
    }
}
