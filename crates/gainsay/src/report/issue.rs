//! Texts of issues, one for each fault: the first finding of each group.

use std::collections::HashSet;

use super::campaign::Campaign;

/// The report.
pub fn write(campaign: &Campaign) -> String {
    let mut seen = HashSet::new();
    let first = campaign.entries.iter().filter(|entry| seen.insert(entry.group.as_str()));
    first.map(|entry| entry.issue.trim_end().to_owned() + "\n").collect::<Vec<_>>().join("\n---\n\n")
}
