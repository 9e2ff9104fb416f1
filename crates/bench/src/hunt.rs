//! `gainsay bench hunt`: turns a second with solvers that cost nothing, and whose the CPU time is with real ones.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use crate::first_formulas;
use gainsay::campaign::{self, Plan};
use gainsay::cli::{choose, exit};
use gainsay::judge::oracle;
use gainsay::seed::Corpus;
use gainsay::solver::{AskMode, Limits, Solver};
use gainsay::store::{Identity, Sqlite};
use gainsay::strategy;

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
    /// Workers
    #[arg(long)]
    jobs: Option<usize>,
}

/// Runs the command.
pub fn run(args: &Args) -> anyhow::Result<u8> {
    let jobs = args.jobs.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from));
    let time = Duration::try_from_secs_f64(args.seconds)?;
    println!(
        "{:<34} {:>10} {:>10} {:>9} {:>9} {:>8}",
        "", "turns", "turns/s", "our CPU", "solvers'", "theirs"
    );
    let fakes = choose::solvers(&["fake:sat".to_owned(), "fake:sat".to_owned()], None, &[])?;
    let part = Part { time, jobs, with: &["opfuzz"], way: AskMode::Reset, solvers: fakes };
    part.run("two fakes that answer at once", Corpus::of_texts(&[("small", SMALL)]))?;
    let real = choose::solvers(&args.solvers, None, &[])?;
    let part = Part { time, jobs, with: &["opfuzz"], way: AskMode::Reset, solvers: real };
    part.run("mutants of seeds, reset", Corpus::of(&args.seeds)?)?;
    if let Some(place) = &args.grammar {
        let texts = first_formulas(place, 20_000)?;
        let named: Vec<_> = texts.iter().map(|t| ("enumerated", t.as_str())).collect();
        let part = Part { with: &["seeds"], way: AskMode::Scoped, ..part };
        part.run("small enumerated, scoped", Corpus::of_texts(&named))?;
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
        let names: Vec<String> = self.with.iter().map(|&n| n.to_owned()).collect();
        let (strategies, _) = strategy::build(&names, &std::collections::BTreeMap::new())?;
        let plan = Plan {
            draw: 1,
            strategies,
            corpus,
            solvers: self.solvers.clone(),
            witnesses: Vec::new(),
            oracles: oracle::choose(&[])?,
            limits: Limits::of_time(Duration::from_secs(2)),
            way: self.way,
            breadth: 512,
            jobs: self.jobs,
            turns: None,
            until: Some(Instant::now() + self.time),
            ignored: Vec::new(),
            auditors: Vec::new(),
        };
        let place = std::env::temp_dir().join(format!("gainsay-bench-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&place);
        let identity = Identity { draw: 1, configuration: "{}".to_owned() };
        let store = Sqlite::open(&place, &identity, false)?;
        let before = own_cpu();
        let stop = Arc::new(AtomicBool::new(false));
        let progress = campaign::run(&plan, &store, &stop, |_, _| {})?;
        let ours = own_cpu().saturating_sub(before);
        drop(store);
        let _ = std::fs::remove_dir_all(&place);
        let counts = progress.counts();
        let theirs = counts.solver_cpu;
        let share = theirs.as_secs_f64() / (theirs + ours).as_secs_f64().max(1e-9);
        println!(
            "{about:<34} {:>10} {:>10.0} {:>7.1} s {:>7.1} s {:>6.1} %",
            counts.turns,
            counts.turns as f64 / progress.elapsed().as_secs_f64(),
            ours.as_secs_f64(),
            theirs.as_secs_f64(),
            share * 100.0
        );
        Ok(())
    }
}

/// CPU time of this process, its threads included.
fn own_cpu() -> Duration {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::new(now.tv_sec as u64, now.tv_nsec as u32)
}
