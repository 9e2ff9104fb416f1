//! Oracle `value`: a value that a solver prints for a term must be that of its model, and two values for one term are equal.

use smt::command::Prints;
use smt::{Heard, Model, TermId, What};

use super::Oracle;
use crate::judge::language::speaks;
use crate::judge::outputs::{Clash, GivenOutput, accuse, against_model, judge_each};
use crate::judge::pinned::at_point;
use crate::judge::probe::{Questions, Step, Told};
use crate::judge::way::{Reviewed, is_plain};
use crate::judge::{Output, Trial};

pub(super) struct Value;

impl Oracle for Value {
    fn step(&self, trial: &Trial<'_>, told: &Told<'_>) -> Step {
        judge_each(trial, told, |accused, questions| judge(trial, accused, questions))
    }
}

fn judge(trial: &Trial<'_>, accused: usize, questions: &mut Questions<'_>) -> Option<Reviewed> {
    let all: Vec<(usize, TermId, String)> =
        trial.outputs(accused).iter().flat_map(|output| values(trial, output)).collect();
    for check in 0..trial.queries().len() {
        let printed: Vec<(TermId, &str)> = all
            .iter()
            .filter(|(of, ..)| *of == check)
            .map(|(_, term, text)| (*term, text.as_str()))
            .collect();
        if printed.is_empty() {
            continue;
        }
        let found = against_model(trial, (accused, check), Output::Value, &printed, questions)
            .or_else(|| two_values(trial, (accused, check), &printed, questions));
        if found.is_some() {
            return found;
        }
    }
    None
}

/// The terms that an output is about, each with the number of the check and the value that was printed.
fn values(trial: &Trial<'_>, output: &GivenOutput<'_>) -> Vec<(usize, TermId, String)> {
    let Some(check) = output.check else { return Vec::new() };
    match (output.what, output.row.prints) {
        (What::GetValue(list), Prints::Values) => {
            let terms = trial.case.script.pool.terms(list);
            let pairs = smt::read_values(output.text).unwrap_or_default();
            // Answers come in the order of the questions; what a solver prints as the term may be spelled otherwise.
            if pairs.len() != terms.len() {
                return Vec::new();
            }
            terms.iter().zip(pairs).map(|(&term, (_, value))| (check, term, value)).collect()
        }
        (What::Query(_, term, _), Prints::Value) => vec![(check, term, output.text.to_owned())],
        _ => Vec::new(),
    }
}

/// Looks for a term that has two values at one check.
fn two_values(
    trial: &Trial<'_>,
    (accused, check): (usize, usize),
    printed: &[(TermId, &str)],
    questions: &mut Questions<'_>,
) -> Option<Reviewed> {
    let (solver, script) = (trial.solver(accused), &trial.case.script);
    let query = trial.queries().get(check)?;
    let repeats = |(i, (term, text)): (usize, &(TermId, &'_ str))| {
        let first = printed[..i].iter().find(|(other, _)| other == term)?;
        (first.1 != *text).then(|| (*term, first.1.to_owned(), (*text).to_owned()))
    };
    for (term, first, second) in printed.iter().enumerate().filter_map(repeats) {
        // What was printed may name elements of the model.
        let review = trial.review(accused, check);
        let known = review.as_ref().and_then(|review| review.model.clone());
        let mut model = known.unwrap_or_else(|| Model::empty(script));
        let sort = script.pool.sort_of(term);
        let mut read = |text: &str| -> Result<_, Heard> {
            model.read_value(script, query.command, (text, sort), solver.manner())
        };
        let (Ok((_, one)), Ok((_, two))) = (read(&first), read(&second)) else { continue };
        if model.same(&one, &two) != Ok(false) || speaks(solver, &script.pool, &[term]).is_err() {
            continue;
        }
        let plain = is_plain(solver, &first) && is_plain(solver, &second);
        let written = [&one, &two].map(|value| smt::value::write(model.pool(), sort, value));
        let question = match written {
            [Ok(one), Ok(two)] if plain => {
                let both = format!("(= {one} {two})");
                Some(at_point(script, query.command, &Model::empty(script), &both))
            }
            _ => None,
        };
        let clash = Clash {
            of: Output::SecondValue,
            term: smt::write_term(&script.pool, term),
            printed: second,
            expected: first,
            model: String::new(),
            script: question,
        };
        return Some(accuse(trial, (accused, check), clash, questions));
    }
    None
}
