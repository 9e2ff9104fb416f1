//! Findings in groups, and as texts of issues.

use std::collections::BTreeMap;

use serde_json::json;

use super::accused::{Labels, found, known, needed, version};
use super::columns::fitted;
use super::exit;
use crate::config::{Config, Ignore};
use crate::finding::rank;
use crate::finding::{self, Finding, Scope};
use crate::finding::{Affected, formula_key, group_key};
use crate::report::many;
use crate::solver::SolverId;
use crate::solver::names::with_old_names;
use crate::solver::profile::Flag;
use crate::store::{Reader, Row, StoreError};
use crate::strategy::matches_pattern;

/// Findings that are one fault, those that were reduced first, the smallest of them before the others.
pub struct Group {
    /// What they share.
    pub key: String,
    /// Whom they concern, if releases were asked.
    pub affected: Option<Affected>,
    /// Each, with what it was reduced to.
    pub rows: Vec<(Row, Option<Finding>)>,
}

impl Group {
    /// The finding to show: the first, as it was reduced.
    pub fn shown(&self) -> &Finding {
        let (row, reduced) = &self.rows[0];
        reduced.as_ref().unwrap_or(&row.finding)
    }

    /// What it is called.
    pub fn title(&self, labels: &mut Labels) -> String {
        let options = self.affected.as_ref().map(|affected| affected.options.as_slice());
        finding::words::title(self.shown(), &labels.of(self.shown(), options))
    }
}

/// Whom a finding concerns, if releases were asked.
fn affected(store: &dyn Reader, row: &Row) -> Result<Option<Affected>, StoreError> {
    let Some(options) = store.options(&row.folder)? else { return Ok(None) };
    let failing = store.releases(&row.folder)?.into_iter().filter(|asked| asked.fails == Ok(true));
    Ok(Some(Affected { releases: failing.map(|asked| asked.release).collect(), options }))
}

/// The groups of findings, those that maintainers want to hear of first before the others. What was not reduced is taken to be
/// like what has its fingerprint and was; what releases were not asked about, like what has its formula and options and
/// they were.
pub fn groups(store: &dyn Reader, rows: Vec<Row>) -> Result<Vec<Group>, StoreError> {
    let with_reduced = |row: Row| {
        let reduced = store.reduced(&row.folder)?;
        Ok((row, reduced))
    };
    let rows: Vec<(Row, Option<Finding>)> =
        rows.into_iter().map(with_reduced).collect::<Result<_, StoreError>>()?;
    let mut of_print: BTreeMap<String, String> = BTreeMap::new();
    for (row, reduced) in rows.iter().filter(|(_, reduced)| reduced.is_some()) {
        let key = formula_key(&row.finding, reduced.as_ref());
        of_print.entry(row.finding.fingerprint.clone()).or_insert(key);
    }
    let formula = |(row, reduced): &(Row, Option<Finding>)| {
        let like = of_print.get(&row.finding.fingerprint).filter(|_| reduced.is_none());
        like.cloned().unwrap_or_else(|| formula_key(&row.finding, reduced.as_ref()))
    };
    let mut known: BTreeMap<(String, Vec<String>), Affected> = BTreeMap::new();
    for one in &rows {
        if let Some(affected) = affected(store, &one.0)? {
            known.entry((formula(one), options(&one.0))).or_insert(affected);
        }
    }
    let mut by_key: BTreeMap<String, Group> = BTreeMap::new();
    for one in rows {
        let formula = formula(&one);
        let alike = known.get(&(formula.clone(), options(&one.0)));
        let affected = affected(store, &one.0)?.or_else(|| alike.cloned());
        let key = group_key(&formula, one.1.as_ref().unwrap_or(&one.0.finding), affected.as_ref());
        let group = by_key.entry(key.clone()).or_insert_with(|| Group { key, affected, rows: Vec::new() });
        group.rows.push(one);
    }
    let mut all: Vec<Group> = by_key.into_values().collect();
    for group in &mut all {
        group.rows.sort_by_key(|(row, reduced)| {
            (reduced.is_none(), reduced.as_ref().unwrap_or(&row.finding).case.len(), row.id)
        });
    }
    all.sort_by_key(|g| (rank(g.shown()), g.shown().case.len(), g.key.clone()));
    Ok(all)
}

/// Whether a finding with this title and summary is left out of lists.
fn leaves_out(ignore: &Ignore, title: &str, summary: &str) -> bool {
    let meant = |patterns: &[String], text: &str| patterns.iter().any(|p| matches_pattern(p, text));
    meant(&ignore.titles, title) || meant(&ignore.summaries, summary)
}

/// The groups that `gainsay.toml` does not ask to leave out; says of how many it does.
pub fn not_ignored(all: Vec<Group>) -> anyhow::Result<Vec<Group>> {
    let ignore = Config::read()?.ignore;
    let mut labels = Labels::default();
    let known = all.len();
    let left: Vec<Group> = all
        .into_iter()
        .filter(|g| !leaves_out(&ignore, &g.title(&mut labels), &finding::words::summary(g.shown())))
        .collect();
    if left.len() < known {
        eprintln!("{} left out, as gainsay.toml says", many((known - left.len()) as u64, "group"));
    }
    Ok(left)
}

/// The options of the accused of a finding.
fn options(row: &Row) -> Vec<String> {
    row.finding.against.as_ref().map_or_else(Vec::new, |id| id.options().to_vec())
}

/// Prints a line for each group.
pub fn list(
    store: &dyn Reader,
    rows: Vec<Row>,
    triggers: &BTreeMap<String, u64>,
    as_json: bool,
) -> anyhow::Result<u8> {
    let all = not_ignored(groups(store, rows)?)?;
    let mut labels = Labels::default();
    for group in &all {
        let title = group.title(&mut labels);
        let ids: Vec<u64> = group.rows.iter().map(|(row, _)| row.id).collect();
        let mut prints: Vec<&str> =
            group.rows.iter().map(|(row, _)| row.finding.fingerprint.as_str()).collect();
        prints.sort_unstable();
        prints.dedup();
        let count: u64 = prints.iter().map(|print| triggers.get(*print).copied().unwrap_or(1)).sum();
        let shown = group.shown();
        if as_json {
            let affected = group.affected.as_ref();
            let line = json!({
                "group": group.key, "ids": ids, "kind": shown.kind, "against": shown.against,
                "title": title, "triggers": count, "bytes": shown.case.len(),
                "reduced": group.rows[0].1.is_some(),
                "releases": affected.map(|a| &a.releases), "options": affected.map(|a| &a.options),
            });
            println!("{line}");
        } else {
            let line = format!(
                "{:>5}  {:>13} {:>15} {:>5} bytes  {title}",
                ids[0],
                many(ids.len() as u64, "finding"),
                many(count, "trigger"),
                shown.case.len(),
            );
            println!("{}", fitted(&line));
        }
    }
    if all.is_empty() && !as_json {
        println!("nothing found yet");
    }
    Ok(exit::FINE)
}

/// What is known of a finding's solvers, and which releases were asked.
pub fn scope_of(store: &dyn Reader, row: &Row, shown: &Finding) -> Result<Scope, StoreError> {
    let whom = row.finding.against.as_ref();
    let kept = store.options(&row.folder)?;
    let needed = needed(shown, kept.as_deref());
    let mut solvers = BTreeMap::new();
    for said in &shown.said {
        let is_accused = Some(&said.solver) == whom;
        if let Some(mut known) = known(&said.solver, needed.filter(|_| is_accused)) {
            if is_accused {
                known.version = version(&said.solver).unwrap_or_default();
            }
            solvers.insert(said.solver.clone(), known);
        }
    }
    let here = whom.and_then(found).filter(|solver| !solver.is_fake());
    let built = here.as_ref().map(|solver| solver.profile.clone()).filter(|profile| profile.name != "any");
    let profile = whom.and_then(SolverId::profile).or(built);
    Ok(Scope {
        title: profile.as_ref().map_or_else(String::new, |p| p.title.clone()),
        accepts: profile.as_ref().map_or_else(String::new, |p| p.accepts.clone()),
        solvers,
        platform: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
        releases: store.releases(&row.folder)?,
        respelled: here.filter(|a| a.has(Flag::OldStringNames)).map(|_| with_old_names as _),
    })
}

/// A finding as an issue, as it was reduced if it was.
pub fn issue_of(store: &dyn Reader, row: &Row) -> Result<String, StoreError> {
    let reduced = store.reduced(&row.folder)?;
    let shown = reduced.as_ref().unwrap_or(&row.finding);
    Ok(finding::words::issue(shown, &scope_of(store, row, shown)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_known_is_left_out() {
        let ignore =
            Ignore { summaries: vec!["a known".to_owned()], titles: vec!["*(bvxnor) [z3*".to_owned()] };
        let title =
            |operators: &str| format!("Soundness: unsat for a satisfiable formula ({operators}) [z3@4.8.7]");
        assert!(leaves_out(&ignore, &title("bvxnor"), "z3@4.8.7 says unsat"));
        assert!(leaves_out(&ignore, &title("bvadd"), "this is a known fault"));
        assert!(!leaves_out(&ignore, &title("bvadd"), "z3@4.8.7 says unsat"));
    }
}
