//! What releases did with numbered formulas: one row each, there once and for all.

use std::collections::BTreeMap;

use rusqlite::{OptionalExtension, Transaction, params};
use serde::{Deserialize, Serialize};

use super::{Sqlite, StoreError, solver_of};
use crate::case::Answer;
use crate::judge::Kind;
use crate::solver::id::SolverId;

/// A formula of a grammar.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FormulaRow {
    /// The grammar's name.
    pub grammar: String,
    /// Its number, in digits.
    pub number: String,
    /// Its size.
    pub size: u64,
    /// The script.
    pub text: String,
}

/// What a release did with a formula.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunRow {
    /// How it was asked.
    pub way: String,
    /// What the run came to: `answered`, `timed-out`, …; `unasked` if the release does not read the formula.
    pub outcome: String,
    /// How its process ended.
    pub ending: String,
    /// CPU time in microseconds; only a process of its own has one.
    pub cpu: Option<u64>,
    /// Wall time in microseconds.
    pub wall: u64,
    /// Its answer, if it gave one.
    pub answer: Option<Answer>,
    /// The model it printed, if that is kept.
    pub model: Option<String>,
    /// The machine it ran on; times are only compared within one. Empty if it was not kept.
    pub machine: String,
}

/// How surely something is known to be wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Seen {
    /// Confirmed in fresh processes; it is a finding.
    Confirmed,
    /// Seen in a fresh process, with evidence; of its fingerprint there are findings enough.
    Counted,
    /// Seen, and then not again.
    Once,
}

impl Seen {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Seen::Confirmed => "confirmed",
            Seen::Counted => "counted",
            Seen::Once => "once",
        }
    }

    pub(super) fn of(word: &str) -> Seen {
        match word {
            "confirmed" => Seen::Confirmed,
            "counted" => Seen::Counted,
            _ => Seen::Once,
        }
    }
}

/// What is wrong with a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WrongRow {
    /// What kind of thing.
    pub kind: Kind,
    /// How surely.
    pub seen: Seen,
    /// The operators of the formula, sorted, with blanks between.
    pub operators: String,
    /// In a sentence.
    pub summary: String,
}

/// What a release did with a formula, and what is wrong with it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Handed {
    /// The release.
    pub release: SolverId,
    /// What it did.
    pub run: RunRow,
    /// What is wrong with that.
    pub wrongs: Vec<WrongRow>,
}

/// All rows, for whoever makes tables of them.
#[derive(Clone, Debug, Default)]
pub struct AllRuns {
    /// Formulas by their ids.
    pub formulas: BTreeMap<u64, FormulaRow>,
    /// Runs by formula and release; without models.
    pub runs: BTreeMap<(u64, SolverId), RunRow>,
    /// What is wrong, by formula and release.
    pub wrongs: Vec<(u64, SolverId, WrongRow)>,
}

/// The memory of what releases did with formulas. Many workers share it.
pub trait Runs: Send + Sync {
    /// Takes in runs of one formula, wholly or not at all; those that are there are replaced.
    fn hand_in_runs(&self, formula: &FormulaRow, handed: &[Handed]) -> Result<(), StoreError>;

    /// The releases that have a run of a formula.
    fn asked(&self, grammar: &str, number: &str) -> Result<Vec<SolverId>, StoreError>;

    /// What a release did with a formula, if it was asked.
    fn run(&self, grammar: &str, number: &str, release: &SolverId) -> Result<Option<RunRow>, StoreError>;

    /// All that is wrong with runs: the formula, the release, and what.
    fn wrongs(&self) -> Result<Vec<(FormulaRow, SolverId, WrongRow)>, StoreError>;

    /// All of it.
    fn all_runs(&self) -> Result<AllRuns, StoreError>;
}

/// The columns of a run, in order.
const COLUMNS: &str = "way, outcome, ending, cpu, wall, answer, model, machine";

pub(super) fn answer_of(word: Option<&str>) -> Option<Answer> {
    [Answer::Sat, Answer::Unsat, Answer::Unknown].into_iter().find(|a| Some(a.word()) == word)
}

pub(super) fn kind_of(word: &str) -> Kind {
    serde_json::from_value(word.into()).unwrap_or(Kind::Disagreement)
}

/// The run in a row of the database, whose columns begin at `at`.
fn run_of(row: &rusqlite::Row<'_>, at: usize) -> rusqlite::Result<RunRow> {
    Ok(RunRow {
        way: row.get(at)?,
        outcome: row.get(at + 1)?,
        ending: row.get(at + 2)?,
        cpu: row.get(at + 3)?,
        wall: row.get(at + 4)?,
        answer: answer_of(row.get::<_, Option<String>>(at + 5)?.as_deref()),
        model: row.get(at + 6)?,
        machine: row.get(at + 7)?,
    })
}

/// What is wrong in a row of the database, whose columns begin at `at`.
fn wrong_of(row: &rusqlite::Row<'_>, at: usize) -> rusqlite::Result<WrongRow> {
    Ok(WrongRow {
        kind: kind_of(&row.get::<_, String>(at)?),
        seen: Seen::of(&row.get::<_, String>(at + 1)?),
        operators: row.get(at + 2)?,
        summary: row.get(at + 3)?,
    })
}

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
    /// The release in a column of a row.
    fn release(&self, row: &rusqlite::Row<'_>, column: usize) -> Result<SolverId, StoreError> {
        solver_of(&row.get::<_, String>(column)?, || self.column("releases", "name"))
    }
}

impl Runs for Sqlite {
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
                    run.way,
                    run.outcome,
                    run.ending,
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
                    .prepare_cached("INSERT OR REPLACE INTO wrongs VALUES (?1,?2,?3,?4,?5,?6)")?
                    .execute(params![id, release, w.kind.word(), w.seen.word(), w.operators, w.summary])?;
            }
        }
        change.commit()?;
        Ok(())
    }

    fn asked(&self, grammar: &str, number: &str) -> Result<Vec<SolverId>, StoreError> {
        let database = self.database();
        let mut query = database.prepare_cached(
            "SELECT releases.name FROM formulas JOIN runs ON runs.formula = formulas.id JOIN releases ON \
             releases.id = runs.release WHERE grammar = ?1 AND number = ?2",
        )?;
        let mut rows = query.query([grammar, number])?;
        let mut names = Vec::new();
        while let Some(r) = rows.next()? {
            names.push(self.release(r, 0)?);
        }
        Ok(names)
    }

    fn run(&self, grammar: &str, number: &str, release: &SolverId) -> Result<Option<RunRow>, StoreError> {
        let database = self.database();
        let mut query = database.prepare_cached(&format!(
            "SELECT {COLUMNS} FROM formulas JOIN runs ON runs.formula = formulas.id JOIN releases ON \
             releases.id = runs.release WHERE grammar = ?1 AND number = ?2 AND releases.name = ?3"
        ))?;
        Ok(query.query_row([grammar, number, release.as_str()], |r| run_of(r, 0)).optional()?)
    }

    fn wrongs(&self) -> Result<Vec<(FormulaRow, SolverId, WrongRow)>, StoreError> {
        let database = self.database();
        let mut query = database.prepare(
            "SELECT kind, seen, operators, summary, name, grammar, number, size, text FROM wrongs JOIN releases ON \
             releases.id = release JOIN formulas ON formulas.id = formula ORDER BY formula, release, kind",
        )?;
        let mut rows = query.query([])?;
        let mut found = Vec::new();
        while let Some(r) = rows.next()? {
            let formula =
                FormulaRow { grammar: r.get(5)?, number: r.get(6)?, size: r.get(7)?, text: r.get(8)? };
            found.push((formula, self.release(r, 4)?, wrong_of(r, 0)?));
        }
        Ok(found)
    }

    fn all_runs(&self) -> Result<AllRuns, StoreError> {
        let database = self.database();
        let mut all = AllRuns::default();
        let mut query = database.prepare("SELECT id, grammar, number, size, text FROM formulas")?;
        let mut rows = query.query([])?;
        while let Some(r) = rows.next()? {
            let row = FormulaRow { grammar: r.get(1)?, number: r.get(2)?, size: r.get(3)?, text: r.get(4)? };
            all.formulas.insert(r.get(0)?, row);
        }
        let mut query = database.prepare(
            "SELECT formula, name, way, outcome, ending, cpu, wall, answer, NULL, machine FROM runs JOIN releases ON id = release",
        )?;
        let mut rows = query.query([])?;
        while let Some(r) = rows.next()? {
            all.runs.insert((r.get(0)?, self.release(r, 1)?), run_of(r, 2)?);
        }
        let mut query = database.prepare(
            "SELECT formula, name, kind, seen, operators, summary FROM wrongs JOIN releases ON id = release \
             ORDER BY formula, release, kind",
        )?;
        let mut rows = query.query([])?;
        while let Some(r) = rows.next()? {
            all.wrongs.push((r.get(0)?, self.release(r, 1)?, wrong_of(r, 2)?));
        }
        Ok(all)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Identity, Store};
    use super::*;

    fn place(name: &str) -> std::path::PathBuf {
        let place = std::env::temp_dir().join(format!("gainsay-runs-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&place);
        place
    }

    fn identity() -> Identity {
        Identity { draw: 1, configuration: "{}".to_owned() }
    }

    #[test]
    fn rows_come_back_as_they_were() {
        let place = place("rows");
        let store = Sqlite::open(&place, &identity(), false).expect("a store");
        let number = "1".repeat(300);
        let formula = FormulaRow {
            grammar: "Core".to_owned(),
            number: number.clone(),
            size: 5,
            text: "(check-sat)".to_owned(),
        };
        let run = RunRow {
            way: "fresh".to_owned(),
            outcome: "answered".to_owned(),
            ending: "exited with 0".to_owned(),
            cpu: Some(12_345),
            wall: 20_000,
            answer: Some(Answer::Sat),
            model: Some("()".to_owned()),
            machine: "node7".to_owned(),
        };
        let wrong = WrongRow {
            kind: Kind::WrongModel,
            seen: Seen::Counted,
            operators: "= not".to_owned(),
            summary: "wrong".to_owned(),
        };
        let id = |name: &str| name.parse::<SolverId>().expect("a name");
        let handed = Handed { release: id("z3@1"), run: run.clone(), wrongs: vec![wrong.clone()] };
        // Twice is as once.
        for _ in 0..2 {
            store.hand_in_runs(&formula, std::slice::from_ref(&handed)).expect("a row");
        }
        assert_eq!(store.asked("Core", &number).expect("rows"), [id("z3@1")]);
        assert_eq!(store.run("Core", &number, &id("z3@1")).expect("a row"), Some(run));
        assert_eq!(store.run("Core", &number, &id("z3@2")).expect("no row"), None);
        let all = store.all_runs().expect("rows");
        assert_eq!((all.formulas.len(), all.runs.len()), (1, 1));
        assert_eq!(all.wrongs, [(1, id("z3@1"), wrong.clone())]);
        assert_eq!(store.wrongs().expect("rows"), [(formula, id("z3@1"), wrong)]);
        store.database().execute("UPDATE releases SET name = 'z3@one'", []).expect("a change");
        let told = store.all_runs().expect_err("no release").to_string();
        assert!(
            told.contains("campaign.sqlite, table releases, column name: `z3@one` names no solver"),
            "{told}"
        );
        drop(store);
        let _ = std::fs::remove_dir_all(&place);
    }

    #[test]
    fn a_store_of_version_1_gets_the_tables() {
        let place = place("old");
        drop(Sqlite::open(&place, &identity(), false).expect("a store"));
        {
            let database = rusqlite::Connection::open(place.join("campaign.sqlite")).expect("a database");
            let later = "formulas releases runs wrongs course files seeds texts workers leases waiting";
            for table in later.split(' ') {
                database.execute_batch(&format!("DROP TABLE {table}")).expect("the table is there");
            }
            database.pragma_update(None, "user_version", 1).expect("a version");
        }
        let store = Sqlite::open(&place, &identity(), true).expect("an old store is opened");
        assert!(store.all_runs().expect("tables").runs.is_empty());
        assert!(store.course().expect("tables").is_empty());
        assert!(store.findings().expect("tables").is_empty());
        drop(store);
        let _ = std::fs::remove_dir_all(&place);
    }
}
