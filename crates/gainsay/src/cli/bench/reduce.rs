//! `gainsay bench reduce`: how small known faults become, and at what cost; by a command, also side by side with ddSMT.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context;

use super::recall::{self, Trigger};
use crate::cli::hunt::{BadUsage, duration};
use crate::cli::{choose, exit, read_named, reduce};
use crate::solver::named::on_path;
use crate::solver::program::Host;
use crate::solver::{Limits, Solver};
use crate::study::{CommandTest, Job, Matching, Nothing};

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
    others: Vec<String>,
    /// Seconds for each question
    #[arg(long, default_value_t = 5.0)]
    timeout: f64,
    /// Candidates tried at a time
    #[arg(long, default_value_t = 1)]
    jobs: usize,
    /// Stop reducing one script after this long
    #[arg(long = "for", value_parser = duration, default_value = "5m")]
    for_: Duration,
    /// ddSMT, to be run on the same scripts with the same command; by default, if it is on the path
    #[arg(long)]
    ddsmt: Option<PathBuf>,
    /// Where results go
    #[arg(long)]
    keep: Option<PathBuf>,
    /// A command that decides, in place of solvers
    #[arg(last = true)]
    command: Vec<String>,
}

/// One line of the table.
struct Line {
    name: String,
    kind: String,
    before: usize,
    after: usize,
    calls: u64,
    cpu: Duration,
}

/// Runs the command.
pub fn run(args: &Args) -> anyhow::Result<u8> {
    let mut files = Vec::new();
    for place in &args.files {
        collect(place, &mut files)?;
    }
    if let Some(place) = &args.keep {
        std::fs::create_dir_all(place).map_err(crate::store::StoreError::at(place))?;
    }
    if args.command.is_empty() { by_solvers(args, &files) } else { by_command(args, &files) }
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

/// What to reduce with solvers: a name, a text, and the accused.
type Item = (String, String, Solver);

fn items(args: &Args, files: &[PathBuf]) -> anyhow::Result<Vec<Item>> {
    if files.is_empty() {
        let (known, absent) = recall::known()?;
        if absent > 0 {
            eprintln!("{absent} solvers of known faults are not installed");
        }
        return Ok(known.into_iter().map(Trigger::into_parts).collect());
    }
    let accused =
        if args.solvers.is_empty() { Vec::new() } else { choose::solvers(&args.solvers, None, &[])? };
    let mut found = Vec::new();
    for file in files {
        let text = String::from_utf8_lossy(&read_named(file)?).into_owned();
        match Trigger::read(file, text.clone()) {
            Some(trigger) => found.push(trigger.into_parts()),
            None => {
                found.extend(accused.iter().map(|s| (file.display().to_string(), text.clone(), s.clone())));
            }
        }
    }
    Ok(found)
}

fn by_solvers(args: &Args, files: &[PathBuf]) -> anyhow::Result<u8> {
    let others = choose::solvers(&args.others, None, &[])?;
    let oracles = reduce::oracles_for(None);
    let limits = Limits::of_time(Duration::try_from_secs_f64(args.timeout).context("--timeout")?);
    let mut lines = Vec::new();
    let mut clean = 0;
    head("solver questions");
    for (number, (name, text, accused)) in items(args, files)?.into_iter().enumerate() {
        let rest: Vec<Solver> = others.iter().filter(|o| o.name != accused.name).cloned().collect();
        let solvers = [vec![accused], rest].concat();
        let Ok(script) = smt::read(text.as_bytes()) else {
            eprintln!("{name}: we do not read it");
            continue;
        };
        let time = Some(args.for_);
        let job = Job { solvers: &solvers, oracles: &oracles, limits, jobs: args.jobs, any: false, time };
        match job.wrong(script, None, None, &mut |_| {}) {
            Ok(came) => {
                let reduced = &came.shrunk.reduced;
                keep(args, number, &reduced.text)?;
                let kind = came.complaint.map_or("slow", |c| c.kind.word()).to_owned();
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

fn by_command(args: &Args, files: &[PathBuf]) -> anyhow::Result<u8> {
    let limits =
        Limits { address_space: false, memory: 8 << 30, ..Limits::of_time(Duration::from_secs(600)) };
    let peer = args.ddsmt.clone().or_else(|| on_path("ddsmt"));
    let mut lines = Vec::new();
    let mut peers = Vec::new();
    head("runs of the command");
    for (number, file) in files.iter().enumerate() {
        let name = file.display().to_string();
        let bytes = read_named(file)?;
        let script = smt::read(&bytes).map_err(|e| BadUsage(e.locate(&name, &bytes).to_string()))?;
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let mut tests = Vec::new();
        for job in 0..args.jobs.max(1) {
            let test = CommandTest::new(&args.command, None, &Matching::default(), &text, limits, job)?;
            tests.push(test.map_err(BadUsage)?);
        }
        let (reduced, cpu, calls) =
            reduce::reduce_by_command(script, &mut tests, Some(args.for_), &mut |_| {})?;
        keep(args, number, &reduced.text)?;
        let after = reduced.text.trim_end().len();
        lines.push(Line {
            name: name.clone(),
            kind: "ours".to_owned(),
            before: text.len(),
            after,
            calls,
            cpu,
        });
        print(lines.last());
        if let Some(peer) = &peer {
            peers.push(ddsmt(args, peer, file, text.len())?);
            print(peers.last());
        }
    }
    total(&lines);
    if !peers.is_empty() {
        total(&peers);
        for (ours, theirs) in lines.iter().zip(&peers) {
            println!(
                "{}: {:.2} of the bytes, {:.1} times fewer calls, {:.1} times less CPU",
                ours.name,
                ours.after as f64 / theirs.after.max(1) as f64,
                theirs.calls as f64 / ours.calls.max(1) as f64,
                theirs.cpu.as_secs_f64() / ours.cpu.as_secs_f64().max(1e-3),
            );
        }
    }
    Ok(exit::FINE)
}

/// ddSMT on the same script with the same command: the CPU time of all it starts, and the tests it tells of.
fn ddsmt(args: &Args, peer: &Path, file: &Path, before: usize) -> anyhow::Result<Line> {
    let out = std::env::temp_dir().join(format!("gainsay-ddsmt-{}.smt2", std::process::id()));
    let jobs = format!("-j{}", args.jobs.max(1));
    let [peer, file, place] = [peer, file, &out].map(|p| p.display().to_string());
    let mut argv = vec![peer, "-v".to_owned(), jobs, file.clone(), place];
    argv.extend(args.command.iter().cloned());
    let time = args.for_;
    let limits = Limits {
        wall: time,
        cpu: time * 8,
        address_space: false,
        memory: 8 << 30,
        processes: 256,
        ..Limits::default()
    };
    let done = Host::default().run(&argv, &limits)?;
    let text = std::fs::read_to_string(&out).unwrap_or_default();
    let _ = std::fs::remove_file(&out);
    let said = format!("{}{}", String::from_utf8_lossy(&done.out), String::from_utf8_lossy(&done.err));
    let readable = smt::read(text.as_bytes()).is_ok_and(|s| s.opaque.is_empty());
    let state = match (&done.ending, readable) {
        (crate::solver::Ending::Exited(0), true) => "ddSMT",
        (crate::solver::Ending::Exited(0), false) => "ddSMT, ill-formed",
        _ => "ddSMT, out of time",
    };
    Ok(Line {
        name: file,
        kind: state.to_owned(),
        before,
        after: text.trim_end().len(),
        calls: tests_told(&said),
        cpu: done.cpu,
    })
}

/// The tests of all its rounds: `… 33 tests (1), …`.
fn tests_told(said: &str) -> u64 {
    let counts = said.lines().filter_map(|line| line.split(" tests (").next().filter(|l| *l != line));
    counts.filter_map(|l| l.rsplit(' ').next()?.parse::<u64>().ok()).sum()
}

fn keep(args: &Args, number: usize, text: &str) -> anyhow::Result<()> {
    if let Some(folder) = &args.keep {
        let place = folder.join(format!("{number:03}.smt2"));
        std::fs::write(&place, text).map_err(crate::store::StoreError::at(&place))?;
    }
    Ok(())
}

fn head(calls: &str) {
    println!("| script | what | bytes before | after | {calls} | CPU s |\n|---|---|---|---|---|---|");
}

fn print(line: Option<&Line>) {
    if let Some(Line { name, kind, before, after, calls, cpu }) = line {
        println!("| {name} | {kind} | {before} | {after} | {calls} | {:.2} |", cpu.as_secs_f64());
    }
}

fn total(lines: &[Line]) {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_are_summed() {
        let said =
            "x: diff +0 expressions, 33 tests (1), 5.1s\nnothing\ny: diff -1 expressions, 8 tests (0), 1s";
        assert_eq!(tests_told(said), 41);
    }
}
