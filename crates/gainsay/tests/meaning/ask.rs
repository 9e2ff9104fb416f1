//! Asking a solver many small questions: many in one process, and again alone where the answer is not plain.

use std::time::Duration;

use gainsay::case::Answer;
use gainsay::solver::{AskMode, Limits, Outcome, Outputs, Question, Run, Runner, Solver};

/// What a solver says to "is this always true?".
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reply {
    /// It is.
    Confirmed,
    /// It is not.
    Denied,
    /// It does not know, or not in time.
    Unknown,
    /// It does not take the question.
    Refused(String),
    /// It fell over it.
    Crashed(String),
}

/// Questions in one process.
const BATCH: usize = 100;

/// A solver and the limits under which it is asked.
pub struct Asker<'a> {
    runner: Runner,
    solver: &'a Solver,
    /// Processes that were started, and what they worked.
    pub started: usize,
    pub worked: Duration,
    /// Claims at which a process with many of them was out of time.
    pub slow: Vec<String>,
}

impl<'a> Asker<'a> {
    pub fn new(solver: &'a Solver) -> Asker<'a> {
        Asker {
            runner: Runner::new(Limits::default()),
            solver,
            started: 0,
            worked: Duration::ZERO,
            slow: Vec::new(),
        }
    }

    /// The replies to claims that are said to hold always, each read after `header`.
    pub fn ask(&mut self, header: &str, claims: &[&str]) -> Vec<Reply> {
        let mut replies = Vec::with_capacity(claims.len());
        while replies.len() < claims.len() {
            let rest = &claims[replies.len()..];
            let batch = &rest[..rest.len().min(BATCH)];
            let mut script = header.to_owned();
            for claim in batch {
                script.extend(["(push 1)\n(assert (not ", claim, "))\n(check-sat)\n(pop 1)\n"]);
            }
            let run = self.run(&script, 8);
            // Answers after an error, or missing ones, are nobody's: the first of these is asked alone, the others
            // again.
            let answers = run.reply.answers();
            for (&answer, claim) in answers.iter().zip(batch) {
                let plain = answer == Answer::Unsat;
                replies.push(if plain { Reply::Confirmed } else { self.alone(header, claim) });
            }
            if let Some(claim) = batch.get(answers.len()) {
                if run.outcome() == Outcome::TimedOut {
                    self.slow.push((*claim).to_owned());
                }
                replies.push(self.alone(header, claim));
            }
        }
        replies
    }

    /// The reply to one claim in a process of its own: the truth.
    fn alone(&mut self, header: &str, claim: &str) -> Reply {
        let run = self.run(&format!("{header}(assert (not {claim}))\n(check-sat)\n"), 3);
        match (run.outcome(), run.reply.answers().first()) {
            (Outcome::Answered, Some(Answer::Unsat)) => Reply::Confirmed,
            (Outcome::Answered, Some(Answer::Sat)) => Reply::Denied,
            (Outcome::Answered | Outcome::TimedOut | Outcome::OutOfMemory, _) => Reply::Unknown,
            (Outcome::Rejected, _) => Reply::Refused(said(&run)),
            _ => Reply::Crashed(said(&run)),
        }
    }

    /// What a solver gives for a term.
    pub fn value(&mut self, header: &str, term: &str) -> String {
        let run = self.run(
            &format!("(set-option :produce-models true)\n{header}(check-sat)\n(get-value ({term}))\n"),
            3,
        );
        run.reply.last_output().map_or_else(|| said(&run), str::to_owned)
    }

    /// Solvers are told how long a check may take; these seconds of work are for those that do not listen.
    fn run(&mut self, script: &str, seconds: u64) -> Run {
        self.started += 1;
        self.runner.limits.cpu = Duration::from_secs(seconds);
        self.runner.limits.wall = Duration::from_secs(4 * seconds);
        let question = Question { script, ask: Outputs::default() };
        let run = self.runner.ask(self.solver, question, AskMode::Fresh).expect("our part works");
        self.worked += run.cpu.unwrap_or_default();
        run
    }
}

/// What it said, in one line.
fn said(run: &Run) -> String {
    let error = run.reply.errors.first();
    let sign = run.signs.first().map(|s| &s.text);
    let text = error.or(sign).cloned().unwrap_or_else(|| format!("{} {}", run.ending, run.reply.stderr));
    text.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(300).collect()
}
