//! The events of a run, as observers are told them.

use super::error::EngineError;
use crate::finding::Finding;

/// Something that happened in a run and that an observer is told.
#[derive(Debug)]
pub enum Event {
    /// There is a new finding. It is on disk, or will be stored together with the turns in which it was found.
    Found {
        /// The number of the finding, if it has one already.
        number: Option<u64>,
        /// The finding.
        finding: Box<Finding>,
        /// Whether it was seen in a warm session only.
        warm: bool,
    },
    /// A turn failed.
    Failed(Failure),
    /// A worker has ended.
    Ended(Result<(), EngineError>),
}

/// A turn that could not be made because gainsay itself failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The name of the strategy.
    pub strategy: String,
    /// The number of the series.
    pub series: u64,
    /// The number of the turn in its series.
    pub step: u32,
    /// The message of the panic, and its place in the source code.
    pub why: String,
}
