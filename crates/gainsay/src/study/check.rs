//! One script: on one solver, with our evaluation of its models and its core asked again; and decided without a solver.

use smt::Script;
use smt::command::{CommandRow, command};
use smt::sexpr::{commands, parts};

use crate::case::Answer;
use crate::solver::{AskMode, Ending, Outputs, Question, Run, Runner, Solver, SolverError};

/// What our evaluation says of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModelVerdict {
    /// Every assertion is true.
    True,
    /// An assertion is false.
    False,
    /// It is open whether the assertions are true.
    Open,
    /// We cannot read the script or the model.
    Unread,
}

impl ModelVerdict {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            ModelVerdict::True => "true",
            ModelVerdict::False => "false",
            ModelVerdict::Open => "open",
            ModelVerdict::Unread => "unread",
        }
    }
}

/// What a solver did with a script.
pub struct Checked {
    /// The run.
    pub run: Run,
    /// What our evaluation says of each model that it printed, check by check.
    pub models: Vec<ModelVerdict>,
    /// What it said to its core alone, if it printed one. `unsat` is right.
    pub core: Option<Result<Answer, Ending>>,
}

/// A script that solvers are asked.
pub struct Asking<'a> {
    /// Its text.
    pub text: &'a str,
    /// The script, if we can read it.
    pub script: Option<&'a Script>,
    /// The outputs that are asked for.
    pub outputs: Outputs,
    /// How to ask.
    pub mode: AskMode,
}

/// Asks a solver a script, then asks it its core again.
pub fn check(runner: &mut Runner, solver: &Solver, asking: &Asking<'_>) -> Result<Checked, SolverError> {
    let run = runner.ask(solver, Question { script: asking.text, ask: asking.outputs }, asking.mode)?;
    let core = core_again(runner, solver, asking.text, &run)?;
    let models = models(asking.script, solver, &run);
    Ok(Checked { run, models, core })
}

/// What our own evaluation says of the models of a run, check by check.
fn models(script: Option<&Script>, solver: &Solver, run: &Run) -> Vec<ModelVerdict> {
    let checks = run.reply.checks.iter().enumerate().filter(|(_, c)| !c.void);
    checks.filter_map(|(i, c)| Some(verdict(script, solver, i, c.model.as_ref()?))).collect()
}

fn verdict(script: Option<&Script>, solver: &Solver, check: usize, model: &str) -> ModelVerdict {
    let Some(script) = script else { return ModelVerdict::Unread };
    if !script.reads_alike(solver.reads()) {
        return ModelVerdict::Open;
    }
    let queries = script.queries();
    let Some(query) = queries.get(check) else { return ModelVerdict::Unread };
    let read = smt::Model::read_in(script, Some(query.command), model.as_bytes(), solver.manner());
    let Ok(model) = read else { return ModelVerdict::Unread };
    match smt::satisfies(query, &model, &smt::Fuel::default()) {
        smt::Verdict::True => ModelVerdict::True,
        smt::Verdict::False => ModelVerdict::False,
        smt::Verdict::Open(_) => ModelVerdict::Open,
    }
}

/// Asks the solver again with its core alone.
fn core_again(
    runner: &mut Runner,
    solver: &Solver,
    script: &str,
    run: &Run,
) -> Result<Option<Result<Answer, Ending>>, SolverError> {
    let core = run.reply.checks.last().filter(|c| !c.void).and_then(|c| c.core.as_ref());
    let Some(text) = core.and_then(|names| core_script(script, names)) else { return Ok(None) };
    let again = runner.ask(solver, Question { script: &text, ask: Outputs::default() }, AskMode::Fresh)?;
    Ok(Some(again.reply.answers().last().copied().ok_or(again.ending)))
}

/// The script without the named assertions that are not in the core.
///
/// Only for a script with one plain `check-sat`: elsewhere a core belongs to a scope that text alone does not show.
fn core_script(script: &str, core: &[String]) -> Option<String> {
    let all = commands(script)?;
    let checks = all.iter().filter(|c| command(c.head).is_some_and(CommandRow::is_check)).count();
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
