//! Campaigns: their definition, the plan of a run, and the engine that runs them.
//!
//! [`CampaignSpec`] is the definition of a campaign. [`Plan`] is a run of it on one machine. The engine ([`Engine`]) gives
//! units of work to workers, on one machine or on many. A [`Work`] defines what a unit is: a hunt is one kind of work
//! ([`Hunt`]), a study of releases is another.

mod engine;
mod error;
mod event;
mod facts;
mod hunt;
mod lease;
mod plan;
mod planner;
mod record;
mod schedule;
pub mod spec;
mod worker_io;

pub use engine::{Engine, UnitWorker, Work};
pub use error::{EngineError, NoCase};
pub use event::{Event, Failure};
pub use hunt::{Counts, Hunt, Preparation, Prepared, Progress, prepare, seeds_of};
pub use lease::{PAUSES, Sharing};
pub use plan::{GrammarPlan, Here, HuntPlan, Plan, PlanError, PlannedWork, StudyPlan, Subject};
pub use record::{Accusation, Settled};
pub use schedule::{Cursor, CursorStart, Schedule, Step};
pub use spec::CampaignSpec;
pub use worker_io::WorkerIo;
