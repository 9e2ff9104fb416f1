//! What one sees of a study of releases while it runs.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use crate::campaign::{Event, Failure, Plan, PlannedWork};
use crate::cli::progress::Bar;
use crate::report::many;
use crate::study::evolve::{Counts, Study, beside};

/// Prints how far a study is.
pub struct StudyWatcher {
    begun: Instant,
    bar: Bar,
}

impl StudyWatcher {
    /// Prints what is to be done, and begins a bar.
    pub fn begin(plan: &Plan, study: &Study<'_>) -> StudyWatcher {
        let subjects = match &plan.work {
            PlannedWork::Study(study) => &study.subjects[..],
            PlannedWork::Hunt(_) => &[],
        };
        let who: Vec<String> = subjects.iter().map(|subject| beside(subject, subjects)).collect();
        let (releases, workers) = (many(who.len() as u64, "release"), many(plan.jobs as u64, "worker"));
        eprintln!("{}, {releases}, {workers}", many(study.formulas(), "formula"));
        for line in &who {
            eprintln!("  {line}");
        }
        StudyWatcher { begun: Instant::now(), bar: Bar::new(study.formulas() as usize) }
    }

    /// Moves the bar, and prints what failed.
    pub fn see(&self, counts: &Counts, event: Option<&Event>) {
        if let Some(Event::Failed(Failure { series, step, why, .. })) = event {
            eprintln!("gainsay: formula {step} of piece {series} failed, and is left out: {why}");
        }
        let runs = || format!("{} runs, {} wrong", load(&counts.asked), load(&counts.wrongs));
        self.bar.at(load(&counts.formulas), runs);
    }

    /// Removes the bar.
    pub fn clear(&self) {
        self.bar.finish();
    }

    /// Prints what was done.
    pub fn tell(&self, counts: &Counts) {
        eprintln!(
            "{} runs in {:.1} s, {} there already, {} things wrong",
            load(&counts.asked),
            self.begun.elapsed().as_secs_f64(),
            load(&counts.there),
            load(&counts.wrongs)
        );
        if load(&counts.unread) > 0 {
            eprintln!(
                "{} texts of the grammars are no well-sorted scripts and were left out",
                load(&counts.unread)
            );
        }
    }
}

fn load(n: &AtomicUsize) -> usize {
    n.load(Ordering::Relaxed)
}
