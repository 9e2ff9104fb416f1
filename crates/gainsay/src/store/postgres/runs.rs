//! What releases did with numbered formulas, on a server.

use super::Postgres;
use super::line::Transaction;
use super::link::{Failure, plain};
use crate::case::Answer;
use crate::solver::id::SolverId;
use crate::store::runs::{answer_of, kind_of};
use crate::store::{AllRuns, FormulaRow, Handed, RunRow, Seen, StoreError, WrongRow, solver_of};

/// The run in a row, whose columns begin at `at`.
fn run_of(row: &tokio_postgres::Row, at: usize) -> Result<RunRow, StoreError> {
    let wrong = |e| StoreError::unreadable("a row of table runs", e);
    Ok(RunRow {
        way: row.get(at),
        outcome: row.get(at + 1),
        ending: row.get(at + 2),
        cpu: row.get::<_, Option<i64>>(at + 3).map(|n| n as u64),
        wall: row.get::<_, i64>(at + 4) as u64,
        answer: answer_of(row.get::<_, Option<&str>>(at + 5)).map_err(wrong)?,
        model: row.get(at + 6),
        machine: row.get(at + 7),
    })
}

/// What is wrong in a row, whose columns begin at `at`.
fn wrong_of(row: &tokio_postgres::Row, at: usize) -> Result<WrongRow, StoreError> {
    let wrong = |e| StoreError::unreadable("a row of table wrongs", e);
    Ok(WrongRow {
        kind: kind_of(row.get(at)).map_err(wrong)?,
        seen: Seen::of(row.get(at + 1)).map_err(wrong)?,
        operators: row.get(at + 2),
        summary: row.get(at + 3),
    })
}

/// The formula in a row, whose columns begin at `at`.
fn formula_of(row: &tokio_postgres::Row, at: usize) -> FormulaRow {
    FormulaRow {
        grammar: row.get(at),
        number: row.get(at + 1),
        size: row.get::<_, i64>(at + 2) as u64,
        text: row.get(at + 3),
    }
}

/// Formulas, releases, runs and what is wrong with them, each table at once. Whoever writes the same rows at the same moment
/// writes them in the same order.
const FORMULAS: &str = "INSERT INTO formulas (grammar, number, size, text) \
    SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[], $4::text[]) AS r (g, n, s, t) ORDER BY g, n \
    ON CONFLICT DO NOTHING";
const RELEASES: &str = "INSERT INTO releases (name) \
    SELECT DISTINCT name FROM unnest($1::text[]) AS r (name) WHERE name NOT IN (SELECT name FROM releases) ORDER BY name \
    ON CONFLICT DO NOTHING";
const RUNS: &str = "INSERT INTO runs (formula, release, way, outcome, ending, cpu, wall, answer, model, machine) \
    SELECT formulas.id, releases.id, way, outcome, ending, cpu, wall, answer, model, machine \
    FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::bigint[], $8::bigint[], \
    $9::text[], $10::text[], $11::text[]) AS r (g, n, name, way, outcome, ending, cpu, wall, answer, model, machine) \
    JOIN formulas ON (grammar, number) = (g, n) JOIN releases USING (name) ORDER BY 1, 2 \
    ON CONFLICT (formula, release) DO UPDATE SET way = excluded.way, outcome = excluded.outcome, ending = excluded.ending, \
    cpu = excluded.cpu, wall = excluded.wall, answer = excluded.answer, model = excluded.model, machine = excluded.machine";
const RIGHT: &str = "DELETE FROM wrongs USING unnest($1::text[], $2::text[], $3::text[]) AS r (g, n, name), formulas, releases \
    WHERE (grammar, number) = (g, n) AND releases.name = r.name AND formula = formulas.id AND release = releases.id";
const WRONGS: &str = "INSERT INTO wrongs (formula, release, kind, seen, operators, summary) \
    SELECT formulas.id, releases.id, kind, seen, operators, summary \
    FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[]) \
    AS r (g, n, name, kind, seen, operators, summary) \
    JOIN formulas ON (grammar, number) = (g, n) JOIN releases USING (name) ORDER BY 1, 2 ON CONFLICT DO NOTHING";

/// Takes in runs of formulas; those that are there are replaced.
pub(super) fn insert(
    change: &mut Transaction<'_>,
    runs: &[(FormulaRow, Vec<Handed>)],
) -> Result<(), Failure> {
    let formulas: Vec<&FormulaRow> = runs.iter().map(|(formula, _)| formula).collect();
    let texts =
        |get: fn(&FormulaRow) -> &str| formulas.iter().map(|f| plain(get(f))).collect::<Vec<String>>();
    let sizes: Vec<i64> = formulas.iter().map(|f| f.size as i64).collect();
    change
        .execute(FORMULAS, &[&texts(|f| &f.grammar), &texts(|f| &f.number), &sizes, &texts(|f| &f.text)])?;
    let all: Vec<(&FormulaRow, &Handed)> =
        runs.iter().flat_map(|(f, handed)| handed.iter().map(move |h| (f, h))).collect();
    let of = |get: fn(&(&FormulaRow, &Handed)) -> String| all.iter().map(get).collect::<Vec<String>>();
    let (grammars, numbers) = (of(|(f, _)| f.grammar.clone()), of(|(f, _)| f.number.clone()));
    let releases = of(|(_, h)| h.release.to_string());
    change.execute(RELEASES, &[&releases])?;
    let cpu: Vec<Option<i64>> = all.iter().map(|(_, h)| h.run.cpu.map(|n| n as i64)).collect();
    let wall: Vec<i64> = all.iter().map(|(_, h)| h.run.wall as i64).collect();
    let answers: Vec<Option<&str>> = all.iter().map(|(_, h)| h.run.answer.map(Answer::word)).collect();
    let models: Vec<Option<String>> = all.iter().map(|(_, h)| h.run.model.as_deref().map(plain)).collect();
    change.execute(
        RUNS,
        &[
            &grammars,
            &numbers,
            &releases,
            &of(|(_, h)| h.run.way.clone()),
            &of(|(_, h)| h.run.outcome.clone()),
            &of(|(_, h)| h.run.ending.clone()),
            &cpu,
            &wall,
            &answers,
            &models,
            &of(|(_, h)| plain(&h.run.machine)),
        ],
    )?;
    change.execute(RIGHT, &[&grammars, &numbers, &releases])?;
    let wrongs: Vec<(&FormulaRow, &str, &WrongRow)> =
        all.iter().flat_map(|(f, h)| h.wrongs.iter().map(|w| (*f, h.release.as_str(), w))).collect();
    let of = |get: fn(&(&FormulaRow, &str, &WrongRow)) -> String| wrongs.iter().map(get).collect::<Vec<_>>();
    change.execute(
        WRONGS,
        &[
            &of(|(f, ..)| f.grammar.clone()),
            &of(|(f, ..)| f.number.clone()),
            &of(|(_, release, _)| (*release).to_owned()),
            &of(|(.., w)| w.kind.word().to_owned()),
            &of(|(.., w)| w.seen.word().to_owned()),
            &of(|(.., w)| w.operators.clone()),
            &of(|(.., w)| plain(&w.summary)),
        ],
    )?;
    Ok(())
}

impl Postgres {
    /// Takes in runs of one formula; those that are there are replaced.
    pub(super) fn insert_runs(&self, formula: &FormulaRow, handed: &[Handed]) -> Result<(), StoreError> {
        self.with(|link| {
            let mut change = link.transaction()?;
            insert(&mut change, &[(formula.clone(), handed.to_vec())])?;
            change.commit()
        })
    }

    /// What a release did with a formula, if it was asked.
    pub(super) fn run_of(
        &self,
        grammar: &str,
        number: &str,
        release: &SolverId,
    ) -> Result<Option<RunRow>, StoreError> {
        let text = "SELECT way, outcome, ending, cpu, wall, answer, model, machine FROM formulas JOIN runs ON \
                    runs.formula = formulas.id JOIN releases ON releases.id = runs.release \
                    WHERE grammar = $1 AND number = $2 AND releases.name = $3";
        self.with(|link| {
            let query = link.prepared(text)?;
            let row = link.client().query_opt(&query, &[&grammar, &number, &release.as_str()])?;
            Ok(row.map(|row| run_of(&row, 0)).transpose()?)
        })
    }

    /// All that is wrong with runs.
    pub(super) fn all_wrongs(&self) -> Result<Vec<(FormulaRow, SolverId, WrongRow)>, StoreError> {
        let text = "SELECT kind, seen, operators, summary, name, grammar, number, size, text FROM wrongs JOIN releases \
                    ON releases.id = release JOIN formulas ON formulas.id = formula ORDER BY formula, release, kind";
        self.with(|link| {
            let rows = link.client().query(text, &[])?;
            let read = |row| Ok((formula_of(row, 5), self.release(row, 4)?, wrong_of(row, 0)?));
            rows.iter().map(read).collect()
        })
    }

    /// All runs of formulas.
    pub(super) fn every_run(&self) -> Result<AllRuns, StoreError> {
        self.with(|link| {
            let mut all = AllRuns::default();
            let client = link.client();
            for row in client.query("SELECT id, grammar, number, size, text FROM formulas", &[])? {
                all.formulas.insert(row.get::<_, i64>(0) as u64, formula_of(&row, 1));
            }
            let runs = "SELECT formula, name, way, outcome, ending, cpu, wall, answer, NULL::text, machine FROM runs \
                        JOIN releases ON id = release";
            for row in client.query(runs, &[])? {
                all.runs.insert((row.get::<_, i64>(0) as u64, self.release(&row, 1)?), run_of(&row, 2)?);
            }
            let wrongs = "SELECT formula, name, kind, seen, operators, summary FROM wrongs JOIN releases ON id = release \
                          ORDER BY formula, release, kind";
            for row in client.query(wrongs, &[])? {
                all.wrongs.push((row.get::<_, i64>(0) as u64, self.release(&row, 1)?, wrong_of(&row, 2)?));
            }
            Ok(all)
        })
    }

    /// The release in a column of a row.
    fn release(&self, row: &tokio_postgres::Row, column: usize) -> Result<SolverId, StoreError> {
        let name: &str = row.get(column);
        solver_of(name).map_err(|e| StoreError::unreadable(self.place("releases", name), e))
    }

    /// Which releases were asked about a formula. With `patient` waits for a server that is away.
    pub fn asked(&self, grammar: &str, number: &str, patient: bool) -> Result<Vec<SolverId>, StoreError> {
        let text = "SELECT releases.name FROM formulas JOIN runs ON runs.formula = formulas.id JOIN releases ON \
                    releases.id = runs.release WHERE grammar = $1 AND number = $2";
        self.perhaps(patient, |link| {
            let query = link.prepared(text)?;
            let rows = link.client().query(&query, &[&grammar, &number])?;
            rows.iter().map(|row| Ok(self.release(row, 0)?)).collect()
        })
    }
}
