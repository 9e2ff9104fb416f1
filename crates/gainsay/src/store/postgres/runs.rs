//! What releases did with numbered formulas, on a server.

use postgres::Transaction;

use super::Postgres;
use super::link::{Failure, plain};
use crate::case::Answer;
use crate::store::runs::{answer_of, kind_of};
use crate::store::{AllRuns, FormulaRow, Handed, RunRow, Runs, Seen, StoreError, WrongRow};

/// The run in a row, whose columns begin at `at`.
fn run_of(row: &postgres::Row, at: usize) -> RunRow {
    RunRow {
        way: row.get(at),
        outcome: row.get(at + 1),
        ending: row.get(at + 2),
        cpu: row.get::<_, Option<i64>>(at + 3).map(|n| n as u64),
        wall: row.get::<_, i64>(at + 4) as u64,
        answer: answer_of(row.get::<_, Option<&str>>(at + 5)),
        model: row.get(at + 6),
    }
}

/// What is wrong in a row, whose columns begin at `at`.
fn wrong_of(row: &postgres::Row, at: usize) -> WrongRow {
    WrongRow {
        kind: kind_of(row.get(at)),
        seen: Seen::of(row.get(at + 1)),
        operators: row.get(at + 2),
        summary: row.get(at + 3),
    }
}

/// The formula in a row, whose columns begin at `at`.
fn formula_of(row: &postgres::Row, at: usize) -> FormulaRow {
    FormulaRow {
        grammar: row.get(at),
        number: row.get(at + 1),
        size: row.get::<_, i64>(at + 2) as u64,
        text: row.get(at + 3),
    }
}

fn hand_in(change: &mut Transaction<'_>, f: &FormulaRow, handed: &[Handed]) -> Result<(), Failure> {
    change.execute(
        "INSERT INTO formulas (grammar, number, size, text) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING",
        &[&f.grammar, &f.number, &(f.size as i64), &plain(&f.text)],
    )?;
    let id: i64 = change
        .query_one("SELECT id FROM formulas WHERE grammar = $1 AND number = $2", &[&f.grammar, &f.number])?
        .get(0);
    for Handed { release, run, wrongs } in handed {
        change.execute("INSERT INTO releases (name) VALUES ($1) ON CONFLICT DO NOTHING", &[release])?;
        let release: i64 = change.query_one("SELECT id FROM releases WHERE name = $1", &[release])?.get(0);
        change.execute("DELETE FROM runs WHERE formula = $1 AND release = $2", &[&id, &release])?;
        change.execute("DELETE FROM wrongs WHERE formula = $1 AND release = $2", &[&id, &release])?;
        change.execute(
            "INSERT INTO runs VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
            &[
                &id,
                &release,
                &run.way,
                &run.outcome,
                &run.ending,
                &run.cpu.map(|n| n as i64),
                &(run.wall as i64),
                &run.answer.map(Answer::word),
                &run.model.as_deref().map(plain),
            ],
        )?;
        for w in wrongs {
            change.execute(
                "INSERT INTO wrongs VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING",
                &[&id, &release, &w.kind.word(), &w.seen.word(), &w.operators, &plain(&w.summary)],
            )?;
        }
    }
    Ok(())
}

impl Runs for Postgres {
    fn hand_in_runs(&self, formula: &FormulaRow, handed: &[Handed]) -> Result<(), StoreError> {
        self.with(|link| {
            let mut change = link.transaction()?;
            hand_in(&mut change, formula, handed)?;
            Ok(change.commit()?)
        })
    }

    fn asked(&self, grammar: &str, number: &str) -> Result<Vec<String>, StoreError> {
        let text = "SELECT releases.name FROM formulas JOIN runs ON runs.formula = formulas.id JOIN releases ON \
                    releases.id = runs.release WHERE grammar = $1 AND number = $2";
        self.with(|link| {
            let query = link.prepared(text)?;
            let rows = link.client().query(&query, &[&grammar, &number])?;
            Ok(rows.iter().map(|row| row.get(0)).collect())
        })
    }

    fn run(&self, grammar: &str, number: &str, release: &str) -> Result<Option<RunRow>, StoreError> {
        let text = "SELECT way, outcome, ending, cpu, wall, answer, model FROM formulas JOIN runs ON \
                    runs.formula = formulas.id JOIN releases ON releases.id = runs.release \
                    WHERE grammar = $1 AND number = $2 AND releases.name = $3";
        self.with(|link| {
            let query = link.prepared(text)?;
            Ok(link.client().query_opt(&query, &[&grammar, &number, &release])?.map(|row| run_of(&row, 0)))
        })
    }

    fn wrongs(&self) -> Result<Vec<(FormulaRow, String, WrongRow)>, StoreError> {
        let text = "SELECT kind, seen, operators, summary, name, grammar, number, size, text FROM wrongs JOIN releases \
                    ON releases.id = release JOIN formulas ON formulas.id = formula ORDER BY formula, release, kind";
        self.with(|link| {
            let rows = link.client().query(text, &[])?;
            Ok(rows.iter().map(|row| (formula_of(row, 5), row.get(4), wrong_of(row, 0))).collect())
        })
    }

    fn all_runs(&self) -> Result<AllRuns, StoreError> {
        self.with(|link| {
            let mut all = AllRuns::default();
            let client = link.client();
            for row in client.query("SELECT id, grammar, number, size, text FROM formulas", &[])? {
                all.formulas.insert(row.get::<_, i64>(0) as u64, formula_of(&row, 1));
            }
            let runs = "SELECT formula, name, way, outcome, ending, cpu, wall, answer, NULL::text FROM runs \
                        JOIN releases ON id = release";
            for row in client.query(runs, &[])? {
                all.runs.insert((row.get::<_, i64>(0) as u64, row.get(1)), run_of(&row, 2));
            }
            let wrongs = "SELECT formula, name, kind, seen, operators, summary FROM wrongs JOIN releases ON id = release \
                          ORDER BY formula, release, kind";
            for row in client.query(wrongs, &[])? {
                all.wrongs.push((row.get::<_, i64>(0) as u64, row.get(1), wrong_of(&row, 2)));
            }
            Ok(all)
        })
    }
}
