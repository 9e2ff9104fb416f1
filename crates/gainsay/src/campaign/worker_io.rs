//! The connection of a worker to its units of work, the store and the observer.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::time::{Duration, Instant};

use super::event::{Event, Failure};
use super::schedule::{Next, Supply};
use crate::finding::Finding;
use crate::store::{Counter, HandIn, Kept, Range, SeriesNote, SeriesRow, Sink, StoreError};

/// How long results are collected before they are handed in. If the run is killed, at most the turns of this time are made
/// again.
const GATHER: Duration = Duration::from_millis(100);

/// The connection of a worker to its units of work, the store and the observer.
pub struct WorkerIo<'a> {
    sink: &'a dyn Sink,
    supply: &'a dyn Supply,
    ending: &'a AtomicBool,
    events: Sender<Event>,
    /// The unit that is being worked on, with its turns since the last handing in.
    open: HandIn,
    /// Turns that have not been handed in.
    held: Vec<HandIn>,
    /// Units that the worker has left and not handed in.
    left: Vec<Range>,
    /// When something was handed in last.
    since: Instant,
}

impl<'a> WorkerIo<'a> {
    /// A connection to this store, supply and observer.
    pub(super) fn new(
        sink: &'a dyn Sink,
        supply: &'a dyn Supply,
        ending: &'a AtomicBool,
        events: Sender<Event>,
    ) -> WorkerIo<'a> {
        let (held, left) = (Vec::new(), Vec::new());
        let open = HandIn::default();
        WorkerIo { sink, supply, ending, events, open, held, left, since: Instant::now() }
    }

    /// The store.
    pub fn sink(&self) -> &'a dyn Sink {
        self.sink
    }

    /// Whether the run is to end after this turn.
    pub fn is_ending(&self) -> bool {
        self.ending.load(Ordering::Relaxed)
    }

    /// The unit that is being worked on: the state of its series, and the counts since the last hand-in.
    pub fn unit(&mut self) -> &mut HandIn {
        &mut self.open
    }

    /// Counts a turn of the unit. At intervals this hands in all results.
    pub fn turn_made(&mut self) -> Result<(), StoreError> {
        self.open.series.turns += 1;
        self.open.made += 1;
        if self.since.elapsed() >= GATHER {
            self.hold();
            self.hand_in()?;
        }
        Ok(())
    }

    /// Stores a finding, and tells the observer if it is new.
    pub fn record(&self, finding: Finding, warm: bool) -> Result<(), StoreError> {
        let number = match self.sink.record(&finding, warm)? {
            Kept::Known => return Ok(()),
            Kept::Numbered(number) => Some(number),
            Kept::Held => None,
        };
        self.send(Event::Found { number, finding: Box::new(finding), warm });
        Ok(())
    }

    /// Sends an event to the observer.
    pub(super) fn send(&self, event: Event) {
        // The observer is gone only if the run is over.
        let _ = self.events.send(event);
    }

    /// The next unit.
    pub(super) fn next_unit(&self) -> Result<Next, StoreError> {
        self.supply.next(self.left.is_empty())
    }

    /// Begins a unit.
    pub(super) fn begin(&mut self, series: SeriesRow) {
        self.open = HandIn { series, ..HandIn::default() };
    }

    /// Adds the results of the current unit to those that will be handed in.
    fn hold(&mut self) {
        let next = HandIn { series: self.open.series.clone(), ..HandIn::default() };
        self.held.push(std::mem::replace(&mut self.open, next));
    }

    /// Ends the work on the unit, whether it is complete or not.
    pub(super) fn leave(&mut self) {
        self.left.push(self.open.series.range());
        self.hold();
    }

    /// Ends the work on a unit in which a turn failed. The failed turn is not counted, and the series ends. With `goes_on`, the
    /// failed turn is counted, and the rest of the unit is returned.
    pub(super) fn fail(&mut self, why: String, goes_on: bool) -> Option<Range> {
        let series = &mut self.open.series;
        let step = series.turns;
        series.note = Some(SeriesNote::Failed { step, error: why.clone() });
        let failure = Failure { strategy: series.strategy.clone(), series: series.no, step, why };
        if goes_on {
            series.turns += 1;
        } else {
            series.ended = true;
        }
        let rest = Some(series.range()).filter(|rest| !rest.is_done());
        self.open.count(None, Counter::FailedTurns);
        if rest.is_some() {
            self.hold();
        } else {
            self.leave();
        }
        self.send(Event::Failed(failure));
        rest
    }

    /// Hands in all results. After that, other workers can continue the units.
    pub(super) fn hand_in(&mut self) -> Result<(), StoreError> {
        let turns = std::mem::take(&mut self.held);
        if !turns.is_empty() {
            self.sink.hand_in(&turns)?;
        }
        for unit in self.left.drain(..) {
            self.supply.done(unit);
        }
        self.since = Instant::now();
        Ok(())
    }

    /// Hands in all results and ends the work of the worker.
    pub(super) fn finish(&mut self) -> Result<(), StoreError> {
        self.hand_in()?;
        self.supply.finish()
    }
}
