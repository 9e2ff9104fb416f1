//! A store as the plain data that reports are made from.

use std::collections::{BTreeMap, BTreeSet};

use super::error::StudyError;
use super::faults::{FaultList, Ignored, faults_of};
use super::scope::issue_of;
use super::solvers::{Labels, SolverFinder};
use super::status::status_of;
use crate::campaign::CampaignSpec;
use crate::finding::{Asked, FaultCount, FaultGroup, StoredFinding, words};
use crate::judge::language::theories;
use crate::report::campaign::{Campaign, Entry, Moment};
use crate::report::evolve::{Evolution, Studied};
use crate::report::matrix::Matrix;
use crate::report::status;
use crate::solver::SolverId;
use crate::store::{Place, Reader};

/// Everything that is known of a campaign. With `warm`, also the findings that only warm runs showed.
pub fn gather(
    place: &Place,
    warm: bool,
    finder: SolverFinder<'_>,
    ignored: Ignored<'_>,
) -> Result<Campaign, StudyError> {
    let store = &*place.look()?;
    let spec = CampaignSpec::read(&store.definition()?)?;
    let FaultList { faults, left_out } = faults_of(store, warm, finder, ignored)?;
    let mut turns: BTreeMap<String, u64> = BTreeMap::new();
    for series in store.series()? {
        *turns.entry(series.strategy).or_default() += u64::from(series.turns);
    }
    let moment = |(minute, turns, findings)| Moment { minute, turns, findings };
    let shown = spec.facts().into_iter().filter(|fact| !fact.is_detail);
    let builds: Vec<String> = store.rebuilt()?.iter().map(crate::report::rebuilt).collect();
    let builds = (!builds.is_empty()).then(|| ("built anew".to_owned(), builds.join("; ")));
    Ok(Campaign {
        name: place.to_string(),
        draw: spec.seed,
        settings: shown.map(|fact| (fact.name, fact.value)).chain(builds).collect(),
        faults: FaultCount::of(&faults),
        left_out,
        entries: entries(&faults, &store.triggers()?, finder),
        turns,
        tally: store.tally()?,
        course: store.course()?.into_iter().map(moment).collect(),
        workers: match place {
            Place::Folder(_) => String::new(),
            Place::Server(_) => status::words(&status_of(place, finder, ignored)?),
        },
        matrix: Matrix::of(store)?,
        evolution: evolution(store, &spec)?,
    })
}

/// The findings of faults, fault by fault.
fn entries(faults: &[FaultGroup], triggers: &BTreeMap<String, u64>, finder: SolverFinder<'_>) -> Vec<Entry> {
    let mut labels = Labels::new(finder);
    let mut entries = Vec::new();
    for fault in faults {
        let key = fault.key();
        for group in fault.groups() {
            for one in group.findings() {
                let StoredFinding { id, folder, finding, reduced, releases, .. } = one.clone();
                let shown = one.shown();
                entries.push(Entry {
                    id,
                    title: words::title(shown, &labels.of(shown, group.options())),
                    group: key.clone(),
                    triggers: triggers.get(&finding.fingerprint).copied().unwrap_or(1),
                    theories: theories(&shown.case),
                    releases: releases.iter().filter_map(Asked::known).collect(),
                    issue: issue_of(one, finder),
                    folder,
                    finding,
                    reduced,
                });
            }
        }
    }
    entries
}

/// The result of a study of releases, if the store has one.
fn evolution(store: &dyn Reader, spec: &CampaignSpec) -> Result<Option<Evolution>, StudyError> {
    if spec.study().is_none() {
        return Ok(None);
    }
    let (limit, mode) = (spec.limits.cpu_micros as f64 / 1e6, spec.ask_mode.word());
    let all = store.all_runs()?;
    let names: BTreeSet<&SolverId> = all.runs.keys().map(|(_, release)| release).collect();
    let releases: Vec<Studied> = names.into_iter().map(Studied::of).collect();
    let mut grammars: Vec<String> = Vec::new();
    for formula in all.formulas.values() {
        if !grammars.contains(&formula.grammar) {
            grammars.push(formula.grammar.clone());
        }
    }
    let whole = Evolution::of(&all, releases, grammars, limit, mode);
    Ok(Some(whole).filter(|e| !e.lines.is_empty()))
}
