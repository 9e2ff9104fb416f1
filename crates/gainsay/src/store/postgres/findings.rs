//! Findings on a server: a row each, and their files as rows.

use postgres::Transaction;

use super::Postgres;
use super::link::{Failure, plain};
use crate::finding::Finding;
use crate::store::{EXTRA, KEPT, Row, StoreError, folder};

/// Keeps a finding, unless it is there; tells its number.
pub fn insert(change: &mut Transaction<'_>, finding: &Finding, warm: bool) -> Result<Option<u64>, Failure> {
    // Findings are rare: they are numbered one after another.
    change.execute("SELECT 1 FROM campaign WHERE key = 'draw' FOR UPDATE", &[])?;
    let there = change.query_opt("SELECT id FROM findings WHERE identity = $1", &[&finding.identity])?;
    if there.is_some() {
        return Ok(None);
    }
    let print = plain(&finding.fingerprint);
    let row = change.query_one(
        "SELECT coalesce(max(id), 0) + 1, \
         count(*) FILTER (WHERE fingerprint = $1 AND extra = 0) FROM findings",
        &[&print],
    )?;
    let (number, kept): (i64, i64) = (row.get(0), row.get(1));
    let extra = i64::from(kept as u64 >= KEPT);
    let name = folder::name(number as u64, finding, warm);
    let json = serde_json::to_string(finding).expect("a finding is plain");
    change.execute(
        "INSERT INTO findings VALUES ($1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11,$12,$13,$14)",
        &[
            &number,
            &finding.identity,
            &finding.kind.word(),
            &finding.against.as_deref().map(plain),
            &finding.lineage.strategy.as_ref(),
            &print,
            &name,
            &plain(&finding.summary),
            &(finding.case.len() as i64),
            &(finding.turn.series as i64),
            &i64::from(finding.turn.step),
            &extra,
            &i64::from(warm),
            &json,
        ],
    )?;
    put(change, number, &folder::files(number as u64, finding))?;
    if extra > 0 {
        let gone: Vec<i64> = change
            .query(
                "DELETE FROM findings WHERE id IN (SELECT id FROM findings WHERE fingerprint = $1 AND extra = 1 \
                 ORDER BY size, id OFFSET $2) RETURNING id",
                &[&print, &(EXTRA as i64)],
            )?
            .iter()
            .map(|row| row.get(0))
            .collect();
        change.execute("DELETE FROM files WHERE finding = ANY($1)", &[&gone])?;
    }
    Ok(Some(number as u64))
}

/// Puts files beside a finding, in the place of those of the same names.
pub fn put(change: &mut Transaction<'_>, number: i64, files: &[(String, Vec<u8>)]) -> Result<(), Failure> {
    for (name, content) in files {
        change.execute(
            "INSERT INTO files VALUES ($1, $2, $3) \
             ON CONFLICT (finding, name) DO UPDATE SET content = excluded.content",
            &[&number, name, content],
        )?;
    }
    Ok(())
}

impl Postgres {
    /// All findings, oldest first.
    pub(super) fn all_findings(&self) -> Result<Vec<Row>, StoreError> {
        let rows = self.with(|link| {
            let text = "SELECT id, folder, warm, json, content FROM findings \
                        LEFT JOIN files ON finding = id AND name = 'case.smt2' ORDER BY id";
            Ok(link.client().query(text, &[])?)
        })?;
        let read = |row: &postgres::Row| {
            let (id, name, warm): (i64, String, i64) = (row.get(0), row.get(1), row.get(2));
            let (json, case): (String, Option<Vec<u8>>) = (row.get(3), row.get(4));
            let Ok(mut finding) = serde_json::from_str::<Finding>(&json) else {
                let why = format!("finding {id} is not readable");
                return Err(StoreError::Refused { place: self.address.to_string(), why });
            };
            finding.case = String::from_utf8_lossy(&case.unwrap_or_default()).into_owned();
            Ok(Row { id: id as u64, folder: format!("findings/{name}"), warm: warm != 0, finding })
        };
        rows.iter().map(read).collect()
    }

    /// A file beside a finding, if it is there.
    pub(super) fn file(&self, folder: &str, file: &str) -> Result<Option<Vec<u8>>, StoreError> {
        let name = folder.strip_prefix("findings/").unwrap_or(folder);
        self.with(|link| {
            let text =
                "SELECT content FROM files JOIN findings ON id = finding WHERE folder = $1 AND name = $2";
            let query = link.prepared(text)?;
            Ok(link.client().query_opt(&query, &[&name, &file])?.map(|row| row.get(0)))
        })
    }

    /// Puts files beside a finding.
    pub(super) fn put_files(&self, folder: &str, files: &[(String, Vec<u8>)]) -> Result<(), StoreError> {
        let name = folder.strip_prefix("findings/").unwrap_or(folder);
        self.with(|link| {
            let mut change = link.transaction()?;
            let row = change.query_one("SELECT id FROM findings WHERE folder = $1", &[&name])?;
            put(&mut change, row.get(0), files)?;
            Ok(change.commit()?)
        })
    }
}
