//! The definition of the settings that a hunt draws: options, tactics and simplifiers of its solvers.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::solver::{Setting, SolverId};

/// The settings that a hunt draws.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OptionsSpec {
    /// Where the settings come from.
    pub from: OptionsSource,
    /// The settings of each solver that it accepts.
    pub settings: BTreeMap<SolverId, Vec<Setting>>,
}

/// Where settings come from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OptionsSource {
    /// The safe rows of the profiles.
    Safe,
    /// All rows of the profiles but those that maintainers refuse.
    All,
    /// A file of the user's own, by its digest.
    File(String),
}

impl OptionsSource {
    /// The word for it, as `--options` takes it; the digest of a file.
    pub fn word(&self) -> String {
        match self {
            OptionsSource::Safe => "safe".to_owned(),
            OptionsSource::All => "all".to_owned(),
            OptionsSource::File(digest) => format!("a file with digest {digest:.16}"),
        }
    }
}
