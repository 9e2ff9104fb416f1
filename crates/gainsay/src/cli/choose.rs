//! The flags that choose solvers.

use crate::config::Config;
use crate::solver::acquire::choose::{self, Chooser, Step};
use crate::solver::{Solver, SolverError};
use crate::study::{Ignored, SolverFinder};

/// Whom to ask, on the command line.
#[derive(clap::Args)]
pub struct Whom {
    /// A solver, with its options after it: z3, z3@4.8.7, ./build/z3, fake:PLAN (see `gainsay drive fake --help`)
    #[arg(long = "solver")]
    solvers: Vec<String>,
    /// The profile to use for a solver that gainsay does not recognise
    #[arg(long)]
    profile: Option<String>,
    /// Named option sets to try besides none: `all`, or names from `gainsay solvers list`
    #[arg(long, value_delimiter = ',')]
    configs: Vec<String>,
}

impl Whom {
    /// Whether anyone is named.
    pub fn is_given(&self) -> bool {
        !self.solvers.is_empty()
    }

    /// Whether anything is said about solvers.
    pub fn says_anything(&self) -> bool {
        self.is_given() || self.profile.is_some() || !self.configs.is_empty()
    }

    /// The solvers.
    pub fn solvers(&self) -> anyhow::Result<Vec<Solver>> {
        solvers(&self.solvers, self.profile.as_deref(), &self.configs)
    }
}

/// Says on standard error what is being installed.
fn tell(step: &Step) {
    eprintln!("{step}");
}

/// The solvers that texts name, each with every option set; names of the user's file count.
pub fn solvers(texts: &[String], profile: Option<&str>, configs: &[String]) -> anyhow::Result<Vec<Solver>> {
    let own = Config::read()?.solvers;
    Ok(Chooser { own: &own, profile, configs, tell: &tell }.solvers(texts)?)
}

/// Finds the solvers that findings name; names of the user's file count.
pub fn finder(config: &Config) -> SolverFinder<'_> {
    SolverFinder { own: &config.solvers, tell: &tell }
}

/// The faults that the user's file wants left out of lists.
pub fn ignored(config: &Config) -> Ignored<'_> {
    Ignored { titles: &config.ignore.titles, summaries: &config.ignore.summaries }
}

/// The solver that a text names.
pub fn one(text: &str, profile: Option<&str>) -> Result<Solver, SolverError> {
    choose::one(text, profile, &tell)
}
