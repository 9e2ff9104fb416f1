//! `gainsay drive`: the command line of a solver that has none.

use std::path::PathBuf;

use clap::Subcommand;

use crate::solver::{driver, fake};

/// Which solver to be.
#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    which: Which,
}

#[derive(Subcommand)]
enum Which {
    /// cvc5, from its C library
    #[command(disable_version_flag = true, disable_help_flag = true)]
    Cvc5(Library),
    /// Boolector, from its C library
    #[command(disable_version_flag = true, disable_help_flag = true)]
    Boolector(Library),
    /// Bitwuzla, from its Python module
    #[command(disable_version_flag = true, disable_help_flag = true)]
    Bitwuzla(Library),
    /// A solver that does what its plan says, for tests; also `--solver fake:PLAN`
    #[command(after_help = fake::plan::HELP)]
    Fake {
        /// Acts joined by commas for each `check-sat`; lists for several joined by semicolons
        plan: String,
        /// Options, all but the random number ignored; a script if the last one is a file
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        options: Vec<String>,
    },
    /// A child of the fake solver
    FakeChild {
        /// What kind of child
        kind: Vec<String>,
    },
}

#[derive(clap::Args)]
struct Library {
    /// The directory that the wheel was unpacked into
    dir: PathBuf,
    /// The solver's own options
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    options: Vec<String>,
}

/// Runs the command.
pub fn run(args: &Args) -> anyhow::Result<u8> {
    driver::plain_signals();
    let code = match &args.which {
        Which::Cvc5(l) => driver::cvc5::drive(&l.dir, &l.options)?,
        Which::Boolector(l) => driver::boolector::drive(&l.dir, &l.options)?,
        Which::Bitwuzla(l) => driver::python::bitwuzla(&l.dir, &l.options)?,
        Which::Fake { plan, options } => fake::drive(plan, options)?,
        Which::FakeChild { kind } => fake::child(kind)?,
    };
    Ok(code as u8)
}
