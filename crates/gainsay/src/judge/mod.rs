//! Judging: a case and what solvers did with it become a judgement with evidence, confirmed in fresh processes.

pub mod complaint;
pub mod language;
pub mod oracle;
pub mod probe;
pub mod steps;
pub mod trial;
pub mod way;

mod attempt;
mod audit;
mod context;
mod cost;
mod doubt;
mod evidence;
mod fault;
mod kind;
mod pinned;
mod site;
mod trial_runner;
mod voice;
mod voices;

pub use attempt::{Attempt, SearchEnd};
pub use audit::{AuditReport, AuditVerdict, Auditors, Tally};
pub use complaint::Complaint;
pub use cost::DecidingCost;
pub use doubt::{Abstention, Doubt, Foreign};
pub use evidence::{Asked, Evidence, Heard, Rewriting};
pub use fault::{
    Answered, Fault, FaultVariant, KnownUnsat, OwnPlace, SelfContradiction, Suspicion, without_places,
};
pub use kind::Kind;
pub use site::CrashSite;
pub use trial::{Known, Trial, answer_of, reply_of};
pub use trial_runner::{Confirmation, Confirmed, Sought, TrialRunner, Tried};
pub use voice::{SecondVoice, Speaker, same_make};
pub use way::Budget;
