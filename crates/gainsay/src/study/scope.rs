//! The facts about a finding's solvers and releases, and the text of an issue that is made from them.

use std::collections::BTreeMap;

use super::solvers::{SolverFinder, needed};
use crate::finding::{Scope, StoredFinding, words};
use crate::solver::SolverId;
use crate::solver::profile::Reports;

/// The facts about a finding's solvers, and the releases that were asked.
pub fn scope_of(stored: &StoredFinding, finder: SolverFinder<'_>) -> Scope {
    let shown = stored.shown();
    let whom = stored.verdict().against.as_ref();
    let needed = needed(shown, stored.options.as_deref());
    let mut solvers = BTreeMap::new();
    for said in &shown.said {
        let is_accused = Some(&said.solver) == whom;
        if let Some(mut known) = finder.known(&said.solver, needed.filter(|_| is_accused)) {
            if is_accused {
                known.version = finder.version(&said.solver).unwrap_or_default();
            }
            solvers.insert(said.solver.clone(), known);
        }
    }
    let here = whom.and_then(|name| finder.described(name)).filter(|solver| !solver.is_fake());
    let built = here.as_ref().map(|solver| solver.profile.clone()).filter(|profile| profile.name != "any");
    let profile = whom.and_then(SolverId::profile).or(built);
    Scope {
        title: profile.as_ref().map_or_else(String::new, |p| p.title.clone()),
        accepts: profile.as_ref().and_then(|p| match p.reports.clone()? {
            Reports::Accepted(which) => Some(which),
            Reports::Declined(_) => None,
        }),
        solvers,
        platform: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
        releases: stored.releases.clone(),
        // The options that do not matter are not in the text of an issue.
        accused: here.map(|solver| match needed {
            Some(needed) => solver.without_options().with_options(needed),
            None => solver,
        }),
    }
}

/// A finding as an issue, as it was reduced if it was.
pub fn issue_of(stored: &StoredFinding, finder: SolverFinder<'_>) -> String {
    words::issue(stored.shown(), &scope_of(stored, finder))
}
