//! Hunts: strategies make cases from seeds, solvers are asked, and oracles judge.

mod account;
mod cursor;
mod ladder;
mod prepare;
mod progress;
mod terms;
mod turn;
mod variants;
mod worker;

use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock};

use super::engine::{UnitWorker, Work};
use super::error::{EngineError, NoCase};
use super::event::Event;
use super::plan::{HuntPlan, Plan, PlannedWork};
use super::schedule::Schedule;
use crate::solver::QuestionTime;
use crate::store::{Counter, Enumerated, HandIn, Range, Reader, SeriesRow, StoreError};
use account::Account;
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
    /// What time-outs have taken in this run.
    account: Mutex<Account>,
    /// The series that had a finding in this run.
    paid: Mutex<BTreeSet<u64>>,
}

impl<'a> Hunt<'a> {
    /// The hunt of a plan; none if the plan is for other work.
    pub fn new(plan: &'a Plan) -> Option<Hunt<'a>> {
        let PlannedWork::Hunt(hunt) = &plan.work else { return None };
        let progress = Progress::new(plan.solvers.len());
        Some(Hunt {
            plan,
            cases: hunt,
            pattern: Pattern::new(hunt),
            progress,
            quiet: RwLock::new(()),
            account: Mutex::default(),
            paid: Mutex::default(),
        })
    }

    /// What a series is a part of, and which part, if its strategy has cases in an order.
    pub fn part(&self, series: u64) -> Option<(String, u64)> {
        let (strategy, ordinal) = self.pattern.of(series);
        let (whole, part) = self.cases.strategies[strategy].1.part(ordinal)?;
        Some((whole.to_owned(), part))
    }

    /// What was asked of the formulas of grammars.
    pub fn enumerated(&self, store: &dyn Reader) -> Result<Vec<Enumerated>, StoreError> {
        let solvers: Vec<_> = self.plan.solvers.iter().map(|solver| solver.name.clone()).collect();
        Enumerated::of(store, &solvers, |series| self.part(series))
    }

    /// The account of time as it stands.
    fn account(&self) -> MutexGuard<'_, Account> {
        self.account.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts the time of questions.
    fn spend(&self, time: QuestionTime, unit: &mut HandIn) {
        self.account().add(time);
        unit.add(None, Counter::QuestionMicros, time.all.as_micros() as u64);
        unit.add(None, Counter::LateMicros, time.late.as_micros() as u64);
        self.progress.change(|c| {
            c.question_time.all += time.all;
            c.question_time.late += time.late;
        });
    }

    /// Takes note that a series had a finding.
    fn pays(&self, series: u64) {
        self.paid.lock().unwrap_or_else(PoisonError::into_inner).insert(series);
    }

    /// Whether a series had a finding in this run.
    fn has_paid(&self, series: u64) -> bool {
        self.paid.lock().unwrap_or_else(PoisonError::into_inner).contains(&series)
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
