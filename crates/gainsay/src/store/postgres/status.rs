//! Who works on a campaign, and how far it is.

use std::sync::atomic::Ordering;
use std::time::Duration;

use super::link::{HURRY, plain};
use super::{Postgres, now, there_is};
use crate::store::{NoWork, StoreError, no_work};

/// A worker of a campaign: a process on some machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkerRow {
    /// Its number.
    pub id: u64,
    /// Its machine.
    pub machine: String,
    /// Its process there.
    pub process: u64,
    /// How many cases it works on at a time.
    pub jobs: u64,
    /// Milliseconds since it began.
    pub age: u64,
    /// Milliseconds since it was last heard of.
    pub silence: u64,
    /// For how many milliseconds it takes work.
    pub lease: u64,
    /// Turns it has made.
    pub turns: u64,
    /// Whether it has left the campaign.
    pub gone: bool,
    /// Why it takes no work, if it takes none.
    pub no_work: Option<NoWork>,
}

/// How far a campaign is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Status {
    /// Workers, the latest first.
    pub workers: Vec<WorkerRow>,
    /// Turns that count.
    pub turns: u64,
    /// Turns a minute at the present rate.
    pub lately: u64,
    /// Findings, but for those that only warm runs showed.
    pub findings: u64,
    /// Leases that are open.
    pub open: u64,
    /// Leases that are open and overdue.
    pub overdue: u64,
    /// Ranges that wait to be taken.
    pub waiting: u64,
    /// Whether nothing is left to do.
    pub over: bool,
}

impl Postgres {
    /// Records that a worker is there, and for how long it takes work.
    pub fn join(&self, machine: &str, jobs: usize, lease: Duration) -> Result<u64, StoreError> {
        let text = concat!(
            "INSERT INTO workers (machine, process, jobs, began, seen, turns, gone, note, lease) SELECT $1, $2, $3, t, t, 0, 0, '', $4 \
             FROM (SELECT ",
            now!(),
            " AS t) AS clock RETURNING id"
        );
        let process = i64::from(std::process::id());
        self.works.store(true, Ordering::Relaxed);
        self.expect_answers_within(lease);
        self.with(|link| {
            link.client().batch_execute(HURRY)?;
            let row = link
                .client()
                .query_one(text, &[&machine, &process, &(jobs as i64), &(lease.as_millis() as i64)])?;
            Ok(row.get::<_, i64>(0) as u64)
        })
    }

    /// Records that a worker has left, and why if it took no work.
    pub fn leave(&self, worker: u64, turns: u64, why: Option<&NoWork>) -> Result<(), StoreError> {
        let note = plain(&no_work::column(why));
        let text = concat!(
            "UPDATE workers SET gone = 1, turns = greatest(turns, $3), note = $2, seen = ",
            now!(),
            " WHERE id = $1 AND ",
            there_is!(),
            " = $4"
        );
        self.with(|link| {
            link.client().execute(text, &[&(worker as i64), &note, &(turns as i64), &self.id()])?;
            Ok(())
        })
    }

    /// How far the campaign is, and who works on it.
    pub fn status(&self) -> Result<Status, StoreError> {
        let workers = concat!(
            "SELECT id, machine, process, jobs, t - began, t - seen, turns, gone, note, lease FROM workers, (SELECT ",
            now!(),
            " AS t) AS clock ORDER BY gone, seen DESC"
        );
        let counts = concat!(
            "SELECT (SELECT coalesce(sum(turns), 0)::bigint FROM series), (SELECT count(*) FROM findings WHERE warm = 0), \
             (SELECT count(*) FROM leases WHERE done = 0), (SELECT count(*) FROM leases WHERE done = 0 AND until < ",
            now!(),
            "), (SELECT coalesce(sum(cardinality(string_to_array(ranges, ','))), 0)::bigint FROM waiting), \
             (SELECT count(*) FROM campaign WHERE key = 'over' AND value = 'yes')"
        );
        let (workers, counts) = self
            .with(|link| Ok((link.client().query(workers, &[])?, link.client().query_one(counts, &[])?)))?;
        let mut all: Vec<WorkerRow> = Vec::new();
        self.each_row(("workers", 1), &workers, &mut |row| {
            // A worker may have been heard of a moment after the clock was read.
            let since = |column: usize| row.number::<i64>(column).map(|time| time.max(0) as u64);
            all.push(WorkerRow {
                id: row.number(0)?,
                machine: row.word(1)?,
                process: row.number(2)?,
                jobs: row.number(3)?,
                age: since(4)?,
                silence: since(5)?,
                turns: row.number(6)?,
                gone: row.flag(7)?,
                no_work: row.parsed(8, no_work::read_column)?,
                lease: row.number(9)?,
            });
            Ok(())
        })?;
        let workers = all;
        let number = |i: usize| counts.get::<_, i64>(i) as u64;
        // By their own account, since what was handed in lately came in large pieces.
        let works = |w: &&WorkerRow| !w.gone && w.silence <= w.lease;
        let rate =
            |w: &WorkerRow| w.turns as f64 * 60_000.0 / w.age.saturating_sub(w.silence).max(1000) as f64;
        let lately = workers.iter().filter(works).map(rate).sum::<f64>() as u64;
        Ok(Status {
            workers,
            turns: number(0),
            lately,
            findings: number(1),
            open: number(2),
            overdue: number(3),
            waiting: number(4),
            over: number(5) > 0,
        })
    }
}
