//! Schedules: the order in which units of work are given to workers, and the supply of the workers of one process.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use crate::store::{Range, SeriesRow, StoreError};

/// The order of the units of a campaign. It does not depend on the number of workers and machines.
pub trait Schedule: Sync {
    /// A cursor that continues from a stored one, or begins.
    fn cursor<'a>(&'a self, start: CursorStart<'_>) -> Result<Box<dyn Cursor + Send + 'a>, StoreError>;

    /// The number of the first series whose row a cursor may need.
    fn first_series(&self, written: &str) -> Result<u64, StoreError>;
}

/// What a cursor is made from.
pub struct CursorStart<'a> {
    /// The stored cursor; empty if there is none.
    pub written: &'a str,
    /// The limit of turns of the campaign, if there is one.
    pub turns: Option<u64>,
    /// The series that were begun.
    pub rows: &'a [SeriesRow],
    /// The numbers of the series that workers have taken and not handed in.
    pub out: &'a [u64],
}

/// A place in a schedule.
pub trait Cursor {
    /// The next unit.
    fn next(&mut self) -> Step;

    /// Is told that a unit was handed in, and how far it is.
    fn done(&mut self, unit: Range);

    /// The cursor as text, for the store.
    fn write(&self) -> String;
}

/// What comes next in a schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// This unit is next.
    Work(Range),
    /// The next unit depends on one that is being worked on.
    Wait,
    /// There are no more units.
    Over,
}

/// The reply to a worker that asks for a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// This unit is for the worker.
    Work(Range),
    /// The worker must hand in its results first, because the next unit may depend on them.
    Later,
    /// There are no more units.
    Over,
}

/// The source of a worker's units.
pub trait Supply: Sync {
    /// The next unit. A worker that holds results must not wait for other workers, so it passes `may_wait` as false.
    fn next(&self, may_wait: bool) -> Result<Next, StoreError>;

    /// Is told that a unit was handed in, and how far it is.
    fn done(&self, unit: Range);

    /// Ends the work of the worker, which has handed in all results.
    fn finish(&self) -> Result<(), StoreError>;
}

/// Gives units to the workers of one process, in the order of a schedule.
pub struct LocalSupply<'a> {
    state: Mutex<State<'a>>,
    changed: Condvar,
}

struct State<'a> {
    cursor: Box<dyn Cursor + Send + 'a>,
    over: bool,
}

impl<'a> LocalSupply<'a> {
    /// Gives out units from this cursor on.
    pub fn new(cursor: Box<dyn Cursor + Send + 'a>) -> LocalSupply<'a> {
        LocalSupply { state: Mutex::new(State { cursor, over: false }), changed: Condvar::new() }
    }

    fn state(&self) -> MutexGuard<'_, State<'a>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Gives out no more units.
    pub fn give_up(&self) {
        self.state().over = true;
        self.changed.notify_all();
    }
}

impl Supply for LocalSupply<'_> {
    fn next(&self, may_wait: bool) -> Result<Next, StoreError> {
        let mut state = self.state();
        loop {
            if state.over {
                return Ok(Next::Over);
            }
            match state.cursor.next() {
                Step::Work(unit) => return Ok(Next::Work(unit)),
                Step::Over => return Ok(Next::Over),
                Step::Wait if !may_wait => return Ok(Next::Later),
                Step::Wait => state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner),
            }
        }
    }

    fn done(&self, unit: Range) {
        self.state().cursor.done(unit);
        self.changed.notify_all();
    }

    fn finish(&self) -> Result<(), StoreError> {
        Ok(())
    }
}
