//! Fingerprints: what triggers of one fault have in common, as far as can be told before they are reduced.

use sha2::{Digest, Sha256};

use crate::case::Case;
use crate::judge::Complaint;
use crate::judge::Trial;
use crate::judge::language::operators;
use crate::judge::oracle::is_mere_ending;
use crate::solver::Solver;

/// The fingerprint of a complaint on a case, before it is confirmed.
pub fn fingerprint_of(case: &Case, text: &str, solvers: &[Solver], complaint: &Complaint) -> String {
    fingerprint(&Trial::new(case, text, solvers, Vec::new()), complaint)
}

/// The kind, the accused, and the message or the operators that the check is about.
pub fn fingerprint(trial: &Trial<'_>, complaint: &Complaint) -> String {
    let mut hash = Sha256::new();
    let against = complaint.against.map_or("nobody", |i| trial.solver(i).name.as_str());
    hash.update(complaint.kind.word());
    hash.update([0]);
    hash.update(against);
    hash.update([0]);
    hash.update(&complaint.about);
    // A message or a place says more than the operators around it.
    let about = complaint.about.as_str();
    if matches!(about, "" | "sat" | "unsat" | "metamorphic" | "seed") || is_mere_ending(about) {
        let asks = trial.queries();
        let all: Vec<_> = match complaint.check.and_then(|c| asks.get(c)) {
            Some(ask) => ask.assertions.clone(),
            None => asks.iter().flat_map(|a| a.assertions.iter().copied()).collect(),
        };
        for name in operators(&trial.case.script.pool, &all) {
            hash.update([0]);
            hash.update(name);
        }
    }
    let digest = format!("{:x}", hash.finalize());
    digest[..16].to_owned()
}
