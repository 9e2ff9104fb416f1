//! Did a commit break anything? A build is screened on fixed formulas beside a release of its own make and one of another;
//! what is wrong with it and not with the release is new. Then both are timed.

mod counts;
mod hunted;
mod speed;

use std::collections::BTreeMap;
use std::sync::RwLock;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use super::evolve::{self, Contender, Counts, Stock, case_of, formula_row};
use crate::campaign::HuntError;
use crate::case::Answer;
use crate::judge::TrialRunner;
use crate::judge::trial;
use crate::judge::{Kind, oracle};
use crate::report::ci::{Known, News, Part, Unit, Verdict};
use crate::solver::{AskMode, Limits, Solver};
use crate::store::{FormulaRow, Runs, Seen, Store};

pub use counts::{Share, share_of, turns_of};
pub use hunted::Hunted;
pub use speed::{Race, Timed, speeds};

/// Of one kind and one set of operators, this many formulas are asked again of the reference.
const LOOKED_AT: usize = 5;

/// All that decides a check of a build.
pub struct Plan {
    /// What is screened, and how many of it, from the smallest, are timed.
    pub stocks: Vec<(Stock, u64)>,
    /// The build.
    pub build: Solver,
    /// The release that it is compared with.
    pub against: Solver,
    /// Releases of other makes.
    pub others: Vec<Solver>,
    /// Who judges.
    pub oracles: Vec<&'static oracle::Entry>,
    /// What one question may cost.
    pub limits: Limits,
    /// How many workers there are.
    pub jobs: usize,
    /// When screening ends, and when timing does.
    pub until: (Instant, Instant),
    /// How many times as long the build may take.
    pub bound: f64,
    /// Whether it fails for answers of which nobody can tell who is wrong.
    pub undecided: bool,
}

/// Checks a build, with a hunt besides if one is wanted. Its runs and findings go to `store`; runs of releases stay in `cache` and are not made again.
pub fn run<S: Store + Runs>(
    plan: &Plan,
    hunt: Option<Hunted>,
    (store, cache): (&S, &S),
    stop: &AtomicBool,
    watch: impl Fn(&Counts),
) -> Result<Verdict, HuntError> {
    let mut contenders =
        vec![Contender::new(plan.build.clone(), true), Contender::new(plan.against.clone(), true)];
    contenders.extend(plan.others.iter().map(|other| Contender::new(other.clone(), false)));
    contenders[0].lasting = false;
    contenders[0].references = (1..contenders.len()).collect();
    contenders[1].references = (2..contenders.len()).collect();
    let stocks = plan.stocks.iter().map(|(stock, _)| stock.clone()).collect();
    let screening = evolve::Plan {
        stocks,
        contenders,
        oracles: plan.oracles.clone(),
        limits: plan.limits,
        // It lost nothing in our measurements, and costs a fraction of a process.
        way: AskMode::Reset,
        jobs: plan.jobs,
        until: Some(plan.until.0),
        keep_models: true,
    };
    evolve::run(&screening, (store, cache), stop, watch)?;
    let (mut news, mut known) = news(plan, store, cache)?;
    let (timed, mut parts) = timed(plan, store, cache)?;
    if let Some(hunt) = hunt {
        let (more, part) = hunted::hunted(plan, hunt, store, stop, &mut known)?;
        news.extend(more);
        parts.push(part);
    }
    let race = Race {
        build: &plan.build,
        against: &plan.against,
        limits: plan.limits,
        bound: plan.bound,
        jobs: plan.jobs,
        until: Some(plan.until.1),
    };
    let speeds = speeds(&race, &timed, stop)?;
    Ok(Verdict {
        build: plan.build.name.clone(),
        against: plan.against.name.clone(),
        others: plan.others.iter().map(|s| s.name.clone()).collect(),
        parts,
        news,
        known,
        speeds,
        bound: plan.bound,
        undecided_fails: plan.undecided,
    })
}

/// A formula and a kind of fault.
type Place = (String, String, Kind);

fn place(formula: &FormulaRow, kind: Kind) -> Place {
    (formula.grammar.clone(), formula.number.clone(), kind)
}

/// What is wrong with the build and not with its reference, and how much is wrong with both.
fn news<S: Store + Runs>(plan: &Plan, store: &S, cache: &S) -> Result<(Vec<News>, Known), HuntError> {
    let old: Vec<Place> = cache
        .wrongs()?
        .into_iter()
        .filter(|(_, release, w)| *release == plan.against.name && w.seen != Seen::Once)
        .map(|(formula, _, w)| place(&formula, w.kind))
        .collect();
    let old: std::collections::BTreeSet<Place> = old.into_iter().collect();
    let folders: BTreeMap<(String, Kind), String> = store
        .findings()?
        .into_iter()
        .filter(|row| !row.warm)
        .map(|row| ((row.finding.lineage.about.clone(), row.finding.kind), row.folder))
        .collect();
    let mut bench = vec![plan.against.clone()];
    bench.extend(plan.others.iter().cloned());
    let quiet = RwLock::new(());
    let mut court = TrialRunner::new(&bench, &[], &plan.oracles, plan.limits, AskMode::Fresh, &quiet);
    let mut looked: BTreeMap<(Kind, String), usize> = BTreeMap::new();
    let (mut news, mut known) = (Vec::new(), Known::default());
    for (formula, release, wrong) in store.wrongs()? {
        let screened = plan.stocks.iter().any(|(stock, _)| stock.label == formula.grammar);
        if release != plan.build.name || !screened {
            continue;
        }
        if wrong.seen == Seen::Once {
            known.once += 1;
            continue;
        }
        let looks = looked.entry((wrong.kind, wrong.operators.clone())).or_default();
        *looks += 1;
        let there = old.contains(&place(&formula, wrong.kind))
            || (*looks <= LOOKED_AT && shows(&mut court, &formula, wrong.kind)?);
        if there {
            known.old += 1;
            continue;
        }
        let case = case_of(&formula);
        let about = case.map(|case| case.lineage.about).unwrap_or_default();
        news.push(News {
            kind: wrong.kind,
            grammar: formula.grammar,
            unit: Unit::Formula,
            number: formula.number,
            summary: wrong.summary,
            operators: wrong.operators,
            folder: folders.get(&(about, wrong.kind)).cloned(),
            text: formula.text,
        });
    }
    court.runner.finish()?;
    // Numbers may be longer than any integer.
    news.sort_by_cached_key(|n| (n.kind, n.grammar.clone(), n.number.len(), n.number.clone()));
    Ok((news, known))
}

/// Whether the reference shows the same in a fresh process.
fn shows(court: &mut TrialRunner<'_>, formula: &FormulaRow, kind: Kind) -> Result<bool, HuntError> {
    let Some(case) = case_of(formula) else { return Ok(false) };
    let tried = court.try_case(&case, &case.text(), trial::Known::new())?;
    let own = |c: &crate::judge::Complaint| c.kind == kind && c.against.is_none_or(|whom| whom == 0);
    Ok(tried.complaints.iter().any(|(_, c)| own(c)))
}

/// The formulas to be timed, those that both solved when they were screened; and how far each grammar was screened.
fn timed<S: Runs>(plan: &Plan, store: &S, cache: &S) -> Result<(Vec<Timed>, Vec<Part>), HuntError> {
    let mut timed = Vec::new();
    let mut parts = Vec::new();
    for (stock, count) in &plan.stocks {
        let mut part = Part { grammar: stock.label.clone(), unit: Unit::Formula, screened: 0, wanted: 0 };
        for number in 0..stock.count {
            let digits = number.to_string();
            let Some(run) = store.run(&stock.label, &digits, &plan.build.name)? else {
                // What is no formula was not wanted; what was not reached was.
                part.wanted += u64::from(formula_row(stock, number).is_some());
                continue;
            };
            part.screened += 1;
            part.wanted += 1;
            let solved = |answer| matches!(answer, Some(Answer::Sat | Answer::Unsat));
            if number >= *count || !solved(run.answer) {
                continue;
            }
            let reference = cache.run(&stock.label, &digits, &plan.against.name)?;
            if let Some(formula) =
                formula_row(stock, number).filter(|_| solved(reference.and_then(|r| r.answer)))
            {
                timed.push(Timed { grammar: stock.label.clone(), text: formula.text });
            }
        }
        parts.push(part);
    }
    // Grammars take turns, so that time that ends ends for all.
    let mut turns: BTreeMap<String, usize> = BTreeMap::new();
    timed.sort_by_cached_key(|t| {
        let turn = turns.entry(t.grammar.clone()).or_default();
        *turn += 1;
        *turn
    });
    Ok((timed, parts))
}
