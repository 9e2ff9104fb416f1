//! Flags of strategies. The command line, the configuration file and their checks are made from these declarations.

use std::collections::BTreeMap;

/// The kind of value that a flag takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// No value: the flag is given or not.
    Switch,
    /// A whole number from 0.
    Number,
    /// A text.
    Text,
}

/// A flag of a strategy. Strategies with a flag of the same name share it.
#[derive(Debug)]
pub struct Flag {
    /// The name of the flag without the dashes.
    pub name: &'static str,
    /// The kind of value that it takes.
    pub value: Value,
    /// The value if the flag is not given; empty for none.
    pub default: &'static str,
    /// A description of the flag in one line.
    pub about: &'static str,
}

/// Former names of flags, each with the current name. Stored campaigns have the former ones.
const FORMER_NAMES: &[(&str, &str)] = &[("speakers", "readable-by")];

impl Flag {
    /// The former name of the flag, which is still accepted.
    pub fn former(&self) -> Option<&'static str> {
        FORMER_NAMES.iter().find(|(_, name)| *name == self.name).map(|(former, _)| *former)
    }
}

/// The error that the value of a flag cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("--{flag} {value}: {why}")]
pub struct BadOption {
    /// The name of the flag.
    pub flag: String,
    /// The value that was given.
    pub value: String,
    /// Why it cannot be used.
    pub why: String,
}

/// The values of a strategy's flags: the given ones, otherwise the defaults.
#[derive(Clone, Debug, Default)]
pub struct Options(BTreeMap<String, String>);

impl Options {
    /// The values of these flags, with `given` as the given ones.
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

    /// The error that the value of a flag cannot be used, with the reason.
    pub fn bad(&self, flag: &str, why: &str) -> BadOption {
        BadOption { flag: flag.to_owned(), value: self.text(flag).to_owned(), why: why.to_owned() }
    }

    /// All flags and values, sorted. They are part of the definition of a campaign.
    pub fn all(&self) -> &BTreeMap<String, String> {
        &self.0
    }
}
