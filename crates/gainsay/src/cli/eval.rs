//! `gainsay eval`: the assertions of a script under a model.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::bail;
use smt::{Fuel, Model, Verdict};

use super::exit;

/// What to evaluate.
#[derive(clap::Args)]
pub struct Args {
    /// The script.
    file: PathBuf,
    /// What a solver printed for its model.
    #[arg(long)]
    model: PathBuf,
    /// Which check of the script the model belongs to, from 1; the last if not given.
    #[arg(long, value_name = "N")]
    check: Option<usize>,
    /// Give everything the model does not say some fixed value of its sort.
    #[arg(long)]
    complete: bool,
    /// How many steps each assertion may take.
    #[arg(long, value_name = "STEPS", default_value_t = 10_000_000)]
    fuel: u64,
    /// One JSON object a line: assertion, verdict, why.
    #[arg(long)]
    json: bool,
}

pub fn run(args: &Args) -> anyhow::Result<u8> {
    let source = super::read_named(&args.file)?;
    let text = super::read_named(&args.model)?;
    let script = match smt::read(&source) {
        Ok(script) => script,
        Err(error) => return Ok(refuse(&args.file, &source, &error)),
    };
    let asks = script.queries();
    let number = args.check.unwrap_or(asks.len());
    let Some(ask) = number.checked_sub(1).and_then(|n| asks.get(n)) else {
        bail!("{} has {} checks, and there is no check {number}", args.file.display(), asks.len());
    };
    let model = match Model::read(&script, Some(ask.command), &text) {
        Ok(model) => model,
        Err(error) => return Ok(refuse(&args.model, &text, &error)),
    };
    for problem in &model.problems {
        eprintln!("{}: left out: {problem}", args.model.display());
    }
    let model = if args.complete { model.completed() } else { model };
    let verdicts = smt::verdicts(ask, &model, &Fuel::new(args.fuel));
    let out = &mut std::io::stdout().lock();
    let mut counts = [0; 3];
    for (i, (verdict, &term)) in verdicts.iter().zip(&ask.assertions).enumerate() {
        let (word, why, slot) = match verdict {
            Verdict::True => ("true", String::new(), 0),
            Verdict::False => ("false", String::new(), 1),
            Verdict::Open(gap) => ("open", gap.to_string(), 2),
        };
        counts[slot] += 1;
        let shown = shorten(&smt::write_term(&script.pool, term));
        if args.json {
            let why = if why.is_empty() { serde_json::Value::Null } else { why.into() };
            writeln!(out, "{}", serde_json::json!({ "assertion": i + 1, "verdict": word, "why": why }))?;
        } else if why.is_empty() {
            writeln!(out, "{:>5} {word:<5} {shown}", i + 1)?;
        } else {
            writeln!(out, "{:>5} {word:<5} {shown}\n{:12}{why}", i + 1, "")?;
        }
    }
    if ask.opaque {
        eprintln!(
            "a command that is not understood comes before this check: what it did is not taken into account"
        );
    }
    if !args.json {
        writeln!(out, "{} true, {} false, {} open", counts[0], counts[1], counts[2])?;
    }
    Ok(if counts[1] == 0 { exit::FINE } else { exit::NOT_SO })
}

fn refuse(file: &Path, source: &[u8], error: &smt::ReadError) -> u8 {
    eprintln!("{}", error.locate(&file.display().to_string(), source));
    exit::NOT_SO
}

/// A term on one line of a terminal.
fn shorten(text: &str) -> String {
    match text.char_indices().nth(100) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
