//! `gainsay evolve`: the same formulas, release after release.

pub mod shared;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use serde_json::json;

use super::hunt::{BadUsage, Joining, duration, stop_at_signals};
use super::progress::Bar;
use super::{choose, exit};
use crate::judge::oracle::choose as oracles;
use crate::report::evolve::{Evolution, Studied, terminal, write_files};
use crate::report::many;
use crate::solver::acquire::choose::readers;
use crate::solver::acquire::home::Home;
use crate::solver::{AskMode, Limits, Profile, Solver};
use crate::store::{Campaign, Identity, Place, Postgres};
use crate::strategy::enumerate::{Variation, builtin, source};
use crate::study::evolve::{Contender, Counts, Plan, Stock, contenders, run as study};

/// What to study.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  gainsay evolve z3@4.8.5..5.4.0 cvc5@1.2.0..1.4.2 --grammar all --count 1000 --timeout 1s
  gainsay evolve z3@4.8.5..5.4.0 --installed --grammar Ints,FP:500 --count 20000
  gainsay evolve z3@all --tables               what the store has, without asking anybody

The same command again goes on where it was stopped; more releases, grammars or formulas may be added.
Exit codes: 0 nothing wrong, 10 triggers, 2 usage, 3 internal error, 4 no usable solver, 5 disk.")]
pub struct Args {
    /// Releases: z3@4.8.5..5.4.0, cvc5@all, z3@5.4.0, ./build/z3
    #[arg(required = true)]
    releases: Vec<String>,
    /// Grammars: files, built-in names, derive:THEORY,…, all; a count of its own after a colon: FP:500
    #[arg(long, default_value = "all")]
    grammar: String,
    /// How many formulas of each grammar, from the smallest
    #[arg(long, default_value_t = 1000)]
    count: u64,
    /// CPU time for each question: 8s, 500ms
    #[arg(long, default_value = "8s", value_parser = duration)]
    timeout: Duration,
    /// Megabytes for each question
    #[arg(long, default_value_t = 1024)]
    memory: u64,
    /// Only releases that are installed, of the ranges named
    #[arg(long)]
    installed: bool,
    /// Beside whom all are judged [default: the newest release of another make]
    #[arg(long)]
    reference: Option<String>,
    /// The profile of builds that cannot be recognised
    #[arg(long)]
    profile: Option<String>,
    /// Ask warm sessions: many times faster, but no times are reported
    #[arg(long)]
    screen: bool,
    /// Let solvers check their own models, as the published study did
    #[arg(long)]
    self_check: bool,
    /// Stop after this long; the same command goes on
    #[arg(long = "for", value_parser = duration)]
    for_: Option<Duration>,
    /// Workers
    #[arg(long)]
    jobs: Option<usize>,
    /// Where runs and findings are kept: a folder, or the address of a server
    #[arg(long, default_value = "gainsay-evolve")]
    store: Place,
    /// Where tables and plots go [default: `report` in the store's folder, or `gainsay-evolve-report`]
    #[arg(long)]
    output: Option<PathBuf>,
    /// Ask nobody: only make tables of what is there
    #[arg(long)]
    tables: bool,
    #[command(flatten)]
    joining: Joining,
}

/// Runs the command.
pub fn run(args: &Args) -> anyhow::Result<u8> {
    if args.count == 0 || args.timeout.is_zero() {
        bail!(BadUsage("--count and --timeout must be above 0".to_owned()));
    }
    let contenders = everybody(args)?;
    let studied: Vec<Solver> = contenders.iter().filter(|c| c.studied).map(|c| c.solver.clone()).collect();
    let stocks = stocks(&args.grammar, args.count, &readers(&studied))?;
    let way = if args.screen { AskMode::Scoped } else { AskMode::Fresh };
    let limits = limits(args.timeout, args.memory);
    let configuration = json!({
        "study": "evolve", "timeout": args.timeout.as_secs_f64(), "memory": args.memory, "way": way.word(),
        "self-check": args.self_check,
    });
    if args.tables {
        // Who asks nobody begins nothing.
        args.store.look()?;
    }
    let store = args.store.open(&Identity { draw: 0, configuration: configuration.to_string() }, true)?;
    let labels: Vec<String> = stocks.iter().map(|s| s.label.clone()).collect();
    let releases: Vec<Studied> = studied.iter().map(named).collect();
    let mut ended = true;
    if !args.tables {
        // Once finishes the question; twice ends at once. The store is whole at any moment.
        let stop = stop_at_signals()?;
        let plan = Plan {
            stocks,
            contenders,
            oracles: oracles(&[])?,
            limits,
            way,
            jobs: args.jobs.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from)),
            until: args.for_.map(|time| Instant::now() + time),
            keep_models: true,
        };
        ended = match &args.store {
            Place::Folder(_) => ask(&plan, &*store, &stop)?,
            Place::Server(address) => {
                let settings = shared::Settings::of(&plan, args.timeout, args.memory)?;
                settings.put(&Postgres::look(address)?)?;
                shared::joined(address, &args.joining, (plan.jobs, args.for_), &stop)?.1
            }
        };
    }
    let limit = args.timeout.as_secs_f64();
    let evolution = Evolution::of(&store.all_runs()?, releases, labels, limit, way.word());
    print!("{}", terminal(&evolution));
    let output = args.output.clone().unwrap_or_else(|| match &args.store {
        Place::Folder(folder) => folder.join("report"),
        Place::Server(_) => PathBuf::from("gainsay-evolve-report"),
    });
    let files = write_files(&evolution, &output).with_context(|| output.display().to_string())?;
    println!(
        "\n{} files in {}; findings: gainsay findings --store {}",
        files.len(),
        output.display(),
        args.store
    );
    if !ended {
        println!("Not all was asked; the same command goes on.");
    }
    let wrong = crate::report::evolve::groups(&evolution);
    Ok(if wrong.is_empty() { exit::FINE } else { exit::FINDINGS })
}

/// Asks whatever is left; tells whether nothing is.
fn ask(plan: &Plan, store: &dyn Campaign, stop: &AtomicBool) -> anyhow::Result<bool> {
    let watch = Watch::begin(plan);
    let (counts, ended) = study(plan, (store, store), stop, |counts| watch.see(counts))?;
    watch.clear();
    tell(&counts, watch.begun);
    Ok(ended)
}

/// Somebody who watches a study.
struct Watch {
    begun: Instant,
    bar: Bar,
}

impl Watch {
    /// Says what is to be done.
    fn begin(plan: &Plan) -> Watch {
        let formulas = plan.order().len();
        let who: Vec<String> = plan.contenders.iter().map(|c| told(c, &plan.contenders)).collect();
        let (releases, workers) = (many(who.len() as u64, "release"), many(plan.jobs as u64, "worker"));
        eprintln!("{}, {releases}, {workers}", many(formulas as u64, "formula"));
        for line in &who {
            eprintln!("  {line}");
        }
        Watch { begun: Instant::now(), bar: Bar::new(formulas) }
    }

    fn see(&self, counts: &Counts) {
        let runs = || format!("{} runs, {} wrong", load(&counts.asked), load(&counts.wrongs));
        self.bar.at(load(&counts.formulas), runs);
    }

    fn clear(&self) {
        self.bar.finish();
    }
}

fn load(n: &AtomicUsize) -> usize {
    n.load(Ordering::Relaxed)
}

/// Says what was done since it was begun.
fn tell(counts: &Counts, begun: Instant) {
    eprintln!(
        "{} runs in {:.1} s, {} there already, {} things wrong",
        load(&counts.asked),
        begun.elapsed().as_secs_f64(),
        load(&counts.there),
        load(&counts.wrongs)
    );
    if load(&counts.unread) > 0 {
        eprintln!(
            "{} texts of the grammars are no well-sorted scripts and were left out",
            load(&counts.unread)
        );
    }
}

fn told(c: &Contender, all: &[Contender]) -> String {
    let role = if c.studied { "" } else { " (reference only)" };
    let beside: Vec<&str> = c.references.iter().map(|&r| all[r].solver.name.as_str()).collect();
    match beside.is_empty() {
        true => format!("{}{role}", c.solver.name),
        false => format!("{}{role}, beside {}", c.solver.name, beside.join(" and ")),
    }
}

/// What one question may cost: CPU time decides, and wall time only ends what sleeps or what a busy machine starves.
pub fn limits(timeout: Duration, memory: u64) -> Limits {
    let wall = timeout * 5 + Duration::from_secs(2);
    Limits { cpu: timeout, wall, memory: memory << 20, ..Limits::default() }
}

/// The releases under study and their references.
fn everybody(args: &Args) -> anyhow::Result<Vec<Contender>> {
    let home = Home::of_environment();
    let mut texts = Vec::new();
    for text in &args.releases {
        if args.installed { texts.extend(installed(text, &home)?) } else { texts.push(text.clone()) }
    }
    if texts.is_empty() {
        bail!(BadUsage("none of these releases is installed".to_owned()));
    }
    let mut studied = choose::solvers(&texts, args.profile.as_deref(), &[])?;
    let given = match &args.reference {
        Some(text) => choose::solvers(std::slice::from_ref(text), args.profile.as_deref(), &[])?,
        None => Vec::new(),
    };
    if args.self_check {
        for solver in &mut studied {
            *solver = solver.with_options(&solver.profile.run.self_check.clone());
        }
    }
    let newest = |p: &Arc<Profile>| Some(Solver::installed(p, home.installed(&p.name).last()?, &home));
    let further = Profile::all().iter().filter(|p| p.name != "any").filter_map(newest).collect();
    Ok(contenders(studied, given, further))
}

/// The installed releases of a range; anything else as it is.
fn installed(text: &str, home: &Home) -> anyhow::Result<Vec<String>> {
    use crate::solver::release::{Pick, Which};
    let words = crate::solver::id::split_words(text);
    let Some(word) = words.first().filter(|word| crate::solver::Make::of_word(word).1.is_some()) else {
        return Ok(vec![text.to_owned()]);
    };
    let pick = Pick::parse(word)?;
    if !matches!(pick.which, Which::Between(..)) {
        return Ok(vec![text.to_owned()]);
    }
    let there = home.installed(&pick.name);
    Ok(pick
        .select(&there)
        .iter()
        .map(|r| text.replacen(word.as_str(), &format!("{}@{r}", pick.name), 1))
        .collect())
}

/// How a release is called in tables. What has no number (a build, a plan, an entry of gainsay.toml) is a release of what it
/// passes for.
fn named(solver: &Solver) -> Studied {
    let short = solver.name.short().to_owned();
    Studied { name: solver.name.clone(), make: solver.profile.name.clone(), short }
}

/// The formulas of a list of grammars, each with a count of its own if one stands after a colon.
pub fn stocks(list: &str, count: u64, speakers: &str) -> anyhow::Result<Vec<Stock>> {
    let names: Vec<String> = match list {
        "" | "all" => builtin::names().map(str::to_owned).collect(),
        _ if list.starts_with("derive:") => vec![list.to_owned()],
        _ => list
            .split(',')
            .flat_map(|name| match name.split_once(':') {
                Some(("all", count)) => builtin::names().map(|n| format!("{n}:{count}")).collect(),
                _ if name == "all" => builtin::names().map(str::to_owned).collect(),
                _ => vec![name.to_owned()],
            })
            .collect(),
    };
    let mut stocks: Vec<Stock> = Vec::new();
    for name in names {
        let (name, own) = match name.rsplit_once(':').and_then(|(n, c)| Some((n, c.parse().ok()?))) {
            Some((name, own)) => (name.to_owned(), own),
            None => (name, count),
        };
        let grammars = source::grammars(&name, speakers, &Variation::default()).map_err(BadUsage)?;
        for (grammar, formulas) in grammars.iter().zip(source::formulas(&grammars).map_err(BadUsage)?) {
            let text = grammar.to_string();
            let label = if builtin::text(&name).is_some() {
                name.clone()
            } else {
                // A file of the same name may be another grammar tomorrow.
                use sha2::{Digest, Sha256};
                let digest = format!("{:x}", Sha256::digest(&text));
                format!("{}-{}", grammar.name, &digest[..8])
            };
            // The last that is said of a grammar counts: `all,FP:500`.
            stocks.retain(|s| s.label != label);
            stocks.push(Stock { label, grammar: text, formulas: Arc::new(formulas), count: own });
        }
    }
    Ok(stocks)
}
