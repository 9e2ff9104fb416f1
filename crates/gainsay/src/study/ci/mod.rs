//! Did a commit break anything? A build is screened on fixed formulas beside a release of its own make and one of another;
//! what is wrong with it and not with the release is new. Then both are timed.

mod counts;
mod define;
mod hunted;
mod prepare;
mod speed;

use std::collections::BTreeMap;
use std::sync::RwLock;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use super::evolve::{Counts, Study, case_of, formula_row};
use crate::campaign::{Engine, EngineError, GrammarPlan, Plan, PlannedWork};
use crate::case::Answer;
use crate::finding::words::summary_of;
use crate::judge::{Complaint, Kind, Parties, TrialRunner, trial};
use crate::report::ci::{Known, News, Part, Unit, Verdict};
use crate::solver::{AskMode, Solver};
use crate::store::{FormulaRow, Reader, Seen, Sqlite};

pub use counts::{Share, share_of, turns_of};
pub use define::CheckSpec;
pub use prepare::{CheckBudget, next_run, open_cache, other_make};
pub use speed::{Race, Timed, speeds};

/// Of one kind and one set of operators, this many formulas are asked again of the reference.
const LOOKED_AT: usize = 5;

/// A check of a build.
pub struct Check {
    /// The study that screens the build: its solvers are the build, the release that it is compared with, and releases of other
    /// makes.
    pub screening: Plan,
    /// How many formulas of each grammar are timed, from the smallest.
    pub timed: Vec<u64>,
    /// The hunt besides, if one is wanted.
    pub hunt: Option<Plan>,
    /// When timing ends.
    pub until: Instant,
    /// How many times as long the build may take.
    pub bound: f64,
    /// Whether it fails for answers of which nobody can tell who is wrong.
    pub undecided: bool,
}

impl Check {
    /// The build.
    fn build(&self) -> &Solver {
        &self.screening.solvers[0]
    }

    /// The release that it is compared with.
    fn against(&self) -> &Solver {
        &self.screening.solvers[1]
    }

    /// The release that it is compared with, and those of other makes.
    fn releases(&self) -> &[Solver] {
        &self.screening.solvers[1..]
    }

    /// How many formulas the build is screened on.
    pub fn formulas(&self) -> u64 {
        self.grammars().map(|(grammar, _)| grammar.count).sum()
    }

    /// The grammars, and how many formulas of each are timed.
    fn grammars(&self) -> impl Iterator<Item = (&GrammarPlan, u64)> {
        let grammars = match &self.screening.work {
            PlannedWork::Study(study) => &study.grammars[..],
            PlannedWork::Hunt(_) => &[],
        };
        grammars.iter().zip(self.timed.iter().copied())
    }
}

/// Where a check keeps what it learns.
pub struct Stores<'a> {
    /// Runs of the build, and findings.
    pub own: &'a Sqlite,
    /// Runs of releases, which are not made again.
    pub cache: &'a Sqlite,
}

/// Checks a build.
pub fn run(
    check: &Check,
    stores: &Stores<'_>,
    stop: &AtomicBool,
    watch: impl Fn(&Counts),
) -> Result<Verdict, EngineError> {
    let plan = &check.screening;
    if let Some(study) = Study::new(plan, Some(stores.cache)) {
        let engine = Engine { work: &study, jobs: plan.jobs, turns: None, until: plan.until, stop };
        engine.run(stores.own, &[], |_| watch(&study.counts))?;
    }
    let (mut news, mut known) = news(check, stores)?;
    let (timed, mut parts) = timed(check, stores)?;
    if let Some(hunt) = &check.hunt {
        let (more, part) = hunted::hunted(check, hunt, stores.own, stop, &mut known)?;
        news.extend(more);
        parts.push(part);
    }
    let race = Race {
        build: check.build(),
        against: check.against(),
        limits: plan.limits,
        bound: check.bound,
        jobs: plan.jobs,
        until: Some(check.until),
    };
    let speeds = speeds(&race, &timed, stop)?;
    Ok(Verdict {
        build: check.build().name.clone(),
        against: check.against().name.clone(),
        others: check.releases()[1..].iter().map(|s| s.name.clone()).collect(),
        parts,
        news,
        known,
        speeds,
        bound: check.bound,
        undecided_fails: check.undecided,
    })
}

/// A formula and a kind of fault.
type Place = (String, String, Kind);

fn place(formula: &FormulaRow, kind: Kind) -> Place {
    (formula.grammar.clone(), formula.number.clone(), kind)
}

/// The folders of findings, by what their cases are about and their kinds.
fn folders(store: &dyn Reader) -> Result<BTreeMap<(String, Kind), String>, EngineError> {
    let found = store.findings()?.into_iter().filter(|row| !row.warm);
    Ok(found.map(|row| ((row.finding.lineage.about.clone(), row.finding.kind), row.folder)).collect())
}

/// What is wrong with the build and not with its reference, and how much is wrong with both.
fn news(check: &Check, stores: &Stores<'_>) -> Result<(Vec<News>, Known), EngineError> {
    let (plan, store, cache) = (&check.screening, stores.own, stores.cache);
    let old: Vec<Place> = cache
        .wrongs()?
        .into_iter()
        .filter(|(_, release, w)| *release == check.against().name && w.seen != Seen::Once)
        .map(|(formula, _, w)| place(&formula, w.kind()))
        .collect();
    let old: std::collections::BTreeSet<Place> = old.into_iter().collect();
    let folders = folders(store)?;
    let quiet = RwLock::new(());
    let mut runner = TrialRunner::new(
        Parties { solvers: check.releases(), witnesses: &[], oracles: &plan.oracles },
        plan.limits,
        AskMode::Fresh,
        &quiet,
    )
    .deciding_within(plan.deciding);
    let mut looked: BTreeMap<(Kind, Vec<String>), usize> = BTreeMap::new();
    let (mut news, mut known) = (Vec::new(), Known::default());
    for (formula, release, wrong) in store.wrongs()? {
        let screened = check.grammars().any(|(grammar, _)| grammar.label == formula.grammar);
        if release != check.build().name || !screened {
            continue;
        }
        if wrong.seen == Seen::Once {
            known.once += 1;
            continue;
        }
        let kind = wrong.kind();
        let looks = looked.entry((kind, wrong.operators.clone())).or_default();
        *looks += 1;
        let there = old.contains(&place(&formula, kind))
            || (*looks <= LOOKED_AT && shows(&mut runner, &formula, kind)?);
        if there {
            known.old += 1;
            continue;
        }
        let case = case_of(&formula);
        let about = case.map(|case| case.lineage.about).unwrap_or_default();
        news.push(News {
            kind,
            grammar: formula.grammar,
            unit: Unit::Formula,
            number: formula.number,
            summary: summary_of(&wrong.fault, wrong.accused.then_some(release.as_str())),
            operators: wrong.operators.join(" "),
            folder: folders.get(&(about, kind)).cloned(),
            text: formula.text,
        });
    }
    runner.runner.finish()?;
    // Numbers may be longer than any integer.
    news.sort_by_cached_key(|n| (n.kind, n.grammar.clone(), n.number.len(), n.number.clone()));
    Ok((news, known))
}

/// Whether the reference shows the same in a fresh process.
fn shows(runner: &mut TrialRunner<'_>, formula: &FormulaRow, kind: Kind) -> Result<bool, EngineError> {
    let Some(case) = case_of(formula) else { return Ok(false) };
    let tried = runner.try_case(&case, &case.text(), trial::Known::new())?;
    let own = |c: &Complaint| c.kind() == kind && c.against.is_none_or(|whom| whom == 0);
    Ok(tried.complaints.iter().any(|(_, c)| own(c)))
}

/// The formulas to be timed, those that both solved when they were screened; and how far each grammar was screened.
fn timed(check: &Check, stores: &Stores<'_>) -> Result<(Vec<Timed>, Vec<Part>), EngineError> {
    let mut timed = Vec::new();
    let mut parts = Vec::new();
    for (grammar, count) in check.grammars() {
        let mut part = Part { grammar: grammar.label.clone(), unit: Unit::Formula, screened: 0, wanted: 0 };
        for number in 0..grammar.count {
            let digits = number.to_string();
            let Some(run) = stores.own.run(&grammar.label, &digits, &check.build().name)? else {
                // What is no formula was not wanted; what was not reached was.
                part.wanted += u64::from(formula_row(grammar, number).is_some());
                continue;
            };
            part.screened += 1;
            part.wanted += 1;
            let solved = |answer| matches!(answer, Some(Answer::Sat | Answer::Unsat));
            if number >= count || !solved(run.answer) {
                continue;
            }
            let reference = stores.cache.run(&grammar.label, &digits, &check.against().name)?;
            if let Some(formula) =
                formula_row(grammar, number).filter(|_| solved(reference.and_then(|r| r.answer)))
            {
                timed.push(Timed { grammar: grammar.label.clone(), text: formula.text });
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
