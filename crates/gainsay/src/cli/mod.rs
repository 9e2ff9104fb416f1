//! The command line: one file per command; errors are printed once, here.

pub mod arguments;
mod bench;
mod check;
pub mod choose;
mod ci;
mod cluster;
mod columns;
mod completions;
mod decide;
mod drive;
mod eval;
mod evolve;
mod findings;
mod grammar;
mod hunt;
mod join;
mod log;
mod man;
mod matrix;
mod parse;
mod place;
mod print;
pub mod progress;
mod readable;
mod recheck;
mod reduce;
mod report;
mod rules;
mod settings;
pub mod signals;
mod solvers;
mod status;
mod store;
mod triage;
mod watch;
mod work;

use std::collections::BTreeSet;
use std::io::ErrorKind;
use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};

use arguments::{BadUsage, Unreadable, read_named};
pub use hunt::TimeLimitsName;
pub use watch::HuntWatcher;

use crate::config::{Config, ConfigError};
use crate::misspelt::UnknownName;
use crate::solver::AskMode;
use crate::study::Failure;

/// Finds, proves, shrinks and explains the bugs of SMT solvers.
#[derive(Parser)]
#[command(name = "gainsay", version = crate::PROGRAM, about, max_term_width = 80)]
struct Cli {
    #[command(subcommand)]
    command: Command,
    /// Write a log to standard error; -vv and -vvv write more
    #[arg(short, long, global = true, action = clap::ArgAction::Count)]
    verbose: u8,
}

#[derive(Subcommand)]
enum Command {
    /// Read scripts: which are accepted, what is in them, what is not understood
    Parse(parse::Args),
    /// Read a script and print it, one command a line
    Print(print::Args),
    /// Evaluate the assertions of a script under a model
    Eval(eval::Args),
    /// Decide each check of a script by trying all assignments
    Decide(decide::Args),
    /// Install, list and examine solvers
    #[command(subcommand)]
    Solvers(solvers::What),
    /// Run one file on several solvers side by side
    Check(check::Args),
    /// Hunt for bugs: make cases, run solvers, judge, confirm, record
    Hunt(Box<hunt::Args>),
    /// Take part in a campaign that is on a server, together with other machines
    Work(work::Args),
    /// Show how far a campaign on a server is, and who works on it
    Status(status::Args),
    /// Write job files that start workers on a cluster
    #[command(subcommand)]
    Cluster(cluster::What),
    /// Copy a campaign from a folder to a server, or back
    #[command(subcommand)]
    Store(store::What),
    /// List what a campaign found
    Findings(findings::Args),
    /// Show one finding, or print it as a report to the solver's maintainers
    Show(findings::Show),
    /// Check a finding again: evaluate its evidence and ask the solvers
    Replay(findings::Replay),
    /// Count the answers to tests by construction, by category and solver
    Matrix(matrix::Args),
    /// Write a report of a campaign: a web page, JSON, CSV or texts of issues
    Report(report::Args),
    /// Make a failing script as small as it can be while it still fails
    Reduce(Box<reduce::Args>),
    /// Ask another build about findings: which are fixed, which still fail, which changed
    Recheck(recheck::Args),
    /// Turn a campaign's findings into a short list worth reporting: reduce, find affected releases, group, rank
    Triage(triage::Args),
    /// Compare releases on small formulas: which are wrong or slow, and which release introduced or fixed a bug
    Evolve(Box<evolve::Args>),
    /// Check a build beside a release: fail if anything new is wrong, or if it is slower
    Ci(Box<ci::Args>),
    /// Write the cases of a strategy as files, without running anything
    Generate(hunt::Generate),
    /// Check, count and show grammars of small formulas
    #[command(subcommand)]
    Grammar(grammar::What),
    /// List the rules of approximation, prove them again, audit what is made with them
    Rules(rules::Args),
    /// Print what can be set in gainsay.toml
    Config,
    /// Print what a shell needs to complete commands and flags
    Completions(completions::Args),
    /// Print the manual page, or write one for each command
    Man(man::Args),
    /// Measure the speed of gainsay on this machine
    Bench(bench::Args),
    /// Be the command line of a solver that has none
    #[command(hide = true)]
    Drive(drive::Args),
    /// Keep a solver, and leave none behind
    #[command(hide = true)]
    Supervise {
        /// Keep the solver from sending signals to processes that are not its own
        #[arg(long)]
        confined: bool,
    },
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
    /// A file cannot be read or written, or the disk is full.
    pub const DISK: u8 = 5;
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
    ended(parsed().and_then(|cli| {
        // What a supervisor or driver prints is taken for the solver's.
        if !is_own_child() {
            log::start(cli.verbose)?;
        }
        run(cli.command)
    }))
}

/// Says what went wrong, if anything did, and tells the exit code.
pub fn ended(done: anyhow::Result<u8>) -> ExitCode {
    match done {
        Ok(code) => ExitCode::from(code),
        // Whoever reads what we print has read enough.
        Err(e) if e.downcast_ref::<std::io::Error>().is_some_and(|e| e.kind() == ErrorKind::BrokenPipe) => {
            ExitCode::from(exit::FINE)
        }
        Err(e) => {
            eprintln!("gainsay: {e:#}");
            ExitCode::from(code_of(&e))
        }
    }
}

/// Whether this process was started by another of ours, as a supervisor or the driver of a solver: its command line is fixed.
pub fn is_own_child() -> bool {
    std::env::args_os().nth(1).is_some_and(|arg| arg == "drive" || arg == "supervise")
}

/// The command line, with the defaults of the user's file.
fn parsed() -> anyhow::Result<Cli> {
    let args: Vec<_> = std::env::args_os().collect();
    if is_own_child() {
        return Ok(Cli::parse());
    }
    let args = settings::merged(&Cli::command(), args, &Config::read()?)?;
    Ok(Cli::try_parse_from(&args).unwrap_or_else(|e| place::hushed(e, &args).exit()))
}

/// Whether a command line is one of ours, without running it; else what is wrong with it.
pub fn accepts(args: &[&str]) -> Result<(), String> {
    match Cli::try_parse_from(args) {
        Err(e) if e.use_stderr() => Err(e.to_string()),
        _ => Ok(()),
    }
}

/// All long flags of all commands, without dashes.
pub fn flags() -> BTreeSet<String> {
    let mut left = vec![Cli::command()];
    let mut all = BTreeSet::new();
    while let Some(command) = left.pop() {
        all.extend(command.get_arguments().filter_map(clap::Arg::get_long).map(str::to_owned));
        left.extend(command.get_subcommands().cloned());
    }
    all.extend(["help".to_owned(), "version".to_owned()]);
    all
}

/// The exit code that an error means.
fn code_of(e: &anyhow::Error) -> u8 {
    if e.downcast_ref::<Unreadable>().is_some() {
        return exit::USAGE;
    }
    for cause in e.chain() {
        if cause.is::<BadUsage>() || cause.is::<ConfigError>() || cause.is::<UnknownName>() {
            return exit::USAGE;
        }
        match Failure::of(cause) {
            Some(Failure::Usage) => return exit::USAGE,
            Some(Failure::Solver) => return exit::SOLVER,
            Some(Failure::Disk) => return exit::DISK,
            None => {}
        }
    }
    exit::INTERNAL
}

fn run(command: Command) -> anyhow::Result<u8> {
    match command {
        Command::Parse(args) => parse::run(&args),
        Command::Print(args) => print::run(&args),
        Command::Eval(args) => eval::run(&args),
        Command::Decide(args) => decide::run(&args),
        Command::Solvers(what) => solvers::run(what),
        Command::Check(args) => check::run(&args),
        Command::Bench(args) => bench::run(&args),
        Command::Hunt(args) => hunt::run(*args),
        Command::Work(args) => work::run(&args),
        Command::Status(args) => status::run(&args),
        Command::Cluster(what) => cluster::run(&what),
        Command::Store(what) => store::run(&what),
        Command::Findings(args) => findings::run(&args),
        Command::Show(args) => findings::show(&args),
        Command::Replay(args) => findings::replay(&args),
        Command::Matrix(args) => matrix::run(&args),
        Command::Report(args) => report::run(&args),
        Command::Reduce(args) => reduce::run(&args),
        Command::Recheck(args) => recheck::run(&args),
        Command::Triage(args) => triage::run(&args),
        Command::Evolve(args) => evolve::run(&args),
        Command::Ci(args) => ci::run(&args),
        Command::Generate(args) => hunt::generate(&args),
        Command::Grammar(what) => grammar::run(&what),
        Command::Rules(args) => rules::run(&args),
        Command::Config => {
            settings::print_keys(&Cli::command());
            Ok(exit::FINE)
        }
        Command::Completions(args) => completions::run(&args, &Cli::command()),
        Command::Man(args) => man::run(&args, &Cli::command()),
        Command::Drive(args) => drive::run(&args),
        Command::Supervise { confined } => {
            let served = crate::solver::process::supervise::serve(confined);
            served.map(|()| exit::FINE).map_err(anyhow::Error::from)
        }
    }
}

/// How to ask, on the command line.
#[derive(Clone, Copy, clap::ValueEnum)]
enum AskModeName {
    Fresh,
    Reset,
    Scoped,
}

impl From<AskModeName> for AskMode {
    fn from(name: AskModeName) -> AskMode {
        match name {
            AskModeName::Fresh => AskMode::Fresh,
            AskModeName::Reset => AskMode::Reset,
            AskModeName::Scoped => AskMode::Scoped,
        }
    }
}

/// Where a campaign is kept if nothing else is said.
const STORE: &str = "gainsay-campaign";

#[cfg(test)]
mod tests {
    use super::*;

    /// Every command, with the names that lead to it.
    fn every(command: &clap::Command, path: &str, each: &mut impl FnMut(&str, &clap::Command)) {
        each(path, command);
        for sub in command.get_subcommands().filter(|sub| !sub.is_hide_set()) {
            every(sub, &format!("{path} {}", sub.get_name()), each);
        }
    }

    #[test]
    fn help_fits_eighty_columns() {
        let mut all = Cli::command();
        all.build();
        let mut seen = 0;
        every(&all, "gainsay", &mut |path, command| {
            for help in [command.clone().render_help(), command.clone().render_long_help()] {
                for line in help.to_string().lines() {
                    assert!(line.chars().count() <= 80, "{path}: {line}");
                    seen += 1;
                }
            }
        });
        assert!(seen > 500, "{seen} lines were looked at");
    }
}
