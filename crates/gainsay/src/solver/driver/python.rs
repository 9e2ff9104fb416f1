//! Drivers in Python, for wheels that hold nothing but an extension module.

use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

use crate::solver::SolverError;
use crate::solver::acquire::fetch::python;

const BITWUZLA: &str = include_str!("bitwuzla.py");

/// Becomes a Python that serves the Bitwuzla in `dir`.
pub fn bitwuzla(dir: &Path, options: &[String]) -> Result<i32, SolverError> {
    let mut command = Command::new(python());
    command.args(["-c", BITWUZLA]).args(options).env("PYTHONPATH", dir).env("PYTHONDONTWRITEBYTECODE", "1");
    let why = command.exec();
    Err(SolverError::NotStarted { program: python().display().to_string(), why: why.to_string() })
}
