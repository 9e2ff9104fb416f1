//! Judging: a case and what solvers did with it become a judgement with evidence, confirmed in fresh processes.

pub mod complaint;
pub mod language;
pub mod oracle;
pub mod probe;
pub mod proof;
pub mod steps;
pub mod trial;

mod audit;
mod context;
mod pinned;
mod trial_runner;

pub use audit::{Auditors, Tally, Told, Word};
pub use complaint::{Complaint, Evidence, Giver, Kind};
pub use trial::{Known, Trial, answer_of, reply_of};
pub use trial_runner::{Confirmation, Confirmed, Sought, TrialRunner, Tried};
