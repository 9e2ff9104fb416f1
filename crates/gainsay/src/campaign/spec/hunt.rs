//! The definition of a hunt: its strategies with their options, and its seeds.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::seed::Corpus;
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
}

impl SeedsSpec {
    /// The definition of these seeds.
    pub fn of(corpus: &Corpus, paths: Vec<PathBuf>) -> SeedsSpec {
        let mut hash = Sha256::new();
        corpus.seeds.iter().for_each(|seed| hash.update(seed.name.digest.as_bytes()));
        let digest = format!("{:.16}", format!("{:x}", hash.finalize()));
        SeedsSpec { count: corpus.seeds.len(), digest, paths }
    }
}
