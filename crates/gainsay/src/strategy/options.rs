//! Flags of strategies: declared once, and from that the command line, the configuration file and their checks.

use std::collections::BTreeMap;

/// What a flag takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// Nothing: it is there or not.
    Switch,
    /// A whole number from 0.
    Number,
    /// A word or text.
    Text,
}

/// A flag of a strategy. Several strategies may share one: then it is one flag for all of them.
#[derive(Debug)]
pub struct Flag {
    /// Its name without the dashes.
    pub name: &'static str,
    /// What it takes.
    pub value: Value,
    /// What it is if not given; empty for nothing.
    pub default: &'static str,
    /// What it does, in a line.
    pub about: &'static str,
}

/// Names that flags had before, each with the name of today. Stored campaigns and habits have the old ones.
const FORMER_NAMES: &[(&str, &str)] = &[("speakers", "readable-by")];

impl Flag {
    /// The name that it had before, which is still understood.
    pub fn former(&self) -> Option<&'static str> {
        FORMER_NAMES.iter().find(|(_, name)| *name == self.name).map(|(former, _)| *former)
    }
}

/// Why a flag's value cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("--{flag} {value}: {why}")]
pub struct BadOption {
    /// The flag.
    pub flag: String,
    /// What was given.
    pub value: String,
    /// Why not.
    pub why: String,
}

/// The values of a strategy's flags: what was given, else the default.
#[derive(Clone, Debug, Default)]
pub struct Options(BTreeMap<String, String>);

impl Options {
    /// Options for these flags from what was given.
    pub fn of(flags: &[Flag], given: &BTreeMap<String, String>) -> Options {
        let given = |flag: &Flag| given.get(flag.name).or_else(|| given.get(flag.former()?));
        let value = |flag: &Flag| given(flag).cloned().unwrap_or_else(|| flag.default.to_owned());
        Options(flags.iter().map(|flag| (flag.name.to_owned(), value(flag))).collect())
    }

    /// The text of a flag; empty if not given.
    pub fn text(&self, flag: &str) -> &str {
        self.0.get(flag).map_or("", String::as_str)
    }

    /// Whether a switch is on.
    pub fn is_on(&self, flag: &str) -> bool {
        self.text(flag) == "true"
    }

    /// The number of a flag.
    pub fn number(&self, flag: &str) -> Result<u64, BadOption> {
        let value = self.text(flag);
        let wrong = |_| self.bad(flag, "a whole number is wanted");
        value.parse().map_err(wrong)
    }

    /// What is wrong with a flag.
    pub fn bad(&self, flag: &str, why: &str) -> BadOption {
        BadOption { flag: flag.to_owned(), value: self.text(flag).to_owned(), why: why.to_owned() }
    }

    /// All flags and values, sorted: part of what a campaign is.
    pub fn all(&self) -> &BTreeMap<String, String> {
        &self.0
    }
}
