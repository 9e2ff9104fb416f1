//! Triage: the findings of a campaign become a short ranked list of faults.
//!
//! Triage collects facts: it reduces findings, asks releases and leaves out options. The facts are stored beside the findings.
//! The list is then made from the store by the function that all commands use ([`crate::finding::faults`]).

mod examine;
mod list;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::error::StudyError;
use super::faults::{Ignored, faults_of, stored, title};
use super::solvers::{Labels, SolverFinder};
use crate::finding::{FaultGroup, Group, StoredFinding, groups, words};
use crate::judge::Budget;
use crate::report::triage::TriageList;
use crate::solver::{Limits, SolverError};
use crate::store::Annotate;

/// A triage of one campaign.
pub struct Triage<'a> {
    /// The campaign.
    pub store: &'a dyn Annotate,
    /// Finds the solvers of findings.
    pub finder: SolverFinder<'a>,
    /// Faults that are left out.
    pub ignored: Ignored<'a>,
    /// The limits of each question.
    pub limits: Limits,
    /// How far deciding who is wrong may go.
    pub budget: Budget,
    /// How many candidates are tried at a time.
    pub jobs: usize,
    /// How many findings of one fingerprint are reduced.
    pub each: usize,
    /// How long each of them is reduced at first.
    pub glance: Duration,
    /// How long a finding is reduced that is to be reported.
    pub time: Duration,
    /// Whether releases may be installed.
    pub install: bool,
    /// Set when the triage is to end with what it has.
    pub stop: &'a AtomicBool,
    /// Called with what the triage does.
    pub tell: &'a (dyn Fn(&TriageEvent<'_>) + Sync),
}

/// A step of a triage.
pub enum TriageEvent<'a> {
    /// A finding was reduced for a short while.
    Glanced {
        /// Its number.
        id: u64,
        /// Its size in bytes.
        from: usize,
        /// Its size now, or why it cannot be reduced.
        to: Result<usize, &'a StudyError>,
        /// How many findings are done.
        done: usize,
        /// How many findings there are to do.
        of: usize,
    },
    /// The reduction of a finding that is to be reported begins.
    Reducing {
        /// Its number.
        id: u64,
        /// Its size in bytes.
        bytes: usize,
    },
    /// A finding cannot be reduced further.
    NotReduced {
        /// Its number.
        id: u64,
        /// The reason.
        why: &'a StudyError,
    },
    /// Releases are asked about a finding.
    AskingReleases {
        /// Its number.
        id: u64,
    },
    /// A release cannot be installed.
    NotInstalled {
        /// The release.
        name: String,
        /// The reason.
        why: &'a SolverError,
    },
    /// A solver of a finding cannot be asked.
    NotAsked {
        /// The reason.
        why: &'a SolverError,
    },
}

/// What the examination of groups came to.
#[derive(Default)]
struct Examination {
    /// Whether a finding was seen again, by its number.
    seen_again: BTreeMap<u64, bool>,
    /// How many groups were examined.
    examined: u64,
    /// How many groups there are.
    groups: u64,
}

impl Triage<'_> {
    /// Runs the triage.
    pub fn run(&self) -> Result<TriageList, StudyError> {
        let rows: Vec<_> = self.store.findings()?.into_iter().filter(|row| !row.warm).collect();
        let all = stored(self.store, rows)?;
        let findings = all.len() as u64;
        let mut chosen = smallest(all, self.each);
        let chosen_count = chosen.len() as u64;
        let settled = self.glance_at(&mut chosen)?;
        let examination = self.examine(chosen, &settled)?;
        let list = faults_of(self.store, false, self.finder, self.ignored)?;
        let triggers = self.store.triggers()?;
        let cut_short = examination.examined < examination.groups;
        Ok(TriageList {
            triggers: triggers.values().sum(),
            findings,
            looked_at: chosen_count,
            left_out: list.left_out,
            stopped: cut_short.then_some((examination.examined, examination.groups)),
            faults: self.listed(&list.faults, &triggers, &examination),
        })
    }

    /// Whether the triage is to end with what it has.
    fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Finds out what is to be known of each group, the most important first. `settled` are the findings that more time does
    /// not make smaller.
    fn examine(
        &self,
        chosen: Vec<StoredFinding>,
        settled: &BTreeSet<u64>,
    ) -> Result<Examination, StudyError> {
        let mut labels = Labels::new(self.finder);
        let stays = |group: &Group| {
            !self.ignored.leaves_out(&title(group, &mut labels), &words::summary(group.shown()))
        };
        let groups: Vec<Group> = groups(chosen).into_iter().filter(stays).collect();
        let mut result = Examination { groups: groups.len() as u64, ..Examination::default() };
        let mut faults: Vec<FaultGroup> = Vec::new();
        for group in groups {
            if self.is_stopped() {
                break;
            }
            result.examined += 1;
            let Some(mut group) = self.assign(group, &mut faults)? else { continue };
            // Nothing like it was seen before, so it is worth some time.
            if !group.findings().iter().any(|one| settled.contains(&one.id)) {
                self.reduce_more(&mut group)?;
                match self.assign(group, &mut faults)? {
                    Some(own) => group = own,
                    None => continue,
                }
            }
            let seen_again = self.ask_releases(&mut group)?;
            result.seen_again.insert(group.id(), seen_again);
            faults.push(FaultGroup::of(group));
        }
        Ok(result)
    }
}

/// The smallest few findings of each fingerprint and those that were reduced before, in the order of their numbers.
fn smallest(mut findings: Vec<StoredFinding>, each: usize) -> Vec<StoredFinding> {
    findings.sort_by_key(|one| (one.reduced.is_none(), one.finding.case.len(), one.id));
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    findings.retain(|one| {
        let count = seen.entry(one.finding.fingerprint.clone()).or_default();
        *count += 1;
        *count <= each || one.reduced.is_some()
    });
    findings.sort_by_key(|one| one.id);
    findings
}
