//! What other strategies find wrong with a build: a hunt of a fixed number of turns beside the same releases.

use std::sync::atomic::AtomicBool;
use std::time::Instant;

use super::Check;
use crate::campaign::{Engine, EngineError, Hunt, Plan};
use crate::finding::Finding;
use crate::judge::Kind;
use crate::report::ci::{Known, News, Part, Unit};
use crate::store::{Reader, Sqlite};
use crate::study::again::{Now, Panel, again, read_case};

/// What the part is called beside the grammars.
const PART: &str = "hunt";

/// Kinds that a check is about.
fn is_told(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::Soundness
            | Kind::WrongModel
            | Kind::WrongCore
            | Kind::WrongOutput
            | Kind::WrongRewriting
            | Kind::Crash
            | Kind::SelfCheck
            | Kind::Disagreement
    )
}

/// Hunts; tells what is new, and adds to what is known.
pub fn hunted(
    check: &Check,
    plan: &Plan,
    store: &Sqlite,
    stop: &AtomicBool,
    known: &mut Known,
) -> Result<(Vec<News>, Part), EngineError> {
    let before = store.findings()?.len();
    let mut turns = 0;
    if let Some(hunt) = Hunt::new(plan) {
        let engine = Engine { work: &hunt, jobs: plan.jobs, turns: plan.turns, until: plan.until, stop };
        engine.run(store, &store.series()?, |_| {})?;
        turns = hunt.progress.counts().turns;
    }
    let ended = stop.load(std::sync::atomic::Ordering::Relaxed)
        || plan.until.is_some_and(|end| Instant::now() >= end);
    // Strategies may have fewer turns than they are given.
    let wanted = if ended { plan.turns.unwrap_or(turns) } else { turns };
    let mut news = Vec::new();
    for row in store.findings()?.into_iter().skip(before) {
        let f = row.finding;
        let of_build = f.against.as_ref().is_none_or(|whom| *whom == check.build().name);
        if row.warm {
            known.once += 1;
        } else if of_build && is_told(f.kind) {
            if is_old(check, &f)? {
                known.old += 1;
            } else {
                news.push(told(f, row.folder));
            }
        }
    }
    Ok((news, Part { grammar: PART.to_owned(), unit: Unit::Turn, screened: turns, wanted }))
}

/// Whether the reference shows the same in a fresh process.
fn is_old(check: &Check, f: &Finding) -> Result<bool, EngineError> {
    let Ok(case) = read_case(f) else { return Ok(false) };
    let whom = f.against.as_ref().map(|_| 0);
    let plan = &check.screening;
    let (solvers, oracles, budget) = (check.releases(), &plan.oracles, plan.deciding);
    let panel = Panel { solvers, whom, witnesses: &[], oracles, budget };
    let now = again(f, &case, &panel, plan.limits)?;
    Ok(matches!(now, Now::Still(_)))
}

fn told(f: Finding, folder: String) -> News {
    News {
        kind: f.kind,
        grammar: PART.to_owned(),
        unit: Unit::Turn,
        number: format!("{}, series {}, turn {}", f.lineage.strategy, f.turn.series, f.turn.step),
        summary: crate::finding::words::summary(&f),
        operators: String::new(),
        folder: Some(folder),
        text: f.case,
    }
}
