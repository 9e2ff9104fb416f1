//! What one sees of the store of one machine, and what is kept beside findings.

use std::collections::BTreeMap;

use rusqlite::OptionalExtension;

use super::Sqlite;
use super::rows::Reading;
use crate::finding::{Asked, Finding};
use crate::solver::id::SolverId;
use crate::store::runs::{answer_of, kind_of};
use crate::store::{
    AllRuns, Annotate, Definition, FormulaRow, Reader, Row, RunRow, Seen, SeriesRow, StoreError, TallyRow,
    WrongRow, folder, solver_if_any, solver_of,
};

/// The formula in a row, whose columns begin at `at`.
fn formula_of(row: &Reading<'_>, at: usize) -> Result<FormulaRow, StoreError> {
    Ok(FormulaRow {
        grammar: row.get(at)?,
        number: row.get(at + 1)?,
        size: row.get(at + 2)?,
        text: row.get(at + 3)?,
    })
}

/// The run in a row, whose columns begin at `at`.
fn run_of(row: &Reading<'_>, at: usize) -> Result<RunRow, StoreError> {
    Ok(RunRow {
        way: row.get(at)?,
        outcome: row.get(at + 1)?,
        ending: row.get(at + 2)?,
        cpu: row.get(at + 3)?,
        wall: row.get(at + 4)?,
        answer: row.parsed(at + 5, |word: Option<String>| answer_of(word.as_deref()))?,
        model: row.get(at + 6)?,
        machine: row.get(at + 7)?,
    })
}

/// The release in a column.
fn release_of(row: &Reading<'_>, column: usize) -> Result<SolverId, StoreError> {
    row.parsed(column, |name: String| solver_of(&name))
}

/// What is wrong in a row, whose columns begin at `at`.
fn wrong_of(row: &Reading<'_>, at: usize) -> Result<WrongRow, StoreError> {
    Ok(WrongRow {
        kind: row.parsed(at, |word: String| kind_of(&word))?,
        seen: row.parsed(at + 1, |word: String| Seen::of(&word))?,
        operators: row.get(at + 2)?,
        summary: row.get(at + 3)?,
    })
}

impl Sqlite {
    /// What the campaign says of itself under a key.
    pub fn setting(&self, key: &str) -> Result<Option<String>, StoreError> {
        let text = "SELECT value FROM campaign WHERE key = ?1";
        let found = self.database().query_row(text, [key], |r| r.get(0)).optional();
        found.map_err(|e| self.unreadable("campaign", key, e))
    }
}

impl Reader for Sqlite {
    fn definition(&self) -> Result<Definition, StoreError> {
        let get = |key: &str| {
            let absent = || StoreError::unreadable(self.place("campaign", key), "it is not there");
            self.setting(key)?.ok_or_else(absent)
        };
        let (identity, spec) = (get("identity")?, get("spec")?);
        Ok(Definition { identity, spec, place: self.place("campaign", "spec") })
    }

    fn series(&self) -> Result<Vec<SeriesRow>, StoreError> {
        let sql = "SELECT no, strategy, allotted, turns, ended, why FROM series ORDER BY no";
        self.rows("series", (sql, []), |r| {
            Ok(SeriesRow {
                no: r.get(0)?,
                strategy: r.get(1)?,
                allotted: r.get(2)?,
                turns: r.get(3)?,
                ended: r.get(4)?,
                why: r.get(5)?,
            })
        })
    }

    fn findings(&self) -> Result<Vec<Row>, StoreError> {
        let sql = "SELECT id, folder, warm, json FROM findings ORDER BY id";
        self.rows("findings", (sql, []), |r| {
            let (id, name, warm): (u64, String, bool) = (r.get(0)?, r.get(1)?, r.get(2)?);
            let mut finding = r.parsed(3, |json: String| Finding::read(json.as_bytes(), String::new()))?;
            finding.case = folder::read_case(&self.root().join("findings").join(&name))?;
            Ok(Row { id, folder: format!("findings/{name}"), warm, finding })
        })
    }

    fn tally(&self) -> Result<Vec<TallyRow>, StoreError> {
        let sql = "SELECT strategy, solver, what, count FROM tally ORDER BY strategy, solver, what";
        let mut found = self.rows("tally", (sql, []), |r| {
            let solver = r.parsed(1, |name: String| solver_if_any(&name))?;
            Ok((r.get(0)?, solver, r.get(2)?, r.get(3)?))
        })?;
        found.sort();
        Ok(found)
    }

    fn course(&self) -> Result<Vec<(u64, u64, u64)>, StoreError> {
        let sql = "SELECT minute, turns, findings FROM course ORDER BY minute";
        self.rows("course", (sql, []), |r| Ok((r.get(0)?, r.get(1)?, r.get(2)?)))
    }

    fn triggers(&self) -> Result<BTreeMap<String, u64>, StoreError> {
        let sql = "SELECT fingerprint, count FROM triggers";
        let rows = self.rows("triggers", (sql, []), |r| Ok((r.get(0)?, r.get(1)?)))?;
        Ok(rows.into_iter().collect())
    }

    fn reduced(&self, folder: &str) -> Result<Option<Finding>, StoreError> {
        folder::read_reduced(&self.root().join(folder))
    }

    fn releases(&self, folder: &str) -> Result<Vec<Asked>, StoreError> {
        Ok(folder::read_releases(&self.root().join(folder))?.unwrap_or_default())
    }

    fn options(&self, folder: &str) -> Result<Option<Vec<String>>, StoreError> {
        folder::read_options(&self.root().join(folder))
    }

    fn run(&self, grammar: &str, number: &str, release: &SolverId) -> Result<Option<RunRow>, StoreError> {
        let sql = "SELECT way, outcome, ending, cpu, wall, answer, model, machine FROM formulas \
                   JOIN runs ON runs.formula = formulas.id JOIN releases ON releases.id = runs.release \
                   WHERE grammar = ?1 AND number = ?2 AND releases.name = ?3";
        let found = self.rows("runs", (sql, [grammar, number, release.as_str()]), |r| run_of(r, 0))?;
        Ok(found.into_iter().next())
    }

    fn wrongs(&self) -> Result<Vec<(FormulaRow, SolverId, WrongRow)>, StoreError> {
        let sql = "SELECT formula, kind, seen, operators, summary, name, grammar, number, size, text FROM wrongs \
                   JOIN releases ON releases.id = release JOIN formulas ON formulas.id = formula \
                   ORDER BY formula, release, kind";
        self.rows("wrongs", (sql, []), |r| Ok((formula_of(r, 6)?, release_of(r, 5)?, wrong_of(r, 1)?)))
    }

    fn all_runs(&self) -> Result<AllRuns, StoreError> {
        let formulas = "SELECT id, grammar, number, size, text FROM formulas";
        let formulas = self.rows("formulas", (formulas, []), |r| Ok((r.get(0)?, formula_of(r, 1)?)))?;
        let runs = "SELECT formula, name, way, outcome, ending, cpu, wall, answer, NULL, machine FROM runs \
                    JOIN releases ON id = release";
        let runs = self.rows("runs", (runs, []), |r| Ok(((r.get(0)?, release_of(r, 1)?), run_of(r, 2)?)))?;
        let wrongs = "SELECT formula, name, kind, seen, operators, summary FROM wrongs JOIN releases ON id = release \
                      ORDER BY formula, release, kind";
        let wrongs =
            self.rows("wrongs", (wrongs, []), |r| Ok((r.get(0)?, release_of(r, 1)?, wrong_of(r, 2)?)))?;
        Ok(AllRuns { formulas: formulas.into_iter().collect(), runs: runs.into_iter().collect(), wrongs })
    }
}

impl Annotate for Sqlite {
    fn keep_reduced(&self, folder: &str, reduced: &Finding) -> Result<(), StoreError> {
        folder::write_reduced(&self.root().join(folder), reduced)
    }

    fn keep_releases(&self, folder: &str, releases: &[Asked]) -> Result<(), StoreError> {
        folder::write_releases(&self.root().join(folder), releases)
    }

    fn keep_options(&self, folder: &str, options: &[String]) -> Result<(), StoreError> {
        folder::write_options(&self.root().join(folder), options)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::Answer;
    use crate::judge::Kind;
    use crate::store::{Handed, Sink};

    fn place(name: &str) -> std::path::PathBuf {
        let place = std::env::temp_dir().join(format!("gainsay-runs-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&place);
        place
    }

    fn definition() -> Definition {
        Definition { identity: "1".to_owned(), spec: "{}".to_owned(), place: String::new() }
    }

    #[test]
    fn rows_come_back_as_they_were() {
        let place = place("rows");
        let store = Sqlite::open(&place, &definition(), false).expect("a store");
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
        assert_eq!(store.releases_asked("Core", &number).expect("rows"), [id("z3@1")]);
        assert_eq!(store.run("Core", &number, &id("z3@1")).expect("a row"), Some(run));
        assert_eq!(store.run("Core", &number, &id("z3@2")).expect("no row"), None);
        let all = store.all_runs().expect("rows");
        assert_eq!((all.formulas.len(), all.runs.len()), (1, 1));
        assert_eq!(all.wrongs, [(1, id("z3@1"), wrong.clone())]);
        assert_eq!(store.wrongs().expect("rows"), [(formula, id("z3@1"), wrong)]);
        store.database().execute("UPDATE releases SET name = 'z3@one'", []).expect("a change");
        let told = store.all_runs().expect_err("no release").to_string();
        assert!(
            told.contains("campaign.sqlite: table runs, row 1 cannot be read: `z3@one` names no solver"),
            "{told}"
        );
        drop(store);
        let _ = std::fs::remove_dir_all(&place);
    }
}
