//! The judge of a reduction: it says whether a candidate is still wrong, and asks in a session as long as that is worth while.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use smt::Script;

use super::Test;
use super::candidate::{Shown, meets};
use super::goal::{Cost, Goal, SharedGoal};
use super::signature::BugSignature;
use crate::judge::{Kind, TrialRunner};
use crate::solver::{AskMode, Bound, Check, Ending, Limits, Outputs, Question, Runner, Solver, SolverError};

/// The least wall time of a question with a limit of CPU time. A busy machine takes long for little CPU time.
const PATIENCE: Duration = Duration::from_secs(30);

/// The price of a question that takes a session too long, in answers in time.
const LATE: u32 = 8;
/// The price at which a session is given up.
const MOST: u32 = 3 * LATE;
/// How often in a row fresh processes may take too long, too, before they are no longer asked.
const HOPELESS: u32 = 3;

/// How well sessions keep their time. All judges of a job share it, so that all of them ask in the same way.
#[derive(Default)]
struct Clock {
    owed: AtomicU32,
    hopeless: AtomicU32,
}

impl Clock {
    fn answered(&self) {
        let less = |owed: u32| Some(owed.saturating_sub(1));
        let _ = self.owed.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less);
    }

    /// Counts a question that took the session too long, with the time of fresh processes if they answered.
    fn late(&self, fresh: Option<Duration>, limit: Duration) {
        match fresh {
            None => drop(self.hopeless.fetch_add(1, Ordering::Relaxed)),
            Some(time) => {
                self.hopeless.store(0, Ordering::Relaxed);
                if time < limit {
                    self.owed.fetch_add(LATE, Ordering::Relaxed);
                }
            }
        }
    }

    fn is_given_up(&self) -> bool {
        self.owed.load(Ordering::Relaxed) >= MOST
    }

    fn is_hopeless(&self) -> bool {
        self.hopeless.load(Ordering::Relaxed) >= HOPELESS
    }
}

/// The limits of questions.
#[derive(Clone, Copy)]
pub struct Bounds {
    /// The limits of a question that confirms a finding.
    pub finding: Limits,
    /// The limits of a question about a candidate in a fresh process.
    pub candidate: Limits,
}

/// A judge: it says whether candidates are still wrong, and establishes the evidence anew for each of them.
///
/// It asks in a session. It asks fresh processes where the session takes too long, and about every candidate once the session
/// has shown what fresh processes do not.
pub struct Judge<'a> {
    /// The session in which candidates are screened.
    warm: Option<TrialRunner<'a>>,
    clock: Arc<Clock>,
    fresh: TrialRunner<'a>,
    /// Whether what shows in a session must show in fresh processes, candidate by candidate.
    strict: bool,
    goal: Arc<SharedGoal>,
    solver: &'a Solver,
    bounds: Bounds,
    /// The CPU time of sessions that were given up.
    spent: Duration,
}

impl<'a> Judge<'a> {
    /// A judge with these trial runners; `warm` is for screening. `solver` is whose time counts.
    pub fn new(
        mut warm: Option<TrialRunner<'a>>,
        fresh: TrialRunner<'a>,
        goal: Goal,
        solver: &'a Solver,
        bounds: Bounds,
    ) -> Judge<'a> {
        // A crash is asked about in a fresh process in any case.
        let crash = matches!(&goal, Goal::Wrong(aim) if aim.kind == Kind::Crash);
        if let Some(warm) = warm.as_mut().filter(|_| crash) {
            warm.runner.doubts_crashes = false;
        }
        let (clock, spent) = (Arc::default(), Duration::ZERO);
        let goal = Arc::new(SharedGoal::new(goal));
        Judge { warm, clock, fresh, strict: false, goal, solver, bounds, spent }
    }

    /// Another judge of the same job, with trial runners of its own.
    #[must_use]
    pub fn beside(&self, warm: Option<TrialRunner<'a>>, fresh: TrialRunner<'a>) -> Judge<'a> {
        let other = Judge::new(warm, fresh, self.goal.current(), self.solver, self.bounds);
        Judge { clock: Arc::clone(&self.clock), goal: Arc::clone(&self.goal), ..other }
    }

    /// What it looks for, together with the other judges of the job.
    pub fn goal(&self) -> Arc<SharedGoal> {
        Arc::clone(&self.goal)
    }

    /// Whether what is looked for is there. Remembers a candidate that shows who is wrong.
    fn noted(&self, shown: Shown, text: &str) -> bool {
        let there = shown.is_there();
        if let Shown::Decided(signature) = shown {
            self.goal.note(text, *signature);
        }
        there
    }

    /// The trial runner that asks in fresh processes.
    pub fn trials(&mut self) -> &mut TrialRunner<'a> {
        &mut self.fresh
    }

    /// Ends its solvers. Returns the CPU time that they used.
    pub fn finish(mut self) -> Result<Duration, SolverError> {
        self.leave_session()?;
        Ok(self.spent + self.fresh.runner.finish()?)
    }

    /// Whether it relies on what a session shows.
    pub fn trusts_a_session(&self) -> bool {
        self.warm.is_some() && !self.strict
    }

    /// From now on, fresh processes must show what a session shows.
    pub fn be_strict(&mut self) {
        self.strict = true;
    }

    fn leave_session(&mut self) -> Result<(), SolverError> {
        if let Some(warm) = self.warm.take() {
            self.spent += warm.runner.finish()?;
        }
        Ok(())
    }

    /// Whether fresh processes show that this is wrong with a script, in the time of a candidate; none if that is too short.
    pub fn in_fresh_processes(
        &mut self,
        aim: &BugSignature,
        script: &Script,
        text: &str,
    ) -> Result<Option<bool>, SolverError> {
        self.fresh.keep_to(self.bounds.candidate);
        let shown = meets(&mut self.fresh, aim, script, text);
        self.fresh.keep_to(self.bounds.finding);
        Ok(shown?.map(|shown| self.noted(shown, text)))
    }

    /// Changes to a session with `(reset)`, where one with scopes has shown what fresh processes do not, if it shows what they
    /// show and not what they refute; tells whether.
    pub fn change_to_surer(&mut self, shown: &Script, refuted: &str) -> Result<bool, SolverError> {
        let (Some(warm), Goal::Wrong(aim)) = (&self.warm, self.goal.current()) else { return Ok(false) };
        let Some(script) = smt::read(refuted.as_bytes()).ok().filter(|_| warm.way() == AskMode::Scoped)
        else {
            return Ok(false);
        };
        let mut trials = warm.in_reset();
        let is_surer = meets(&mut trials, &aim, shown, &shown.text())?.is_some_and(|s| s.is_there())
            && meets(&mut trials, &aim, &script, refuted)? == Some(Shown::Nothing);
        if is_surer {
            self.leave_session()?;
            self.warm = Some(trials);
        } else {
            self.spent += trials.runner.finish()?;
        }
        Ok(is_surer)
    }

    /// Changes to a session with `(reset)`, if it has one with scopes.
    pub fn change_to_reset(&mut self) -> Result<(), SolverError> {
        if let Some(other) =
            self.warm.as_ref().filter(|warm| warm.way() == AskMode::Scoped).map(TrialRunner::in_reset)
        {
            self.leave_session()?;
            self.warm = Some(other);
        }
        Ok(())
    }

    /// Whether this is wrong with a candidate.
    fn is_wrong(&mut self, aim: &BugSignature, script: &Script, text: &str) -> Result<bool, SolverError> {
        if !matches!(aim.kind, Kind::Crash | Kind::Rejection | Kind::WrongRewriting | Kind::Unconfirmed)
            && script.queries().is_empty()
        {
            // Where nothing is asked, no answer is wrong.
            return Ok(false);
        }
        if self.clock.is_given_up() {
            self.leave_session()?;
        }
        let Some(warm) = &mut self.warm else {
            return Ok(self.in_fresh_processes(aim, script, text)? == Some(true));
        };
        let limit = warm.limits().wall;
        let Some(shown) = meets(warm, aim, script, text)? else {
            if self.clock.is_hopeless() {
                return Ok(false);
            }
            let begin = Instant::now();
            let there = self.in_fresh_processes(aim, script, text)?;
            self.clock.late(there.map(|_| begin.elapsed()), limit);
            return Ok(there == Some(true));
        };
        self.clock.answered();
        // Of a crash the trial runner has asked a fresh process already.
        if !shown.is_there() || !self.strict || aim.kind == Kind::Crash {
            return Ok(self.noted(shown, text));
        }
        Ok(self.in_fresh_processes(aim, script, text)? == Some(true))
    }

    /// Whether the solver gives up because it has used all its units.
    fn runs_out(&mut self, text: &str, units: u64) -> Result<bool, SolverError> {
        let question = Question { script: text, ask: Outputs { reason: true, ..Outputs::default() } };
        let run = self.fresh.runner.ask(&self.solver.with_units(units), question, AskMode::Fresh)?;
        // z3's words depend on where it was when they ran out; nothing else cancels it in a process of its own.
        let ran_out = |reason: &String| reason.contains("resource") || reason == "canceled";
        let reason = |check: &Check| check.reason.as_ref().is_some_and(ran_out);
        Ok(run.reply.checks.iter().any(reason))
    }

    fn is_slow(&mut self, text: &str, than: Duration) -> Result<bool, SolverError> {
        let question = Question { script: text, ask: Outputs::default() };
        let runner: &mut Runner = &mut self.fresh.runner;
        // Wall time is a poor clock on a busy machine: it only ends what sleeps.
        runner.limits = Limits { cpu: than, wall: (than * 8).max(PATIENCE), ..self.bounds.finding };
        let run = runner.ask(self.solver, question, AskMode::Fresh)?;
        runner.limits = self.bounds.finding;
        Ok(matches!(run.ending, Ending::Stopped(Bound::Cpu)) || run.cpu.is_some_and(|t| t >= than))
    }
}

impl Test for Judge<'_> {
    type Error = SolverError;

    fn wanted(&mut self, script: &Script, text: &str) -> Result<bool, SolverError> {
        match self.goal.current() {
            Goal::Slow(Cost::Time(than)) => self.is_slow(text, than),
            Goal::Slow(Cost::Units(units)) => self.runs_out(text, units),
            Goal::Wrong(aim) => self.is_wrong(&aim, script, text),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_is_given_up_when_it_costs_more_than_it_saves() {
        let (fast, slow, limit) =
            (Some(Duration::from_millis(20)), Duration::from_millis(300), Duration::from_millis(90));
        // (how many answers come between two that are late, what fresh processes take then, is it given up, is it hopeless)
        let rows = [
            (0, fast, true, false),
            (5, fast, true, false),
            (LATE, fast, false, false),
            // They were no faster than it was given to be.
            (0, Some(slow), false, false),
            (0, None, false, true),
        ];
        for (between, fresh, given_up, hopeless) in rows {
            let clock = Clock::default();
            for _ in 0..20 {
                clock.late(fresh, limit);
                (0..between).for_each(|_| clock.answered());
            }
            assert_eq!(
                (clock.is_given_up(), clock.is_hopeless()),
                (given_up, hopeless),
                "{between} {fresh:?}"
            );
        }
        // Once fresh processes answer, they are worth asking.
        let clock = Clock::default();
        (0..HOPELESS).for_each(|_| clock.late(None, limit));
        clock.late(fast, limit);
        assert!(!clock.is_hopeless());
    }
}
