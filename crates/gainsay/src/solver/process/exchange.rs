//! One question and its reply: parts of the script go out, tagged echoes tell which output belongs to which.

use std::time::{Duration, Instant};

use super::cut::{Piece, PieceKind};
use super::limits::Bound;
use super::pipes::SolverProcess;
use super::protocol::ProcessEnd;
use super::reply::{Part, Reply};
use super::supervisor::Supervisor;
use super::tag::Tag;
use crate::case::Answer;
use crate::solver::{AskMode, Ending, Question, SolverError};
use smt::command::After;

/// What is being waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// The tag that opens the question in a warm session; what comes before it is late output of another.
    Opening,
    Piece(usize),
    Model(usize),
    Core(usize),
    Reason(usize),
    /// All is said; a fresh process ends now.
    Closing,
}

/// When the parts of a question are sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sending {
    /// All at the start and no tags: the output is read when the process has ended.
    Plain,
    /// All at the start, tags included.
    AtOnce,
    /// Each part when the one before has been answered.
    Stepwise,
}

/// How a warm session is made ready for a question.
pub struct Opening<'a> {
    /// What brings the session back to its beginning.
    pub ready: &'a str,
    /// The commands that come before the script.
    pub prelude: &'a [&'a str],
    /// Whether the session was told to print a model after each `sat`.
    pub models_follow: bool,
    /// The time that a new session has to start; none for one that has answered before.
    pub start: Option<Duration>,
    /// Whether what the session printed before the question counts as output of the script.
    pub counts: bool,
}

/// A question on its way.
pub struct Exchange<'q> {
    question: Question<'q>,
    pieces: Vec<Piece<'q>>,
    mode: AskMode,
    sending: Sending,
    stage: Stage,
    /// How many answers the whole script calls for.
    checks: usize,
    /// Whether more answers came than the script calls for.
    surplus: bool,
    /// The tag that is waited for.
    tag: Tag,
    /// What the opening of a warm question brought, if it was more than nothing.
    pub opening: Reply,
    /// Whether the session prints a model after each `sat`.
    models_follow: bool,
    /// Whether the session's own opening counts as part of the script.
    opening_counts: bool,
    /// What came.
    pub reply: Reply,
    /// When it was asked; of a session that had to start, when that was ready.
    pub started: Instant,
    /// The time that it has.
    time: Duration,
    /// Whether its time has not begun yet, because the session starts.
    is_starting: bool,
    deadline: Instant,
    stopping: bool,
    /// When its reply was complete.
    pub wall: Duration,
    /// How it ended, once it has.
    pub ending: Option<Ending>,
}

impl<'q> Exchange<'q> {
    /// Prepares a question: the pieces of its script, which calls for so many answers.
    pub fn new(
        question: Question<'q>,
        (pieces, checks): (Vec<Piece<'q>>, usize),
        mode: AskMode,
        wall: Duration,
    ) -> Exchange<'q> {
        let started = Instant::now();
        let asks = question.ask.model || question.ask.core || question.ask.reason;
        // The output of a command is told apart by tags.
        let prints = pieces.iter().any(|piece| matches!(piece.kind, PieceKind::Output { .. }));
        Exchange {
            question,
            pieces,
            mode,
            sending: if mode == AskMode::Fresh && !asks && !prints {
                Sending::Plain
            } else {
                Sending::Stepwise
            },
            stage: Stage::Opening,
            checks,
            surplus: false,
            tag: Tag::new(),
            opening: Reply::default(),
            models_follow: false,
            opening_counts: false,
            reply: Reply { unasked: checks == 0, ..Reply::default() },
            started,
            time: wall,
            is_starting: false,
            deadline: started + wall,
            stopping: false,
            wall: Duration::ZERO,
            ending: None,
        }
    }

    /// Whether its script calls for answers.
    pub fn asks_for_answers(&self) -> bool {
        self.pieces.iter().any(|piece| piece.kind == PieceKind::Check)
    }

    /// How it is asked.
    pub fn mode(&self) -> AskMode {
        self.mode
    }

    /// The whole text for a solver that takes a file; tags part what is asked after each piece.
    pub fn as_file(&mut self, prelude: &str) -> String {
        let mut text = prelude.to_owned();
        if self.sending == Sending::Plain {
            self.stage = Stage::Closing;
            text.extend(self.pieces.iter().map(|piece| &*piece.text));
            return text;
        }
        self.sending = Sending::AtOnce;
        let stages = (0..self.pieces.len()).flat_map(|i| self.stages_after(i));
        let mut tag = self.tag.clone();
        for stage in stages {
            text.push_str(self.text_of(stage));
            text.push('\n');
            for part in tag.echo() {
                text.push_str(part);
            }
            tag.advance();
        }
        self.stage = self.piece_or_end(0);
        text
    }

    fn stages_after(&self, i: usize) -> Vec<Stage> {
        let mut all = vec![Stage::Piece(i)];
        if self.pieces[i].kind != PieceKind::Check {
            return all;
        }
        if self.question.ask.model {
            all.push(Stage::Model(i));
        }
        if self.question.ask.core {
            all.push(Stage::Core(i));
        }
        if self.question.ask.reason {
            all.push(Stage::Reason(i));
        }
        all
    }

    fn text_of(&self, stage: Stage) -> &str {
        match stage {
            Stage::Piece(i) => &self.pieces[i].text,
            Stage::Model(_) => "(get-model)",
            Stage::Core(_) => "(get-unsat-core)",
            Stage::Reason(_) => "(get-info :reason-unknown)",
            Stage::Opening | Stage::Closing => "",
        }
    }

    /// Sends the beginning of a fresh question: `prelude` goes before the script.
    pub fn open_fresh(&mut self, process: &mut SolverProcess, prelude: &str) {
        process.write(prelude);
        if self.sending == Sending::Plain {
            for piece in &self.pieces {
                process.write(&piece.text);
            }
            process.write("\n");
            process.close();
            process.feed();
            self.stage = Stage::Closing;
            return;
        }
        self.send(process, self.piece_or_end(0));
    }

    /// Sends the beginning of a warm question. What the opening brings forth is told apart by a tag of its own; the
    /// prelude and the script follow at once.
    ///
    /// The time of the first question of a session begins when the session is ready: some solvers need longer to start than to
    /// answer.
    pub fn open_warm(&mut self, process: &mut SolverProcess, opening: &Opening<'_>) {
        if let Some(time) = opening.start {
            self.is_starting = true;
            self.deadline = self.started + time;
        }
        self.opening_counts = opening.counts;
        self.models_follow = opening.models_follow;
        process.write(opening.ready);
        self.tag.write_echo(process);
        for command in opening.prelude {
            process.write(command);
        }
        if let Stage::Piece(first) = self.piece_or_end(0) {
            process.write(&self.pieces[first].text);
            process.write("\n");
            let mut tag = self.tag.clone();
            tag.advance();
            tag.write_echo(process);
        }
        process.feed();
    }

    fn send(&mut self, process: &mut SolverProcess, stage: Stage) {
        self.stage = stage;
        if self.sending == Sending::AtOnce {
            return;
        }
        if stage == Stage::Closing {
            if self.mode == AskMode::Fresh {
                process.close();
                process.feed();
            }
            return;
        }
        process.write(self.text_of(stage));
        process.write("\n");
        self.tag.write_echo(process);
        process.feed();
    }

    fn next_stage(&self) -> Stage {
        let last = self.reply.checks.last().map(|c| c.answer);
        let ask = self.question.ask;
        let (i, part) = match self.stage {
            Stage::Piece(i) => (i, 0),
            Stage::Model(i) => (i, 1),
            Stage::Core(i) => (i, 2),
            Stage::Reason(i) => (i, 3),
            Stage::Opening | Stage::Closing => return Stage::Closing,
        };
        if self.pieces[i].kind != PieceKind::Check {
            return self.piece_or_end(i + 1);
        }
        let at_once = self.sending == Sending::AtOnce;
        let wants = |wanted: bool, answer| wanted && (at_once || last == Some(answer));
        let has_model = self.models_follow && self.reply.checks.last().is_some_and(|c| c.model.is_some());
        // What is neither checked here nor asked for is not asked again.
        let checked = at_once || self.reply.checks.len() >= self.checks_through(i);
        if part < 1 && checked && !has_model && wants(ask.model, Answer::Sat) {
            return Stage::Model(i);
        }
        if part < 2 && checked && wants(ask.core, Answer::Unsat) {
            return Stage::Core(i);
        }
        if part < 3 && checked && wants(ask.reason, Answer::Unknown) {
            return Stage::Reason(i);
        }
        self.piece_or_end(i + 1)
    }

    /// The next piece from this one on. A command that has nothing to print after the last answer is not sent: some solvers end
    /// at the error.
    fn piece_or_end(&self, i: usize) -> Stage {
        let last = self.reply.checks.last().filter(|check| !check.void).map(|check| check.answer);
        let is_due = |piece: &Piece<'_>| match piece.kind {
            PieceKind::Output { after, .. } if self.sending == Sending::Stepwise => match after {
                After::Anything => true,
                After::Sat => last == Some(Answer::Sat),
                After::Unsat => last == Some(Answer::Unsat),
                After::Unknown => last == Some(Answer::Unknown),
            },
            _ => true,
        };
        match self.pieces.iter().skip(i).position(is_due) {
            Some(after) => Stage::Piece(i + after),
            None => Stage::Closing,
        }
    }

    /// How many answers the pieces up to this one call for.
    fn checks_through(&self, i: usize) -> usize {
        self.pieces[..=i].iter().filter(|piece| piece.kind == PieceKind::Check).count()
    }

    /// When it must be over; once we have asked for its end, there is nothing to hurry.
    pub fn deadline(&self) -> Option<Instant> {
        (!self.stopping).then_some(self.deadline)
    }

    /// Whether a warm session was not ready: then its answers may be to another question.
    pub fn unready(&self) -> bool {
        self.surplus || (!self.opening_counts && !self.opening.errors.is_empty())
    }

    /// Takes what has come and says what there is to say; true when the question is answered or lost.
    pub fn advance(&mut self, supervisor: &mut Supervisor) -> Result<bool, SolverError> {
        let Some(process) = supervisor.solver() else { return Ok(true) };
        while self.sending != Sending::Plain && self.stage != Stage::Closing {
            let Some((length, end)) = self.tag.find(&process.out, process.ended()) else { break };
            if self.mode == AskMode::Fresh {
                self.reply.raw.out.extend_from_slice(&process.out[..length]);
            }
            self.take(&String::from_utf8_lossy(&process.out[..length]), true);
            process.out.drain(..end);
            self.count_answers();
            self.tag.advance();
            if self.stage == Stage::Opening {
                self.stage = self.piece_or_end(0);
                if std::mem::take(&mut self.is_starting) {
                    self.started = Instant::now();
                    self.deadline = self.started + self.time;
                }
            } else {
                self.send(process, self.next_stage());
            }
        }
        if self.mode != AskMode::Fresh && self.stage == Stage::Closing {
            self.wall = self.started.elapsed();
            self.reply.stderr = take_text(&mut process.err);
            self.ending = Some(Ending::Alive);
            return Ok(true);
        }
        if process.ended() {
            self.wall = self.started.elapsed();
            if self.mode == AskMode::Fresh {
                self.reply.raw.out.extend_from_slice(&process.out);
                self.reply.raw.err.clone_from(&process.err);
            }
            self.take(&take_text(&mut process.out), false);
            self.count_answers();
            self.reply.stderr = take_text(&mut process.err);
            self.ending = Some(ending(process.bound, process.end.as_ref()));
            return Ok(true);
        }
        if !self.stopping && Instant::now() >= self.deadline {
            self.stopping = true;
            supervisor.stop(Bound::Time)?;
        }
        Ok(false)
    }

    /// More answers than questions: a late or stray line may be among them, so none of the last is believed.
    fn count_answers(&mut self) {
        let asked = match self.stage {
            Stage::Opening => 0,
            Stage::Piece(i) | Stage::Model(i) | Stage::Core(i) | Stage::Reason(i) => self.checks_through(i),
            Stage::Closing => self.checks,
        };
        if self.reply.checks.len() > asked && !self.surplus {
            self.surplus = true;
            for check in self.reply.checks.iter_mut().skip(asked.saturating_sub(1)) {
                check.void = true;
            }
            self.reply.errors.push("more answers than questions".to_owned());
        }
    }

    /// Takes what the stage brought. `whole` says whether its tag has come.
    fn take(&mut self, text: &str, whole: bool) {
        let part = match self.stage {
            Stage::Opening if self.opening_counts => Part::Script,
            Stage::Opening => return self.opening.take(text, Part::Script),
            Stage::Model(_) => Part::Model,
            Stage::Core(_) => Part::Core,
            Stage::Reason(_) => Part::Reason,
            Stage::Piece(i) => match self.pieces[i].kind {
                PieceKind::Output { number, row, .. } if whole => {
                    return self.reply.take_output(text, number, row);
                }
                // What a solver prints when it ends is no output of a command.
                PieceKind::Output { .. } => return self.reply.noise.push_str(text),
                _ if self.models_follow => Part::ScriptWithModels,
                _ => Part::Script,
            },
            Stage::Closing => Part::Script,
        };
        self.reply.take(text, part);
    }
}

fn take_text(bytes: &mut Vec<u8>) -> String {
    String::from_utf8_lossy(&std::mem::take(bytes)).into_owned()
}

fn ending(bound: Option<Bound>, end: Option<&ProcessEnd>) -> Ending {
    let Some(end) = end else { return Ending::Killed(libc::SIGKILL) };
    match (end.bound.or(bound), end.code, end.signal) {
        // It may have ended by itself in the moment we were about to end it.
        (Some(_), Some(code), _) => Ending::Exited(code),
        (Some(bound), _, _) => Ending::Stopped(bound),
        (None, Some(code), _) => Ending::Exited(code),
        (None, None, signal) => Ending::Killed(signal.unwrap_or(libc::SIGKILL)),
    }
}
