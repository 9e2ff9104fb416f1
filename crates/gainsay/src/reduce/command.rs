//! The test of a candidate by a command, as in ddSMT: the command is run with the path of the candidate appended.

use std::path::PathBuf;
use std::time::Duration;

use smt::Script;

use super::Test;
use crate::solver::process::program::{Done, Host};
use crate::solver::{Ending, Limits, SolverError};

/// The part of one output stream of a command that must stay.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stream {
    /// The whole stream must stay.
    Same,
    /// The stream must contain this text.
    Contains(String),
    /// The stream may be anything.
    Anything,
}

impl Stream {
    fn accepts(&self, golden: &[u8], now: &[u8]) -> bool {
        match self {
            Stream::Same => golden == now,
            Stream::Contains(text) => memchr::memmem::find(now, text.as_bytes()).is_some(),
            Stream::Anything => true,
        }
    }
}

/// A command, and what of its run must stay besides the exit status.
#[derive(Clone, Debug)]
pub struct Watched {
    /// The words of the command; the path of a candidate follows them.
    pub argv: Vec<String>,
    /// What must stay of standard output.
    pub out: Stream,
    /// What must stay of standard error.
    pub err: Stream,
}

/// A command, and what it did with the input.
#[derive(Clone)]
struct Golden {
    command: Watched,
    ending: Ending,
    out: Vec<u8>,
    err: Vec<u8>,
    limits: Limits,
}

impl Golden {
    fn of(command: &Watched, done: &Done, limits: &Limits) -> Golden {
        // Half as long again as on the input, but nothing is late within a second.
        let time = (done.wall * 3 / 2).max(Duration::from_secs(1)).min(limits.wall);
        let limits = Limits { wall: time, cpu: time, ..*limits };
        let (out, err) = (done.out.clone(), done.err.clone());
        Golden { command: command.clone(), ending: done.ending, out, err, limits }
    }

    fn accepts(&self, done: &Done) -> bool {
        done.ending == self.ending
            && self.command.out.accepts(&self.out, &done.out)
            && self.command.err.accepts(&self.err, &done.err)
    }

    /// What the command must print and does not, on the input itself.
    fn missing(&self) -> Option<&str> {
        let streams = [(&self.command.out, &self.out), (&self.command.err, &self.err)];
        streams.into_iter().find_map(|(stream, bytes)| match stream {
            Stream::Contains(text) if !stream.accepts(&[], bytes) => Some(text.as_str()),
            _ => None,
        })
    }
}

/// A test that runs commands on candidates. A candidate is wanted if they end and print as they did with the input.
pub struct CommandTest {
    host: Host,
    /// The command, and the other one that is to do as before, if there is one.
    golden: Vec<Golden>,
    file: PathBuf,
    /// CPU time of all runs.
    pub cpu: Duration,
    /// How many runs there were.
    pub runs: u64,
}

/// A file that is removed when the test is dropped.
impl Drop for CommandTest {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.file);
    }
}

/// The file of the test with this number.
fn file(number: usize) -> PathBuf {
    std::env::temp_dir().join(format!("gainsay-candidate-{}-{number}.smt2", std::process::id()))
}

/// Removes the files of so many tests, whoever still uses them. This is for an end of the process that drops nothing.
pub fn sweep(jobs: usize) {
    for number in 0..jobs.max(1) {
        let _ = std::fs::remove_file(file(number));
    }
}

impl CommandTest {
    fn new(number: usize, golden: Vec<Golden>) -> CommandTest {
        CommandTest { host: Host::default(), golden, file: file(number), cpu: Duration::ZERO, runs: 0 }
    }

    /// The tests by these commands, one for each job, by what the commands do with the input; a sentence if the input does
    /// not pass, or not each time.
    pub fn several(
        commands: &[Watched],
        input: &str,
        limits: Limits,
        jobs: usize,
    ) -> Result<Result<Vec<CommandTest>, String>, SolverError> {
        let mut first = CommandTest::new(0, Vec::new());
        std::fs::write(&first.file, input).map_err(SolverError::at(&first.file))?;
        for command in commands {
            let done = first.run(&command.argv, &limits)?;
            let golden = Golden::of(command, &done, &limits);
            if let Some(missing) = golden.missing() {
                return Ok(Err(format!("the command does not print `{missing}` on the input itself")));
            }
            let again = first.run(&command.argv, &golden.limits)?;
            if again.ending != golden.ending {
                return Ok(Err(format!(
                    "the command does not do the same each time: on the input it {} and then {}",
                    golden.ending, again.ending
                )));
            }
            if !golden.accepts(&again) {
                return Ok(Err(
                    "the command does not print the same each time; `--ignore-output` compares how \
                               it ends alone, `--match-out` what must be there"
                        .to_owned(),
                ));
            }
            first.golden.push(golden);
        }
        let others: Vec<_> = (1..jobs.max(1)).map(|n| CommandTest::new(n, first.golden.clone())).collect();
        Ok(Ok(std::iter::once(first).chain(others).collect()))
    }

    /// How the command ended with the input.
    pub fn ending(&self) -> Ending {
        self.golden[0].ending
    }

    /// Runs a command on the file; what it prints of the file's name is the same for all files.
    fn run(&mut self, argv: &[String], limits: &Limits) -> Result<Done, SolverError> {
        let path = self.file.display().to_string();
        let mut argv = argv.to_vec();
        argv.push(path.clone());
        let mut done = self.host.run(&argv, limits)?;
        self.cpu += done.cpu;
        self.runs += 1;
        for stream in [&mut done.out, &mut done.err] {
            if memchr::memmem::find(stream, path.as_bytes()).is_some() {
                *stream = String::from_utf8_lossy(stream).replace(&path, "FILE").into_bytes();
            }
        }
        Ok(done)
    }
}

impl Test for CommandTest {
    type Error = SolverError;

    fn wanted(&mut self, _: &Script, text: &str) -> Result<bool, SolverError> {
        std::fs::write(&self.file, text).map_err(SolverError::at(&self.file))?;
        for i in 0..self.golden.len() {
            let Golden { command, limits, .. } = &self.golden[i];
            let (argv, limits) = (command.argv.clone(), *limits);
            let done = self.run(&argv, &limits)?;
            if !self.golden[i].accepts(&done) {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
