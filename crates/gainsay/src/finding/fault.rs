//! Faults: groups of findings that probably have one cause.
//!
//! [`faults`] is the only way from findings to faults. Every command that lists or counts faults uses it, so that their counts
//! agree.

use std::collections::{BTreeMap, BTreeSet};

use super::asked::telling;
use super::group::{Group, StoredFinding, group_key, groups, place};
use super::{Finding, Standing, standing};

/// Groups that probably have one cause. The group that is to be reported comes first.
#[derive(Clone, Debug)]
pub struct FaultGroup {
    groups: Vec<Group>,
}

impl FaultGroup {
    /// A fault with one group.
    pub fn of(leader: Group) -> FaultGroup {
        FaultGroup { groups: vec![leader] }
    }

    /// The group that is to be reported.
    pub fn leader(&self) -> &Group {
        &self.groups[0]
    }

    /// The groups that are probably the same.
    pub fn others(&self) -> &[Group] {
        &self.groups[1..]
    }

    /// All groups, the one that is to be reported first.
    pub fn groups(&self) -> &[Group] {
        &self.groups
    }

    /// All findings of all groups.
    pub fn findings(&self) -> impl Iterator<Item = &StoredFinding> {
        self.groups.iter().flat_map(Group::findings)
    }

    /// The finding to show.
    pub fn shown(&self) -> &Finding {
        self.leader().shown()
    }

    /// The standing of the finding to show.
    pub fn standing(&self) -> Standing {
        standing(self.shown())
    }

    /// The key of the fault, which differs from those of other faults of the campaign.
    pub fn key(&self) -> String {
        group_key(&self.leader().formula, self.shown(), self.leader().affected().as_ref())
    }

    /// How many triggers the fault had, given the triggers of each fingerprint.
    pub fn triggers(&self, of_prints: &BTreeMap<String, u64>) -> u64 {
        let prints: BTreeSet<&str> = self.findings().map(|one| one.finding.fingerprint.as_str()).collect();
        prints.iter().map(|print| of_prints.get(*print).copied().unwrap_or(1)).sum()
    }

    /// Adds a group.
    pub fn add(&mut self, group: Group) {
        self.groups.push(group);
    }

    /// Whether a group has the formula of this fault, or like operators. Then releases can tell whether it belongs to it.
    pub fn is_near(&self, group: &Group) -> bool {
        self.groups.iter().any(|known| {
            let near = match (&known.features, &group.features) {
                (Some(known), Some(other)) => known.are_near(other),
                _ => false,
            };
            near || known.formula == group.formula
        })
    }

    /// Whether a group belongs to this fault, as far as is known.
    ///
    /// A group with the same formula does, unless releases or options contradict. A group with like operators does if it needs
    /// the same options and the releases that tell this fault from others do the same with it.
    pub fn takes(&self, group: &Group) -> bool {
        if self.groups.iter().any(|known| known.formula == group.formula) {
            return place(group.shown()).is_some() || !contradict(self.leader(), group);
        }
        self.is_near(group) && self.agrees_with(group)
    }

    /// The releases that tell this fault from others, and whether each fails.
    pub fn telling(&self) -> Vec<(String, bool)> {
        let known: Vec<(String, bool)> =
            self.leader().releases().iter().filter_map(super::Asked::known).collect();
        let fails: Vec<bool> = known.iter().map(|(_, fails)| *fails).collect();
        telling(&fails).into_iter().map(|at| known[at].clone()).collect()
    }

    fn agrees_with(&self, group: &Group) -> bool {
        let telling = self.telling();
        let same_options = self.leader().options().is_some() && self.leader().options() == group.options();
        let does_the_same = |(release, fails): &(String, bool)| {
            group.releases().iter().any(|asked| asked.release == *release && asked.fails == Ok(*fails))
        };
        same_options && !telling.is_empty() && telling.iter().all(does_the_same)
    }
}

/// Whether two groups need different options, or a release fails on one and not on the other.
fn contradict(one: &Group, other: &Group) -> bool {
    let options = matches!((one.options(), other.options()), (Some(a), Some(b)) if a != b);
    let differs = |a: &super::Asked| {
        let same = other.releases().iter().find(|b| b.release == a.release);
        matches!((&a.fails, same.map(|b| &b.fails)), (Ok(a), Some(Ok(b))) if a != b)
    };
    options || one.releases().iter().any(differs)
}

/// The faults of findings, those that maintainers want to hear of first before the others.
pub fn faults(findings: Vec<StoredFinding>) -> Vec<FaultGroup> {
    let mut all = groups(findings);
    // The group about which most releases were asked leads its fault.
    all.sort_by_key(|group| std::cmp::Reverse(group.releases().len()));
    let mut faults: Vec<FaultGroup> = Vec::new();
    for group in all {
        match faults.iter_mut().find(|fault| fault.takes(&group)) {
            Some(fault) => fault.add(group),
            None => faults.push(FaultGroup::of(group)),
        }
    }
    faults.sort_by_cached_key(|fault| fault.leader().place_in_list());
    faults
}

/// How many faults there are of each standing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FaultCount {
    /// Faults of which somebody is accused.
    pub proved: u64,
    /// Faults in which one of several solvers is wrong.
    pub undecided: u64,
    /// Faults for which our evaluation alone speaks.
    pub unconfirmed: u64,
}

impl FaultCount {
    /// The count of these faults.
    pub fn of<'f>(faults: impl IntoIterator<Item = &'f FaultGroup>) -> FaultCount {
        let mut count = FaultCount::default();
        for fault in faults {
            count.add(fault.standing());
        }
        count
    }

    /// Counts one fault of this standing.
    pub fn add(&mut self, standing: Standing) {
        *match standing {
            Standing::Proved => &mut self.proved,
            Standing::Undecided => &mut self.undecided,
            Standing::Unconfirmed => &mut self.unconfirmed,
        } += 1;
    }

    /// How many faults there are.
    pub fn all(&self) -> u64 {
        self.proved + self.undecided + self.unconfirmed
    }
}
