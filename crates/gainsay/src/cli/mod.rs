//! The command line: one file per command.

mod parse;
mod print;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Finds, proves, shrinks and explains the bugs of SMT solvers.
#[derive(Parser)]
#[command(name = "gainsay", version, about)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Parse(parse::Arguments),
    Print(print::Arguments),
}

/// Runs the command that the arguments name.
pub fn run() -> anyhow::Result<ExitCode> {
    match Arguments::parse().command {
        Command::Parse(arguments) => parse::run(&arguments),
        Command::Print(arguments) => print::run(&arguments),
    }
}
