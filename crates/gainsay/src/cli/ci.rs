//! `gainsay ci`: did this commit break correctness or speed?

use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};

use super::arguments::{BadUsage, duration, workers};
use super::progress::Bar;
use super::{choose, exit, signals};
use crate::campaign::spec::keep;
use crate::config::Config;
use crate::judge::Budget;
use crate::report::ci::{Verdict, annotations, junit, sarif};
use crate::report::many;
use crate::seed::Corpus;
use crate::solver::Solver;
use crate::store::Sqlite;
use crate::study::ci::{
    Check, CheckBudget, CheckSpec, Stores, next_run, open_cache, other_make, run as check,
};
use crate::study::evolve::limits;

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
    /// The release to compare with; what that release gets wrong, too, is not new
    #[arg(long)]
    against: String,
    /// Releases of other makes to compare with [default: the newest installed of one other make]
    #[arg(long = "beside")]
    beside: Vec<String>,
    /// The profile to use for a build that gainsay does not recognise
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
    /// Do not fail if solvers contradict each other and nobody can tell which one is wrong
    #[arg(long)]
    allow_undecided: bool,
    /// CPU time for each question
    #[arg(long, default_value = "2s", value_parser = duration)]
    timeout: Duration,
    /// Megabytes for each question
    #[arg(long, default_value_t = 1024)]
    memory: u64,
    /// How far deciding who is wrong may go, as for `hunt`
    #[arg(long, value_name = "BUDGET", default_value_t)]
    decide: Budget,
    /// How many workers there are [default: one for each core]
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
    let everybody = everybody(args)?;
    let corpus = Corpus::of(&args.seeds, keep(false))?;
    if args.with.is_empty() && !args.seeds.is_empty() {
        bail!(BadUsage("--seeds are for the strategies of --with: --with opfuzz,sae".to_owned()));
    }
    let config = Config::read()?;
    let finder = choose::finder(&config);
    let wanted = CheckSpec {
        grammars: &args.grammars,
        strategies: &args.with,
        seeds: &args.seeds,
        time: args.for_,
        times: !args.no_times,
        limits: limits(args.timeout, args.memory),
        budget: args.decide,
    };
    let spec = wanted.define(&everybody, &corpus, finder)?;
    let root = args.cache.clone().unwrap_or_else(|| args.output.join("cache"));
    let cache = open_cache(&root, &spec, &everybody[1..])?;
    let (number, place) = next_run(&args.output)?;
    let store = Sqlite::open(&place, &spec.definition(), false)?;
    let stop = signals::stop()?;
    let budget = CheckBudget {
        begun,
        time: args.for_,
        times: !args.no_times,
        jobs: workers(args.jobs),
        bound: args.slower,
        undecided: !args.allow_undecided,
    };
    let check_plan = Check::of(&spec, &budget, finder, &everybody, corpus)?;
    let Some(check_plan) = check_plan else { bail!("the definition of a check gave no check") };
    let formulas = check_plan.formulas();
    let workers = many(check_plan.screening.jobs as u64, "worker");
    eprintln!("{}, {workers}, run {number} in {}", many(formulas, "formula"), place.display());
    let bar = Bar::new(formulas as usize);
    let stores = Stores { own: &store, cache: &cache };
    let verdict = check(&check_plan, &stores, &stop, |counts| {
        let done = counts.formulas.load(Ordering::Relaxed);
        bar.at(done, || format!("{} wrong", counts.wrongs.load(Ordering::Relaxed)));
    })?;
    bar.finish();
    print!("{}", verdict.terminal());
    write_reports(args, &verdict, &place)?;
    Ok(if verdict.fails() { exit::FINDINGS } else { exit::FINE })
}

/// The build, the release that it is compared with, and the solvers that both are judged beside.
fn everybody(args: &Args) -> anyhow::Result<Vec<Solver>> {
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
        true => other_make(&against).into_iter().collect(),
    };
    let mut everybody = vec![build, against];
    everybody.extend(others);
    Ok(everybody)
}

/// Writes the verdict in all forms that were asked for.
fn write_reports(args: &Args, verdict: &Verdict, place: &Path) -> anyhow::Result<()> {
    let root = place.display().to_string();
    let put = |file: &Option<PathBuf>, text: &dyn Fn() -> String| match file {
        Some(file) => std::fs::write(file, text()).with_context(|| file.display().to_string()),
        None => Ok(()),
    };
    put(&args.junit, &|| junit(verdict))?;
    put(&args.sarif, &|| format!("{:#}\n", sarif(verdict, &root)))?;
    put(&args.json, &|| format!("{:#}\n", verdict.json()))?;
    put(&Some(place.join("verdict.json")), &|| format!("{:#}\n", verdict.json()))?;
    if args.github || std::env::var("GITHUB_ACTIONS").is_ok_and(|v| v == "true") {
        print!("{}", annotations(verdict));
    }
    Ok(())
}
