//! Ranks: what is worth reporting first.

use super::Finding;
use crate::case::Answer;
use crate::judge::Kind;

/// The order in which maintainers want to hear of things: unsat for sat, sat for unsat, wrong models, the rest.
pub fn rank(finding: &Finding) -> u32 {
    match (finding.kind, finding.wrong_answer()) {
        (Kind::Soundness, Some(Answer::Unsat)) => 0,
        (Kind::Soundness, _) => 1,
        (Kind::WrongModel, _) => 2,
        (kind, _) => 3 + kind as u32,
    }
}
