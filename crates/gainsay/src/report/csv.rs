//! The findings of a campaign as comma-separated values.

use super::campaign::{Campaign, Entry};

/// A column: its name, and what it holds of a finding.
type Column = (&'static str, fn(&Entry) -> String);

const COLUMNS: &[Column] = &[
    ("id", |e| e.id.to_string()),
    ("kind", |e| e.finding.kind.word().to_owned()),
    ("against", |e| e.finding.against.as_ref().map_or_else(String::new, ToString::to_string)),
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
];

/// The report.
pub fn write(campaign: &Campaign) -> String {
    let names: Vec<&str> = COLUMNS.iter().map(|(name, _)| *name).collect();
    let mut text = names.join(",") + "\n";
    for entry in &campaign.entries {
        let cells: Vec<String> = COLUMNS.iter().map(|(_, cell)| quoted(&cell(entry))).collect();
        text.push_str(&(cells.join(",") + "\n"));
    }
    text
}

/// A cell, in quotes if it must be. What a spreadsheet would take for a formula is text.
fn quoted(text: &str) -> String {
    let text = match text.chars().next() {
        Some('=' | '+' | '-' | '@') => format!("'{text}"),
        _ => text.to_owned(),
    };
    if text.contains([',', '"', '\n', '\r']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text }
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
            ("=1+1", "'=1+1"),
            ("", ""),
        ];
        for (text, expected) in rows {
            assert_eq!(quoted(text), expected);
        }
    }
}
