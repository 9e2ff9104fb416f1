//! What a solver is asked, how, and what it does: data, never an error.

use std::time::Duration;

use super::process::limits::Bound;
use super::process::reply::Reply;
use super::profile::SignKind;
use crate::case::words;

/// How a solver is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum AskMode {
    /// A new process: the truth, and the only thing a finding may rest on.
    Fresh,
    /// One process, `(reset)` between formulas.
    Reset,
    /// One process, `(push 1)` and `(pop 1)` around each formula: the incremental core answers.
    Scoped,
}

impl AskMode {
    /// All ways, the surest first.
    pub const ALL: [AskMode; 3] = [AskMode::Fresh, AskMode::Reset, AskMode::Scoped];

    /// The word on the command line.
    pub fn word(self) -> &'static str {
        match self {
            AskMode::Fresh => "fresh",
            AskMode::Reset => "reset",
            AskMode::Scoped => "scoped",
        }
    }
}

/// How a solver's process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ending {
    /// It is still there: a warm session that answered.
    Alive,
    /// It ended by itself with this status.
    Exited(i32),
    /// A signal that we did not send ended it.
    Killed(i32),
    /// We ended it, for passing this bound.
    Stopped(Bound),
}

/// What a line of a solver's output told.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Sign {
    /// The kind of the sign.
    pub kind: SignKind,
    /// The words of the solver.
    pub text: String,
    /// The source file it names.
    pub file: Option<String>,
    /// The line in it.
    pub line: Option<u32>,
    /// The first frames of the solver's own stack, if it printed one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub stack: Vec<String>,
}

/// What is to be asked with a script.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outputs {
    /// After each `sat`, the model.
    pub model: bool,
    /// After each `unsat`, the core.
    pub core: bool,
    /// After each `unknown`, why (asked of a warm session in any case, if its profile allows it).
    pub reason: bool,
}

/// A script and what to ask of it.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// The script, as text.
    pub script: &'a str,
    /// What to ask besides answers.
    pub ask: Outputs,
}

/// All that a solver did with one question.
#[derive(Clone, Debug)]
pub struct Run {
    /// How it was asked in the end (a script that cannot be scoped is asked with `(reset)`).
    pub way: AskMode,
    /// The reply of the solver.
    pub reply: Reply,
    /// How the process ended.
    pub ending: Ending,
    /// How a session ended that was lost on this question before it was asked again in a new one.
    pub earlier: Option<Ending>,
    /// What its output told besides.
    pub signs: Vec<Sign>,
    /// Whether it had less time than the limits of its runner allow.
    pub cut_short: bool,
    /// Wall time from the question to the end of the reply.
    pub wall: Duration,
    /// CPU time; known for a process that ended.
    pub cpu: Option<Duration>,
    /// Peak resident memory in bytes; known for a process that ended.
    pub peak: Option<u64>,
}

/// What a run comes to; the first that fits (`Stopped` by us is never a crash).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Outcome {
    /// Out of time, by our clock or by its own.
    TimedOut,
    /// Out of memory, by our measure or by its own.
    OutOfMemory,
    /// Stopped by us for output or processes without end.
    Unruly,
    /// The solver's own check refuted its answer.
    SelfCheck,
    /// A signal of its own making, an assertion failure or a sanitizer's complaint.
    Crashed,
    /// Somebody else's signal ended it.
    Disturbed,
    /// The solver refused the script.
    Rejected,
    /// The solver answered.
    Answered,
}

words!(Outcome, "outcome of a run":
    TimedOut "timed-out",
    OutOfMemory "out-of-memory",
    Unruly "unruly",
    SelfCheck "self-check",
    Crashed "crashed",
    Disturbed "disturbed",
    Rejected "rejected",
    Answered "answered",
);
