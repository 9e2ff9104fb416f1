//! Judging: a case and what solvers did with it become a judgement with evidence, confirmed in fresh processes.

pub mod complaint;
pub mod language;
pub mod oracle;
pub mod probe;
pub mod steps;
pub mod trial;
pub mod way;

mod alone;
mod asked;
mod attempt;
mod audit;
mod budget;
mod confirm;
mod context;
mod cost;
mod declared;
mod derived;
mod doubt;
mod evidence;
mod fault;
mod kind;
mod outputs;
mod pinned;
mod proof;
mod searches;
mod site;
mod suffices;
mod trial_runner;
mod voice;
mod voices;

pub use asked::Asked;
pub use attempt::{Attempt, SearchEnd};
pub use audit::{AuditReport, AuditVerdict, Auditors, Tally};
pub use budget::{BOUNDED_WAYS, BoundedWay, Budget};
pub use complaint::Complaint;
pub use confirm::{Confirmation, Confirmed, Sought};
pub use cost::DecidingCost;
pub use derived::Given;
pub use doubt::{Abstention, Doubt, Foreign};
pub use evidence::{Evidence, Heard, Rewriting};
pub use fault::{
    Answered, Fault, FaultVariant, KnownUnsat, Output, OwnPlace, Rewriter, SelfContradiction, Suspicion,
    without_places,
};
pub use kind::Kind;
pub use proof::{CheckedBy, ProofChecker, ProofQuestion, checkers, checkers_on_path};
pub use site::CrashSite;
pub use trial::{Known, Trial, answer_of, reply_of};
pub use trial_runner::{Asking, Parties, TrialRunner, Tried};
pub use voice::{SecondVoice, Speaker, same_make};
