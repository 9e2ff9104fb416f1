//! Where workers of a study get formulas from: all in order, or by lease from a server.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::campaign::{Given, LeasedStore};
use crate::store::{Before, Planner, Range, StoreError, Written};

/// Formulas, one after another.
pub trait Source: Sync {
    /// The next: its stock, and its number there.
    fn next(&self) -> Result<Option<(usize, u64)>, StoreError>;

    /// Takes note that the last one is done.
    fn done(&self);

    /// Lets go of whatever is held.
    fn finish(&self) -> Result<(), StoreError>;
}

/// All formulas of a study, for the workers of one process.
pub struct InOrder<'a> {
    order: &'a [(usize, u64)],
    next: AtomicUsize,
}

impl<'a> InOrder<'a> {
    /// From the first.
    pub fn new(order: &'a [(usize, u64)]) -> InOrder<'a> {
        InOrder { order, next: AtomicUsize::new(0) }
    }
}

impl Source for InOrder<'_> {
    fn next(&self) -> Result<Option<(usize, u64)>, StoreError> {
        Ok(self.order.get(self.next.fetch_add(1, Ordering::Relaxed)).copied())
    }

    fn done(&self) {}

    fn finish(&self) -> Result<(), StoreError> {
        Ok(())
    }
}

/// How many formulas are a piece, which is a range to those who lease it.
const PIECE: u64 = 10;

/// The formulas of a study, in pieces. A study may grow while nobody works on it; whoever comes late and knows only what it
/// was before must take nothing: that is told by a number.
#[derive(Clone, Copy)]
pub struct Pieces {
    /// How often the study has changed.
    pub edition: u32,
    /// How many formulas it has.
    pub formulas: u64,
}

impl Pieces {
    /// Where the formulas of a range begin; none if it is of another edition.
    fn start(self, range: Range) -> Option<u64> {
        (range.no >> 32 == u64::from(self.edition)).then_some((range.no & u64::from(u32::MAX)) * PIECE)
    }

    fn range(self, piece: u64) -> Range {
        let allotted = (self.formulas - piece * PIECE).min(PIECE) as u32;
        Range { no: u64::from(self.edition) << 32 | piece, allotted, turns: 0, ended: false }
    }
}

impl Planner for Pieces {
    fn first(&self, _: &str) -> u64 {
        // No piece depends on what came of another.
        i64::MAX as u64
    }

    fn plan(&self, before: Before) -> Written {
        let mut words = before.walk.split(' ');
        let mut next = || words.next().and_then(|word| word.parse::<u64>().ok());
        let (edition, from) = (next(), next().unwrap_or(0));
        if edition.is_some_and(|edition| edition != u64::from(self.edition)) {
            return Written { walk: before.walk, ranges: Vec::new(), over: true };
        }
        let pieces = self.formulas.div_ceil(PIECE);
        let to = (from + before.wanted as u64).min(pieces);
        let ranges = (from..to).map(|piece| self.range(piece)).collect();
        Written { walk: format!("{} {to}", self.edition), ranges, over: to == pieces }
    }
}

/// What a worker has leased.
pub struct Leased<'a> {
    order: &'a [(usize, u64)],
    pieces: Pieces,
    desk: &'a LeasedStore<'a>,
    now: Mutex<Option<Range>>,
}

impl<'a> Leased<'a> {
    /// Nothing yet.
    pub fn new(order: &'a [(usize, u64)], pieces: Pieces, desk: &'a LeasedStore<'a>) -> Leased<'a> {
        Leased { order, pieces, desk, now: Mutex::new(None) }
    }

    fn now(&self) -> MutexGuard<'_, Option<Range>> {
        self.now.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Source for Leased<'_> {
    fn next(&self) -> Result<Option<(usize, u64)>, StoreError> {
        let mut now = self.now();
        loop {
            if let Some(range) = now.filter(|range| !range.is_done()) {
                let place = self.pieces.start(range).map(|start| start + u64::from(range.turns));
                return Ok(place.and_then(|place| self.order.get(place as usize)).copied());
            }
            match self.desk.next(true)? {
                Given::Range(range) => *now = Some(range),
                Given::Later | Given::Nothing => return Ok(None),
            }
        }
    }

    fn done(&self) {
        if let Some(range) = self.now().as_mut() {
            range.turns += 1;
            self.desk.advance(*range);
        }
    }

    fn finish(&self) -> Result<(), StoreError> {
        self.desk.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_formula_is_in_one_piece() {
        for formulas in [0, 1, 9, 10, 11, 95] {
            let (mut walk, mut next, mut over) = (String::new(), 0, false);
            while !over {
                let (rows, out, done) = (Vec::new(), Vec::new(), Vec::new());
                let before = Before { walk, turns: None, rows, out, done, wanted: 3 };
                let pieces = Pieces { edition: 3, formulas };
                let written = pieces.plan(before);
                for range in &written.ranges {
                    assert_eq!(pieces.start(*range), Some(next));
                    assert_eq!(Pieces { edition: 2, formulas }.start(*range), None);
                    next += u64::from(range.allotted);
                }
                assert!(written.over || !written.ranges.is_empty());
                (walk, over) = (written.walk, written.over);
            }
            assert_eq!(next, formulas);
            // Who knows another edition plans nothing, and leaves what is written as it is.
            let (rows, out, done) = (Vec::new(), Vec::new(), Vec::new());
            let before = Before { walk: walk.clone(), turns: None, rows, out, done, wanted: 3 };
            let written = Pieces { edition: 4, formulas: 1000 }.plan(before);
            assert!(written.over && written.ranges.is_empty() && written.walk == walk);
        }
    }
}
