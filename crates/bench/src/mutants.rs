//! `gainsay bench mutants`: whether solvers read what the mutating strategies make, and what they say if not.
//!
//! A mutant is well-sorted by our checker, so a solver that reads its seed must read it, too. Solvers are not asked to
//! solve: what answers and asks is left out of the scripts, unless a time for answers is given.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::Context;
use smt::{Script, What};

use gainsay::case::{Case, Choices};
use gainsay::cli::progress::Bar;
use gainsay::cli::{choose, exit};
use gainsay::judge::language::may_read;
use gainsay::seed::{Asked, Corpus, Keep};
use gainsay::solver::acquire::choose::readers;
use gainsay::solver::{AskMode, Limits, Outcome, Outputs, Question, Run, Runner, SignKind, Solver, SolverId};
use gainsay::strategy::{self, Strategy};

/// What to make, and whom to ask.
#[derive(clap::Args)]
pub struct Args {
    /// Seeds, as for `hunt`
    seeds: Vec<PathBuf>,
    /// Whom to ask
    #[arg(long = "solver", default_values_t = ["z3".to_owned(), "cvc5".to_owned()])]
    solvers: Vec<String>,
    /// Which strategies make them
    #[arg(long, value_delimiter = ',', default_value = "opfuzz,typefuzz")]
    with: Vec<String>,
    /// How many mutants, of all strategies together
    #[arg(long, default_value_t = 50_000)]
    count: usize,
    /// The number that all chance comes from
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Milliseconds for an answer; with 0 scripts are only read
    #[arg(long, default_value_t = 0)]
    limit: u64,
    /// A folder for one refused script of each sort of refusal
    #[arg(long)]
    keep: Option<PathBuf>,
}

/// Time to read a script, which only a solver that hangs needs.
const READING: Duration = Duration::from_secs(10);

/// What became of mutants.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    asked: u64,
    read: u64,
    refused: u64,
    unsupported: u64,
    other: u64,
}

/// One sort of refusal: how often, and the first of them.
struct Refusal {
    count: u64,
    unsupported: bool,
    script: String,
    seed: String,
    error: String,
}

/// Who refused with which words, over which new operator.
type Refusals = BTreeMap<(SolverId, String, String), Refusal>;

/// Runs the command.
pub fn run(args: &Args) -> anyhow::Result<u8> {
    let solvers = choose::solvers(&args.solvers, None, &[])?;
    let corpus = Corpus::of(&args.seeds, Keep::Bare)?;
    let speakers = BTreeMap::from([("readable-by".to_owned(), readers(&solvers))]);
    let (strategies, _) = strategy::build(&args.with, &speakers)?;
    let each = args.count.div_ceil((corpus.seeds.len() * strategies.len()).max(1));
    let solve = args.limit > 0;
    let wall = if solve { Duration::from_millis(args.limit) } else { READING };
    let mut round = Round {
        solvers: &solvers,
        runner: Runner::new(Limits::of_time(wall)),
        solve,
        tallies: BTreeMap::new(),
        refusals: Refusals::new(),
    };
    let start = Instant::now();
    let bar = Bar::new(args.count);
    let (mut unread, mut made) = (vec![0u64; solvers.len()], 0);
    // Seeds evenly from all of them, if there are more than mutants.
    let every = (corpus.seeds.len() * strategies.len()).div_ceil(args.count.max(1)).max(1);
    for (no, seed) in corpus.seeds.iter().enumerate().step_by(every) {
        let readers = round.readers(seed.script())?;
        for (count, reads) in unread.iter_mut().zip(&readers) {
            *count += u64::from(!reads);
        }
        let asked = [Asked::unasked(seed.clone())];
        for (name, kind) in &strategies {
            let choices = Choices::drawn(args.seed, name, no as u64);
            made += round.series(name, kind.as_ref(), (&asked, choices), &readers, each)?;
        }
        bar.at(made, || format!("{} sorts of refusal", round.refusals.len()));
    }
    bar.finish();
    println!("{made} mutants of {} seeds in {:.0} s", corpus.seeds.len(), start.elapsed().as_secs_f64());
    for (solver, unread) in solvers.iter().zip(unread) {
        println!("{}: {unread} seeds that it does not read itself are left out", solver.name);
    }
    round.print();
    if let Some(folder) = &args.keep {
        fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
        for (no, refusal) in round.refusals.values().enumerate() {
            let place = folder.join(format!("{no:03}.smt2"));
            let text = format!("; {}\n; {}\n{}", refusal.seed, one_line(&refusal.error), refusal.script);
            fs::write(&place, text).with_context(|| place.display().to_string())?;
        }
    }
    let refused = round.tallies.values().any(|tally| tally.refused > 0);
    Ok(if refused { exit::NOT_SO } else { exit::FINE })
}

struct Round<'a> {
    solvers: &'a [Solver],
    runner: Runner,
    solve: bool,
    tallies: BTreeMap<(SolverId, String), Tally>,
    refusals: Refusals,
}

impl Round<'_> {
    /// Asks a solver; what it refuses in the middle of others it is asked again alone.
    fn ask(&mut self, solver: usize, text: &str) -> anyhow::Result<Run> {
        let question = Question { script: text, ask: Outputs::default() };
        let run = self.runner.ask(&self.solvers[solver], question, AskMode::Reset)?;
        if !is_refused(&run) {
            return Ok(run);
        }
        Ok(self.runner.ask(&self.solvers[solver], question, AskMode::Fresh)?)
    }

    /// Which solvers read a seed.
    fn readers(&mut self, script: &Script) -> anyhow::Result<Vec<bool>> {
        let text = text(script, self.solve);
        (0..self.solvers.len()).map(|i| Ok(!is_refused(&self.ask(i, &text)?))).collect()
    }

    /// Asks those who read the seed about the first mutants of a series; tells how many there were.
    fn series(
        &mut self,
        name: &str,
        kind: &dyn Strategy,
        (seeds, choices): (&[Asked], Choices),
        readers: &[bool],
        count: usize,
    ) -> anyhow::Result<usize> {
        let mut series = kind.series(0, seeds, choices);
        let mut made = 0;
        // What made a solver refuse stays in the chain; it is put down to the edit that brought it.
        let mut culprits: Vec<Option<String>> = vec![None; self.solvers.len()];
        while made < count {
            let Some(case) = series.next() else { break };
            made += 1;
            let text = text(&case.script, self.solve);
            let roots: Vec<_> = case.script.queries().into_iter().flat_map(|ask| ask.assertions).collect();
            for (i, culprit) in culprits.iter_mut().enumerate().filter(|(i, _)| readers[*i]) {
                if !may_read(&self.solvers[i], &case.script.pool, &roots) {
                    continue;
                }
                let run = self.ask(i, &text)?;
                *culprit = is_refused(&run).then(|| culprit.take().unwrap_or_else(|| newest(&case)));
                self.count(name, i, &run, culprit.is_some());
                if let Some(culprit) = culprit {
                    self.keep(i, &run, culprit, &case, &text);
                }
            }
        }
        Ok(made)
    }

    /// Counts one run, which was refused or not.
    fn count(&mut self, strategy: &str, solver: usize, run: &Run, refused: bool) {
        let key = (self.solvers[solver].name.clone(), strategy.to_owned());
        let tally = self.tallies.entry(key).or_default();
        tally.asked += 1;
        // Where nothing is asked, nothing is answered, and that counts as refused.
        let well = matches!(run.outcome(), Outcome::Answered | Outcome::Rejected | Outcome::TimedOut);
        *(match refused {
            true if is_unsupported(run) => &mut tally.unsupported,
            true => &mut tally.refused,
            false if well => &mut tally.read,
            false => &mut tally.other,
        }) += 1;
    }

    /// Counts one refusal among those of its sort, and keeps the first of them.
    fn keep(&mut self, solver: usize, run: &Run, culprit: &str, case: &Case, text: &str) {
        let error = run.reply.errors.first().map_or(run.reply.noise.as_str(), String::as_str);
        let solver = self.solvers[solver].name.clone();
        let key = (solver, gainsay::judge::without_places(error), culprit.to_owned());
        let first = || Refusal {
            count: 0,
            unsupported: is_unsupported(run),
            script: text.to_owned(),
            seed: case.lineage.seeds.first().map(|seed| seed.name.to_string()).unwrap_or_default(),
            error: error.to_owned(),
        };
        self.refusals.entry(key).or_insert_with(first).count += 1;
    }

    fn print(&self) {
        println!(
            "\n{:<20} {:<10} {:>8} {:>8} {:>16} {:>12} {:>8}",
            "solver", "strategy", "asked", "read", "sort or syntax", "unsupported", "other"
        );
        for ((solver, strategy), t) in &self.tallies {
            println!(
                "{solver:<20} {strategy:<10} {:>8} {:>8} {:>16} {:>12} {:>8}",
                t.asked, t.read, t.refused, t.unsupported, t.other
            );
        }
        if !self.refusals.is_empty() {
            println!("\nrefused, by solver and by the new operator:");
        }
        for ((solver, _, operator), refusal) in &self.refusals {
            let kind = if refusal.unsupported { "unsupported" } else { "sort or syntax" };
            println!(
                "{solver:<16} {:>6} {kind:<14} {operator:<16} {}",
                refusal.count,
                one_line(&refusal.error)
            );
        }
    }
}

/// Whether a solver did not take a script, by its own words.
fn is_refused(run: &Run) -> bool {
    !run.reply.errors.is_empty() || is_unsupported(run)
}

/// Whether a solver said that it does not do what a script asks for.
fn is_unsupported(run: &Run) -> bool {
    run.signs.iter().any(|sign| sign.kind == SignKind::Rejected)
}

/// The operator that the last edit of a case put in.
fn newest(case: &Case) -> String {
    let list = case.lineage.edits.list();
    let new = list.last().map_or("", |edit| edit.new.as_str());
    let word = new.trim_start_matches(['(', '_', ' ']).split([' ', ')']).next().unwrap_or_default();
    word.to_owned()
}

/// What is to be read of a script; if it is to be solved, all of it.
fn text(script: &Script, solve: bool) -> String {
    let asks = |what: What| what.is_check() || what.is_output() || what == What::Exit;
    let mut text = Vec::new();
    for &command in script.commands.iter().filter(|command| solve || !asks(command.what)) {
        smt::write_command_to(script, command, &mut text);
        text.push(b'\n');
    }
    String::from_utf8_lossy(&text).into_owned()
}

fn one_line(text: &str) -> String {
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    words.chars().take(200).collect()
}
