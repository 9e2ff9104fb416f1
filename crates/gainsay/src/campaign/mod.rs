//! The hunt: turns, workers, schedule and budget; cases in, judged and confirmed findings out.

mod cursor;
mod lease;
mod planner;
mod prepare;
mod progress;
mod schedule;
mod worker;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, RwLock};
use std::time::{Duration, Instant};

use crate::finding::Finding;
use crate::judge::oracle;
use crate::seed::Corpus;
use crate::solver::{AskMode, Limits, Solver, SolverError};
use crate::store::{Planner, Store, StoreError};
use crate::strategy::Strategy;
use planner::{CampaignPlanner, Stretches};

pub use cursor::Job;
pub use lease::{Given, LeaseClient, LeasedStore, PAUSES, Sharing};
pub use prepare::{Prepared, prepare};
pub use progress::{Progress, TurnOutcome};
pub use schedule::{Next, Schedule, Supply};
pub use worker::seeds_of;

/// What stops a hunt against its will.
#[derive(Debug, thiserror::Error)]
pub enum HuntError {
    /// The store cannot go on.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A solver cannot go on.
    #[error(transparent)]
    Solver(#[from] SolverError),
}

/// All that decides a hunt.
pub struct Plan {
    /// The campaign's random number.
    pub draw: u64,
    /// Strategies by name.
    pub strategies: Vec<(&'static str, Box<dyn Strategy>)>,
    /// What they start from.
    pub corpus: Corpus,
    /// Who is asked.
    pub solvers: Vec<Solver>,
    /// Who else may be asked when they disagree.
    pub witnesses: Vec<Solver>,
    /// Who judges.
    pub oracles: Vec<&'static oracle::Entry>,
    /// What one question may cost.
    pub limits: Limits,
    /// How solvers are asked at first.
    pub way: AskMode,
    /// How many series of a strategy get their first turns before one of them gets more.
    pub breadth: u64,
    /// How many workers there are.
    pub jobs: usize,
    /// How many turns the campaign has.
    pub turns: Option<u64>,
    /// When this run of it ends.
    pub until: Option<Instant>,
    /// Who audits every approximation that is made, be it complained of or not; nobody if empty.
    pub auditors: Vec<Solver>,
    /// Words in summaries that nobody wants to hear of any more.
    pub ignored: Vec<String>,
}

/// What happens in a hunt, for whoever watches.
#[derive(Debug)]
pub enum Event {
    /// Something was found and is on disk, or will be with the turns among which it was found.
    Found {
        /// Its number, if it has one already.
        number: Option<u64>,
        /// What it is.
        finding: Box<Finding>,
        /// Whether only a warm run showed it.
        warm: bool,
    },
    /// A worker has ended.
    Ended(Result<(), HuntError>),
}

/// Runs a hunt; `watch` is called for each event, and now and then without one.
pub fn run(
    plan: &Plan,
    store: &dyn Store,
    stop: &Arc<AtomicBool>,
    watch: impl FnMut(&Progress, Option<&Event>),
) -> Result<Progress, HuntError> {
    let progress = Progress::new(plan.solvers.len());
    let schedule = Schedule::new(plan, &store.series()?);
    let seats: Vec<WorkerIo<'_>> = (0..plan.jobs.max(1)).map(|_| (store, &schedule as &dyn Supply)).collect();
    crew(plan, &seats, &|| schedule.give_up(), &progress, stop, watch)?;
    Ok(progress)
}

/// Works on a campaign together with other processes, until it is over or we are; also tells how many leases were lost to
/// others.
pub fn join(
    plan: &Plan,
    sharing: &Sharing<'_>,
    stop: &Arc<AtomicBool>,
    watch: impl FnMut(&Progress, Option<&Event>),
) -> Result<(Progress, u64), HuntError> {
    let progress = Progress::new(plan.solvers.len());
    let order = CampaignPlanner::new(plan);
    let turns = || progress.counts().turns;
    let ((), late) = share(sharing, &order, plan.jobs, &turns, |office, desks| {
        let stretches: Vec<Stretches<'_>> = desks.iter().map(|desk| Stretches(&order, desk)).collect();
        let seat = |(desk, stretches)| (desk as &dyn Store, stretches as &dyn Supply);
        let seats: Vec<WorkerIo<'_>> = desks.iter().zip(&stretches).map(seat).collect();
        crew(plan, &seats, &|| office.give_up(), &progress, stop, watch)
    })?;
    Ok((progress, late))
}

/// Takes part in what is on a server, with so many desks: hands in what an earlier process had to leave, and says that we are
/// there while `work` lasts. Also tells how many leases were lost to others.
pub fn share<T>(
    sharing: &Sharing<'_>,
    planner: &(dyn Planner + Sync),
    jobs: usize,
    turns: &(dyn Fn() -> u64 + Sync),
    work: impl FnOnce(&LeaseClient<'_>, &[LeasedStore<'_>]) -> Result<T, HuntError>,
) -> Result<(T, u64), HuntError> {
    let office = LeaseClient::new(planner, sharing);
    office.deliver()?;
    let desks: Vec<LeasedStore<'_>> = (0..jobs.max(1)).map(|_| LeasedStore::new(&office)).collect();
    let done = AtomicBool::new(false);
    let worked = std::thread::scope(|scope| {
        let alive = scope.spawn(|| {
            let kept = office.keep_alive(&done, turns);
            if kept.is_err() {
                office.give_up();
            }
            kept
        });
        let worked = work(&office, &desks);
        done.store(true, Ordering::Relaxed);
        let kept = alive.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        worked.and_then(|done| kept.map(|()| done).map_err(HuntError::from))
    });
    if worked.is_err() {
        // What somebody has not handed in is on disk before anything is said; of all that can be.
        let kept: Vec<_> = desks.iter().map(LeasedStore::keep).collect();
        kept.into_iter().collect::<Result<Vec<()>, _>>()?;
    }
    Ok((worked?, office.late()))
}

/// Where a worker gets its work from and hands it in.
type WorkerIo<'a> = (&'a dyn Store, &'a dyn Supply);

/// A worker at each seat, until there is nothing more to do.
fn crew(
    plan: &Plan,
    seats: &[WorkerIo<'_>],
    give_up: &(dyn Fn() + Sync),
    progress: &Progress,
    stop: &Arc<AtomicBool>,
    mut watch: impl FnMut(&Progress, Option<&Event>),
) -> Result<(), HuntError> {
    let quiet = RwLock::new(());
    let (events, inbox) = channel();
    std::thread::scope(|scope| {
        for &seat in seats {
            let events = events.clone();
            let quiet = &quiet;
            scope.spawn(move || {
                let done = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
                    worker::work(plan, seat, progress, quiet, stop, &events)
                }));
                let done = done.unwrap_or_else(|panic| {
                    give_up();
                    std::panic::resume_unwind(panic)
                });
                if done.is_err() {
                    give_up();
                }
                let _ = events.send(Event::Ended(done));
            });
        }
        drop(events);
        wait(plan, &inbox, give_up, stop, |event| watch(progress, event))
    })
}

fn wait(
    plan: &Plan,
    inbox: &Receiver<Event>,
    give_up: &dyn Fn(),
    stop: &AtomicBool,
    mut watch: impl FnMut(Option<&Event>),
) -> Result<(), HuntError> {
    let mut first = Ok(());
    loop {
        let over = plan.until.is_some_and(|end| Instant::now() >= end);
        if over {
            stop.store(true, Ordering::Relaxed);
        }
        if stop.load(Ordering::Relaxed) {
            give_up();
        }
        match inbox.recv_timeout(Duration::from_millis(100)) {
            Ok(event) => {
                watch(Some(&event));
                if let Event::Ended(Err(e)) = event
                    && first.is_ok()
                {
                    first = Err(e);
                }
            }
            Err(RecvTimeoutError::Timeout) => watch(None),
            Err(RecvTimeoutError::Disconnected) => return first,
        }
    }
}
