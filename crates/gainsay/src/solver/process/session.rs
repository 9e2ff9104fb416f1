//! Warm sessions: solvers that stay alive between questions, and which questions may share one.

use std::time::{Duration, Instant};

use super::limits::Limits;
use super::supervisor::Supervisor;
use crate::solver::{AskMode, Outputs, Solver, SolverError};

/// Sessions that are kept at once; the one that has waited longest is ended for a new one.
const SESSIONS: usize = 16;
/// Questions after which a session is replaced.
const QUESTIONS: u32 = 1000;

/// What two questions must have in common to be asked in one session.
#[derive(Clone, Debug)]
pub struct Purpose<'a> {
    pub solver: &'a Solver,
    pub mode: AskMode,
    /// What is asked besides answers: the session's options depend on it.
    pub ask: Outputs,
    /// Whether the solver was started in its incremental mode.
    pub incremental: bool,
    /// The options that tell the solver how much time a question has; none if that is told with each question.
    pub time: Vec<String>,
    /// What the scripts themselves set. Options survive `(reset)` in some solvers.
    pub settings: String,
}

/// The purpose of a session, with a solver of its own.
struct Own {
    solver: Solver,
    mode: AskMode,
    ask: Outputs,
    incremental: bool,
    time: Vec<String>,
    settings: String,
}

impl Own {
    fn covers(&self, purpose: &Purpose<'_>) -> bool {
        let asks = |ask: Outputs| (ask.model, ask.core);
        self.mode == purpose.mode
            && self.incremental == purpose.incremental
            && self.time == purpose.time
            && asks(self.ask) == asks(purpose.ask)
            && self.settings == purpose.settings
            && self.solver.is_same_program(purpose.solver)
    }
}

/// A solver that stays alive between questions.
pub struct Session {
    pub supervisor: Supervisor,
    /// How many questions it has answered.
    pub asked: u32,
    purpose: Box<Own>,
    /// When its CPU limit was last moved on.
    allowed: Instant,
    /// Wall time of its last question.
    last: Duration,
}

impl Session {
    /// A session that was just started for this purpose.
    pub fn new(supervisor: Supervisor, purpose: Purpose<'_>) -> Session {
        let Purpose { solver, mode, ask, incremental, time, settings } = purpose;
        let purpose = Box::new(Own { solver: solver.clone(), mode, ask, incremental, time, settings });
        Session { supervisor, asked: 0, purpose, allowed: Instant::now(), last: Duration::ZERO }
    }

    /// Whether it has answered enough, or has grown too large; its size is looked at now and then.
    pub fn is_spent(&self, limits: &Limits) -> bool {
        let look = self.asked.is_multiple_of(32) || self.last > Duration::from_millis(5);
        let large = || self.supervisor.resident().is_some_and(|m| m > limits.memory / 4);
        self.asked >= QUESTIONS || (look && large())
    }

    /// Gives the next question its CPU time, less at most a twentieth that earlier ones may have used.
    pub fn allow(&mut self, cpu: Duration) -> Result<(), SolverError> {
        if self.allowed.elapsed() > cpu / 20 {
            self.supervisor.allow(cpu)?;
            self.allowed = Instant::now();
        }
        Ok(())
    }

    /// Counts a question that it has answered in this time.
    pub fn answered(&mut self, wall: Duration) {
        self.asked += 1;
        self.last = wall;
        if let Some(process) = self.supervisor.solver() {
            process.restart_count();
        }
    }
}

/// The sessions of a runner, the one that has waited longest first.
#[derive(Default)]
pub struct Sessions {
    kept: Vec<Session>,
}

impl Sessions {
    /// Takes out a session for a purpose.
    pub fn take(&mut self, purpose: &Purpose<'_>) -> Option<Session> {
        let found = self.kept.iter().position(|session| session.purpose.covers(purpose))?;
        Some(self.kept.remove(found))
    }

    /// Keeps a session; returns one that must be ended if there are too many.
    #[must_use]
    pub fn keep(&mut self, session: Session) -> Option<Session> {
        self.kept.push(session);
        (self.kept.len() > SESSIONS).then(|| self.kept.remove(0))
    }

    /// Takes out all sessions.
    pub fn take_all(&mut self) -> Vec<Session> {
        std::mem::take(&mut self.kept)
    }
}
