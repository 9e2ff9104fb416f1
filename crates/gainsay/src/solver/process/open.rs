//! Opening a request: by its mode a fresh process or a warm session is made ready, and the question goes out.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use super::cut::{CutScript, Piece, PieceKind};
use super::exchange::{Exchange, Opening};
use super::limits::Limits;
use super::pool::{OwnTime, ProcessPool};
use super::session::{Purpose, Session};
use super::supervisor::Supervisor;
use crate::solver::profile::Input;
use crate::solver::runnable::Solver;
use crate::solver::{AskMode, Outputs, Question, SolverError};

/// How many files this process has written for solvers.
static FILES: AtomicU64 = AtomicU64::new(0);

/// A question, the solver it is for, and how it is asked.
#[derive(Clone, Copy)]
pub struct Request<'a> {
    /// The solver.
    pub solver: &'a Solver,
    /// The question.
    pub question: Question<'a>,
    /// How it is asked.
    pub way: AskMode,
    /// The time that it has, if that is less than the limits of the runner allow.
    pub within: Option<Duration>,
}

impl<'a> Request<'a> {
    /// A request that has all the time that the limits of the runner allow.
    pub fn new(solver: &'a Solver, question: Question<'a>, way: AskMode) -> Request<'a> {
        Request { solver, question, way, within: None }
    }
}

/// A request on its way.
pub struct Active<'a> {
    pub exchange: Exchange<'a>,
    pub through: Through,
    /// The file that holds the script.
    pub file: Option<PathBuf>,
}

/// The process that a request goes to.
pub enum Through {
    /// A process that ends with the request.
    Fresh(Supervisor),
    /// A session that may outlive it.
    Warm(Session),
}

impl Through {
    pub fn supervisor(&mut self) -> &mut Supervisor {
        match self {
            Through::Fresh(supervisor) => supervisor,
            Through::Warm(session) => &mut session.supervisor,
        }
    }
}

impl Active<'_> {
    /// Whether it goes through a session that has answered before.
    pub fn is_old(&self) -> bool {
        matches!(&self.through, Through::Warm(session) if session.asked > 0)
    }
}

/// Opens requests with the processes of a pool.
pub struct Opener<'p> {
    /// The processes.
    pub pool: &'p mut ProcessPool,
    /// What one question may cost.
    pub limits: &'p Limits,
}

impl Opener<'_> {
    /// Opens a request in the way that it asks for, or in the nearest that its solver and its script allow.
    pub fn request<'a>(&mut self, r: &Request<'a>) -> Result<Active<'a>, SolverError> {
        let profile = &r.solver.profile;
        let mut r = *r;
        // What a solver does not have is not asked for.
        r.question.ask.model &= !profile.ask.model.is_empty();
        r.question.ask.core &= !profile.ask.core.is_empty();
        // A warm solver keeps its own time, and says so only when asked.
        r.question.ask.reason |= r.way != AskMode::Fresh;
        r.question.ask.reason &= !profile.ask.reason.is_empty();
        let Some(cut) = CutScript::new(r.question.script, r.solver) else {
            // Not a list of commands: nothing may be mixed into it, and nothing asked after it.
            r.question.ask = Outputs::default();
            let whole = Piece { text: r.question.script.into(), kind: PieceKind::Rest };
            return self.open_fresh(&r, (vec![whole], usize::MAX), false);
        };
        let warm = r.solver.input() == Input::Stdin;
        // A simplifier is set before the first `push`.
        let scopable = profile.run.scoped && cut.is_scopable() && !r.solver.has_text_settings();
        match r.way {
            AskMode::Scoped if warm && scopable => self.open_scoped(&r, &cut),
            AskMode::Scoped | AskMode::Reset if warm && profile.run.reset => self.open_reset(&r, &cut),
            _ => {
                r.question.ask.reason &= r.way == AskMode::Fresh;
                self.open_fresh(&r, (cut.pieces(), cut.checks), cut.is_incremental())
            }
        }
    }

    /// Opens it in a process of its own.
    fn open_fresh<'a>(
        &mut self,
        r: &Request<'a>,
        pieces: (Vec<Piece<'a>>, usize),
        incremental: bool,
    ) -> Result<Active<'a>, SolverError> {
        let run = &r.solver.profile.run;
        let mut launch = r.solver.launch(if incremental { &run.incremental } else { &[] });
        let mut supervisor = self.pool.supervisor()?;
        let wall = OwnTime::of(r.within, self.limits).wall;
        let mut exchange = Exchange::new(r.question, pieces, AskMode::Fresh, wall);
        let prelude = Prelude::new(r.solver, r.question.ask, AskMode::Fresh).text();
        let mut file = None;
        if run.input == Input::File {
            let number = FILES.fetch_add(1, Ordering::Relaxed);
            let place = std::env::temp_dir().join(format!("gainsay-{}-{number}.smt2", std::process::id()));
            std::fs::write(&place, exchange.as_file(&prelude)).map_err(SolverError::at(&place))?;
            launch.argv.push(place.display().to_string());
            supervisor.start(&launch, self.limits)?.close();
            file = Some(place);
        } else {
            let process = supervisor.start(&launch, self.limits)?;
            exchange.open_fresh(process, &prelude);
        }
        Ok(Active { exchange, through: Through::Fresh(supervisor), file })
    }

    /// Opens it in a session that `(reset)` brings back to its beginning.
    fn open_reset<'a>(&mut self, r: &Request<'a>, cut: &CutScript<'a>) -> Result<Active<'a>, SolverError> {
        let prelude = Prelude::new(r.solver, r.question.ask, AskMode::Reset);
        let time = OwnTime::of(r.within, self.limits);
        let told = time.command(r.solver);
        let purpose = Purpose {
            solver: r.solver,
            mode: AskMode::Reset,
            ask: r.question.ask,
            incremental: cut.is_incremental(),
            time: if told.is_empty() { time.options(r.solver) } else { Vec::new() },
            settings: cut.options(),
        };
        let mut session = self.pool.session(purpose, "", self.limits)?;
        let mut exchange = Exchange::new(r.question, (cut.pieces(), cut.checks), AskMode::Reset, time.wall);
        let ready = if session.asked > 0 { "(reset)\n" } else { "" };
        let commands: Vec<&str> = [&told[..]].into_iter().chain(prelude.commands).collect();
        let opening = Opening {
            ready,
            prelude: &commands,
            models_follow: prelude.models_follow,
            start: (session.asked == 0).then_some(self.limits.wall),
            counts: false,
        };
        if let Some(process) = session.supervisor.solver() {
            exchange.open_warm(process, &opening);
        }
        Ok(Active { exchange, through: Through::Warm(session), file: None })
    }

    /// Opens it in a session, between `(push 1)` and `(pop 1)`.
    fn open_scoped<'a>(&mut self, r: &Request<'a>, cut: &CutScript<'a>) -> Result<Active<'a>, SolverError> {
        let prelude = Prelude::new(r.solver, r.question.ask, AskMode::Scoped);
        let settings = cut.header();
        let header = format!("{}{settings}\n", prelude.text());
        let time = OwnTime::of(r.within, self.limits);
        let purpose = Purpose {
            solver: r.solver,
            mode: AskMode::Scoped,
            ask: r.question.ask,
            incremental: true,
            time: time.options(r.solver),
            settings,
        };
        let mut session = self.pool.session(purpose, &header, self.limits)?;
        let mut exchange =
            Exchange::new(r.question, (cut.body_pieces(), cut.checks), AskMode::Scoped, time.wall);
        let opening = Opening {
            ready: if session.asked > 0 { "(pop 1)\n" } else { "" },
            prelude: &["(push 1)\n"],
            models_follow: prelude.models_follow,
            start: (session.asked == 0).then_some(self.limits.wall),
            // The header is the session's; only its first question hears of errors in it.
            counts: session.asked == 0,
        };
        if let Some(process) = session.supervisor.solver() {
            exchange.open_warm(process, &opening);
        }
        Ok(Active { exchange, through: Through::Warm(session), file: None })
    }
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
