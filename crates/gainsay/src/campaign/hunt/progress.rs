//! Progress: what has been counted so far, shared by all workers.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::case::Answer;
use crate::finding::Finding;
use crate::judge::{Abstention, reply_of};
use crate::solver::{Outcome, Run, SolverId};

/// What a run came to, in a letter: one for each solver is the row of a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TurnOutcome {
    /// It was not asked.
    Unasked,
    /// Its first answer.
    Said(Answer),
    /// Anything else.
    Other(Outcome),
}

impl TurnOutcome {
    /// The letter of a run.
    pub fn of(run: Option<&Run>) -> TurnOutcome {
        let Some(run) = run else { return TurnOutcome::Unasked };
        match (run.outcome(), reply_of(run, 0)) {
            (Outcome::Answered, Some(check)) => TurnOutcome::Said(check.answer),
            (outcome, _) => TurnOutcome::Other(outcome),
        }
    }

    /// The letter.
    pub fn letter(self) -> char {
        match self {
            TurnOutcome::Unasked => '-',
            TurnOutcome::Said(Answer::Sat) => 's',
            TurnOutcome::Said(Answer::Unsat) => 'u',
            TurnOutcome::Said(Answer::Unknown) => '?',
            TurnOutcome::Other(outcome) => match outcome {
                Outcome::TimedOut => 'T',
                Outcome::OutOfMemory => 'M',
                Outcome::Unruly => 'U',
                Outcome::SelfCheck => 'X',
                Outcome::Crashed => 'C',
                Outcome::Disturbed => 'D',
                Outcome::Rejected => 'R',
                Outcome::Answered => 'A',
            },
        }
    }

    /// The word for it, which is also what is counted.
    pub fn word(self) -> &'static str {
        match self {
            TurnOutcome::Unasked => "not asked",
            TurnOutcome::Said(answer) => answer.word(),
            TurnOutcome::Other(outcome) => match outcome {
                Outcome::TimedOut => "time-out",
                Outcome::OutOfMemory => "out of memory",
                Outcome::Unruly => "unruly",
                Outcome::SelfCheck => "self-check",
                Outcome::Crashed => "crashed",
                Outcome::Disturbed => "disturbed",
                Outcome::Rejected => "rejected",
                Outcome::Answered => "answered",
            },
        }
    }
}

/// What has been counted in this run of a campaign.
pub struct Progress {
    started: Instant,
    counts: Mutex<Counts>,
}

/// The counts.
#[derive(Clone, Debug, Default)]
pub struct Counts {
    /// Turns made.
    pub turns: u64,
    /// Turns by strategy.
    pub by_strategy: BTreeMap<String, u64>,
    /// Findings by kind and solver, in this run.
    pub findings: BTreeMap<(String, Option<SolverId>), u64>,
    /// Findings by strategy.
    pub yields: BTreeMap<String, u64>,
    /// Triggers of findings that are already there, or too many.
    pub rationed: u64,
    /// What only warm runs showed.
    pub warm: u64,
    /// Turns that could not be made, because this program failed.
    pub failed: u64,
    /// Complaints on the ignore list.
    pub ignored: u64,
    /// What each solver's runs came to.
    pub letters: Vec<BTreeMap<TurnOutcome, u64>>,
    /// CPU time of solvers that have ended.
    pub solver_cpu: Duration,
    /// Why oracles abstained.
    pub abstained: BTreeMap<Abstention, u64>,
}

impl Progress {
    pub(super) fn new(solvers: usize) -> Progress {
        let counts = Counts { letters: vec![BTreeMap::new(); solvers], ..Counts::default() };
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
            *c.findings.entry((finding.kind.word().to_owned(), finding.against.clone())).or_default() += 1;
            *c.yields.entry(finding.lineage.strategy.to_string()).or_default() += 1;
        });
    }
}
