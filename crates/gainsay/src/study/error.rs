//! Errors that end a study.

use crate::campaign::spec::SpecError;
use crate::campaign::{EngineError, PlanError};
use crate::reduce::Nothing;
use crate::solver::SolverError;
use crate::store::StoreError;

/// An error that ends a study.
#[derive(Debug, thiserror::Error)]
pub enum StudyError {
    /// The store cannot be read or written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A solver cannot be found, installed or started.
    #[error(transparent)]
    Solver(#[from] SolverError),
    /// The engine cannot continue.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The definition of a campaign cannot be read.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// A definition cannot be planned on this machine.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// The script of a finding cannot be read.
    #[error("the script of finding {id} cannot be read: {error}")]
    Script {
        /// The number of the finding.
        id: u64,
        /// The error of the reader.
        error: smt::ReadError,
    },
    /// A script cannot be reduced.
    #[error(transparent)]
    Reduce(#[from] Nothing),
}
