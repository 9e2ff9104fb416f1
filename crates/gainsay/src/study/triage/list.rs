//! The list that a triage ends with: which faults are to be reported, and why others are held back.

use std::collections::BTreeMap;

use super::{Examination, Triage};
use crate::finding::{FaultGroup, Group, Standing, disputants};
use crate::report::triage::{Compared, HeldBack, ListedFault};
use crate::solver::Profile;
use crate::solver::profile::Reports;
use crate::study::faults::title;
use crate::study::history::History;
use crate::study::solvers::Labels;

impl Triage<'_> {
    /// Faults as they are listed: those to report first, then those that are held back.
    pub(super) fn listed(
        &self,
        faults: &[FaultGroup],
        triggers: &BTreeMap<String, u64>,
        examination: &Examination,
    ) -> Vec<ListedFault> {
        let mut labels = Labels::new(self.finder);
        let mut reported: BTreeMap<String, u32> = BTreeMap::new();
        let mut listed = Vec::new();
        for fault in faults {
            let (leader, shown) = (fault.leader(), fault.shown());
            let profile = self.finder.profile_of(shown);
            let of_release = shown.against.as_ref().is_some_and(|name| self.finder.is_release(name));
            let seen_again = examination.of(fault);
            let held_back = match seen_again {
                // One of several solvers is wrong. That is never held back.
                _ if fault.standing() == Standing::Undecided => None,
                None => Some(HeldBack::NotExamined),
                Some(false) => Some(HeldBack::NotSeenAgain),
                Some(true) => profile.as_ref().and_then(|profile| {
                    declined(profile, fault, of_release)
                        .or_else(|| too_many(profile, reported.entry(profile.name.clone()).or_default()))
                }),
            };
            let compared = match (&shown.against, &profile) {
                (None, _) => Compared::Nobody { solvers: disputants(shown).into_iter().cloned().collect() },
                (Some(_), None) => Compared::NoReleases,
                (Some(_), Some(_)) => Compared::Releases { of_release },
            };
            listed.push(ListedFault {
                id: leader.id(),
                title: title(leader, &mut labels),
                standing: fault.standing(),
                bytes: shown.case.len(),
                triggers: fault.triggers(triggers),
                compared,
                releases: leader.releases().to_vec(),
                needed: needed(fault).to_vec(),
                same: fault.others().iter().map(Group::id).collect(),
                seen_again,
                held_back,
            });
        }
        listed.sort_by_key(|fault| fault.held_back.is_some());
        listed
    }
}

impl Examination {
    /// Whether a fault was seen again; none if it was not examined.
    fn of(&self, fault: &FaultGroup) -> Option<bool> {
        let seen = fault.findings().filter_map(|one| self.seen_again.get(&one.id));
        seen.copied().reduce(|one, other| one || other)
    }
}

/// The options of the accused that matter, as far as they are known.
fn needed(fault: &FaultGroup) -> &[String] {
    let named = fault.shown().against.as_ref().map_or(&[][..], |name| name.options());
    fault.leader().options().unwrap_or(named)
}

/// Why the makers of a solver do not want a report of a fault.
fn declined(profile: &Profile, fault: &FaultGroup, of_release: bool) -> Option<HeldBack> {
    let solver = profile.title.clone();
    if let Some(Reports::Declined(why)) = &profile.reports {
        return Some(HeldBack::TakesNoReports { solver, why: why.clone() });
    }
    let history = History::of(fault.leader().releases());
    if let Some(release) = history.fixed_in().filter(|_| of_release) {
        return Some(HeldBack::Fixed { solver, release: release.to_string() });
    }
    if let Some((newest, why)) = history.unconfirmed().filter(|_| of_release) {
        return Some(HeldBack::NotConfirmed { solver, release: newest.to_string(), why: why.clone() });
    }
    let is_unsupported = |o: &&String| profile.unsupported.iter().any(|p| o.starts_with(p.as_str()));
    let option = needed(fault).iter().find(is_unsupported)?;
    Some(HeldBack::Unsupported { solver, option: option.clone() })
}

/// Counts a report to the makers of a solver, and says if they do not want so many.
fn too_many(profile: &Profile, reported: &mut u32) -> Option<HeldBack> {
    *reported += 1;
    let most = profile.weekly?;
    (*reported > most).then(|| HeldBack::Enough { solver: profile.title.clone(), most })
}
