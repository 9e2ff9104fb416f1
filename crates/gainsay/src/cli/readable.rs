//! `gainsay parse --solver`: how many of the scripts that solvers read we understand.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context;

use super::exit;
use crate::seed::walk;
use crate::solver::{AskMode, Limits, Outputs, Question, Runner, SignKind, Solver};

/// A solver that has not refused a script after this time reads it.
const TIME: Duration = Duration::from_secs(2);

/// The counts of one folder.
#[derive(Default)]
struct Counts {
    files: usize,
    /// Those that some solver reads.
    readable: usize,
    /// Those of them that we read with every part understood.
    typed: usize,
    /// The others, each with the reason.
    missing: Vec<String>,
}

/// Prints a line for each path: its files, how many of them some solver reads, and how many of those we understand in all
/// their parts. The others are listed with the reason.
pub(super) fn run(paths: &[PathBuf], solvers: &[Solver]) -> anyhow::Result<u8> {
    let mut runner = Runner::new(Limits::of_time(TIME));
    let out = &mut std::io::stdout().lock();
    let mut all = true;
    writeln!(out, "  files  read by a solver  of these understood  share  path")?;
    for path in paths {
        let counts = count(path, solvers, &mut runner)?;
        let Counts { files, readable, typed, missing } = counts;
        let share = 100.0 * typed as f64 / readable.max(1) as f64;
        writeln!(out, "{files:>7} {readable:>17} {typed:>20} {share:>5.1} %  {}", path.display())?;
        for line in &missing {
            writeln!(out, "    {line}")?;
        }
        all &= typed == readable;
    }
    runner.finish()?;
    Ok(if all { exit::FINE } else { exit::NOT_SO })
}

fn count(path: &Path, solvers: &[Solver], runner: &mut Runner) -> anyhow::Result<Counts> {
    let mut files = Vec::new();
    if path.is_dir() {
        walk(path, &mut files).with_context(|| format!("cannot read {}", path.display()))?;
    } else {
        files.push(path.to_owned());
    }
    let mut counts = Counts { files: files.len(), ..Counts::default() };
    for file in files {
        let source = std::fs::read(&file).with_context(|| format!("cannot read {}", file.display()))?;
        if !is_read(&String::from_utf8_lossy(&source), solvers, runner)? {
            continue;
        }
        counts.readable += 1;
        let why = match smt::read(&source) {
            Ok(script) => script.opaque.first().map(|part| part.why.clone()),
            Err(error) => Some(error.message),
        };
        counts.typed += usize::from(why.is_none());
        counts.missing.extend(why.map(|why| format!("{}: {why}", file.display())));
    }
    Ok(counts)
}

/// Whether some solver reads a script: it reports no error, and does not call a command unsupported.
fn is_read(script: &str, solvers: &[Solver], runner: &mut Runner) -> anyhow::Result<bool> {
    for solver in solvers {
        let question = Question { script, ask: Outputs::default() };
        let run = runner.ask(solver, question, AskMode::Fresh)?;
        if run.reply.errors.is_empty() && run.reply.unsupported == 0 && !run.has(SignKind::Rejected) {
            return Ok(true);
        }
    }
    Ok(false)
}
