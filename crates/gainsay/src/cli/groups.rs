//! Findings in groups, and as texts of issues.

use std::collections::BTreeMap;

use serde_json::json;

use super::columns::fitted;
use super::exit;
use crate::finding::{self, Finding, Scope};
use crate::solver::Profile;
use crate::store::{Row, Sqlite};
use crate::study::{family, group_key, rank};

/// Findings that are one fault, those that were reduced first, the smallest of them before the others.
pub struct Group {
    /// What they share.
    pub key: String,
    /// Each, with what it was reduced to.
    pub rows: Vec<(Row, Option<Finding>)>,
}

impl Group {
    /// The finding to show: the first, as it was reduced.
    pub fn shown(&self) -> &Finding {
        let (row, reduced) = &self.rows[0];
        reduced.as_ref().unwrap_or(&row.finding)
    }
}

/// The groups of findings, those that maintainers want to hear of first before the others.
pub fn groups(store: &Sqlite, rows: Vec<Row>) -> Vec<Group> {
    let mut by_key: BTreeMap<String, Vec<(Row, Option<Finding>)>> = BTreeMap::new();
    let with_reduced = |row: Row| {
        let reduced = store.reduced(&row.folder);
        (row, reduced)
    };
    let rows: Vec<(Row, Option<Finding>)> = rows.into_iter().map(with_reduced).collect();
    // What was not reduced is taken to be like what has its fingerprint and was.
    let mut of_print: BTreeMap<String, String> = BTreeMap::new();
    for (row, reduced) in rows.iter().filter(|(_, reduced)| reduced.is_some()) {
        let key = group_key(&row.finding, reduced.as_ref());
        of_print.entry(row.finding.fingerprint.clone()).or_insert(key);
    }
    for (row, reduced) in rows {
        let like = of_print.get(&row.finding.fingerprint).filter(|_| reduced.is_none());
        let key = like.cloned().unwrap_or_else(|| group_key(&row.finding, reduced.as_ref()));
        by_key.entry(key).or_default().push((row, reduced));
    }
    let mut all: Vec<Group> = by_key.into_iter().map(|(key, rows)| Group { key, rows }).collect();
    for group in &mut all {
        group.rows.sort_by_key(|(row, reduced)| {
            (reduced.is_none(), reduced.as_ref().unwrap_or(&row.finding).case.len(), row.id)
        });
    }
    all.sort_by_key(|g| (rank(g.shown()), g.shown().case.len(), g.key.clone()));
    all
}

/// Prints a line for each group.
pub fn list(store: &Sqlite, rows: Vec<Row>, triggers: &BTreeMap<String, u64>, as_json: bool) -> u8 {
    let all = groups(store, rows);
    for group in &all {
        let ids: Vec<u64> = group.rows.iter().map(|(row, _)| row.id).collect();
        let mut prints: Vec<&str> =
            group.rows.iter().map(|(row, _)| row.finding.fingerprint.as_str()).collect();
        prints.sort_unstable();
        prints.dedup();
        let count: u64 = prints.iter().map(|print| triggers.get(*print).copied().unwrap_or(1)).sum();
        let shown = group.shown();
        if as_json {
            let line = json!({
                "group": group.key, "ids": ids, "kind": shown.kind, "against": shown.against,
                "title": finding::title(shown), "triggers": count, "bytes": shown.case.len(),
                "reduced": group.rows[0].1.is_some(),
            });
            println!("{line}");
        } else {
            let line = format!(
                "{:>5}  {:>4} findings {:>6} triggers {:>5} bytes  {}",
                ids[0],
                ids.len(),
                count,
                shown.case.len(),
                finding::title(shown)
            );
            println!("{}", fitted(&line));
        }
    }
    if all.is_empty() && !as_json {
        println!("nothing found yet");
    }
    exit::FINE
}

/// What is known of a finding's solver, and which releases were asked.
pub fn scope_of(store: &Sqlite, row: &Row) -> Scope {
    let whom = row.finding.against.as_deref().unwrap_or_default();
    let profile = Profile::named(family(whom)).ok();
    Scope {
        title: profile.as_ref().map_or_else(String::new, |p| p.title.clone()),
        accepts: profile.as_ref().map_or_else(String::new, |p| p.accepts.clone()),
        releases: store.releases(&row.folder),
    }
}

/// A finding as an issue, as it was reduced if it was.
pub fn issue_of(store: &Sqlite, row: &Row) -> String {
    let reduced = store.reduced(&row.folder);
    let shown = reduced.as_ref().unwrap_or(&row.finding);
    finding::issue(shown, row.id, &scope_of(store, row))
}
