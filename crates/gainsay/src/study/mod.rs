//! Studies: work on top of campaigns. Findings become faults, are reduced, asked again and gathered for reports; releases and
//! builds are compared.

mod again;
pub mod check;
pub mod ci;
pub mod definition;
pub mod doctor;
mod error;
pub mod events;
pub mod evolve;
mod failure;
mod faults;
mod gather;
pub mod generate;
pub mod grammar;
mod history;
pub mod install;
pub mod machine;
mod member;
pub mod options;
pub mod published;
pub mod readable;
mod recheck;
mod replay;
pub mod rules;
mod scope;
pub mod serve;
mod shrink;
mod solvers;
mod status;
pub mod summary;
mod triage;

pub use again::{Now, case_of};
pub use error::StudyError;
pub use failure::Failure;
pub use faults::{FaultList, Ignored, faults_of, numbered, stored, title};
pub use gather::gather;
pub use member::{Member, patient};
pub use recheck::{Rechecked, Replaced, recheck, replaced};
pub use replay::{ReplayVerdict, Replayed, ReplayedRun, replay};
pub use scope::{issue_of, scope_of};
pub use shrink::{StoredReduction, solvers_for};
pub use solvers::{Labels, SolverFinder};
pub use status::status_of;
pub use triage::{Triage, TriageEvent};
