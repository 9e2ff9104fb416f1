//! The runner: one interface to all modes of asking, with the same limits; warm sessions are kept and replaced.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::cut::{CutScript, without_status};
use super::exchange::{Exchange, Opening};
use super::limits::Limits;
use super::protocol::ProcessEnd;
use super::session::{Purpose, Session, Sessions};
use super::signs::{only_self_checks, signs};
use super::supervisor::{Supervisor, await_output};
use crate::solver::profile::{Flag, Input, SignKind, fill};
use crate::solver::runnable::Solver;
use crate::solver::{AskMode, Bound, Ending, Outcome, Outputs, Question, Run, SolverError};

/// How many files this process has written for solvers.
static FILES: AtomicU64 = AtomicU64::new(0);

/// Asks solvers questions; each worker has its own.
pub struct Runner {
    /// What one question may cost.
    pub limits: Limits,
    /// Whether a crash in a session that has answered before is asked again in a new session: the solver may have died
    /// of an earlier question. All else on which a session is lost is asked again in any case.
    pub doubts_crashes: bool,
    sessions: Sessions,
    /// Supervisors without a solver; runners may share them.
    idle: Arc<Mutex<Vec<Supervisor>>>,
    /// CPU time of all solvers that have ended.
    spent: Duration,
}

/// A question, the solver it is for, and how it is asked.
#[derive(Clone, Copy)]
pub struct Request<'a> {
    /// The solver.
    pub solver: &'a Solver,
    /// The question.
    pub question: Question<'a>,
    /// How it is asked.
    pub way: AskMode,
}

/// A request on its way.
struct Active<'a> {
    exchange: Exchange<'a>,
    through: Through,
    /// The file that holds the script.
    file: Option<PathBuf>,
}

/// The process that a request goes to.
enum Through {
    /// A process that ends with the request.
    Fresh(Supervisor),
    /// A session that may outlive it.
    Warm(Session),
}

impl Through {
    fn supervisor(&mut self) -> &mut Supervisor {
        match self {
            Through::Fresh(supervisor) => supervisor,
            Through::Warm(session) => &mut session.supervisor,
        }
    }
}

impl Active<'_> {
    /// Whether it goes through a session that has answered before.
    fn is_old(&self) -> bool {
        matches!(&self.through, Through::Warm(session) if session.asked > 0)
    }
}

impl Runner {
    /// A runner with these limits.
    pub fn new(limits: Limits) -> Runner {
        Runner::with(limits, Arc::default())
    }

    fn with(limits: Limits, idle: Arc<Mutex<Vec<Supervisor>>>) -> Runner {
        Runner { limits, doubts_crashes: true, sessions: Sessions::default(), idle, spent: Duration::ZERO }
    }

    /// Another runner, with sessions of its own, that uses the same supervisors.
    #[must_use]
    pub fn beside(&self, limits: Limits) -> Runner {
        Runner { doubts_crashes: self.doubts_crashes, ..Runner::with(limits, Arc::clone(&self.idle)) }
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
    fn retire(&mut self, mut supervisor: Supervisor) -> Result<Option<ProcessEnd>, SolverError> {
        let end = supervisor.end(None)?.and_then(|process| process.end);
        self.spent += end.map_or(Duration::ZERO, |e| Duration::from_micros(e.cpu));
        self.idle().push(supervisor);
        Ok(end)
    }

    /// Asks one solver.
    pub fn ask(&mut self, solver: &Solver, question: Question<'_>, way: AskMode) -> Result<Run, SolverError> {
        let mut runs = self.ask_all(&[Request { solver, question, way }])?;
        Ok(runs.pop().expect("one request has one run"))
    }

    /// Asks several solvers at the same time.
    pub fn ask_all(&mut self, requests: &[Request<'_>]) -> Result<Vec<Run>, SolverError> {
        let blanked: Vec<Option<String>> =
            requests.iter().map(|r| without_status(r.question.script)).collect();
        let mut sent: Vec<Request<'_>> = Vec::with_capacity(requests.len());
        for (r, text) in requests.iter().zip(&blanked) {
            let script = text.as_deref().unwrap_or(r.question.script);
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
            let lost = is_lost(&a.exchange) || is_mute(&a.exchange, r);
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

    fn open<'a>(&mut self, r: &Request<'a>) -> Result<Active<'a>, SolverError> {
        let profile = &r.solver.profile;
        let mut r = *r;
        // What a solver does not have is not asked for.
        r.question.ask.model &= !profile.ask.model.is_empty();
        r.question.ask.core &= !profile.ask.core.is_empty();
        // A warm solver keeps its own time, and says so only when asked.
        r.question.ask.reason |= r.way != AskMode::Fresh;
        r.question.ask.reason &= !profile.ask.reason.is_empty();
        let Some(cut) = CutScript::new(r.question.script) else {
            // Not a list of commands: nothing may be mixed into it, and nothing asked after it.
            r.question.ask = Outputs::default();
            return self.open_fresh(&r, (vec![r.question.script], usize::MAX), false);
        };
        let warm = r.solver.input() == Input::Stdin;
        match r.way {
            AskMode::Scoped if warm && profile.run.scoped && cut.is_scopable() => self.open_scoped(&r, &cut),
            AskMode::Scoped | AskMode::Reset if warm && profile.run.reset => self.open_reset(&r, &cut),
            _ => {
                r.question.ask.reason &= r.way == AskMode::Fresh;
                self.open_fresh(&r, (cut.pieces(), cut.checks), cut.is_incremental())
            }
        }
    }

    fn open_fresh<'a>(
        &mut self,
        r: &Request<'a>,
        pieces: (Vec<&'a str>, usize),
        incremental: bool,
    ) -> Result<Active<'a>, SolverError> {
        let run = &r.solver.profile.run;
        let mut launch = r.solver.launch(if incremental { &run.incremental } else { &[] });
        let mut supervisor = self.supervisor()?;
        let mut exchange = Exchange::new(r.question, pieces, AskMode::Fresh, self.limits.wall);
        let prelude = Prelude::new(r.solver, r.question.ask, AskMode::Fresh).text();
        let mut file = None;
        if run.input == Input::File {
            let number = FILES.fetch_add(1, Ordering::Relaxed);
            let place = std::env::temp_dir().join(format!("gainsay-{}-{number}.smt2", std::process::id()));
            std::fs::write(&place, exchange.as_file(&prelude)).map_err(SolverError::at(&place))?;
            launch.argv.push(place.display().to_string());
            supervisor.start(&launch, &self.limits)?.close();
            file = Some(place);
        } else {
            let process = supervisor.start(&launch, &self.limits)?;
            exchange.open_fresh(process, &prelude);
        }
        Ok(Active { exchange, through: Through::Fresh(supervisor), file })
    }

    fn open_reset<'a>(&mut self, r: &Request<'a>, cut: &CutScript<'a>) -> Result<Active<'a>, SolverError> {
        let prelude = Prelude::new(r.solver, r.question.ask, AskMode::Reset);
        let purpose = Purpose {
            solver: r.solver,
            mode: AskMode::Reset,
            ask: r.question.ask,
            incremental: cut.is_incremental(),
            wall: self.limits.wall,
            settings: cut.options(),
        };
        let mut session = self.session(purpose, "")?;
        let mut exchange =
            Exchange::new(r.question, (cut.pieces(), cut.checks), AskMode::Reset, self.limits.wall);
        let ready = if session.asked > 0 { "(reset)\n" } else { "" };
        let opening = Opening {
            ready,
            prelude: &prelude.commands,
            models_follow: prelude.models_follow,
            counts: false,
        };
        if let Some(process) = session.supervisor.solver() {
            exchange.open_warm(process, &opening);
        }
        Ok(Active { exchange, through: Through::Warm(session), file: None })
    }

    fn open_scoped<'a>(&mut self, r: &Request<'a>, cut: &CutScript<'a>) -> Result<Active<'a>, SolverError> {
        let prelude = Prelude::new(r.solver, r.question.ask, AskMode::Scoped);
        let settings = cut.header();
        let header = format!("{}{settings}\n", prelude.text());
        let purpose = Purpose {
            solver: r.solver,
            mode: AskMode::Scoped,
            ask: r.question.ask,
            incremental: true,
            wall: self.limits.wall,
            settings,
        };
        let mut session = self.session(purpose, &header)?;
        let mut exchange =
            Exchange::new(r.question, (cut.body_pieces(), cut.checks), AskMode::Scoped, self.limits.wall);
        let opening = Opening {
            ready: if session.asked > 0 { "(pop 1)\n" } else { "" },
            prelude: &["(push 1)\n"],
            models_follow: prelude.models_follow,
            // The header is the session's; only its first question hears of errors in it.
            counts: session.asked == 0,
        };
        if let Some(process) = session.supervisor.solver() {
            exchange.open_warm(process, &opening);
        }
        Ok(Active { exchange, through: Through::Warm(session), file: None })
    }

    /// The solver's own limit of time, a little below ours, so that a warm session survives a hard question; none where that
    /// costs more than a new session does.
    fn own_time(&self, solver: &Solver) -> Vec<String> {
        if solver.has(Flag::BusyClock) {
            return Vec::new();
        }
        let wall = self.limits.wall * 4 / 5;
        let ms = wall.as_millis() as u64;
        fill(&solver.profile.run.time, &[("ms", ms), ("s", ms.div_ceil(1000))])
    }

    fn supervisor(&self) -> Result<Supervisor, SolverError> {
        let idle = self.idle().pop();
        idle.map_or_else(Supervisor::new, Ok)
    }

    /// A session for that purpose. A new one hears the header first.
    fn session(&mut self, purpose: Purpose<'_>, header: &str) -> Result<Session, SolverError> {
        if let Some(mut session) = self.sessions.take(&purpose) {
            if !session.is_spent(&self.limits) {
                session.allow(self.limits.cpu)?;
                return Ok(session);
            }
            self.retire(session.supervisor)?;
        }
        let mut extra = self.own_time(purpose.solver);
        if purpose.incremental {
            extra.extend(purpose.solver.profile.run.incremental.iter().cloned());
        }
        let mut supervisor = self.supervisor()?;
        supervisor.start(&purpose.solver.launch(&extra), &self.limits)?.write(header);
        Ok(Session::new(supervisor, purpose))
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
            exchange.unready() || (mode == AskMode::Scoped && disturbed) || worn || is_mute(&exchange, r);
        let end = match a.through {
            Through::Warm(mut session) if ending == Ending::Alive && !unready => {
                session.answered(exchange.wall);
                if let Some(oldest) = self.sessions.keep(session) {
                    self.retire(oldest.supervisor)?;
                }
                None
            }
            Through::Warm(session) => self.retire(session.supervisor)?,
            Through::Fresh(supervisor) => self.retire(supervisor)?,
        };
        Ok(Run {
            way: mode,
            reply: exchange.reply,
            ending,
            earlier: None,
            signs,
            wall: exchange.wall,
            cpu: end.map(|e| Duration::from_micros(e.cpu)),
            peak: end.map(|e| e.peak),
        })
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
fn is_mute(exchange: &Exchange<'_>, r: &Request<'_>) -> bool {
    let reply = &exchange.reply;
    let silent = reply.checks.iter().all(|c| c.void) && reply.errors.is_empty() && reply.refused.is_empty();
    silent && exchange.ending == Some(Ending::Alive) && r.question.script.contains("(check-sat")
}

/// The commands that must come before a script for what will be asked of it.
struct Prelude<'a> {
    commands: [&'a str; 6],
    /// Whether the solver is told to print a model after each `sat`.
    models_follow: bool,
}

impl<'a> Prelude<'a> {
    fn new(solver: &'a Solver, ask: Outputs, mode: AskMode) -> Prelude<'a> {
        let of = &solver.profile.ask;
        // A fresh process is asked for its model by name: what a finding rests on is standard.
        let models_follow = ask.model && mode != AskMode::Fresh && !of.model_with_answer.is_empty();
        let line = |wanted: bool, command: &'a str| match wanted && !command.is_empty() {
            true => [command, "\n"],
            false => ["", ""],
        };
        let [model, model_end] = line(ask.model, &of.model);
        let [follows, follows_end] = line(models_follow, &of.model_with_answer);
        let [core, core_end] = line(ask.core, &of.core);
        Prelude { commands: [model, model_end, follows, follows_end, core, core_end], models_follow }
    }

    fn text(&self) -> String {
        self.commands.concat()
    }
}
