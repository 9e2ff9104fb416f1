//! Any interestingness test, in the way of ddSMT: a command that is run with the candidate's path appended.

use std::path::PathBuf;
use std::time::Duration;

use smt::Script;

use crate::reduce::Test;
use crate::solver::program::{Done, Host};
use crate::solver::{Ending, Limits, SolverError};

/// What of a command's run must stay.
#[derive(Clone, Debug, Default)]
pub struct Matching {
    /// What standard output must contain.
    pub out: Option<String>,
    /// What standard error must contain.
    pub err: Option<String>,
}

/// A command and how it ended on the input.
struct Golden {
    argv: Vec<String>,
    ending: Ending,
    limits: Limits,
}

impl Golden {
    fn run(
        argv: &[String],
        host: &mut Host,
        file: &str,
        limits: &Limits,
    ) -> Result<(Golden, Done), SolverError> {
        let mut whole = argv.to_vec();
        whole.push(file.to_owned());
        let done = host.run(&whole, limits)?;
        // Half as long again as on the input, but nothing is late within a second.
        let time = (done.wall * 3 / 2).max(Duration::from_secs(1)).min(limits.wall);
        let limits = Limits { wall: time, cpu: time, ..*limits };
        Ok((Golden { argv: argv.to_vec(), ending: done.ending, limits }, done))
    }
}

/// Runs a command on candidates: wanted is what ends as the input did, and prints what it must.
pub struct CommandTest {
    host: Host,
    golden: Golden,
    cross: Option<Golden>,
    matching: Matching,
    file: PathBuf,
    /// CPU time of all runs.
    pub cpu: Duration,
    /// How many runs there were.
    pub runs: u64,
}

/// A file of our own that goes with us.
impl Drop for CommandTest {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.file);
    }
}

impl CommandTest {
    /// The test that a command is, by its run on the input; a sentence if the input does not pass it.
    pub fn new(
        command: &[String],
        cross: Option<&[String]>,
        matching: &Matching,
        input: &str,
        limits: Limits,
        number: usize,
    ) -> Result<Result<CommandTest, String>, SolverError> {
        let mut host = Host::default();
        let name = format!("gainsay-candidate-{}-{number}.smt2", std::process::id());
        let file = std::env::temp_dir().join(name);
        let path = file.display().to_string();
        std::fs::write(&file, input).map_err(SolverError::at(&file))?;
        let first = Golden::run(command, &mut host, &path, &limits);
        if first.is_err() {
            let _ = std::fs::remove_file(&file);
        }
        let (golden, done) = first?;
        let mut cpu = done.cpu;
        let cross = match cross {
            Some(argv) => {
                let (golden, done) = Golden::run(argv, &mut host, &path, &limits)?;
                cpu += done.cpu;
                Some(golden)
            }
            None => None,
        };
        let runs = 1 + u64::from(cross.is_some());
        let test = CommandTest { host, golden, cross, matching: matching.clone(), file, cpu, runs };
        if let Some(missing) = test.missing(&done) {
            return Ok(Err(format!("the command does not print `{missing}` on the input itself")));
        }
        Ok(Ok(test))
    }

    /// How the command ended on the input.
    pub fn ending(&self) -> Ending {
        self.golden.ending
    }

    fn missing(&self, done: &Done) -> Option<&str> {
        let lacks = |wanted: &Option<String>, bytes: &[u8]| {
            wanted.as_ref().is_some_and(|w| memchr::memmem::find(bytes, w.as_bytes()).is_none())
        };
        if lacks(&self.matching.out, &done.out) {
            return self.matching.out.as_deref();
        }
        if lacks(&self.matching.err, &done.err) { self.matching.err.as_deref() } else { None }
    }

    fn ends_alike(&mut self, cross: bool) -> Result<Option<Done>, SolverError> {
        let Some(golden) = (if cross { self.cross.as_ref() } else { Some(&self.golden) }) else {
            return Ok(None);
        };
        let mut argv = golden.argv.clone();
        argv.push(self.file.display().to_string());
        let done = self.host.run(&argv, &golden.limits)?;
        self.cpu += done.cpu;
        self.runs += 1;
        Ok((done.ending == golden.ending).then_some(done))
    }
}

impl Test for CommandTest {
    type Error = SolverError;

    fn wanted(&mut self, _: &Script, text: &str) -> Result<bool, SolverError> {
        std::fs::write(&self.file, text).map_err(SolverError::at(&self.file))?;
        let Some(done) = self.ends_alike(false)? else { return Ok(false) };
        if self.missing(&done).is_some() {
            return Ok(false);
        }
        Ok(self.cross.is_none() || self.ends_alike(true)?.is_some())
    }
}
