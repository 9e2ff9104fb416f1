//! How many of the scripts that solvers read we understand.

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::error::StudyError;
use crate::seed::walk;
use crate::solver::{AskMode, Limits, Outputs, Question, Runner, SignKind, Solver, SolverError};

/// A solver that has not refused a script after this time reads it.
const TIME: Duration = Duration::from_secs(2);

/// The counts of one folder or file.
#[derive(Default)]
pub struct Readable {
    /// The files.
    pub files: usize,
    /// Those that some solver reads.
    pub readable: usize,
    /// Those of them that we read with every part understood.
    pub typed: usize,
    /// The others, each with the reason.
    pub missing: Vec<(PathBuf, String)>,
}

impl Readable {
    /// Counts the scripts below a path. Each solver is asked each script until one reads it.
    pub fn of(path: &Path, solvers: &[Solver]) -> Result<Readable, StudyError> {
        let mut files = Vec::new();
        if path.is_dir() {
            walk(path, &mut files).map_err(StudyError::at(path))?;
        } else {
            files.push(path.to_owned());
        }
        let mut runner = Runner::new(Limits::of_time(TIME));
        let mut counts = Readable { files: files.len(), ..Readable::default() };
        for file in files {
            let source = std::fs::read(&file).map_err(StudyError::at(&file))?;
            if !is_read(&String::from_utf8_lossy(&source), solvers, &mut runner)? {
                continue;
            }
            counts.readable += 1;
            let why = match smt::read(&source) {
                Ok(script) => script.opaque.first().map(|part| part.why.clone()),
                Err(error) => Some(error.message),
            };
            counts.typed += usize::from(why.is_none());
            counts.missing.extend(why.map(|why| (file, why)));
        }
        runner.finish()?;
        Ok(counts)
    }
}

/// Whether some solver reads a script: it reports no error, and does not call a command unsupported.
fn is_read(script: &str, solvers: &[Solver], runner: &mut Runner) -> Result<bool, SolverError> {
    for solver in solvers {
        let question = Question { script, ask: Outputs::default() };
        let run = runner.ask(solver, question, AskMode::Fresh)?;
        if run.reply.errors.is_empty() && run.reply.unsupported == 0 && !run.has(SignKind::Rejected) {
            return Ok(true);
        }
    }
    Ok(false)
}
