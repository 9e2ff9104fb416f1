//! `gainsay generate`: cases as files, without running anything.

use std::io::Write;
use std::path::PathBuf;

use anyhow::Context;

use super::{StrategyFlags, corpus, strategies};
use crate::cli::exit;
use crate::hunt;
use crate::report::many;
use crate::seed::Corpus;
use crate::strategy::Wants;

/// How many cases are made if nobody says so.
const FEW: u64 = 10;

/// Runs `gainsay generate`: cases as files, without running anything.
pub fn generate(args: &Generate) -> anyhow::Result<u8> {
    let mut flags = args.flags.0.clone();
    // A round of formulas has as many as are asked for.
    let count = args.count.unwrap_or(FEW);
    if flags.contains_key("rounds") {
        flags.insert("count".to_owned(), count.to_string());
    }
    let (built, _) = strategies(std::slice::from_ref(&args.strategy), &flags)?;
    let (name, kind) = &built[0];
    let corpus = if kind.wants() == Wants::Nothing { Corpus::of_texts(&[]) } else { corpus(&args.seeds)? };
    // A suite that ends is made as a whole.
    let whole = kind.wants() == Wants::Nothing && kind.series_count().is_some();
    let wanted = match args.count {
        _ if flags.contains_key("rounds") => u64::MAX,
        None if whole => u64::MAX,
        _ => count,
    };
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    if let Some(folder) = &args.to {
        std::fs::create_dir_all(folder).with_context(|| format!("{}", folder.display()))?;
    }
    let mut made = 0;
    let mut ordinal = 0;
    let mut empty = 0;
    while made < wanted && (whole || empty < 1000) {
        let seeds = hunt::seeds_of(name, kind.as_ref(), &corpus, args.draw, ordinal);
        let Some(seeds) = seeds else { break };
        let choices = crate::case::Choices::drawn(args.draw, name, ordinal);
        // Nobody is asked here, so an author's word must do.
        let asked: Vec<_> = seeds
            .iter()
            .filter_map(|seed| kind.takes(seed))
            .map(|seed| crate::seed::Asked { answers: seed.status.into_iter().collect(), seed })
            .collect();
        let mut series = kind.series(ordinal, &asked, choices);
        let before = made;
        while made < wanted {
            let Some(text) = series.next_text() else { break };
            let named = series.name().map_or_else(|| format!("{made:06}"), str::to_owned);
            match &args.to {
                _ if args.list => writeln!(out, "{named}")?,
                Some(folder) => {
                    // Not `with_extension`: names have dots of their own. And z3 takes a path with `=` for an option.
                    let file = folder.join(format!("{}.smt2", named.replace('=', "~")));
                    if let Some(parent) = file.parent() {
                        std::fs::create_dir_all(parent).with_context(|| format!("{}", parent.display()))?;
                    }
                    std::fs::write(&file, text).with_context(|| format!("{}", file.display()))?;
                }
                None => out.write_all(text.as_bytes())?,
            }
            made += 1;
        }
        empty = if made == before { empty + 1 } else { 0 };
        ordinal += 1;
    }
    out.flush()?;
    eprintln!("{} of {name}", many(made, "case"));
    Ok(if made > 0 { exit::FINE } else { exit::NOT_SO })
}

/// What to make.
#[derive(clap::Args)]
pub struct Generate {
    /// The strategy
    strategy: String,
    /// Seeds, as for `hunt`
    seeds: Vec<PathBuf>,
    /// The random number
    #[arg(long = "seed", value_name = "N", default_value_t = 0)]
    draw: u64,
    /// How many cases [default: 10, or all of a suite that ends]
    #[arg(long)]
    count: Option<u64>,
    /// Print the names of the cases only
    #[arg(long)]
    list: bool,
    /// The folder to write to, each case to a file of its name, with ~ for =; standard output if left out
    #[arg(long)]
    to: Option<PathBuf>,
    #[command(flatten)]
    flags: StrategyFlags,
}
