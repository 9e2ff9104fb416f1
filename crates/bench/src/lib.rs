//! What the parts of gainsay cost on this machine, in figures that can be measured again: `gainsay bench`.

pub mod construct;
pub mod enumerate;
mod hunt;
mod innocence;
mod known;
pub mod make;
mod mutants;
mod recall;
mod reduce;
mod side;
mod store;
mod ways;

use std::time::Duration;

use clap::{Parser, Subcommand};
use dashu_int::UBig;
use gainsay::cli::arguments::BadUsage;
use gainsay::strategy::enumerate::{Formulas, source};

/// Measures what the parts of gainsay cost on this machine.
#[derive(Parser)]
#[command(name = "gainsay-bench", bin_name = "gainsay bench", version = gainsay::PROGRAM, about, max_term_width = 80)]
pub struct Cli {
    #[command(subcommand)]
    what: What,
}

/// What to measure.
#[derive(Subcommand)]
enum What {
    /// Mutation: what making and printing one mutant costs, beside yinyang where Python has it
    Make(make::Args),
    /// Enumeration: formulas a second, and how soon a far one is there
    Enumerate,
    /// Construction: tests whose answer is known, a second
    Construct,
    /// Ways of asking a solver: formulas per second, agreement, and how many known faults each way shows
    Solvers(ways::Args),
    /// The hunt: turns a second with solvers that cost nothing, and whose the CPU time is with real ones
    Hunt(hunt::Args),
    /// Innocence: every accusation of solvers that are supposed to be right, with its evidence, for a person to judge
    Innocence(Box<innocence::Args>),
    /// Reduction: bytes before and after, calls and CPU time, side by side with ddSMT where a command decides
    Reduce(reduce::Args),
    /// The server of many machines: what a lease costs it
    Store(store::Args),
    /// Mutants: whether solvers read what strategies make, and what they say if not
    Mutants(mutants::Args),
}

/// Measures what the arguments name.
pub fn run(cli: &Cli) -> anyhow::Result<u8> {
    match &cli.what {
        What::Make(args) => make::run(args),
        What::Enumerate => enumerate::run(),
        What::Construct => construct::run(),
        What::Solvers(args) => ways::run(args),
        What::Hunt(args) => hunt::run(args),
        What::Innocence(args) => innocence::run(args),
        What::Reduce(args) => reduce::run(args),
        What::Store(args) => store::run(args),
        What::Mutants(args) => mutants::run(args),
    }
}

/// CPU time of this process, its threads included.
fn own_cpu() -> Duration {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::new(now.tv_sec as u64, now.tv_nsec as u32)
}

/// CPU seconds of this thread.
fn thread_cpu() -> f64 {
    let t = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    t.tv_sec as f64 + t.tv_nsec as f64 / 1e9
}

/// The first formulas of a grammar.
fn first_formulas(grammar: &str, count: usize) -> anyhow::Result<Vec<String>> {
    let formulas = Formulas::of(&source::named(grammar, "").map_err(BadUsage)?)?;
    Ok((0..count).map_while(|i| formulas.at(&UBig::from(i))).collect())
}
