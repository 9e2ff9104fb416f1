//! Planning on a server: a worker that finds few units waiting follows the schedule and adds the next units.

use super::schedule::{CursorStart, Schedule, Step};
use crate::store::{Before, Planner, StoreError, Written};

/// Plans the units of a schedule.
pub struct CampaignPlanner<'a>(pub &'a dyn Schedule);

impl Planner for CampaignPlanner<'_> {
    fn first(&self, cursor: &str) -> Result<u64, StoreError> {
        self.0.first_series(cursor)
    }

    fn plan(&self, before: Before) -> Result<Written, StoreError> {
        let Before { cursor, turns, rows, out, done, wanted } = before;
        let start = CursorStart { written: &cursor, turns, rows: &rows, out: &out };
        let mut cursor = self.0.cursor(start)?;
        for unit in done {
            cursor.done(unit);
        }
        let mut written = Written::default();
        while written.ranges.len() < wanted {
            match cursor.next() {
                Step::Work(unit) => written.ranges.push(unit),
                Step::Wait => break,
                Step::Over => {
                    written.over = true;
                    break;
                }
            }
        }
        written.cursor = cursor.write();
        Ok(written)
    }
}
