//! Studies: work on top of campaigns. Findings become faults, are reduced, asked again and gathered for reports; releases and
//! builds are compared.

mod again;
pub mod ci;
pub mod doctor;
mod error;
pub mod evolve;
mod faults;
mod gather;
mod history;
mod recheck;
mod replay;
mod scope;
mod shrink;
mod solvers;
mod status;
mod triage;

pub use again::{Now, case_of};
pub use error::StudyError;
pub use faults::{FaultList, Ignored, faults_of, stored, title};
pub use gather::gather;
pub use recheck::{Rechecked, Replaced, recheck, replaced};
pub use replay::{ReplayVerdict, Replayed, ReplayedRun, replay};
pub use scope::{issue_of, scope_of};
pub use shrink::StoredReduction;
pub use solvers::{Labels, SolverFinder};
pub use status::status_of;
pub use triage::{Triage, TriageEvent};
