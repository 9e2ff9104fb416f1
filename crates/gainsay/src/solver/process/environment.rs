//! The environment of the programs that we start: what is for a database is none of their business.

use std::process::Command;

/// Takes the variables of `PostgreSQL`'s programs away from a command, its password first of all.
pub fn hushed(command: &mut Command) -> &mut Command {
    for (name, _) in std::env::vars_os() {
        if name.as_encoded_bytes().starts_with(b"PG") {
            command.env_remove(name);
        }
    }
    command
}
