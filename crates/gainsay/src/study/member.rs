//! A process that works on a campaign on a server, together with others.

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::error::StudyError;
use super::machine::{definition, same_program, seeds_of};
use super::solvers::SolverFinder;
use crate::campaign::{CampaignSpec, EngineError, Here, Plan, PlanError, Sharing};
use crate::seed::Corpus;
use crate::solver::machine;
use crate::store::{NoWork, Patience, Postgres, ServerEvent, Spool, StoreError};

/// The time after which the same event is shown again.
const AGAIN: Duration = Duration::from_secs(2);

/// A process that takes part in a campaign on a server.
pub struct Member {
    /// The campaign.
    pub store: Postgres,
    worker: u64,
    campaign: String,
    lease: Duration,
    /// The folder in which results wait that cannot be handed in.
    pub spool: PathBuf,
}

impl Member {
    /// Joins a campaign.
    pub fn join(store: Postgres, jobs: usize, lease: Duration, spool: PathBuf) -> Result<Member, StoreError> {
        let campaign = store.setting("id")?.unwrap_or_default();
        Spool::new(&spool).check()?;
        let worker = store.join(&machine(), jobs, lease)?;
        Ok(Member { store, worker, campaign, lease, spool })
    }

    /// What the engine needs to work together with others.
    pub fn sharing(&self) -> Sharing<'_> {
        let Member { store, worker, campaign, lease, spool } = self;
        Sharing { store, campaign: campaign.clone(), worker: *worker, lease: *lease, spool: spool.clone() }
    }

    /// Passes on what is needed to take part. If it is missing, the process leaves the campaign with the reason.
    pub fn needs<T>(&self, what: Result<T, StudyError>) -> Result<T, StudyError> {
        if let Err(e) = &what {
            self.store.leave(self.worker, 0, Some(&no_work(e)))?;
        }
        what
    }

    /// Leaves the campaign after so many turns.
    pub fn leave(&self, turns: u64) -> Result<(), StoreError> {
        self.store.leave(self.worker, turns, None)
    }

    /// Leaves the campaign after an error. Returns whether results wait on disk.
    pub fn fail(&self, error: &EngineError) -> Result<bool, StoreError> {
        let waits = !Spool::new(&self.spool).waiting(&self.campaign)?.is_empty();
        // A server that is away cannot be told.
        if !matches!(error, EngineError::Store(StoreError::Away { .. })) {
            let _ = self.store.leave(self.worker, 0, None);
        }
        Ok(waits)
    }

    /// The plan of a run on this machine.
    pub fn plan(
        &self,
        finder: SolverFinder<'_>,
        jobs: usize,
        time: Option<Duration>,
    ) -> Result<Plan, StudyError> {
        same_program(&self.store)?;
        let spec = definition(&self.store)?;
        let here = Here {
            find: &|spec| finder.find(spec),
            corpus: self.corpus(&spec)?,
            grammars: Some(self.spool.join("grammars")),
            ignored: Vec::new(),
            jobs,
            turns: self.store.turns()?,
            until: time.map(|time| Instant::now() + time),
        };
        Ok(Plan::of(&spec, here)?)
    }

    /// The seeds of the campaign.
    fn corpus(&self, spec: &CampaignSpec) -> Result<Corpus, StudyError> {
        let Some(hunt) = spec.hunt() else { return Ok(Corpus::default()) };
        let none =
            || StudyError::NoSeeds { place: self.store.address().to_string(), count: hunt.seeds.count };
        seeds_of(&self.store, &hunt.seeds)?.ok_or_else(none)
    }
}

/// The reason that an error gives a worker for taking no work.
fn no_work(e: &StudyError) -> NoWork {
    let error = e.to_string();
    match e {
        StudyError::OtherProgram { made } => {
            NoWork::OtherProgram { campaign: made.clone(), worker: crate::PROGRAM.to_owned() }
        }
        StudyError::Solver(_) | StudyError::Plan(PlanError::Solver(_)) => NoWork::Solver { error },
        StudyError::NoSeeds { count, .. } => NoWork::NoSeeds { count: *count as u64 },
        StudyError::UnreadSeeds { unread, of, .. } => {
            NoWork::UnreadSeeds { unread: *unread as u64, of: *of as u64 }
        }
        StudyError::Spec(_) | StudyError::Plan(_) => NoWork::Definition { error },
        _ => NoWork::Failed { error },
    }
}

/// Waits for a server until told to stop. What several threads report at once is shown once.
pub fn patient(stop: &Arc<AtomicBool>, show: impl Fn(ServerEvent<'_>) + Send + Sync + 'static) -> Patience {
    let last = Mutex::new(None::<(String, Instant)>);
    let tell = move |event: ServerEvent<'_>| {
        // Pauses differ from thread to thread; the error and the file do not.
        let topic = match event {
            ServerEvent::Away { error, .. } => error.to_string(),
            ServerEvent::PutAside { place, .. } => place.display().to_string(),
            ServerEvent::Back => String::new(),
        };
        let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
        let same = |(before, at): &(String, Instant)| *before == topic && at.elapsed() < AGAIN;
        if !last.as_ref().is_some_and(same) {
            show(event);
            *last = Some((topic, Instant::now()));
        }
    };
    Patience { stop: stop.clone(), tell: Box::new(tell) }
}
