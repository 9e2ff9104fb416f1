//! `gainsay hunt`: cases in, confirmed findings out.

mod flags;
mod generate;
mod joined;
mod settings;
mod watch;

use std::io::IsTerminal;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use anyhow::bail;
use sha2::{Digest, Sha256};

use super::{AskModeName, choose, exit};
use crate::campaign::{self, Plan};
use crate::config::Config;
use crate::judge::oracle::choose as oracles;
use crate::report::matrix::Matrix;
use crate::seed::Corpus;
use crate::solver::acquire::choose::{readers, witnesses};
use crate::solver::{AskMode, Limits, Outcome, Question, Runner, Solver, SolverError};
use crate::store::{Identity, Place, Postgres, Sqlite, Store};
use crate::strategy::{self, Built, Options, Strategy, Wants, build as strategies};

pub use super::arguments::{BadUsage, duration};
pub use flags::StrategyFlags;
pub use generate::{Generate, generate};
pub use joined::{Joining, Member, joined, patience};
pub use settings::{Named, same_program};

/// How long a hunt runs that has no end of its own, when nobody says so and nobody watches.
const UNWATCHED: Duration = Duration::from_secs(300);

/// The option set of the authors of the string tests, and their random numbers.
const PUBLISHED: &str = "published";
const PUBLISHED_SEEDS: &[u64] = &[0, 1465];

/// What to hunt with.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  gainsay hunt                                  the seeds that come with gainsay, newest z3 and cvc5
  gainsay hunt --solver ./build/z3 --for 10m    one build against itself: models, crashes, claims
  gainsay hunt --solver z3@4.8.7 --solver cvc5 seeds/ --turns 1000 --seed 1
  gainsay hunt --resume                         go on with the campaign in ./gainsay-campaign

Exit codes: 0 nothing found, 10 findings, 2 usage, 3 internal error, 4 no usable solver, 5 disk.")]
pub struct Args {
    /// Seeds: SMT-LIB files, folders with such files, lists of paths (.txt); without any, our own corpus
    seeds: Vec<PathBuf>,
    #[command(flatten)]
    what: Making,
    #[command(flatten)]
    whom: choose::Whom,
    /// Oracles that judge; `all` for all
    #[arg(long, value_delimiter = ',')]
    oracles: Vec<String>,
    /// Stop after this long: 90s, 10m, 2h
    #[arg(long = "for", value_parser = duration)]
    for_: Option<Duration>,
    /// Stop after so many turns of the campaign
    #[arg(long)]
    turns: Option<u64>,
    /// Workers
    #[arg(long)]
    jobs: Option<usize>,
    /// Seconds for each question [default: 5, as published 15]
    #[arg(long)]
    timeout: Option<f64>,
    /// Megabytes for each question
    #[arg(long, default_value_t = 2048)]
    memory: u64,
    /// Bound resident memory only: sanitizer builds need the whole address space
    #[arg(long)]
    free_space: bool,
    /// How solvers are asked at first; findings are confirmed fresh in any case [default: reset, as published fresh]
    #[arg(long, value_enum)]
    way: Option<AskModeName>,
    /// The solvers' own random numbers: each solver is asked with each
    #[arg(long, value_delimiter = ',')]
    solver_seed: Vec<u64>,
    /// Ask as the authors of the string tests did: their options, 15 s, random numbers 0 and 1465, a process each
    #[arg(long)]
    as_published: bool,
    /// Let solvers check their own models and cores
    #[arg(long)]
    self_check: bool,
    /// The campaign's folder, or the address of a server that many machines share: `postgres://user@host/database#name`
    #[arg(long, default_value = super::STORE)]
    store: Place,
    /// First leave out seeds that folding alone decides or that no solver answers in 5 s; the answers are kept
    #[arg(long)]
    prepare: bool,
    /// How many series of a strategy get ten turns before one of them gets more: many see many seeds, few see long chains
    #[arg(long, default_value_t = 512, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    breadth: u64,
    /// Go on with the campaign in the folder
    #[arg(long)]
    resume: bool,
    /// Have every step of every approximation audited by other solvers, not only of those that are complained of
    #[arg(long)]
    audit: bool,
    /// Events as lines of JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    joining: Joining,
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
    #[command(flatten)]
    flags: StrategyFlags,
}

/// Whether a strategy comes to an end: a suite, the seeds as they are, so many formulas.
fn ends(kind: &dyn Strategy) -> bool {
    kind.wants() == Wants::EachInTurn || kind.series_count().is_some()
}

/// Runs the command.
pub fn run(args: &Args) -> anyhow::Result<u8> {
    // What is misspelt is said before anything is installed or read.
    strategies(&args.what.with, &args.what.flags.0)?;
    let oracles = oracles(&args.oracles)?;
    let mut corpus = Corpus::of(&args.seeds)?;
    let limits = limits(args)?;
    let solvers = solvers(args)?;
    let mut flags = args.what.flags.0.clone();
    flags.entry("speakers".to_owned()).or_insert_with(|| readers(&solvers));
    let (strategies, options) = strategies(&args.what.with, &flags)?;
    let witnesses = witnesses(&solvers);
    let draw = draw(args);
    let way: AskMode = match (args.way, args.as_published) {
        (Some(way), _) => way.into(),
        (None, true) => AskMode::Fresh,
        (None, false) => AskMode::Reset,
    };
    let mut configuration = serde_json::json!({
        "strategies": strategies.iter().map(|(n, _)| *n).zip(options.iter().map(Options::all)).collect::<Vec<_>>(),
        "solvers": solvers.iter().map(|s| &s.name).collect::<Vec<_>>(),
        "oracles": oracles.iter().map(|o| o.name).collect::<Vec<_>>(),
        "seeds": seeds_digest(&corpus),
        "timeout": timeout(args),
        "memory": args.memory,
        "way": way.word(),
        "breadth": args.breadth,
        "prepare": args.prepare,
    });
    if let Some(list) = flags.get("grammar") {
        // A file of the same name may be another grammar tomorrow.
        configuration["grammars"] = strategy::enumerate::source::digest(list).into();
    }
    let identity = Identity { draw, configuration: configuration.to_string() };
    let watched = std::io::stderr().is_terminal();
    let ends = strategies.iter().all(|(_, kind)| ends(kind.as_ref()));
    let time = args.for_.or_else(|| (args.turns.is_none() && !watched && !ends).then_some(UNWATCHED));
    let jobs = args.jobs.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from));
    let stop = stop_at_signals()?;
    let mut prepared = |store: &dyn Store| match args.prepare {
        true => prepare(&mut corpus, &solvers, store, jobs, &stop, watched && !args.json),
        false => Ok(()),
    };
    let auditors = match (args.audit, witnesses.is_empty()) {
        (false, _) => Vec::new(),
        (true, false) => witnesses.clone(),
        (true, true) => solvers.clone(),
    };
    let ignored = Config::read()?.ignore.summaries;
    let folder = match &args.store {
        Place::Folder(folder) => folder,
        Place::Server(address) => {
            let store = Postgres::open(address, &identity, args.resume)?;
            prepared(&store)?;
            let named = (&solvers[..], &witnesses[..], &auditors[..]);
            let how = settings::How {
                seconds: timeout(args),
                memory: limits.memory,
                address_space: limits.address_space,
                way: way.word().to_owned(),
                breadth: args.breadth,
            };
            let what = settings::Settings::of(&strategies, flags, named, &oracles, (ignored, how))?;
            settings::put(&store, &what, &corpus, args.turns)?;
            drop(store);
            return joined(address, &args.joining, (jobs, time, args.json), &stop);
        }
    };
    let store = Sqlite::open(folder, &identity, args.resume)?;
    prepared(&store)?;
    let plan = Plan {
        draw,
        strategies,
        corpus,
        solvers,
        witnesses,
        oracles,
        limits,
        way,
        breadth: args.breadth,
        jobs,
        turns: args.turns,
        until: time.map(|t| Instant::now() + t),
        auditors,
        ignored,
    };
    let mut watcher = watch::Watcher::new(args.json, watched, &plan, &args.store, time);
    watcher.begin();
    let progress = campaign::run(&plan, &store, &stop, |progress, event| watcher.see(progress, event));
    watcher.clear();
    let progress = progress?;
    let rows = store.findings()?;
    let found = rows.iter().filter(|r| !r.warm).count();
    watcher.end(&progress, &rows, &Matrix::of(&store)?, stop.load(std::sync::atomic::Ordering::Relaxed));
    Ok(if found > 0 { exit::FINDINGS } else { exit::FINE })
}

/// What is set when somebody wants us to stop. Once finishes the turn; twice ends at once. The store is whole at any moment.
pub fn stop_at_signals() -> anyhow::Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    for signal in [libc::SIGINT, libc::SIGTERM] {
        signal_hook::flag::register_conditional_shutdown(signal, 128 + signal, stop.clone())?;
        signal_hook::flag::register(signal, stop.clone())?;
    }
    Ok(stop)
}

/// Leaves out seeds that are not worth mutating.
fn prepare(
    corpus: &mut Corpus,
    solvers: &[Solver],
    store: &dyn Store,
    jobs: usize,
    stop: &AtomicBool,
    shown: bool,
) -> anyhow::Result<()> {
    let count = corpus.seeds.len();
    let told = campaign::prepare(corpus, solvers, store, jobs, stop, |done| {
        if shown {
            eprint!("\rpreparing seeds: {done} of {count}");
        }
    })?;
    eprintln!(
        "\rof {count} seeds {} stay; folding alone decides {}, no solver answers {} in time",
        told.kept, told.folded, told.unsolved
    );
    if corpus.seeds.is_empty() {
        bail!(BadUsage("no seed is left after --prepare".to_owned()));
    }
    Ok(())
}

/// The campaign's number: the one given, or that of the campaign we go on with, or a new one.
fn draw(args: &Args) -> u64 {
    if let Some(draw) = args.what.draw {
        return draw;
    }
    if args.resume
        && let Ok(store) = args.store.look()
        && let Ok(identity) = store.identity()
    {
        return identity.draw;
    }
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    u64::from(now.subsec_nanos()) ^ (now.as_secs() & 0xffff_ffff)
}

fn seeds_digest(corpus: &Corpus) -> String {
    let mut hash = Sha256::new();
    corpus.seeds.iter().for_each(|seed| hash.update(seed.name.digest.as_bytes()));
    format!("{} seeds {:.16}", corpus.seeds.len(), format!("{:x}", hash.finalize()))
}

/// Seconds for each question.
fn timeout(args: &Args) -> f64 {
    args.timeout.unwrap_or(if args.as_published { 15.0 } else { 5.0 })
}

fn limits(args: &Args) -> anyhow::Result<Limits> {
    let seconds = timeout(args);
    if !(seconds.is_finite() && seconds > 0.0 && seconds < 1e6) {
        bail!(BadUsage(format!("--timeout {seconds}: seconds above 0 are wanted")));
    }
    let mut limits = Limits::of_time(Duration::from_secs_f64(seconds));
    limits.memory = args.memory << 20;
    limits.address_space = !args.free_space;
    Ok(limits)
}

/// The solvers of the campaign, each of which starts and answers.
fn solvers(args: &Args) -> anyhow::Result<Vec<Solver>> {
    let mut solvers = args.whom.solvers()?;
    if args.as_published {
        for solver in &mut solvers {
            if solver.profile.configs.contains_key(PUBLISHED) {
                *solver = solver.with_config(PUBLISHED)?;
            }
        }
    }
    let seeds: &[u64] =
        if args.solver_seed.is_empty() && args.as_published { PUBLISHED_SEEDS } else { &args.solver_seed };
    if !seeds.is_empty() {
        let with_each = |solver: &Solver| seeds.iter().map(|&n| solver.with_seed(n)).collect::<Vec<_>>();
        solvers = solvers.iter().flat_map(with_each).collect();
    }
    for solver in &mut solvers {
        if args.self_check {
            *solver = solver.with_options(&solver.profile.run.self_check.clone());
        }
    }
    let mut runner = Runner::new(Limits::default());
    for solver in &solvers {
        let script = "(set-logic QF_UF)\n(declare-const p Bool)\n(assert p)\n(check-sat)\n";
        let question = Question { script, ask: crate::solver::Outputs::default() };
        let run = runner.ask(solver, question, AskMode::Fresh)?;
        if run.outcome() != Outcome::Answered {
            let said = format!("{}{}", run.reply.noise, run.reply.stderr);
            let said = run.reply.errors.first().map_or(said.trim().to_owned(), Clone::clone);
            let why = format!("it does not answer a simple question ({}): {said}", run.ending);
            return Err(SolverError::NotStarted { program: solver.name.to_string(), why }.into());
        }
    }
    Ok(solvers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suites_and_seeds_come_to_an_end() {
        let ending = |flags: &[(&str, &str)]| {
            let flags = flags.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
            let (built, _) = strategies(&[], &flags).expect("they can be built");
            let names = built.iter().filter(|(_, kind)| ends(kind.as_ref())).map(|(name, _)| *name);
            names.collect::<Vec<_>>()
        };
        assert_eq!(ending(&[]), ["seeds", "strings"]);
        assert_eq!(ending(&[("count", "9"), ("rounds", "1")]), ["seeds", "enumerate", "strings"]);
    }
}
