//! The runner: one interface to all ways of asking, with the same limits, warm sessions kept and replaced.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::limits::Limits;
use super::signs::{only_self_checks, signs};
use super::slot::{Slot, pump};
use super::talk::{Pieces, Talk, without_status};
use super::wire::{Launch, Over};
use crate::solver::named::Solver;
use crate::solver::profile::{Flag, Input, SignKind, fill};
use crate::solver::{AskMode, Bound, Ending, Outcome, Question, Run, SolverError};

/// Sessions kept at once; the one that has waited longest makes room.
const SESSIONS: usize = 8;
/// Questions after which a session is replaced.
const QUESTIONS: u32 = 1000;

/// How many files this process has written for solvers.
static FILES: AtomicU64 = AtomicU64::new(0);

/// What a session is for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Key {
    launch: Launch,
    header: String,
    way: AskMode,
}

struct Session {
    key: Key,
    slot: Slot,
    asked: u32,
    /// When its CPU limit was last moved on.
    allowed: Instant,
    /// Wall time of its last question.
    last: Duration,
}

impl Session {
    /// Whether it has answered enough, or grown too large; its size is looked at now and then.
    fn is_spent(&self, limits: &Limits) -> bool {
        let look = self.asked.is_multiple_of(32) || self.last > Duration::from_millis(5);
        let large = || self.slot.resident().is_some_and(|m| m > limits.memory / 4);
        self.asked >= QUESTIONS || (look && large())
    }
}

/// Asks solvers questions; each worker has its own.
pub struct Runner {
    /// What one question may cost.
    pub limits: Limits,
    /// Whether what an old session crashed on is asked again in a new one, as all else is that one is lost on: it may have died
    /// of what came before.
    pub doubts_crashes: bool,
    sessions: Vec<Session>,
    /// Supervisors without a solver; some runners have them in common.
    idle: Arc<Mutex<Vec<Slot>>>,
    /// CPU time of all solvers that have ended.
    spent: Duration,
}

/// A question, whom to ask, and how.
#[derive(Clone, Copy)]
pub struct Request<'a> {
    /// Whom.
    pub solver: &'a Solver,
    /// What.
    pub question: Question<'a>,
    /// How.
    pub way: AskMode,
}

/// A request on its way.
struct Active<'a> {
    slot: Slot,
    talk: Talk<'a>,
    /// The session it goes through, how many questions that has answered, and when its CPU limit was moved on.
    session: Option<(Key, u32, Instant)>,
    file: Option<PathBuf>,
}

impl Runner {
    /// A runner with these limits.
    pub fn new(limits: Limits) -> Runner {
        Runner::with(limits, Arc::default())
    }

    fn with(limits: Limits, idle: Arc<Mutex<Vec<Slot>>>) -> Runner {
        Runner { limits, doubts_crashes: true, sessions: Vec::new(), idle, spent: Duration::ZERO }
    }

    /// Another runner, with sessions of its own, that uses the same supervisors.
    #[must_use]
    pub fn beside(&self, limits: Limits) -> Runner {
        Runner { doubts_crashes: self.doubts_crashes, ..Runner::with(limits, Arc::clone(&self.idle)) }
    }

    fn idle(&self) -> MutexGuard<'_, Vec<Slot>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends all sessions, and tells the CPU time that all solvers have used.
    pub fn finish(mut self) -> Result<Duration, SolverError> {
        for session in std::mem::take(&mut self.sessions) {
            self.retire(session.slot)?;
        }
        Ok(self.spent)
    }

    /// Ends the solver in a slot and keeps the slot; tells what the solver used.
    fn retire(&mut self, mut slot: Slot) -> Result<Option<Over>, SolverError> {
        let over = slot.end(None)?.and_then(|l| l.over);
        self.spent += over.map_or(Duration::ZERO, |o| Duration::from_micros(o.cpu));
        self.idle().push(slot);
        Ok(over)
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
            sent.push(Request {
                question: Question { script, ask: r.question.ask },
                solver: r.solver,
                way: r.way,
            });
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
            let old = a.session.as_ref().is_some_and(|(_, asked, _)| *asked > 0);
            let lost = is_lost(&a.talk) || is_mute(&a.talk, r);
            let run = self.close(a, r)?;
            let worn = run.outcome() == Outcome::OutOfMemory || run.has(SignKind::Worn);
            let doubtful = self.doubts_crashes || run.outcome() != Outcome::Crashed;
            if old && (lost || worn) && doubtful {
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
        let r = &r;
        let Some(pieces) = Pieces::of(r.question.script) else {
            // Not a list of commands: nothing may be mixed into it, and nothing asked after it.
            let question = Question { ask: crate::solver::Outputs::default(), ..r.question };
            return self.open_fresh(r, question, vec![r.question.script], false);
        };
        let warm = r.solver.input() == Input::Stdin;
        match r.way {
            AskMode::Scoped if warm && profile.run.scoped => {
                if let Some(body) = pieces.scopable {
                    return self.open_scoped(r, &pieces.header, body);
                }
                self.open_reset(r, pieces)
            }
            AskMode::Scoped | AskMode::Reset if warm && profile.run.reset => self.open_reset(r, pieces),
            _ => {
                let mut r = *r;
                r.question.ask.reason &= r.way == AskMode::Fresh;
                let r = &r;
                let incremental = pieces.incremental;
                self.open_fresh(r, r.question, pieces.all, incremental)
            }
        }
    }

    fn open_fresh<'a>(
        &mut self,
        r: &Request<'a>,
        question: Question<'a>,
        pieces: Vec<&'a str>,
        incremental: bool,
    ) -> Result<Active<'a>, SolverError> {
        let run = &r.solver.profile.run;
        let mut launch = r.solver.launch(if incremental { &run.incremental } else { &[] });
        let mut slot = self.slot()?;
        let mut talk = Talk::new(question, pieces, AskMode::Fresh, self.limits.wall);
        let prelude = prelude(r.solver, question);
        let mut file = None;
        if run.input == Input::File {
            let number = FILES.fetch_add(1, Ordering::Relaxed);
            let place = std::env::temp_dir().join(format!("gainsay-{}-{number}.smt2", std::process::id()));
            std::fs::write(&place, talk.as_file(&prelude)).map_err(SolverError::at(&place))?;
            launch.argv.push(place.display().to_string());
            slot.start(&launch, &self.limits)?.close();
            file = Some(place);
        } else {
            slot.start(&launch, &self.limits)?;
            talk.open_fresh(&mut slot, &prelude);
        }
        Ok(Active { slot, talk, session: None, file })
    }

    fn open_reset<'a>(&mut self, r: &Request<'a>, pieces: Pieces<'a>) -> Result<Active<'a>, SolverError> {
        let mut extra = self.own_time(r.solver);
        if pieces.incremental {
            extra.extend(r.solver.profile.run.incremental.iter().cloned());
        }
        // Options survive `(reset)` in some solvers, so scripts that set different ones never share a session.
        let header = format!("{}{}", prelude(r.solver, r.question), pieces.options);
        let key = Key { launch: r.solver.launch(&extra), header, way: AskMode::Reset };
        let (mut slot, asked, allowed) = self.session(&key, None)?;
        let opening = if asked > 0 { "(reset)\n" } else { "" };
        let mut talk = Talk::new(r.question, pieces.all, AskMode::Reset, self.limits.wall);
        talk.open_warm(&mut slot, opening, &prelude(r.solver, r.question), false);
        Ok(Active { slot, talk, session: Some((key, asked, allowed)), file: None })
    }

    fn open_scoped<'a>(
        &mut self,
        r: &Request<'a>,
        header: &str,
        body: &'a str,
    ) -> Result<Active<'a>, SolverError> {
        let mut extra = self.own_time(r.solver);
        extra.extend(r.solver.profile.run.incremental.iter().cloned());
        let header = format!("{}{header}\n", prelude(r.solver, r.question));
        let key = Key { launch: r.solver.launch(&extra), header, way: AskMode::Scoped };
        let (mut slot, asked, allowed) = self.session(&key, Some(&key.header))?;
        let opening = if asked > 0 { "(pop 1)\n" } else { "" };
        let mut talk = Talk::new(r.question, Pieces::of_body(body), AskMode::Scoped, self.limits.wall);
        // The header is the session's; only its first question hears of errors in it.
        talk.open_warm(&mut slot, opening, "(push 1)\n", asked == 0);
        Ok(Active { slot, talk, session: Some((key, asked, allowed)), file: None })
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

    fn slot(&self) -> Result<Slot, SolverError> {
        let idle = self.idle().pop();
        idle.map_or_else(Slot::new, Ok)
    }

    /// A session for that key, how many questions it has answered, and when its CPU limit was last moved on.
    fn session(&mut self, key: &Key, header: Option<&str>) -> Result<(Slot, u32, Instant), SolverError> {
        if let Some(i) = self.sessions.iter().position(|s| s.key == *key) {
            let mut session = self.sessions.remove(i);
            if !session.is_spent(&self.limits) {
                // Each question gets its CPU time, less at most a twentieth that earlier ones may have used.
                if session.allowed.elapsed() > self.limits.cpu / 20 {
                    session.slot.allow(self.limits.cpu)?;
                    session.allowed = Instant::now();
                }
                return Ok((session.slot, session.asked, session.allowed));
            }
            self.retire(session.slot)?;
        }
        let mut slot = self.slot()?;
        let live = slot.start(&key.launch, &self.limits)?;
        if let Some(header) = header {
            live.write(header);
        }
        Ok((slot, 0, Instant::now()))
    }

    /// Takes the run out of a finished request, and keeps its slot.
    fn close(&mut self, mut a: Active<'_>, r: &Request<'_>) -> Result<Run, SolverError> {
        if let Some(place) = &a.file {
            let _ = std::fs::remove_file(place);
        }
        let ending = a.talk.ending.unwrap_or(Ending::Killed(libc::SIGKILL));
        let way = a.talk.way();
        let mut cpu = None;
        let mut peak = None;
        // What a solver says of its own answer leaves the scope as it is; what it says of a command may not.
        let disturbed = !only_self_checks(&r.solver.profile, &a.talk.reply.errors);
        let signs = signs(&r.solver.profile, &a.talk.reply, ending);
        let worn = signs.iter().any(|s| matches!(s.kind, SignKind::Worn | SignKind::Memory));
        let unready =
            a.talk.unready() || (way == AskMode::Scoped && disturbed) || worn || is_mute(&a.talk, r);
        if ending == Ending::Alive && !unready {
            let (key, asked, allowed) = a.session.expect("only a session stays alive");
            if let Some(live) = a.slot.live() {
                live.restart_count();
            }
            self.sessions.push(Session { key, slot: a.slot, asked: asked + 1, allowed, last: a.talk.wall });
            if self.sessions.len() > SESSIONS {
                let oldest = self.sessions.remove(0);
                self.retire(oldest.slot)?;
            }
        } else if let Some(over) = self.retire(a.slot)? {
            cpu = Some(Duration::from_micros(over.cpu));
            peak = Some(over.peak);
        }
        let reply = a.talk.reply;
        Ok(Run { way, reply, ending, earlier: None, signs, wall: a.talk.wall, cpu, peak })
    }
}

/// Moves all requests on until each is answered or lost.
fn converse(active: &mut [Active<'_>]) -> Result<(), SolverError> {
    loop {
        let mut open: Vec<&mut Slot> = Vec::new();
        let mut deadline: Option<Instant> = None;
        for a in active.iter_mut() {
            if a.talk.ending.is_none() && !a.talk.advance(&mut a.slot)? {
                deadline = deadline.into_iter().chain(a.talk.deadline()).min();
                open.push(&mut a.slot);
            }
        }
        if open.is_empty() {
            return Ok(());
        }
        pump(&mut open, deadline)?;
    }
}

/// Whether a session was lost on a question for a reason that may not be the question's own.
fn is_lost(talk: &Talk<'_>) -> bool {
    if talk.unready() {
        return true;
    }
    match talk.ending {
        None
        | Some(
            Ending::Alive | Ending::Stopped(Bound::Time | Bound::Cpu | Bound::Output | Bound::Processes),
        ) => false,
        Some(Ending::Stopped(Bound::Memory) | Ending::Killed(_)) => true,
        // Some solvers end at the first error: that is their reply.
        Some(Ending::Exited(_)) => talk.reply.errors.is_empty(),
    }
}

/// Whether nothing at all was said to a question for answers: so does a session whose memory is all but used up.
fn is_mute(talk: &Talk<'_>, r: &Request<'_>) -> bool {
    let reply = &talk.reply;
    let asked = talk.ending == Some(Ending::Alive) && r.question.script.contains("(check-sat");
    asked && reply.answers().is_empty() && reply.errors.is_empty() && reply.refused.is_empty()
}

/// What must come first for what will be asked.
fn prelude(solver: &Solver, question: Question<'_>) -> String {
    let ask = &solver.profile.ask;
    let mut text = String::new();
    for (wanted, command) in [(question.ask.model, &ask.model), (question.ask.core, &ask.core)] {
        if wanted && !command.is_empty() {
            text.push_str(command);
            text.push('\n');
        }
    }
    text
}
