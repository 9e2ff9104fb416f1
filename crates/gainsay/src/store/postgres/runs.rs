//! What releases did with numbered formulas, on a server.

use super::Postgres;
use super::failure::Failure;
use super::line::Transaction;
use super::link::plain;
use super::rows::Asking;
use crate::case::Answer;
use crate::solver::id::SolverId;
use crate::store::{FormulaRow, Handed, StoreError, WrongRow, rows};

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
const WRONGS: &str = "INSERT INTO wrongs (formula, release, kind, seen, operators, fault, accused) \
    SELECT formulas.id, releases.id, kind, seen, operators, fault, accused \
    FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::bigint[]) \
    AS r (g, n, name, kind, seen, operators, fault, accused) \
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
            &of(|(_, h)| h.run.way.word().to_owned()),
            &of(|(_, h)| h.run.outcome_word().to_owned()),
            &of(|(_, h)| h.run.ending_column()),
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
    let accused: Vec<i64> = wrongs.iter().map(|(.., w)| i64::from(w.accused)).collect();
    change.execute(
        WRONGS,
        &[
            &of(|(f, ..)| f.grammar.clone()),
            &of(|(f, ..)| f.number.clone()),
            &of(|(_, release, _)| (*release).to_owned()),
            &of(|(.., w)| w.kind().word().to_owned()),
            &of(|(.., w)| w.seen.word().to_owned()),
            &of(|(.., w)| w.operators_column()),
            &of(|(.., w)| w.fault_column()),
            &accused,
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

    /// Which releases were asked about a formula. With `patient` waits for a server that is away.
    pub fn asked(&self, grammar: &str, number: &str, patient: bool) -> Result<Vec<SolverId>, StoreError> {
        rows::releases_asked(&Asking { store: self, patient }, grammar, number)
    }
}
