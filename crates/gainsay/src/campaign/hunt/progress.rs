//! The counts of a run, shared by all workers.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::finding::Finding;
use crate::judge::{Abstention, DecidingCost, Kind, reply_of};
use crate::solver::{Outcome, Run, SolverId};
use crate::store::TurnOutcome;

/// The outcome of a solver in a turn. It has no run if it was not asked.
pub(super) fn outcome_of(run: Option<&Run>) -> TurnOutcome {
    let Some(run) = run else { return TurnOutcome::Unasked };
    match (run.outcome(), reply_of(run, 0)) {
        (Outcome::Answered, Some(check)) => TurnOutcome::Said(check.answer),
        (outcome, _) => TurnOutcome::Other(outcome),
    }
}

/// The progress of this run of a campaign.
pub struct Progress {
    started: Instant,
    counts: Mutex<Counts>,
}

/// The counts of a run of a hunt.
#[derive(Clone, Debug, Default)]
pub struct Counts {
    /// The number of turns.
    pub turns: u64,
    /// Turns by strategy.
    pub by_strategy: BTreeMap<&'static str, u64>,
    /// Findings by kind and solver, in this run.
    pub findings: BTreeMap<(Kind, Option<SolverId>), u64>,
    /// Findings by strategy.
    pub yields: BTreeMap<String, u64>,
    /// Triggers that were only counted, because enough findings with their fingerprint are stored.
    pub rationed: u64,
    /// Complaints that were seen in a warm session only.
    pub warm: u64,
    /// Turns in which gainsay itself failed.
    pub failed: u64,
    /// Complaints on the ignore list.
    pub ignored: u64,
    /// Outcomes of turns, by solver.
    pub outcomes: Vec<BTreeMap<TurnOutcome, u64>>,
    /// CPU time of solvers that have ended.
    pub solver_cpu: Duration,
    /// What deciding who is wrong has cost.
    pub deciding: DecidingCost,
    /// Why oracles abstained.
    pub abstained: BTreeMap<Abstention, u64>,
}

impl Progress {
    pub(super) fn new(solvers: usize) -> Progress {
        let counts = Counts { outcomes: vec![BTreeMap::new(); solvers], ..Counts::default() };
        Progress { started: Instant::now(), counts: Mutex::new(counts) }
    }

    /// How long the hunt has been running.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// The counts as they stand.
    pub fn counts(&self) -> Counts {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Changes the counts.
    pub(super) fn change(&self, change: impl FnOnce(&mut Counts)) {
        change(&mut self.counts.lock().unwrap_or_else(PoisonError::into_inner));
    }

    pub(super) fn found(&self, finding: &Finding) {
        self.change(|c| {
            *c.findings.entry((finding.kind, finding.against.clone())).or_default() += 1;
            *c.yields.entry(finding.lineage.strategy.to_string()).or_default() += 1;
        });
    }
}
