//! `gainsay check`: one file on several solvers, side by side.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context;

use super::columns::fitted;
use super::{AskModeName, choose, exit, read_named};
use crate::solver::names::spelled;
use crate::solver::process::runner::Request;
use crate::solver::{AskMode, Limits, Outputs, Question, Run, Runner, Solver};
use smt::sexpr::{commands, parts};

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
    /// Bound resident memory only: sanitizer builds need the whole address space
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

/// What our own evaluation says of the models of a run, check by check: true, false or open; `unread` if we cannot
/// read the script or the model.
fn verdicts(script: Option<&smt::Script>, solver: &Solver, run: &Run) -> Option<String> {
    let checks = run.reply.checks.iter().enumerate().filter(|(_, c)| !c.void);
    let verdicts: Vec<_> =
        checks.filter_map(|(i, c)| Some(verdict(script, solver, i, c.model.as_ref()?))).collect();
    (!verdicts.is_empty()).then(|| verdicts.join(" "))
}

fn verdict(script: Option<&smt::Script>, solver: &Solver, check: usize, model: &str) -> &'static str {
    let Some(script) = script else { return "unread" };
    if !script.reads_alike(solver.reads()) {
        return "open";
    }
    let asks = script.queries();
    let Some(ask) = asks.get(check) else { return "unread" };
    let read = smt::Model::read_in(script, Some(ask.command), model.as_bytes(), solver.manner());
    let Ok(model) = read else { return "unread" };
    match smt::satisfies(ask, &model, &smt::Fuel::default()) {
        smt::Verdict::True => "true",
        smt::Verdict::False => "false",
        smt::Verdict::Open(_) => "open",
    }
}

/// The script with only those of its named assertions that are in the core, and all that have no name.
///
/// Only for a script with one plain `check-sat`: elsewhere a core belongs to a scope that text alone does not show.
fn core_script(script: &str, core: &[String]) -> Option<String> {
    let all = commands(script)?;
    let checks = all.iter().filter(|c| c.head.starts_with("check-sat")).count();
    let scoped =
        |c: &&str| matches!(*c, "push" | "pop" | "check-sat-assuming" | "reset" | "reset-assertions");
    if checks != 1 || all.iter().map(|c| c.head).any(|h| scoped(&h)) {
        return None;
    }
    let mut text = String::new();
    for c in &all {
        let name = (c.head == "assert").then(|| name_of(c.text)).flatten();
        if name.is_none_or(|n| core.iter().any(|x| x == n)) {
            text.push_str(c.text);
            text.push('\n');
        }
    }
    Some(text)
}

/// The name of an assertion that has one: `(assert (! term :named name))`.
fn name_of(assertion: &str) -> Option<&str> {
    let annotated = parts(assertion).get(1).copied().filter(|t| t.starts_with("(!"))?;
    let parts = parts(annotated);
    let at = parts.iter().position(|p| *p == ":named")?;
    parts.get(at + 1).copied()
}

/// Asks the solver again with its core alone: `unsat` is as it should be.
fn recheck_core(
    runner: &mut Runner,
    solver: &Solver,
    script: &str,
    run: &Run,
) -> anyhow::Result<Option<String>> {
    let core = run.reply.checks.last().filter(|c| !c.void).and_then(|c| c.core.as_ref());
    let Some(text) = core.and_then(|names| core_script(script, names)) else { return Ok(None) };
    let again = runner.ask(solver, Question { script: &text, ask: Outputs::default() }, AskMode::Fresh)?;
    Ok(Some(again.reply.answers().last().map_or_else(|| again.ending.to_string(), |a| a.word().to_owned())))
}

/// One solver's line.
struct Row<'a> {
    solver: &'a Solver,
    run: Run,
    model: Option<String>,
    core: Option<String>,
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
    let way: AskMode = args.way.into();
    let mut limits = Limits::of_time(Duration::try_from_secs_f64(args.timeout).context("--timeout")?);
    limits.memory = args.memory << 20;
    limits.address_space = !args.free_space;
    let mut runner = Runner::new(limits);
    let ask = Outputs { model: !args.bare, core: !args.bare, reason: !args.bare };
    let mut rows = Vec::new();
    for solver in &solvers {
        let script = spelled(solver, &script);
        let question = Question { script: &script, ask };
        let run =
            runner.ask_all(&[Request { solver, question, way }])?.pop().expect("one request has one run");
        let core = recheck_core(&mut runner, solver, &script, &run)?;
        let model = verdicts(read.as_ref().ok(), solver, &run);
        rows.push(Row { solver, run, model, core });
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
    let Row { solver, run, model, core } = row;
    let answers: Vec<&str> = run.reply.answers().iter().map(|a| a.word()).collect();
    serde_json::json!({
        "solver": solver.name,
        "answers": answers,
        "ending": run.ending.to_string(),
        "outcome": run.outcome(),
        "model": model,
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
    for Row { solver, run, model, core } in rows {
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
            model.clone().unwrap_or_else(|| "-".to_owned()),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_core_keeps_what_has_no_name() {
        let script = "(declare-const x Int)(assert (> x 3))(assert (! (< x 2) :named a))\
                      (assert (! (= x x) :named |b c|))(check-sat)(get-unsat-core)";
        let kept = core_script(script, &["a".to_owned()]).expect("one check");
        assert!(kept.contains("(> x 3)") && kept.contains(":named a") && !kept.contains("|b c|"), "{kept}");
        assert_eq!(core_script("(check-sat)(check-sat)", &[]), None);
        assert_eq!(core_script("(push 1)(check-sat)", &[]), None);
    }
}
