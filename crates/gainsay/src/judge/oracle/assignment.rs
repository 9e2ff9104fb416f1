//! Oracle `assignment`: the truth values that a solver prints for named terms must be those of its model.

use rustc_hash::FxHashMap;
use smt::command::Prints;
use smt::{AttrValue, Head, Pool, TermId};

use super::Oracle;
use crate::judge::outputs::{against_model, judge_each};
use crate::judge::probe::{Questions, Step, Told};
use crate::judge::way::Reviewed;
use crate::judge::{Output, Trial};

pub(super) struct Assignment;

impl Oracle for Assignment {
    fn step(&self, trial: &Trial<'_>, told: &Told<'_>) -> Step {
        judge_each(trial, told, |accused, questions| judge(trial, accused, questions))
    }
}

fn judge(trial: &Trial<'_>, accused: usize, questions: &mut Questions<'_>) -> Option<Reviewed> {
    for output in trial.outputs(accused) {
        let (Some(check), Prints::Assignment) = (output.check, output.row.prints) else { continue };
        let named = named(&trial.case.script.pool);
        let pairs = smt::read_values(output.text).unwrap_or_default();
        let meant = |(name, value): &(String, String)| {
            let term = named.get(smt::unquoted(name)).copied().flatten()?;
            Some((term, if value == "true" { "true" } else { "false" }))
        };
        let is_truth = |(_, value): &&(String, String)| value == "true" || value == "false";
        let printed: Vec<(TermId, &str)> = pairs.iter().filter(is_truth).filter_map(meant).collect();
        let found = against_model(trial, (accused, check), Output::Assignment, &printed, questions);
        if found.is_some() {
            return found;
        }
    }
    None
}

/// The terms that have names, without these; none for a name that two terms have.
fn named(pool: &Pool) -> FxHashMap<&str, Option<TermId>> {
    let mut named: FxHashMap<&str, Option<TermId>> = FxHashMap::default();
    for term in pool.all_terms() {
        let Head::Annotated(attrs) = pool.node(term).head else { continue };
        let Some(&inner) = pool.args(term).first() else { continue };
        for attr in pool.attrs(attrs) {
            if let (AttrValue::Text(name), ":named") = (attr.value, pool.text(attr.keyword)) {
                let entry = named.entry(smt::unquoted(pool.text(name))).or_insert(Some(inner));
                *entry = entry.filter(|known| *known == inner);
            }
        }
    }
    named
}
