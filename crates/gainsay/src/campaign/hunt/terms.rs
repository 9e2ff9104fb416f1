//! The terms of a series: which solvers are asked, and how much time each of them has. Both follow from what the solvers did
//! with the seeds as they are.

use std::time::Duration;

use super::ladder::{Before, Pace};
use super::worker::Worker;
use crate::campaign::error::EngineError;
use crate::campaign::worker_io::WorkerIo;
use crate::case::Case;
use crate::finding::Turn;
use crate::judge::{Asking, Known};
use crate::seed::{Asked, Seed};
use crate::solver::{Outcome, Run, SolverId};
use crate::store::{Counter, EarlyEnd, FirstRun, Sink};
use crate::strategy::{Strategy, as_it_is};

use super::turn::Judged;

/// The terms on which each solver of the campaign is asked in a series.
#[derive(Clone, Debug, Default)]
pub(super) struct Terms {
    /// The rung of each solver; empty if every question has the time of the campaign.
    paces: Vec<Pace>,
    /// Why each solver is left out, if it is.
    left_out: Vec<Option<LeftOut>>,
}

/// Why a solver is not asked about mutants of a seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum LeftOut {
    /// It refuses the seed as it is.
    Refuses,
    /// It fails on the seed as it is.
    Fails,
}

impl LeftOut {
    /// Why a solver with this first run of a seed is left out, if it is.
    fn of(run: &FirstRun) -> Option<LeftOut> {
        match run {
            FirstRun { fails: true, .. } => Some(LeftOut::Fails),
            FirstRun { refuses: true, .. } => Some(LeftOut::Refuses),
            _ => None,
        }
    }
}

impl Terms {
    /// Why the series ends at once, if no solver is asked.
    pub(super) fn leave_out_everybody(&self) -> Option<EarlyEnd> {
        let all: Option<Vec<LeftOut>> = self.left_out.iter().copied().collect();
        all?.into_iter().max().map(|worst| match worst {
            LeftOut::Fails => EarlyEnd::FailingSeed,
            LeftOut::Refuses => EarlyEnd::RefusedSeed,
        })
    }
}

impl Worker<'_> {
    /// The terms of a series of these seeds. Solvers are asked about a seed as it is, once in a campaign.
    pub(super) fn terms_of(
        &mut self,
        kind: &dyn Strategy,
        seeds: &[Asked],
        turn: Turn,
        io: &mut WorkerIo<'_>,
    ) -> Result<Terms, EngineError> {
        let solvers = self.work.plan.solvers.len();
        let leaves_failing_out = self.work.cases.leave_out.failing;
        let mut before = vec![Before::Nothing; solvers];
        let mut left_out = vec![None; solvers];
        if !kind.keeps_seeds() && self.needs_first_runs() {
            for asked in seeds {
                let runs = self.first_runs(&asked.seed, turn, io)?;
                for ((run, before), left_out) in runs.iter().zip(&mut before).zip(&mut left_out) {
                    *before = before.and(before_of(run));
                    *left_out = (*left_out).max(LeftOut::of(run).filter(|_| leaves_failing_out));
                }
            }
        }
        Ok(Terms { paces: self.paces(&before), left_out })
    }

    /// The rungs on which a series begins.
    fn paces(&self, before: &[Before]) -> Vec<Pace> {
        let Some(ladder) = &self.ladder else { return Vec::new() };
        before.iter().map(|&before| Pace::new(ladder, before)).collect()
    }

    /// What each solver does with a seed as it is. What is wrong is recorded.
    fn first_runs(
        &mut self,
        seed: &Seed,
        turn: Turn,
        io: &mut WorkerIo<'_>,
    ) -> Result<Vec<FirstRun>, EngineError> {
        let plan = self.work.plan;
        let known = |sink: &dyn Sink| -> Result<Option<Vec<FirstRun>>, EngineError> {
            let of = |solver: &SolverId| sink.first_run(&seed.name.digest, solver);
            Ok(plan.solvers.iter().map(|solver| of(&solver.name)).collect::<Result<_, _>>()?)
        };
        if let Some(known) = known(io.sink())? {
            return Ok(known);
        }
        let paces = self.paces(&vec![Before::Nothing; plan.solvers.len()]);
        self.terms = Terms { paces, left_out: Vec::new() };
        self.ask_nobody_besides();
        let case = as_it_is(seed);
        let judged = self.judged(&case, &Known::new(), turn, io)?;
        self.remember_first_runs(seed, &judged, io.sink())?;
        // Another worker may have stored its runs first. Then those count.
        Ok(known(io.sink())?.unwrap_or_else(|| first_runs_of(&judged)))
    }

    /// Stores what solvers did with a seed as it is.
    pub(super) fn remember_first_runs(
        &self,
        seed: &Seed,
        judged: &Judged,
        sink: &dyn Sink,
    ) -> Result<(), EngineError> {
        for (solver, run) in self.work.plan.solvers.iter().zip(first_runs_of(judged)) {
            sink.remember_first_run(&seed.name.digest, &solver.name, &run)?;
        }
        Ok(())
    }

    /// On which terms solver number `i` of those that are asked now has a question; a variant has those of its solver.
    pub(super) fn asking(&self, i: usize) -> Asking {
        let own = self.work.plan.solvers.len();
        let solver = if i < own { i } else { self.varied[i - own] };
        if self.terms.left_out.get(solver).copied().flatten().is_some() {
            return Asking::Not;
        }
        match (&self.ladder, self.terms.paces.get(solver)) {
            (Some(ladder), Some(pace)) => Asking::Within(ladder.time(pace.rung)),
            _ => Asking::Full,
        }
    }

    /// Asks the solvers and their variants about a case on the terms of the series.
    pub(super) fn ask(
        &mut self,
        case: &Case,
        text: &str,
        io: &mut WorkerIo<'_>,
    ) -> Result<Vec<Option<Run>>, EngineError> {
        let asking: Vec<Asking> = (0..self.runner.solvers().len()).map(|i| self.asking(i)).collect();
        let mut runs = self.runner.runs_within(case, text, &asking)?;
        let plan = self.work.plan;
        for (i, run) in runs.iter_mut().enumerate().take(plan.solvers.len()) {
            if let Some(why) = self.terms.left_out.get(i).copied().flatten() {
                let counter = match why {
                    LeftOut::Fails => Counter::SeedFails,
                    LeftOut::Refuses => Counter::SeedRefused,
                };
                io.unit().count(Some(&plan.solvers[i].name), counter);
            }
            self.climb(case, text, (i, run), io)?;
        }
        Ok(runs)
    }

    /// Asks a solver that ran out of a short time again with more, as far as the account of time allows.
    fn climb(
        &mut self,
        case: &Case,
        text: &str,
        (i, run): (usize, &mut Option<Run>),
        io: &mut WorkerIo<'_>,
    ) -> Result<(), EngineError> {
        let (Some(ladder), Some(pace)) = (&self.ladder, self.terms.paces.get_mut(i)) else { return Ok(()) };
        let has_paid = self.work.has_paid(io.unit().series.no);
        let mut rung = pace.rung;
        while run.as_ref().is_some_and(|run| run.cut_short && run.outcome() == Outcome::TimedOut) {
            self.work.spend(self.runner.runner.take_time(), io.unit());
            let Some(next) = self.work.account().next(ladder, rung, has_paid) else { break };
            rung = next;
            io.unit().count(Some(&self.work.plan.solvers[i].name), Counter::AskedHigher);
            self.work.progress.change(|c| c.asked_higher += 1);
            let mut asking = vec![Asking::Not; self.runner.solvers().len()];
            asking[i] = Asking::Within(ladder.time(rung));
            *run = self.runner.runs_within(case, text, &asking)?.swap_remove(i);
            let took = run.as_ref().map_or(Duration::ZERO, |run| run.wall);
            self.work.account().asked_again(rung, took);
        }
        match run.as_ref().map(|run| (run.outcome(), run.wall)) {
            Some((Outcome::Answered, took)) => pace.answered(ladder, took),
            Some((Outcome::TimedOut, _)) => pace.late(ladder),
            _ => {}
        }
        Ok(())
    }
}

/// What is known of a solver's time from its first run of a seed.
fn before_of(run: &FirstRun) -> Before {
    match run {
        FirstRun { late: true, .. } => Before::Late,
        // It does not read the seed.
        FirstRun { micros: 0, .. } => Before::Nothing,
        FirstRun { micros, .. } => Before::Took(Duration::from_micros(*micros)),
    }
}

/// What each solver did with a seed as it is.
fn first_runs_of(judged: &Judged) -> Vec<FirstRun> {
    let one = |(i, run): (usize, &Option<Run>)| FirstRun {
        micros: run.as_ref().map_or(0, |run| run.wall.as_micros() as u64),
        late: run.as_ref().is_some_and(|run| run.outcome() == Outcome::TimedOut),
        refuses: run.as_ref().is_some_and(|run| run.outcome() == Outcome::Rejected),
        // What an option may change is no reason to leave a solver out.
        fails: judged.accused.iter().any(|(whom, kind)| *whom == i && !kind.is_up_to_options()),
    };
    judged.runs.iter().enumerate().map(one).collect()
}
