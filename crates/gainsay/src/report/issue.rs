//! Texts of issues, one for each fault: the first finding of each group.

use std::collections::{BTreeMap, HashSet};
use std::fmt::Write;

use super::campaign::{Campaign, Entry};
use crate::finding::{Asked, ranges};
use crate::report::many;

fn faults(campaign: &Campaign) -> impl Iterator<Item = &Entry> {
    let mut seen = HashSet::new();
    campaign.entries.iter().filter(move |entry| seen.insert(entry.group.as_str()))
}

fn text(entry: &Entry) -> String {
    entry.issue.trim_end().to_owned() + "\n"
}

/// All of them, one after another.
pub fn write(campaign: &Campaign) -> String {
    faults(campaign).map(text).collect::<Vec<_>>().join("\n---\n\n")
}

/// A file for each, and one that lists them.
pub fn folder(campaign: &Campaign) -> Vec<(String, String)> {
    let mut files = Vec::new();
    let setting = |name: &str| campaign.settings.iter().find(|(key, _)| key == name);
    let mut list = "# What was found\n\n".to_owned();
    for name in ["solvers", "strategies", "seeds", "timeout"] {
        if let Some((_, value)) = setting(name).filter(|(_, value)| !value.is_empty()) {
            let _ = writeln!(list, "- {name}: {value}");
        }
    }
    let turns: u64 = campaign.turns.values().sum();
    let _ = writeln!(
        list,
        "- random number {}, {}, {} kept\n\n| fault | bytes | triggers | wrong in |\n|---|---|---|---|",
        campaign.draw,
        many(turns, "turn"),
        many(campaign.entries.len() as u64, "finding")
    );
    for (number, entry) in faults(campaign).enumerate() {
        let (make, release) = entry.accused();
        let words = [make.as_str(), release, entry.verdict().kind.word()].join("-");
        let plain = |c: char| if c.is_ascii_alphanumeric() || c == '.' { c } else { '-' };
        let slug: String = words.chars().map(plain).collect();
        let name = format!("{:02}-{}.md", number + 1, slug.trim_matches('-'));
        let same = campaign.entries.iter().filter(|e| e.group == entry.group);
        let like: BTreeMap<&str, u64> = same.map(|e| (e.finding.fingerprint.as_str(), e.triggers)).collect();
        let like: u64 = like.values().sum();
        let asked = |(release, fails): &(String, bool)| Asked { release: release.clone(), fails: Ok(*fails) };
        let asked: Vec<Asked> = entry.releases.iter().map(asked).collect();
        let wrong = ranges(&asked, |fails| *fails == Ok(true));
        let wrong = if wrong.is_empty() { release.to_owned() } else { wrong.join(", ") };
        let title = entry.title.replace('|', "\\|").replace('[', "\\[");
        let _ = writeln!(list, "| [{title}]({name}) | {} | {like} | {wrong} |", entry.shown().case.len());
        files.push((name, text(entry)));
    }
    files.insert(0, ("README.md".to_owned(), list));
    files
}
