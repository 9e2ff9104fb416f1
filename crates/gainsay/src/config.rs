//! The user's file, `gainsay.toml`: solvers of one's own, what to ignore, and defaults of flags.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::solver::acquire::choose::OwnSolver;

/// The user's own file, in the directory where the command runs.
pub const FILE: &str = "gainsay.toml";

/// What is wrong with the file.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// It cannot be read.
    #[error("{0}: {1}")]
    Unreadable(PathBuf, std::io::Error),
    /// It is not well-formed, or says something unknown.
    #[error("{place}:{line}:{column}: {why}")]
    Wrong {
        /// The file.
        place: PathBuf,
        /// From 1.
        line: usize,
        /// From 1.
        column: usize,
        /// What is wrong.
        why: String,
    },
}

/// What is counted and not recorded.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub struct Ignore {
    /// Findings whose summary contains one of these texts, or is one with `*` for anything.
    #[serde(default)]
    pub summaries: Vec<String>,
    /// The same of the titles of reports, which name kind, operators and accused; known only once a finding is there, so these
    /// are left out of lists.
    #[serde(default)]
    pub titles: Vec<String>,
}

/// The file, read.
#[derive(Debug, Default)]
pub struct Config {
    place: PathBuf,
    text: String,
    /// Solvers by the names that `--solver` takes.
    pub solvers: BTreeMap<String, OwnSolver>,
    /// What is not recorded.
    pub ignore: Ignore,
    /// Defaults of flags, by command: name, position and values.
    commands: BTreeMap<String, Vec<FlagDefault>>,
}

/// A default of a flag.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FlagDefault {
    /// The flag, without dashes.
    pub flag: String,
    /// Its values, as one would type them.
    pub values: Vec<String>,
    /// Where it stands, in bytes.
    pub offset: usize,
}

/// The sections that are not named after a command.
pub const SECTIONS: &[(&str, &str)] = &[
    (
        "solvers.NAME",
        "a solver of your own: `command` (program and options), `profile` if it is not recognised",
    ),
    (
        "ignore",
        "`summaries`: findings whose summary contains one of these, or is one with *, are counted, not recorded; `titles`: the \
         same of titles of reports, which are left out of lists",
    ),
];

impl Config {
    /// Reads the file here, if there is one.
    pub fn read() -> Result<Config, ConfigError> {
        let place = Path::new(FILE);
        match std::fs::read_to_string(place) {
            Ok(text) => Config::parse(place, text),
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(Config::default()),
            Err(e) => Err(ConfigError::Unreadable(place.to_owned(), e)),
        }
    }

    /// Reads the text of a file.
    pub fn parse(place: &Path, text: String) -> Result<Config, ConfigError> {
        let mut config = Config { place: place.to_owned(), text, ..Config::default() };
        let wrong =
            |config: &Config, e: &toml::de::Error| config.wrong(e.span().map_or(0, |s| s.start), e.message());
        let sections: BTreeMap<toml::Spanned<String>, toml::Spanned<toml::Value>> =
            toml::from_str(&config.text).map_err(|e| wrong(&config, &e))?;
        for (name, section) in sections {
            let offset = section.span().start;
            let misfit =
                |e: toml::de::Error| config.wrong(offset, &format!("[{}]: {}", name.get_ref(), e.message()));
            match name.get_ref().as_str() {
                "solvers" => config.solvers = section.into_inner().try_into().map_err(misfit)?,
                "ignore" => config.ignore = section.into_inner().try_into().map_err(misfit)?,
                other => {
                    let toml::Value::Table(table) = section.into_inner() else {
                        let why = format!(
                            "{other} is not a section; did you mean [hunt] and below it {other} = …?"
                        );
                        return Err(config.wrong(name.span().start, &why));
                    };
                    let defaults = config.defaults(other, name.span().start, table)?;
                    config.commands.insert(other.to_owned(), defaults);
                }
            }
        }
        Ok(config)
    }

    fn defaults(
        &self,
        section: &str,
        from: usize,
        table: toml::Table,
    ) -> Result<Vec<FlagDefault>, ConfigError> {
        let mut all = Vec::new();
        for (flag, value) in table {
            let offset = self.find_key(from, &flag);
            let one = |value: &toml::Value| match value {
                toml::Value::String(text) => Some(text.clone()),
                toml::Value::Integer(n) => Some(n.to_string()),
                toml::Value::Float(x) => Some(x.to_string()),
                toml::Value::Boolean(b) => Some(b.to_string()),
                _ => None,
            };
            let values = match &value {
                toml::Value::Array(list) => list.iter().map(one).collect::<Option<Vec<_>>>(),
                other => one(other).map(|v| vec![v]),
            };
            let Some(values) = values else {
                let why =
                    format!("{flag} in [{section}] must be a text, a number, true, false or a list of such");
                return Err(self.wrong(offset, &why));
            };
            all.push(FlagDefault { flag, values, offset });
        }
        Ok(all)
    }

    /// Where a key stands, after the head of its section.
    fn find_key(&self, from: usize, key: &str) -> usize {
        let mut offset = from;
        for line in self.text[from..].split_inclusive('\n') {
            let start = line.len() - line.trim_start().len();
            let rest = line.trim_start().trim_start_matches('"');
            if rest.strip_prefix(key).is_some_and(|r| r.trim_start_matches('"').trim_start().starts_with('='))
            {
                return offset + start;
            }
            offset += line.len();
        }
        from
    }

    /// The defaults of a command's flags.
    pub fn of_command(&self, command: &str) -> &[FlagDefault] {
        self.commands.get(command).map_or(&[], Vec::as_slice)
    }

    /// The names of all sections that should be commands, with their place.
    pub fn sections(&self) -> impl Iterator<Item = &str> {
        self.commands.keys().map(String::as_str)
    }

    /// An error at a place of the file.
    pub fn wrong(&self, offset: usize, why: &str) -> ConfigError {
        let before = &self.text[..offset.min(self.text.len())];
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
        ConfigError::Wrong { place: self.place.clone(), line, column, why: why.to_owned() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Config, String> {
        Config::parse(Path::new("gainsay.toml"), text.to_owned()).map_err(|e| e.to_string())
    }

    #[test]
    fn all_sections_are_read() {
        let text = "[solvers.mine]\ncommand = \"./build/z3 -v:1\"\nprofile = \"z3\"\n\
                    [ignore]\nsummaries = [\"known\"]\ntitles = [\"*(bvxnor) [z3*\"]\n\
                    [hunt]\nsolver = [\"mine\", \"cvc5\"]\njobs = 2\ntimeout = 1.5\nself-check = true\n";
        let config = read(text).expect("well-formed");
        assert_eq!(config.solvers["mine"].command, "./build/z3 -v:1");
        assert_eq!(config.ignore.summaries, ["known"]);
        assert_eq!(config.ignore.titles, ["*(bvxnor) [z3*"]);
        let flags: Vec<_> =
            config.of_command("hunt").iter().map(|d| format!("{} {}", d.flag, d.values.join(","))).collect();
        assert_eq!(flags, ["jobs 2", "self-check true", "solver mine,cvc5", "timeout 1.5"]);
        assert!(config.of_command("check").is_empty());
    }

    #[test]
    fn what_is_wrong_has_a_place() {
        let rows = [
            ("a = ", "gainsay.toml:1:"),
            ("\n[solvers.x]\nprogram = \"y\"\n", "gainsay.toml:2:"),
            ("jobs = 2\n", "gainsay.toml:1:1: jobs is not a section"),
            ("[hunt]\njobs = 2\nwith = { a = 1 }\n", "gainsay.toml:3:1: with in [hunt] must be"),
            ("[ignore]\nsummary = []\n", "gainsay.toml:1:"),
        ];
        for (text, expected) in rows {
            let told = read(text).expect_err(text);
            assert!(told.starts_with(expected), "{told}");
        }
    }
}
