//! Planning on a server: whoever finds little to take adds up what was handed in, takes back what is overdue and writes down what
//! comes next. One at a time, in one transaction.

use super::link::{Failure, Link};
use super::{Postgres, begin, campaign, counts, now};
use crate::store::{SeriesRow, StoreError};

/// How many ranges wait to be taken after planning.
const AHEAD: i64 = 1024;

/// What is known when planning begins.
pub struct Before {
    /// How far the walk is, as it was written down; empty at first.
    pub walk: String,
    /// How many turns the campaign has, if that is limited.
    pub turns: Option<u64>,
    /// The series that the walk may ask about.
    pub rows: Vec<SeriesRow>,
    /// Series that are planned, and neither done nor handed in.
    pub out: Vec<u64>,
    /// Series that were handed in since.
    pub done: Vec<SeriesRow>,
    /// How many ranges are wanted.
    pub wanted: usize,
}

/// What was planned.
#[derive(Default)]
pub struct Written {
    /// How far the walk is.
    pub walk: String,
    /// Ranges, in order.
    pub ranges: Vec<SeriesRow>,
    /// Whether there is nothing more.
    pub over: bool,
}

/// Who knows the order of a campaign.
pub trait Planner {
    /// The number of the first series that the walk may ask about.
    fn first(&self, walk: &str) -> u64;

    /// Goes on with the walk.
    fn plan(&self, before: Before) -> Written;
}

/// What came of an attempt to plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Planned {
    /// There is something to take.
    More,
    /// All there is has been taken; what comes next depends on it.
    Nothing,
    /// Somebody else is planning.
    Busy,
    /// The campaign is over.
    Over,
}

const OVERDUE: &str = concat!(
    "WITH gone AS (DELETE FROM leases WHERE id IN (SELECT id FROM leases WHERE done = 0 AND until < ",
    now!(),
    " FOR UPDATE SKIP LOCKED) RETURNING id) UPDATE ranges SET lease = NULL FROM gone WHERE lease = gone.id"
);

const WRITE: &str = "INSERT INTO ranges SELECT no, place + $1, allotted, turns, NULL, 0 FROM \
    unnest($2::bigint[], $3::bigint[], $4::bigint[]) WITH ORDINALITY AS r (no, allotted, turns, place)";

impl Postgres {
    /// Limits the turns of the campaign. Another limit than before gives out turns anew, from the beginning of the walk.
    pub fn set_turns(&self, turns: Option<u64>) -> Result<(), StoreError> {
        let text = turns.map_or_else(|| "all".to_owned(), |n| n.to_string());
        if self.setting("turns")?.as_ref() == Some(&text) {
            return Ok(());
        }
        self.with(|link| {
            let mut change = link.transaction()?;
            begin::set(&mut change, "walk", "")?;
            begin::set(&mut change, "turns", &text)?;
            Ok(change.commit()?)
        })
    }

    /// Plans, if nobody else does.
    pub fn plan(&self, planner: &dyn Planner) -> Result<Planned, StoreError> {
        self.with(|link| planned(link, planner))
    }
}

fn planned(link: &mut Link, planner: &dyn Planner) -> Result<Planned, Failure> {
    let [walk, overdue, write] =
        link.all(["SELECT value FROM campaign WHERE key = 'walk' FOR UPDATE SKIP LOCKED", OVERDUE, WRITE])?;
    let mut change = link.transaction()?;
    let Some(row) = change.query_opt(&walk, &[])? else { return Ok(Planned::Busy) };
    let walk: String = row.get(0);
    let turns: Option<u64> = change
        .query_opt("SELECT value FROM campaign WHERE key = 'turns'", &[])?
        .and_then(|row| row.get::<_, String>(0).parse().ok());
    change.execute(&overdue, &[])?;
    let waiting = change.query("DELETE FROM leases WHERE done = 1 RETURNING until, counts", &[])?;
    let (sums, course) = counts::waiting(&waiting);
    counts::add(&mut change, &sums, &course)?;
    let done: Vec<i64> = change
        .query("DELETE FROM ranges WHERE done = 1 RETURNING no", &[])?
        .iter()
        .map(|row| row.get(0))
        .collect();
    let open = change.query("SELECT no, lease IS NULL, place FROM ranges", &[])?;
    let free = open.iter().filter(|row| row.get::<_, bool>(1)).count() as i64;
    let wanted = (AHEAD - free).max(0);
    let rows = change.query(
        "SELECT no, strategy, allotted, turns, ended, why FROM series WHERE no >= $1 OR no = ANY($2)",
        &[&(planner.first(&walk) as i64), &done],
    )?;
    let rows: Vec<SeriesRow> = rows.iter().map(campaign::series_of).collect();
    let before = Before {
        walk,
        turns,
        out: open
            .iter()
            .map(|row| row.get::<_, i64>(0) as u64)
            .chain(done.iter().map(|no| *no as u64))
            .collect(),
        done: rows.iter().filter(|row| done.contains(&(row.no as i64))).cloned().collect(),
        rows,
        wanted: wanted as usize,
    };
    let Written { walk, ranges, over } = planner.plan(before);
    let last = open.iter().map(|row| row.get::<_, i64>(2)).max().unwrap_or(0);
    let nos: Vec<i64> = ranges.iter().map(|r| r.no as i64).collect();
    let allotted: Vec<i64> = ranges.iter().map(|r| i64::from(r.allotted)).collect();
    let turns: Vec<i64> = ranges.iter().map(|r| i64::from(r.turns)).collect();
    change.execute(&write, &[&last, &nos, &allotted, &turns])?;
    begin::set(&mut change, "walk", &walk)?;
    change.commit()?;
    Ok(match (free > 0 || !ranges.is_empty(), over && open.is_empty()) {
        (true, _) => Planned::More,
        (false, true) => Planned::Over,
        (false, false) => Planned::Nothing,
    })
}
