//! Leases: ranges of turns are taken for a time by the server's clock, and handed in wholly or not at all.

use std::time::Duration;

use postgres::{Statement, Transaction};

use super::link::{Failure, Link, plain};
use super::{Postgres, findings, now};
use crate::store::{Parcel, StoreError};

/// Ranges that were taken together.
#[derive(Clone, Debug)]
pub struct Lease {
    /// Its number.
    pub id: u64,
    /// The ranges: series, how many turns it may have, how many it has.
    pub ranges: Vec<(u64, u32, u32)>,
}

/// What became of a parcel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Taken {
    /// It counts.
    Counted,
    /// Its lease had ended, or it was handed in before: nothing of it was counted, and what it found is there.
    Late,
}

/// Takes what nobody works on, in the order of the walk.
const TAKE: &str = concat!(
    "WITH picked AS (SELECT no FROM ranges WHERE lease IS NULL AND done = 0 ORDER BY place LIMIT $3 \
     FOR UPDATE SKIP LOCKED), \
     taken AS (INSERT INTO leases (worker, until, done, counts) SELECT $1, ",
    now!(),
    " + $2, 0, '' WHERE EXISTS (SELECT 1 FROM picked) RETURNING id) \
     UPDATE ranges SET lease = taken.id FROM picked, taken WHERE ranges.no = picked.no \
     RETURNING ranges.no, ranges.allotted, ranges.turns, ranges.lease, ranges.place"
);

/// Ends a lease. Whoever finds none has lost it, or has ended it before.
const END: &str = concat!(
    "UPDATE leases SET done = 1, counts = $3, until = ",
    now!(),
    " WHERE id = $1 AND worker = $2 AND done = 0"
);

const SERIES: &str = "INSERT INTO series SELECT * FROM \
    unnest($1::bigint[], $2::text[], $3::bigint[], $4::bigint[], $5::bigint[], $6::text[]) \
    ON CONFLICT (no) DO UPDATE SET allotted = excluded.allotted, turns = excluded.turns, ended = excluded.ended, \
    why = excluded.why";

const TURNS: &str = "INSERT INTO turns SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::text[]) \
    ON CONFLICT (series, step) DO UPDATE SET outcomes = excluded.outcomes";

/// Ranges that were worked through wait for whoever plans; of the others the rest is free again.
const RANGES: &str = "UPDATE ranges SET lease = NULL, turns = coalesce(series.turns, ranges.turns), \
    done = CASE WHEN series.ended = 1 OR series.turns >= ranges.allotted THEN 1 ELSE 0 END \
    FROM ranges AS r LEFT JOIN series ON series.no = r.no WHERE r.no = ranges.no AND ranges.lease = $1";

const RENEW: &str = concat!(
    "WITH me AS (UPDATE workers SET turns = $3, seen = ",
    now!(),
    " WHERE id = $1) UPDATE leases SET until = ",
    now!(),
    " + $2 WHERE worker = $1 AND done = 0"
);

/// The statements of handing in.
pub(super) type Statements = [Statement; 4];

pub(super) fn statements(link: &mut Link) -> Result<Statements, Failure> {
    link.all([END, SERIES, TURNS, RANGES])
}

/// Writes how far series are, and their turns.
pub(super) fn rows(
    change: &mut Transaction<'_>,
    [_, series, turns, _]: &Statements,
    parcel: &Parcel,
) -> Result<(), Failure> {
    let of =
        |get: fn(&crate::store::SeriesRow) -> i64| -> Vec<i64> { parcel.series.iter().map(get).collect() };
    let strategies: Vec<&str> = parcel.series.iter().map(|s| s.strategy.as_str()).collect();
    let whys: Vec<String> = parcel.series.iter().map(|s| plain(&s.why)).collect();
    let nos = of(|s| s.no as i64);
    let (allotted, done) = (of(|s| i64::from(s.allotted)), of(|s| i64::from(s.turns)));
    let ended = of(|s| i64::from(s.ended));
    change.execute(series, &[&nos, &strategies, &allotted, &done, &ended, &whys])?;
    let nos: Vec<i64> = parcel.turns.iter().map(|t| t.0 as i64).collect();
    let steps: Vec<i64> = parcel.turns.iter().map(|t| i64::from(t.1)).collect();
    let letters: Vec<&str> = parcel.turns.iter().map(|t| t.2.as_str()).collect();
    change.execute(turns, &[&nos, &steps, &letters])?;
    Ok(())
}

impl Postgres {
    /// Takes up to so many ranges; none if there are none now.
    pub fn take(&self, worker: u64, most: u32, time: Duration) -> Result<Option<Lease>, StoreError> {
        // If the answer is lost, so is the lease: it ends by itself.
        let mut rows = self.with(|link| {
            let take = link.prepared(TAKE)?;
            let time = time.as_millis() as i64;
            Ok(link.client().query(&take, &[&(worker as i64), &time, &i64::from(most)])?)
        })?;
        rows.sort_by_key(|row| row.get::<_, i64>(4));
        let range = |row: &postgres::Row| {
            (row.get::<_, i64>(0) as u64, row.get::<_, i64>(1) as u32, row.get::<_, i64>(2) as u32)
        };
        let id = rows.first().map(|row| row.get::<_, i64>(3) as u64);
        Ok(id.map(|id| Lease { id, ranges: rows.iter().map(range).collect() }))
    }

    /// Takes in what came of a lease, and ends it. With `patient` waits for a server that is away.
    pub fn hand_in_parcel(&self, parcel: &Parcel, patient: bool) -> Result<Taken, StoreError> {
        let mut work = |link: &mut Link| taken_in(link, parcel);
        if patient { self.with(work) } else { self.once(&mut work) }
    }

    /// Says that a worker is there, and that it goes on with all it has taken.
    pub fn renew(&self, worker: u64, turns: u64, time: Duration) -> Result<(), StoreError> {
        self.with(|link| {
            let renew = link.prepared(RENEW)?;
            let time = time.as_millis() as i64;
            link.client().execute(&renew, &[&(worker as i64), &time, &(turns as i64)])?;
            Ok(())
        })
    }
}

fn taken_in(link: &mut Link, parcel: &Parcel) -> Result<Taken, Failure> {
    let statements = statements(link)?;
    let counts = serde_json::to_string(&parcel.counts).expect("counts are plain");
    let mut change = link.transaction()?;
    let lease = parcel.lease as i64;
    let ended = change.execute(&statements[0], &[&lease, &(parcel.worker as i64), &counts])?;
    if ended > 0 {
        rows(&mut change, &statements, parcel)?;
        change.execute(&statements[3], &[&lease])?;
    }
    // A finding is a hash of what it is: whoever is late with it loses nothing and doubles nothing.
    for found in &parcel.findings {
        findings::insert(&mut change, &found.whole(), found.warm)?;
    }
    change.commit()?;
    Ok(if ended > 0 { Taken::Counted } else { Taken::Late })
}
