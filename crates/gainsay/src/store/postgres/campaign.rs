//! What workers write to a server, and what one sees of it.

use std::collections::BTreeMap;

use super::rows::Asking;
use super::{Postgres, counts, findings, there_is};
use crate::case::Answer;
use crate::finding::{Asked, Finding};
use crate::solver::id::SolverId;
use crate::store::columns::{self, Columns, Query};
use crate::store::lease_result::Counts;
use crate::store::{
    AllRuns, Annotate, Definition, EXTRA, FirstRun, FormulaRow, HandIn, Handed, KEPT, Kept, Reader, Rebuilt,
    Room, Row, RunRow, SeriesRow, Sink, StoreError, TallyRow, TurnOutcomes, WrongRow, folder, rebuilt, rows,
};

/// Finds counts of leases that have not been added to those of the campaign.
const WAITING: &str = "SELECT id, until, counts FROM leases WHERE done = 1";

/// Rows that a query found, and what waits to be added to them.
type Counted<T> = (Vec<T>, Counts, counts::Course);

impl Postgres {
    /// Reads rows of counts, and at the same moment those that wait to be added to them.
    fn counted<T>(
        &self,
        query: &Query<'_>,
        read: impl Fn(&dyn Columns) -> Result<T, StoreError>,
    ) -> Result<Counted<T>, StoreError> {
        let (found, waiting) = self.with(|link| {
            let mut look = link.client().snapshot()?;
            Ok((look.query(query.sql, &[])?, look.query(WAITING, &[])?))
        })?;
        let mut all = Vec::new();
        self.each_row((query.table, query.keys), &found, &mut |row| {
            all.push(read(row)?);
            Ok(())
        })?;
        let (counts, course) = self.waiting(waiting.iter())?;
        Ok((all, counts, course))
    }
}

impl Reader for Postgres {
    fn definition(&self) -> Result<Definition, StoreError> {
        rows::definition(self, |key| self.place("campaign", key))
    }

    fn rebuilt(&self) -> Result<Vec<Rebuilt>, StoreError> {
        rebuilt::list(self)
    }

    fn series(&self) -> Result<Vec<SeriesRow>, StoreError> {
        columns::all(self, &rows::SERIES, rows::series_of)
    }

    fn outcomes(&self) -> Result<Vec<(u64, u32, Vec<TurnOutcomes>)>, StoreError> {
        rows::outcomes(self)
    }

    fn findings(&self) -> Result<Vec<Row>, StoreError> {
        self.all_findings()
    }

    fn tally(&self) -> Result<Vec<TallyRow>, StoreError> {
        let (found, mut all, _) = self.counted(&rows::TALLY, rows::tally_of)?;
        for (strategy, solver, what, n) in found {
            all.count(&strategy, solver.as_ref(), what, n);
        }
        Ok(all.tally)
    }

    fn course(&self) -> Result<Vec<(u64, u64, u64)>, StoreError> {
        let (found, _, mut course) = self.counted(&rows::COURSE, rows::minute_of)?;
        for (minute, turns, findings) in found {
            let minute = course.entry(minute).or_default();
            minute.0 += turns;
            minute.1 += findings;
        }
        Ok(course.iter().map(|(minute, (turns, findings))| (*minute, *turns, *findings)).collect())
    }

    fn triggers(&self) -> Result<BTreeMap<String, u64>, StoreError> {
        let (found, mut all, _) = self.counted(&rows::TRIGGERS, rows::trigger_of)?;
        for (print, n) in found {
            *all.triggers.entry(print).or_default() += n;
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
        rows::run(self, grammar, number, release)
    }

    fn wrongs(&self) -> Result<Vec<(FormulaRow, SolverId, WrongRow)>, StoreError> {
        rows::wrongs(self)
    }

    fn all_runs(&self) -> Result<AllRuns, StoreError> {
        rows::all_runs(self)
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

    fn remember_first_run(&self, seed: &str, solver: &SolverId, run: &FirstRun) -> Result<(), StoreError> {
        self.keep_first_run(seed, solver, run, true)
    }

    fn first_run(&self, seed: &str, solver: &SolverId) -> Result<Option<FirstRun>, StoreError> {
        self.known_first_run(seed, solver, true)
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
        rows::run(self, grammar, number, release)
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
        rows::answers(&Asking { store: self, patient }, seed, solver)
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
        let sql = concat!(
            "INSERT INTO answers SELECT $1, $2, $3 WHERE ",
            there_is!(),
            " = $4 ON CONFLICT DO NOTHING"
        );
        self.keep_of_seed(sql, (seed, solver), &text, patient)
    }

    /// What a solver did with a seed as it is, if it was asked. With `patient` waits for a server that is away.
    pub fn known_first_run(
        &self,
        seed: &str,
        solver: &SolverId,
        patient: bool,
    ) -> Result<Option<FirstRun>, StoreError> {
        rows::first_run(&Asking { store: self, patient }, seed, solver)
    }

    /// Remembers what a solver did with a seed as it is. With `patient` waits for a server that is away.
    pub fn keep_first_run(
        &self,
        seed: &str,
        solver: &SolverId,
        run: &FirstRun,
        patient: bool,
    ) -> Result<(), StoreError> {
        let text = serde_json::to_string(run).expect("a run is plain");
        let sql = concat!(
            "INSERT INTO first_runs SELECT $1, $2, $3 WHERE ",
            there_is!(),
            " = $4 ON CONFLICT DO NOTHING"
        );
        self.keep_of_seed(sql, (seed, solver), &text, patient)
    }

    /// Keeps a fact about a seed and a solver.
    fn keep_of_seed(
        &self,
        sql: &'static str,
        (seed, solver): (&str, &SolverId),
        text: &str,
        patient: bool,
    ) -> Result<(), StoreError> {
        self.perhaps(patient, |link| {
            let query = link.prepared(sql)?;
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
