//! Evolution: the same formulas, release after release. Every pair of a formula and a release is asked once, in a process of
//! its own if times are wanted, judged beside a reference of another make, and kept.

mod grammars;
mod releases;
mod row;
mod schedule;
mod store;
mod subjects;
mod worker;

use std::sync::RwLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::campaign::{Plan, PlannedWork, Schedule, StudyPlan, UnitWorker, Work};
use crate::solver::Solver;
use crate::store::{Range, SeriesRow, Sink};

pub use grammars::grammar_specs;
pub use releases::{installed, limits, newest, studied};
pub use row::{row_of, run_of};
pub use store::{define, put_study, roles, study_before};
pub use subjects::{beside, subjects};
pub use worker::{case_of, formula_row};

use schedule::Pieces;
use worker::Worker;

/// How far a study is.
#[derive(Debug, Default)]
pub struct Counts {
    /// Formulas that are done.
    pub formulas: AtomicUsize,
    /// Pairs that were asked in this run.
    pub asked: AtomicUsize,
    /// Pairs that were there already.
    pub there: AtomicUsize,
    /// Things that are wrong.
    pub wrongs: AtomicUsize,
    /// Texts of a grammar that are no scripts.
    pub unread: AtomicUsize,
}

/// A study of releases as work for the engine.
pub struct Study<'a> {
    plan: &'a Plan,
    asked: &'a StudyPlan,
    /// Where runs are kept that outlive the study, if not with the others.
    lasting: Option<&'a dyn Sink>,
    pieces: Pieces,
    /// For each subject: itself, then its references.
    benches: Vec<Vec<Solver>>,
    /// How far this run is.
    pub counts: Counts,
    /// Whoever must be alone takes it for writing, all others for reading.
    quiet: RwLock<()>,
}

impl<'a> Study<'a> {
    /// The study of a plan; none if the plan is of other work. Runs that outlive the study go to `lasting`, if there is such a
    /// place.
    pub fn new(plan: &'a Plan, lasting: Option<&'a dyn Sink>) -> Option<Study<'a>> {
        let PlannedWork::Study(study) = &plan.work else { return None };
        let bench = |subject: &crate::campaign::Subject| {
            let references = subject.references.iter().map(|&r| study.subjects[r].solver.clone());
            std::iter::once(subject.solver.clone()).chain(references).collect()
        };
        Some(Study {
            plan,
            asked: study,
            lasting,
            pieces: Pieces::of(study),
            benches: study.subjects.iter().map(bench).collect(),
            counts: Counts::default(),
            quiet: RwLock::new(()),
        })
    }

    /// How many formulas it has.
    pub fn formulas(&self) -> u64 {
        self.pieces.formulas()
    }

    /// Whether all formulas were gone through in this run.
    pub fn is_done(&self) -> bool {
        self.counts.formulas.load(Ordering::Relaxed) as u64 == self.formulas()
    }
}

impl Work for Study<'_> {
    fn schedule(&self) -> &dyn Schedule {
        &self.pieces
    }

    fn worker(&self) -> Box<dyn UnitWorker + '_> {
        Box::new(Worker::new(self))
    }

    fn row(&self, unit: Range) -> SeriesRow {
        SeriesRow::of(unit, "enumerate")
    }

    /// No formula depends on another, and all are to be asked.
    fn goes_on_after_failure(&self) -> bool {
        true
    }

    fn turns(&self) -> u64 {
        self.counts.formulas.load(Ordering::Relaxed) as u64
    }
}
