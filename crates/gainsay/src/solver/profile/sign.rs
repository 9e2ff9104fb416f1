//! Signs: patterns of lines that a solver prints, and what they mean.

use regex_lite::Regex;
use serde::{Deserialize, Deserializer, Serialize};

/// What kind of thing a line of output tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum SignKind {
    /// The solver gave up for want of time.
    Time,
    /// The solver gave up for want of memory.
    Memory,
    /// The solver's own check refuted its model, core or proof.
    SelfCheck,
    /// An assertion failed, or unreachable code was reached.
    Assertion,
    /// A sanitizer complained.
    Sanitizer,
    /// The solver says that it does not do this.
    Rejected,
    /// The solver refuses for what a session did before.
    Worn,
}

/// Where a sign is looked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Within {
    /// In lines that are no part of a parsed reply, and in standard error.
    #[default]
    Noise,
    /// In the text of an `(error "…")`.
    Error,
}

/// A pattern and what it means when it is there.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SignRule {
    /// What it means.
    pub kind: SignKind,
    /// Where it is looked for.
    #[serde(default)]
    pub within: Within,
    /// The pattern; its groups `file`, `line` and `text` are reported.
    #[serde(rename = "match", deserialize_with = "multi_line")]
    pub pattern: Regex,
}

/// Reads a pattern in which `^` and `$` are the ends of lines.
pub(super) fn multi_line<'de, D: Deserializer<'de>>(d: D) -> Result<Regex, D::Error> {
    let text = String::deserialize(d)?;
    Regex::new(&format!("(?m){text}")).map_err(serde::de::Error::custom)
}
