//! `gainsay parse`: which scripts we can read, and what is in them.

use std::io::Write;
use std::path::PathBuf;

use anyhow::Context;
use smt::ReadError;

use super::exit;
use crate::report::scripts::{ScriptCounts, file_json};
use crate::seed::walk;

/// What to read, and how to tell.
#[derive(clap::Args)]
pub struct Args {
    /// Scripts, or folders that are searched for .smt2 files.
    #[arg(required = true, value_name = "FILE-OR-FOLDER")]
    paths: Vec<PathBuf>,
    /// One JSON object a line: file, accepted, lossless, opaque, error.
    #[arg(long)]
    json: bool,
    /// Also list each opaque part with its place.
    #[arg(long)]
    opaque: bool,
}

/// Runs the command.
pub fn run(args: &Args) -> anyhow::Result<u8> {
    let mut files = Vec::new();
    for path in &args.paths {
        // A named file is read whatever its extension is.
        match path.is_dir() {
            true => walk(path, &mut files).with_context(|| format!("cannot read {}", path.display()))?,
            false => files.push(path.clone()),
        }
    }
    let out = &mut std::io::stdout().lock();
    let mut counts = ScriptCounts::default();
    for file in &files {
        let source = std::fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
        let name = file.display().to_string();
        let result = smt::read(&source);
        counts.add(&result);
        if args.json {
            writeln!(out, "{}", file_json(&name, &source, &result))?;
        } else {
            match &result {
                Err(error) => writeln!(out, "{}", error.locate(&name, &source))?,
                Ok(script) => {
                    if !script.is_lossless() {
                        writeln!(out, "{name}: printing this script loses something")?;
                    }
                    if args.opaque {
                        for part in script.opaque.iter() {
                            let place = ReadError { offset: part.offset, message: part.why.clone() };
                            writeln!(out, "{}", place.locate(&name, &source))?;
                        }
                    }
                }
            }
        }
    }
    if !args.json {
        write!(out, "{}", counts.text())?;
    }
    Ok(if counts.accepted == counts.files { exit::FINE } else { exit::NOT_SO })
}
