//! Choosing solvers by what a user writes: names, releases, ranges of releases, paths, entries of a file, option sets.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;

use serde::Deserialize;

use super::home::Home;
use super::install::{Installer, Outcome};
use crate::solver::id::split_words;
use crate::solver::pick::{Pick, Which};
use crate::solver::{Limits, Make, Profile, Runner, Solver, SolverError, SolverId};

/// No more witnesses are named than this. A campaign keeps their names and digests.
const MOST_WITNESSES: usize = 12;

/// A solver of the user's own, as `gainsay.toml` has it.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub struct OwnSolver {
    /// The program, or a solver we know, with options after it.
    pub command: String,
    /// The profile, if the program cannot be recognised.
    pub profile: Option<String>,
}

/// What somebody is told who named solvers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// The installation of this release begins.
    Begun(String),
    /// This release is installed now, below this folder.
    Done(String, PathBuf),
    /// A solver does not take the options of one of all its option sets, which is left out.
    LeftOut(SolverId, String),
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Step::Begun(name) => write!(f, "{name} is not installed: installing it"),
            Step::LeftOut(solver, config) => {
                write!(f, "{solver} does not take the options of configuration {config}: left out")
            }
            Step::Done(name, root) => write!(f, "{name}: installed in {}", root.display()),
        }
    }
}

/// How solvers are chosen.
pub struct Chooser<'a> {
    /// The user's own solvers, by the names that stand for them.
    pub own: &'a BTreeMap<String, OwnSolver>,
    /// The profile of solvers that cannot be recognised.
    pub profile: Option<&'a str>,
    /// Named option sets to try besides none; `all` stands for all of a profile.
    pub configs: &'a [String],
    /// What is told of installations, and of what is left out.
    pub tell: &'a dyn Fn(&Step),
}

impl Chooser<'_> {
    /// The solvers that texts name, each with every option set; with no text at all, the newest z3 and cvc5.
    ///
    /// A release that can be installed and is not there is installed.
    pub fn solvers(&self, texts: &[String]) -> Result<Vec<Solver>, SolverError> {
        let default = ["z3".to_owned(), "cvc5".to_owned()];
        let texts = if texts.is_empty() { &default } else { texts };
        let mut all = Vec::new();
        for text in texts {
            all.extend(each(text)?);
        }
        let mut found = Vec::new();
        for text in &all {
            let solver = self.entry(text)?;
            for config in self.configs {
                if config == "all" {
                    found.extend(self.configured(&solver)?);
                } else {
                    found.push(solver.with_config(config)?);
                }
            }
            found.push(solver);
        }
        Ok(found)
    }

    /// A solver with each option set of its profile that it takes.
    fn configured(&self, solver: &Solver) -> Result<Vec<Solver>, SolverError> {
        let mut runner = Runner::new(Limits::default());
        let mut found = Vec::new();
        for (name, options) in &solver.profile.configs {
            match solver.accepts(options, &mut runner)? {
                true => found.push(solver.with_config(name)?),
                false => (self.tell)(&Step::LeftOut(solver.name.clone(), name.clone())),
            }
        }
        runner.finish()?;
        Ok(found)
    }

    /// The solver that one text names: one of the user's own, or any other.
    fn entry(&self, text: &str) -> Result<Solver, SolverError> {
        let is_entry = self.own.contains_key(text);
        let name = if is_entry { Some(SolverId::of_entry(text)) } else { text.parse().ok() };
        let Some((name, entry)) = name.and_then(|name| Some((name.clone(), own_entry(&name, self.own)?)))
        else {
            return one(text, self.profile, self.tell);
        };
        let solver = one(&entry.command, entry.profile.as_deref().or(self.profile), self.tell)?;
        Ok(solver.renamed(name.without_options()).with_options(name.options()))
    }
}

/// The solver of the user's own that a name means, whatever options follow it.
pub fn own_entry<'a>(name: &SolverId, own: &'a BTreeMap<String, OwnSolver>) -> Option<&'a OwnSolver> {
    let meant = name.without_options();
    own.iter().find(|(key, _)| SolverId::of_entry(key) == meant).map(|(_, entry)| entry)
}

/// A range of releases, one by one; anything else as it is.
fn each(text: &str) -> Result<Vec<String>, SolverError> {
    let words = split_words(text).unwrap_or_default();
    let Some(first) = words.first().filter(|word| Make::of_word(word).1.is_some()) else {
        return Ok(vec![text.to_owned()]);
    };
    if !matches!(Pick::parse(first)?.which, Which::Between(..)) {
        return Ok(vec![text.to_owned()]);
    }
    let installer = Installer { home: Home::of_environment(), unlocked: false };
    Ok(installer.wanted(first)?.iter().map(|w| text.replacen(first.as_str(), &w.name(), 1)).collect())
}

/// The solver that a text names; a release that can be installed and is not there is installed.
pub fn one(text: &str, profile: Option<&str>, tell: &dyn Fn(&Step)) -> Result<Solver, SolverError> {
    let home = Home::of_environment();
    match Solver::named(text, &home, profile) {
        Err(SolverError::NotInstalled { name }) => {
            let installer = Installer { home: home.clone(), unlocked: false };
            for wanted in installer.wanted(&name)? {
                if wanted.profile.cargo.is_some() {
                    // It takes minutes to build: on request only.
                    return Err(SolverError::NotInstalled { name });
                }
                tell(&Step::Begun(name.clone()));
                if installer.install(&wanted)? == Outcome::New {
                    tell(&Step::Done(name.clone(), home.root().to_owned()));
                }
            }
            let first = split_words(text).unwrap_or_default().first().cloned().unwrap_or_default();
            Solver::named(&text.replacen(&first, &name, 1), &home, profile)
        }
        other => other,
    }
}

/// The installed releases that are not among these solvers: who may be asked when they disagree. The newest of each make come
/// first, those of makes that are not among the solvers before the others.
pub fn witnesses(solvers: &[Solver]) -> Vec<Solver> {
    let home = Home::of_environment();
    let mut found = Vec::new();
    for profile in Profile::all().iter().filter(|profile| profile.name != "any") {
        let present = solvers.iter().any(|solver| solver.profile.name == profile.name);
        let installed = home.installed(&profile.name);
        for (age, release) in installed.iter().rev().enumerate() {
            let witness = Solver::installed(profile, release, &home);
            if !solvers.iter().any(|solver| solver.name == witness.name) {
                found.push(((age > 0, present, age), witness));
            }
        }
    }
    found.sort_by_key(|(place, _)| *place);
    found.into_iter().map(|(_, witness)| witness).take(MOST_WITNESSES).collect()
}

/// The solvers as the option of strategies takes them that says who must read the cases: `z3@5.4.0,cvc5`.
pub fn readers(solvers: &[Solver]) -> String {
    let one = |s: &Solver| match &s.release {
        Some(release) => format!("{}@{release}", s.profile.name),
        None => s.profile.name.clone(),
    };
    solvers.iter().map(one).collect::<Vec<_>>().join(",")
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
