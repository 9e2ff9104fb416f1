//! `gainsay decide`: each check of a script, decided by trying all assignments.

use std::io::Write;
use std::path::PathBuf;

use smt::{Decision, Gap, ReadError};

use super::exit;
use super::progress::Bar;
use crate::report::decision;

/// Of parts that are not understood no more than this many are shown.
const PLACES: usize = 5;

/// What to decide.
#[derive(clap::Args)]
#[command(
    after_help = "The values of every symbol are tried: of Bool, bit-vectors, floats, finite datatypes, arrays and functions over \
such, and of an Int between two bounds that are asserted. Where there are infinitely many, a few small ones are tried, which may \
still show that the answer is sat.

Exit codes: 0 each check was looked at, whatever the answer; 1 the script is refused, 2 usage, or no such file."
)]
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
        writeln!(out, "{} has no (check-sat), so there is nothing to decide", args.file.display())?;
    }
    let mut not_understood = false;
    for (i, query) in queries.iter().enumerate() {
        let number = if queries.len() > 1 { format!("check {}: ", i + 1) } else { String::new() };
        let bar = Bar::new(usize::try_from(args.budget).unwrap_or(usize::MAX));
        let decision = smt::decide(&script, query, args.budget, &mut |done| {
            bar.at(usize::try_from(done).unwrap_or(usize::MAX), || "assignments tried".to_owned());
        });
        bar.finish();
        writeln!(out, "{number}{}", decision::line(&script, &decision))?;
        match &decision {
            Decision::Sat(model) => writeln!(out, "{}", decision::model(model))?,
            Decision::Open(Gap::Opaque(_)) => not_understood = true,
            _ => {}
        }
    }
    if not_understood {
        for part in script.opaque.iter().take(PLACES) {
            let place = ReadError { offset: part.offset, message: part.why.clone() };
            eprintln!("{}", place.locate(&args.file.display().to_string(), &source));
        }
    }
    Ok(exit::FINE)
}
