//! Tables of users: rows of several strategies in one file.

use serde::Deserialize;

use super::fusion::Row as Function;
use super::rewrite::Row as Equivalence;
use super::sae::Row as Approximation;
use super::{BadOption, Flag, Options, Value};

pub(super) const TABLE: Flag = Flag {
    name: "table",
    value: Value::Text,
    default: "",
    about: "a file with more fusion functions, equivalences and approximations (TOML)",
};

/// The rows of a file.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct UserTable {
    /// Functions for `fusion`.
    #[serde(default)]
    pub function: Vec<Function>,
    /// Equivalences for `rewrite`.
    #[serde(default)]
    pub equivalence: Vec<Equivalence>,
    /// Rules for `sae`.
    #[serde(default)]
    pub approximation: Vec<Approximation>,
}

impl UserTable {
    /// The rows of the file that the flag names; none if it is not given.
    pub fn of(options: &Options) -> Result<UserTable, BadOption> {
        let file = options.text(TABLE.name);
        if file.is_empty() {
            return Ok(UserTable::default());
        }
        let wrong = |why: String| options.bad(TABLE.name, &why);
        let text = std::fs::read_to_string(file).map_err(|e| wrong(e.to_string()))?;
        UserTable::read(&text).map_err(wrong)
    }

    /// The rows of a table.
    pub fn read(text: &str) -> Result<UserTable, String> {
        toml::from_str(text).map_err(|e| e.to_string())
    }
}
