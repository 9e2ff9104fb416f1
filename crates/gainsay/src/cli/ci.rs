//! `gainsay ci`: did this commit break correctness or speed?

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};

use super::arguments::{BadUsage, duration, workers};
use super::evolve::{grammars, limits};
use super::progress::Bar;
use super::{choose, exit, here, signals};
use crate::campaign::spec::{
    CacheSpec, CiSpec, GrammarSpec, HuntSpec, RoleSpec, SeedsSpec, StrategySpec, StudySpec, WorkSpec,
};
use crate::campaign::{CampaignSpec, Here, Plan};
use crate::config::Config;
use crate::judge::oracle::choose as oracles;
use crate::report::ci::{annotations, junit, sarif};
use crate::report::many;
use crate::seed::Corpus;
use crate::solver::acquire::choose::readers;
use crate::solver::acquire::home::Home;
use crate::solver::{AskMode, Profile, Solver};
use crate::store::Sqlite;
use crate::strategy::build as strategies;
use crate::study::ci::{Check, Stores, run as check, share_of, turns_of};

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
    let mut everybody = vec![build, against];
    everybody.extend(others);
    let corpus = Corpus::of(&args.seeds)?;
    let spec = define(args, &everybody, &corpus)?;
    let cache = open_cache(args, &spec, &everybody[1..])?;
    let (number, place) = next_run(&args.output)?;
    let store = Sqlite::open(&place, &spec.definition(), false)?;
    let stop = signals::stop()?;
    let check_plan = planned(args, &spec, &everybody, corpus, begun)?;
    let formulas: u64 = study_of(&spec).iter().map(|grammar| grammar.count).sum();
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

/// The grammars of a check.
fn study_of(spec: &CampaignSpec) -> &[GrammarSpec] {
    match &spec.work {
        WorkSpec::Ci(ci) => &ci.study.grammars,
        _ => &[],
    }
}

/// The definition of a check. Its solvers are the build, the release that it is compared with, and others.
fn define(args: &Args, everybody: &[Solver], corpus: &Corpus) -> anyhow::Result<CampaignSpec> {
    let speakers = readers(everybody);
    let (grammars, timed) = counted(args, &speakers)?.into_iter().unzip();
    let role = |i: usize| RoleSpec {
        studied: i < 2,
        references: if i < 2 { (i + 1..everybody.len()).collect() } else { Vec::new() },
        lasting: i > 0,
    };
    let roles = (0..everybody.len()).map(role).collect();
    // Its units are numbered from elsewhere than the series of the hunt besides.
    let study = StudySpec { edition: 1, grammars, roles, self_check: false };
    let ci = CiSpec { study, timed, hunt: hunted(args, speakers, corpus)? };
    // Warm sessions lost nothing in our measurements, and cost a fraction of a process.
    let mut spec = CampaignSpec::new(WorkSpec::Ci(ci), &limits(args.timeout, args.memory), AskMode::Reset);
    spec.solvers = here::solver_specs(everybody, &Config::read()?)?;
    spec.oracles = oracles(&[])?.iter().map(|oracle| oracle.name.to_owned()).collect();
    Ok(spec)
}

/// What is hunted with besides the grammars, if anything is, and for how many turns.
fn hunted(args: &Args, speakers: String, corpus: &Corpus) -> anyhow::Result<Option<(HuntSpec, u64)>> {
    if args.with.is_empty() {
        if !args.seeds.is_empty() {
            bail!(BadUsage("--seeds are for the strategies of --with: --with opfuzz,sae".to_owned()));
        }
        return Ok(None);
    }
    let flags = [("readable-by".to_owned(), speakers)].into();
    let (built, options) = strategies(&args.with, &flags)?;
    let strategy = |((name, _), options): (&(&str, _), &crate::strategy::Options)| StrategySpec {
        name: (*name).to_owned(),
        options: options.all().clone(),
    };
    let hunt = HuntSpec {
        strategies: built.iter().zip(&options).map(strategy).collect(),
        grammars: std::collections::BTreeMap::new(),
        seeds: SeedsSpec::of(corpus, here::absolute(&args.seeds)?),
        breadth: 512,
        prepare: false,
    };
    Ok(Some((hunt, turns_of(args.for_))))
}

/// The plans of a check.
fn planned(
    args: &Args,
    spec: &CampaignSpec,
    everybody: &[Solver],
    corpus: Corpus,
    begun: Instant,
) -> anyhow::Result<Check> {
    let time = |share: f64| begun + args.for_.mul_f64(share);
    // Screening and hunting may have four fifths of the time, so that there is some left to look twice.
    let asked = if args.no_times { 1.0 } else { 0.8 };
    let screened = if args.with.is_empty() { asked } else { asked * 0.6 };
    let find = here::find_among(everybody);
    let here = |corpus: Corpus, turns: Option<u64>, until: Instant| Here {
        find: &find,
        corpus,
        ignored: Vec::new(),
        grammars: None,
        jobs: workers(args.jobs),
        turns,
        until: Some(until),
    };
    let Some(screening) = spec.screening() else { bail!("the definition of a check gave no check") };
    let screening = Plan::of(&screening, here(Corpus::default(), None, time(screened)))?;
    let hunt = match spec.hunt_besides() {
        Some((hunt, turns)) => Some(Plan::of(&hunt, here(corpus, Some(turns), time(asked)))?),
        None => None,
    };
    let timed = match &spec.work {
        WorkSpec::Ci(ci) => ci.timed.clone(),
        _ => Vec::new(),
    };
    let (until, undecided) = (time(1.0), !args.allow_undecided);
    Ok(Check { screening, timed, hunt, until, bound: args.slower, undecided })
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

/// The formulas, as many as the duration is worth, and how many of them are timed.
fn counted(args: &Args, speakers: &str) -> anyhow::Result<Vec<(GrammarSpec, u64)>> {
    let all = grammars(&args.grammars, 0, speakers)?;
    let with_share = |mut grammar: GrammarSpec| {
        let share = share_of(&grammar.label, args.for_);
        // A count by hand changes what is screened; times are of at most as many.
        grammar.count = if grammar.count == 0 { share.screened } else { grammar.count };
        let timed = if args.no_times { 0 } else { share.timed.min(grammar.count) };
        (grammar, timed)
    };
    Ok(all.into_iter().map(with_share).collect())
}

/// Opens the cache of what releases answer under these limits.
fn open_cache(args: &Args, spec: &CampaignSpec, releases: &[Solver]) -> anyhow::Result<Sqlite> {
    let root = args.cache.clone().unwrap_or_else(|| args.output.join("cache"));
    // What has no release may be another program tomorrow.
    let program = |solver: &Solver| match solver.name.release().is_some() {
        true => String::new(),
        false => solver.digest(),
    };
    let programs = releases.iter().map(program).collect();
    let work = WorkSpec::CiCache(CacheSpec { programs });
    let definition = CampaignSpec::new(work, &spec.limits.limits(), spec.ask_mode).definition();
    let place = root.join(&definition.identity[..12]);
    let there = place.join("campaign.sqlite").exists();
    Ok(Sqlite::open(&place, &definition, there)?)
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
