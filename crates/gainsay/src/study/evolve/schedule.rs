//! The schedule of a study: its formulas in pieces, one piece a unit of work.

use serde::{Deserialize, Serialize};

use crate::campaign::{Cursor, CursorStart, Schedule, Step, StudyPlan};
use crate::store::{Range, StoreError};

/// How many formulas are a piece. As many of a grammar come one after another before the next grammar has its turn.
const PIECE: u64 = 10;

/// The formulas of a study, in pieces. A study may grow while nobody works on it; whoever comes late and knows only what it
/// was before must take nothing: the edition tells that.
pub struct Pieces {
    edition: u32,
    /// All formulas in the order in which they are asked: the number of the grammar, and the number of the formula.
    order: Vec<(usize, u64)>,
}

impl Pieces {
    /// The pieces of a study. Grammars take turns, so that what is done when time ends is the beginning of each.
    pub fn of(study: &StudyPlan) -> Pieces {
        let counts: Vec<u64> = study.grammars.iter().map(|grammar| grammar.count).collect();
        Pieces::of_counts(study.edition, &counts)
    }

    fn of_counts(edition: u32, counts: &[u64]) -> Pieces {
        let longest = counts.iter().copied().max().unwrap_or(0);
        let mut order = Vec::new();
        for from in (0..longest).step_by(PIECE as usize) {
            for (which, count) in counts.iter().enumerate() {
                order.extend((from..(from + PIECE).min(*count)).map(|number| (which, number)));
            }
        }
        Pieces { edition, order }
    }

    /// How many formulas there are.
    pub fn formulas(&self) -> u64 {
        self.order.len() as u64
    }

    /// The formula of a turn of a unit: the number of its grammar, and its number there. None if the unit is of another edition.
    pub fn formula(&self, unit: u64, turn: u32) -> Option<(usize, u64)> {
        let piece = (unit >> 32 == u64::from(self.edition)).then_some(unit & u64::from(u32::MAX))?;
        self.order.get((piece * PIECE + u64::from(turn)) as usize).copied()
    }

    fn unit(&self, piece: u64) -> Range {
        let allotted = (self.formulas() - piece * PIECE).min(PIECE) as u32;
        Range { no: u64::from(self.edition) << 32 | piece, allotted, turns: 0, ended: false }
    }

    fn count(&self) -> u64 {
        self.formulas().div_ceil(PIECE)
    }
}

impl Schedule for Pieces {
    fn cursor<'a>(&'a self, start: CursorStart<'_>) -> Result<Box<dyn Cursor + Send + 'a>, StoreError> {
        let at = match start.written {
            "" => Place { edition: self.edition, next: 0 },
            written => serde_json::from_str(written)
                .map_err(|why| StoreError::unreadable("the cursor of the schedule", why))?,
        };
        Ok(Box::new(PieceCursor { pieces: self, at }))
    }

    fn first_series(&self, _: &str) -> Result<u64, StoreError> {
        // No piece depends on what came of another.
        Ok(i64::MAX as u64)
    }
}

/// How far the schedule is.
#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Place {
    edition: u32,
    next: u64,
}

struct PieceCursor<'a> {
    pieces: &'a Pieces,
    at: Place,
}

impl Cursor for PieceCursor<'_> {
    fn next(&mut self) -> Step {
        // Of another edition we know nothing.
        if self.at.edition != self.pieces.edition || self.at.next >= self.pieces.count() {
            return Step::Over;
        }
        self.at.next += 1;
        Step::Work(self.pieces.unit(self.at.next - 1))
    }

    fn done(&mut self, _: Range) {}

    fn write(&self) -> String {
        serde_json::to_string(&self.at).expect("a cursor is plain data")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn start(written: &str) -> CursorStart<'_> {
        CursorStart { written, turns: None, rows: &[], out: &[] }
    }

    #[test]
    fn every_formula_is_in_one_piece() {
        for formulas in [0, 1, 9, 10, 11, 95] {
            let pieces = Pieces::of_counts(3, &[formulas]);
            let (mut written, mut next) = (String::new(), 0);
            loop {
                // Written down and read again after each unit.
                let mut cursor = pieces.cursor(start(&written)).expect("readable");
                let Step::Work(unit) = cursor.next() else { break };
                for turn in 0..unit.allotted {
                    assert_eq!(pieces.formula(unit.no, turn), Some((0, next)));
                    assert_eq!(Pieces::of_counts(2, &[formulas]).formula(unit.no, turn), None);
                    next += 1;
                }
                written = cursor.write();
            }
            assert_eq!(next, formulas);
            if formulas > 0 {
                // Who knows another edition plans nothing, and leaves what is written as it is.
                let other = Pieces::of_counts(4, &[1000]);
                let mut cursor = other.cursor(start(&written)).expect("readable");
                assert_eq!((cursor.next(), cursor.write()), (Step::Over, written));
            }
        }
    }

    #[test]
    fn grammars_take_turns() {
        let pieces = Pieces::of_counts(0, &[12, 25]);
        let grammars: Vec<usize> = (0..3).map(|unit| pieces.formula(unit, 0).expect("a formula").0).collect();
        assert_eq!(grammars, [0, 1, 0]);
        assert_eq!(pieces.formulas(), 37);
    }

    #[test]
    fn a_cursor_that_cannot_be_read_is_an_error() {
        let pieces = Pieces::of_counts(0, &[12]);
        let told = pieces.cursor(start("0 7")).err().expect("no cursor").to_string();
        assert!(told.starts_with("the cursor of the schedule cannot be read"), "{told}");
    }
}
