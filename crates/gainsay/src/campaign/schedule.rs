//! Schedules: the order in which units of work are given out, and how the workers of one process take them.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use crate::store::{Range, SeriesRow, StoreError};

/// The order of a campaign's units. It depends on nothing that runs: any number of workers and machines get the same units.
pub trait Schedule: Sync {
    /// Goes on from what was written down, or begins.
    fn cursor<'a>(&'a self, start: CursorStart<'_>) -> Result<Box<dyn Cursor + Send + 'a>, StoreError>;

    /// The number of the first series whose row a cursor may need.
    fn first_series(&self, written: &str) -> Result<u64, StoreError>;
}

/// What is known when a cursor is made.
pub struct CursorStart<'a> {
    /// The cursor as it was written down; empty if there is none.
    pub written: &'a str,
    /// How many turns the campaign has, if that is limited.
    pub turns: Option<u64>,
    /// Series that were begun.
    pub rows: &'a [SeriesRow],
    /// Numbers of series that are being worked on.
    pub out: &'a [u64],
}

/// A place in a schedule.
pub trait Cursor {
    /// The next unit.
    fn next(&mut self) -> Step;

    /// Takes note that a unit was handed in, and how far it has come.
    fn done(&mut self, unit: Range);

    /// The cursor, written down.
    fn write(&self) -> String;
}

/// What comes next in a schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// This unit.
    Work(Range),
    /// That depends on a unit that is being worked on.
    Wait,
    /// Nothing: all units were given out.
    Over,
}

/// What a worker that asks for work is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// Here is a unit.
    Work(Range),
    /// Hand in what you hold first: what comes next may depend on it.
    Later,
    /// There is no more.
    Over,
}

/// Where a worker gets units from.
pub trait Supply: Sync {
    /// The next unit. A worker that holds units which are not handed in may not wait for others.
    fn next(&self, may_wait: bool) -> Result<Next, StoreError>;

    /// Takes note that a unit was handed in, and how far it has come.
    fn done(&self, unit: Range);

    /// Lets go of whatever the worker has taken; all of it has been handed in.
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
