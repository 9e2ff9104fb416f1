//! Working on a campaign together with other machines: what `hunt` and `evolve` do after they began one, and `work` from the
//! start.

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::bail;

use super::arguments::{BadUsage, duration};
use super::evolve::Watch;
use super::exit;
use super::here;
use super::hunt::Watcher;
use crate::campaign::{CampaignSpec, Engine, EngineError, Here, Hunt, Plan, Sharing};
use crate::report::many;
use crate::report::matrix::Matrix;
use crate::seed::Corpus;
use crate::solver::acquire::home::Home;
use crate::solver::machine;
use crate::store::{Address, Patience, Place, Postgres, Reader, Spool, StoreError};
use crate::study::evolve::Study;

/// How one takes part in a campaign on a server.
#[derive(clap::Args)]
pub struct Joining {
    /// On a server: for how long work is taken; whoever is not heard of for so long loses it to others
    #[arg(long, default_value = "60s", value_parser = duration)]
    lease: Duration,
    /// On a server: where what was found waits while the server is away [default: in the home of solvers]
    #[arg(long)]
    spool: Option<PathBuf>,
}

/// How often the same words are said again.
const AGAIN: Duration = Duration::from_secs(2);

/// A process that takes part in what is on a server.
pub struct Member {
    /// Where it is.
    pub store: Postgres,
    worker: u64,
    campaign: String,
    lease: Duration,
    /// Where what cannot be handed in waits, and what came with the campaign is unpacked.
    pub spool: PathBuf,
}

impl Member {
    /// Says that we are there.
    pub fn join(
        address: &Address,
        joining: &Joining,
        jobs: usize,
        stop: &Arc<AtomicBool>,
    ) -> anyhow::Result<Member> {
        let store = Postgres::wait_for(address, patience(stop))?;
        let campaign = store.setting("id")?.unwrap_or_default();
        let spool = joining.spool.clone().unwrap_or_else(|| Home::of_environment().root().join("spool"));
        Spool::new(&spool).check()?;
        let worker = store.join(&machine(), jobs, joining.lease)?;
        Ok(Member { store, worker, campaign, lease: joining.lease, spool })
    }

    /// What work together needs.
    pub fn sharing(&self) -> Sharing<'_> {
        let Member { store, worker, campaign, lease, spool } = self;
        Sharing { store, campaign: campaign.clone(), worker: *worker, lease: *lease, spool: spool.clone() }
    }

    /// What we need to take part; without it we leave, and say why.
    pub fn needs<T>(&self, what: anyhow::Result<T>) -> anyhow::Result<T> {
        if let Err(e) = &what {
            self.store.leave(self.worker, 0, &format!("takes no work: {e:#}"))?;
        }
        what
    }

    /// Says that we leave after so many turns. If the work failed, says what waits on disk.
    fn leave(&self, ended: Result<u64, EngineError>, turns: u64) -> anyhow::Result<()> {
        let late = match ended {
            Ok(late) => late,
            Err(e) => {
                if !Spool::new(&self.spool).waiting(&self.campaign)?.is_empty() {
                    let replaced = matches!(e, EngineError::Store(StoreError::Replaced { .. }));
                    let then = if replaced { "" } else { "; the next `gainsay work` hands it in" };
                    eprintln!("gainsay: what was not handed in is in {}{then}", self.spool.display());
                }
                // A server that is away hears of it by our silence.
                if !matches!(e, EngineError::Store(StoreError::Away { .. })) {
                    let _ = self.store.leave(self.worker, 0, "");
                }
                return Err(e.into());
            }
        };
        self.store.leave(self.worker, turns, "")?;
        if late > 0 {
            eprintln!("{} had ended before being handed in; others made the turns", many(late, "lease"));
        }
        Ok(())
    }

    /// The plan of a run on this machine.
    fn plan(&self, run: &Run<'_>) -> anyhow::Result<Plan> {
        here::same_program(&self.store)?;
        let spec = here::definition(&self.store)?;
        let here = Here {
            find: &here::find,
            corpus: self.corpus(&spec)?,
            grammars: Some(self.spool.join("grammars")),
            ignored: Vec::new(),
            jobs: run.jobs,
            turns: self.store.turns()?,
            until: run.time.map(|time| Instant::now() + time),
        };
        Ok(Plan::of(&spec, here)?)
    }

    /// The seeds of the campaign.
    fn corpus(&self, spec: &CampaignSpec) -> anyhow::Result<Corpus> {
        let Some(hunt) = spec.hunt() else { return Ok(Corpus::default()) };
        if let Some(corpus) = here::seeds_of(&self.store)? {
            return Ok(corpus);
        }
        let place = self.store.address();
        bail!(BadUsage(format!(
            "{place} has no texts of its {}: it was copied from a folder, or is just being begun; `gainsay hunt --resume --store \
             {place}` on a machine that has them brings them",
            many(hunt.seeds.count as u64, "seed")
        )))
    }
}

/// How much of this machine a run may have, and how it is shown.
pub struct Run<'a> {
    /// How many workers there are.
    pub jobs: usize,
    /// How long it lasts.
    pub time: Option<Duration>,
    /// Whether events are printed as lines of JSON.
    pub json: bool,
    /// What is set when somebody wants it to end.
    pub stop: &'a Arc<AtomicBool>,
}

/// Works on a hunt or a study until it is over, the time has passed or somebody says stop. Tells the exit code, and whether all
/// of a study is done.
pub fn joined(address: &Address, joining: &Joining, run: &Run<'_>) -> anyhow::Result<(u8, bool)> {
    let member = Member::join(address, joining, run.jobs, run.stop)?;
    let plan = member.needs(member.plan(run))?;
    let place = Place::Server(Box::new(address.clone()));
    let engine =
        |work| Engine { work, jobs: plan.jobs, turns: plan.turns, until: plan.until, stop: run.stop };
    let found = || -> anyhow::Result<u8> {
        let any = member.store.findings()?.iter().any(|row| !row.warm);
        Ok(if any { exit::FINDINGS } else { exit::FINE })
    };
    if let Some(hunt) = Hunt::new(&plan) {
        let mut watcher = Watcher::new(run.json, &plan, &place, run.time);
        watcher.begin();
        let ended = engine(&hunt).join(&member.sharing(), |event| watcher.see(&hunt.progress, event));
        watcher.clear();
        member.leave(ended, hunt.progress.counts().turns)?;
        watcher.end(&hunt.progress, &member.store.findings()?, &Matrix::of(&member.store)?, run.stop);
        return Ok((found()?, true));
    }
    let Some(study) = Study::new(&plan, None) else {
        bail!(BadUsage(format!("{address} is neither a hunt nor a study of releases")));
    };
    let watch = Watch::begin(&plan, &study);
    let ended = engine(&study).join(&member.sharing(), |event| watch.see(&study.counts, event));
    watch.clear();
    member.leave(ended, study.counts.formulas.load(std::sync::atomic::Ordering::Relaxed) as u64)?;
    watch.tell(&study.counts);
    let done = member.store.status()?.turns >= study.formulas();
    Ok((found()?, done))
}

/// Waits for the server until told to stop; what several threads say at once is said once.
pub fn patience(stop: &Arc<AtomicBool>) -> Patience {
    let last = Mutex::new(None::<(String, Instant)>);
    let tell = move |words: &str| {
        let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
        let start = words.split("; ").next().unwrap_or(words);
        let same = |(before, at): &(String, Instant)| before == start && at.elapsed() < AGAIN;
        if !last.as_ref().is_some_and(same) {
            eprintln!("gainsay: {words}");
            *last = Some((start.to_owned(), Instant::now()));
        }
    };
    Patience { stop: stop.clone(), tell: Box::new(tell) }
}
