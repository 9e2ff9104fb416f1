//! Choosing solvers: what was written after `--solver`, entries of `gainsay.toml`, and option sets.

use crate::config::Config;
use crate::solver::acquire::home::Home;
use crate::solver::acquire::install::{Installer, Outcome};
use crate::solver::named::{FAKE, split_words};
use crate::solver::release::{Pick, Which};
use crate::solver::{Solver, SolverError};

/// Whom to ask, on the command line.
#[derive(clap::Args)]
pub struct Whom {
    /// A solver: z3, z3@4.8.7, ./build/z3, fake:PLAN (see `gainsay drive fake --help`), each with options after it
    #[arg(long = "solver")]
    solvers: Vec<String>,
    /// The profile of solvers that cannot be recognised
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

    /// The solvers.
    pub fn solvers(&self) -> anyhow::Result<Vec<Solver>> {
        solvers(&self.solvers, self.profile.as_deref(), &self.configs)
    }
}

/// The solvers that texts name, each with every option set asked for.
///
/// With no text at all: the newest z3 and cvc5. A release that can be had and is not there is installed, and said so.
pub fn solvers(texts: &[String], profile: Option<&str>, configs: &[String]) -> anyhow::Result<Vec<Solver>> {
    let file = Config::read()?;
    let default = ["z3".to_owned(), "cvc5".to_owned()];
    let texts = if texts.is_empty() { &default } else { texts };
    let mut found = Vec::new();
    let mut all = Vec::new();
    for text in texts {
        all.extend(each(text)?);
    }
    for text in &all {
        let solver = match file.solvers.get(text) {
            Some(entry) => {
                let mut solver = one(&entry.command, entry.profile.as_deref().or(profile))?;
                solver.name.clone_from(text);
                solver
            }
            None => one(text, profile)?,
        };
        for config in configs {
            if config == "all" {
                for name in solver.profile.configs.keys() {
                    found.push(solver.with_config(name)?);
                }
            } else {
                found.push(solver.with_config(config)?);
            }
        }
        found.push(solver);
    }
    Ok(found)
}

/// A range of releases, one by one; anything else as it is.
fn each(text: &str) -> Result<Vec<String>, SolverError> {
    let words = split_words(text);
    let Some(first) = words.first().filter(|w| w.contains('@') && !w.contains('/') && !w.starts_with(FAKE))
    else {
        return Ok(vec![text.to_owned()]);
    };
    if !matches!(Pick::parse(first)?.which, Which::Between(..)) {
        return Ok(vec![text.to_owned()]);
    }
    let installer = Installer { home: Home::of_environment(), unlocked: false };
    Ok(installer.wanted(first)?.iter().map(|w| text.replacen(first.as_str(), &w.name(), 1)).collect())
}

/// The solver that a text names; a release that can be had and is not there is installed.
pub fn one(text: &str, profile: Option<&str>) -> Result<Solver, SolverError> {
    let home = Home::of_environment();
    match Solver::named(text, &home, profile) {
        Err(SolverError::NotInstalled { name }) => {
            let installer = Installer { home: home.clone(), unlocked: false };
            for wanted in installer.wanted(&name)? {
                if wanted.profile.cargo.is_some() {
                    // It takes minutes to build: on request only.
                    return Err(SolverError::NotInstalled { name });
                }
                eprintln!("{name} is not installed: installing it");
                if installer.install(&wanted)? == Outcome::New {
                    eprintln!("{name}: installed in {}", home.root().display());
                }
            }
            let first = split_words(text).first().cloned().unwrap_or_default();
            Solver::named(&text.replacen(&first, &name, 1), &home, profile)
        }
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_many() {
        let names = each("z3@4.8.5..4.8.7 -v:1").expect("a range");
        assert_eq!(names, ["z3@4.8.5 -v:1", "z3@4.8.6 -v:1", "z3@4.8.7 -v:1"]);
        assert_eq!(each("cvc5 --strings-exp").expect("one"), ["cvc5 --strings-exp"]);
        assert_eq!(each("./a@b/z3").expect("a path"), ["./a@b/z3"]);
        assert_eq!(each("fake:print=z3@1..2").expect("a plan"), ["fake:print=z3@1..2"]);
        assert!(each("z3@1..2").is_err());
    }
}
