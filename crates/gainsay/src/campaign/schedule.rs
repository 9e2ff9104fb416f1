//! The schedule of one process: its workers walk through the campaign together.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use super::Plan;
use super::cursor::{Job, Pattern, ScheduleCursor, Step};
use crate::store::{SeriesRow, StoreError};

/// What a worker that asks for work is told.
#[derive(Clone, Debug)]
pub enum Next {
    /// Here is some.
    Work(Job),
    /// Hand in what you hold first: what comes next may depend on it.
    Later,
    /// There is no more.
    Over,
}

/// Where workers get stretches of series from.
pub trait Supply: Sync {
    /// The next stretch to work on. Who still holds series that are not handed in may not wait for others.
    fn next(&self, may_wait: bool) -> Result<Next, StoreError>;

    /// Takes note that a stretch is over, or was left off, and handed in.
    fn done(&self, row: &SeriesRow);

    /// Lets go of whatever a worker holds that ends; all of it has been handed in.
    fn finish(&self) -> Result<(), StoreError>;
}

/// Hands out series to the workers of one process, a stretch of turns at a time, as [`ScheduleCursor`] says.
pub struct Schedule<'a> {
    pattern: Pattern<'a>,
    state: Mutex<State>,
    changed: Condvar,
}

struct State {
    walk: ScheduleCursor,
    over: bool,
}

impl<'a> Schedule<'a> {
    /// The schedule of a campaign of which these series were begun.
    pub fn new(plan: &'a Plan, before: &[SeriesRow]) -> Schedule<'a> {
        let state = State { walk: ScheduleCursor::new(plan.turns, before, &[]), over: false };
        Schedule { pattern: Pattern::new(plan), state: Mutex::new(state), changed: Condvar::new() }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// No more series are handed out.
    pub fn give_up(&self) {
        self.state().over = true;
        self.changed.notify_all();
    }
}

impl Supply for Schedule<'_> {
    fn next(&self, may_wait: bool) -> Result<Next, StoreError> {
        let mut state = self.state();
        loop {
            if state.over {
                return Ok(Next::Over);
            }
            match state.walk.next(&self.pattern) {
                Step::Work(job) => return Ok(Next::Work(job)),
                Step::Over => return Ok(Next::Over),
                Step::Wait if !may_wait => return Ok(Next::Later),
                Step::Wait => state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner),
            }
        }
    }

    fn done(&self, row: &SeriesRow) {
        self.state().walk.done(row);
        self.changed.notify_all();
    }

    fn finish(&self) -> Result<(), StoreError> {
        Ok(())
    }
}
