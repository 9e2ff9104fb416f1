//! `gainsay bench reduce`: how small known faults become, and at what cost.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context;

use crate::recall::{self, Trigger};
use crate::side;
use gainsay::cli::arguments::{duration, read_named};
use gainsay::cli::{choose, exit};
use gainsay::judge::oracle::usual_and;
use gainsay::reduce::{Job, Nothing};
use gainsay::solver::{Limits, Solver};

/// What to reduce.
#[derive(clap::Args)]
pub struct Args {
    /// Scripts and folders of them. One that begins with `; z3-4.8.7 …` fails on that release, with the options after its
    /// `; cmd:`. Without any, the scripts that come with the program, for every installed release that fails on them
    files: Vec<PathBuf>,
    /// The accused, for scripts that do not say whom
    #[arg(long = "solver")]
    solvers: Vec<String>,
    /// Who is asked besides the accused
    #[arg(long = "with", default_values_t = ["z3".to_owned(), "cvc5".to_owned()])]
    pub(crate) others: Vec<String>,
    /// Seconds for each question
    #[arg(long, default_value_t = 5.0)]
    pub(crate) timeout: f64,
    /// Candidates tried at a time
    #[arg(long, default_value_t = 1)]
    pub(crate) jobs: usize,
    /// Stop reducing one script after this long
    #[arg(long = "for", value_parser = duration, default_value = "5m")]
    pub(crate) for_: Duration,
    /// ddSMT, to be run on the same scripts with the same command; by default, if it is on the path
    #[arg(long)]
    pub(crate) ddsmt: Option<PathBuf>,
    /// Where results go
    #[arg(long)]
    keep: Option<PathBuf>,
    /// A command that decides: each script is reduced by it, then with the solver that fails on it, if one is known, then by ddSMT
    /// with the same command. The word {accused} stands for that solver's program and options
    #[arg(last = true)]
    pub(crate) command: Vec<String>,
}

/// One line of the table.
pub(crate) struct Line {
    pub(crate) name: String,
    pub(crate) kind: String,
    pub(crate) before: usize,
    pub(crate) after: usize,
    pub(crate) calls: u64,
    pub(crate) cpu: Duration,
}

/// Runs the command.
pub fn run(args: &Args) -> anyhow::Result<u8> {
    let mut files = Vec::new();
    for place in &args.files {
        collect(place, &mut files)?;
    }
    if let Some(place) = &args.keep {
        std::fs::create_dir_all(place).map_err(gainsay::store::StoreError::at(place))?;
    }
    if args.command.is_empty() { by_solvers(args, &files) } else { side::run(args, items(args, &files)?) }
}

fn collect(place: &Path, files: &mut Vec<PathBuf>) -> anyhow::Result<()> {
    if !place.is_dir() {
        files.push(place.to_owned());
        return Ok(());
    }
    let mut inside: Vec<_> = std::fs::read_dir(place)?.filter_map(|e| Some(e.ok()?.path())).collect();
    inside.sort();
    for path in inside {
        if path.is_dir() || path.extension().is_some_and(|e| e == "smt2") {
            collect(&path, files)?;
        }
    }
    Ok(())
}

/// What to reduce: a name, a text, and the accused, whom only a command can do without.
pub(crate) type Item = (String, String, Option<Solver>);

fn items(args: &Args, files: &[PathBuf]) -> anyhow::Result<Vec<Item>> {
    if files.is_empty() {
        let (known, absent) = recall::known()?;
        if absent > 0 {
            eprintln!("{absent} solvers of known faults are not installed");
        }
        return Ok(known.into_iter().map(Trigger::into_parts).map(|(n, t, s)| (n, t, Some(s))).collect());
    }
    let accused =
        if args.solvers.is_empty() { Vec::new() } else { choose::solvers(&args.solvers, None, &[])? };
    let mut found = Vec::new();
    for file in files {
        let text = String::from_utf8_lossy(&read_named(file)?).into_owned();
        match Trigger::read(file, text.clone()) {
            Some(trigger) => {
                let (name, text, whom) = trigger.into_parts();
                found.push((name, text, Some(whom)));
            }
            None => {
                let each = |whom: Option<Solver>| (file.display().to_string(), text.clone(), whom);
                found.extend(accused.iter().cloned().map(Some).map(each));
                if accused.is_empty() {
                    found.push(each(None));
                }
            }
        }
    }
    Ok(found)
}

fn by_solvers(args: &Args, files: &[PathBuf]) -> anyhow::Result<u8> {
    let others = choose::solvers(&args.others, None, &[])?;
    let oracles = usual_and(None);
    let limits = Limits::of_time(Duration::try_from_secs_f64(args.timeout).context("--timeout")?);
    let mut lines = Vec::new();
    let mut clean = 0;
    head("solver questions");
    for (number, (name, text, accused)) in items(args, files)?.into_iter().enumerate() {
        let Some(accused) = accused else {
            eprintln!("{name}: it does not say who fails, nor does --solver");
            continue;
        };
        let rest: Vec<Solver> = others.iter().filter(|o| o.name != accused.name).cloned().collect();
        let solvers = [vec![accused], rest].concat();
        let Ok(script) = smt::read(text.as_bytes()) else {
            eprintln!("{name}: we do not read it");
            continue;
        };
        let own = Job::new(&solvers, &[], &oracles, limits);
        let job = Job { jobs: args.jobs, time: Some(args.for_), ..own };
        match job.wrong(script, None, None, &mut |_| {}) {
            Ok(came) => {
                let reduced = &came.shrunk.reduced;
                keep(args, number, &reduced.text)?;
                let kind = came.complaint.map_or("slow", |c| c.kind().word()).to_owned();
                let (before, after) = (text.len(), reduced.text.trim_end().len());
                lines.push(Line { name, kind, before, after, calls: reduced.tried, cpu: came.cpu });
                print(lines.last());
            }
            Err(Nothing::Failed(e)) => return Err(e.into()),
            Err(nothing) => {
                clean += 1;
                eprintln!("{name}: {nothing}");
            }
        }
    }
    total(&lines);
    println!("{clean} scripts show nothing that can be proved here");
    Ok(exit::FINE)
}

pub(crate) fn keep(args: &Args, number: usize, text: &str) -> anyhow::Result<()> {
    if let Some(folder) = &args.keep {
        let place = folder.join(format!("{number:03}.smt2"));
        std::fs::write(&place, text).map_err(gainsay::store::StoreError::at(&place))?;
    }
    Ok(())
}

pub(crate) fn head(calls: &str) {
    println!("| script | what | bytes before | after | {calls} | CPU s |\n|---|---|---|---|---|---|");
}

pub(crate) fn print(line: Option<&Line>) {
    if let Some(Line { name, kind, before, after, calls, cpu }) = line {
        println!("| {name} | {kind} | {before} | {after} | {calls} | {:.2} |", cpu.as_secs_f64());
    }
}

pub(crate) fn total(lines: &[Line]) {
    let median = |of: &dyn Fn(&Line) -> u64| {
        let mut all: Vec<u64> = lines.iter().map(of).collect();
        all.sort_unstable();
        all.get(all.len() / 2).copied().unwrap_or(0)
    };
    let mean = lines.iter().map(|l| l.after).sum::<usize>() as f64 / lines.len().max(1) as f64;
    println!(
        "{} scripts: median {} → {} bytes (mean {mean:.0}), median {} calls, median {:.2} CPU s",
        lines.len(),
        median(&|l| l.before as u64),
        median(&|l| l.after as u64),
        median(&|l| l.calls),
        median(&|l| l.cpu.as_millis() as u64) as f64 / 1e3,
    );
}
