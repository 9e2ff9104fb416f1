//! Driver programs: our own program, started again, as the command line of a solver that has none.

pub mod boolector;
pub mod cvc5;
pub mod python;

pub mod commands;
mod loaded;

use std::path::{Path, PathBuf};

use crate::solver::SolverError;
pub use crate::solver::process::reap::plain_signals;

/// Finds the library whose file name starts with `stem` in a directory.
fn library(dir: &Path, stem: &str) -> Result<PathBuf, SolverError> {
    let missing = || SolverError::Library { library: dir.join(stem), why: "it is not there".to_owned() };
    let entries = std::fs::read_dir(dir).map_err(SolverError::at(dir))?;
    let mut found: Vec<PathBuf> =
        entries.filter_map(|e| e.ok().map(|e| e.path())).filter(|p| is_library(p, stem)).collect();
    found.sort();
    found.pop().ok_or_else(missing)
}

fn is_library(place: &Path, stem: &str) -> bool {
    let name = place.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    // Wheels put a digest into the name: libcvc5-558d13ae.so.1.4.2.
    name.strip_prefix(stem).is_some_and(|rest| rest.starts_with(['-', '.'])) && name.contains(".so")
}

/// One option of a command line, as the standard would set it: `--check-models` is `:check-models true`.
fn as_set_option(option: &str) -> Option<(String, String)> {
    let name = option.strip_prefix("--")?;
    match name.split_once('=') {
        Some((name, value)) => Some((name.to_owned(), value.to_owned())),
        None => match name.strip_prefix("no-") {
            Some(name) => Some((name.to_owned(), "false".to_owned())),
            None => Some((name.to_owned(), "true".to_owned())),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_become_commands() {
        let set = |o: &str| as_set_option(o).map(|(n, v)| format!("{n} {v}"));
        assert_eq!(set("--strings-exp").as_deref(), Some("strings-exp true"));
        assert_eq!(set("--no-mbqi").as_deref(), Some("mbqi false"));
        assert_eq!(set("--tlimit-per=700").as_deref(), Some("tlimit-per 700"));
        assert_eq!(set("file.smt2"), None);
    }

    #[test]
    fn libraries_have_digests_in_their_names() {
        let is = |n: &str| is_library(Path::new(n), "libcvc5");
        assert!(is("libcvc5-558d13ae.so.1.4.2"));
        assert!(is("libcvc5.so.1"));
        assert!(!is("libcvc5parser-2f6edf78.so.1.4.2"));
        assert!(!is("libcvc5-558d13ae.txt"));
    }
}
