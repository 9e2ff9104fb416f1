//! `gainsay bench`: runs the program `gainsay-bench`, which is built from a crate of its own.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;

use anyhow::Context;

use super::arguments::BadUsage;
use crate::solver::launch::on_path;

/// The program that measures.
const PROGRAM: &str = "gainsay-bench";

/// What is handed to the program that measures.
#[derive(clap::Args)]
#[command(disable_help_flag = true)]
pub struct Args {
    /// What to measure, and with what; `gainsay bench --help` lists it
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "ARGS")]
    args: Vec<OsString>,
}

/// Runs the program with the same arguments, and ends as it ends.
pub fn run(args: &Args) -> anyhow::Result<u8> {
    let Some(program) = beside_us().or_else(|| on_path(PROGRAM)) else {
        let why = format!(
            "{PROGRAM} is neither beside this program nor on the path; `cargo build --release` in the source folder builds \
             both, `cargo build --release -p {PROGRAM}` builds it alone"
        );
        return Err(BadUsage(why).into());
    };
    let status = Command::new(&program).args(&args.args).status();
    let status = status.with_context(|| format!("cannot start {}", program.display()))?;
    // What a signal has ended has no code.
    Ok(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(super::exit::INTERNAL))
}

/// The program in the folder of the running one.
fn beside_us() -> Option<PathBuf> {
    Some(std::env::current_exe().ok()?.with_file_name(PROGRAM)).filter(|place| place.is_file())
}
