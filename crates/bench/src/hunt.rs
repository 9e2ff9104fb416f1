//! `gainsay bench hunt`: turns a second with solvers that cost nothing, and whose the CPU time is with real ones.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use crate::{first_formulas, own_cpu};
use gainsay::campaign::spec::{
    HuntSpec, SeedsLeftOut, SeedsSpec, SolverSpec, StrategySpec, TimeLimits, WorkSpec,
};
use gainsay::campaign::{CampaignSpec, Engine, Here, Hunt, Plan};
use gainsay::cli::arguments::workers;
use gainsay::cli::{choose, exit};
use gainsay::judge::oracle;
use gainsay::seed::{Corpus, Keep};
use gainsay::solver::{AskMode, Limits, Solver, SolverError};
use gainsay::store::Sqlite;

/// What to measure with.
#[derive(clap::Args)]
pub struct Args {
    /// Seeds for the run with real solvers, as for `hunt`
    seeds: Vec<PathBuf>,
    /// A grammar whose smallest formulas are asked in the cheapest way
    #[arg(long)]
    grammar: Option<String>,
    /// Real solvers
    #[arg(long = "solver")]
    solvers: Vec<String>,
    /// Seconds for each part
    #[arg(long = "for", default_value_t = 10.0)]
    seconds: f64,
    /// How many workers there are [default: one for each core]
    #[arg(long)]
    jobs: Option<usize>,
}

/// Runs the command.
pub fn run(args: &Args) -> anyhow::Result<u8> {
    let jobs = workers(args.jobs);
    let time = Duration::try_from_secs_f64(args.seconds)?;
    println!(
        "{:<34} {:>10} {:>10} {:>9} {:>9} {:>8}",
        "", "turns", "turns/s", "our CPU", "solvers'", "theirs"
    );
    let fakes = choose::solvers(&["fake:sat".to_owned(), "fake:sat".to_owned()], None, &[])?;
    let part = Part { time, jobs, with: &["opfuzz"], way: AskMode::Reset, solvers: fakes };
    part.run("two fakes that answer at once", Corpus::of_texts(&[("small", SMALL)], Keep::Bare))?;
    let real = choose::solvers(&args.solvers, None, &[])?;
    let part = Part { time, jobs, with: &["opfuzz"], way: AskMode::Reset, solvers: real };
    part.run("mutants of seeds, reset", Corpus::of(&args.seeds, Keep::Bare)?)?;
    if let Some(place) = &args.grammar {
        let texts = first_formulas(place, 20_000)?;
        let named: Vec<_> = texts.iter().map(|t| ("enumerated", t.as_str())).collect();
        let part = Part { with: &["seeds"], way: AskMode::Scoped, ..part };
        part.run("small enumerated, scoped", Corpus::of_texts(&named, Keep::Bare))?;
    }
    Ok(exit::FINE)
}

/// A mutant of this costs next to nothing to make and to answer.
const SMALL: &str = "(set-logic QF_BV)\n(declare-const x (_ BitVec 8))\n(declare-const y (_ BitVec 8))\n\
    (assert (= (bvadd x y) (bvmul x #x03)))\n(assert (bvult (bvxor x y) #x40))\n(check-sat)\n";

struct Part<'a> {
    time: Duration,
    jobs: usize,
    with: &'a [&'a str],
    way: AskMode,
    solvers: Vec<Solver>,
}

impl Part<'_> {
    fn run(&self, about: &str, corpus: Corpus) -> anyhow::Result<()> {
        let strategies = self.with.iter().map(|name| StrategySpec::given(name, &BTreeMap::new()));
        let strategies = strategies.map(|given| given.map(|(spec, _)| spec)).collect::<Result<_, _>>()?;
        let seeds = SeedsSpec::of(&corpus, Vec::new());
        let grammars = BTreeMap::new();
        let hunt = HuntSpec {
            time_limits: TimeLimits::Fixed,
            leave_out: SeedsLeftOut::default(),
            strategies,
            grammars,
            seeds,
            breadth: 512,
            prepare: false,
            mutants: None,
            options: None,
        };
        let limits = Limits::of_time(Duration::from_secs(2));
        let mut spec = CampaignSpec::new(WorkSpec::Hunt(hunt), &limits, self.way);
        spec.seed = 1;
        let named = self.solvers.iter().map(|solver| SolverSpec::of(solver, solver.name.clone()));
        spec.solvers = named.collect::<Result<_, _>>()?;
        spec.oracles = oracle::choose(&[])?.iter().map(|oracle| oracle.name.to_owned()).collect();
        let find = |spec: &SolverSpec| -> Result<Solver, SolverError> {
            let known = self.solvers.iter().find(|solver| solver.name == spec.name);
            known.cloned().ok_or_else(|| SolverError::NotInstalled { name: spec.name.to_string() })
        };
        let here = Here {
            find: &find,
            corpus,
            ignored: Vec::new(),
            grammars: None,
            jobs: self.jobs,
            turns: None,
            until: Some(Instant::now() + self.time),
        };
        let plan = Plan::of(&spec, here)?;
        let place = std::env::temp_dir().join(format!("gainsay-bench-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&place);
        let store = Sqlite::open(&place, &spec.definition(), false)?;
        let before = own_cpu();
        let stop = AtomicBool::new(false);
        let Some(hunt) = Hunt::new(&plan) else { anyhow::bail!("the definition of a hunt gave no hunt") };
        let engine = Engine { work: &hunt, jobs: plan.jobs, turns: None, until: plan.until, stop: &stop };
        engine.run(&store, &[], |_| {})?;
        let ours = own_cpu().saturating_sub(before);
        drop(store);
        let _ = std::fs::remove_dir_all(&place);
        let counts = hunt.progress.counts();
        let theirs = counts.solver_cpu;
        let share = theirs.as_secs_f64() / (theirs + ours).as_secs_f64().max(1e-9);
        println!(
            "{about:<34} {:>10} {:>10.0} {:>7.1} s {:>7.1} s {:>6.1} %",
            counts.turns,
            counts.turns as f64 / hunt.progress.elapsed().as_secs_f64(),
            ours.as_secs_f64(),
            theirs.as_secs_f64(),
            share * 100.0
        );
        Ok(())
    }
}
