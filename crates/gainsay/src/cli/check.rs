//! `gainsay check`: one file on several solvers, side by side.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context;

use super::columns::fitted;
use super::{AskModeName, choose, exit, read_named};
use crate::report::check::{CheckRow, table};
use crate::solver::{Limits, Outputs, Runner, Solver};
use crate::study::check::{Asking, Checked, check};

/// What to run on whom.
#[derive(clap::Args)]
pub struct Args {
    /// The script
    file: PathBuf,
    #[command(flatten)]
    whom: choose::Whom,
    /// How to ask
    #[arg(long, value_enum, default_value = "fresh")]
    way: AskModeName,
    /// Seconds for each solver
    #[arg(long, default_value_t = 10.0, value_parser = seconds, allow_negative_numbers = true)]
    timeout: f64,
    /// Megabytes for each solver
    #[arg(long, default_value_t = 2048)]
    memory: u64,
    /// Limit resident memory instead of address space, for builds with sanitizers
    #[arg(long)]
    free_space: bool,
    /// Do not ask for models and cores
    #[arg(long)]
    bare: bool,
    /// One line of JSON for each solver
    #[arg(long)]
    json: bool,
}

/// A number of seconds that something can be done in.
fn seconds(text: &str) -> Result<f64, String> {
    let number: f64 = text.parse().map_err(|_| "write a number of seconds, such as 10 or 0.5".to_owned())?;
    match Duration::try_from_secs_f64(number) {
        Ok(time) if !time.is_zero() => Ok(number),
        _ => Err("write a number of seconds above 0".to_owned()),
    }
}

/// One solver's line.
/// The row of a solver in the table.
fn row(solver: &Solver, Checked { run, models, core }: Checked) -> CheckRow<'_> {
    let words: Vec<&str> = models.iter().map(|verdict| verdict.word()).collect();
    let core = core.map(|again| again.map_or_else(|end| end.to_string(), |a| a.word().to_owned()));
    CheckRow { solver: &solver.name, run, models: (!words.is_empty()).then(|| words.join(" ")), core }
}

/// Runs the command.
pub fn run(args: &Args) -> anyhow::Result<u8> {
    let script = read_named(&args.file)?;
    let read = smt::read(&script);
    if let Err(error) = &read {
        let place = error.locate(&args.file.display().to_string(), &script);
        eprintln!("models cannot be checked, we do not read this script:\n{place}");
    }
    let script = String::from_utf8_lossy(&script).into_owned();
    let solvers = args.whom.solvers()?;
    for solver in solvers.iter().filter(|s| s.profile.name == "any") {
        eprintln!("{}: no solver we know; `--profile z3` would say that it is like z3", solver.name);
    }
    let mut limits = Limits::of_time(Duration::try_from_secs_f64(args.timeout).context("--timeout")?);
    limits.memory = args.memory << 20;
    limits.address_space = !args.free_space;
    let mut runner = Runner::new(limits);
    let outputs = Outputs { model: !args.bare, core: !args.bare, reason: !args.bare };
    let asking = Asking { text: &script, script: read.as_ref().ok(), outputs, mode: args.way.into() };
    let mut rows = Vec::new();
    for solver in &solvers {
        rows.push(row(solver, check(&mut runner, solver, &asking)?));
    }
    if args.json {
        for row in &rows {
            println!("{}", row.json());
        }
    } else {
        for line in table(&rows) {
            println!("{}", fitted(&line));
        }
    }
    Ok(exit::FINE)
}
