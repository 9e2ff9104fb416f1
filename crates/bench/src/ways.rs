//! `gainsay bench solvers`: what each way of asking costs, whether the ways agree, and what each still sees.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::Context;

use crate::first_formulas;
use crate::recall::{self, Trigger};
use gainsay::cli::{choose, exit};
use gainsay::solver::{AskMode, Limits, Outcome, Outputs, Question, Run, Runner, Solver};

/// What to measure, and with what.
#[derive(clap::Args)]
pub struct Args {
    /// Whom to ask
    #[arg(long = "solver", default_value = "z3")]
    solvers: Vec<String>,
    /// A grammar of small formulas (may be given several times)
    #[arg(long = "grammar")]
    grammars: Vec<String>,
    /// How many formulas of each grammar
    #[arg(long, default_value_t = 1000)]
    count: usize,
    /// A folder of seeds
    #[arg(long)]
    seeds: Option<PathBuf>,
    /// How many seeds
    #[arg(long, default_value_t = 300)]
    seed_count: usize,
    /// The smallest and largest seed, in bytes
    #[arg(long, num_args = 2, default_values_t = [1024, 4096])]
    seed_size: Vec<u64>,
    /// A folder of scripts on which a release is known to fail; their first comments say which
    #[arg(long)]
    triggers: Option<PathBuf>,
    /// Also the scripts that come with the program, on which releases are known to fail
    #[arg(long)]
    known: bool,
    /// Milliseconds for one formula
    #[arg(long, default_value_t = 500)]
    limit: u64,
    /// Only these ways besides fresh
    #[arg(long, value_delimiter = ',', default_value = "reset,scoped")]
    ways: Vec<String>,
    /// Also ask for models
    #[arg(long)]
    models: bool,
}

/// Runs the command.
pub fn run(args: &Args) -> anyhow::Result<u8> {
    let limit = Duration::from_millis(args.limit);
    let outputs = Outputs { model: args.models, core: false, reason: false };
    let named = |w: &AskMode| *w == AskMode::Fresh || args.ways.iter().any(|n| n == w.word());
    let ways: Vec<AskMode> = AskMode::ALL.into_iter().filter(named).collect();
    let asking = Asking { limit, outputs, ways: &ways };
    let solvers = choose::solvers(&args.solvers, None, &[])?;
    for place in &args.grammars {
        // Spread over the first twenty times as many, so that not all are of the smallest.
        let all = first_formulas(place, args.count * 20)?;
        let step = (all.len() / args.count).max(1);
        let formulas: Vec<String> = all.into_iter().step_by(step).take(args.count).collect();
        let name = Path::new(place).file_stem().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
        for solver in &solvers {
            for (i, told) in asking.compare(solver, &name, &formulas)? {
                println!("  differs: {}: {told}", formulas[i]);
            }
        }
    }
    if let Some(dir) = &args.seeds {
        let seeds = seeds(dir, args.seed_count, args.seed_size[0], args.seed_size[1])?;
        let texts: Vec<String> = seeds.iter().map(|(_, text)| text.clone()).collect();
        for solver in &solvers {
            let differing = asking.compare(solver, "seeds", &texts)?;
            for (i, told) in differing {
                println!("  differs: {}: {told}", seeds[i].0.display());
            }
        }
    }
    let mut triggers = Vec::new();
    let mut absent = 0;
    if let Some(dir) = &args.triggers {
        for (place, script) in seeds(dir, usize::MAX, 0, u64::MAX)? {
            match Trigger::read(&place, script) {
                Some(trigger) => triggers.push(trigger),
                None => absent += 1,
            }
        }
    }
    if args.known {
        let (known, missing) = recall::known()?;
        triggers.extend(known);
        absent += missing;
    }
    if args.triggers.is_some() || args.known {
        recall::run(&triggers, absent)?;
    }
    Ok(exit::FINE)
}

/// What a run said, for comparing: answers, or what became of it.
fn said(run: &Run) -> String {
    let answers: Vec<&str> = run.reply.answers().iter().map(|a| a.word()).collect();
    match run.outcome() {
        Outcome::Answered => answers.join(" "),
        // A solver that stops itself says `unknown`, one that we stop says nothing: both are out of time.
        Outcome::TimedOut => {
            let known: Vec<&str> = answers.into_iter().filter(|a| *a != "unknown").collect();
            format!("TimedOut {}", known.join(" ")).trim().to_owned()
        }
        other => format!("{other:?} {}", answers.join(" ")).trim().to_owned(),
    }
}

/// How formulas are asked.
struct Asking<'a> {
    limit: Duration,
    outputs: Outputs,
    ways: &'a [AskMode],
}

/// What a solver did with formulas, by way.
struct Asked {
    runs: BTreeMap<AskMode, Vec<Run>>,
    wall: BTreeMap<AskMode, Duration>,
    /// CPU time of the solver over all formulas. It depends least on what else the machine does.
    cpu: BTreeMap<AskMode, Duration>,
}

impl Asking<'_> {
    /// Asks all formulas in every way, prints what that cost, and returns the formulas on which ways differ.
    fn compare(
        &self,
        solver: &Solver,
        name: &str,
        formulas: &[String],
    ) -> anyhow::Result<Vec<(usize, String)>> {
        let asked = self.asked(solver, formulas)?;
        let common: Vec<usize> = (0..formulas.len()).filter(|i| !asked.timed_out(*i)).collect();
        println!(
            "{} on {} formulas of {name}, {} without a time-out in any way",
            solver.name,
            formulas.len(),
            common.len()
        );
        self.print_costs(&asked, &common, formulas.len());
        Ok(self.differing(&asked, formulas.len()))
    }

    /// Asks all formulas in every way.
    fn asked(&self, solver: &Solver, formulas: &[String]) -> anyhow::Result<Asked> {
        let mut asked = Asked { runs: BTreeMap::new(), wall: BTreeMap::new(), cpu: BTreeMap::new() };
        for &way in self.ways {
            let mut runner = Runner::new(Limits::of_time(self.limit));
            let start = Instant::now();
            for script in formulas {
                let run = runner.ask(solver, Question { script, ask: self.outputs }, way)?;
                asked.runs.entry(way).or_default().push(run);
            }
            asked.wall.insert(way, start.elapsed());
            asked.cpu.insert(way, runner.finish()?);
        }
        Ok(asked)
    }

    /// Prints what each way costs on the formulas that none of them gives up on.
    fn print_costs(&self, asked: &Asked, common: &[usize], formulas: usize) {
        let Asked { runs, wall, cpu } = asked;
        println!("  way         ms each   per second   x fresh       all, s    CPU ms   x fresh  asked as");
        let each = |way: AskMode| {
            let total: f64 = common.iter().map(|i| runs[&way][*i].wall.as_secs_f64()).sum();
            total / f64::from(common.len().max(1) as u32)
        };
        let cpu_each = |way: AskMode| cpu[&way].as_secs_f64() * 1e3 / f64::from(formulas.max(1) as u32);
        for &way in self.ways {
            let mean = each(way);
            let used = AskMode::ALL.map(|w| (w, runs[&way].iter().filter(|r| r.way == w).count()));
            let used: Vec<String> =
                used.iter().filter(|u| u.1 > 0).map(|(w, n)| format!("{} {n}", w.word())).collect();
            println!(
                "  {:8} {:>10.3} {:>12.1} {:>9.2} {:>12.2} {:>9.3} {:>9.2}  {}",
                way.word(),
                mean * 1e3,
                1.0 / mean,
                each(AskMode::Fresh) / mean,
                wall[&way].as_secs_f64(),
                cpu_each(way),
                cpu_each(AskMode::Fresh) / cpu_each(way),
                used.join(", ")
            );
        }
    }

    /// The formulas on which ways differ, and how. Prints how many there are of each kind.
    fn differing(&self, asked: &Asked, formulas: usize) -> Vec<(usize, String)> {
        let mut differing = Vec::new();
        let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
        for i in 0..formulas {
            let told: Vec<String> = self.ways.iter().map(|w| said(&asked.runs[w][i])).collect();
            if told.iter().all(|t| *t == told[0]) {
                continue;
            }
            let definite = |t: &&String| t.split(' ').any(|a| a == "sat" || a == "unsat");
            let kind = match told.iter().filter(definite).collect::<BTreeSet<_>>().len() {
                _ if asked.timed_out(i) => "a time-out in some way",
                0 | 1 => "other",
                _ => "DIFFERENT ANSWERS",
            };
            *kinds.entry(kind).or_default() += 1;
            differing.push((i, format!("{kind}: {}", told.join(" | "))));
        }
        let kinds: Vec<String> = kinds.iter().map(|(k, n)| format!("{n} {k}")).collect();
        let kinds = if kinds.is_empty() { "-".to_owned() } else { kinds.join(", ") };
        println!("  the ways differ on {} ({kinds})", differing.len());
        differing
    }
}

impl Asked {
    /// Whether the solver ran out of time on a formula in some way.
    fn timed_out(&self, formula: usize) -> bool {
        self.runs.values().any(|runs| runs[formula].outcome() == Outcome::TimedOut)
    }
}

/// The first `count` seeds of that size, spread over the folder.
fn seeds(dir: &Path, count: usize, least: u64, most: u64) -> anyhow::Result<Vec<(PathBuf, String)>> {
    let mut files = Vec::new();
    let mut open = vec![dir.to_owned()];
    while let Some(place) = open.pop() {
        for entry in std::fs::read_dir(&place).with_context(|| place.display().to_string())? {
            let entry = entry?;
            let meta = entry.metadata()?;
            if meta.is_dir() {
                open.push(entry.path());
            } else if meta.len() >= least
                && meta.len() <= most
                && entry.path().extension().is_some_and(|e| e == "smt2")
            {
                files.push(entry.path());
            }
        }
    }
    files.sort();
    let step = (files.len() / count.max(1)).max(1);
    let read = |place: PathBuf| {
        let text = String::from_utf8_lossy(&std::fs::read(&place)?).into_owned();
        Ok((place, text))
    };
    files.into_iter().step_by(step).take(count).map(read).collect()
}
