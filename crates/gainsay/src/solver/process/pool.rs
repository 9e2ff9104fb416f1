//! The processes of a runner: supervisors that wait for work, and warm sessions that are kept and replaced.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::limits::Limits;
use super::protocol::ProcessEnd;
use super::session::{Purpose, Session, Sessions};
use super::supervisor::Supervisor;
use crate::solver::profile::{Flag, fill};
use crate::solver::{Solver, SolverError};

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
        let mut extra = own_time(purpose.solver, limits);
        if purpose.incremental {
            extra.extend(purpose.solver.profile.run.incremental.iter().cloned());
        }
        let mut supervisor = self.supervisor()?;
        supervisor.start(&purpose.solver.launch(&extra), limits)?.write(header);
        Ok(Session::new(supervisor, purpose))
    }
}

/// The solver's own limit of time, a little below ours, so that a warm session survives a hard question; none where that
/// costs more than a new session does.
fn own_time(solver: &Solver, limits: &Limits) -> Vec<String> {
    if solver.has(Flag::BusyClock) {
        return Vec::new();
    }
    let wall = limits.wall * 4 / 5;
    let ms = wall.as_millis() as u64;
    fill(&solver.profile.run.time, &[("ms", ms), ("s", ms.div_ceil(1000))])
}
