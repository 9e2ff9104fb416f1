//! `gainsay parse`: which scripts we can read, and what is in them.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context;
use smt::ReadError;

use super::{choose, exit, readable};
use crate::campaign::spec::keep;
use crate::report::scripts::{ScriptCounts, file_json};
use crate::report::{counted, many};
use crate::seed::{Corpus, walk};

/// What to read, and how to tell.
#[derive(clap::Args)]
pub struct Args {
    /// Scripts, or folders that are searched for .smt2 files.
    #[arg(required = true, value_name = "FILE-OR-FOLDER")]
    paths: Vec<PathBuf>,
    /// One JSON object a line: file, accepted, lossless, opaque, error.
    #[arg(long)]
    json: bool,
    /// Tell what hunts keep of these scripts as seeds: how many are usable, path by path, and what is left out, by name.
    #[arg(long, conflicts_with = "json")]
    as_seeds: bool,
    /// Also list each opaque part with its place.
    #[arg(long)]
    opaque: bool,
    /// Tell how many of the scripts that this solver, or another one named so, reads are understood in all parts, path by
    /// path, and list the others.
    #[arg(long = "solver", value_name = "SOLVER", conflicts_with_all = ["json", "as_seeds", "opaque"])]
    solvers: Vec<String>,
}

/// Runs the command.
pub fn run(args: &Args) -> anyhow::Result<u8> {
    if args.as_seeds {
        return as_seeds(&args.paths);
    }
    if !args.solvers.is_empty() {
        return readable::run(&args.paths, &choose::solvers(&args.solvers, None, &[])?);
    }
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

/// Tells what hunts keep of scripts as seeds.
fn as_seeds(paths: &[PathBuf]) -> anyhow::Result<u8> {
    let corpus = Corpus::load(paths, keep(false))?;
    let repeated = corpus.repeated.len();
    let usable = corpus.seeds.len() + repeated;
    let files = usable + corpus.unusable.len();
    let out = &mut std::io::stdout().lock();
    writeln!(out, "usable {usable} of {}, {repeated} of them repeated", many(files as u64, "file"))?;
    if paths.len() > 1 {
        writeln!(out, "  files  usable  share  path")?;
        for path in paths {
            let (files, usable) = shares(&corpus, path);
            let share = 100.0 * usable as f64 / files.max(1) as f64;
            writeln!(out, "{files:>7} {usable:>7} {share:>5.1} %  {}", path.display())?;
        }
    }
    if !corpus.unusable.is_empty() {
        writeln!(out, "{} cannot be used:{}", many(corpus.unusable.len() as u64, "file"), corpus.reasons())?;
    }
    if !corpus.dropped.is_empty() {
        writeln!(out, "left out: {}", counted(&corpus.dropped, usize::MAX))?;
    }
    Ok(if corpus.unusable.is_empty() { exit::FINE } else { exit::NOT_SO })
}

/// How many files are at a path or below it, and how many of them can be used.
fn shares(corpus: &Corpus, path: &Path) -> (usize, usize) {
    let is_below = |name: &str| Path::new(name).starts_with(path);
    let seeds = corpus.seeds.iter().filter(|seed| is_below(&seed.name.name)).count();
    let usable = seeds + corpus.repeated.iter().filter(|name| is_below(name)).count();
    let unusable = corpus.unusable.iter().filter(|(name, _)| is_below(name)).count();
    (usable + unusable, usable)
}
