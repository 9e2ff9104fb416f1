//! The counts of a run, shared by all workers.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::finding::Finding;
use crate::judge::{Abstention, DecidingCost, Kind, reply_of};
use crate::solver::{Outcome, QuestionTime, Run, SolverId};
use crate::store::TurnOutcome;

/// How many reasons of refusals are told apart.
const REASONS: usize = 200;
/// What stands for all other reasons.
const OTHER: &str = "other reasons";
/// How many letters of a reason are kept.
const LETTERS: usize = 100;

/// What a solver said, in one line and without numbers, which are places in scripts and names of constants.
fn without_numbers(said: &str) -> String {
    let mut words = String::new();
    for c in said.lines().next().unwrap_or("").chars().take(LETTERS) {
        match c.is_ascii_digit() {
            true if words.ends_with('#') => {}
            true => words.push('#'),
            false => words.push(c),
        }
    }
    words
}

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
    /// How often each fingerprint was triggered in this run.
    pub triggers: BTreeMap<String, u64>,
    /// How many fingerprints each strategy was the first to trigger in this run.
    pub faults: BTreeMap<String, u64>,
    /// When a new fingerprint was triggered last, since the beginning of the run.
    pub last_fault: Option<Duration>,
    /// How often a solver was asked about a case, or about a seed as it is.
    pub asked: u64,
    /// Refusals by solver and by what it said, without numbers.
    pub refusals: BTreeMap<(usize, String), u64>,
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
    /// The time of questions, and of those that ran out of it.
    pub question_time: QuestionTime,
    /// Questions that ran out of a short time and were asked again with more.
    pub asked_higher: u64,
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

    /// Counts a trigger of a fingerprint in a case of a strategy.
    pub(super) fn triggered(&self, fingerprint: &str, strategy: &str) {
        let now = self.elapsed();
        self.change(|c| {
            let count = c.triggers.entry(fingerprint.to_owned()).or_default();
            *count += 1;
            if *count == 1 {
                *c.faults.entry(strategy.to_owned()).or_default() += 1;
                c.last_fault = Some(now);
            }
        });
    }

    /// Counts a refusal of a solver that said this. Beyond so many different reasons, further ones count as one.
    pub(super) fn refused(&self, solver: usize, said: &str) {
        let reason = without_numbers(said);
        self.change(|c| {
            let key = (solver, reason);
            let known = c.refusals.len() < REASONS || c.refusals.contains_key(&key);
            *c.refusals.entry(if known { key } else { (solver, OTHER.to_owned()) }).or_default() += 1;
        });
    }

    pub(super) fn found(&self, finding: &Finding) {
        self.change(|c| {
            *c.findings.entry((finding.kind, finding.against.clone())).or_default() += 1;
            *c.yields.entry(finding.lineage.strategy.to_string()).or_default() += 1;
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refusals_of_one_kind_are_counted_together() {
        let progress = Progress::new(2);
        for said in ["line 3 column 14: unknown constant", "line 21 column 5: unknown constant\nmore"] {
            progress.refused(0, said);
        }
        progress.refused(1, "line 3 column 14: unknown constant");
        let counts = progress.counts();
        let told: Vec<_> = counts.refusals.iter().map(|((solver, said), n)| (*solver, &**said, *n)).collect();
        let words = "line # column #: unknown constant";
        assert_eq!(told, [(0, words, 2), (1, words, 1)]);
        for n in 0..2 * REASONS {
            let letter = |n: usize| char::from(b'a' + (n % 26) as u8);
            progress.refused(0, &format!("{}{}", letter(n / 26), letter(n)));
        }
        let counts = progress.counts();
        assert!(counts.refusals.len() <= REASONS + 1, "{}", counts.refusals.len());
        assert_eq!(counts.refusals.values().sum::<u64>(), 3 + 2 * REASONS as u64, "none is lost");
    }

    #[test]
    fn the_first_to_trigger_a_fingerprint_has_found_the_fault() {
        let progress = Progress::new(1);
        assert_eq!(progress.counts().last_fault, None);
        for (fingerprint, strategy) in [("a", "opfuzz"), ("a", "sae"), ("b", "sae")] {
            progress.triggered(fingerprint, strategy);
        }
        let counts = progress.counts();
        assert_eq!(counts.faults, BTreeMap::from([("opfuzz".to_owned(), 1), ("sae".to_owned(), 1)]));
        assert_eq!(counts.triggers, BTreeMap::from([("a".to_owned(), 2), ("b".to_owned(), 1)]));
        assert!(counts.last_fault.is_some());
    }
}
