//! `gainsay check`: one file on several solvers, side by side.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context;

use super::columns::fitted;
use super::{AskModeName, choose, exit, read_named};
use crate::solver::{Limits, Outputs, Run, Runner, Solver};
use crate::study::check::{Asking, Checked, check};

/// What to run on whom.
#[derive(clap::Args)]
pub struct Args {
    /// The script
    file: PathBuf,
    #[command(flatten)]
    whom: choose::Whom,
    /// How to ask
    #[arg(long, value_enum, default_value = "fresh")]
    way: AskModeName,
    /// Seconds for each solver
    #[arg(long, default_value_t = 10.0, value_parser = seconds, allow_negative_numbers = true)]
    timeout: f64,
    /// Megabytes for each solver
    #[arg(long, default_value_t = 2048)]
    memory: u64,
    /// Limit resident memory instead of address space, for builds with sanitizers
    #[arg(long)]
    free_space: bool,
    /// Do not ask for models and cores
    #[arg(long)]
    bare: bool,
    /// One line of JSON for each solver
    #[arg(long)]
    json: bool,
}

/// A number of seconds that something can be done in.
fn seconds(text: &str) -> Result<f64, String> {
    let number: f64 = text.parse().map_err(|_| "write a number of seconds, such as 10 or 0.5".to_owned())?;
    match Duration::try_from_secs_f64(number) {
        Ok(time) if !time.is_zero() => Ok(number),
        _ => Err("write a number of seconds above 0".to_owned()),
    }
}

/// One solver's line.
struct Row<'a> {
    solver: &'a Solver,
    run: Run,
    models: Option<String>,
    core: Option<String>,
}

impl Row<'_> {
    fn of(solver: &Solver, Checked { run, models, core }: Checked) -> Row<'_> {
        let words: Vec<&str> = models.iter().map(|verdict| verdict.word()).collect();
        let core = core.map(|again| again.map_or_else(|end| end.to_string(), |a| a.word().to_owned()));
        Row { solver, run, models: (!words.is_empty()).then(|| words.join(" ")), core }
    }
}

/// Runs the command.
pub fn run(args: &Args) -> anyhow::Result<u8> {
    let script = read_named(&args.file)?;
    let read = smt::read(&script);
    if let Err(error) = &read {
        let place = error.locate(&args.file.display().to_string(), &script);
        eprintln!("models cannot be checked, we do not read this script:\n{place}");
    }
    let script = String::from_utf8_lossy(&script).into_owned();
    let solvers = args.whom.solvers()?;
    for solver in solvers.iter().filter(|s| s.profile.name == "any") {
        eprintln!("{}: no solver we know; `--profile z3` would say that it is like z3", solver.name);
    }
    let mut limits = Limits::of_time(Duration::try_from_secs_f64(args.timeout).context("--timeout")?);
    limits.memory = args.memory << 20;
    limits.address_space = !args.free_space;
    let mut runner = Runner::new(limits);
    let outputs = Outputs { model: !args.bare, core: !args.bare, reason: !args.bare };
    let asking = Asking { text: &script, script: read.as_ref().ok(), outputs, mode: args.way.into() };
    let mut rows = Vec::new();
    for solver in &solvers {
        rows.push(Row::of(solver, check(&mut runner, solver, &asking)?));
    }
    if args.json {
        for row in &rows {
            println!("{}", json(row));
        }
    } else {
        table(&rows);
    }
    Ok(exit::FINE)
}

fn json(row: &Row<'_>) -> serde_json::Value {
    let Row { solver, run, models, core } = row;
    let answers: Vec<&str> = run.reply.answers().iter().map(|a| a.word()).collect();
    serde_json::json!({
        "solver": solver.name,
        "answers": answers,
        "ending": run.ending.to_string(),
        "outcome": run.outcome(),
        "model": models,
        "core_again": core,
        "core": run.reply.checks.last().and_then(|c| c.core.clone()),
        "errors": run.reply.errors,
        "signs": run.signs,
        "ms": millis(run),
        "mb": run.peak.map(|p| p >> 20),
    })
}

fn millis(run: &Run) -> f64 {
    (run.wall.as_secs_f64() * 1e6).round() / 1e3
}

fn table(rows: &[Row<'_>]) {
    let mut lines =
        vec![["solver", "answers", "ms", "MB", "ending", "model", "core", "remarks"].map(str::to_owned)];
    for Row { solver, run, models, core } in rows {
        let answers: Vec<&str> = run.reply.answers().iter().map(|a| a.word()).collect();
        let mut remarks: Vec<String> =
            run.signs.iter().map(|s| s.text.clone()).filter(|text| !text.is_empty()).collect();
        remarks.extend(run.reply.errors.iter().take(1).cloned());
        if remarks.is_empty() && run.reply.answers().is_empty() {
            let said = format!("{}{}", run.reply.noise, run.reply.stderr);
            remarks.push(if said.trim().is_empty() { "it printed nothing".to_owned() } else { said });
        }
        let remark: String = remarks.join("; ").replace('\n', " ").chars().take(80).collect();
        lines.push([
            solver.name.to_string(),
            if answers.is_empty() { "-".to_owned() } else { answers.join(" ") },
            format!("{:.1}", millis(run)),
            run.peak.map_or_else(|| "-".to_owned(), |p| (p >> 20).to_string()),
            run.ending.to_string(),
            models.clone().unwrap_or_else(|| "-".to_owned()),
            core.clone().unwrap_or_else(|| "-".to_owned()),
            remark,
        ]);
    }
    let widths: Vec<usize> =
        (0..lines[0].len()).map(|i| lines.iter().map(|l| l[i].chars().count()).max().unwrap_or(0)).collect();
    for line in &lines {
        let cells: Vec<String> = line.iter().zip(&widths).map(|(c, w)| format!("{c:w$}")).collect();
        println!("{}", fitted(cells.join("  ").trim_end()));
    }
}
