//! The engine: gives units of work to workers, takes in what comes of them, and goes on when one of them fails.
//!
//! On one machine the workers of a process share a schedule; on many they take leases from a server. Everything else is the same
//! code, for every kind of [`Work`].

use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use super::lease::{LeaseClient, LeaseSupply, LeasedStore, Sharing};
use super::planner::CampaignPlanner;
use super::schedule::{CursorStart, LocalSupply, Next, Schedule, Supply};
use super::worker_io::WorkerIo;
use crate::finding::Finding;
use crate::solver::SolverError;
use crate::store::{Range, SeriesRow, Sink, StoreError};

/// How often whoever watches is told that nothing happened.
const WATCHED: Duration = Duration::from_millis(100);

/// What ends a run against its will.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// The store cannot go on.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A solver cannot go on.
    #[error(transparent)]
    Solver(#[from] SolverError),
    /// A worker panicked outside of a unit of work.
    #[error("a worker failed: {0}")]
    Panicked(String),
    /// There is nothing to try.
    #[error(transparent)]
    NoCase(#[from] NoCase),
}

/// The strategies of a hunt make no case from its seeds.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "no test case can be made: strategies: {}; usable seeds: {seeds}; `--with seeds` asks seeds as they are",
    strategies.join(", ")
)]
pub struct NoCase {
    /// The names of the strategies.
    pub strategies: Vec<&'static str>,
    /// How many seeds there are.
    pub seeds: usize,
}

/// A kind of work.
pub trait Work: Sync {
    /// The order of its units.
    fn schedule(&self) -> &dyn Schedule;

    /// A worker of its own.
    fn worker(&self) -> Box<dyn UnitWorker + '_>;

    /// The row of a unit's series, as it is before the unit is worked on.
    fn row(&self, unit: Range) -> SeriesRow;

    /// Whether the rest of a unit is worked on after one of its turns failed. Where turns depend on those before, it is not.
    fn goes_on_after_failure(&self) -> bool;

    /// How many turns were made in this run.
    fn turns(&self) -> u64;

    /// What is wrong with the work as a whole, once the schedule is over.
    fn outcome(&self) -> Result<(), EngineError> {
        Ok(())
    }

    /// Takes note of an event.
    fn see(&self, _event: &Event) {}
}

/// Who works on units, one after another.
pub trait UnitWorker {
    /// Works on the unit that `io` has begun, until it is done or the run ends.
    fn work(&mut self, io: &mut WorkerIo<'_>) -> Result<(), EngineError>;

    /// Ends whatever was started.
    fn finish(self: Box<Self>) -> Result<(), EngineError>;
}

/// What happens in a run, for whoever watches.
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
    /// A turn could not be made.
    Failed(Failure),
    /// A worker has ended.
    Ended(Result<(), EngineError>),
}

/// A turn that could not be made, because this program failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The strategy.
    pub strategy: String,
    /// The number of the series.
    pub series: u64,
    /// The number of the turn in its series.
    pub step: u32,
    /// What was wrong, and where in our sources.
    pub why: String,
}

/// A run of a campaign.
pub struct Engine<'a> {
    /// What is to be done.
    pub work: &'a dyn Work,
    /// How many workers there are.
    pub jobs: usize,
    /// How many turns the campaign has.
    pub turns: Option<u64>,
    /// When the run ends.
    pub until: Option<Instant>,
    /// What is set when somebody wants the run to end.
    pub stop: &'a AtomicBool,
}

/// Where a worker gets its work from and hands it in.
type Ends<'a> = (&'a dyn Sink, &'a dyn Supply);

impl Engine<'_> {
    /// Works on a campaign of which these series were begun, in this process alone. `watch` is called for each event, and now
    /// and then without one.
    pub fn run(
        &self,
        sink: &dyn Sink,
        before: &[SeriesRow],
        watch: impl FnMut(Option<&Event>),
    ) -> Result<(), EngineError> {
        let start = CursorStart { written: "", turns: self.turns, rows: before, out: &[] };
        let supply = LocalSupply::new(self.work.schedule().cursor(start)?);
        let ends: Vec<Ends<'_>> = (0..self.jobs.max(1)).map(|_| (sink, &supply as &dyn Supply)).collect();
        self.workers(&ends, &|| supply.give_up(), watch)?;
        self.work.outcome()
    }

    /// Works on a campaign together with other processes, until it is over or this run is. Tells how many leases were lost to
    /// others.
    pub fn join(
        &self,
        sharing: &Sharing<'_>,
        mut watch: impl FnMut(Option<&Event>),
    ) -> Result<u64, EngineError> {
        let planner = CampaignPlanner(self.work.schedule());
        let client = LeaseClient::new(&planner, sharing);
        client.deliver()?;
        let stores: Vec<LeasedStore<'_>> = (0..self.jobs.max(1)).map(|_| LeasedStore::new(&client)).collect();
        let supplies: Vec<LeaseSupply<'_>> = stores.iter().map(LeaseSupply).collect();
        let ends = stores.iter().zip(&supplies);
        let ends: Vec<Ends<'_>> =
            ends.map(|(store, supply)| (store as &dyn Sink, supply as &dyn Supply)).collect();
        let done = AtomicBool::new(false);
        let worked = std::thread::scope(|scope| {
            let alive = scope.spawn(|| {
                let kept = client.keep_alive(&done, || self.work.turns());
                if kept.is_err() {
                    client.give_up();
                }
                kept
            });
            let worked = self.workers(&ends, &|| client.give_up(), |event| {
                // Whoever waits for the server does not wait longer than the run lasts.
                if self.is_late() {
                    self.stop.store(true, Ordering::Relaxed);
                }
                watch(event);
            });
            done.store(true, Ordering::Relaxed);
            let kept = alive.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            worked.and_then(|()| kept.map_err(EngineError::from))
        });
        if worked.is_err() {
            // What was not handed in is on disk before anything is said; of all that can be.
            let kept: Vec<_> = stores.iter().map(LeasedStore::keep).collect();
            kept.into_iter().collect::<Result<Vec<()>, _>>()?;
        }
        worked?;
        self.work.outcome()?;
        Ok(client.late())
    }

    /// Whether the time of the run has passed.
    fn is_late(&self) -> bool {
        self.until.is_some_and(|end| Instant::now() >= end)
    }

    /// Runs a worker at each of these, until there is nothing more to do.
    fn workers(
        &self,
        ends: &[Ends<'_>],
        give_up: &(dyn Fn() + Sync),
        watch: impl FnMut(Option<&Event>),
    ) -> Result<(), EngineError> {
        let ending = AtomicBool::new(false);
        let (events, inbox) = channel();
        note_panics();
        std::thread::scope(|scope| {
            for &(sink, supply) in ends {
                let mut io = WorkerIo::new(sink, supply, &ending, events.clone());
                scope.spawn(move || {
                    let done = catch_unwind(AssertUnwindSafe(|| self.worker(&mut io)))
                        .unwrap_or_else(|_| Err(EngineError::Panicked(last_panic())));
                    if done.is_err() {
                        give_up();
                    }
                    io.send(Event::Ended(done));
                });
            }
            drop(events);
            self.wait(&inbox, &|| give_up(), &ending, watch)
        })
    }

    /// Works until there are no more units.
    fn worker(&self, io: &mut WorkerIo<'_>) -> Result<(), EngineError> {
        let mut worker = self.work.worker();
        loop {
            match io.next_unit()? {
                Next::Work(unit) => {
                    if !self.unit(unit, &mut *worker, io)? {
                        // What it holds may be in the middle of something.
                        let broken = std::mem::replace(&mut worker, self.work.worker());
                        let _ = catch_unwind(AssertUnwindSafe(|| drop(broken)));
                    }
                }
                Next::Later => io.hand_in()?,
                Next::Over => break,
            }
        }
        io.finish()?;
        worker.finish()
    }

    /// Works on one unit. A panic in it is recorded as a failure of the turn, and the worker is of no more use: false.
    fn unit(
        &self,
        unit: Range,
        worker: &mut dyn UnitWorker,
        io: &mut WorkerIo<'_>,
    ) -> Result<bool, EngineError> {
        io.begin(self.work.row(unit));
        IN_UNIT.set(true);
        let done = catch_unwind(AssertUnwindSafe(|| worker.work(io)));
        IN_UNIT.set(false);
        match done {
            Ok(done) => {
                done?;
                io.leave();
                Ok(true)
            }
            Err(_) => {
                let goes_on = self.work.goes_on_after_failure();
                let rest = io.fail(last_panic(), goes_on);
                if let Some(rest) = rest {
                    let mut fresh = self.work.worker();
                    self.unit(rest, &mut *fresh, io)?;
                    fresh.finish()?;
                }
                Ok(false)
            }
        }
    }

    /// Waits for all workers; tells whoever watches what happens.
    fn wait(
        &self,
        inbox: &Receiver<Event>,
        give_up: &dyn Fn(),
        ending: &AtomicBool,
        mut watch: impl FnMut(Option<&Event>),
    ) -> Result<(), EngineError> {
        let mut first = Ok(());
        loop {
            if self.is_late() || self.stop.load(Ordering::Relaxed) {
                ending.store(true, Ordering::Relaxed);
                give_up();
            }
            match inbox.recv_timeout(WATCHED) {
                Ok(event) => {
                    self.work.see(&event);
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
}

thread_local! {
    /// Whether this thread works on a unit: then a panic is told as an event.
    static IN_UNIT: Cell<bool> = const { Cell::new(false) };
    /// What the last panic of this thread said, and where.
    static PANIC: RefCell<String> = const { RefCell::new(String::new()) };
}

/// From now on panics of workers are noted with their place in the sources, and not printed.
fn note_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            let place =
                panic.location().map_or_else(String::new, |at| format!(" ({}:{})", at.file(), at.line()));
            let said = said_by(panic.payload());
            PANIC.replace(format!("{said}{place}"));
            if !IN_UNIT.get() {
                before(panic);
            }
        }));
    });
}

/// What a panic says.
fn said_by(payload: &dyn std::any::Any) -> &str {
    let fixed = payload.downcast_ref::<&str>().copied();
    fixed.or_else(|| payload.downcast_ref::<String>().map(String::as_str)).unwrap_or("it panicked")
}

/// What the last panic of this thread said.
fn last_panic() -> String {
    PANIC.take()
}
