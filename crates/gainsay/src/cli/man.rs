//! `gainsay man`: the manual page, or a folder with one for each command.

use std::io::Write;
use std::path::PathBuf;

use clap::Command;

use super::completions::public;
use super::exit;
use crate::store::StoreError;

/// Where pages go.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  gainsay man | man -l -
  gainsay man --to ~/.local/share/man/man1")]
pub struct Args {
    /// Write a page for each command into this folder; without it, the first page goes to standard output
    #[arg(long, value_name = "DIR")]
    to: Option<PathBuf>,
}

/// Runs the command.
pub fn run(args: &Args, command: &Command) -> anyhow::Result<u8> {
    let command = public(command);
    let Some(folder) = &args.to else {
        let mut page = Vec::new();
        clap_mangen::Man::new(command).render(&mut page)?;
        std::io::stdout().write_all(&page)?;
        return Ok(exit::FINE);
    };
    std::fs::create_dir_all(folder).map_err(StoreError::at(folder))?;
    clap_mangen::generate_to(command, folder).map_err(StoreError::at(folder))?;
    println!("{}", folder.display());
    Ok(exit::FINE)
}
