//! `gainsay print`: a script as we understand it.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;

/// Reads a script and prints it, one command a line.
#[derive(clap::Args)]
pub struct Arguments {
    /// The script.
    file: PathBuf,
    /// Print every command from what was understood, not by copying its source.
    #[arg(long)]
    rebuilt: bool,
}

pub fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let file = &arguments.file;
    let source = std::fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
    match smt::read(&source) {
        Ok(script) => {
            let script = if arguments.rebuilt { script.cut_loose() } else { script };
            std::io::stdout().lock().write_all(&smt::write_script(&script))?;
            Ok(ExitCode::SUCCESS)
        }
        Err(error) => {
            eprintln!("{}", error.locate(&file.display().to_string(), &source));
            Ok(ExitCode::from(1))
        }
    }
}
