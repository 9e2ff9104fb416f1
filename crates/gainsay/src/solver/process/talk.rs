//! One question and its reply: pieces of the script go out, tagged echoes tell which output belongs to which.

use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use super::limits::Bound;
use super::reply::{Part, Reply};
use super::slot::Slot;
use crate::case::Answer;
use crate::solver::{AskMode, Ending, Question, SolverError};
use smt::sexpr::{Command, commands, parts};

static NEXT_TALK: AtomicU64 = AtomicU64::new(0);
static PROCESS: LazyLock<u32> = LazyLock::new(std::process::id);

/// A script cut where it is answered.
#[derive(Debug)]
pub struct Pieces<'a> {
    /// Stretches of the script, each ending with a `check-sat` but for the last.
    pub all: Vec<&'a str>,
    /// Whether it needs the solver's incremental mode.
    pub incremental: bool,
    /// The options and the logic that come before all else.
    pub header: String,
    /// The options it sets, wherever it does.
    pub options: String,
    /// What follows the header, if the script may be asked between `push` and `pop`.
    pub scopable: Option<&'a str>,
}

/// Whether a command is answered with sat, unsat or unknown.
fn is_check(c: &Command<'_>) -> bool {
    c.head.starts_with("check-sat") || c.head.starts_with("get-timeout-core")
}

/// The script without its `(set-info :status …)`: some solvers compare their answer with it and call a difference
/// an error, even with the status of an earlier script. Blanks keep everything else in its place.
pub fn without_status(script: &str) -> Option<String> {
    if !script.contains(":status") {
        return None;
    }
    let mut text = script.to_owned();
    for c in
        commands(script)?.iter().filter(|c| c.head == "set-info" && parts(c.text).get(1) == Some(&":status"))
    {
        text.replace_range(c.start..c.end, &" ".repeat(c.end - c.start));
    }
    Some(text)
}

impl<'a> Pieces<'a> {
    /// Cuts a script; `None` if its parentheses do not close.
    pub fn of(script: &'a str) -> Option<Pieces<'a>> {
        let mut all = commands(script)?;
        if let Some(exit) = all.iter().position(|c| c.head == "exit") {
            all.truncate(exit);
        }
        let end = all.last().map_or(0, |c| c.end);
        let header_count =
            all.iter().take_while(|c| matches!(c.head, "set-option" | "set-logic" | "set-info")).count();
        let header_end = header_count.checked_sub(1).map_or(0, |i| all[i].end);
        let unscopable = |c: &Command<'_>| {
            matches!(c.head, "set-option" | "set-logic" | "push" | "pop" | "reset" | "reset-assertions" | "")
        };
        let incremental_set = |c: &Command<'_>| c.head == "set-option" && c.text.contains(":incremental");
        let scopable = !all[header_count..].iter().any(unscopable) && !all.iter().any(incremental_set);
        let needs = |c: &Command<'_>| matches!(c.head, "push" | "pop" | "check-sat-assuming");
        let incremental = all.iter().any(needs) || all.iter().filter(|c| is_check(c)).count() > 1;
        Some(Pieces {
            all: cut(script, &all, 0, end),
            incremental,
            header: all[..header_count].iter().filter(|c| c.head != "set-info").map(|c| c.text).collect(),
            options: all.iter().filter(|c| c.head == "set-option").map(|c| c.text).collect(),
            scopable: scopable.then(|| &script[header_end..end]),
        })
    }

    /// The pieces of what follows the header.
    pub fn of_body(body: &'a str) -> Vec<&'a str> {
        let all = commands(body).unwrap_or_default();
        cut(body, &all, 0, body.len())
    }
}

fn cut<'a>(script: &'a str, all: &[Command<'a>], mut from: usize, end: usize) -> Vec<&'a str> {
    let mut pieces = Vec::new();
    for c in all.iter().filter(|c| is_check(c)) {
        pieces.push(&script[from..c.end]);
        from = c.end;
    }
    if !script[from..end].trim().is_empty() {
        pieces.push(&script[from..end]);
    }
    pieces
}

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

/// A question on its way.
pub struct Talk<'q> {
    question: Question<'q>,
    pieces: Vec<&'q str>,
    way: AskMode,
    sending: Sending,
    stage: Stage,
    /// How many answers the whole script calls for.
    checks: usize,
    surplus: bool,
    /// What its tags begin with, which no other question's do.
    mark: String,
    /// The tag that is waited for.
    tag: u32,
    searched: usize,
    /// What the opening of a warm question brought, if it was more than nothing.
    pub opening: Reply,
    /// Whether the session's own opening counts as part of the script.
    opening_counts: bool,
    /// What came.
    pub reply: Reply,
    /// When it was asked.
    pub started: Instant,
    deadline: Instant,
    stopping: bool,
    /// When its reply was complete.
    pub wall: Duration,
    /// How it ended, once it has.
    pub ending: Option<Ending>,
}

impl<'q> Talk<'q> {
    /// Prepares a question.
    pub fn new(question: Question<'q>, pieces: Vec<&'q str>, way: AskMode, wall: Duration) -> Talk<'q> {
        let started = Instant::now();
        let asks = question.ask.model || question.ask.core || question.ask.reason;
        // A script that cannot be cut may hold any number.
        let checks =
            commands(question.script).map_or(usize::MAX, |c| c.iter().filter(|c| is_check(c)).count());
        Talk {
            question,
            pieces,
            way,
            sending: if way == AskMode::Fresh && !asks { Sending::Plain } else { Sending::Stepwise },
            stage: Stage::Opening,
            checks,
            surplus: false,
            mark: format!("gainsay.{}.{}", *PROCESS, NEXT_TALK.fetch_add(1, Ordering::Relaxed)),
            tag: 0,
            searched: 0,
            opening: Reply::default(),
            opening_counts: false,
            reply: Reply::default(),
            started,
            deadline: started + wall,
            stopping: false,
            wall: Duration::ZERO,
            ending: None,
        }
    }

    /// How it is asked.
    pub fn way(&self) -> AskMode {
        self.way
    }

    fn tag_line(&self, tag: u32) -> String {
        format!("(echo \"{}\")\n", self.tag_text(tag))
    }

    fn tag_text(&self, tag: u32) -> String {
        format!("{}.{tag}.", self.mark)
    }

    /// The whole text for a solver that takes a file; tags part what is asked after each piece.
    pub fn as_file(&mut self, prelude: &str) -> String {
        let mut text = prelude.to_owned();
        if self.sending == Sending::Plain {
            self.stage = Stage::Closing;
            text.extend(self.pieces.iter().copied());
            return text;
        }
        self.sending = Sending::AtOnce;
        let stages = (0..self.pieces.len()).flat_map(|i| self.stages_after(i));
        for (tag, stage) in stages.enumerate() {
            text.push_str(self.text_of(stage));
            text.push('\n');
            text.push_str(&self.tag_line(tag as u32));
        }
        self.stage = self.piece_or_end(0);
        text
    }

    fn stages_after(&self, i: usize) -> Vec<Stage> {
        let mut all = vec![Stage::Piece(i)];
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

    fn text_of(&self, stage: Stage) -> &'q str {
        match stage {
            Stage::Piece(i) => self.pieces[i],
            Stage::Model(_) => "(get-model)",
            Stage::Core(_) => "(get-unsat-core)",
            Stage::Reason(_) => "(get-info :reason-unknown)",
            Stage::Opening | Stage::Closing => "",
        }
    }

    /// Sends the beginning of a fresh question: `prelude` goes before the script.
    pub fn open_fresh(&mut self, slot: &mut Slot, prelude: &str) {
        let Some(live) = slot.live() else { return };
        live.write(prelude);
        if self.sending == Sending::Plain {
            for piece in &self.pieces {
                live.write(piece);
            }
            live.write("\n");
            live.close();
            live.feed();
            self.stage = Stage::Closing;
            return;
        }
        self.send(slot, self.piece_or_end(0));
    }

    /// Sends the beginning of a warm question: `opening` makes the session ready, and what it brings forth is told
    /// apart by a tag of its own; `prelude` and the script follow at once.
    pub fn open_warm(&mut self, slot: &mut Slot, opening: &str, prelude: &str, opening_counts: bool) {
        self.opening_counts = opening_counts;
        let Some(live) = slot.live() else { return };
        live.write(opening);
        live.write(&self.tag_line(0));
        live.write(prelude);
        if let Some(first) = self.pieces.first() {
            live.write(first);
            live.write("\n");
            live.write(&self.tag_line(1));
        }
        live.feed();
    }

    fn send(&mut self, slot: &mut Slot, stage: Stage) {
        self.stage = stage;
        if self.sending == Sending::AtOnce {
            return;
        }
        let Some(live) = slot.live() else { return };
        if stage == Stage::Closing {
            if self.way == AskMode::Fresh {
                live.close();
                live.feed();
            }
            return;
        }
        live.write(self.text_of(stage));
        live.write("\n");
        live.write(&self.tag_line(self.tag));
        live.feed();
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
        let at_once = self.sending == Sending::AtOnce;
        let wants = |wanted: bool, answer| wanted && (at_once || last == Some(answer));
        // What is neither checked here nor asked for is not asked again.
        let checked = at_once || self.reply.checks.len() > i;
        if part < 1 && checked && wants(ask.model, Answer::Sat) {
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

    fn piece_or_end(&self, i: usize) -> Stage {
        if i < self.pieces.len() { Stage::Piece(i) } else { Stage::Closing }
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
    pub fn advance(&mut self, slot: &mut Slot) -> Result<bool, SolverError> {
        while self.sending != Sending::Plain && self.stage != Stage::Closing {
            let Some(segment) = self.segment(slot) else { break };
            self.take(&segment);
            self.count_answers();
            self.tag += 1;
            if self.stage == Stage::Opening {
                self.stage = self.piece_or_end(0);
            } else {
                self.send(slot, self.next_stage());
            }
        }
        if self.way != AskMode::Fresh && self.stage == Stage::Closing {
            self.wall = self.started.elapsed();
            if let Some(live) = slot.live() {
                self.reply.stderr = take_text(&mut live.err);
            }
            self.ending = Some(Ending::Alive);
            return Ok(true);
        }
        let Some(live) = slot.live() else { return Ok(true) };
        if live.ended() {
            self.wall = self.started.elapsed();
            if self.way == AskMode::Fresh {
                self.reply.raw.out.extend_from_slice(&live.out);
                self.reply.raw.err.clone_from(&live.err);
            }
            let rest = take_text(&mut live.out);
            self.take(&rest);
            self.count_answers();
            self.reply.stderr = take_text(&mut live.err);
            self.ending = Some(ending(live.bound, live.over.as_ref()));
            return Ok(true);
        }
        if Instant::now() >= self.deadline && !self.stopping {
            self.stopping = true;
            slot.stop(Bound::Time)?;
        }
        Ok(false)
    }

    /// More answers than questions: a late or stray line may be among them, so none of the last is believed.
    fn count_answers(&mut self) {
        let asked = match self.stage {
            Stage::Opening => 0,
            Stage::Piece(i) | Stage::Model(i) | Stage::Core(i) | Stage::Reason(i) => i + 1,
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

    fn take(&mut self, text: &str) {
        match self.stage {
            Stage::Opening if self.opening_counts => self.reply.take(text, Part::Script),
            Stage::Opening => self.opening.take(text, Part::Script),
            Stage::Model(_) => self.reply.take(text, Part::Model),
            Stage::Core(_) => self.reply.take(text, Part::Core),
            Stage::Reason(_) => self.reply.take(text, Part::Reason),
            Stage::Piece(_) | Stage::Closing => self.reply.take(text, Part::Script),
        }
    }

    /// The output before the tag that is waited for, once the tag is there on a line of its own.
    fn segment(&mut self, slot: &mut Slot) -> Option<String> {
        let tag = self.tag_text(self.tag);
        let live = slot.live()?;
        let mut from = self.searched.min(live.out.len());
        loop {
            let Some(found) = memchr::memmem::find(&live.out[from..], tag.as_bytes()) else {
                self.searched = live.out.len().saturating_sub(tag.len());
                return None;
            };
            let at = from + found;
            let quoted = at > 0 && live.out[at - 1] == b'"';
            let start = at - usize::from(quoted);
            let end = at + tag.len() + usize::from(quoted);
            let closes = match live.out.get(end) {
                None => live.ended(),
                Some(b) => *b == b'\n' || *b == b'\r',
            };
            if (start == 0 || live.out[start - 1] == b'\n') && closes {
                let text = String::from_utf8_lossy(&live.out[..start]).into_owned();
                if self.way == AskMode::Fresh {
                    self.reply.raw.out.extend_from_slice(&live.out[..start]);
                }
                live.out.drain(..end);
                self.searched = 0;
                return Some(text);
            }
            if end >= live.out.len() {
                // The end of its line has not come yet.
                self.searched = start;
                return None;
            }
            from = at + 1;
        }
    }
}

fn take_text(bytes: &mut Vec<u8>) -> String {
    String::from_utf8_lossy(&std::mem::take(bytes)).into_owned()
}

fn ending(bound: Option<Bound>, over: Option<&super::wire::Over>) -> Ending {
    let Some(over) = over else { return Ending::Killed(libc::SIGKILL) };
    match (over.bound.or(bound), over.code, over.signal) {
        // It may have ended by itself in the moment we were about to end it.
        (Some(_), Some(code), _) => Ending::Exited(code),
        (Some(bound), _, _) => Ending::Stopped(bound),
        (None, Some(code), _) => Ending::Exited(code),
        (None, None, signal) => Ending::Killed(signal.unwrap_or(libc::SIGKILL)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_are_cut_where_they_are_answered() {
        let script = "(set-info :source |x|)(set-option :a 1)(set-logic QF_LIA)(check-sat)(get-model)(check-sat)(exit)(foo)";
        let pieces = Pieces::of(script).expect("whole");
        assert_eq!(pieces.all.len(), 2);
        assert!(pieces.all[1].ends_with("(get-model)(check-sat)"));
        assert_eq!(pieces.header, "(set-option :a 1)(set-logic QF_LIA)");
        assert_eq!(pieces.options, "(set-option :a 1)");
        assert_eq!(pieces.scopable, Some("(check-sat)(get-model)(check-sat)"));
        assert!(pieces.incremental);
    }

    #[test]
    fn not_every_script_may_be_scoped() {
        for script in [
            "(set-logic ALL)(push 1)(check-sat)(pop 1)",
            "(check-sat)(set-option :x 1)(check-sat)",
            "(check-sat)(reset)(check-sat)",
            "(set-option :incremental false)(check-sat)",
        ] {
            assert_eq!(Pieces::of(script).expect("whole").scopable, None, "{script}");
        }
        assert!(Pieces::of("(check-sat").is_none());
    }

    #[test]
    fn the_status_is_blanked_out() {
        let script = "(set-info :status sat)\n(set-info :name |:status|)(check-sat)";
        let blank = " ".repeat(22);
        assert_eq!(without_status(script), Some(format!("{blank}\n(set-info :name |:status|)(check-sat)")));
        assert_eq!(without_status("(check-sat)"), None);
    }
}
