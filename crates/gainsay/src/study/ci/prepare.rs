//! What a check of a build is made ready with: its plans, its cache and the folder of its run.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::Check;
use crate::campaign::spec::{CacheSpec, WorkSpec};
use crate::campaign::{CampaignSpec, Here, Plan};
use crate::seed::Corpus;
use crate::solver::acquire::home::Home;
use crate::solver::{Profile, Solver};
use crate::store::{Sqlite, StoreError};
use crate::study::error::StudyError;
use crate::study::solvers::SolverFinder;

/// How long a check takes, and when it fails.
pub struct CheckBudget {
    /// When it began.
    pub begun: Instant,
    /// How long it may take.
    pub time: Duration,
    /// Whether the build and the release are timed.
    pub times: bool,
    /// How many workers there are.
    pub jobs: usize,
    /// How many times as long as the release the build may take.
    pub bound: f64,
    /// Whether it fails for disagreements.
    pub undecided: bool,
}

impl Check {
    /// The check of a definition; none if the definition is of other work.
    pub fn of(
        spec: &CampaignSpec,
        budget: &CheckBudget,
        finder: SolverFinder<'_>,
        solvers: &[Solver],
        corpus: Corpus,
    ) -> Result<Option<Check>, StudyError> {
        let time = |share: f64| budget.begun + budget.time.mul_f64(share);
        // Screening and hunting have four fifths of the time, so that some is left to measure times.
        let asked = if budget.times { 0.8 } else { 1.0 };
        let find = finder.find_among(solvers);
        let here = |corpus: Corpus, turns: Option<u64>, until: Instant| Here {
            find: &find,
            corpus,
            ignored: Vec::new(),
            grammars: None,
            jobs: budget.jobs,
            turns,
            until: Some(until),
        };
        let (Some(screening), WorkSpec::Ci(ci)) = (spec.screening(), &spec.work) else { return Ok(None) };
        let screened = if ci.hunt.is_some() { asked * 0.6 } else { asked };
        let screening = Plan::of(&screening, here(Corpus::default(), None, time(screened)))?;
        let hunt = match spec.hunt_besides() {
            Some((hunt, turns)) => Some(Plan::of(&hunt, here(corpus, Some(turns), time(asked)))?),
            None => None,
        };
        let (timed, until) = (ci.timed.clone(), time(1.0));
        Ok(Some(Check { screening, timed, hunt, until, bound: budget.bound, undecided: budget.undecided }))
    }
}

/// The newest installed release of one other make.
pub fn other_make(against: &Solver) -> Option<Solver> {
    let home = Home::of_environment();
    let makes = ["z3", "cvc5", "bitwuzla", "yices"];
    let absent = |p: &&Arc<Profile>| p.name != against.profile.name;
    let newest = |p: &Arc<Profile>| Some(Solver::installed(p, home.installed(&p.name).last()?, &home));
    makes
        .iter()
        .filter_map(|make| Profile::all().iter().find(|p| p.name == *make))
        .filter(absent)
        .find_map(newest)
}

/// Opens the cache of the answers of releases under the limits of a definition.
pub fn open_cache(root: &Path, spec: &CampaignSpec, releases: &[Solver]) -> Result<Sqlite, StoreError> {
    // A solver without a release number may be another program next time.
    let program = |solver: &Solver| match solver.name.release().is_some() {
        true => String::new(),
        false => solver.digest(),
    };
    let programs = releases.iter().map(program).collect();
    let work = WorkSpec::CiCache(CacheSpec { programs });
    let mut cache = CampaignSpec::new(work, &spec.limits.limits(), spec.ask_mode);
    // What is wrong with a release is kept as it was decided.
    cache.deciding = spec.deciding;
    let definition = cache.definition();
    let place = root.join(&definition.identity[..12]);
    let there = place.join("campaign.sqlite").exists();
    Sqlite::open(&place, &definition, there)
}

/// The number and the folder of the next run.
pub fn next_run(output: &Path) -> Result<(u64, PathBuf), StudyError> {
    let runs = output.join("runs");
    std::fs::create_dir_all(&runs).map_err(StudyError::at(&runs))?;
    let numbers = std::fs::read_dir(&runs)
        .map_err(StudyError::at(&runs))?
        .flatten()
        .filter_map(|e| e.file_name().to_str()?.parse::<u64>().ok());
    let number = numbers.max().unwrap_or(0) + 1;
    Ok((number, runs.join(format!("{number:04}"))))
}
