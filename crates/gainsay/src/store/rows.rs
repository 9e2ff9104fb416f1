//! What the rows of each table mean. Every database is read by the same statements and functions.

use std::collections::BTreeMap;
use std::fmt::Display;

use super::columns::{Columns, Query, Select, all};
use super::counter::{read_letters, read_note};
use super::runs::Seen;
use super::{
    AllRuns, Counter, Definition, FirstRun, FormulaRow, Row, RunRow, SeriesRow, StoreError, TallyRow,
    TurnOutcomes, WrongRow,
};
use super::{solver_if_any, solver_of};
use crate::case::Answer;
use crate::finding::Finding;
use crate::judge::{Fault, Kind};
use crate::solver::id::SolverId;
use crate::solver::run::{AskMode, Outcome};

/// Checks that a text is a SHA-256 in hexadecimal.
pub fn digest(text: &str) -> Result<(), String> {
    match text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        true => Ok(()),
        false => Err(format!("{text:?} is no digest")),
    }
}

/// The series in a row of `series`.
pub fn series_of(row: &dyn Columns) -> Result<SeriesRow, StoreError> {
    Ok(SeriesRow {
        no: row.number(0)?,
        strategy: row.word(1)?,
        allotted: row.number(2)?,
        turns: row.number(3)?,
        ended: row.flag(4)?,
        note: row.parsed(5, read_note)?,
    })
}

/// Finds the series of a campaign.
pub const SERIES: Query<'static> = Query {
    table: "series",
    keys: 1,
    sql: "SELECT no, strategy, allotted, turns, ended, why FROM series ORDER BY no",
    words: &[],
};

/// The outcomes of turns: the series, the first of the turns, and the outcomes of each.
pub fn outcomes(store: &impl Select) -> Result<Vec<(u64, u32, Vec<TurnOutcomes>)>, StoreError> {
    let sql = "SELECT series, step, outcomes FROM turns ORDER BY series, step";
    // Every turn has an outcome for each solver of the campaign.
    let mut solvers = None;
    let mut found = Vec::new();
    store.select(&Query { table: "turns", keys: 2, sql, words: &[] }, &mut |row| {
        let turns = row.parsed(2, read_letters)?;
        for turn in &turns {
            let solvers = *solvers.get_or_insert(turn.len());
            if turn.is_empty() || turn.len() != solvers {
                return Err(
                    row.wrong(2, format!("a turn has {} outcomes, others have {solvers}", turn.len()))
                );
            }
        }
        found.push((row.number(0)?, row.number(1)?, turns));
        Ok(())
    })?;
    Ok(found)
}

/// Finds the counts of a campaign.
pub const TALLY: Query<'static> =
    Query { table: "tally", keys: 3, sql: "SELECT strategy, solver, what, count FROM tally", words: &[] };

/// The count in a row of `tally`.
pub fn tally_of(row: &dyn Columns) -> Result<TallyRow, StoreError> {
    Ok((row.word(0)?, row.parsed(1, solver_if_any)?, row.parsed(2, Counter::read)?, row.number(3)?))
}

/// Finds what minutes brought.
pub const COURSE: Query<'static> = Query {
    table: "course",
    keys: 1,
    sql: "SELECT minute, turns, findings FROM course ORDER BY minute",
    words: &[],
};

/// What a minute brought, in a row of `course`: the minute since 1970, turns, findings.
pub fn minute_of(row: &dyn Columns) -> Result<(u64, u64, u64), StoreError> {
    Ok((row.number(0)?, row.number(1)?, row.number(2)?))
}

/// Finds how often fingerprints were triggered.
pub const TRIGGERS: Query<'static> =
    Query { table: "triggers", keys: 1, sql: "SELECT fingerprint, count FROM triggers", words: &[] };

/// How often a fingerprint was triggered, in a row of `triggers`.
pub fn trigger_of(row: &dyn Columns) -> Result<(String, u64), StoreError> {
    Ok((row.word(0)?, row.number(1)?))
}

/// A row of `findings`, without the script.
pub struct FindingRow {
    /// How long its script is, in bytes, and where that is said.
    pub size: (u64, String),
    /// Its number.
    pub id: u64,
    /// The name of its folder.
    pub folder: String,
    /// Whether only a warm run showed it.
    pub warm: bool,
    /// The finding.
    pub finding: Finding,
}

impl FindingRow {
    /// The row with its script, which is kept at this place.
    pub fn with_case(self, case: String, place: &dyn Display) -> Result<Row, StoreError> {
        let FindingRow { size: (size, said), id, folder, warm, mut finding } = self;
        finding.case = case;
        if finding.case.len() as u64 != size && finding.is_of_its_case() {
            return Err(StoreError::unreadable(said, format!("the script has {} bytes", finding.case.len())));
        }
        if !finding.is_of_its_case() {
            let why = "it is not the script of the finding: another digest is in finding.json";
            return Err(StoreError::unreadable(place.to_string(), why));
        }
        Ok(Row { id, folder: format!("findings/{folder}"), warm, finding })
    }
}

/// The findings of a campaign, oldest first, without their scripts. `print` makes of a fingerprint what the database holds.
pub fn findings(store: &impl Select, print: fn(&str) -> String) -> Result<Vec<FindingRow>, StoreError> {
    let sql = "SELECT id, folder, warm, json, identity, fingerprint, size, extra FROM findings ORDER BY id";
    all(store, &Query { table: "findings", keys: 1, sql, words: &[] }, |row| {
        let finding = row.parsed(3, |json| Finding::read(json.as_bytes(), String::new()))?;
        let fits = |column: usize, expected: &str| match row.word(column)? == expected {
            true => Ok(()),
            false => Err(row.wrong(column, format!("the finding has {expected}"))),
        };
        fits(4, &finding.identity)?;
        fits(5, &print(&finding.fingerprint))?;
        let size = (row.number(6)?, row.place(6));
        row.flag(7)?;
        let (id, folder) = (row.number(0)?, row.word(1)?);
        if !folder.starts_with(&format!("{id:04}-")) {
            return Err(row.wrong(1, format!("{folder:?} does not begin with the number of the finding")));
        }
        Ok(FindingRow { size, id, folder, warm: row.flag(2)?, finding })
    })
}

/// What a solver answered to a seed, if it was asked.
pub fn answers(
    store: &impl Select,
    seed: &str,
    solver: &SolverId,
) -> Result<Option<Vec<Answer>>, StoreError> {
    let sql = "SELECT seed, solver, answers FROM answers WHERE seed = $1 AND solver = $2";
    let query = Query { table: "answers", keys: 2, sql, words: &[seed, solver.as_str()] };
    Ok(all(store, &query, |row| row.json(2))?.into_iter().next())
}

/// Reads the answers of all solvers to all seeds.
pub fn every_answer(store: &impl Select) -> Result<(), StoreError> {
    let sql = "SELECT seed, solver, answers FROM answers";
    all(store, &Query { table: "answers", keys: 2, sql, words: &[] }, |row| {
        row.parsed(0, digest)?;
        row.parsed(1, solver_of)?;
        row.json::<Vec<Answer>>(2)
    })?;
    Ok(())
}

/// What a solver did with a seed as it is, if it was asked.
pub fn first_run(store: &impl Select, seed: &str, solver: &SolverId) -> Result<Option<FirstRun>, StoreError> {
    let sql = "SELECT seed, solver, run FROM first_runs WHERE seed = $1 AND solver = $2";
    let query = Query { table: "first_runs", keys: 2, sql, words: &[seed, solver.as_str()] };
    Ok(all(store, &query, |row| row.json(2))?.into_iter().next())
}

/// Reads what all solvers did with all seeds as they are.
pub fn every_first_run(store: &impl Select) -> Result<(), StoreError> {
    let sql = "SELECT seed, solver, run FROM first_runs";
    all(store, &Query { table: "first_runs", keys: 2, sql, words: &[] }, |row| {
        row.parsed(0, digest)?;
        row.parsed(1, solver_of)?;
        row.json::<FirstRun>(2)
    })?;
    Ok(())
}

/// Reads all models that are kept with runs.
pub fn every_model(store: &impl Select) -> Result<(), StoreError> {
    let sql = "SELECT formula, release, model FROM runs WHERE model IS NOT NULL";
    all(store, &Query { table: "runs", keys: 2, sql, words: &[] }, |row| row.word(2))?;
    Ok(())
}

/// The value that a campaign says of itself under a key, if there is one.
pub fn setting(store: &impl Select, key: &str) -> Result<Option<String>, StoreError> {
    let sql = "SELECT key, value FROM campaign WHERE key = $1";
    let query = Query { table: "campaign", keys: 1, sql, words: &[key] };
    Ok(all(store, &query, |row| row.word(1))?.into_iter().next())
}

/// The definition that a campaign keeps. `place` names the row of a key.
pub fn definition(store: &impl Select, place: impl Fn(&str) -> String) -> Result<Definition, StoreError> {
    let get = |key: &str| {
        let absent = || StoreError::unreadable(place(key), "it is not there");
        setting(store, key)?.ok_or_else(absent)
    };
    let (identity, spec) = (get("identity")?, get("spec")?);
    Ok(Definition { identity, spec, place: place("spec") })
}

/// The releases of a study, by their numbers.
fn releases(store: &impl Select) -> Result<BTreeMap<u64, SolverId>, StoreError> {
    let sql = "SELECT id, name FROM releases";
    let read = |row: &dyn Columns| Ok((row.number(0)?, row.parsed(1, solver_of)?));
    Ok(all(store, &Query { table: "releases", keys: 1, sql, words: &[] }, read)?.into_iter().collect())
}

/// The formulas that a statement finds, by their numbers.
fn formulas(store: &impl Select, sql: &'static str) -> Result<BTreeMap<u64, FormulaRow>, StoreError> {
    let read = |row: &dyn Columns| {
        let number = row.word(2)?;
        if number.is_empty() || !number.bytes().all(|digit| digit.is_ascii_digit()) {
            return Err(row.wrong(2, format!("{number:?} is no number")));
        }
        let formula = FormulaRow { grammar: row.word(1)?, number, size: row.number(3)?, text: row.word(4)? };
        Ok((row.number(0)?, formula))
    };
    Ok(all(store, &Query { table: "formulas", keys: 1, sql, words: &[] }, read)?.into_iter().collect())
}

/// What a map of other rows has under the number in a column.
fn linked<'m, T>(
    row: &dyn Columns,
    column: usize,
    others: &'m BTreeMap<u64, T>,
) -> Result<&'m T, StoreError> {
    let number: u64 = row.number(column)?;
    others.get(&number).ok_or_else(|| row.wrong(column, format!("there is no row {number}")))
}

/// The run in a row of `runs`, whose first two columns are its key.
fn run_of(row: &dyn Columns) -> Result<RunRow, StoreError> {
    let outcome = |word: &str| match word {
        RunRow::UNASKED => Ok(None),
        word => word.parse::<Outcome>().map(Some),
    };
    let mode = |word: &str| {
        let known = AskMode::ALL.into_iter().find(|mode| mode.word() == word);
        known.ok_or_else(|| format!("{word:?} is no way to ask"))
    };
    let answer = row.text(7)?.map(|word| word.parse::<Answer>().map_err(|why| row.wrong(7, why)));
    let run = RunRow {
        way: row.parsed(2, mode)?,
        outcome: row.parsed(3, outcome)?,
        ending: row.json(4)?,
        cpu: row.number_if_any(5)?,
        wall: row.number(6)?,
        answer: answer.transpose()?,
        model: row.text(8)?,
        machine: row.word(9)?,
    };
    if run.outcome.is_none() != run.ending.is_none() {
        return Err(row.wrong(4, "a run that was not made has no ending, and others have one"));
    }
    Ok(run)
}

/// What is wrong in a row of `wrongs`, whose first two columns and kind are its key.
fn wrong_of(row: &dyn Columns) -> Result<WrongRow, StoreError> {
    let fault: Fault = row.json(5)?;
    let kind = row.parsed(2, str::parse::<Kind>)?;
    if kind != fault.kind() {
        return Err(row.wrong(2, format!("the fault is of kind {}", fault.kind())));
    }
    let seen = row.parsed(3, str::parse::<Seen>)?;
    Ok(WrongRow { fault, accused: row.flag(6)?, seen, operators: row.json(4)? })
}

/// What a release did with a formula, if it was asked.
pub fn run(
    store: &impl Select,
    grammar: &str,
    number: &str,
    release: &SolverId,
) -> Result<Option<RunRow>, StoreError> {
    let sql = "SELECT runs.formula, runs.release, way, outcome, ending, cpu, wall, answer, model, machine FROM runs \
               JOIN formulas ON runs.formula = formulas.id JOIN releases ON releases.id = runs.release \
               WHERE grammar = $1 AND number = $2 AND releases.name = $3";
    let query = Query { table: "runs", keys: 2, sql, words: &[grammar, number, release.as_str()] };
    Ok(all(store, &query, run_of)?.into_iter().next())
}

/// The releases that have a run of a formula.
pub fn releases_asked(store: &impl Select, grammar: &str, number: &str) -> Result<Vec<SolverId>, StoreError> {
    let sql = "SELECT releases.id, releases.name FROM releases JOIN runs ON releases.id = runs.release \
               JOIN formulas ON runs.formula = formulas.id WHERE grammar = $1 AND number = $2";
    let query = Query { table: "releases", keys: 1, sql, words: &[grammar, number] };
    all(store, &query, |row| row.parsed(1, solver_of))
}

const WRONGS: &str = "SELECT formula, release, kind, seen, operators, fault, accused FROM wrongs \
                      ORDER BY formula, release, kind";

/// Everything that is wrong with runs: the formula, the release, and what.
pub fn wrongs(store: &impl Select) -> Result<Vec<(FormulaRow, SolverId, WrongRow)>, StoreError> {
    let sql = "SELECT id, grammar, number, size, text FROM formulas WHERE id IN (SELECT formula FROM wrongs)";
    let (formulas, releases) = (formulas(store, sql)?, releases(store)?);
    all(store, &Query { table: "wrongs", keys: 3, sql: WRONGS, words: &[] }, |row| {
        let (formula, release) = (linked(row, 0, &formulas)?, linked(row, 1, &releases)?);
        Ok((formula.clone(), release.clone(), wrong_of(row)?))
    })
}

/// All runs of formulas, without models.
pub fn all_runs(store: &impl Select) -> Result<AllRuns, StoreError> {
    let formulas = formulas(store, "SELECT id, grammar, number, size, text FROM formulas")?;
    let releases = releases(store)?;
    let sql = "SELECT formula, release, way, outcome, ending, cpu, wall, answer, CAST(NULL AS TEXT), machine FROM runs";
    let runs = all(store, &Query { table: "runs", keys: 2, sql, words: &[] }, |row| {
        linked(row, 0, &formulas)?;
        Ok(((row.number(0)?, linked(row, 1, &releases)?.clone()), run_of(row)?))
    })?;
    let wrongs = all(store, &Query { table: "wrongs", keys: 3, sql: WRONGS, words: &[] }, |row| {
        linked(row, 0, &formulas)?;
        Ok((row.number(0)?, linked(row, 1, &releases)?.clone(), wrong_of(row)?))
    })?;
    Ok(AllRuns { formulas, runs: runs.into_iter().collect(), wrongs })
}
