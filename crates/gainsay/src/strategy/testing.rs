//! What tests of strategies share: seeds whose answers are known, the cases of a series, and whether what is claimed of a case holds.

use std::collections::BTreeMap;
use std::sync::Arc;

use smt::{Decision, Model, Script};

use super::known::is_satisfied;
use super::{Entry, Options};
use crate::case::{Answer, Case, Choices, Claim};
use crate::seed::{Asked, Keep, Seed};

/// A seed to each of whose checks all solvers gave one answer.
pub(super) fn asked(text: &str, answer: Answer) -> Asked {
    let seed = Arc::new(Seed::read("small", text.as_bytes(), Keep::Bare).expect("usable"));
    let checks = seed.script().queries().len();
    Asked::agreed(seed, vec![answer; checks])
}

/// A seed with the answer that it notes itself.
pub(super) fn as_noted(text: &str) -> Asked {
    let seed = Seed::read("small", text.as_bytes(), Keep::Bare).ok();
    asked(text, seed.and_then(|seed| seed.status).unwrap_or(Answer::Unknown))
}

/// The flags of a strategy with these values.
pub(super) fn options(entry: &Entry, flags: &[(&str, &str)]) -> Options {
    let flags: BTreeMap<_, _> = flags.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
    Options::of(entry.flags, &flags)
}

/// The cases of a series.
pub(super) fn cases(entry: &Entry, seeds: &[Asked], flags: &[(&str, &str)], draw: u64) -> Vec<Case> {
    let strategy = (entry.build)(&options(entry, flags)).expect("good flags");
    let mut series = strategy.series(0, seeds, Choices::drawn(draw, entry.name, 0));
    std::iter::from_fn(|| series.next()).collect()
}

/// Whether each check of a script has a model, by trying everything.
pub(super) fn answers(script: &Script) -> Vec<bool> {
    let decided = |query| match smt::decide(script, query, 3_000_000, &mut |_| {}) {
        Decision::Sat(_) => true,
        Decision::Unsat { .. } => false,
        other => panic!("{other:?}: {}", script.text()),
    };
    script.queries().iter().map(decided).collect()
}

/// Whether the last check of a script has a model, by trying everything.
pub(super) fn is_sat(script: &Script) -> bool {
    answers(script).pop().expect("a check")
}

/// Whether the witness that a case claims satisfies it; none if it claims none.
pub(super) fn is_witnessed(case: &Case) -> Option<bool> {
    let find = |claim: &Claim| if let Claim::Witness(_, text) = claim { Some(text.clone()) } else { None };
    let text = case.claims.iter().find_map(find)?;
    let script = smt::read(case.text().as_bytes()).unwrap_or_else(|e| panic!("{e}\n{}", case.text()));
    let query = script.queries().pop().expect("a check");
    let model = Model::read(&script, Some(query.command), text.as_bytes()).expect("a model");
    Some(is_satisfied(&query, &model))
}
