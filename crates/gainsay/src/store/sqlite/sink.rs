//! What workers write to the store of one machine.

use std::collections::BTreeMap;
use std::fs;
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

use rusqlite::{OptionalExtension, Transaction, params};

use super::Sqlite;
use crate::case::Answer;
use crate::finding::Finding;
use crate::solver::id::SolverId;
use crate::store::counter::{letters, note_column};
use crate::store::{
    Counter, EXTRA, FirstRun, FormulaRow, HandIn, Handed, KEPT, Kept, Room, RunRow, Sink, StoreError, folder,
    rows,
};

/// Adds to what minutes brought.
const COURSE: &str = "INSERT INTO course VALUES (?1,?2,?3) ON CONFLICT DO UPDATE SET turns = turns + excluded.turns, \
                      findings = findings + excluded.findings";

/// The minute it is, since 1970.
fn minute() -> u64 {
    SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |t| t.as_secs() / 60)
}

/// Findings are written one after another.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// The id of a formula; it is put in if it is not there.
fn formula_id(change: &Transaction<'_>, f: &FormulaRow) -> Result<u64, StoreError> {
    change
        .prepare_cached("INSERT OR IGNORE INTO formulas (grammar, number, size, text) VALUES (?1,?2,?3,?4)")?
        .execute(params![f.grammar, f.number, f.size, f.text])?;
    let id = change
        .prepare_cached("SELECT id FROM formulas WHERE grammar = ?1 AND number = ?2")?
        .query_row([&f.grammar, &f.number], |r| r.get(0))?;
    Ok(id)
}

fn release_id(change: &Transaction<'_>, name: &str) -> Result<u64, StoreError> {
    change.prepare_cached("INSERT OR IGNORE INTO releases (name) VALUES (?1)")?.execute([name])?;
    let id =
        change.prepare_cached("SELECT id FROM releases WHERE name = ?1")?.query_row([name], |r| r.get(0))?;
    Ok(id)
}

impl Sqlite {
    /// Gives a finding its row; false if it has one. With it goes whether only a warm run showed it, and whether it is one of
    /// the smallest of many.
    pub(super) fn insert(
        &self,
        number: u64,
        name: &str,
        finding: &Finding,
        (warm, extra): (bool, bool),
    ) -> Result<bool, StoreError> {
        let json = serde_json::to_string(finding).expect("a finding is plain");
        let rows = self.database().execute(
            "INSERT OR IGNORE INTO findings VALUES (?1,?2,?3,?4,?5,?6,?7,?8)",
            params![
                number,
                finding.identity,
                finding.fingerprint,
                name,
                finding.case.len() as u64,
                extra,
                warm,
                json
            ],
        )?;
        Ok(rows > 0)
    }

    /// Lets go of the largest of the extra findings of a fingerprint, if there are too many.
    fn thin_out(&self, fingerprint: &str) -> Result<(), StoreError> {
        let surplus: Vec<(u64, String)> = {
            let database = self.database();
            let mut query = database.prepare_cached(
                "SELECT id, folder FROM findings WHERE fingerprint = ?1 AND extra ORDER BY size, id LIMIT -1 OFFSET ?2",
            )?;
            let rows = query.query_map(params![fingerprint, EXTRA], |r| Ok((r.get(0)?, r.get(1)?)))?;
            rows.collect::<Result<_, _>>()?
        };
        for (id, name) in surplus {
            self.database().execute("DELETE FROM findings WHERE id = ?1", [id])?;
            let place = self.root.join("findings").join(name);
            fs::remove_dir_all(&place).map_err(StoreError::at(&place))?;
        }
        Ok(())
    }
}

impl Sink for Sqlite {
    fn hand_in(&self, turns: &[HandIn]) -> Result<(), StoreError> {
        let mut database = self.database();
        let change = database.transaction()?;
        {
            let mut series =
                change.prepare_cached("INSERT OR REPLACE INTO series VALUES (?1,?2,?3,?4,?5,?6)")?;
            let mut turn = change.prepare_cached("INSERT OR REPLACE INTO turns VALUES (?1,?2,?3)")?;
            let mut count = change.prepare_cached(
                "INSERT INTO tally VALUES (?1,?2,?3,?4) ON CONFLICT DO UPDATE SET count = count + excluded.count",
            )?;
            let mut tally: BTreeMap<(&str, Option<&SolverId>, &Counter), u64> = BTreeMap::new();
            for HandIn { series: s, outcomes, tally: counts, .. } in turns {
                series.execute(params![
                    s.no,
                    s.strategy,
                    s.allotted,
                    s.turns,
                    s.ended,
                    note_column(s.note.as_ref())
                ])?;
                if !outcomes.is_empty() {
                    turn.execute(params![s.no, s.turns - outcomes.len() as u32, letters(outcomes)])?;
                }
                for ((solver, what), n) in counts {
                    *tally.entry((&s.strategy, solver.as_ref(), what)).or_default() += n;
                }
            }
            for ((strategy, solver, what), n) in tally {
                count.execute(params![strategy, solver.map_or("", SolverId::as_str), what.column(), n])?;
            }
            let made: u32 = turns.iter().map(|t| t.made).sum();
            change.prepare_cached(COURSE)?.execute(params![minute(), made, 0])?;
        }
        change.commit()?;
        Ok(())
    }

    fn hand_in_runs(&self, formula: &FormulaRow, handed: &[Handed]) -> Result<(), StoreError> {
        let mut database = self.database();
        let change = database.transaction()?;
        let id = formula_id(&change, formula)?;
        for Handed { release, run, wrongs } in handed {
            let release = release_id(&change, release.as_str())?;
            change
                .prepare_cached("INSERT OR REPLACE INTO runs VALUES (?1,?2,?3,?4,?5,?6,?7,?8,?9,?10)")?
                .execute(params![
                    id,
                    release,
                    run.way.word(),
                    run.outcome_word(),
                    run.ending_column(),
                    run.cpu,
                    run.wall,
                    run.answer.map(Answer::word),
                    run.model,
                    run.machine
                ])?;
            change
                .prepare_cached("DELETE FROM wrongs WHERE formula = ?1 AND release = ?2")?
                .execute([id, release])?;
            for w in wrongs {
                change
                    .prepare_cached("INSERT OR REPLACE INTO wrongs VALUES (?1,?2,?3,?4,?5,?6,?7)")?
                    .execute(params![
                        id,
                        release,
                        w.kind().word(),
                        w.seen.word(),
                        w.operators_column(),
                        w.fault_column(),
                        w.accused
                    ])?;
            }
        }
        change.commit()?;
        Ok(())
    }

    fn trigger(&self, fingerprint: &str) -> Result<Room, StoreError> {
        let database = self.database();
        let count: u64 = database
            .prepare_cached(
                "INSERT INTO triggers VALUES (?1, 1) ON CONFLICT DO UPDATE SET count = count + 1 RETURNING count",
            )?
            .query_row([fingerprint], |r| r.get(0))?;
        let kept: u64 = database
            .prepare_cached("SELECT count(*) FROM findings WHERE fingerprint = ?1 AND NOT extra")?
            .query_row([fingerprint], |r| r.get(0))?;
        if count <= KEPT || kept < KEPT {
            return Ok(Room::Plenty);
        }
        let sizes: Vec<u64> = {
            let mut query = database.prepare_cached(
                "SELECT size FROM findings WHERE fingerprint = ?1 AND extra ORDER BY size LIMIT ?2",
            )?;
            query.query_map(params![fingerprint, EXTRA], |r| r.get(0))?.collect::<Result<_, _>>()?
        };
        let full = sizes.len() as u64 >= EXTRA;
        Ok(Room::Below(if full { sizes.last().copied().unwrap_or(0) } else { u64::MAX }))
    }

    fn record(&self, finding: &Finding, warm: bool) -> Result<Kept, StoreError> {
        let findings = self.root.join("findings");
        let _one = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
        let (number, extra) = {
            let database = self.database();
            let there: Option<u64> = database
                .query_row("SELECT id FROM findings WHERE identity = ?1", [&finding.identity], |r| r.get(0))
                .optional()?;
            if there.is_some() {
                return Ok(Kept::Known);
            }
            let last: Option<u64> = database.query_row("SELECT max(id) FROM findings", [], |r| r.get(0))?;
            let kept: u64 = database.query_row(
                "SELECT count(*) FROM findings WHERE fingerprint = ?1 AND NOT extra",
                [&finding.fingerprint],
                |r| r.get(0),
            )?;
            (last.unwrap_or(0) + 1, kept >= KEPT)
        };
        let name = folder::name(number, finding, warm);
        folder::write(&findings, &name, &folder::files(number, finding))?;
        self.insert(number, &name, finding, (warm, extra))?;
        self.database().prepare_cached(COURSE)?.execute(params![minute(), 0, u8::from(!warm)])?;
        if extra {
            self.thin_out(&finding.fingerprint)?;
        }
        Ok(Kept::Numbered(number))
    }

    fn remember(&self, seed: &str, solver: &SolverId, answers: &[Answer]) -> Result<(), StoreError> {
        let text = serde_json::to_string(answers).expect("answers are plain");
        let database = self.database();
        database.execute(
            "INSERT OR IGNORE INTO answers VALUES (?1,?2,?3)",
            params![seed, solver.as_str(), text],
        )?;
        Ok(())
    }

    fn known_answers(&self, seed: &str, solver: &SolverId) -> Result<Option<Vec<Answer>>, StoreError> {
        rows::answers(self, seed, solver)
    }

    fn remember_first_run(&self, seed: &str, solver: &SolverId, run: &FirstRun) -> Result<(), StoreError> {
        let text = serde_json::to_string(run).expect("a run is plain");
        let sql = "INSERT OR IGNORE INTO first_runs VALUES (?1,?2,?3)";
        self.database().execute(sql, params![seed, solver.as_str(), text])?;
        Ok(())
    }

    fn first_run(&self, seed: &str, solver: &SolverId) -> Result<Option<FirstRun>, StoreError> {
        rows::first_run(self, seed, solver)
    }

    fn releases_asked(&self, grammar: &str, number: &str) -> Result<Vec<SolverId>, StoreError> {
        rows::releases_asked(self, grammar, number)
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
