//! `gainsay evolve`: the same formulas, release after release.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};

use super::arguments::{BadUsage, duration, workers};
use super::join::{Joining, Run, joined};
use super::progress::Bar;
use super::{choose, exit, here, signals};
use crate::campaign::spec::{GrammarSpec, RoleSpec, StudySpec, WorkSpec};
use crate::campaign::{CampaignSpec, Engine, Event, Failure, Here, Plan, PlannedWork, Subject};
use crate::config::Config;
use crate::judge::oracle::choose as oracles;
use crate::report::evolve::{Evolution, Studied, terminal, write_files};
use crate::report::many;
use crate::seed::{Corpus, digest};
use crate::solver::acquire::choose::readers;
use crate::solver::acquire::home::Home;
use crate::solver::{AskMode, Limits, Profile, Solver};
use crate::store::{Address, Place, Postgres, Sqlite, StoreError};
use crate::strategy::enumerate::{Variation, builtin, source};
use crate::study::evolve::{Counts, Study, subjects};

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
    let subjects = everybody(args)?;
    let studied: Vec<Solver> = subjects.iter().filter(|s| s.studied).map(|s| s.solver.clone()).collect();
    let grammars = grammars(&args.grammar, args.count, &readers(&studied))?;
    let labels: Vec<String> = grammars.iter().map(|grammar| grammar.label.clone()).collect();
    let spec = define(args, &subjects, grammars)?;
    let before = before(args, &spec)?;
    let mut ended = true;
    if !args.tables {
        // Once finishes the question; twice ends at once. The store is whole at any moment.
        let stop = signals::stop()?;
        let run = Run { jobs: workers(args.jobs), time: args.for_, json: false, stop: &stop };
        ended = match &args.store {
            Place::Folder(folder) => {
                let store = Sqlite::open(folder, &spec.definition(), true)?;
                store.remarks().iter().for_each(|remark| eprintln!("gainsay: {remark}"));
                store.redefine(&spec.definition())?;
                study_alone(&spec, &subjects, &store, &run)?
            }
            Place::Server(address) => {
                put(address, before.as_ref(), spec.clone())?;
                joined(address, &args.joining, &run)?.1
            }
        };
    }
    let store = args.store.look()?;
    let releases: Vec<Studied> = studied.iter().map(named).collect();
    let limit = args.timeout.as_secs_f64();
    let evolution = Evolution::of(&store.all_runs()?, releases, labels, limit, spec.ask_mode.word());
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

/// The definition of a study.
fn define(args: &Args, subjects: &[Subject], grammars: Vec<GrammarSpec>) -> anyhow::Result<CampaignSpec> {
    let role = |subject: &Subject| RoleSpec {
        studied: subject.studied,
        references: subject.references.clone(),
        lasting: subject.lasting,
    };
    let roles = subjects.iter().map(role).collect();
    let study = StudySpec { edition: 0, grammars, roles, self_check: args.self_check };
    let mode = if args.screen { AskMode::Scoped } else { AskMode::Fresh };
    let mut spec = CampaignSpec::new(WorkSpec::Study(study), &limits(args.timeout, args.memory), mode);
    let solvers: Vec<Solver> = subjects.iter().map(|subject| subject.solver.clone()).collect();
    spec.solvers = here::solver_specs(&solvers, &Config::read()?)?;
    spec.oracles = oracles(&[])?.iter().map(|oracle| oracle.name.to_owned()).collect();
    Ok(spec)
}

/// The definition that the study has so far, if it was begun. One that says otherwise is refused.
fn before(args: &Args, spec: &CampaignSpec) -> anyhow::Result<Option<CampaignSpec>> {
    let store = match args.store.look() {
        // Who asks nobody begins nothing.
        Err(StoreError::None { .. }) if !args.tables => return Ok(None),
        store => store?,
    };
    let before = here::definition(&*store)?;
    let differences = before.differences(spec);
    if !differences.is_empty() {
        let (place, what) = (args.store.to_string().into(), differences.join("; "));
        return Err(StoreError::Other { place, what }.into());
    }
    Ok(Some(before))
}

/// Puts a study on a server. One that is there may grow while nobody works on it.
fn put(address: &Address, before: Option<&CampaignSpec>, mut spec: CampaignSpec) -> anyhow::Result<()> {
    let begun = before.is_some();
    if let (Some(before), WorkSpec::Study(study)) = (before, &mut spec.work) {
        study.edition = before.study().map_or(0, |study| study.edition);
    }
    if before == Some(&spec) {
        return Ok(());
    }
    let store = Postgres::open(address, &spec.definition(), true)?;
    if begun {
        here::same_program(&store)?;
        let status = store.status()?;
        if status.open > status.overdue {
            let open = many(status.open - status.overdue, "lease");
            bail!(BadUsage(format!(
                "workers hold {open} of this study as it is; stop them before other releases, grammars or formulas \
                 are asked"
            )));
        }
    }
    let mut formulas = 0;
    if let WorkSpec::Study(study) = &mut spec.work {
        study.edition += u32::from(begun);
        formulas = study.grammars.iter().map(|grammar| grammar.count).sum();
    }
    Ok(store.redefine(&spec.definition(), formulas)?)
}

/// Asks whatever is left, in this process alone; tells whether nothing is.
fn study_alone(
    spec: &CampaignSpec,
    subjects: &[Subject],
    store: &Sqlite,
    run: &Run<'_>,
) -> anyhow::Result<bool> {
    let solvers: Vec<Solver> = subjects.iter().map(|subject| subject.solver.clone()).collect();
    let here = Here {
        find: &here::find_among(&solvers),
        corpus: Corpus::default(),
        ignored: Vec::new(),
        grammars: None,
        jobs: run.jobs,
        turns: None,
        until: run.time.map(|time| Instant::now() + time),
    };
    let plan = Plan::of(spec, here)?;
    let Some(study) = Study::new(&plan, None) else { bail!("the definition of a study gave no study") };
    let watch = Watch::begin(&plan, &study);
    let engine = Engine { work: &study, jobs: plan.jobs, turns: None, until: plan.until, stop: run.stop };
    let ended = engine.run(store, &[], |event| watch.see(&study.counts, event));
    watch.clear();
    ended?;
    watch.tell(&study.counts);
    Ok(study.is_done())
}

/// Shows a study.
pub struct Watch {
    begun: Instant,
    bar: Bar,
}

impl Watch {
    /// Says what is to be done.
    pub fn begin(plan: &Plan, study: &Study<'_>) -> Watch {
        let subjects = match &plan.work {
            PlannedWork::Study(study) => &study.subjects[..],
            PlannedWork::Hunt(_) => &[],
        };
        let who: Vec<String> = subjects.iter().map(|subject| told(subject, subjects)).collect();
        let (releases, workers) = (many(who.len() as u64, "release"), many(plan.jobs as u64, "worker"));
        eprintln!("{}, {releases}, {workers}", many(study.formulas(), "formula"));
        for line in &who {
            eprintln!("  {line}");
        }
        Watch { begun: Instant::now(), bar: Bar::new(study.formulas() as usize) }
    }

    /// Shows how far it is, and what failed.
    pub fn see(&self, counts: &Counts, event: Option<&Event>) {
        if let Some(Event::Failed(Failure { series, step, why, .. })) = event {
            eprintln!("gainsay: formula {step} of piece {series} failed, and is left out: {why}");
        }
        let runs = || format!("{} runs, {} wrong", load(&counts.asked), load(&counts.wrongs));
        self.bar.at(load(&counts.formulas), runs);
    }

    /// Takes the live line away.
    pub fn clear(&self) {
        self.bar.finish();
    }

    /// Says what was done.
    pub fn tell(&self, counts: &Counts) {
        eprintln!(
            "{} runs in {:.1} s, {} there already, {} things wrong",
            load(&counts.asked),
            self.begun.elapsed().as_secs_f64(),
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
}

fn load(n: &AtomicUsize) -> usize {
    n.load(Ordering::Relaxed)
}

fn told(subject: &Subject, all: &[Subject]) -> String {
    let role = if subject.studied { "" } else { " (reference only)" };
    let beside: Vec<&str> = subject.references.iter().map(|&r| all[r].solver.name.as_str()).collect();
    match beside.is_empty() {
        true => format!("{}{role}", subject.solver.name),
        false => format!("{}{role}, beside {}", subject.solver.name, beside.join(" and ")),
    }
}

/// What one question may cost: CPU time decides, and wall time only ends what sleeps or what a busy machine starves.
pub fn limits(timeout: Duration, memory: u64) -> Limits {
    let wall = timeout * 5 + Duration::from_secs(2);
    Limits { cpu: timeout, wall, memory: memory << 20, ..Limits::default() }
}

/// The releases under study and their references.
fn everybody(args: &Args) -> anyhow::Result<Vec<Subject>> {
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
    Ok(subjects(studied, given, further))
}

/// The installed releases of a range; anything else as it is.
fn installed(text: &str, home: &Home) -> anyhow::Result<Vec<String>> {
    use crate::solver::release::{Pick, Which};
    let words = crate::solver::id::split_words(text).unwrap_or_default();
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
pub fn grammars(list: &str, count: u64, speakers: &str) -> anyhow::Result<Vec<GrammarSpec>> {
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
    let mut found: Vec<GrammarSpec> = Vec::new();
    for name in names {
        let (name, own) = match name.rsplit_once(':').and_then(|(n, c)| Some((n, c.parse().ok()?))) {
            Some((name, own)) => (name.to_owned(), own),
            None => (name, count),
        };
        let grammars = source::grammars(&name, speakers, &Variation::default()).map_err(BadUsage)?;
        // What has no formulas is said before anything is asked.
        source::formulas(&grammars).map_err(BadUsage)?;
        for grammar in &grammars {
            let text = grammar.to_string();
            let label = if builtin::text(&name).is_some() {
                name.clone()
            } else {
                // A file of the same name may be another grammar tomorrow.
                format!("{}-{:.8}", grammar.name, digest(text.as_bytes()))
            };
            // The last that is said of a grammar counts: `all,FP:500`.
            found.retain(|known| known.label != label);
            found.push(GrammarSpec { label, text, count: own });
        }
    }
    Ok(found)
}
