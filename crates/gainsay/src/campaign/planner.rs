//! The order of a campaign, for those who plan it on a server and for those who take from it.

use super::Plan;
use super::cursor::{Job, Pattern, ScheduleCursor, Step};
use super::lease::{Given, LeasedStore};
use super::schedule::{Next, Supply};
use crate::store::{Before, Planner, Range, SeriesRow, StoreError, Written};

/// The order of a campaign.
pub struct CampaignPlanner<'a>(Pattern<'a>);

impl<'a> CampaignPlanner<'a> {
    /// The order that a plan has.
    pub fn new(plan: &'a Plan) -> CampaignPlanner<'a> {
        CampaignPlanner(Pattern::new(plan))
    }
}

/// A range as the row of its series.
fn row_of(pattern: &Pattern<'_>, range: Range) -> SeriesRow {
    let Range { no, allotted, turns, ended } = range;
    SeriesRow { no, strategy: pattern.name(no).to_owned(), allotted, turns, ended, why: String::new() }
}

impl Planner for CampaignPlanner<'_> {
    fn first(&self, walk: &str) -> u64 {
        serde_json::from_str::<ScheduleCursor>(walk).map_or(0, |walk| walk.first(&self.0))
    }

    fn plan(&self, before: Before) -> Written {
        let Before { walk, turns, rows, out, done, wanted } = before;
        let mut walk = match serde_json::from_str::<ScheduleCursor>(&walk) {
            Ok(walk) => walk.with(&rows, &out),
            Err(_) => ScheduleCursor::new(turns, &rows, &out),
        };
        for range in done {
            walk.done(&row_of(&self.0, range));
        }
        let mut written = Written::default();
        while written.ranges.len() < wanted {
            match walk.next(&self.0) {
                Step::Work(Job { row: SeriesRow { no, allotted, turns, ended, .. }, .. }) => {
                    written.ranges.push(Range { no, allotted, turns, ended });
                }
                Step::Wait => break,
                Step::Over => {
                    written.over = true;
                    break;
                }
            }
        }
        written.walk = serde_json::to_string(&walk).expect("a walk is plain");
        written
    }
}

/// Stretches of series for a worker at a desk.
pub struct Stretches<'a>(pub &'a CampaignPlanner<'a>, pub &'a LeasedStore<'a>);

impl Supply for Stretches<'_> {
    fn next(&self, may_wait: bool) -> Result<Next, StoreError> {
        let Stretches(CampaignPlanner(pattern), desk) = self;
        Ok(match desk.next(may_wait)? {
            Given::Range(range) => Next::Work(pattern.job(row_of(pattern, range))),
            Given::Later => Next::Later,
            Given::Nothing => Next::Over,
        })
    }

    fn done(&self, _: &SeriesRow) {}

    fn finish(&self) -> Result<(), StoreError> {
        self.1.finish()
    }
}
