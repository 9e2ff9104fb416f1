//! Counts of all workers: what leases brought is added up when work is planned, so that no two workers wait for one row.

use std::collections::BTreeMap;

use super::Postgres;
use super::failure::Failure;
use super::line::Transaction;
use super::link::plain;
use crate::store::lease_result::Counts;
use crate::store::{StoreError, TallyRow};

/// Counts of minutes: turns and findings.
pub type Course = BTreeMap<u64, (u64, u64)>;

impl Postgres {
    /// The counts of leases that are done and not added up, together and by minute.
    pub(super) fn waiting<'a>(
        &self,
        rows: impl IntoIterator<Item = &'a tokio_postgres::Row>,
    ) -> Result<(Counts, Course), StoreError> {
        let mut all = Counts::default();
        let mut course = Course::new();
        for row in rows {
            let id: i64 = row.get("id");
            let place = |column: &str| format!("{}, column {column}", self.place("leases", &id.to_string()));
            let until: i64 = row.get("until");
            let at = u64::try_from(until).map_err(|e| StoreError::unreadable(place("until"), e))?;
            let unreadable = |e| StoreError::unreadable(place("counts"), e);
            let counts: Counts = serde_json::from_str(row.get("counts")).map_err(unreadable)?;
            let minute = course.entry(at / 60_000).or_default();
            minute.0 += counts.turns;
            minute.1 += counts.findings;
            all.add(counts);
        }
        Ok((all, course))
    }
}

/// Adds counts to those of the campaign.
pub fn add(change: &mut Transaction<'_>, counts: &Counts, course: &Course) -> Result<(), Failure> {
    let column = |i: usize| -> Vec<String> {
        let of = |row: &TallyRow| match i {
            0 => plain(&row.0),
            1 => row.1.as_ref().map_or_else(String::new, |id| plain(id.as_str())),
            _ => plain(&row.2.column()),
        };
        counts.tally.iter().map(of).collect()
    };
    let numbers: Vec<i64> = counts.tally.iter().map(|row| row.3 as i64).collect();
    change.execute(
        "INSERT INTO tally SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[]) \
         ON CONFLICT (strategy, solver, what) DO UPDATE SET count = tally.count + excluded.count",
        &[&column(0), &column(1), &column(2), &numbers],
    )?;
    let (prints, times): (Vec<String>, Vec<i64>) =
        counts.triggers.iter().map(|(print, n)| (plain(print), *n as i64)).unzip();
    change.execute(
        "INSERT INTO triggers SELECT * FROM unnest($1::text[], $2::bigint[]) \
         ON CONFLICT (fingerprint) DO UPDATE SET count = triggers.count + excluded.count",
        &[&prints, &times],
    )?;
    for (minute, (turns, findings)) in course {
        change.execute(
            "INSERT INTO course VALUES ($1, $2, $3) ON CONFLICT (minute) DO UPDATE SET \
             turns = course.turns + excluded.turns, findings = course.findings + excluded.findings",
            &[&(*minute as i64), &(*turns as i64), &(*findings as i64)],
        )?;
    }
    Ok(())
}
