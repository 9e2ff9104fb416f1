//! Groups: findings that are one fault, as far as their reduced formulas and the releases that fail on them tell.

use sha2::{Digest, Sha256};

use crate::finding::Finding;
use crate::judge::{Fault, OwnPlace};
use smt::rename::canonical;

/// Whom a finding concerns, once releases were asked.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Affected {
    /// The releases that fail, the oldest first.
    pub releases: Vec<String>,
    /// The options without which they do not.
    pub options: Vec<String>,
}

/// What findings of one formula share: the kind, the solver whatever its release, and the place of a crash or the reduced
/// formula up to renaming. Of a finding that was not reduced, its own fingerprint.
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

/// What findings of one fault share: the formula, and whom it concerns, as far as that was asked. A crash that
/// says where is told by that alone.
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

/// Where in the solver it happens, if the solver says so itself: the site of a crash, or the message of a self-check.
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
