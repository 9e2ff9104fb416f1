//! The command line: one file per command; errors are printed once, here.

mod bench;
mod check;
mod choose;
mod doctor;
mod drive;
mod eval;
mod parse;
mod print;
mod progress;
mod solvers;

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use clap::{Parser, Subcommand};

use crate::solver::SolverError;

/// Finds, proves, shrinks and explains the bugs of SMT solvers.
#[derive(Parser)]
#[command(name = "gainsay", version, about, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Read scripts: which are accepted, what is in them, what is not understood
    Parse(parse::Args),
    /// Read a script and print it, one command a line
    Print(print::Args),
    /// Evaluate the assertions of a script under a model
    Eval(eval::Args),
    /// Install, list and examine solvers
    #[command(subcommand)]
    Solvers(solvers::What),
    /// Run one file on several solvers side by side
    Check(check::Args),
    /// Measure what our parts cost on this machine
    #[command(subcommand)]
    Bench(bench::What),
    /// Be the command line of a solver that has none
    #[command(hide = true)]
    Drive(drive::Args),
    /// Keep a solver, and leave none behind
    #[command(hide = true)]
    Supervise,
}

/// A file on the command line that cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("cannot read {}{}", place.display(), if *directory { ": it is a directory; name one script" } else { "" })]
struct Unreadable {
    place: PathBuf,
    directory: bool,
}

/// Reads a file that the command line names.
fn read_named(place: &Path) -> anyhow::Result<Vec<u8>> {
    let unreadable = |directory: bool| Unreadable { place: place.to_owned(), directory };
    if place.is_dir() {
        return Err(unreadable(true).into());
    }
    std::fs::read(place).with_context(|| unreadable(false))
}

/// Exit codes, the same for every command.
pub mod exit {
    /// All is well.
    pub const FINE: u8 = 0;
    /// Something that was asked about is not so: a script is refused, an assertion is false.
    pub const NOT_SO: u8 = 1;
    /// The command line makes no sense (clap says so itself), or names a file that cannot be read.
    pub const USAGE: u8 = 2;
    /// We failed.
    pub const INTERNAL: u8 = 3;
    /// A solver cannot be found, had or started.
    pub const SOLVER: u8 = 4;
    /// Something was found.
    pub const FINDINGS: u8 = 10;
}

/// A reader that has seen enough (`gainsay … | head`) is no failure of ours.
fn end_quietly_without_reader() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        let said = panic.payload().downcast_ref::<String>().map_or("", String::as_str);
        if said.starts_with("failed printing to stdout") {
            std::process::exit(i32::from(exit::FINE));
        }
        usual(panic);
    }));
}

/// Runs the command that the arguments name.
pub fn main() -> ExitCode {
    end_quietly_without_reader();
    let cli = Cli::parse();
    let done = match cli.command {
        Command::Parse(args) => parse::run(&args),
        Command::Print(args) => print::run(&args),
        Command::Eval(args) => eval::run(&args),
        Command::Solvers(what) => solvers::run(what),
        Command::Check(args) => check::run(&args),
        Command::Bench(what) => bench::run(&what),
        Command::Drive(args) => drive::run(&args),
        Command::Supervise => {
            crate::solver::supervise::serve().map(|()| exit::FINE).map_err(anyhow::Error::from)
        }
    };
    match done {
        Ok(code) => ExitCode::from(code),
        // Whoever reads what we print has read enough.
        Err(e) if e.downcast_ref::<std::io::Error>().is_some_and(|e| e.kind() == ErrorKind::BrokenPipe) => {
            ExitCode::from(exit::FINE)
        }
        Err(e) => {
            eprintln!("gainsay: {e:#}");
            let by_solver = e.chain().any(|c| c.downcast_ref::<SolverError>().is_some());
            let by_user = e.downcast_ref::<Unreadable>().is_some();
            ExitCode::from(match (by_solver, by_user) {
                (true, _) => exit::SOLVER,
                (false, true) => exit::USAGE,
                (false, false) => exit::INTERNAL,
            })
        }
    }
}
