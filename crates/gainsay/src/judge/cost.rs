//! What deciding costs: the questions of oracles that decide who is wrong, and the CPU time of solvers and of this program.

use std::time::Duration;

use super::kind::Kind;
use super::oracle;
use super::trial::Trial;
use crate::solver::Run;

/// What was spent in deciding who is wrong.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DecidingCost {
    /// Questions that solvers were asked besides the case itself.
    pub questions: u64,
    /// CPU time of the solvers that were asked, and of the thread that evaluated and searched.
    pub cpu: Duration,
}

impl DecidingCost {
    /// Adds what else was spent.
    pub fn add(&mut self, more: DecidingCost) {
        self.questions += more.questions;
        self.cpu += more.cpu;
    }
}

/// Measures what one oracle spends in deciding one trial.
///
/// A trial without a difference costs nothing to measure until a question is asked: the clock is not read.
pub(super) struct CostMeter {
    /// Whether the oracle is one that decides who is wrong.
    decides: bool,
    /// The CPU time of this thread when deciding began.
    since: Option<Duration>,
    spent: DecidingCost,
}

impl CostMeter {
    /// A meter for the judgement of an oracle.
    pub(super) fn new(trial: &Trial<'_>, entry: &oracle::Entry) -> CostMeter {
        let decides = entry.kinds.contains(&Kind::Soundness);
        let since = (decides && trial.differs()).then(thread_cpu);
        CostMeter { decides, since, spent: DecidingCost::default() }
    }

    /// Takes note that questions will be asked.
    pub(super) fn asks(&mut self) {
        if self.decides && self.since.is_none() {
            self.since = Some(thread_cpu());
        }
    }

    /// Takes note of a question and its run.
    pub(super) fn asked(&mut self, run: &Run) {
        if self.decides {
            self.spent.questions += 1;
            self.spent.cpu += run.cpu.unwrap_or_default();
        }
    }

    /// What was spent until now.
    pub(super) fn spent(self) -> DecidingCost {
        let own = self.since.map_or(Duration::ZERO, |since| thread_cpu().saturating_sub(since));
        DecidingCost { cpu: self.spent.cpu + own, ..self.spent }
    }
}

/// The CPU time of this thread.
fn thread_cpu() -> Duration {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(now.tv_sec as u64, now.tv_nsec as u32)
}
