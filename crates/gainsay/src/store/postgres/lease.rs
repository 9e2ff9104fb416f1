//! Leases: ranges of turns are taken for a time by the server's clock, and handed in wholly or not at all.

use std::sync::atomic::Ordering;
use std::time::Duration;

use tokio_postgres::Row;
use tokio_postgres::types::ToSql;

use super::failure::Failure;
use super::link::{Link, plain};
use super::{Postgres, findings, now, runs, there_is};
use crate::store::counter::{letters, note_column};
use crate::store::{HandIn, LeaseResult, Range, SeriesRow, StoreError};

/// Ranges that were taken together.
#[derive(Clone, Debug)]
pub struct Lease {
    /// Its number.
    pub id: u64,
    /// When it began, by the server's clock.
    pub began: u64,
    /// The ranges.
    pub ranges: Vec<Range>,
    /// Whether it is now for us to plan what comes next.
    pub plans: bool,
}

/// What became of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Taken {
    /// It counts.
    Counted,
    /// Its lease had ended, or it was handed in before: nothing of it was counted, and what it found is there.
    Late,
}

impl Taken {
    /// By how many leases were ended.
    fn of(ended: i64) -> Taken {
        if ended > 0 { Taken::Counted } else { Taken::Late }
    }
}

/// Takes the first of what comes next in the schedule, after rows that are known to be gone: they lie there for a while and would be
/// looked at each time. If the server loses its last moments, a lease may be forgotten and its number given again: the moment at
/// which it began tells them apart. Of another campaign of the same name nothing is taken.
macro_rules! taken {
    ($worker:literal, $time:literal, $most:literal, $gone:literal, $campaign:literal) => {
        concat!(
            "first AS (SELECT id, marked, string_to_array(ranges, ',') AS parts FROM waiting WHERE id > ",
            $gone,
            " AND ",
            there_is!(),
            " = ",
            $campaign,
            " ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED), \
             less AS (UPDATE waiting SET ranges = array_to_string(parts[",
            $most,
            " + 1:], ','), marked = 0 FROM first WHERE waiting.id = first.id AND cardinality(parts) > ",
            $most,
            "), gone AS (DELETE FROM waiting USING first WHERE waiting.id = first.id AND cardinality(parts) <= ",
            $most,
            "), lease AS (INSERT INTO leases (worker, began, until, done, ranges, counts) SELECT ",
            $worker,
            ", ",
            now!(),
            ", ",
            now!(),
            " + ",
            $time,
            ", 0, array_to_string(parts[:",
            $most,
            "], ','), '' FROM first RETURNING id, began, ranges)"
        )
    };
}

/// Ends a lease and writes what came of it; its ranges are then as far as they have come. Whoever finds none has lost it, or has
/// ended it before.
macro_rules! ended {
    () => {
        concat!(
            "ended AS (UPDATE leases SET done = 1, counts = $3, ranges = $14, until = ",
            now!(),
            " WHERE id = $1 AND worker = $2 AND began = $13 AND done = 0 AND ",
            there_is!(),
            " = $15 RETURNING id), \
             there AS (INSERT INTO series SELECT r.* FROM ended, \
             unnest($4::bigint[], $5::text[], $6::bigint[], $7::bigint[], $8::bigint[], $9::text[]) AS r \
             ON CONFLICT (no) DO UPDATE SET allotted = excluded.allotted, turns = excluded.turns, ended = excluded.ended, \
             why = excluded.why), \
             made AS (INSERT INTO turns SELECT r.* FROM ended, unnest($10::bigint[], $11::bigint[], $12::text[]) AS r)"
        )
    };
}

/// What is told of a lease that was taken.
macro_rules! lease {
    () => {
        "lease.id, lease.began, lease.ranges, (SELECT id FROM first), (SELECT marked FROM first)"
    };
}

const TAKE: &str =
    concat!("WITH ", taken!("$1", "$2", "$3", "$4", "$5"), " SELECT ", lease!(), " FROM lease");
const HAND_IN: &str = concat!("WITH ", ended!(), " SELECT count(*) FROM ended");
/// Both at once, which is one journey and one transaction less.
const EXCHANGE: &str = concat!(
    "WITH ",
    ended!(),
    ", ",
    taken!("$2", "$16", "$17", "$18", "$15"),
    " SELECT ",
    lease!(),
    ", (SELECT count(*) FROM ended) FROM (VALUES (1)) AS one LEFT JOIN lease ON true"
);

const SEEN: &str =
    concat!("UPDATE workers SET turns = $2, seen = ", now!(), " WHERE id = $1 AND ", there_is!(), " = $3");
const RENEW: &str = concat!(
    "WITH me AS (UPDATE workers SET turns = $3, seen = ",
    now!(),
    " WHERE id = $1 AND ",
    there_is!(),
    " = $5 RETURNING id), more AS (UPDATE leases SET until = ",
    now!(),
    " + $2 FROM me WHERE leases.id = ANY ($4) AND worker = me.id AND done = 0) SELECT count(*) FROM me"
);

/// A lease of somebody who hands in what nobody gave out.
const OWN: &str = "INSERT INTO leases (worker, began, until, done, ranges, counts) VALUES (0, 0, $1, 0, '', '') RETURNING id";

/// Ranges as they are written down.
pub(super) fn text(ranges: &[Range]) -> String {
    let word = |r: &Range| format!("{} {} {} {}", r.no, r.allotted, r.turns, u8::from(r.ended));
    ranges.iter().map(word).collect::<Vec<_>>().join(",")
}

/// Ranges, from how they are written down at a place.
pub(super) fn ranges(text: &str, place: impl Fn() -> String) -> Result<Vec<Range>, StoreError> {
    let range = |part: &str| {
        let mut numbers = part.split(' ').map(|number| number.parse::<u64>().ok());
        let mut next = || numbers.next().flatten();
        let small = |n: u64| u32::try_from(n).ok();
        let range = Range {
            no: next()?,
            allotted: small(next()?)?,
            turns: small(next()?)?,
            ended: match next()? {
                0 => false,
                1 => true,
                _ => return None,
            },
        };
        numbers.next().is_none().then_some(range)
    };
    let wrong = |part: &str| {
        StoreError::unreadable(format!("{}, column ranges", place()), format!("{part:?} is no range"))
    };
    text.split(',')
        .filter(|part| !part.is_empty())
        .map(|part| range(part).ok_or_else(|| wrong(part)))
        .collect()
}

/// A lease as [`TAKE`] and [`EXCHANGE`] tell it; `place` names the row of a lease.
fn lease_of(row: &Row, place: impl Fn(u64) -> String) -> Result<Option<Lease>, StoreError> {
    let number = |i: usize| row.get::<_, Option<i64>>(i).map(|n| n as u64);
    let (Some(id), Some(began), Some(text), Some(marked)) =
        (number(0), number(1), row.get::<_, Option<&str>>(2), number(4))
    else {
        return Ok(None);
    };
    Ok(Some(Lease { id, began, ranges: ranges(text, || place(id))?, plans: marked > 0 }))
}

impl Postgres {
    /// Takes up to so many ranges; none if there are none now.
    pub fn take(&self, worker: u64, most: u32, time: Duration) -> Result<Option<Lease>, StoreError> {
        let gone = self.gone.load(Ordering::Relaxed);
        // If the answer is lost, so is the lease: it ends by itself.
        let row = self.with(|link| {
            let take = link.prepared(TAKE)?;
            let (worker, time) = (worker as i64, time.as_millis() as i64);
            link.client().query_opt(&take, &[&worker, &time, &(most as i32), &gone, &self.id()])
        })?;
        self.taken(row.as_ref())
    }

    /// The lease in a row, and a note of which rows are gone.
    fn taken(&self, row: Option<&Row>) -> Result<Option<Lease>, StoreError> {
        let lease = match row {
            Some(row) => {
                let place = |id: u64| self.place("leases", &id.to_string());
                lease_of(row, place)?.map(|lease| (lease, row.get::<_, i64>(3)))
            }
            None => None,
        };
        // If there is none, somebody may have let go of those before.
        self.gone.store(lease.as_ref().map_or(0, |(_, first)| first - 1), Ordering::Relaxed);
        Ok(lease.map(|(lease, _)| lease))
    }

    /// Takes in what came of a lease, and ends it. With `patient` waits for a server that is away.
    pub fn hand_in_result(&self, result: &LeaseResult, patient: bool) -> Result<Taken, StoreError> {
        self.perhaps(patient, |link| taken_in(link, result, self.id()))
    }

    /// Takes in a result that holds nothing but turns, and gives up to so many ranges for it.
    pub fn exchange(
        &self,
        result: &LeaseResult,
        most: u32,
        time: Duration,
    ) -> Result<(Taken, Option<Lease>), StoreError> {
        let gone = self.gone.load(Ordering::Relaxed);
        let row = self.once(&mut |link: &mut Link| {
            let exchange = link.prepared(EXCHANGE)?;
            let columns = Columns::of(result, self.id());
            let (time, most) = (time.as_millis() as i64, most as i32);
            let mut said = columns.list();
            let more: [&(dyn ToSql + Sync); 3] = [&time, &most, &gone];
            said.extend(more);
            link.client().query_one(&exchange, &said)
        })?;
        Ok((Taken::of(row.get(5)), self.taken(Some(&row))?))
    }

    /// Takes in turns that nobody gave out.
    pub(super) fn hand_in_own(&self, turns: &[HandIn]) -> Result<(), StoreError> {
        let id: i64 = self.with(|link| Ok(link.client().query_one(OWN, &[&i64::MAX])?.get(0)))?;
        let mut result = LeaseResult { lease: id as u64, ..LeaseResult::default() };
        result.add(turns);
        self.hand_in_result(&result, true).map(|_| ())
    }

    /// Says that a worker is there, and that it goes on with these leases. Of one whose taking was lost on the way it does not
    /// know: that ends.
    pub fn renew(&self, worker: u64, turns: u64, time: Duration, leases: &[u64]) -> Result<(), StoreError> {
        let leases: Vec<i64> = leases.iter().map(|id| *id as i64).collect();
        let (worker, turns, time) = (worker as i64, turns as i64, time.as_millis() as i64);
        let known = self.with(|link| {
            if leases.is_empty() {
                let seen = link.prepared(SEEN)?;
                return Ok(link.client().execute(&seen, &[&worker, &turns, &self.id()])? > 0);
            }
            let renew = link.prepared(RENEW)?;
            let row = link.client().query_one(&renew, &[&worker, &time, &turns, &leases, &self.id()])?;
            Ok(row.get::<_, i64>(0) > 0)
        })?;
        if !known && self.setting("id")?.unwrap_or_default() != self.id() {
            return Err(StoreError::Replaced { place: self.address.to_string() });
        }
        Ok(())
    }
}

/// What [`HAND_IN`] is told, column by column.
struct Columns<'a> {
    campaign: &'a str,
    lease: i64,
    worker: i64,
    began: i64,
    counts: String,
    ranges: String,
    series: SeriesColumns,
    turns: TurnColumns,
}

#[derive(Default)]
struct SeriesColumns {
    no: Vec<i64>,
    strategy: Vec<String>,
    allotted: Vec<i64>,
    turns: Vec<i64>,
    ended: Vec<i64>,
    why: Vec<String>,
}

#[derive(Default)]
struct TurnColumns {
    series: Vec<i64>,
    step: Vec<i64>,
    outcomes: Vec<String>,
}

impl<'a> Columns<'a> {
    fn of(result: &LeaseResult, campaign: &'a str) -> Columns<'a> {
        let mut series = SeriesColumns::default();
        for SeriesRow { no, strategy, allotted, turns, ended, note } in &result.series {
            series.no.push(*no as i64);
            series.strategy.push(strategy.clone());
            series.allotted.push(i64::from(*allotted));
            series.turns.push(i64::from(*turns));
            series.ended.push(i64::from(*ended));
            series.why.push(plain(&note_column(note.as_ref())));
        }
        let mut turns = TurnColumns::default();
        for (series, step, outcomes) in &result.turns {
            turns.series.push(*series as i64);
            turns.step.push(i64::from(*step));
            turns.outcomes.push(letters(&outcomes.0));
        }
        Columns {
            campaign,
            lease: result.lease as i64,
            worker: result.worker as i64,
            began: result.began as i64,
            counts: serde_json::to_string(&result.counts).expect("counts are plain"),
            ranges: text(&result.ranges),
            series,
            turns,
        }
    }

    /// In the order of the numbers in the statement.
    fn list(&self) -> Vec<&(dyn ToSql + Sync)> {
        let Columns { campaign, lease, worker, began, counts, ranges, series, turns } = self;
        let SeriesColumns { no, strategy, allotted, turns: made, ended, why } = series;
        let TurnColumns { series: of, step, outcomes } = turns;
        vec![
            lease, worker, counts, no, strategy, allotted, made, ended, why, of, step, outcomes, began,
            ranges, campaign,
        ]
    }
}

fn taken_in(link: &mut Link, result: &LeaseResult, campaign: &str) -> Result<Taken, Failure> {
    let statement = link.prepared(HAND_IN)?;
    let columns = Columns::of(result, campaign);
    if result.is_light() {
        return Ok(Taken::of(link.client().query_one(&statement, &columns.list())?.get(0)));
    }
    let statements = findings::statements(link)?;
    let mut change = link.transaction()?;
    let taken = Taken::of(change.query_one(&statement, &columns.list())?.get(0));
    // A finding is a hash of what it is: whoever is late with it loses nothing and doubles nothing.
    let found: Vec<_> = result.findings.iter().map(|found| (found.finding.clone(), found.warm)).collect();
    findings::insert(&mut change, &statements, campaign, &found)?;
    if taken == Taken::Counted {
        runs::insert(&mut change, &result.runs)?;
    }
    change.commit()?;
    Ok(taken)
}
