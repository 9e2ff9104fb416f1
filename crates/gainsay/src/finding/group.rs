//! Groups: findings of one formula.

use std::collections::BTreeMap;

use sha2::{Digest, Sha256};

use super::{Asked, Features, Finding, rank, verdict};
use crate::judge::{Fault, OwnPlace};
use smt::rename::canonical;

/// A finding of a store with everything that was learned about it later.
#[derive(Clone, Debug)]
pub struct StoredFinding {
    /// Its number.
    pub id: u64,
    /// Its folder, from the campaign's.
    pub folder: String,
    /// Whether only a warm run showed it.
    pub warm: bool,
    /// The finding as it was found.
    pub finding: Finding,
    /// What it was reduced to, if it was.
    pub reduced: Option<Finding>,
    /// The options of the accused without which it does not fail, if that was found out.
    pub options: Option<Vec<String>>,
    /// The releases that were asked, the oldest first.
    pub releases: Vec<Asked>,
}

impl StoredFinding {
    /// The finding to show: as it was reduced, if it was.
    pub fn shown(&self) -> &Finding {
        self.reduced.as_ref().unwrap_or(&self.finding)
    }

    /// The finding that says most about who is wrong: as it was reduced, if that has decided what was open.
    pub fn verdict(&self) -> &Finding {
        verdict(&self.finding, self.reduced.as_ref())
    }

    /// The releases that fail and the options that matter, if releases were asked.
    fn affected(&self) -> Option<Affected> {
        let failing = self.releases.iter().filter(|asked| asked.fails == Ok(true));
        let releases = failing.map(|asked| asked.release.clone()).collect();
        Some(Affected { releases, options: self.options.clone()? })
    }

    /// The options that the accused was given.
    fn given(&self) -> Vec<String> {
        self.finding.against.as_ref().map_or_else(Vec::new, |id| id.options().to_vec())
    }
}

/// The releases and options with which a finding shows, once releases were asked.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Affected {
    /// The releases that fail, the oldest first.
    pub releases: Vec<String>,
    /// The options without which they do not.
    pub options: Vec<String>,
}

/// Findings of one formula whose accused were given the same options, and which show in the same releases as far as is known.
///
/// The findings that were reduced come first, and of those the smallest.
#[derive(Clone, Debug)]
pub struct Group {
    /// The key that findings of one formula share.
    pub(super) formula: String,
    /// The features of the formula; none if it cannot be read.
    pub(super) features: Option<Features>,
    findings: Vec<StoredFinding>,
}

impl Group {
    fn new(formula: String, mut findings: Vec<StoredFinding>) -> Group {
        findings.sort_by_key(|one| (one.reduced.is_none(), one.shown().case.len(), one.id));
        let mut group = Group { formula, features: None, findings };
        group.features = Features::of(group.shown());
        group
    }

    /// The finding to show, with what was learned about it.
    pub fn first(&self) -> &StoredFinding {
        &self.findings[0]
    }

    /// All findings, the one to show first.
    pub fn findings(&self) -> &[StoredFinding] {
        &self.findings
    }

    /// The finding to show, as it was reduced.
    pub fn shown(&self) -> &Finding {
        self.first().shown()
    }

    /// The number of the finding to show.
    pub fn id(&self) -> u64 {
        self.first().id
    }

    /// The finding about whose releases and options most is known.
    fn best_known(&self) -> &StoredFinding {
        let known = self.findings.iter().rev();
        known.max_by_key(|one| (one.options.is_some(), one.releases.len())).unwrap_or(self.first())
    }

    /// The options of the accused without which it does not fail, if that was found out.
    pub fn options(&self) -> Option<&[String]> {
        self.best_known().options.as_deref()
    }

    /// The releases that were asked, the oldest first.
    pub fn releases(&self) -> &[Asked] {
        &self.best_known().releases
    }

    /// The releases that fail and the options that matter, if releases were asked.
    pub fn affected(&self) -> Option<Affected> {
        self.best_known().affected()
    }

    /// Stores a smaller version of the finding to show.
    pub fn set_reduced(&mut self, reduced: Finding) {
        self.findings[0].reduced = Some(reduced);
        self.features = Features::of(self.shown());
    }

    /// Stores the releases and options of the finding to show. They replace what is known of the group.
    pub fn set_affected(&mut self, options: Option<Vec<String>>, releases: Vec<Asked>) {
        for one in &mut self.findings[1..] {
            (one.options, one.releases) = (None, Vec::new());
        }
        (self.findings[0].options, self.findings[0].releases) = (options, releases);
    }

    /// The place in lists: what maintainers want to hear of first, then what is small, then what is old.
    pub fn place_in_list(&self) -> (u32, usize, u64) {
        (rank(self.shown()), self.shown().case.len(), self.id())
    }
}

/// The groups of findings, in the order of lists.
///
/// A finding that was not reduced belongs to the formula of a finding that was reduced and has the same fingerprint.
pub fn groups(findings: Vec<StoredFinding>) -> Vec<Group> {
    let mut of_print: BTreeMap<String, String> = BTreeMap::new();
    for one in findings.iter().filter(|one| one.reduced.is_some()) {
        let key = formula_key(&one.finding, one.reduced.as_ref());
        of_print.entry(one.finding.fingerprint.clone()).or_insert(key);
    }
    let mut by_formula: BTreeMap<(String, Vec<String>), Vec<StoredFinding>> = BTreeMap::new();
    for one in findings {
        let like = of_print.get(&one.finding.fingerprint).filter(|_| one.reduced.is_none());
        let formula = like.cloned().unwrap_or_else(|| formula_key(&one.finding, one.reduced.as_ref()));
        by_formula.entry((formula, one.given())).or_default().push(one);
    }
    let mut all: Vec<Group> = by_formula
        .into_iter()
        .flat_map(|((formula, _), findings)| {
            let parts = split_by_affected(findings).into_iter();
            parts.map(move |findings| Group::new(formula.clone(), findings))
        })
        .collect();
    all.sort_by_cached_key(Group::place_in_list);
    all
}

/// Findings of one formula, split by the releases and options with which they show. A finding about which nothing was asked stays
/// with the first about which something was, and a crash with a known place is not split.
fn split_by_affected(findings: Vec<StoredFinding>) -> Vec<Vec<StoredFinding>> {
    let mut parts: Vec<(Affected, Vec<StoredFinding>)> = Vec::new();
    let (known, unknown): (Vec<_>, Vec<_>) =
        findings.into_iter().partition(|one| one.options.is_some() && place(one.shown()).is_none());
    for one in known {
        let affected = one.affected().unwrap_or_default();
        match parts.iter_mut().find(|(other, _)| *other == affected) {
            Some((_, part)) => part.push(one),
            None => parts.push((affected, vec![one])),
        }
    }
    match parts.first_mut() {
        Some((_, first)) => first.extend(unknown),
        None => parts.push((Affected::default(), unknown)),
    }
    parts.into_iter().map(|(_, part)| part).collect()
}

/// The key that findings of one formula share: the kind, the make of the solver, and the place of a crash or the reduced formula
/// up to renaming. Of a finding that was not reduced, its own fingerprint takes the place of the formula.
pub fn formula_key(finding: &Finding, reduced: Option<&Finding>) -> String {
    let shown = reduced.unwrap_or(finding);
    let whom = shown.against.as_ref().map_or_else(|| "nobody".to_owned(), |id| id.make().to_string());
    let about = match reduced {
        _ if place(shown).is_some() => place_key(place(shown).as_ref()),
        Some(reduced) => match smt::read(reduced.case.as_bytes()) {
            Ok(script) => canonical(&script, &reduced.case),
            Err(_) => reduced.case.clone(),
        },
        None => finding.fingerprint.clone(),
    };
    hashed([shown.kind.word(), &whom, &about])
}

/// The key of a fault: the formula, and the releases and options with which it shows, as far as they were asked. A crash with
/// a known place has the key of that place alone.
pub fn group_key(formula: &str, shown: &Finding, affected: Option<&Affected>) -> String {
    match affected.filter(|_| place(shown).is_none()) {
        Some(Affected { releases, options }) => hashed(
            [formula, "releases"].into_iter().chain(words(releases)).chain(["options"]).chain(words(options)),
        ),
        None => formula.to_owned(),
    }
}

fn words(list: &[String]) -> impl Iterator<Item = &str> {
    list.iter().map(String::as_str)
}

/// The place in the solver, if the solver names it: the site of a crash, or the message of a self-check.
pub fn place(finding: &Finding) -> Option<OwnPlace> {
    matches!(finding.fault, Fault::Crash { .. } | Fault::SelfCheck { .. })
        .then(|| finding.fault.own_place())
        .flatten()
}

/// A place as text to be hashed.
fn place_key(place: Option<&OwnPlace>) -> String {
    serde_json::to_string(&place).expect("a place is plain")
}

fn hashed<'w>(parts: impl IntoIterator<Item = &'w str>) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update(part.as_bytes());
        hash.update([0]);
    }
    format!("{:x}", hash.finalize())[..16].to_owned()
}
