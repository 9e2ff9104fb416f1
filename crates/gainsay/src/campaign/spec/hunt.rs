//! The definition of a hunt: its strategies with their options, and its seeds.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::options::OptionsSpec;
use crate::seed::{Corpus, Keep};
use crate::solver::profile::Profile;
use crate::strategy::{self, BadOption, Options, Strategy};

/// A hunt.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HuntSpec {
    /// The strategies, in the order in which they take turns.
    pub strategies: Vec<StrategySpec>,
    /// The texts of grammars that options name as files.
    pub grammars: BTreeMap<String, String>,
    /// The seeds.
    pub seeds: SeedsSpec,
    /// How many series of a strategy get their first turns before one of them gets more.
    pub breadth: u64,
    /// Whether seeds were left out that folding decides or that no solver answers.
    pub prepare: bool,
    /// If given, every strategy makes one series of each seed, of at most so many turns, and the hunt ends. If not, strategies
    /// draw seeds, and series are as long as their strategies make them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mutants: Option<u32>,
    /// How much time a question has.
    #[serde(default, skip_serializing_if = "TimeLimits::is_fixed")]
    pub time_limits: TimeLimits,
    /// The seeds of which no mutants are made.
    #[serde(default, skip_serializing_if = "SeedsLeftOut::is_none")]
    pub leave_out: SeedsLeftOut,
    /// The settings that are drawn for solvers; none if they are asked with their own options only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub options: Option<OptionsSpec>,
}

/// How much time a question of a hunt has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TimeLimits {
    /// Each has the time of the campaign.
    #[default]
    Fixed,
    /// Each has a small multiple of what the solver took for the seed, and more only while time-outs take a small share of all
    /// time.
    Fitted,
}

impl TimeLimits {
    /// The word for it, as `--limits` takes it.
    pub fn word(self) -> &'static str {
        match self {
            TimeLimits::Fixed => "fixed",
            TimeLimits::Fitted => "fitted",
        }
    }

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it with a reference")]
    fn is_fixed(&self) -> bool {
        *self == TimeLimits::Fixed
    }
}

/// The seeds of which no mutants are made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SeedsLeftOut {
    /// For each solver those that it refuses as they are, or on which it fails.
    pub failing: bool,
    /// Those that folding alone decides.
    pub folded: bool,
}

impl SeedsLeftOut {
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it with a reference")]
    fn is_none(&self) -> bool {
        *self == SeedsLeftOut::default()
    }
}

/// A strategy with all its options.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StrategySpec {
    /// Its name.
    pub name: String,
    /// The values of its flags.
    pub options: BTreeMap<String, String>,
}

impl StrategySpec {
    /// Builds the strategy with flags as they were given.
    pub fn given(
        name: &str,
        flags: &BTreeMap<String, String>,
    ) -> Result<(StrategySpec, Built), StrategyError> {
        let Some(entry) = strategy::named(name) else {
            return Err(StrategyError::Unknown(name.to_owned()));
        };
        let options = Options::of(entry.flags, flags);
        let built = (entry.build)(&options)?;
        Ok((
            StrategySpec { name: entry.name.to_owned(), options: options.all().clone() },
            (entry.name, built),
        ))
    }

    /// Builds the strategy.
    pub fn build(&self) -> Result<Built, StrategyError> {
        StrategySpec::given(&self.name, &self.options).map(|(_, built)| built)
    }
}

/// A strategy that was built, and its name.
pub type Built = (&'static str, Box<dyn Strategy>);

/// The reason why a strategy cannot be built.
#[derive(Debug, thiserror::Error)]
pub enum StrategyError {
    /// There is none of that name.
    #[error("there is no strategy {0}")]
    Unknown(String),
    /// An option has a value that makes no sense.
    #[error(transparent)]
    Option(#[from] BadOption),
}

/// The seeds of a hunt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SeedsSpec {
    /// How many there are.
    pub count: usize,
    /// A digest of the digests of all, in their order.
    pub digest: String,
    /// Where they were read from; empty for those that come with the program. This is not part of a campaign's identity.
    pub paths: Vec<PathBuf>,
    /// Whether seeds are bare: only what declares, asserts and checks.
    pub bare: bool,
}

/// What seeds keep of their files: everything that some solver may be sent, unless they are bare.
pub fn keep(bare: bool) -> Keep {
    if bare { Keep::Bare } else { Keep::Commands(Profile::any_allows) }
}

impl SeedsSpec {
    /// What the seeds keep of their files.
    pub fn keep(&self) -> Keep {
        keep(self.bare)
    }

    /// The definition of these seeds.
    pub fn of(corpus: &Corpus, paths: Vec<PathBuf>) -> SeedsSpec {
        let mut hash = Sha256::new();
        corpus.seeds.iter().for_each(|seed| hash.update(seed.name.digest.as_bytes()));
        let digest = format!("{:.16}", format!("{:x}", hash.finalize()));
        SeedsSpec { count: corpus.seeds.len(), digest, paths, bare: corpus.bare }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A solver is sent a part of what a seed keeps: what changes meaning or touches files must not be in it.
    #[test]
    fn no_seed_keeps_what_changes_meaning_or_touches_files() {
        let hostile = [
            "(set-option :numeral-as-real true)",
            "(set-option :encoding ascii)",
            "(set-option :strings-alphabet-card 3)",
            "(set-option :regular-output-channel \"/tmp/out\")",
            "(set-option :diagnostic-output-channel \"/tmp/out\")",
            "(set-option :fp.spacer.whatever true)",
            "(set-option :timeout 1)",
            "(set-option :rlimit 1)",
            "(set-option :print-success true)",
            "(include \"/etc/passwd\")",
            "(set-feature x)",
            "(block-model :literals)",
            "(minimize 1)",
            "(assert-soft false)",
        ];
        let tame = "(set-option :produce-models true)";
        for bare in [false, true] {
            for command in hostile {
                let text = format!("{command}{tame}(assert true)(check-sat)");
                let corpus = Corpus::of_texts(&[("seed", &text)], keep(bare));
                let seed = corpus.seeds.first().unwrap_or_else(|| panic!("{command}: {}", corpus.reasons()));
                let kept = seed.script().text();
                assert_eq!(kept.contains(tame), !bare, "{command}");
                assert_eq!(kept.matches('(').count(), if bare { 2 } else { 3 }, "{kept}");
                assert!(corpus.dropped.values().sum::<usize>() >= 1, "{command}");
            }
        }
    }
}
