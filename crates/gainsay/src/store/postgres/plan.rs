//! Planning on a server: whoever finds little to take adds up what was handed in, takes back what is overdue and writes down what
//! comes next. One at a time, in one transaction.

use super::lease::{ranges, text};
use super::link::{Failure, Link};
use super::{Postgres, begin, campaign, counts, now, there_is};
use crate::store::{Range, SeriesRow, StoreError};

/// How many ranges wait to be taken after planning: twice as many as are taken, within these bounds.
const AHEAD: (usize, usize) = (16_384, 262_144);
/// At most this many ranges stand in a row, and are taken together.
const BUNDLE: usize = 128;
/// What planning sees: leases by what they came to, and ranges that wait.
const OVERDUE: i64 = 0;
const HANDED_IN: i64 = 1;
const TAKEN: i64 = 2;
const WAITING: i64 = 3;

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
    /// Ranges of which nothing is left, handed in since.
    pub done: Vec<Range>,
    /// How many ranges are wanted.
    pub wanted: usize,
}

/// What was planned.
#[derive(Default)]
pub struct Written {
    /// How far the walk is.
    pub walk: String,
    /// Ranges, in order.
    pub ranges: Vec<Range>,
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

/// Leases that were handed in or are overdue, others, and ranges that wait: all at one moment, or what is taken meanwhile would
/// be seen in neither place.
const LOOK: &str = concat!(
    "WITH over AS (DELETE FROM leases WHERE id IN (SELECT id FROM leases WHERE done = 1 OR until < ",
    now!(),
    " FOR UPDATE SKIP LOCKED) RETURNING id, done, until, ranges, counts) \
     SELECT done, until, ranges, counts FROM over UNION ALL \
     SELECT 2, 0, ranges, '' FROM leases WHERE id NOT IN (SELECT id FROM over) UNION ALL \
     SELECT 3, 0, ranges, '' FROM waiting"
);

const WRITE: &str = "INSERT INTO waiting (ranges, marked) SELECT ranges, marked FROM \
    unnest($1::text[], $2::bigint[]) WITH ORDINALITY AS r (ranges, marked, place) ORDER BY place";

impl Postgres {
    /// Limits the turns of the campaign; without a limit the one before stays. Another than before gives out turns anew, from
    /// the beginning of the walk, and what was given out before is lost to whoever has it: it may be beyond the limit.
    pub fn set_turns(&self, turns: Option<u64>) -> Result<(), StoreError> {
        let before = self.setting("turns")?;
        let text = turns.map_or_else(|| "all".to_owned(), |n| n.to_string());
        if before.as_ref() == Some(&text) || before.is_some() && turns.is_none() {
            return Ok(());
        }
        self.with(|link| {
            let mut change = link.transaction()?;
            change.batch_execute(begin::NOTHING_OUT)?;
            begin::set(&mut change, "walk", "")?;
            begin::set(&mut change, "turns", &text)?;
            begin::set(&mut change, "over", "no")?;
            change.commit()
        })
    }

    /// Plans, if nobody else does.
    pub fn plan(&self, planner: &dyn Planner) -> Result<Planned, StoreError> {
        self.with(|link| planned(link, planner, self.id()))
    }
}

const LIMIT: &str = concat!("SELECT (SELECT value FROM campaign WHERE key = 'turns'), ", there_is!());

fn planned(link: &mut Link, planner: &dyn Planner, campaign: &str) -> Result<Planned, Failure> {
    let [walk, limit, look, series, write] = link.all([
        "SELECT value FROM campaign WHERE key = 'walk' FOR UPDATE SKIP LOCKED",
        LIMIT,
        LOOK,
        "SELECT no, strategy, allotted, turns, ended, why FROM series WHERE no >= $1",
        WRITE,
    ])?;
    let mut change = link.transaction()?;
    let Some(row) = change.query_opt(&walk, &[])? else { return Ok(Planned::Busy) };
    let walk: String = row.get(0);
    let limit = change.query_one(&limit, &[])?;
    if limit.get::<_, &str>(1) != campaign {
        return Err(Failure::Replaced);
    }
    let turns = limit.get::<_, Option<&str>>(0).and_then(|text| text.parse().ok());
    let seen = change.query(&look, &[])?;
    let of = |state: i64| seen.iter().filter(move |row| row.get::<_, i64>(0) == state);
    let (sums, course) = counts::waiting(of(HANDED_IN));
    counts::add(&mut change, &sums, &course)?;
    let all: Vec<Range> = seen.iter().flat_map(|row| ranges(row.get(2))).collect();
    let back: Vec<Range> = of(OVERDUE).chain(of(HANDED_IN)).flat_map(|row| ranges(row.get(2))).collect();
    let free = of(WAITING).flat_map(|row| ranges(row.get(2))).count();
    // What came back was worked through, or is to be given out again.
    let (finished, mut again): (Vec<Range>, Vec<Range>) = back.iter().partition(|range| range.is_done());
    let rows = change.query(&series, &[&(planner.first(&walk) as i64)])?;
    let rows: Vec<SeriesRow> = rows.iter().map(campaign::series_of).collect();
    let out = all.iter().map(|range| range.no).collect();
    let ahead = (2 * (all.len() - free - back.len())).clamp(AHEAD.0, AHEAD.1);
    let wanted = ahead.saturating_sub(free + again.len());
    let any = free + again.len() > 0;
    let Written { walk, ranges, over } =
        planner.plan(Before { walk, turns, out, done: finished, rows, wanted });
    again.extend(&ranges);
    // So many rows that nobody finds all of them locked, and everybody finds something.
    let parts = 4 * of(TAKEN).count().max(4);
    let rows: Vec<String> = again.chunks((again.len() / parts).clamp(1, BUNDLE)).map(text).collect();
    let marks: Vec<i64> = (0..rows.len()).map(|i| i64::from(i == rows.len() / 2)).collect();
    change.execute(&write, &[&rows, &marks])?;
    begin::set(&mut change, "walk", &walk)?;
    let planned = match (any || !ranges.is_empty(), over && all.is_empty()) {
        (true, _) => Planned::More,
        (false, true) => Planned::Over,
        (false, false) => Planned::Nothing,
    };
    if planned == Planned::Over {
        begin::set(&mut change, "over", "yes")?;
    }
    change.commit()?;
    Ok(planned)
}
