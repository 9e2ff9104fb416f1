//! Solvers that can be started.

use std::sync::Arc;

use smt::ModelDialect;
use smt::value::literal::Escapes;

use super::SolverError;
use super::id::SolverId;
use super::launch::Launch;
use super::profile::{Flag, Input, Profile, Promise, fill, is_text_setting, on_command_line};
use super::release::Release;

/// A solver that can be started.
#[derive(Clone, Debug)]
pub struct Solver {
    /// What it is called in tables and findings, such as `z3@4.8.7 smt.bv.solver=2`.
    pub name: SolverId,
    /// What is known of it.
    pub profile: Arc<Profile>,
    /// Which release it is, if that is known.
    pub release: Option<Release>,
    /// What to start.
    pub(super) base: Launch,
    /// The options a person or a configuration adds.
    pub options: Vec<String>,
}

impl Solver {
    /// Whether it is our own fake, which only passes for the solver of its profile.
    pub fn is_fake(&self) -> bool {
        self.name.is_fake()
    }

    /// A digest of the program and its arguments: another program has another.
    pub fn digest(&self) -> String {
        use sha2::{Digest, Sha256};
        let mut hash = Sha256::new();
        hash.update(std::fs::read(&self.base.program).unwrap_or_default());
        for word in self.base.argv.iter().chain(&self.options) {
            hash.update([0]);
            hash.update(word);
        }
        format!("{:x}", hash.finalize())
    }

    /// Whether it departs from the standard in this.
    pub fn has(&self, flag: Flag) -> bool {
        self.profile.has(flag, self.release.as_ref())
    }

    /// Which escapes it reads in the strings of a script.
    pub fn reads(&self) -> Escapes {
        match (self.has(Flag::OldEscapes), self.has(Flag::NoUnicodeEscapes)) {
            (false, _) => Escapes::Standard,
            (true, true) => Escapes::OldZ3,
            (true, false) => Escapes::MixedZ3,
        }
    }

    /// How it spells values in models, for [`smt::Model::read_in`].
    pub fn manner(&self) -> ModelDialect {
        let escapes = if self.has(Flag::BareBackslashes) { Escapes::BareZ3 } else { self.reads() };
        ModelDialect { escapes, rounded: self.has(Flag::RoundedDecimals) }
    }

    /// Whether it reads a command.
    pub fn reads_command(&self, row: &smt::command::CommandRow) -> bool {
        let release = self.release.as_ref().map(Release::number);
        row.is_read_by(&self.profile.name, release)
    }

    /// What the goals promise that `apply` makes with a tactic; none if that is not known.
    pub fn promise(&self, tactic: &str) -> Option<Promise> {
        self.profile.tactics.promise(tactic)
    }

    /// Whether it is sent an option that a script sets. An option that no profile knows is sent as it is: seeds have none.
    pub fn takes_option(&self, key: &str, value: &str) -> bool {
        self.profile.allows(self.release.as_ref(), key, value) || !Profile::is_known_option(key)
    }

    /// The same solver with a named option set of its profile.
    pub fn with_config(&self, config: &str) -> Result<Solver, SolverError> {
        let Some(options) = self.profile.configs.get(config) else {
            let there: Vec<&str> = self.profile.configs.keys().map(String::as_str).collect();
            return Err(SolverError::NoConfig {
                solver: self.name.to_string(),
                wanted: config.to_owned(),
                there: match there.as_slice() {
                    [] => "it has none".to_owned(),
                    some => format!("it has {}", some.join(", ")),
                },
            });
        };
        Ok(self.with_options(options))
    }

    /// The same solver with more options.
    #[must_use]
    pub fn with_options(&self, options: &[String]) -> Solver {
        let mut other = self.clone();
        other.options.extend(options.iter().cloned());
        other.name = self.name.with_options(&[self.name.options(), options].concat());
        other
    }

    /// The same solver without the options that its name gives; those of an entry in `gainsay.toml` belong to the entry.
    #[must_use]
    pub fn without_options(&self) -> Solver {
        let mut other = self.clone();
        other.options.truncate(self.options.len().saturating_sub(self.name.options().len()));
        other.name = self.name.without_options();
        other
    }

    /// The same solver under a name of its own, as an entry in `gainsay.toml` gives it one.
    #[must_use]
    pub fn renamed(&self, name: SolverId) -> Solver {
        Solver { name, ..self.clone() }
    }

    /// The same solver with its random number set.
    #[must_use]
    pub fn with_seed(&self, seed: u64) -> Solver {
        self.with_options(&fill(&self.profile.run.seed, &[("seed", seed)]))
    }

    /// The same, giving up after so many units of what it counts itself.
    #[must_use]
    pub fn with_units(&self, units: u64) -> Solver {
        self.with_options(&fill(&self.profile.run.units, &[("units", units)]))
    }

    /// Whether its options ask for minimal cores.
    pub fn minimises(&self) -> bool {
        let wanted = &self.profile.run.minimal_cores;
        !wanted.is_empty() && wanted.iter().all(|option| self.options.contains(option))
    }

    /// What to start, with these arguments before the person's options.
    pub(super) fn launch(&self, extra: &[String]) -> Launch {
        let mut launch = self.base.clone();
        launch.argv.extend(extra.iter().cloned());
        launch.argv.extend(on_command_line(&self.options).cloned());
        launch
    }

    /// Whether another solver is started in the same way and understood in the same way.
    pub(super) fn is_same_program(&self, other: &Solver) -> bool {
        Arc::ptr_eq(&self.profile, &other.profile) && self.base == other.base && self.options == other.options
    }

    /// Whether it is another solver of the same program with more options.
    pub fn is_variant_of(&self, other: &Solver) -> bool {
        Arc::ptr_eq(&self.profile, &other.profile)
            && self.base == other.base
            && self.options.len() > other.options.len()
            && self.options.starts_with(&other.options)
    }

    /// Whether a script is changed for it: it has a tactic or a simplifier.
    pub fn has_text_settings(&self) -> bool {
        self.options.iter().any(|option| is_text_setting(option))
    }

    /// Its program and options, for a command that is given the path of a script and does not read standard input.
    pub fn command(&self) -> Vec<String> {
        let program = self.base.program.display().to_string();
        [program].into_iter().chain(on_command_line(&self.options).cloned()).collect()
    }

    /// How it takes its script.
    pub(super) fn input(&self) -> Input {
        self.profile.run.input
    }
}
