//! Ranks: which findings are reported first.

use super::{Finding, Standing, standing};
use crate::case::Answer;
use crate::judge::Kind;

/// The place of a finding in lists; lower places come first.
///
/// First comes what is proved to be wrong: unsat for sat, sat for unsat, wrong models, the other wrong results. Then come
/// disagreements, in which one of the named solvers is wrong, and then what is unconfirmed. Nondeterminism, slowness and the
/// like come last: they are no wrong results.
pub fn rank(finding: &Finding) -> u32 {
    /// Above every rank within a standing.
    const STEP: u32 = 100;
    let is_wrong_result = finding.kind <= Kind::Disagreement;
    match standing(finding) {
        Standing::Proved if is_wrong_result => within(finding),
        Standing::Undecided => STEP + within(finding),
        Standing::Unconfirmed => 2 * STEP + within(finding),
        Standing::Proved => 3 * STEP + within(finding),
    }
}

/// The order among findings of one standing.
fn within(finding: &Finding) -> u32 {
    match (finding.kind, finding.wrong_answer()) {
        (Kind::Soundness, Some(Answer::Unsat)) => 0,
        (Kind::Soundness, _) => 1,
        (Kind::WrongModel, _) => 2,
        (kind, _) => 3 + kind as u32,
    }
}
