//! Campaigns: their definition, the plan of a run, and the engine that runs them.
//!
//! [`CampaignSpec`] is the definition, [`Plan`] what one machine makes of it. The engine ([`Engine`]) gives units of work
//! to workers, on one machine or on many; what a unit is and how it is worked on is said by a [`Work`]: a hunt is one kind
//! ([`Hunt`]), a study of releases another.

mod engine;
mod facts;
mod hunt;
mod lease;
mod plan;
mod planner;
mod record;
mod schedule;
pub mod spec;
mod worker_io;

pub use engine::{Engine, EngineError, Event, Failure, NoCase, UnitWorker, Work};
pub use hunt::{Counts, Hunt, Preparation, Prepared, Progress, prepare, seeds_of};
pub use lease::{PAUSES, Sharing};
pub use plan::{GrammarPlan, Here, HuntPlan, Plan, PlanError, PlannedWork, StudyPlan, Subject};
pub use record::Accusation;
pub use schedule::{Cursor, CursorStart, Schedule, Step};
pub use spec::CampaignSpec;
pub use worker_io::WorkerIo;
