//! `gainsay decide`: each check of a script, decided by trying all assignments.

use std::io::Write;
use std::path::PathBuf;

use smt::Decision;

use super::exit;
use super::progress::Bar;
use crate::report::decision;

/// What to decide.
#[derive(clap::Args)]
pub struct Args {
    /// The script
    file: PathBuf,
    /// How many assignments may be tried for each check
    #[arg(long, value_name = "ASSIGNMENTS", default_value_t = 10_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    budget: u64,
}

/// Runs the command.
pub fn run(args: &Args) -> anyhow::Result<u8> {
    let source = super::read_named(&args.file)?;
    let script = match smt::read(&source) {
        Ok(script) => script,
        Err(error) => {
            eprintln!("{}", error.locate(&args.file.display().to_string(), &source));
            return Ok(exit::NOT_SO);
        }
    };
    let out = &mut std::io::stdout().lock();
    let queries = script.queries();
    if queries.is_empty() {
        writeln!(out, "{} has no check", args.file.display())?;
    }
    for (i, query) in queries.iter().enumerate() {
        let number = if queries.len() > 1 { format!("check {}: ", i + 1) } else { String::new() };
        let bar = Bar::new(usize::try_from(args.budget).unwrap_or(usize::MAX));
        let decision = smt::decide(&script, query, args.budget, &mut |done| {
            bar.at(usize::try_from(done).unwrap_or(usize::MAX), || "assignments tried".to_owned());
        });
        bar.finish();
        writeln!(out, "{number}{}", decision::line(&script, &decision))?;
        if let Decision::Sat(model) = &decision {
            writeln!(out, "(\n  {}\n)", model.definitions().join("\n  "))?;
        }
    }
    Ok(exit::FINE)
}
