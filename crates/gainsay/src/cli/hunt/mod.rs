//! `gainsay hunt`: cases in, confirmed findings out.

mod define;
mod flags;
mod generate;

use std::io::IsTerminal;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::bail;

use super::arguments::workers;
use super::join::{Joining, Run, joined};
use super::watch::HuntWatcher;
use super::{AskModeName, choose, exit, signals};
use crate::campaign::spec::TimeLimits;
use crate::campaign::{self, CampaignSpec, Engine, Here, Hunt, Plan, Preparation};
use crate::config::Config;
use crate::judge::Budget;
use crate::judge::oracle::choose as oracles;
use crate::report::{self, matrix::Matrix};
use crate::seed::Corpus;
use crate::solver::Solver;
use crate::store::{Address, Place, Postgres, Reader, Sink, Sqlite};
use crate::strategy::build as strategies;
use crate::study::definition::Defined;
use crate::study::machine::{comes_to_an_end, hunt_before, put_seeds, rebuild};
use crate::study::options::OptionsChoice;
use crate::study::published::Paper;

pub use super::arguments::{BadUsage, duration};
pub use flags::StrategyFlags;
pub use generate::{Generate, generate};

/// How long a hunt runs that has no end of its own, when nobody says so and nobody watches.
const UNWATCHED: Duration = Duration::from_secs(300);

/// What to hunt with.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  gainsay hunt                                  the seeds that come with gainsay, newest z3 and cvc5
  gainsay hunt --solver ./build/z3 --for 10m    one build against itself: models, crashes, claims
  gainsay hunt --solver z3@4.8.7 --solver cvc5 seeds/ --turns 1000 --seed 1
  gainsay hunt --resume                         go on with the campaign in ./gainsay-campaign, as it was begun

Exit codes: 0 nothing found, 10 findings, 2 usage, 3 internal error, 4 no usable solver, 5 disk.")]
pub struct Args {
    /// Seeds: SMT-LIB files, folders with such files, lists of paths (.txt); without any, our own corpus
    seeds: Vec<PathBuf>,
    #[command(flatten)]
    what: Making,
    #[command(flatten)]
    whom: choose::Whom,
    /// The oracles that judge; `all` means every one
    #[arg(long, value_delimiter = ',')]
    oracles: Vec<String>,
    /// How far deciding who is wrong may go: default, none, thorough, or changes such as assignments=5000000,parts=8
    #[arg(long, value_name = "BUDGET")]
    decide: Option<Budget>,
    /// Stop after this long: 90s, 10m, 2h
    #[arg(long = "for", value_parser = duration)]
    for_: Option<Duration>,
    /// Stop after so many turns of the campaign
    #[arg(long)]
    turns: Option<u64>,
    /// How many workers there are [default: one for each core]
    #[arg(long)]
    jobs: Option<usize>,
    /// Seconds for each question [default: 5]
    #[arg(long)]
    timeout: Option<f64>,
    /// What of that time a question has: `fitted` gives it a small multiple of what the solver took for the seed, and more while
    /// time-outs take a small share of all time; `fixed` gives it all [default: fitted; fixed with --published or --each-seed]
    #[arg(long, value_enum)]
    limits: Option<TimeLimitsName>,
    /// Megabytes for each question [default: 2048]
    #[arg(long)]
    memory: Option<u64>,
    /// Limit resident memory instead of address space, for builds with sanitizers
    #[arg(long)]
    free_space: bool,
    /// How solvers are asked at first; findings are confirmed fresh in any case [default: reset]
    #[arg(long, value_enum)]
    way: Option<AskModeName>,
    /// Settings that are drawn for solvers, which are then asked with and without them: none, safe, all, or a file with a table of
    /// your own (options, tactics and simplifiers; see `gainsay solvers options`) [default: none]
    #[arg(long, value_name = "SETTINGS")]
    options: Option<OptionsChoice>,
    /// The solvers' own random numbers: each solver is asked with each
    #[arg(long, value_delimiter = ',')]
    solver_seed: Vec<u64>,
    /// Hunt as the authors of a paper did: opfuzz, sae, strings or et. It chooses their strategy with its published behaviour,
    /// bare seeds, a process for each question, and the options, limits and random numbers of the paper; flags that are given count
    #[arg(long, value_name = "PAPER", value_parser = Paper::named)]
    published: Option<&'static Paper>,
    /// Let solvers check their own models and cores
    #[arg(long)]
    self_check: bool,
    /// The campaign's folder, or the address of a server that many machines share: `postgres://user@host/database#name`
    #[arg(long, default_value = super::STORE)]
    store: Place,
    /// First leave out seeds that folding alone decides or that no solver answers in 5 s; the answers are kept
    #[arg(long)]
    prepare: bool,
    /// Also ask a solver about mutants of seeds that it refuses as they are, or on which it fails
    #[arg(long)]
    keep_failing: bool,
    /// Also make mutants of seeds that folding alone decides
    #[arg(long)]
    keep_folded: bool,
    /// Make one series of each seed with every strategy, of at most so many mutants, and end
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    each_seed: Option<u32>,
    /// How many series of a strategy get ten turns before one of them gets more: many see many seeds, few see long chains
    /// [default: 512]
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    breadth: Option<u64>,
    /// Go on with the campaign in the folder, as it was begun; flags that contradict it are refused
    #[arg(long)]
    resume: bool,
    /// With --resume: go on with programs that were built anew since; the campaign keeps a note of it
    #[arg(long, requires = "resume")]
    rebuilt: bool,
    /// Have every step of every approximation audited by other solvers, not only of those that are complained of
    #[arg(long)]
    audit: bool,
    /// Events as lines of JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    joining: Joining,
}

/// A way to limit the time of questions, on the command line.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub enum TimeLimitsName {
    /// A small multiple of what the solver took for the seed.
    Fitted,
    /// The time of the campaign.
    Fixed,
}

impl From<TimeLimitsName> for TimeLimits {
    fn from(name: TimeLimitsName) -> TimeLimits {
        match name {
            TimeLimitsName::Fitted => TimeLimits::Fitted,
            TimeLimitsName::Fixed => TimeLimits::Fixed,
        }
    }
}

/// What cases are made of; shared with `gainsay generate`.
#[derive(clap::Args)]
pub struct Making {
    /// Strategies that take turns; all if none is named
    #[arg(long = "with", value_delimiter = ',')]
    with: Vec<String>,
    /// The campaign's random number: the same number, seeds and versions give the same cases
    #[arg(long = "seed", value_name = "N")]
    draw: Option<u64>,
    /// Take only declarations, assertions and plain checks from seeds, not their options, tactics and other commands
    #[arg(long)]
    bare: bool,
    #[command(flatten)]
    flags: StrategyFlags,
}

impl Args {
    /// Says for whatever was not said what the authors of the paper did.
    fn fill_in(&mut self) -> anyhow::Result<()> {
        let Some(paper) = self.published else { return Ok(()) };
        if self.what.with.iter().any(|name| name != paper.strategy) {
            let said = format!("--published {}: its strategy is {}", paper.name, paper.strategy);
            bail!(BadUsage(format!("{said}, not {}", self.what.with.join(","))));
        }
        self.what.with = vec![paper.strategy.to_owned()];
        for (name, value) in paper.flags {
            self.what.flags.0.entry((*name).to_owned()).or_insert_with(|| (*value).to_owned());
        }
        self.what.bare = true;
        self.way = self.way.or(Some(AskModeName::Fresh));
        self.timeout = self.timeout.or(paper.seconds);
        self.prepare |= paper.prepare;
        self.limits = self.limits.or(Some(TimeLimitsName::Fixed));
        (self.keep_failing, self.keep_folded) = (true, true);
        if self.solver_seed.is_empty() {
            self.solver_seed = paper.solver_seeds.to_vec();
        }
        Ok(())
    }
}

/// Runs the command.
pub fn run(mut args: Args) -> anyhow::Result<u8> {
    args.fill_in()?;
    let args = &args;
    // What is misspelt is said before anything is installed or read.
    strategies(&args.what.with, &args.what.flags.0)?;
    oracles(&args.oracles)?;
    let mut before = if args.resume {
        hunt_before(&args.store)?
    } else {
        args.store.check_new()?;
        None
    };
    if let (true, Some(spec)) = (args.rebuilt, &mut before) {
        let (now, programs) = rebuild(&args.store, spec, choose::finder(&Config::read()?))?;
        if programs.is_empty() {
            eprintln!("gainsay: --rebuilt: no program is another than before");
        }
        for program in &programs {
            eprintln!("gainsay: {}", report::rebuilt(program));
        }
        *spec = now;
    }
    let defined = define::define(args, before.as_ref())?;
    let stop = signals::stop()?;
    let ends = comes_to_an_end(&defined.spec)?;
    let watched = std::io::stderr().is_terminal();
    let time = args.for_.or_else(|| (args.turns.is_none() && !watched && !ends).then_some(UNWATCHED));
    let run = Run { jobs: workers(args.jobs), time, json: args.json, stop: &stop };
    match &args.store {
        Place::Server(address) => begin_on_server(args, address, defined, &run),
        Place::Folder(folder) => {
            let store = Sqlite::open(folder, &defined.spec.definition(), args.resume)?;
            store.remarks().iter().for_each(|remark| eprintln!("gainsay: {remark}"));
            hunt_alone(args, &store, defined, &run)
        }
    }
}

/// Hunts in this process alone.
fn hunt_alone(args: &Args, store: &Sqlite, defined: Defined, run: &Run<'_>) -> anyhow::Result<u8> {
    let Defined { spec, solvers, mut corpus, .. } = defined;
    prepared(&spec, &mut corpus, &solvers[..spec.solvers.len()], store, run)?;
    let known: Vec<String> = spec.ignored.clone();
    let config = Config::read()?;
    let finder = choose::finder(&config);
    let ignored = config.ignore.summaries.iter().filter(|p| !known.contains(p)).cloned().collect();
    let here = Here {
        find: &finder.find_among(&solvers),
        corpus,
        ignored,
        grammars: Some(store.root().join("grammars")),
        jobs: run.jobs,
        turns: args.turns,
        until: run.time.map(|time| Instant::now() + time),
    };
    let plan = Plan::of(&spec, here)?;
    let Some(hunt) = Hunt::new(&plan) else { bail!("the definition of a hunt gave no hunt") };
    let mut watcher = HuntWatcher::new(args.json, &plan, &args.store, run.time);
    watcher.begin();
    let engine =
        Engine { work: &hunt, jobs: plan.jobs, turns: plan.turns, until: plan.until, stop: run.stop };
    let ended = engine.run(store, &store.series()?, |event| watcher.see(&hunt.progress, event));
    watcher.clear();
    ended?;
    let rows = store.findings()?;
    let enumerated = hunt.enumerated(store)?;
    watcher.end(&hunt.progress, &rows, (&Matrix::of(store)?, &enumerated), run.stop);
    Ok(if rows.iter().any(|r| !r.warm) { exit::FINDINGS } else { exit::FINE })
}

/// Puts a campaign on a server, with the seeds if they are not there, and works on it.
fn begin_on_server(args: &Args, address: &Address, defined: Defined, run: &Run<'_>) -> anyhow::Result<u8> {
    let Defined { spec, solvers, mut corpus, .. } = defined;
    let store = Postgres::open(address, &spec.definition(), args.resume)?;
    if store.seeds()?.is_empty() {
        prepared(&spec, &mut corpus, &solvers[..spec.solvers.len()], &store, run)?;
        put_seeds(&store, &corpus)?;
    }
    store.set_turns(args.turns)?;
    drop(store);
    Ok(joined(address, &args.joining, run)?.0)
}

/// Leaves out seeds that are not worth mutating, if the definition says so.
fn prepared(
    spec: &CampaignSpec,
    corpus: &mut Corpus,
    solvers: &[Solver],
    sink: &dyn Sink,
    run: &Run<'_>,
) -> anyhow::Result<()> {
    if !spec.hunt().is_some_and(|hunt| hunt.prepare) {
        return Ok(());
    }
    let count = corpus.seeds.len();
    let shown = std::io::stderr().is_terminal() && !run.json;
    let with = Preparation { solvers, sink, jobs: run.jobs, stop: run.stop };
    let told = campaign::prepare(corpus, &with, |done| {
        if shown {
            eprint!("\rpreparing seeds: {done} of {count}");
        }
    })?;
    eprintln!(
        "\rof {count} seeds {} stay; folding alone decides {}, no solver answers {} in time",
        told.kept, told.folded, told.unsolved
    );
    if told.disputed > 0 {
        eprintln!(
            "solvers differ on {} of them; the strategies seeds and sae ask these as they are",
            told.disputed
        );
    }
    if corpus.seeds.is_empty() {
        bail!(BadUsage("no seed is left after --prepare".to_owned()));
    }
    Ok(())
}
