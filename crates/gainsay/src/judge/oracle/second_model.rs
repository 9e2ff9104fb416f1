//! Oracle `second-model`: two models that a solver prints for one check must have the same values.

use rustc_hash::FxHashSet;
use smt::command::Prints;
use smt::{Fuel, Head, Pool, TermId};

use super::Oracle;
use crate::judge::outputs::{against_model, judge_each};
use crate::judge::probe::{Questions, Step, Told};
use crate::judge::way::{Reviewed, read_model};
use crate::judge::{Output, Trial};

pub(super) struct SecondModel;

impl Oracle for SecondModel {
    fn step(&self, trial: &Trial<'_>, told: &Told<'_>) -> Step {
        judge_each(trial, told, |accused, questions| judge(trial, accused, questions))
    }
}

fn judge(trial: &Trial<'_>, accused: usize, questions: &mut Questions<'_>) -> Option<Reviewed> {
    for output in trial.outputs(accused) {
        let (Some(check), Prints::Model) = (output.check, output.row.prints) else { continue };
        let first = trial.reply(accused, check)?.model.as_deref();
        if first.is_none_or(|first| first == output.text) {
            continue;
        }
        let query = trial.queries().get(check)?;
        let Some(second) = read_model(trial.solver(accused), &trial.case.script, query, output.text) else {
            continue;
        };
        let pool = second.model.pool();
        let value = |term: TermId| {
            let value = smt::eval(term, &second.model, &mut Fuel::default()).ok()?;
            Some((term, smt::value::write(pool, pool.sort_of(term), &value).ok()?))
        };
        let values: Vec<(TermId, String)> =
            applications(&trial.case.script.pool, &query.assertions).into_iter().filter_map(value).collect();
        let printed: Vec<(TermId, &str)> = values.iter().map(|(term, text)| (*term, text.as_str())).collect();
        let found = against_model(trial, (accused, check), Output::SecondModel, &printed, questions);
        if found.is_some() {
            return found;
        }
    }
    None
}

/// The constants and the applications of functions to closed terms below these terms, without those below binders.
fn applications(pool: &Pool, roots: &[TermId]) -> Vec<TermId> {
    let (mut seen, mut found, mut left) = (FxHashSet::default(), Vec::new(), roots.to_vec());
    while let Some(term) = left.pop() {
        if !seen.insert(term) {
            continue;
        }
        match pool.node(term).head {
            Head::Fun(_) => found.push(term),
            Head::Op(..) | Head::Annotated(_) | Head::Coerce => {}
            _ => continue,
        }
        left.extend_from_slice(pool.args(term));
    }
    found
}
