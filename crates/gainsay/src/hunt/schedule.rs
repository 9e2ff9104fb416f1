//! The schedule: which series comes next, and how many turns it may have. It depends on nothing that runs.

use std::collections::HashMap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use super::Plan;
use crate::store::SeriesRow;
use crate::strategy::Wants;

/// Hands out series to workers.
///
/// Strategies take turns, by a pattern that repeats: of one with short series several come in a row, so that none waits for the
/// chains of another. A limit of turns is given out in order, each
/// series as many as it may at most have; what series leave over when all have ended is given out in another round. So
/// the same turns are run by any number of workers, and after any interruption.
pub struct Schedule<'a> {
    plan: &'a Plan,
    /// Where in the pattern each strategy begins, and how many series it has there; and how long the pattern is.
    pattern: Vec<(u64, u64)>,
    period: u64,
    state: Mutex<State>,
    changed: Condvar,
}

struct State {
    next: u64,
    /// Turns of this round that have not been given out; all there are if none.
    left: Option<u64>,
    /// Turns given out and not made.
    returned: u64,
    /// Series that are being worked on.
    out: usize,
    /// What an earlier run did.
    before: HashMap<u64, SeriesRow>,
    over: bool,
}

/// Series of fewer turns than this come several in a row, about this many turns together.
const SHORT: u64 = 100;

/// A series to work on.
#[derive(Clone, Debug)]
pub struct Job {
    /// How far it is.
    pub row: SeriesRow,
    /// The number of its strategy.
    pub strategy: usize,
    /// Its number among the series of that strategy.
    pub ordinal: u64,
}

impl<'a> Schedule<'a> {
    /// The schedule of a campaign of which these series were begun.
    pub fn new(plan: &'a Plan, before: &[SeriesRow]) -> Schedule<'a> {
        let before = before.iter().map(|row| (row.no, row.clone())).collect();
        let state = State { next: 0, left: plan.turns, returned: 0, out: 0, before, over: false };
        let mut pattern = Vec::new();
        let mut period = 0;
        for (_, kind) in &plan.strategies {
            let weight = (SHORT / u64::from(kind.longest().max(1))).max(1);
            pattern.push((period, weight));
            period += weight;
        }
        Schedule { plan, pattern, period, state: Mutex::new(state), changed: Condvar::new() }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// No more series are handed out.
    pub fn give_up(&self) {
        self.state().over = true;
        self.changed.notify_all();
    }

    /// The next series to work on; none when there are no more.
    pub fn next(&self) -> Option<Job> {
        let mut state = self.state();
        loop {
            if state.over {
                return None;
            }
            if state.left == Some(0) {
                if state.out > 0 {
                    state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
                    continue;
                }
                if state.returned == 0 {
                    return None;
                }
                state.left = Some(std::mem::take(&mut state.returned));
            }
            let (strategy, ordinal) = self.upcoming(&mut state)?;
            let (name, kind) = &self.plan.strategies[strategy];
            let longest = u64::from(kind.longest().max(1));
            let allotted = state.left.map_or(longest, |left| left.min(longest));
            state.left = state.left.map(|left| left - allotted);
            let no = state.next;
            state.next += 1;
            let row = state.before.remove(&no).unwrap_or_else(|| SeriesRow {
                no,
                strategy: (*name).to_owned(),
                allotted: allotted as u32,
                turns: 0,
                ended: false,
                why: String::new(),
            });
            if row.ended {
                state.returned += u64::from(row.allotted - row.turns);
                continue;
            }
            state.out += 1;
            return Some(Job { row, strategy, ordinal });
        }
    }

    /// The strategy and ordinal of the next series; goes past those of strategies that have no more.
    fn upcoming(&self, state: &mut State) -> Option<(usize, u64)> {
        // Once around the pattern without a series means that nobody has one.
        for _ in 0..self.period {
            let place = state.next % self.period;
            let strategy = self.pattern.partition_point(|(start, _)| *start <= place) - 1;
            let (start, weight) = self.pattern[strategy];
            let ordinal = state.next / self.period * weight + place - start;
            let kind = &self.plan.strategies[strategy].1;
            let seeds = self.plan.corpus.seeds.len() as u64;
            let end = match kind.wants() {
                Wants::EachInTurn => Some(kind.series_count().map_or(seeds, |n| n.min(seeds))),
                _ => kind.series_count(),
            };
            if end.is_none_or(|end| ordinal < end) {
                return Some((strategy, ordinal));
            }
            state.next += 1;
        }
        None
    }

    /// Takes note that a series is over, or was left off.
    pub fn done(&self, row: &SeriesRow) {
        let mut state = self.state();
        state.out -= 1;
        if row.ended {
            state.returned += u64::from(row.allotted - row.turns);
        }
        self.changed.notify_all();
    }
}
