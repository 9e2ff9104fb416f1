//! Fingerprints: what triggers of one fault have in common, as far as can be told before they are reduced.

use sha2::{Digest, Sha256};

use crate::case::Case;
use crate::judge::language::operators;
use crate::judge::{Complaint, Trial};
use crate::solver::Solver;

/// The fingerprint of a complaint on a case, before it is confirmed.
pub fn fingerprint_of(case: &Case, text: &str, solvers: &[Solver], complaint: &Complaint) -> String {
    fingerprint(&Trial::new(case, text, solvers, Vec::new()), complaint)
}

/// The fingerprint of a complaint: a hash of its kind, the accused, and what the solver itself says of the place, or else the
/// operators that the check is about.
pub fn fingerprint(trial: &Trial<'_>, complaint: &Complaint) -> String {
    let mut hash = Sha256::new();
    let mut add = |part: &str| {
        hash.update(part);
        hash.update([0]);
    };
    add(complaint.kind().word());
    add(complaint.against.map_or("nobody", |i| trial.solver(i).name.as_str()));
    // A message or a place says more than the operators around it.
    if let Some(place) = complaint.fault.own_place() {
        add(&serde_json::to_string(&place).expect("a place is plain"));
    } else {
        add(&serde_json::to_string(&complaint.fault.variant()).expect("a variant is plain"));
        let asks = trial.queries();
        let all: Vec<_> = match complaint.check.and_then(|c| asks.get(c)) {
            Some(ask) => ask.assertions.clone(),
            None => asks.iter().flat_map(|a| a.assertions.iter().copied()).collect(),
        };
        operators(&trial.case.script.pool, &all).into_iter().for_each(&mut add);
    }
    let digest = format!("{:x}", hash.finalize());
    digest[..16].to_owned()
}
