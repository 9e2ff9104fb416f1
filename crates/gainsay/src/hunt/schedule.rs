//! The schedule: which series comes next, and how many turns it may have. It depends on nothing that runs.

use std::collections::{HashMap, HashSet};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use super::Plan;
use crate::store::SeriesRow;
use crate::strategy::Wants;

/// Hands out series to workers, a stretch of turns at a time.
///
/// Series come in blocks. A block is walked in passes: the first gives each of its series a few turns, the next twice as many, until
/// they have ended; so that a short hunt sees many seeds and a long one whole chains. Within a pass strategies take turns by a
/// pattern that repeats: of one with short series several come in a row. A limit of turns is given out in this order;
/// what stretches leave over when all have ended is given out in another round. So the same turns are run by any
/// number of workers, and after any interruption.
pub struct Schedule<'a> {
    plan: &'a Plan,
    /// Where in the pattern each strategy begins, and how many series it has there; and how long the pattern is.
    pattern: Vec<(u64, u64)>,
    period: u64,
    state: Mutex<State>,
    changed: Condvar,
}

struct State {
    /// Where in which block the next series is, and which pass it is.
    place: u64,
    block: u64,
    pass: u32,
    /// Whether the block has a series at all, and whether one had turns left in this pass.
    any: bool,
    more: bool,
    /// How many turns each series of the block was given.
    given: HashMap<u64, u32>,
    /// How far series are, in this run or an earlier one.
    rows: HashMap<u64, SeriesRow>,
    /// Turns of this round that have not been given out; all there are if none.
    left: Option<u64>,
    /// Turns given out and not made.
    returned: u64,
    /// Series that are being worked on, or not handed in.
    out: HashSet<u64>,
    over: bool,
}

/// How many turns the first pass gives a series. Of a strategy whose series are shorter several come in a row, about this many
/// turns together.
const FIRST: u32 = 10;

/// What a worker that asks for work is told.
#[derive(Clone, Debug)]
pub enum Next {
    /// Here is some.
    Work(Job),
    /// What comes next depends on a series that somebody works on, or has not handed in.
    Later,
    /// There is no more.
    Over,
}

/// A stretch of a series to work on.
#[derive(Clone, Debug)]
pub struct Job {
    /// How far it is, and how far it may go.
    pub row: SeriesRow,
    /// The number of its strategy.
    pub strategy: usize,
    /// Its number among the series of that strategy.
    pub ordinal: u64,
}

impl<'a> Schedule<'a> {
    /// The schedule of a campaign of which these series were begun.
    pub fn new(plan: &'a Plan, before: &[SeriesRow]) -> Schedule<'a> {
        let state = State {
            place: 0,
            block: 0,
            pass: 0,
            any: false,
            more: false,
            given: HashMap::new(),
            rows: before.iter().map(|row| (row.no, row.clone())).collect(),
            left: plan.turns,
            returned: 0,
            out: HashSet::new(),
            over: false,
        };
        let mut pattern = Vec::new();
        let mut period = 0;
        for (_, kind) in &plan.strategies {
            let weight = u64::from(FIRST / kind.longest().max(1)).max(1);
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

    /// The next stretch to work on. Who still holds series that are not handed in may not wait for others.
    pub fn next(&self, may_wait: bool) -> Next {
        let mut state = self.state();
        loop {
            if state.over {
                return Next::Over;
            }
            let all_given = state.left == Some(0);
            if all_given && state.out.is_empty() {
                if state.returned == 0 {
                    return Next::Over;
                }
                state.left = Some(std::mem::take(&mut state.returned));
                continue;
            }
            let upcoming = if all_given { None } else { self.upcoming(&mut state) };
            let Some((no, strategy, ordinal)) = upcoming.filter(|(no, ..)| !state.out.contains(no)) else {
                if !all_given && upcoming.is_none() {
                    return Next::Over;
                }
                // How far a series comes decides what it may have next, and how much is left over.
                if !may_wait {
                    return Next::Later;
                }
                state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
                continue;
            };
            state.place += 1;
            if let Some(row) = self.stretch(&mut state, no, strategy) {
                state.out.insert(no);
                return Next::Work(Job { row, strategy, ordinal });
            }
        }
    }

    /// Gives a series its turns of this pass; nothing if it needs none, or an earlier run made them.
    fn stretch(&self, state: &mut State, no: u64, strategy: usize) -> Option<SeriesRow> {
        let (name, kind) = &self.plan.strategies[strategy];
        let longest = kind.longest().max(1);
        let given = state.given.get(&no).copied().unwrap_or(0);
        let row = state.rows.get(&no);
        // A series that ended was given this many turns, and no more.
        if given >= longest || row.is_some_and(|row| row.ended && row.allotted <= given) {
            return None;
        }
        let target = FIRST.saturating_mul((2 << state.pass.min(16)) - 1).min(longest);
        let room = state.left.map_or(u32::MAX, |left| u32::try_from(left).unwrap_or(u32::MAX));
        let upto = given + target.saturating_sub(given).min(room);
        state.left = state.left.map(|left| left - u64::from(upto - given));
        state.given.insert(no, upto);
        state.more |= upto < longest;
        let mut row = row.cloned().unwrap_or_else(|| SeriesRow {
            no,
            strategy: (*name).to_owned(),
            allotted: 0,
            turns: 0,
            ended: false,
            why: String::new(),
        });
        if row.ended {
            state.returned += u64::from(upto.saturating_sub(row.turns));
            return None;
        }
        row.allotted = upto;
        (row.turns < upto).then_some(row)
    }

    /// The number, strategy and ordinal of the next series; goes past those of strategies that have no more, and on to the
    /// next pass or block.
    fn upcoming(&self, state: &mut State) -> Option<(u64, usize, u64)> {
        let size = self.period * self.plan.breadth.max(1);
        loop {
            if state.place == size {
                if state.more {
                    state.pass += 1;
                } else if state.any {
                    state.block += 1;
                    state.pass = 0;
                    state.given.clear();
                    let first = state.block * size;
                    state.rows.retain(|no, _| *no >= first);
                } else {
                    return None;
                }
                (state.place, state.more, state.any) = (0, false, false);
            }
            let no = state.block * size + state.place;
            let place = no % self.period;
            let strategy = self.pattern.partition_point(|(start, _)| *start <= place) - 1;
            let (start, weight) = self.pattern[strategy];
            let ordinal = no / self.period * weight + place - start;
            let kind = &self.plan.strategies[strategy].1;
            let seeds = self.plan.corpus.seeds.len() as u64;
            let end = match kind.wants() {
                Wants::EachInTurn => Some(kind.series_count().map_or(seeds, |n| n.min(seeds))),
                _ => kind.series_count(),
            };
            if end.is_none_or(|end| ordinal < end) {
                state.any = true;
                return Some((no, strategy, ordinal));
            }
            state.place += 1;
        }
    }

    /// Takes note that a stretch is over, or was left off, and handed in.
    pub fn done(&self, row: &SeriesRow) {
        let mut state = self.state();
        state.out.remove(&row.no);
        if row.ended {
            state.returned += u64::from(row.allotted - row.turns);
        }
        state.rows.insert(row.no, row.clone());
        self.changed.notify_all();
    }
}
