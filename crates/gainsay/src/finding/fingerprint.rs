//! Fingerprints: what triggers of one fault have in common, as far as can be told before they are reduced.

use sha2::{Digest, Sha256};

use crate::case::Case;
use crate::finding::features::roots;
use crate::judge::language::operators;
use crate::judge::{Complaint, Evidence, Trial};
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
    match complaint.against.map(|i| (i, trial.variant_of(i))) {
        None => add("nobody"),
        Some((accused, None)) => add(trial.solver(accused).name.as_str()),
        // Which of its options matter is not known before it is confirmed.
        Some((_, Some(plain))) => add(&format!("{} with options", trial.solver(plain).name)),
    }
    // A message or a place says more than the operators around it.
    if let Some(place) = complaint.fault.own_place() {
        add(&serde_json::to_string(&place).expect("a place is plain"));
    } else {
        add(&serde_json::to_string(&complaint.fault.variant()).expect("a variant is plain"));
        let told = rewritten(trial.case, complaint);
        let named = told.unwrap_or_else(|| {
            operators(&trial.case.script.pool, &roots(&trial.case.script, complaint.check))
        });
        named.into_iter().for_each(&mut add);
    }
    let digest = format!("{:x}", hash.finalize());
    digest[..16].to_owned()
}

/// The operators of the term of which a solver made another one, if the complaint is about that.
fn rewritten(case: &Case, complaint: &Complaint) -> Option<Vec<&'static str>> {
    let term = complaint.evidence.iter().find_map(|evidence| match evidence {
        Evidence::Differ { term, .. } => Some(term),
        _ => None,
    })?;
    let (mut script, end) = (case.script.clone(), case.script.commands.len());
    let term = smt::read::term_at(&mut script, end, &[], term.as_bytes()).ok()?;
    Some(operators(&script.pool, &[term]))
}
