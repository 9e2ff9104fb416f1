//! `gainsay print`: a script as we understand it.

use std::io::Write;
use std::path::PathBuf;

use super::exit;

/// What to print, and how.
#[derive(clap::Args)]
pub struct Args {
    /// The script.
    file: PathBuf,
    /// Print every command from what was understood, not by copying its source.
    #[arg(long)]
    rebuilt: bool,
}

pub fn run(args: &Args) -> anyhow::Result<u8> {
    let file = &args.file;
    let source = super::read_named(file)?;
    match smt::read(&source) {
        Ok(script) => {
            let script = if args.rebuilt { script.cut_loose() } else { script };
            std::io::stdout().lock().write_all(script.text().as_bytes())?;
            Ok(exit::FINE)
        }
        Err(error) => {
            eprintln!("{}", error.locate(&file.display().to_string(), &source));
            Ok(exit::NOT_SO)
        }
    }
}
