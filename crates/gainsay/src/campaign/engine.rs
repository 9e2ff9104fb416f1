//! The engine: gives units of work to workers, collects their results, and goes on when a unit fails.
//!
//! On one machine, the workers of a process share a schedule. On many, they take leases from a server. The rest of the code is
//! the same for both, and for every kind of [`Work`].

use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use super::error::EngineError;
use super::event::Event;
use super::lease::{LeaseClient, LeaseSupply, LeasedStore, Sharing};
use super::planner::CampaignPlanner;
use super::schedule::{CursorStart, LocalSupply, Next, Schedule, Supply};
use super::worker_io::WorkerIo;
use crate::store::{Range, SeriesRow, Sink};

/// The interval at which the observer is called without an event.
const WATCHED: Duration = Duration::from_millis(100);

/// A kind of work that the engine runs, such as a hunt.
pub trait Work: Sync {
    /// The order of the units of work.
    fn schedule(&self) -> &dyn Schedule;

    /// Makes a new worker.
    fn worker(&self) -> Box<dyn UnitWorker + '_>;

    /// The stored row of a unit's series, as it is before the work on the unit.
    fn row(&self, unit: Range) -> SeriesRow;

    /// Whether the rest of a unit is worked on after one of its turns failed. This is false if turns depend on those before.
    fn goes_on_after_failure(&self) -> bool;

    /// How many turns were made in this run.
    fn turns(&self) -> u64;

    /// Checks the work as a whole when all workers have ended.
    fn outcome(&self) -> Result<(), EngineError> {
        Ok(())
    }

    /// Is told every event.
    fn see(&self, _event: &Event) {}
}

/// A worker, which works on units one after another.
pub trait UnitWorker {
    /// Works on the unit that `io` has begun, until it is done or the run ends.
    fn work(&mut self, io: &mut WorkerIo<'_>) -> Result<(), EngineError>;

    /// Ends the processes that the worker started.
    fn finish(self: Box<Self>) -> Result<(), EngineError>;
}

/// A run of a campaign.
pub struct Engine<'a> {
    /// The work to run.
    pub work: &'a dyn Work,
    /// The number of workers.
    pub jobs: usize,
    /// The limit of turns of the campaign, if there is one.
    pub turns: Option<u64>,
    /// The time at which the run ends, if there is one.
    pub until: Option<Instant>,
    /// Set when the run is to end early.
    pub stop: &'a AtomicBool,
}

/// The store to which a worker hands in results, and the supply that gives it units.
type Ends<'a> = (&'a dyn Sink, &'a dyn Supply);

impl Engine<'_> {
    /// Works on a campaign in this process alone. `before` are the series that earlier runs began. `watch` is called for each
    /// event, and at intervals without one.
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

    /// Works on a campaign together with other processes, until the campaign or this run is over. Returns how many leases
    /// expired before they were handed in.
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
                // A worker that waits for the server must not wait longer than the run lasts.
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
            // Results that were not handed in must be on disk before the error is reported.
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

    /// Runs one worker for each of these pairs until there is no more work.
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
                        // The state of the worker may be inconsistent.
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

    /// Works on one unit. A panic is recorded as a failed turn; then the result is false, and the worker must not be used
    /// again.
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

    /// Waits for all workers, and passes events to the observer.
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
    /// Whether this thread works on a unit. If so, a panic is sent as an event.
    static IN_UNIT: Cell<bool> = const { Cell::new(false) };
    /// The message of the last panic of this thread, with its place.
    static PANIC: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Makes panics of workers be recorded with their place in the source code instead of printed.
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

/// The message of a panic.
fn said_by(payload: &dyn std::any::Any) -> &str {
    let fixed = payload.downcast_ref::<&str>().copied();
    fixed.or_else(|| payload.downcast_ref::<String>().map(String::as_str)).unwrap_or("it panicked")
}

/// Takes the message of the last panic of this thread.
fn last_panic() -> String {
    PANIC.take()
}
