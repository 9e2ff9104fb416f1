//! `gainsay generate`: cases as files, without running anything.

use std::io::Write;
use std::path::PathBuf;

use anyhow::Context;

use super::{StrategyFlags, strategies};
use crate::campaign::spec::keep;
use crate::cli::exit;
use crate::report::many;
use crate::seed::Corpus;
use crate::strategy::Wants;
use crate::study::generate::{Generation, file_name, is_suite};

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
    let corpus = if kind.wants() == Wants::Nothing {
        Corpus::default()
    } else {
        Corpus::of(&args.seeds, keep(args.bare))?
    };
    let wanted = match args.count {
        _ if flags.contains_key("rounds") => u64::MAX,
        // A suite that ends is made as a whole.
        None if is_suite(kind.as_ref()) => u64::MAX,
        _ => count,
    };
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    if let Some(folder) = &args.to {
        if folder.is_file() {
            anyhow::bail!("--to {}: a folder is wanted, and this is a file", folder.display());
        }
        std::fs::create_dir_all(folder).with_context(|| format!("{}", folder.display()))?;
    }
    let strategy = kind.as_ref();
    let cases = Generation { name, strategy, corpus: &corpus, draw: args.draw, wanted };
    let made = cases.run(|name, text| -> anyhow::Result<()> {
        match &args.to {
            _ if args.list => writeln!(out, "{name}")?,
            Some(folder) => {
                // Not `with_extension`: names have dots of their own.
                let file = folder.join(format!("{}.smt2", file_name(name)));
                if let Some(parent) = file.parent() {
                    std::fs::create_dir_all(parent).with_context(|| format!("{}", parent.display()))?;
                }
                std::fs::write(&file, text).with_context(|| format!("{}", file.display()))?;
            }
            None => out.write_all(text.as_bytes())?,
        }
        Ok(())
    })?;
    out.flush()?;
    // A reader that has read enough may have closed both streams.
    let _ = writeln!(std::io::stderr(), "{} of {name}", many(made, "case"));
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
    /// Take only declarations, assertions and plain checks from seeds
    #[arg(long)]
    bare: bool,
    /// How many cases [default: 10, or all of a suite that ends]
    #[arg(long)]
    count: Option<u64>,
    /// Print only the names of the cases
    #[arg(long, conflicts_with = "to")]
    list: bool,
    /// Write each case to a file of its own in this folder [default: standard output]
    #[arg(long)]
    to: Option<PathBuf>,
    #[command(flatten)]
    flags: StrategyFlags,
}
