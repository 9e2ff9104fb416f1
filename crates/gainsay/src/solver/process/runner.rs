//! The runner: one interface to all modes of asking, with the same limits; warm sessions are kept and replaced.

use std::borrow::Cow;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use super::cut::without_status;
use super::exchange::Exchange;
use super::limits::Limits;
use super::open::{Active, Opener, Through};
use super::pool::ProcessPool;
use super::signs::{only_self_checks, signs};
use super::supervisor::{Supervisor, await_output};
use crate::solver::profile::SignKind;
use crate::solver::runnable::Solver;
use crate::solver::sent::as_sent;
use crate::solver::{AskMode, Bound, Ending, Outcome, Question, Run, SolverError};

pub use super::open::Request;

/// Asks solvers questions; each worker has its own.
pub struct Runner {
    /// What one question may cost.
    pub limits: Limits,
    /// Whether a crash in a session that has answered before is asked again in a new session: the solver may have died
    /// of an earlier question. All else on which a session is lost is asked again in any case.
    pub doubts_crashes: bool,
    pool: ProcessPool,
    /// The time that questions have taken; runners beside each other add to one.
    meter: Arc<TimeMeter>,
}

/// The time that questions have taken, and how much of it those that ran out of time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct QuestionTime {
    /// Wall time of all questions.
    pub all: Duration,
    /// Wall time of those that ran out of time.
    pub late: Duration,
}

/// Adds up the time of questions, in microseconds.
#[derive(Default)]
struct TimeMeter {
    all: AtomicU64,
    late: AtomicU64,
}

impl TimeMeter {
    fn add(&self, run: &Run) {
        let micros = run.wall.as_micros() as u64;
        self.all.fetch_add(micros, Ordering::Relaxed);
        if run.outcome() == Outcome::TimedOut {
            self.late.fetch_add(micros, Ordering::Relaxed);
        }
    }

    fn take(&self) -> QuestionTime {
        let taken = |sum: &AtomicU64| Duration::from_micros(sum.swap(0, Ordering::Relaxed));
        QuestionTime { all: taken(&self.all), late: taken(&self.late) }
    }
}

impl Runner {
    /// A runner with these limits.
    pub fn new(limits: Limits) -> Runner {
        Runner { limits, doubts_crashes: true, pool: ProcessPool::default(), meter: Arc::default() }
    }

    /// Another runner, with sessions of its own, that uses the same supervisors.
    #[must_use]
    pub fn beside(&self, limits: Limits) -> Runner {
        Runner {
            limits,
            doubts_crashes: self.doubts_crashes,
            pool: self.pool.beside(),
            meter: Arc::clone(&self.meter),
        }
    }

    /// Ends all sessions, and tells the CPU time that all solvers have used.
    pub fn finish(self) -> Result<Duration, SolverError> {
        self.pool.finish()
    }

    /// The time that questions have taken since this was asked last, also those of runners beside this one.
    pub fn take_time(&self) -> QuestionTime {
        self.meter.take()
    }

    fn open<'a>(&mut self, request: &Request<'a>) -> Result<Active<'a>, SolverError> {
        Opener { pool: &mut self.pool, limits: &self.limits }.request(request)
    }

    /// Asks one solver.
    pub fn ask(&mut self, solver: &Solver, question: Question<'_>, way: AskMode) -> Result<Run, SolverError> {
        let mut runs = self.ask_all(&[Request::new(solver, question, way)])?;
        Ok(runs.pop().expect("one request has one run"))
    }

    /// Asks several solvers at the same time.
    pub fn ask_all(&mut self, requests: &[Request<'_>]) -> Result<Vec<Run>, SolverError> {
        let blanked: Vec<Option<String>> =
            requests.iter().map(|r| without_status(r.question.script)).collect();
        let plain = requests.iter().zip(&blanked);
        let texts: Vec<Cow<'_, str>> =
            plain.map(|(r, text)| as_sent(r.solver, text.as_deref().unwrap_or(r.question.script))).collect();
        let mut sent: Vec<Request<'_>> = Vec::with_capacity(requests.len());
        for (r, script) in requests.iter().zip(&texts) {
            sent.push(Request { question: Question { script, ask: r.question.ask }, ..*r });
        }
        self.ask_as_written(&sent)
    }

    fn ask_as_written(&mut self, requests: &[Request<'_>]) -> Result<Vec<Run>, SolverError> {
        let mut active = Vec::with_capacity(requests.len());
        for r in requests {
            active.push(self.open(r)?);
        }
        converse(&mut active)?;
        let mut runs = Vec::with_capacity(requests.len());
        for (a, r) in active.into_iter().zip(requests) {
            let old = a.is_old();
            let lost = is_lost(&a.exchange) || is_mute(&a.exchange);
            let run = self.close(a, r)?;
            let worn = run.outcome() == Outcome::OutOfMemory || run.has(SignKind::Worn);
            let doubtful = self.doubts_crashes || run.outcome() != Outcome::Crashed;
            tracing::debug!(
                solver = %r.solver.name, mode = run.way.word(), outcome = %run.outcome(), wall = ?run.wall, "asked"
            );
            tracing::trace!(script = r.question.script, "the question");
            if old && (lost || worn) && doubtful {
                tracing::debug!(solver = %r.solver.name, "the old session is not trusted: asked again");
                let mut again = self.open(r)?;
                converse(std::slice::from_mut(&mut again))?;
                let mut second = self.close(again, r)?;
                second.earlier = Some(run.ending);
                runs.push(second);
            } else {
                runs.push(run);
            }
        }
        Ok(runs)
    }

    /// Takes the run out of a finished request, and keeps its session or its supervisor.
    fn close(&mut self, a: Active<'_>, r: &Request<'_>) -> Result<Run, SolverError> {
        if let Some(place) = &a.file {
            let _ = std::fs::remove_file(place);
        }
        let exchange = a.exchange;
        let ending = exchange.ending.unwrap_or(Ending::Killed(libc::SIGKILL));
        let mode = exchange.mode();
        // What a solver says of its own answer leaves the scope as it is; what it says of a command may not.
        let disturbed = !only_self_checks(&r.solver.profile, &exchange.reply.errors);
        let signs = signs(&r.solver.profile, &exchange.reply, ending);
        let worn = signs.iter().any(|s| matches!(s.kind, SignKind::Worn | SignKind::Memory));
        let unready =
            exchange.unready() || (mode == AskMode::Scoped && disturbed) || worn || is_mute(&exchange);
        let end = match a.through {
            Through::Warm(mut session) if ending == Ending::Alive && !unready => {
                session.answered(exchange.wall);
                self.pool.keep(session)?;
                None
            }
            Through::Warm(session) => self.pool.retire(session.supervisor)?,
            Through::Fresh(supervisor) => self.pool.retire(supervisor)?,
        };
        let run = Run {
            way: mode,
            reply: exchange.reply,
            ending,
            earlier: None,
            signs,
            cut_short: r.within.is_some_and(|within| within < self.limits.wall),
            wall: exchange.wall,
            cpu: end.map(|e| Duration::from_micros(e.cpu)),
            peak: end.map(|e| e.peak),
        };
        self.meter.add(&run);
        Ok(run)
    }
}

/// Moves all requests on until each is answered or lost.
fn converse(active: &mut [Active<'_>]) -> Result<(), SolverError> {
    loop {
        let mut open: Vec<&mut Supervisor> = Vec::with_capacity(active.len());
        let mut deadline: Option<Instant> = None;
        for a in active.iter_mut().filter(|a| a.exchange.ending.is_none()) {
            let supervisor = a.through.supervisor();
            if !a.exchange.advance(supervisor)? {
                deadline = deadline.into_iter().chain(a.exchange.deadline()).min();
                open.push(supervisor);
            }
        }
        if open.is_empty() {
            return Ok(());
        }
        await_output(&mut open, deadline)?;
    }
}

/// Whether a session was lost on a question for a reason that may not be the question's own.
fn is_lost(exchange: &Exchange<'_>) -> bool {
    if exchange.unready() {
        return true;
    }
    match exchange.ending {
        None
        | Some(
            Ending::Alive | Ending::Stopped(Bound::Time | Bound::Cpu | Bound::Output | Bound::Processes),
        ) => false,
        Some(Ending::Stopped(Bound::Memory) | Ending::Killed(_)) => true,
        // Some solvers end at the first error: that is their reply.
        Some(Ending::Exited(_)) => exchange.reply.errors.is_empty(),
    }
}

/// Whether nothing at all was said to a question for answers: so does a session whose memory is all but used up.
fn is_mute(exchange: &Exchange<'_>) -> bool {
    let reply = &exchange.reply;
    let silent = reply.checks.iter().all(|c| c.void) && reply.errors.is_empty() && reply.refused.is_empty();
    silent && exchange.ending == Some(Ending::Alive) && exchange.asks_for_answers()
}
