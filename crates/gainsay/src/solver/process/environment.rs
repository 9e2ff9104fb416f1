//! The environment of the programs that we start: no variable that is meant for a database is passed on.

use std::process::Command;

/// Removes the variables of `PostgreSQL` from what a command passes on, above all its password.
pub fn without_database_variables(command: &mut Command) -> &mut Command {
    for (name, _) in std::env::vars_os() {
        if name.as_encoded_bytes().starts_with(b"PG") {
            command.env_remove(name);
        }
    }
    command
}
