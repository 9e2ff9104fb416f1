//! Oracle `information`: what a solver prints for `get-info` after a check is a list of keywords and values.

use smt::What;
use smt::command::Prints;
use smt::sexpr::{Extent, extent, parts};

use super::Oracle;
use crate::judge::complaint::Complaint;
use crate::judge::outputs::judge_each;
use crate::judge::probe::{Step, Told};
use crate::judge::way::Reviewed;
use crate::judge::{Evidence, Fault, Trial};

/// What is asked about the last check.
const ABOUT_CHECKS: [&str; 2] = [":reason-unknown", ":all-statistics"];

pub(super) struct Information;

impl Oracle for Information {
    fn step(&self, trial: &Trial<'_>, told: &Told<'_>) -> Step {
        judge_each(trial, told, |accused, _| judge(trial, accused))
    }
}

fn judge(trial: &Trial<'_>, accused: usize) -> Option<Reviewed> {
    let pool = &trial.case.script.pool;
    let wrong = trial.outputs(accused).into_iter().find(|output| {
        let about = match output.what {
            What::Other(_, about) if output.row.prints == Prints::Information => pool.text(about),
            _ => return false,
        };
        ABOUT_CHECKS.contains(&about) && !is_information(output.text)
    })?;
    let by = trial.solver(accused).name.clone();
    let command = format!(
        "({} {})",
        wrong.row.word,
        ABOUT_CHECKS
            .iter()
            .find(|about| { matches!(wrong.what, What::Other(_, asked) if pool.text(asked) == **about) })?
    );
    Some(Reviewed::complaint(Complaint {
        fault: Fault::Malformed { command },
        against: Some(accused),
        check: wrong.check,
        evidence: vec![Evidence::Printed { by, text: wrong.text.to_owned() }],
    }))
}

/// Whether a text is one list that begins with a keyword, or the word that says that there is none.
fn is_information(text: &str) -> bool {
    let text = text.trim();
    let is_list = text.starts_with('(') && extent(text.as_bytes(), 0) == Extent::Ends(text.len());
    is_list && parts(text).first().is_none_or(|first| first.starts_with(':'))
}
