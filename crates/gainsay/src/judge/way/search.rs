//! All assignments of finite domains, or a few small values of infinite ones.

use std::rc::Rc;

use smt::Decision;

use super::satisfied::charge_all;
use super::{Came, Dispute};
use crate::judge::attempt::{Attempt, SearchEnd};
use crate::judge::derived::{Given, Searched};
use crate::judge::doubt::Doubt;
use crate::judge::evidence::Evidence;
use crate::judge::fault::{Fault, KnownUnsat, Suspicion};
use crate::judge::probe::Questions;
use crate::judge::searches::formula;
use crate::judge::trial::Trial;
use crate::judge::voices::ask_about_check;

/// What a search for a model of a check finds within the budget.
pub fn searched(trial: &Trial<'_>, check: usize) -> Rc<Searched> {
    trial.searched.get(check, || search(trial, check))
}

/// What a search for a model of another script with one check finds within the budget.
pub fn searched_script(trial: &Trial<'_>, text: &str) -> Rc<Searched> {
    trial.searched_scripts.get(text.to_owned(), || {
        let Ok(script) = smt::read(text.as_bytes()) else { return Searched::Undecided(SearchEnd::Open) };
        let queries = script.queries();
        search_in(&script, queries.last(), trial.budget.assignments)
    })
}

fn search(trial: &Trial<'_>, check: usize) -> Searched {
    let (script, query, assignments) =
        (&trial.case.script, trial.queries().get(check), trial.budget.assignments);
    match query.filter(|_| assignments > 0) {
        Some(query) => {
            trial.searches.get(formula(script, query), || search_in(script, Some(query), assignments))
        }
        None => search_in(script, None, assignments),
    }
}

fn search_in(script: &smt::Script, query: Option<&smt::Query>, assignments: u64) -> Searched {
    let Some(query) = query.filter(|_| assignments > 0) else {
        return Searched::Undecided(SearchEnd::OverBudget { assignments: 0 });
    };
    match smt::decide(script, query, assignments, &mut |_| {}) {
        Decision::Sat(model) => match found(script, query, &model) {
            Some(given) => Searched::Sat(Box::new(given)),
            None => Searched::Undecided(SearchEnd::Open),
        },
        Decision::Unsat { assignments } => Searched::Unsat { assignments },
        Decision::Infinite(unbounded) => {
            let symbol = script.pool.text(script.pool.fun(unbounded.symbol).spelling).to_owned();
            Searched::Undecided(SearchEnd::Infinite { symbol })
        }
        Decision::OverBudget { assignments } => Searched::Undecided(SearchEnd::OverBudget { assignments }),
        Decision::Open(_) => Searched::Undecided(SearchEnd::Open),
    }
}

/// A model that was found, as text and read again: the text is what others can check.
fn found(script: &smt::Script, query: &smt::Query, model: &smt::Model) -> Option<Given> {
    let text = format!("({})", model.definitions().join("\n "));
    let model = smt::Model::read(script, Some(query.command), text.as_bytes()).ok()?;
    super::satisfies(query, &model).then_some(Given { by: None, text, model, plain: true })
}

/// Charges those who say unsat if a model is found, and those who say sat if there is none.
pub fn try_all(dispute: &Dispute<'_, '_>, questions: &mut Questions<'_>) -> Came {
    let searched = searched(dispute.trial, dispute.check);
    match &*searched {
        Searched::Sat(given) => charge_all(dispute, given, questions),
        Searched::Unsat { assignments } => charge_sat(dispute, *assignments, questions),
        Searched::Undecided(end) => {
            Came::Nothing(vec![Evidence::Tried { attempt: Attempt::Search { end: end.clone() } }])
        }
    }
}

/// Charges everybody who says sat to what no assignment satisfies.
fn charge_sat(dispute: &Dispute<'_, '_>, assignments: u64, questions: &mut Questions<'_>) -> Came {
    let Dispute { trial, check, .. } = *dispute;
    let (mut complaints, mut asking) = (Vec::new(), false);
    for &accused in &dispute.sat {
        let Some(said) = ask_about_check(trial, (accused, check), questions) else {
            asking = true;
            continue;
        };
        let mut evidence = vec![Evidence::Exhausted { check, assignments }];
        evidence.extend(said.evidence);
        complaints.push(match (said.voice, said.denied) {
            (Some(voice), None) => {
                dispute.against(accused, Fault::WrongSat { known: KnownUnsat::ByExhaustion, voice }, evidence)
            }
            (_, Some(by)) => {
                evidence.push(Evidence::Undecided { why: Doubt::AlsoSat { by } });
                dispute.unconfirmed(accused, Suspicion::WrongSat, evidence)
            }
            (None, None) => dispute.unconfirmed(accused, Suspicion::WrongSat, evidence),
        });
    }
    match (asking, complaints.is_empty()) {
        (true, _) => Came::Asking,
        (false, true) => Came::Nothing(Vec::new()),
        (false, false) => Came::Complaints(complaints),
    }
}
