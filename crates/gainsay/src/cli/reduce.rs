//! `gainsay reduce`: the smallest script that is still wrong, or that a command still ends on as before.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::Context;

use super::arguments::{BadUsage, duration, workers};
use super::{choose, exit, read_named};
use crate::config::Config;
use crate::finding::{StoredFinding, words};
use crate::judge::Budget;
use crate::judge::oracle::usual_and;
use crate::reduce::{
    self, CommandTest, Cost, Job, ReduceOutcome, Reduced, Step, Stream, Until, Watched, sweep,
};
use crate::solver::Limits;
use crate::solver::acquire::choose::witnesses;
use crate::solver::id::split_words;
use crate::store::Place;
use crate::study::machine::deciding;
use crate::study::{Replaced, StoredReduction, numbered, solvers_for};

/// What to make smaller, and what must stay.
#[derive(clap::Args)]
pub struct Args {
    /// A script, or the number of a finding
    input: PathBuf,
    /// Where the result goes; without it, to standard output
    #[arg(short, long)]
    output: Option<PathBuf>,
    #[command(flatten)]
    whom: choose::Whom,
    /// The campaign's folder, for the number of a finding
    #[arg(long, default_value = super::STORE)]
    store: Place,
    /// Keep only the kind of fault and the accused; the place of a crash or the wrong answer may change
    #[arg(long)]
    any: bool,
    /// Keep the first solver slower than this: CPU time, such as 5s, or units that it counts itself, such as rlimit=2000000
    #[arg(long, value_parser = cost)]
    slower_than: Option<Cost>,
    /// Seconds for each question
    #[arg(long, default_value_t = 10.0)]
    timeout: f64,
    /// How far deciding who is wrong may go, as for `hunt` [default: as in the campaign of the finding]
    #[arg(long, value_name = "BUDGET")]
    decide: Option<Budget>,
    /// Candidates tried at a time; the result is the same for any number
    #[arg(long)]
    jobs: Option<usize>,
    /// Stop after this long with what there is: 90s, 10m
    #[arg(long = "for", value_parser = duration)]
    for_: Option<Duration>,
    /// Text that the command's standard output must contain; without it, the output must stay the same
    #[arg(long, requires = "command")]
    match_out: Option<String>,
    /// Text that the command's standard error must contain; without it, it must stay the same
    #[arg(long, requires = "command")]
    match_err: Option<String>,
    /// Compare only how the command ends, not what it prints
    #[arg(long, requires = "command")]
    ignore_output: bool,
    /// Do not compare what it prints on standard output
    #[arg(long, requires = "command", conflicts_with = "match_out")]
    ignore_out: bool,
    /// Do not compare what it prints on standard error
    #[arg(long, requires = "command", conflicts_with = "match_err")]
    ignore_err: bool,
    /// A second command whose behaviour must stay the same, too
    #[arg(long, requires = "command")]
    cross_check: Option<String>,
    /// Text that the second command's standard output must contain
    #[arg(long, requires = "cross_check")]
    match_out_cc: Option<String>,
    /// Text that the second command's standard error must contain
    #[arg(long, requires = "cross_check")]
    match_err_cc: Option<String>,
    /// The command that decides: it gets the path of a candidate as its last argument, and is run without a shell. A candidate
    /// is kept if the exit status and the output are those of the input
    #[arg(last = true, conflicts_with_all = ["slower_than", "any"])]
    command: Vec<String>,
}

fn cost(text: &str) -> Result<Cost, String> {
    match text.strip_prefix("rlimit=") {
        Some(units) => units.parse().map(Cost::Units).map_err(|_| "a whole number after rlimit=".to_owned()),
        None => duration(text).map(Cost::Time),
    }
}

/// The script to reduce.
struct Input {
    /// The finding that it is the script of, if it is one.
    finding: Option<StoredFinding>,
    script: smt::Script,
    text: String,
}

impl Input {
    fn of(args: &Args) -> anyhow::Result<Input> {
        // A number means a finding, unless there is a file of that name.
        let number = args.input.to_str().and_then(|n| n.parse::<u64>().ok()).filter(|_| !args.input.exists());
        let finding = number.map(|id| numbered(&args.store, id)).transpose()?;
        let bytes = match &finding {
            Some(row) => row.finding.case.clone().into_bytes(),
            None => read_named(&args.input)?,
        };
        let name = args.input.display().to_string();
        let script = smt::read(&bytes).map_err(|e| BadUsage(e.locate(&name, &bytes).to_string()))?;
        Ok(Input { finding, script, text: String::from_utf8_lossy(&bytes).into_owned() })
    }
}

/// Runs the command.
pub fn run(args: &Args) -> anyhow::Result<u8> {
    // Not by clap, for which `--match-out` would then no longer need a command.
    if args.whom.is_given() && !args.command.is_empty() {
        let why = "the command after `--` decides, and nobody else is asked: leave it or `--solver` out";
        return Err(BadUsage(why.to_owned()).into());
    }
    let input = Input::of(args)?;
    if let Some(place) = &args.output {
        can_be_written(place)?;
    }
    let before = input.text.len();
    let jobs = workers(args.jobs);
    let time = Duration::try_from_secs_f64(args.timeout).context("--timeout")?;
    let stop = super::signals::stop_and_clean(move || sweep(jobs))?;
    let (reduced, cpu, how) = if args.command.is_empty() {
        by_solvers(args, input, Limits::of_time(time), &stop)?
    } else {
        let limits = Limits { address_space: false, memory: 8 << 30, ..Limits::of_time(time * 60) };
        by_command(args, input, limits, &stop)?
    };
    if super::log::is_verbose() {
        for entry in reduce::PASSES {
            let count = reduced.passes.get(entry.name).copied().unwrap_or_default();
            eprintln!("{:<13} {:>5} tried {:>5} kept", entry.name, count.tried, count.kept);
        }
    }
    let cut = match (reduced.cut_short, stop.load(Ordering::Relaxed)) {
        (true, true) => "; stopped by a signal, what there was by then is the result",
        (true, false) => "; stopped before the end",
        _ => "",
    };
    eprintln!(
        "{before} → {} bytes; {how}, {:.1} s of CPU for them, {} remembered{cut}",
        reduced.text.len(),
        cpu.as_secs_f64(),
        reduced.remembered,
    );
    Ok(exit::FINE)
}

/// Prints a step if that is wanted.
fn watch(step: &Step<'_>) {
    if super::log::is_verbose() {
        eprintln!("{:>7} bytes after {:>5} tries: {}", step.text.len(), step.tried, step.pass);
    }
}

/// A result, the CPU time of its questions, and how it was reached in words.
type Done = (Reduced, Duration, String);

/// Reduces by asking solvers, and writes the result.
fn by_solvers(args: &Args, input: Input, limits: Limits, stop: &AtomicBool) -> anyhow::Result<Done> {
    let Input { finding, script, .. } = input;
    let config = Config::read()?;
    let named = if args.whom.is_given() { Some(args.whom.solvers()?) } else { None };
    let Replaced { solvers, whom, absent } = match &finding {
        Some(row) => solvers_for(&row.finding, named, choose::finder(&config))?,
        None => Replaced { solvers: args.whom.solvers()?, whom: None, absent: Vec::new() },
    };
    for why in &absent {
        eprintln!("not asked: {why}");
    }
    let oracles = usual_and(finding.as_ref().map(|row| row.finding.oracle.as_str()));
    let witnesses = if finding.is_some() { witnesses(&solvers) } else { Vec::new() };
    let own = Job::new(&solvers, &witnesses, &oracles, limits);
    let budget = match &finding {
        Some(_) => deciding(&*args.store.look()?, args.decide)?,
        None => args.decide.unwrap_or_default(),
    };
    let job =
        Job { budget, jobs: workers(args.jobs), any: args.any, time: args.for_, stop: Some(stop), ..own };
    let outcome = match (args.slower_than, &finding) {
        (Some(than), _) => job.slow(script, than, &mut watch),
        (None, Some(row)) => {
            let store = &*args.store.look()?;
            StoredReduction { store, finding: &row.finding, whom }.run(&job, script, &mut watch)
        }
        (None, None) => job.wrong(script, None, None, &mut watch),
    };
    let outcome = match outcome {
        Err(reduce::Nothing::Failed(e)) => return Err(e.into()),
        outcome => outcome.map_err(|nothing| BadUsage(nothing.to_string()))?,
    };
    write(args.output.as_deref(), &outcome.shrunk.reduced.text)?;
    if let (Some(row), Some(found)) = (&finding, &outcome.shrunk.finding) {
        let accused = whom.map(|whom| &solvers[whom].name);
        if accused == row.finding.against.as_ref() {
            args.store.annotate()?.keep_reduced(&row.folder, found)?;
        } else {
            eprintln!("not kept with the finding, which is another solver's");
        }
    }
    explain(&outcome);
    let how = format!("{} questions, {} first", outcome.shrunk.reduced.tried, outcome.way.word());
    Ok((outcome.shrunk.reduced, outcome.cpu, how))
}

/// Says what the result rests on.
fn explain(came: &ReduceOutcome) {
    if let Some((left, all)) = came.edits {
        let word = if came.shrunk.reduced.cut_short { "left" } else { "needed" };
        eprintln!("{left} of {all} edits are {word}");
    }
    if let Some(name) = &came.made {
        eprintln!("made again as `{name}`");
    }
    if !came.rests_on.is_empty() {
        eprintln!("it rests on what is claimed of it alone:");
        for claim in &came.rests_on {
            eprintln!("  {}", words::claim(claim));
        }
    }
    let last = came.shrunk.finding.as_ref().map(words::summary);
    if let Some(summary) = last.or_else(|| came.summary.clone()) {
        eprintln!("{summary}");
    }
}

/// Whether a result can be written there, before it is worked for.
fn can_be_written(place: &Path) -> anyhow::Result<()> {
    let there = place.exists();
    let opened = std::fs::OpenOptions::new().append(true).create(true).open(place);
    opened.map_err(crate::store::StoreError::at(place))?;
    if !there {
        let _ = std::fs::remove_file(place);
    }
    Ok(())
}

fn write(place: Option<&Path>, text: &str) -> anyhow::Result<()> {
    match place {
        Some(place) => {
            std::fs::write(place, text).map_err(crate::store::StoreError::at(place))?;
        }
        None => print!("{text}"),
    }
    Ok(())
}

/// Reduces by running a command, and writes the result.
fn by_command(args: &Args, input: Input, limits: Limits, stop: &AtomicBool) -> anyhow::Result<Done> {
    let stream = |text: &Option<String>, ignored: bool| match text {
        Some(text) => Stream::Contains(text.clone()),
        None if ignored || args.ignore_output => Stream::Anything,
        None => Stream::Same,
    };
    let mut commands = vec![Watched {
        argv: args.command.clone(),
        out: stream(&args.match_out, args.ignore_out),
        err: stream(&args.match_err, args.ignore_err),
    }];
    if let Some(command) = &args.cross_check {
        let unclosed = || BadUsage(format!("--cross-check {command}: a quote is not closed"));
        commands.push(Watched {
            argv: split_words(command).ok_or_else(unclosed)?,
            out: stream(&args.match_out_cc, args.ignore_out),
            err: stream(&args.match_err_cc, args.ignore_err),
        });
    }
    let mut tests =
        CommandTest::several(&commands, &input.text, limits, workers(args.jobs))?.map_err(BadUsage)?;
    eprintln!("the command {} on the input", tests[0].ending());
    let until = Until::within(args.for_, Some(stop));
    let reduced = reduce::reduce(input.script, &mut tests, until, &mut watch)?;
    write(args.output.as_deref(), &reduced.text)?;
    if reduced.text.trim().is_empty() {
        eprintln!(
            "what is left is nothing: the command does with an empty script what it does with the input"
        );
    }
    let (cpu, runs) = (tests.iter().map(|t| t.cpu).sum(), tests.iter().map(|t| t.runs).sum::<u64>());
    Ok((reduced, cpu, format!("{runs} runs of the command")))
}
