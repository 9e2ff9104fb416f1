//! Outputs: what solvers printed for the commands of a script that ask for output, and how an output is compared with a model.

use smt::command::{CommandRow, Prints};
use smt::{Fuel, TermId, What};

use super::complaint::Complaint;
use super::doubt::Abstention;
use super::evidence::Evidence;
use super::fault::{Fault, Output, Suspicion};
use super::language::speaks;
use super::pinned::at_point;
use super::probe::{Questions, Step, Told};
use super::trial::Trial;
use super::voices::{Question, ask_all};
use super::way::{Reviewed, is_plain, suspect};
use crate::case::Answer;
use crate::solver::Outcome;

/// What a solver printed for a command of the script.
pub struct GivenOutput<'t> {
    /// The number of the command.
    pub command: usize,
    /// The command.
    pub what: What,
    /// Its row in the table of commands.
    pub row: &'static CommandRow,
    /// The number of the last check before it.
    pub check: Option<usize>,
    /// What was printed.
    pub text: &'t str,
}

impl Trial<'_> {
    /// What a solver printed for the commands of the script that ask for output, without errors, in order. What comes after an
    /// error in the script does not count: a solver that refused a definition goes on with other names than we.
    pub(super) fn outputs(&self, solver: usize) -> Vec<GivenOutput<'_>> {
        let Some(run) = self.runs.get(solver).and_then(Option::as_ref) else { return Vec::new() };
        let counts = matches!(run.outcome(), Outcome::Answered | Outcome::Rejected);
        if run.reply.outputs.is_empty() || !counts {
            return Vec::new();
        }
        let script = &self.case.script;
        let asks = |what: What| what.row(&script.pool).filter(|row| row.is_output());
        let commands = script.commands.iter().enumerate().take_while(|(_, c)| c.what != What::Exit);
        let asking: Vec<_> = commands.filter_map(|(i, c)| Some((i, c.what, asks(c.what)?))).collect();
        let given = run.reply.outputs.iter().filter_map(|output| {
            let &(command, what, row) = asking.get(output.number)?;
            let check = output.check;
            let counts = match check {
                _ if output.void => false,
                // A term that is simplified stands for itself, whatever is refused after it.
                _ if row.prints == Prints::Term => true,
                Some(check) => self.reply(solver, check).is_some(),
                None => run.reply.errors.is_empty(),
            };
            let text = output.text().filter(|_| counts)?;
            Some(GivenOutput { command, what, row, check, text })
        });
        given.collect()
    }
}

/// Lets each solver that was asked be judged by what it printed.
pub fn judge_each(
    trial: &Trial<'_>,
    told: &Told<'_>,
    mut judge: impl FnMut(usize, &mut Questions<'_>) -> Option<Reviewed>,
) -> Step {
    let mut questions = Questions::new(told);
    let (mut complaints, mut abstained) = (Vec::new(), None);
    for (solver, _) in trial.made() {
        match judge(solver, &mut questions) {
            Some(Reviewed::Complaint(complaint)) => complaints.push(*complaint),
            Some(Reviewed::Defended) => {
                abstained = Some(Abstention::Defended { of: trial.solver(solver).name.clone() });
            }
            Some(Reviewed::Asking) | None => {}
        }
    }
    questions.or_judge(complaints, abstained)
}

/// Two things that a solver printed at one check and that cannot both be.
pub struct Clash {
    /// What it printed.
    pub of: Output,
    /// The term that has two values.
    pub term: String,
    /// Its value as printed.
    pub printed: String,
    /// Its value by what else was printed.
    pub expected: String,
    /// The model; empty if there is none.
    pub model: String,
    /// A script that says both, and must be unsatisfiable; none if it cannot be written.
    pub script: Option<String>,
}

/// What comes of two things that cannot both be. The accused is asked whether they can. If it does not say unsat, another solver
/// must say so, and none may say sat.
pub fn accuse(
    trial: &Trial<'_>,
    (accused, check): (usize, usize),
    clash: Clash,
    questions: &mut Questions<'_>,
) -> Reviewed {
    let Clash { of, term, printed, expected, model, script } = clash;
    let mut evidence = vec![Evidence::PrintedValue { check, of, term, printed, expected, model }];
    let mut voice = None;
    if let Some(script) = script {
        let question = Question { script: &script, wanted: Answer::Unsat, giver: None };
        let Some(said) = ask_all(trial, accused, &question, questions) else {
            return Reviewed::Asking;
        };
        if said.denied.is_some() {
            return Reviewed::Defended;
        }
        evidence.extend(said.evidence);
        voice = said.voice;
    }
    Reviewed::complaint(match voice {
        Some(voice) => Complaint {
            fault: Fault::WrongOutput { of, voice },
            against: Some(accused),
            check: Some(check),
            evidence,
        },
        None => suspect(trial, (accused, check), Suspicion::WrongOutput, evidence),
    })
}

/// Compares the values that a solver printed for terms at a check with their values under its model. What the model leaves open
/// is not compared.
pub fn against_model(
    trial: &Trial<'_>,
    (accused, check): (usize, usize),
    of: Output,
    printed: &[(TermId, &str)],
    questions: &mut Questions<'_>,
) -> Option<Reviewed> {
    let (solver, script) = (trial.solver(accused), &trial.case.script);
    let query = trial.queries().get(check).filter(|query| !query.opaque && query.recursive.is_empty())?;
    let review = trial.review(accused, check)?;
    let mut model = review.model.clone()?;
    let text = trial.reply(accused, check)?.model.clone()?;
    for &(term, value) in printed {
        let Ok(expected) = smt::eval(term, &model, &mut Fuel::default()) else { continue };
        let sort = script.pool.sort_of(term);
        let read = model.read_value(script, query.command, (value, sort), solver.manner());
        let Ok((_, said)) = read else { continue };
        if model.same(&expected, &said) != Ok(false) || speaks(solver, &script.pool, &[term]).is_err() {
            continue;
        }
        let written = |value| smt::value::write(model.pool(), sort, value);
        let term_text = smt::write_term(&script.pool, term);
        let plain = is_plain(solver, &text) && is_plain(solver, value);
        let question = written(&said)
            .ok()
            .filter(|_| plain)
            .map(|value| at_point(script, query.command, &model, &format!("(= {term_text} {value})")));
        let clash = Clash {
            of,
            term: term_text,
            printed: value.to_owned(),
            expected: written(&expected).unwrap_or_default(),
            model: text,
            script: question,
        };
        return Some(accuse(trial, (accused, check), clash, questions));
    }
    None
}
