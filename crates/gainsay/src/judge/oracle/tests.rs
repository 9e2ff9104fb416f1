//! What must not accuse, and what must: every line of the checklist against false alarms, on hand-made trials.

mod alone;
mod constructed;
mod core;
mod crash;
mod differential;
mod meaning;
mod metamorphic;
mod model;
mod outputs;
mod rejection;
mod session;
mod ways;

use std::time::Duration;

use super::{Entry, ORACLES, named};
use crate::case::{Case, Claim, Lineage};
use crate::judge::probe::{Judgement, Probe, Probed, Step, Told};
use crate::judge::{Budget, Kind, Trial};
use crate::solver::acquire::home::Home;
use crate::solver::process::limits::Bound;
use crate::solver::process::reply::Part;
use crate::solver::{AskMode, Ending, Release, Run, Solver, SolverId};

/// A solver of that name and release, with an option set after it; it is never started.
fn solver(name: &str) -> Solver {
    if let Some((name, config)) = name.split_once(' ') {
        return solver(name).with_config(config).expect("an option set");
    }
    let id: SolverId = name.parse().expect("a name");
    let home = Home::at(std::env::temp_dir().join("gainsay-nowhere"));
    let newest = Release::parse("99").expect("a release");
    Solver::installed(&id.profile().expect("a profile"), id.release().unwrap_or(&newest), &home)
}

/// The run of a solver that printed this and ended so. After `model:` comes what it printed for `get-model`, after `core:`
/// for `get-unsat-core`, and after each `asked:` the word of a command of the script that asks for output, and what it printed
/// for that.
fn run_of(solver: &Solver, printed: &str, ending: Ending) -> Run {
    let mut reply = crate::solver::Reply::default();
    let mut number = 0;
    reply.unasked = printed.starts_with("asked:");
    for part in printed.split("next:") {
        let mut outputs = part.split("asked:");
        let part = outputs.next().unwrap_or_default();
        let (rest, core) = part.split_once("core:").map_or((part, None), |(a, b)| (a, Some(b)));
        let (script, model) = rest.split_once("model:").map_or((rest, None), |(a, b)| (a, Some(b)));
        reply.take(&format!("{}\n", script.trim()), Part::Script);
        if let Some(model) = model {
            reply.take(&format!("{}\n", model.trim()), Part::Model);
        }
        if let Some(core) = core {
            reply.take(&format!("{}\n", core.trim()), Part::Core);
        }
        for output in outputs {
            let (word, text) = output.trim().split_once(' ').expect("a word and a text");
            reply.take_output(text, number, smt::command::command(word).expect(word));
            number += 1;
        }
    }
    let signs = crate::solver::process::signs::signs(&solver.profile, &reply, ending);
    let (way, wall) = (AskMode::Fresh, Duration::from_millis(5));
    Run { way, reply, ending, earlier: None, signs, cut_short: false, wall, cpu: None, peak: None }
}

fn said(solver: &Solver, printed: &str) -> Run {
    match printed {
        "SHORT TIME" => Run { cut_short: true, ..said(solver, "TIME") },
        "TIME" => Run { wall: Duration::from_secs(10), ..run_of(solver, "", Ending::Stopped(Bound::Time)) },
        "MEMORY" => run_of(solver, "", Ending::Stopped(Bound::Memory)),
        "SEGV" => run_of(solver, "", Ending::Killed(11)),
        "KILL" => run_of(solver, "", Ending::Killed(9)),
        "TERM" => run_of(solver, "", Ending::Killed(15)),
        _ => run_of(solver, printed, Ending::Exited(0)),
    }
}

/// What all usual oracles, and that of refusals, say of a script, given what each solver printed and what each prints when asked
/// again: the kinds with the accused, or nothing.
fn judged(
    script: &str,
    claims: Vec<Claim>,
    runs: &[(&str, &str)],
    again: &dyn Fn(&Probe) -> &'static str,
) -> Vec<String> {
    judged_by(&|o| o.usual || o.name == "rejection", (script, claims), Budget::NONE, runs, again)
}

/// What some oracles say of a script within a budget.
fn judged_by(
    judges: &dyn Fn(&Entry) -> bool,
    (script, claims): (&str, Vec<Claim>),
    budget: Budget,
    runs: &[(&str, &str)],
    again: &dyn Fn(&Probe) -> &'static str,
) -> Vec<String> {
    let case = Case {
        script: smt::read(script.as_bytes()).expect(script),
        others: Vec::new(),
        claims,
        lineage: Lineage::default(),
    };
    let solvers: Vec<_> = runs.iter().map(|(name, _)| solver(name)).collect();
    let made = solvers.iter().zip(runs).map(|(s, (_, printed))| Some(said(s, printed))).collect();
    let mut trial = Trial::new(&case, script, &solvers, made);
    trial.budget = budget;
    let names: Vec<&str> = runs.iter().map(|(name, _)| *name).collect();
    complaints(judges, &trial, &names, again)
}

/// What some oracles say of a trial, whose solvers have these names.
fn complaints(
    judges: &dyn Fn(&Entry) -> bool,
    trial: &Trial<'_>,
    names: &[&str],
    again: &dyn Fn(&Probe) -> &'static str,
) -> Vec<String> {
    let mut found = Vec::new();
    for entry in ORACLES.iter().filter(|o| judges(o)) {
        let mut probed: Vec<Probed> = Vec::new();
        let judgement = loop {
            match entry.oracle.step(trial, &Told { probed: &probed, proofs: &[] }) {
                Step::Judge(judgement) => break judgement,
                Step::Ask(wanted) => {
                    assert!(probed.len() < 50, "{} asks without end", entry.name);
                    for probe in wanted.probes {
                        let run = said(trial.solver(probe.whom), again(&probe));
                        probed.push(Probed { probe, run });
                    }
                }
            }
        };
        if let Judgement::Complain(complaints) = judgement {
            found.extend(complaints.into_iter().map(|c| {
                let whom = c.against.map_or("nobody", |i| names[i]);
                format!("{} {whom}", c.kind())
            }));
        }
    }
    found
}

/// Whether somebody is asked the negation of a formula, to see whether it stands by its answer.
fn is_negation(probe: &Probe) -> bool {
    probe.script.contains("(assert (not (and true")
}

fn plainly(script: &str, runs: &[(&str, &str)]) -> Vec<String> {
    judged(script, Vec::new(), runs, &|_| "unknown")
}

const NOTHING: [&str; 0] = [];
const X: &str = "(declare-const x Int)(assert (> x 5))(check-sat)";

#[test]
fn all_oracles_are_named_once() {
    for entry in ORACLES {
        assert!(std::ptr::eq(named(entry.name).expect("its name"), entry), "{}", entry.name);
    }
    assert!(Kind::Soundness < Kind::Disagreement);
}
