//! `gainsay ci`: did this commit break correctness or speed?

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use serde_json::json;

use super::evolve::{limits, stocks};
use super::hunt::{BadUsage, duration};
use super::progress::Bar;
use super::{choose, exit};
use crate::judge::oracle::choose as oracles;
use crate::report::ci::{annotations, junit, sarif};
use crate::report::many;
use crate::seed::Corpus;
use crate::solver::acquire::choose::readers;
use crate::solver::acquire::home::Home;
use crate::solver::{Profile, Solver};
use crate::store::{Identity, Sqlite};
use crate::strategy::build as strategies;
use crate::study::ci::{Hunted, Plan, run as check, share_of, turns_of};
use crate::study::evolve::Stock;

/// What to check.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  gainsay ci --solver ./build/z3 --against z3@5.4.0 --for 30m
  gainsay ci --solver ./build/z3 --against z3@5.4.0 --with opfuzz,sae --seeds regressions
  gainsay ci --solver ./build/cvc5 --against cvc5@1.4.2 --grammars Ints,Strings --for 5m --junit junit.xml

Exit codes: 0 passed, 10 something new is wrong or the build is slower, 2 usage, 3 internal error, 4 no usable
solver, 5 disk.")]
pub struct Args {
    /// The build: ./build/z3, with options after it
    #[arg(long)]
    solver: String,
    /// The release that it is compared with: what that one gets wrong, too, is not new
    #[arg(long)]
    against: String,
    /// Releases of other makes to compare with [default: the newest installed of one other make]
    #[arg(long = "beside")]
    beside: Vec<String>,
    /// The profile of a build that cannot be recognised
    #[arg(long)]
    profile: Option<String>,
    /// How long it may take: the same duration means the same formulas
    #[arg(long = "for", default_value = "30m", value_parser = duration)]
    for_: Duration,
    /// Grammars, as for `evolve`; a count of its own after a colon: FP:500
    #[arg(long, default_value = "all")]
    grammars: String,
    /// Strategies to hunt with besides, as for `hunt`: opfuzz,typefuzz,sae; the same duration means the same turns
    #[arg(long = "with", value_delimiter = ',')]
    with: Vec<String>,
    /// Seeds for these strategies [default: the scripts that gainsay brings along]
    #[arg(long)]
    seeds: Vec<PathBuf>,
    /// How many times the CPU time of the release the build may take
    #[arg(long, default_value_t = 1.15)]
    slower: f64,
    /// Do not compare times
    #[arg(long)]
    no_times: bool,
    /// Do not fail for contradicting answers of which nobody can tell who is wrong
    #[arg(long)]
    allow_undecided: bool,
    /// CPU time for each question
    #[arg(long, default_value = "2s", value_parser = duration)]
    timeout: Duration,
    /// Megabytes for each question
    #[arg(long, default_value_t = 1024)]
    memory: u64,
    /// Workers
    #[arg(long)]
    jobs: Option<usize>,
    /// The folder of runs
    #[arg(long, default_value = "gainsay-ci")]
    output: PathBuf,
    /// Where answers of releases are kept from run to run [default: `cache` in the folder of runs]
    #[arg(long)]
    cache: Option<PathBuf>,
    /// Write `JUnit` XML here
    #[arg(long)]
    junit: Option<PathBuf>,
    /// Write SARIF here
    #[arg(long)]
    sarif: Option<PathBuf>,
    /// Write JSON here
    #[arg(long)]
    json: Option<PathBuf>,
    /// Print annotations of GitHub workflows; done anyway where `GITHUB_ACTIONS` says so
    #[arg(long)]
    github: bool,
}

/// Runs the command.
pub fn run(args: &Args) -> anyhow::Result<u8> {
    if !(args.slower.is_finite() && args.slower >= 1.0) {
        bail!(BadUsage(format!("--slower {}: 1 or more is wanted", args.slower)));
    }
    let begun = Instant::now();
    let one = |text: &String| -> anyhow::Result<Solver> {
        let mut found = choose::solvers(std::slice::from_ref(text), args.profile.as_deref(), &[])?;
        match (found.pop(), found.is_empty()) {
            (Some(solver), true) => Ok(solver),
            _ => bail!(BadUsage(format!("{text}: one solver is wanted"))),
        }
    };
    let build = one(&args.solver)?;
    let against = one(&args.against)?;
    let others = match args.beside.is_empty() {
        false => args.beside.iter().map(one).collect::<anyhow::Result<Vec<_>>>()?,
        true => other(&against).into_iter().collect(),
    };
    let mut everybody = vec![build.clone(), against.clone()];
    everybody.extend(others.iter().cloned());
    let stocks = counted(args, &readers(&everybody))?;
    let limits = limits(args.timeout, args.memory);
    let cache = open_cache(args, &against, &others)?;
    let (number, place) = next_run(&args.output)?;
    let configuration = json!({"study": "ci", "build": build.name, "against": against.name});
    let store = Sqlite::open(&place, &Identity { draw: 0, configuration: configuration.to_string() }, false)?;
    let stop = Arc::new(AtomicBool::new(false));
    for signal in [libc::SIGINT, libc::SIGTERM] {
        signal_hook::flag::register_conditional_shutdown(signal, 128 + signal, stop.clone())?;
        signal_hook::flag::register(signal, stop.clone())?;
    }
    let time = |share: f64| begun + args.for_.mul_f64(share);
    // Screening and hunting may have four fifths of the time, so that there is some left to look twice.
    let asked = if args.no_times { 1.0 } else { 0.8 };
    let screened = if args.with.is_empty() { asked } else { asked * 0.6 };
    let plan = Plan {
        stocks,
        build,
        against,
        others,
        oracles: oracles(&[])?,
        limits,
        jobs: args.jobs.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from)),
        until: (time(screened), time(1.0)),
        bound: args.slower,
        undecided: !args.allow_undecided,
    };
    let hunt = hunted(args, &readers(&everybody), time(asked))?;
    let formulas: u64 = plan.stocks.iter().map(|(stock, _)| stock.count).sum();
    let workers = many(plan.jobs as u64, "worker");
    eprintln!("{}, {workers}, run {number} in {}", many(formulas, "formula"), place.display());
    let bar = Bar::new(formulas as usize);
    let verdict = check(&plan, hunt, (&store, &cache), &stop, |counts| {
        let done = counts.formulas.load(Ordering::Relaxed);
        bar.at(done, || format!("{} wrong", counts.wrongs.load(Ordering::Relaxed)));
    })?;
    bar.finish();
    print!("{}", verdict.terminal());
    let root = place.display().to_string();
    let put = |file: &Option<PathBuf>, text: &dyn Fn() -> String| match file {
        Some(file) => std::fs::write(file, text()).with_context(|| file.display().to_string()),
        None => Ok(()),
    };
    put(&args.junit, &|| junit(&verdict))?;
    put(&args.sarif, &|| format!("{:#}\n", sarif(&verdict, &root)))?;
    put(&args.json, &|| format!("{:#}\n", verdict.json()))?;
    put(&Some(place.join("verdict.json")), &|| format!("{:#}\n", verdict.json()))?;
    if args.github || std::env::var("GITHUB_ACTIONS").is_ok_and(|v| v == "true") {
        print!("{}", annotations(&verdict));
    }
    Ok(if verdict.fails() { exit::FINDINGS } else { exit::FINE })
}

/// What is hunted with besides the grammars, if anything is.
fn hunted(args: &Args, speakers: &str, until: Instant) -> anyhow::Result<Option<Hunted>> {
    if args.with.is_empty() {
        if !args.seeds.is_empty() {
            bail!(BadUsage("--seeds are for the strategies of --with: --with opfuzz,sae".to_owned()));
        }
        return Ok(None);
    }
    let flags = [("speakers".to_owned(), speakers.to_owned())].into();
    let (strategies, _) = strategies(&args.with, &flags)?;
    Ok(Some(Hunted { strategies, corpus: Corpus::of(&args.seeds)?, turns: turns_of(args.for_), until }))
}

/// The newest installed release of one other make.
fn other(against: &Solver) -> Option<Solver> {
    let home = Home::of_environment();
    let makes = ["z3", "cvc5", "bitwuzla", "yices"];
    let absent = |p: &&Arc<Profile>| p.name != against.profile.name;
    let newest = |p: &Arc<Profile>| Some(Solver::installed(p, home.installed(&p.name).last()?, &home));
    makes
        .iter()
        .filter_map(|make| Profile::all().iter().find(|p| p.name == *make))
        .filter(absent)
        .find_map(newest)
}

/// The formulas, as many as the duration is worth.
fn counted(args: &Args, speakers: &str) -> anyhow::Result<Vec<(Stock, u64)>> {
    let all = stocks(&args.grammars, 0, speakers)?;
    let with_share = |mut stock: Stock| {
        let share = share_of(&stock.label, args.for_);
        // A count by hand changes what is screened; times are of at most as many.
        stock.count = if stock.count == 0 { share.screened } else { stock.count };
        let timed = if args.no_times { 0 } else { share.timed.min(stock.count) };
        (stock, timed)
    };
    Ok(all.into_iter().map(with_share).collect())
}

/// Opens the cache of what releases answer under these limits.
fn open_cache(args: &Args, against: &Solver, others: &[Solver]) -> anyhow::Result<Sqlite> {
    let root = args.cache.clone().unwrap_or_else(|| args.output.join("cache"));
    let mut who: Vec<String> = Vec::new();
    for solver in std::iter::once(against).chain(others) {
        // What has no release may be another program tomorrow.
        who.push(if solver.name.release().is_some() { String::new() } else { solver.digest() });
    }
    let limits = json!({"timeout": args.timeout.as_secs_f64(), "memory": args.memory, "programs": who});
    let digest = {
        use sha2::{Digest, Sha256};
        format!("{:x}", Sha256::digest(limits.to_string()))
    };
    let place = root.join(&digest[..12]);
    let identity =
        Identity { draw: 0, configuration: json!({"study": "ci cache", "limits": limits}).to_string() };
    Ok(Sqlite::open(&place, &identity, true)?)
}

/// The next run's number and folder.
fn next_run(output: &Path) -> anyhow::Result<(u64, PathBuf)> {
    let runs = output.join("runs");
    std::fs::create_dir_all(&runs).with_context(|| runs.display().to_string())?;
    let numbers =
        std::fs::read_dir(&runs)?.flatten().filter_map(|e| e.file_name().to_str()?.parse::<u64>().ok());
    let number = numbers.max().unwrap_or(0) + 1;
    Ok((number, runs.join(format!("{number:04}"))))
}
