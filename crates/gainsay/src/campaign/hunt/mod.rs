//! Hunts: strategies make cases from seeds, solvers are asked, and oracles judge.

mod cursor;
mod prepare;
mod progress;
mod worker;

use std::sync::RwLock;

use super::engine::{UnitWorker, Work};
use super::error::{EngineError, NoCase};
use super::event::Event;
use super::plan::{HuntPlan, Plan, PlannedWork};
use super::schedule::Schedule;
use crate::store::{Range, SeriesRow};
use cursor::Pattern;
use worker::Worker;

pub use prepare::{Preparation, Prepared, prepare};
pub use progress::{Counts, Progress};
pub use worker::seeds_of;

/// A hunt as work for the engine.
pub struct Hunt<'a> {
    plan: &'a Plan,
    cases: &'a HuntPlan,
    pattern: Pattern<'a>,
    /// The counts of this run.
    pub progress: Progress,
    /// A lock for measurements of time: a worker that must be alone takes it for writing, all others for reading.
    quiet: RwLock<()>,
}

impl<'a> Hunt<'a> {
    /// The hunt of a plan; none if the plan is for other work.
    pub fn new(plan: &'a Plan) -> Option<Hunt<'a>> {
        let PlannedWork::Hunt(hunt) = &plan.work else { return None };
        let progress = Progress::new(plan.solvers.len());
        Some(Hunt { plan, cases: hunt, pattern: Pattern::new(hunt), progress, quiet: RwLock::new(()) })
    }
}

impl Work for Hunt<'_> {
    fn schedule(&self) -> &dyn Schedule {
        &self.pattern
    }

    fn worker(&self) -> Box<dyn UnitWorker + '_> {
        Box::new(Worker::new(self))
    }

    fn row(&self, unit: Range) -> SeriesRow {
        SeriesRow::of(unit, self.pattern.name(unit.no))
    }

    fn goes_on_after_failure(&self) -> bool {
        false
    }

    fn turns(&self) -> u64 {
        self.progress.counts().turns
    }

    fn outcome(&self) -> Result<(), EngineError> {
        let Counts { turns, failed, .. } = self.progress.counts();
        if !self.pattern.ended_without_case() || turns + failed > 0 {
            return Ok(());
        }
        let strategies = self.cases.strategies.iter().map(|(name, _)| *name).collect();
        Err(NoCase { strategies, seeds: self.cases.corpus.seeds.len() }.into())
    }

    fn see(&self, event: &Event) {
        match event {
            Event::Found { finding, warm: false, .. } => self.progress.found(finding),
            Event::Failed(_) => self.progress.change(|c| c.failed += 1),
            _ => {}
        }
    }
}
