//! What workers write to a server, and what one sees of it.

use std::collections::BTreeMap;

use super::link::{Failure, Link};
use super::{Postgres, counts, findings, there_is};
use crate::case::Answer;
use crate::finding::{Asked, Finding};
use crate::solver::id::SolverId;
use crate::store::lease_result::Counts;
use crate::store::{
    AllRuns, Annotate, Definition, EXTRA, FormulaRow, HandIn, Handed, KEPT, Kept, Reader, Room, Row, RunRow,
    SeriesRow, Sink, StoreError, TallyRow, WrongRow, folder, solver_if_any,
};

/// Counts of leases that have not been added to those of the campaign.
const WAITING: &str = "SELECT id, until, counts FROM leases WHERE done = 1";

/// Rows that were read, and what waits to be added to them.
type Counted = (Vec<tokio_postgres::Row>, Counts, counts::Course);

/// Reads rows of counts, and at the same moment those that wait to be added to them.
fn counted(link: &mut Link, text: &str) -> Result<Counted, Failure> {
    let mut look = link.client().snapshot()?;
    let rows = look.query(text, &[])?;
    let (waiting, course) = counts::waiting(&look.query(WAITING, &[])?)?;
    Ok((rows, waiting, course))
}

/// A series in a row of the database.
pub(super) fn series_of(row: &tokio_postgres::Row) -> SeriesRow {
    SeriesRow {
        no: row.get::<_, i64>(0) as u64,
        strategy: row.get(1),
        allotted: row.get::<_, i64>(2) as u32,
        turns: row.get::<_, i64>(3) as u32,
        ended: row.get::<_, i64>(4) != 0,
        why: row.get(5),
    }
}

impl Reader for Postgres {
    fn definition(&self) -> Result<Definition, StoreError> {
        let get = |key: &str| {
            let absent = || StoreError::unreadable(self.place("campaign", key), "it is not there");
            self.setting(key)?.ok_or_else(absent)
        };
        let (identity, spec) = (get("identity")?, get("spec")?);
        Ok(Definition { identity, spec, place: self.place("campaign", "spec") })
    }

    fn series(&self) -> Result<Vec<SeriesRow>, StoreError> {
        let rows = self.with(|link| link.client().query("SELECT * FROM series ORDER BY no", &[]))?;
        Ok(rows.iter().map(series_of).collect())
    }

    fn findings(&self) -> Result<Vec<Row>, StoreError> {
        self.all_findings()
    }

    fn tally(&self) -> Result<Vec<TallyRow>, StoreError> {
        let (rows, mut all, _) = self.with(|link| counted(link, "SELECT * FROM tally"))?;
        for r in &rows {
            let solver = solver_if_any(r.get(1))
                .map_err(|e| StoreError::unreadable(self.place("tally", r.get(0)), e))?;
            all.count(r.get(0), solver.as_ref(), r.get(2), r.get::<_, i64>(3) as u64);
        }
        Ok(all.tally)
    }

    fn course(&self) -> Result<Vec<(u64, u64, u64)>, StoreError> {
        let (rows, _, mut course) = self.with(|link| counted(link, "SELECT * FROM course"))?;
        for row in &rows {
            let minute = course.entry(row.get(0)).or_default();
            minute.0 += row.get::<_, i64>(1);
            minute.1 += row.get::<_, i64>(2);
        }
        Ok(course.iter().map(|(minute, (t, f))| (*minute as u64, *t as u64, *f as u64)).collect())
    }

    fn triggers(&self) -> Result<BTreeMap<String, u64>, StoreError> {
        let (rows, mut all, _) = self.with(|link| counted(link, "SELECT * FROM triggers"))?;
        for row in &rows {
            *all.triggers.entry(row.get(0)).or_default() += row.get::<_, i64>(1) as u64;
        }
        Ok(all.triggers)
    }

    fn reduced(&self, folder: &str) -> Result<Option<Finding>, StoreError> {
        let Some(json) = self.file(folder, "reduced.json")? else { return Ok(None) };
        let place = |name: &str| self.place("files", &format!("{folder}/{name}"));
        let lost = || StoreError::unreadable(place("reduced.smt2"), "it is not there");
        let script = self.file(folder, "reduced.smt2")?.ok_or_else(lost)?;
        folder::reduced_of(&json, &script, &place("reduced.json")).map(Some)
    }

    fn releases(&self, folder: &str) -> Result<Vec<Asked>, StoreError> {
        Ok(self.json(folder, "releases.json")?.unwrap_or_default())
    }

    fn options(&self, folder: &str) -> Result<Option<Vec<String>>, StoreError> {
        self.json(folder, "options.json")
    }

    fn run(&self, grammar: &str, number: &str, release: &SolverId) -> Result<Option<RunRow>, StoreError> {
        self.run_of(grammar, number, release)
    }

    fn wrongs(&self) -> Result<Vec<(FormulaRow, SolverId, WrongRow)>, StoreError> {
        self.all_wrongs()
    }

    fn all_runs(&self) -> Result<AllRuns, StoreError> {
        self.every_run()
    }
}

impl Annotate for Postgres {
    fn keep_reduced(&self, folder: &str, reduced: &Finding) -> Result<(), StoreError> {
        let files = folder::reduced_files(reduced).map(|(name, bytes)| (name.to_owned(), bytes));
        self.put_files(folder, &files)
    }

    fn keep_releases(&self, folder: &str, releases: &[Asked]) -> Result<(), StoreError> {
        let json = serde_json::to_vec_pretty(releases).expect("a list is plain data");
        self.put_files(folder, &[("releases.json".to_owned(), json)])
    }

    fn keep_options(&self, folder: &str, options: &[String]) -> Result<(), StoreError> {
        let json = serde_json::to_vec_pretty(options).expect("a list is plain data");
        self.put_files(folder, &[("options.json".to_owned(), json)])
    }
}

impl Sink for Postgres {
    fn hand_in(&self, turns: &[HandIn]) -> Result<(), StoreError> {
        self.hand_in_own(turns)
    }

    fn hand_in_runs(&self, formula: &FormulaRow, handed: &[Handed]) -> Result<(), StoreError> {
        self.insert_runs(formula, handed)
    }

    fn trigger(&self, fingerprint: &str) -> Result<Room, StoreError> {
        let count = self.once(&mut |link| {
            let text = "INSERT INTO triggers VALUES ($1, 1) \
                        ON CONFLICT (fingerprint) DO UPDATE SET count = triggers.count + 1 RETURNING count";
            let query = link.prepared(text)?;
            Ok(link.client().query_one(&query, &[&fingerprint])?.get::<_, i64>(0))
        })?;
        let (_, kept, room) = self.room(fingerprint)?;
        Ok(if count as u64 <= KEPT || kept < KEPT { Room::Plenty } else { room })
    }

    fn record(&self, finding: &Finding, warm: bool) -> Result<Kept, StoreError> {
        let number = self.with(|link| {
            let statements = findings::statements(link)?;
            let mut change = link.transaction()?;
            let numbers = findings::insert(&mut change, &statements, self.id(), &[(finding.clone(), warm)])?;
            change.commit()?;
            Ok(numbers.into_iter().flatten().next())
        })?;
        Ok(number.map_or(Kept::Known, Kept::Numbered))
    }

    fn remember(&self, seed: &str, solver: &SolverId, answers: &[Answer]) -> Result<(), StoreError> {
        self.keep_answers(seed, solver, answers, true)
    }

    fn known_answers(&self, seed: &str, solver: &SolverId) -> Result<Option<Vec<Answer>>, StoreError> {
        self.answers(seed, solver, true)
    }

    fn releases_asked(&self, grammar: &str, number: &str) -> Result<Vec<SolverId>, StoreError> {
        self.asked(grammar, number, true)
    }

    fn known_run(
        &self,
        grammar: &str,
        number: &str,
        release: &SolverId,
    ) -> Result<Option<RunRow>, StoreError> {
        self.run_of(grammar, number, release)
    }
}

impl Postgres {
    /// What a solver answered to a seed, if it was asked. With `patient` waits for a server that is away.
    pub fn answers(
        &self,
        seed: &str,
        solver: &SolverId,
        patient: bool,
    ) -> Result<Option<Vec<Answer>>, StoreError> {
        let text = self.perhaps(patient, |link| {
            let query = link.prepared("SELECT answers FROM answers WHERE seed = $1 AND solver = $2")?;
            Ok(link
                .client()
                .query_opt(&query, &[&seed, &solver.as_str()])?
                .map(|row| row.get::<_, String>(0)))
        })?;
        let place = || self.place("answers", &format!("{seed}, {solver}"));
        let read = |text: String| serde_json::from_str(&text).map_err(|e| StoreError::unreadable(place(), e));
        text.map(read).transpose()
    }

    /// Remembers what a solver answered to a seed. With `patient` waits for a server that is away.
    pub fn keep_answers(
        &self,
        seed: &str,
        solver: &SolverId,
        answers: &[Answer],
        patient: bool,
    ) -> Result<(), StoreError> {
        let text = serde_json::to_string(answers).expect("answers are plain");
        self.perhaps(patient, |link| {
            let query = link.prepared(concat!(
                "INSERT INTO answers SELECT $1, $2, $3 WHERE ",
                there_is!(),
                " = $4 ON CONFLICT DO NOTHING"
            ))?;
            link.client().execute(&query, &[&seed, &solver.as_str(), &text, &self.id()])?;
            Ok(())
        })
    }

    /// Of a fingerprint: how many triggers were added up, how many findings are kept as they came, and how much room the
    /// smallest of the others leave. Does not wait for a server that is away.
    pub fn room(&self, fingerprint: &str) -> Result<(u64, u64, Room), StoreError> {
        let row = self.once(&mut |link| {
            let text = "SELECT (SELECT count FROM triggers WHERE fingerprint = $1), \
                        count(*) FILTER (WHERE extra = 0), count(*) FILTER (WHERE extra = 1), \
                        max(size) FILTER (WHERE extra = 1) FROM findings WHERE fingerprint = $1";
            let query = link.prepared(text)?;
            link.client().query_one(&query, &[&fingerprint])
        })?;
        let (count, largest): (Option<i64>, Option<i64>) = (row.get(0), row.get(3));
        let (kept, extra): (i64, i64) = (row.get(1), row.get(2));
        let full = extra as u64 >= EXTRA;
        let below = if full { largest.unwrap_or(0) as u64 } else { u64::MAX };
        Ok((count.unwrap_or(0) as u64, kept as u64, Room::Below(below)))
    }
}
