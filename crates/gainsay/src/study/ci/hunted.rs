//! What other strategies find wrong with a build: a hunt of a fixed number of turns beside the same releases.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use super::Plan;
use crate::campaign::{self, HuntError};
use crate::finding::Finding;
use crate::judge::Kind;
use crate::report::ci::{Known, News, Part, Unit};
use crate::seed::Corpus;
use crate::solver::AskMode;
use crate::store::Store;
use crate::strategy::Strategy;
use crate::study::{Now, Panel, again, case_of};

/// What is hunted with besides the grammars.
pub struct Hunted {
    /// Strategies by name.
    pub strategies: Vec<(&'static str, Box<dyn Strategy>)>,
    /// What they start from.
    pub corpus: Corpus,
    /// How many turns they have together.
    pub turns: u64,
    /// When it ends.
    pub until: Instant,
}

/// What the part is called beside the grammars.
const PART: &str = "hunt";

/// Kinds that a check is about.
fn is_told(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::Soundness
            | Kind::WrongModel
            | Kind::WrongCore
            | Kind::Crash
            | Kind::SelfCheck
            | Kind::Disagreement
    )
}

/// Hunts; tells what is new, and adds to what is known.
pub fn hunted(
    plan: &Plan,
    hunted: Hunted,
    store: &dyn Store,
    stop: &AtomicBool,
    known: &mut Known,
) -> Result<(Vec<News>, Part), HuntError> {
    let solvers: Vec<_> = [&plan.build, &plan.against].into_iter().chain(&plan.others).cloned().collect();
    let before = store.findings()?.len();
    let wanted = hunted.turns;
    let hunt = campaign::Plan {
        // The same duration means the same cases.
        draw: 0,
        strategies: hunted.strategies,
        corpus: hunted.corpus,
        solvers,
        witnesses: Vec::new(),
        oracles: plan.oracles.clone(),
        limits: plan.limits,
        way: AskMode::Reset,
        breadth: 512,
        jobs: plan.jobs,
        turns: Some(wanted),
        until: Some(hunted.until),
        auditors: Vec::new(),
        ignored: Vec::new(),
    };
    let ended = Arc::new(AtomicBool::new(false));
    let progress = campaign::run(&hunt, store, &ended, |_, _| {
        if stop.load(Ordering::Relaxed) {
            ended.store(true, Ordering::Relaxed);
        }
    })?;
    let turns = progress.counts().turns;
    // Strategies may have fewer turns than they are given.
    let wanted = if ended.load(Ordering::Relaxed) { wanted } else { turns };
    let mut news = Vec::new();
    for row in store.findings()?.into_iter().skip(before) {
        let f = row.finding;
        let of_build = f.against.as_ref().is_none_or(|whom| *whom == plan.build.name);
        if row.warm {
            known.once += 1;
        } else if of_build && is_told(f.kind) {
            if is_old(plan, &f)? {
                known.old += 1;
            } else {
                news.push(told(f, row.folder));
            }
        }
    }
    Ok((news, Part { grammar: PART.to_owned(), unit: Unit::Turn, screened: turns, wanted }))
}

/// Whether the reference shows the same in a fresh process.
fn is_old(plan: &Plan, f: &Finding) -> Result<bool, HuntError> {
    let Ok(case) = case_of(f) else { return Ok(false) };
    let solvers: Vec<_> = std::iter::once(&plan.against).chain(&plan.others).cloned().collect();
    let whom = f.against.as_ref().map(|_| 0);
    let panel = Panel { solvers: &solvers, whom, witnesses: &[], oracles: &plan.oracles };
    let now = again(f, &case, &panel, plan.limits)?;
    Ok(matches!(now, Now::Still(_)))
}

fn told(f: Finding, folder: String) -> News {
    News {
        kind: f.kind,
        grammar: PART.to_owned(),
        unit: Unit::Turn,
        number: format!("{}, series {}, turn {}", f.lineage.strategy, f.turn.series, f.turn.step),
        summary: f.summary,
        operators: String::new(),
        folder: Some(folder),
        text: f.case,
    }
}
