//! `gainsay generate`: cases as files, without running anything.

use std::io::Write;
use std::path::PathBuf;

use anyhow::Context;

use super::{StrategyFlags, strategies};
use crate::campaign;
use crate::cli::exit;
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
    let corpus =
        if kind.wants() == Wants::Nothing { Corpus::of_texts(&[]) } else { Corpus::of(&args.seeds)? };
    // A suite that ends is made as a whole.
    let whole = kind.wants() == Wants::Nothing && kind.series_count().is_some();
    let wanted = match args.count {
        _ if flags.contains_key("rounds") => u64::MAX,
        None if whole => u64::MAX,
        _ => count,
    };
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    if let Some(folder) = &args.to {
        if folder.is_file() {
            anyhow::bail!("--to {}: a folder is wanted, and this is a file", folder.display());
        }
        std::fs::create_dir_all(folder).with_context(|| format!("{}", folder.display()))?;
    }
    let mut made = 0;
    let mut ordinal = 0;
    let mut empty = 0;
    while made < wanted && (whole || empty < 1000) {
        let seeds = campaign::seeds_of(name, kind.as_ref(), &corpus, args.draw, ordinal);
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
                    // Not `with_extension`: names have dots of their own.
                    let file = folder.join(format!("{}.smt2", file_name(&named)));
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
    // Who read enough has closed both ends.
    let _ = writeln!(std::io::stderr(), "{} of {name}", many(made, "case"));
    Ok(if made > 0 { exit::FINE } else { exit::NOT_SO })
}

/// Characters that mean something to a shell, or a path with them to z3, and what stands for them.
const SPELLED: &[(char, &str)] = &[
    ('=', "~"),
    ('<', "@lt"),
    ('>', "@gt"),
    ('*', "@star"),
    ('\'', "@quote"),
    ('#', "@hash"),
    ('^', "@hat"),
    ('÷', "@div"),
    ('@', "@at"),
    ('~', "@tilde"),
];

/// A name as a path that no shell takes for anything else. Different names have different paths.
fn file_name(name: &str) -> String {
    let mut path = String::with_capacity(name.len());
    for c in name.chars() {
        match SPELLED.iter().find(|(other, _)| *other == c) {
            Some((_, spelling)) => path.push_str(spelling),
            None if c.is_ascii_alphanumeric() || "/._+,-".contains(c) => path.push(c),
            None => path.push_str(&format!("@{:x}@", u32::from(c))),
        }
    }
    path
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
    #[arg(long, conflicts_with = "to")]
    list: bool,
    /// The folder to write to, each case to a file of its name, as a shell can have it; standard output if left out
    #[arg(long)]
    to: Option<PathBuf>,
    #[command(flatten)]
    flags: StrategyFlags,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_safe_paths() {
        let rows = [
            ("strings/constant/str.<=/a,_=true", "strings/constant/str.@lt~/a,_~true"),
            ("strings/term/re.*/001+d2", "strings/term/re.@star/001+d2"),
            ("larger-core/E2/'0'/C6", "larger-core/E2/@quote0@quote/C6"),
            ("reals/operation/÷", "reals/operation/@div"),
            ("a~b@c&", "a@tildeb@atc@26@"),
        ];
        for (name, path) in rows {
            assert_eq!(file_name(name), path);
        }
        // No spelling begins another, so that a path can be read in one way only.
        for (c, one) in SPELLED {
            assert!(!SPELLED.iter().any(|(d, other)| c != d && other.starts_with(one)), "{c}");
        }
    }
}
