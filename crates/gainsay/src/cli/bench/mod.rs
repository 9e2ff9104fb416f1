//! `gainsay bench`: what our parts cost on this machine, in numbers that can be had again.

pub mod construct;
pub mod enumerate;
mod hunt;
mod known;
pub mod make;
mod mutants;
mod recall;
mod reduce;
mod side;
mod store;
mod ways;

use clap::Subcommand;

/// What to measure.
#[derive(Subcommand)]
pub enum What {
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
    /// Reduction: bytes before and after, calls and CPU time, side by side with ddSMT where a command decides
    Reduce(reduce::Args),
    /// The server of many machines: what a lease costs it
    Store(store::Args),
    /// Mutants: whether solvers read what strategies make, and what they say if not
    Mutants(mutants::Args),
}

/// Runs the command.
pub fn run(what: &What) -> anyhow::Result<u8> {
    match what {
        What::Make(args) => make::run(args),
        What::Enumerate => enumerate::run(),
        What::Construct => construct::run(),
        What::Solvers(args) => ways::run(args),
        What::Hunt(args) => hunt::run(args),
        What::Reduce(args) => reduce::run(args),
        What::Store(args) => store::run(args),
        What::Mutants(args) => mutants::run(args),
    }
}

/// CPU seconds of this thread.
fn thread_cpu() -> f64 {
    let t = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    t.tv_sec as f64 + t.tv_nsec as f64 / 1e9
}
