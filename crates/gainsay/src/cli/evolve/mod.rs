//! `gainsay evolve`: the same formulas, release after release.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};

use super::arguments::{BadUsage, duration, workers};
use super::join::{Joining, Run, joined};
use super::watch::StudyWatcher;
use super::{choose, exit, signals};
use crate::campaign::spec::StudySpec;
use crate::campaign::{CampaignSpec, Engine, Here, Plan, Subject};
use crate::config::Config;
use crate::report::evolve::{Evolution, Studied, terminal, write_files};
use crate::seed::Corpus;
use crate::solver::acquire::choose::readers;
use crate::solver::acquire::home::Home;
use crate::solver::{AskMode, Solver};
use crate::store::{Place, Sqlite};
use crate::study::SolverFinder;
use crate::study::evolve::{
    self as study, Study, define, grammar_specs, installed, limits, newest, put_study, roles, study_before,
    subjects,
};
use crate::study::machine::varied;

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
    /// Use only installed releases of the named ranges
    #[arg(long)]
    installed: bool,
    /// The reference beside which every release is judged [default: the newest release of another make]
    #[arg(long)]
    reference: Option<String>,
    /// The profile to use for a build that gainsay does not recognise
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
    /// How many workers there are [default: one for each core]
    #[arg(long)]
    jobs: Option<usize>,
    /// Where runs and findings are kept: a folder, or the address of a server
    #[arg(long, default_value = "gainsay-evolve")]
    store: Place,
    /// Where tables and plots go [default: `report` in the store's folder, or `gainsay-evolve-report`]
    #[arg(long)]
    output: Option<PathBuf>,
    /// Run no solver; only make tables of the runs that are stored
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
    let grammars = grammar_specs(&args.grammar, args.count, &readers(&studied)).map_err(BadUsage)?;
    let labels: Vec<String> = grammars.iter().map(|grammar| grammar.label.clone()).collect();
    let config = Config::read()?;
    let finder = choose::finder(&config);
    let mode = if args.screen { AskMode::Scoped } else { AskMode::Fresh };
    let study = StudySpec { edition: 0, grammars, roles: roles(&subjects), self_check: args.self_check };
    let spec = define(study, &subjects, limits(args.timeout, args.memory), mode, finder)?;
    let before = study_before(&args.store, &spec)?;
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
                study_alone(&spec, &subjects, &store, &run, finder)?
            }
            Place::Server(address) => {
                put_study(address, before.as_ref(), spec.clone())?;
                joined(address, &args.joining, &run)?.1
            }
        };
    }
    let store = args.store.look()?;
    let releases: Vec<Studied> = studied.iter().map(study::studied).collect();
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

/// Asks whatever is left, in this process alone; tells whether nothing is.
fn study_alone(
    spec: &CampaignSpec,
    subjects: &[Subject],
    store: &Sqlite,
    run: &Run<'_>,
    finder: SolverFinder<'_>,
) -> anyhow::Result<bool> {
    let solvers: Vec<Solver> = subjects.iter().map(|subject| subject.solver.clone()).collect();
    let here = Here {
        find: &finder.find_among(&solvers),
        corpus: Corpus::default(),
        ignored: Vec::new(),
        grammars: None,
        jobs: run.jobs,
        turns: None,
        until: run.time.map(|time| Instant::now() + time),
    };
    let plan = Plan::of(spec, here)?;
    let Some(study) = Study::new(&plan, None) else { bail!("the definition of a study gave no study") };
    let watch = StudyWatcher::begin(&plan, &study);
    let engine = Engine { work: &study, jobs: plan.jobs, turns: None, until: plan.until, stop: run.stop };
    let ended = engine.run(store, &[], |event| watch.see(&study.counts, event));
    watch.clear();
    ended?;
    watch.tell(&study.counts);
    Ok(study.is_done())
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
    let studied = choose::solvers(&texts, args.profile.as_deref(), &[])?;
    let given = match &args.reference {
        Some(text) => choose::solvers(std::slice::from_ref(text), args.profile.as_deref(), &[])?,
        None => Vec::new(),
    };
    Ok(subjects(varied(studied, &[], args.self_check), given, newest(&home)))
}
