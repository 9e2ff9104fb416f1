//! `gainsay bench innocence`: a hunt on solvers that are supposed to be right, with everything on. Every accusation is printed
//! with its evidence, for a person to judge.

mod table;

use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::bail;
use gainsay::campaign::spec::TimeLimits;
use gainsay::campaign::{Engine, Here, Hunt, Plan, PlannedWork};
use gainsay::cli::arguments::{BadUsage, workers};
use gainsay::cli::{HuntWatcher, TimeLimitsName, choose, exit, signals};
use gainsay::config::Config;
use gainsay::finding::{Standing, standing, words};
use gainsay::judge::{Budget, oracle};
use gainsay::report::many;
use gainsay::store::{Place, Reader, Row, Sqlite};
use gainsay::strategy;
use gainsay::study::definition::{Defined, Wishes};
use gainsay::study::machine::{hunt_before, same_seeds};

use crate::own_cpu;
use table::{Table, Work};

/// What to run, and on whom.
#[derive(clap::Args)]
#[command(after_help = "Exit codes: 0 nobody is accused, 10 somebody is.")]
pub struct Args {
    /// Seeds, as for `hunt`; without any, our own corpus
    seeds: Vec<PathBuf>,
    /// A solver that is supposed to be right [default: the newest z3 and cvc5]
    #[arg(long = "solver")]
    solvers: Vec<String>,
    /// How many mutants each strategy makes of each seed
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    mutants: u32,
    /// Instead of --mutants: so many turns of all strategies together, from seeds that are drawn
    #[arg(long, value_name = "N", conflicts_with = "mutants")]
    turns: Option<u64>,
    /// Strategies that make them; all if none is named
    #[arg(long = "with", value_delimiter = ',')]
    with: Vec<String>,
    /// Oracles that judge
    #[arg(long, value_delimiter = ',', default_value = "all")]
    oracles: Vec<String>,
    /// How far deciding may go, as for `hunt`
    #[arg(long, value_name = "BUDGET", default_value = "default")]
    decide: Budget,
    /// The number that all chance comes from
    #[arg(long = "seed", value_name = "N", default_value_t = 1)]
    draw: u64,
    /// Seconds for each question
    #[arg(long, default_value_t = 5.0)]
    timeout: f64,
    /// How much time a question has: that of --timeout, or a small multiple of what the solver took for the seed [default: fixed
    /// with --mutants, fitted with --turns]
    #[arg(long, value_enum)]
    limits: Option<TimeLimitsName>,
    /// Megabytes for each question
    #[arg(long, default_value_t = 2048)]
    memory: u64,
    /// The folder of the campaign; `gainsay findings`, `show` and `report` read it
    #[arg(long, default_value = "gainsay-innocence")]
    store: PathBuf,
    /// Go on with the campaign in the folder, as it was begun
    #[arg(long, conflicts_with_all = ["seeds", "solvers", "mutants", "with", "oracles", "decide", "draw", "timeout", "limits", "memory"])]
    resume: bool,
    /// How many workers there are [default: one for each core]
    #[arg(long)]
    jobs: Option<usize>,
}

/// Runs the command.
pub fn run(args: &Args) -> anyhow::Result<u8> {
    let config = Config::read()?;
    let Defined { spec, solvers, corpus, .. } =
        if args.resume { resumed(args, &config)? } else { begun(args, &config)? };
    let stop = signals::stop()?;
    let store = Sqlite::open(&args.store, &spec.definition(), args.resume)?;
    let finder = choose::finder(&config);
    let here = Here {
        find: &finder.find_among(&solvers),
        corpus,
        ignored: Vec::new(),
        grammars: Some(store.root().join("grammars")),
        jobs: workers(args.jobs),
        turns: args.turns,
        until: None,
    };
    let plan = Plan::of(&spec, here)?;
    let work = worked(&plan, &store, &args.store, &stop)?;
    let rows: Vec<Row> = store.findings()?;
    print(&plan, &store, &rows, &work)?;
    let accused = rows.iter().any(|row| !row.warm && standing(&row.finding) == Standing::Proved);
    Ok(if accused { exit::FINDINGS } else { exit::FINE })
}

/// Hunts until all turns are made or somebody says stop; tells what this run has cost.
fn worked(plan: &Plan, store: &Sqlite, folder: &std::path::Path, stop: &AtomicBool) -> anyhow::Result<Work> {
    let Some(hunt) = Hunt::new(plan) else { bail!("the definition of a hunt gave no hunt") };
    let before = own_cpu();
    let mut watcher = HuntWatcher::new(false, plan, &Place::Folder(folder.to_owned()), None);
    watcher.begin();
    let engine = Engine { work: &hunt, jobs: plan.jobs, turns: plan.turns, until: None, stop };
    let ended = engine.run(store, &store.series()?, |event| watcher.see(&hunt.progress, event));
    watcher.clear();
    ended?;
    let counts = hunt.progress.counts();
    Ok(Work {
        turns: counts.turns,
        wall: hunt.progress.elapsed(),
        ours: own_cpu().saturating_sub(before),
        solvers: counts.solver_cpu,
        deciding: counts.deciding,
        stopped: stop.load(Ordering::Relaxed),
    })
}

/// The campaign that the arguments define.
fn begun(args: &Args, config: &Config) -> anyhow::Result<Defined> {
    // What is misspelt is said before anything is installed or read.
    strategy::build(&args.with, &BTreeMap::new())?;
    let oracles = oracle::choose(&args.oracles)?;
    let Ok(time) = Duration::try_from_secs_f64(args.timeout) else {
        bail!(BadUsage(format!("--timeout {}: seconds above 0 are wanted", args.timeout)));
    };
    let time_limits = match args.limits {
        Some(name) => name.into(),
        None if args.turns.is_none() => TimeLimits::Fixed,
        None => TimeLimits::Fitted,
    };
    let wishes = Wishes {
        seeds: &args.seeds,
        strategies: &args.with,
        draw: Some(args.draw),
        oracles: oracles.iter().map(|oracle| oracle.name.to_owned()).collect(),
        deciding: Some(args.decide),
        solvers: Some(choose::solvers(&args.solvers, None, &[])?),
        time: Some(time),
        memory: Some(args.memory << 20),
        time_limits: Some(time_limits),
        // Who fails on a seed takes all its time for each of the mutants. Folded seeds are kept: they are judged, too.
        keep_failing: time_limits == TimeLimits::Fixed,
        keep_folded: true,
        mutants: args.turns.is_none().then_some(args.mutants),
        ..Wishes::default()
    };
    Ok(wishes.define(&Place::Folder(args.store.clone()), None, choose::finder(config))?)
}

/// The campaign in the folder.
fn resumed(args: &Args, config: &Config) -> anyhow::Result<Defined> {
    let place = Place::Folder(args.store.clone());
    let Some(spec) = hunt_before(&place)? else {
        bail!(BadUsage(format!("--resume: there is no campaign in {place}")));
    };
    let Some(hunt) = spec.hunt() else { bail!("the definition of a hunt gave no hunt") };
    if hunt.mutants.is_none() && args.turns.is_none() {
        bail!(BadUsage("--resume: the campaign was begun with --turns; say how many it has now".to_owned()));
    }
    let corpus = same_seeds(&place, &hunt.seeds)?;
    let finder = choose::finder(config);
    let solvers = spec.solvers.iter().map(|solver| finder.find(solver)).collect::<Result<Vec<_>, _>>()?;
    Ok(Defined { spec, solvers, corpus, left_out: Vec::new() })
}

/// Prints all accusations, what is unconfirmed, what is undecided, and the table.
fn print(plan: &Plan, store: &Sqlite, rows: &[Row], work: &Work) -> anyhow::Result<()> {
    let out = &mut std::io::stdout().lock();
    for (wanted, title) in [
        (Standing::Proved, "Accusations"),
        (Standing::Unconfirmed, "Unconfirmed: our evaluation alone speaks, nobody is accused"),
        (Standing::Undecided, "Undecided: one of the solvers is wrong, nobody is accused"),
    ] {
        let mut some: Vec<&Row> =
            rows.iter().filter(|row| !row.warm && standing(&row.finding) == wanted).collect();
        some.sort_by_key(|row| (row.finding.kind, row.id));
        writeln!(out, "== {title}: {}\n", some.len())?;
        for row in some {
            writeln!(out, "{}", words::readme(&row.finding, row.id))?;
            writeln!(out, "```smt2\n{}\n```\n", row.finding.case.trim_end())?;
        }
    }
    if let PlannedWork::Hunt(hunt) = &plan.work {
        let corpus = &hunt.corpus;
        let unusable = match corpus.unusable.len() as u64 {
            0 => String::new(),
            n => format!("; {} cannot be used:{}", many(n, "file"), corpus.reasons()),
        };
        writeln!(out, "{}{unusable}", many(corpus.seeds.len() as u64, "seed"))?;
    }
    let warm = rows.iter().filter(|row| row.warm).count() as u64;
    if warm > 0 {
        writeln!(out, "{} that only warm sessions showed", many(warm, "complaint"))?;
    }
    write!(out, "{}{work}", Table::of(&store.series()?, &store.tally()?))?;
    Ok(())
}
