//! Planning on a server: whoever finds little to take adds up what was handed in, takes back what is overdue and writes down what
//! comes next. One at a time, in one transaction.

use tokio_postgres::Statement;

use super::failure::Failure;
use super::lease::{ranges, text};
use super::line::Transaction;
use super::link::Link;
use super::{Postgres, begin, counts, now, there_is};
use crate::store::rows::series_of;
use crate::store::{Range, SeriesRow, StoreError};

/// What is written down where turns are not limited.
const ALL: &str = "all";
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
    /// The cursor of the schedule, as it was written down; empty at first.
    pub cursor: String,
    /// How many turns the campaign has, if that is limited.
    pub turns: Option<u64>,
    /// The series that the cursor may ask about.
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
    /// The cursor of the schedule.
    pub cursor: String,
    /// Ranges, in order.
    pub ranges: Vec<Range>,
    /// Whether there is nothing more.
    pub over: bool,
}

/// Who knows the order of a campaign.
pub trait Planner {
    /// The number of the first series that the cursor may ask about.
    fn first(&self, cursor: &str) -> Result<u64, StoreError>;

    /// Goes on with the schedule.
    fn plan(&self, before: Before) -> Result<Written, StoreError>;
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
     SELECT done, until, ranges, counts, id FROM over UNION ALL \
     SELECT 2, 0, ranges, '', id FROM leases WHERE id NOT IN (SELECT id FROM over) UNION ALL \
     SELECT 3, 0, ranges, '', id FROM waiting"
);

const WRITE: &str = "INSERT INTO waiting (ranges, marked) SELECT ranges, marked FROM \
    unnest($1::text[], $2::bigint[]) WITH ORDINALITY AS r (ranges, marked, place) ORDER BY place";

impl Postgres {
    /// Limits the turns of the campaign; without a limit the one before stays. Another than before gives out turns anew, from
    /// the beginning of the schedule, and what was given out before is lost to whoever has it: it may be beyond the limit.
    pub fn set_turns(&self, turns: Option<u64>) -> Result<(), StoreError> {
        let before = self.setting("turns")?;
        let text = turns.map_or_else(|| ALL.to_owned(), |n| n.to_string());
        if before.as_ref() == Some(&text) || before.is_some() && turns.is_none() {
            return Ok(());
        }
        self.with(|link| {
            let mut change = link.transaction()?;
            change.batch_execute(begin::NOTHING_OUT)?;
            begin::set(&mut change, "cursor", "")?;
            begin::set(&mut change, "turns", &text)?;
            begin::set(&mut change, "over", "no")?;
            change.commit()
        })
    }

    /// How many turns the campaign has, if that is limited.
    pub fn turns(&self) -> Result<Option<u64>, StoreError> {
        self.turns_of(self.setting("turns")?.as_deref())
    }

    /// Plans, if nobody else does.
    pub fn plan(&self, planner: &dyn Planner) -> Result<Planned, StoreError> {
        self.with(|link| self.planned(link, planner))
    }
}

impl Postgres {
    /// The limit of turns that is written down: a number, `all`, or nothing yet.
    fn turns_of(&self, text: Option<&str>) -> Result<Option<u64>, StoreError> {
        let wrong = |e| StoreError::unreadable(self.place("campaign", "turns"), e);
        match text {
            None | Some(ALL) => Ok(None),
            Some(text) => text.parse().map(Some).map_err(wrong),
        }
    }

    /// The ranges of all these rows of [`LOOK`].
    fn ranges_of<'a>(
        &self,
        rows: impl Iterator<Item = &'a tokio_postgres::Row>,
    ) -> Result<Vec<Range>, StoreError> {
        let mut all = Vec::new();
        for row in rows {
            let table = if row.get::<_, i64>(0) == WAITING { "waiting" } else { "leases" };
            let id: i64 = row.get("id");
            all.extend(ranges(row.get(2), || self.place(table, &id.to_string()))?);
        }
        Ok(all)
    }
}

const LIMIT: &str = concat!("SELECT (SELECT value FROM campaign WHERE key = 'turns'), ", there_is!());

impl Postgres {
    fn planned(&self, link: &mut Link, planner: &dyn Planner) -> Result<Planned, Failure> {
        let [cursor, limit, look, series, write] = link.all([
            "SELECT value FROM campaign WHERE key = 'cursor' FOR UPDATE SKIP LOCKED",
            LIMIT,
            LOOK,
            "SELECT no, strategy, allotted, turns, ended, why FROM series WHERE no >= $1",
            WRITE,
        ])?;
        let mut change = link.transaction()?;
        let Some(row) = change.query_opt(&cursor, &[])? else { return Ok(Planned::Busy) };
        let cursor: String = row.get(0);
        let limit = change.query_one(&limit, &[])?;
        if limit.get::<_, &str>(1) != self.id() {
            return Err(Failure::Replaced);
        }
        let turns = self.turns_of(limit.get(0))?;
        let at_cursor = |e: StoreError| match e {
            StoreError::Unreadable { why, .. } => {
                StoreError::unreadable(self.place("campaign", "cursor"), why)
            }
            other => other,
        };
        let seen = change.query(&look, &[])?;
        let of = |state: i64| seen.iter().filter(move |row| row.get::<_, i64>(0) == state);
        let (sums, course) = self.waiting(of(HANDED_IN))?;
        counts::add(&mut change, &sums, &course)?;
        let all = self.ranges_of(seen.iter())?;
        let back = self.ranges_of(of(OVERDUE).chain(of(HANDED_IN)))?;
        let free = self.ranges_of(of(WAITING))?.len();
        // What came back was worked through, or is to be given out again.
        let (finished, mut again): (Vec<Range>, Vec<Range>) = back.iter().partition(|range| range.is_done());
        let rows = change.query(&series, &[&(planner.first(&cursor).map_err(at_cursor)? as i64)])?;
        let mut before: Vec<SeriesRow> = Vec::new();
        self.each_row(("series", 1), &rows, &mut |row| {
            before.push(series_of(row)?);
            Ok(())
        })?;
        let out = all.iter().map(|range| range.no).collect();
        let ahead = (2 * (all.len() - free - back.len())).clamp(AHEAD.0, AHEAD.1);
        let wanted = ahead.saturating_sub(free + again.len());
        let any = free + again.len() > 0;
        let Written { cursor, ranges, over } = planner
            .plan(Before { cursor, turns, out, done: finished, rows: before, wanted })
            .map_err(at_cursor)?;
        again.extend(&ranges);
        write_waiting(&mut change, &write, &again, of(TAKEN).count())?;
        begin::set(&mut change, "cursor", &cursor)?;
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
}

/// Writes down ranges that wait to be taken. `taken` is the number of leases that are open.
fn write_waiting(
    change: &mut Transaction<'_>,
    write: &Statement,
    ranges: &[Range],
    taken: usize,
) -> Result<(), Failure> {
    // So many rows that nobody finds all of them locked, and everybody finds something.
    let parts = 4 * taken.max(4);
    let rows: Vec<String> = ranges.chunks((ranges.len() / parts).clamp(1, BUNDLE)).map(text).collect();
    let marks: Vec<i64> = (0..rows.len()).map(|i| i64::from(i == rows.len() / 2)).collect();
    change.execute(write, &[&rows, &marks])?;
    Ok(())
}
