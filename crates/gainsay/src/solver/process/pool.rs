//! The processes of a runner: supervisors that wait for work, and warm sessions that are kept and replaced.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::limits::Limits;
use super::protocol::ProcessEnd;
use super::session::{Purpose, Session, Sessions};
use super::supervisor::Supervisor;
use crate::solver::profile::{Flag, fill};
use crate::solver::{Solver, SolverError};

/// How much later than it was told a solver may end a question before we end it.
const LATENESS: Duration = Duration::from_millis(25);

/// The processes of a runner.
#[derive(Default)]
pub struct ProcessPool {
    sessions: Sessions,
    /// Supervisors without a solver; pools may share them.
    idle: Arc<Mutex<Vec<Supervisor>>>,
    /// CPU time of all solvers that have ended.
    spent: Duration,
}

impl ProcessPool {
    /// Another pool, with sessions of its own, that uses the same supervisors.
    pub fn beside(&self) -> ProcessPool {
        ProcessPool { idle: Arc::clone(&self.idle), ..ProcessPool::default() }
    }

    fn idle(&self) -> MutexGuard<'_, Vec<Supervisor>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends all sessions, and tells the CPU time that all solvers have used.
    pub fn finish(mut self) -> Result<Duration, SolverError> {
        for session in self.sessions.take_all() {
            self.retire(session.supervisor)?;
        }
        Ok(self.spent)
    }

    /// Ends the solver under a supervisor and keeps the supervisor; tells what the solver used.
    pub fn retire(&mut self, mut supervisor: Supervisor) -> Result<Option<ProcessEnd>, SolverError> {
        let end = supervisor.end(None)?.and_then(|process| process.end);
        self.spent += end.map_or(Duration::ZERO, |e| Duration::from_micros(e.cpu));
        self.idle().push(supervisor);
        Ok(end)
    }

    /// Keeps a session for later questions. The one that has waited longest may be ended for it.
    pub fn keep(&mut self, session: Session) -> Result<(), SolverError> {
        if let Some(oldest) = self.sessions.keep(session) {
            self.retire(oldest.supervisor)?;
        }
        Ok(())
    }

    /// A supervisor without a solver.
    pub fn supervisor(&self) -> Result<Supervisor, SolverError> {
        let idle = self.idle().pop();
        idle.map_or_else(Supervisor::new, Ok)
    }

    /// A session for that purpose. A new one hears the header first.
    pub fn session(
        &mut self,
        purpose: Purpose<'_>,
        header: &str,
        limits: &Limits,
    ) -> Result<Session, SolverError> {
        if let Some(mut session) = self.sessions.take(&purpose) {
            if !session.is_spent(limits) {
                session.allow(limits.cpu)?;
                return Ok(session);
            }
            self.retire(session.supervisor)?;
        }
        let mut extra = purpose.time.clone();
        if purpose.incremental {
            extra.extend(purpose.solver.profile.run.incremental.iter().cloned());
        }
        let mut supervisor = self.supervisor()?;
        supervisor.start(&purpose.solver.launch(&extra), limits)?.write(header);
        Ok(Session::new(supervisor, purpose))
    }
}

/// The time that a question has: by our clock, and as its solver is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OwnTime {
    /// Wall time after which we end the solver.
    pub wall: Duration,
    /// What the solver is told, a little less, so that a warm session survives a hard question.
    told: Duration,
}

impl OwnTime {
    /// The time of a question that has less time than the limits allow, or just that.
    pub fn of(within: Option<Duration>, limits: &Limits) -> OwnTime {
        match within {
            Some(told) if told < limits.wall => OwnTime {
                wall: limits.wall.min(told * 5 / 4 + LATENESS),
                told: told.min(limits.wall * 4 / 5),
            },
            _ => OwnTime { wall: limits.wall, told: limits.wall * 4 / 5 },
        }
    }

    /// Options that tell the solver; none where that costs more than a new session does.
    pub fn options(self, solver: &Solver) -> Vec<String> {
        if solver.has(Flag::BusyClock) {
            return Vec::new();
        }
        fill(&solver.profile.run.time, &self.numbers())
    }

    /// The command that tells the solver with each question; empty if it has none, or if that costs more than a new session.
    pub fn command(self, solver: &Solver) -> String {
        let command = &solver.profile.ask.time;
        if command.is_empty() || solver.has(Flag::BusyClock) {
            return String::new();
        }
        fill(std::slice::from_ref(command), &self.numbers()).concat() + "\n"
    }

    fn numbers(self) -> [(&'static str, u64); 2] {
        let ms = self.told.as_millis() as u64;
        [("ms", ms), ("s", ms.div_ceil(1000))]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_solver_is_told_a_little_less_than_it_has() {
        let limits = Limits::of_time(Duration::from_secs(1));
        let rows = [
            (None, 1000, 800),
            (Some(20), 50, 20),
            (Some(250), 337, 250),
            // Never more than the limits allow.
            (Some(900), 1000, 800),
            (Some(1000), 1000, 800),
            (Some(5000), 1000, 800),
        ];
        for (within, wall, told) in rows {
            let time = OwnTime::of(within.map(Duration::from_millis), &limits);
            assert_eq!((time.wall.as_millis(), time.told.as_millis()), (wall, told), "{within:?}");
        }
    }

    #[test]
    fn questions_with_different_limits_share_a_session_where_they_can() {
        let limits = Limits::of_time(Duration::from_secs(5));
        let of = |ms| OwnTime::of(Some(Duration::from_millis(ms)), &limits);
        let rows = [
            ("z3", "(set-option :timeout 20)\n", &["-t:20"][..]),
            ("cvc5", "(set-option :tlimit-per 20)\n", &["--tlimit-per=20"]),
            ("bitwuzla", "(set-option :time-limit-per 20)\n", &["--time-limit-per=20"]),
            ("cvc4", "(set-option :tlimit-per 20)\n", &["--tlimit-per=20"]),
            ("yices", "", &["--timeout=1"]),
        ];
        for (profile, command, options) in rows {
            let solver = Solver::fake_as(profile, "honest").expect(profile);
            assert_eq!(of(20).command(&solver), command, "{profile}");
            assert_eq!(of(20).options(&solver), options, "{profile}");
        }
        let yices = Solver::fake_as("yices", "honest").expect("it has a profile");
        assert_eq!(of(20).options(&yices), of(250).options(&yices));
    }
}
