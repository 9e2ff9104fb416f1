//! Leases: ranges of turns are taken for a time by the server's clock, and handed in wholly or not at all.

use std::sync::atomic::Ordering;
use std::time::Duration;

use postgres::types::ToSql;

use super::link::{Failure, Link, plain};
use super::{Postgres, findings, now};
use crate::store::{HandIn, Parcel, Range, SeriesRow, StoreError};

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

/// What became of a parcel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Taken {
    /// It counts.
    Counted,
    /// Its lease had ended, or it was handed in before: nothing of it was counted, and what it found is there.
    Late,
}

/// Takes the first of what comes next in the walk, after rows that are known to be gone: they lie there for a while and would be
/// looked at each time. Nobody waits until it is on the server's disk, for meanwhile others would find the row locked. If the
/// server loses its last moments, a lease may be forgotten and its number given again: the moment at which it began tells them
/// apart.
const TAKE: &str = concat!(
    "WITH first AS (SELECT id, marked, string_to_array(ranges, ',') AS parts FROM waiting WHERE id > $4 ORDER BY id LIMIT 1 \
     FOR UPDATE SKIP LOCKED), \
     less AS (UPDATE waiting SET ranges = array_to_string(parts[$3 + 1:], ','), marked = 0 FROM first \
     WHERE waiting.id = first.id AND cardinality(parts) > $3), \
     gone AS (DELETE FROM waiting USING first WHERE waiting.id = first.id AND cardinality(parts) <= $3) \
     INSERT INTO leases (worker, began, until, done, ranges, counts) SELECT $1, ",
    now!(),
    ", ",
    now!(),
    " + $2, 0, array_to_string(parts[:$3], ','), '' FROM first \
     WHERE set_config('synchronous_commit', 'off', true) = 'off' \
     RETURNING id, began, ranges, (SELECT id FROM first), (SELECT marked FROM first)"
);

/// Ends a lease and writes what came of it; its ranges are then as far as they have come. Whoever finds none has lost it, or has
/// ended it before. Nobody waits until it is on the server's disk unless there are findings: a lease whose end is lost is overdue
/// one day, and its turns are made again.
const HAND_IN: &str = concat!(
    "WITH ended AS (UPDATE leases SET done = 1, counts = $3, ranges = $14, until = ",
    now!(),
    " WHERE id = $1 AND worker = $2 AND began = $13 AND done = 0 RETURNING id), \
     there AS (INSERT INTO series SELECT r.* FROM ended, \
     unnest($4::bigint[], $5::text[], $6::bigint[], $7::bigint[], $8::bigint[], $9::text[]) AS r \
     ON CONFLICT (no) DO UPDATE SET allotted = excluded.allotted, turns = excluded.turns, ended = excluded.ended, \
     why = excluded.why), \
     made AS (INSERT INTO turns SELECT r.* FROM ended, unnest($10::bigint[], $11::bigint[], $12::text[]) AS r) \
     SELECT count(*), set_config('synchronous_commit', 'off', true) FROM ended"
);

const RENEW: &str = concat!(
    "WITH me AS (UPDATE workers SET turns = $3, seen = ",
    now!(),
    " WHERE id = $1) UPDATE leases SET until = ",
    now!(),
    " + $2 WHERE id = ANY ($4) AND worker = $1 AND done = 0 RETURNING set_config('synchronous_commit', 'off', true)"
);

/// A lease of somebody who hands in what nobody gave out.
const OWN: &str =
    "INSERT INTO leases (worker, until, done, ranges, counts) VALUES (0, $1, 0, '', '') RETURNING id";

/// Ranges as they are written down.
pub(super) fn text(ranges: &[Range]) -> String {
    let word = |r: &Range| format!("{} {} {} {}", r.no, r.allotted, r.turns, u8::from(r.ended));
    ranges.iter().map(word).collect::<Vec<_>>().join(",")
}

/// Ranges, from how they are written down.
pub(super) fn ranges(text: &str) -> Vec<Range> {
    let range = |part: &str| {
        let mut numbers = part.split(' ');
        let mut next = || numbers.next()?.parse::<u64>().ok();
        Some(Range { no: next()?, allotted: next()? as u32, turns: next()? as u32, ended: next()? != 0 })
    };
    text.split(',').filter_map(range).collect()
}

impl Postgres {
    /// Takes up to so many ranges; none if there are none now.
    pub fn take(&self, worker: u64, most: u32, time: Duration) -> Result<Option<Lease>, StoreError> {
        let gone = self.gone.load(Ordering::Relaxed);
        // If the answer is lost, so is the lease: it ends by itself.
        let row = self.with(|link| {
            let take = link.prepared(TAKE)?;
            let (worker, time) = (worker as i64, time.as_millis() as i64);
            Ok(link.client().query_opt(&take, &[&worker, &time, &(most as i32), &gone])?)
        })?;
        let Some(row) = row else {
            // Of those before somebody may have let go.
            self.gone.store(0, Ordering::Relaxed);
            return Ok(None);
        };
        self.gone.store(row.get::<_, i64>(3) - 1, Ordering::Relaxed);
        let number = |i: usize| row.get::<_, i64>(i) as u64;
        let plans = number(4) > 0;
        Ok(Some(Lease { id: number(0), began: number(1), ranges: ranges(row.get(2)), plans }))
    }

    /// Takes in what came of a lease, and ends it. With `patient` waits for a server that is away.
    pub fn hand_in_parcel(&self, parcel: &Parcel, patient: bool) -> Result<Taken, StoreError> {
        let mut work = |link: &mut Link| taken_in(link, parcel);
        if patient { self.with(work) } else { self.once(&mut work) }
    }

    /// Takes in turns that nobody gave out.
    pub(super) fn hand_in_own(&self, turns: &[HandIn]) -> Result<(), StoreError> {
        let id: i64 = self.with(|link| Ok(link.client().query_one(OWN, &[&i64::MAX])?.get(0)))?;
        let mut parcel = Parcel { lease: id as u64, ..Parcel::default() };
        parcel.add(turns);
        self.hand_in_parcel(&parcel, true).map(|_| ())
    }

    /// Says that a worker is there, and that it goes on with these leases. Of one whose taking was lost on the way it does not
    /// know: that ends.
    pub fn renew(&self, worker: u64, turns: u64, time: Duration, leases: &[u64]) -> Result<(), StoreError> {
        let leases: Vec<i64> = leases.iter().map(|id| *id as i64).collect();
        self.with(|link| {
            let renew = link.prepared(RENEW)?;
            let time = time.as_millis() as i64;
            link.client().execute(&renew, &[&(worker as i64), &time, &(turns as i64), &leases])?;
            Ok(())
        })
    }
}

fn taken_in(link: &mut Link, parcel: &Parcel) -> Result<Taken, Failure> {
    let statement = link.prepared(HAND_IN)?;
    let counts = serde_json::to_string(&parcel.counts).expect("counts are plain");
    let of = |get: fn(&SeriesRow) -> i64| -> Vec<i64> { parcel.series.iter().map(get).collect() };
    let nos = of(|s| s.no as i64);
    let strategies: Vec<&str> = parcel.series.iter().map(|s| s.strategy.as_str()).collect();
    let (allotted, done) = (of(|s| i64::from(s.allotted)), of(|s| i64::from(s.turns)));
    let ended = of(|s| i64::from(s.ended));
    let whys: Vec<String> = parcel.series.iter().map(|s| plain(&s.why)).collect();
    let of: Vec<i64> = parcel.turns.iter().map(|t| t.0 as i64).collect();
    let steps: Vec<i64> = parcel.turns.iter().map(|t| i64::from(t.1)).collect();
    let letters: Vec<&str> = parcel.turns.iter().map(|t| t.2.as_str()).collect();
    let ranges = text(&parcel.ranges);
    let (lease, worker, began) = (parcel.lease as i64, parcel.worker as i64, parcel.began as i64);
    let said: [&(dyn ToSql + Sync); 14] = [
        &lease,
        &worker,
        &counts,
        &nos,
        &strategies,
        &allotted,
        &done,
        &ended,
        &whys,
        &of,
        &steps,
        &letters,
        &began,
        &ranges,
    ];
    let counted: i64 = if parcel.findings.is_empty() {
        link.client().query_one(&statement, &said)?.get(0)
    } else {
        let statements = findings::statements(link)?;
        let mut change = link.transaction()?;
        let counted = change.query_one(&statement, &said)?.get(0);
        // A finding is a hash of what it is: whoever is late with it loses nothing and doubles nothing.
        let found: Vec<_> = parcel.findings.iter().map(|found| (found.whole(), found.warm)).collect();
        findings::insert(&mut change, &statements, &found)?;
        change.commit()?;
        counted
    };
    Ok(if counted > 0 { Taken::Counted } else { Taken::Late })
}
