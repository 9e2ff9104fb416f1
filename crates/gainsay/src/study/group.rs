//! Groups: findings that are one fault, as far as their reduced formulas tell.

use sha2::{Digest, Sha256};

use crate::finding::Finding;
use crate::oracle::Kind;
use crate::reduce::canonical;

/// What findings of one fault share: the kind, the solver whatever its release, and the place of a crash or the reduced
/// formula up to renaming. Of a finding that was not reduced, its own fingerprint.
pub fn group_key(finding: &Finding, reduced: Option<&Finding>) -> String {
    let shown = reduced.unwrap_or(finding);
    let whom = family(shown.against.as_deref().unwrap_or("nobody"));
    let about = match (shown.kind, reduced) {
        (Kind::Crash | Kind::SelfCheck, _) => {
            let place = shown.summary.split_once(": ").map_or("", |(_, place)| place);
            place.to_owned()
        }
        (_, Some(reduced)) => match smt::read(reduced.case.as_bytes()) {
            Ok(mut script) => canonical(&mut script),
            Err(_) => reduced.case.clone(),
        },
        (_, None) => finding.fingerprint.clone(),
    };
    let mut hash = Sha256::new();
    for part in [shown.kind.word(), whom, &about] {
        hash.update(part.as_bytes());
        hash.update([0]);
    }
    format!("{:x}", hash.finalize())[..16].to_owned()
}

/// A solver's name without its release and options.
pub fn family(name: &str) -> &str {
    if name.starts_with(crate::solver::named::FAKE) {
        return name;
    }
    let word = name.split(' ').next().unwrap_or(name);
    word.split('@').next().unwrap_or(word)
}
