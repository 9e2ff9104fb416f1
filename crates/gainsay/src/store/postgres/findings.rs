//! Findings on a server: a row each, and their files as rows.

use std::collections::{HashMap, HashSet};

use tokio_postgres::Statement;
use tokio_postgres::types::ToSql;

use super::failure::Failure;
use super::line::Transaction;
use super::link::{Link, plain};
use super::{Postgres, there_is};
use crate::finding::Finding;
use crate::store::columns::{self, Query};
use crate::store::{EXTRA, KEPT, Row, StoreError, folder, rows};

/// Findings are rare: they are numbered one after another, and are on the server's disk when it says so.
const ALONE: &str = concat!(
    "SELECT set_config('synchronous_commit', 'on', true), ",
    there_is!(),
    " FROM campaign WHERE key = 'identity' FOR UPDATE"
);
/// Which of these findings are there.
const THERE: &str = "SELECT identity FROM findings WHERE identity = ANY ($1)";
/// The last number, and how many findings of each of these fingerprints are kept as they came.
const KNOWN: &str = "SELECT (SELECT coalesce(max(id), 0) FROM findings), print, \
    (SELECT count(*) FROM findings WHERE fingerprint = print AND extra = 0) FROM unnest($1::text[]) AS print";
const ROWS: &str = "INSERT INTO findings SELECT * FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[], \
    $5::bigint[], $6::bigint[], $7::bigint[], $8::text[])";
const FILES: &str = "INSERT INTO files SELECT * FROM unnest($1::bigint[], $2::text[], $3::bytea[]) \
    ON CONFLICT (finding, name) DO UPDATE SET content = excluded.content";
/// Lets go of the largest of the extra findings of fingerprints that have too many.
const THIN: &str = "WITH ranked AS (SELECT id, row_number() OVER (PARTITION BY fingerprint ORDER BY size, id) AS place \
    FROM findings WHERE fingerprint = ANY ($1) AND extra = 1), \
    gone AS (DELETE FROM findings USING ranked WHERE findings.id = ranked.id AND place > $2 RETURNING findings.id) \
    DELETE FROM files USING gone WHERE finding = gone.id";

/// The statements for findings.
pub struct Statements([Statement; 6]);

/// Prepares what findings need.
pub fn statements(link: &mut Link) -> Result<Statements, Failure> {
    Ok(Statements(link.all([ALONE, THERE, KNOWN, ROWS, FILES, THIN])?))
}

/// Keeps findings of a campaign, but for those that are there; tells their numbers. However many there are, it takes a few statements: over a bad
/// connection many would never come to an end.
pub fn insert(
    change: &mut Transaction<'_>,
    Statements([alone, there, known, rows, files, thin]): &Statements,
    campaign: &str,
    findings: &[(Finding, bool)],
) -> Result<Vec<Option<u64>>, Failure> {
    if change.query_one(alone, &[])?.get::<_, &str>(1) != campaign {
        return Err(Failure::Replaced);
    }
    let identities: Vec<&str> = findings.iter().map(|(f, _)| f.identity.as_str()).collect();
    let mut seen: HashSet<String> =
        change.query(there, &[&identities])?.iter().map(|row| row.get(0)).collect();
    let prints: Vec<String> = findings.iter().map(|(f, _)| plain(&f.fingerprint)).collect();
    let mut kept: HashMap<String, i64> = HashMap::new();
    let mut last = 0_i64;
    for row in change.query(known, &[&prints])? {
        last = row.get(0);
        kept.insert(row.get(1), row.get(2));
    }
    let mut numbers = Vec::with_capacity(findings.len());
    let mut table = Table::default();
    let mut crowded: Vec<&String> = Vec::new();
    for ((finding, warm), print) in findings.iter().zip(&prints) {
        if !seen.insert(finding.identity.clone()) {
            numbers.push(None);
            continue;
        }
        last += 1;
        let kept = kept.entry(print.clone()).or_default();
        let extra = *kept as u64 >= KEPT;
        if extra {
            crowded.push(print);
        } else {
            *kept += 1;
        }
        table.add(last, finding, print, extra, *warm);
        numbers.push(Some(last as u64));
    }
    table.write(change, rows, files)?;
    if !crowded.is_empty() {
        change.execute(thin, &[&crowded, &(EXTRA as i64)])?;
    }
    Ok(numbers)
}

/// Rows of findings and of their files, column by column.
#[derive(Default)]
struct Table {
    numbers: [Vec<i64>; 4],
    texts: [Vec<String>; 4],
    files: (Vec<i64>, Vec<String>, Vec<Vec<u8>>),
}

impl Table {
    fn add(&mut self, number: i64, finding: &Finding, print: &str, extra: bool, warm: bool) {
        let numbers = [number, finding.case.len() as i64, i64::from(extra), i64::from(warm)];
        let texts = [
            finding.identity.clone(),
            print.to_owned(),
            folder::name(number as u64, finding, warm),
            serde_json::to_string(finding).expect("a finding is plain"),
        ];
        self.numbers.iter_mut().zip(numbers).for_each(|(column, n)| column.push(n));
        self.texts.iter_mut().zip(texts).for_each(|(column, text)| column.push(text));
        for (name, content) in folder::files(number as u64, finding) {
            self.files.0.push(number);
            self.files.1.push(name);
            self.files.2.push(content);
        }
    }

    fn write(
        &self,
        change: &mut Transaction<'_>,
        rows: &Statement,
        files: &Statement,
    ) -> Result<(), Failure> {
        let [id, size, extra, warm] = &self.numbers;
        let [identity, print, folder, json] = &self.texts;
        let row: [&(dyn ToSql + Sync); 8] = [id, identity, print, folder, size, extra, warm, json];
        change.execute(rows, &row)?;
        change.execute(files, &[&self.files.0, &self.files.1, &self.files.2])?;
        Ok(())
    }
}

/// Puts files beside a finding, in the place of those of the same names.
fn put(change: &mut Transaction<'_>, number: i64, files: &[(String, Vec<u8>)]) -> Result<(), Failure> {
    let (names, contents): (Vec<&String>, Vec<&[u8]>) = files.iter().map(|(n, c)| (n, c.as_slice())).unzip();
    change.execute(FILES, &[&vec![number; files.len()], &names, &contents])?;
    Ok(())
}

impl Postgres {
    /// All findings, oldest first.
    pub(super) fn all_findings(&self) -> Result<Vec<Row>, StoreError> {
        let sql = "SELECT finding, name, content FROM files WHERE name = 'case.smt2'";
        let query = Query { table: "files", keys: 2, sql, words: &[] };
        let cases = columns::all(self, &query, |row| {
            let bytes = row.bytes(2)?.unwrap_or_default();
            let case = String::from_utf8(bytes).map_err(|e| row.wrong(2, e))?;
            Ok((row.number(0)?, case))
        })?;
        let mut cases: HashMap<u64, String> = cases.into_iter().collect();
        let with_case = |row: rows::FindingRow| {
            let place = self.place("files", &format!("{}, {}", row.id, folder::CASE));
            let lost = || StoreError::unreadable(place.clone(), "it is not there");
            let case = cases.remove(&row.id).ok_or_else(lost)?;
            row.with_case(case, &place)
        };
        rows::findings(self, plain)?.into_iter().map(with_case).collect()
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

    /// What a file beside a finding says; none if it is not there.
    pub(super) fn json<T: serde::de::DeserializeOwned>(
        &self,
        folder: &str,
        file: &str,
    ) -> Result<Option<T>, StoreError> {
        let place = || self.place("files", &format!("{folder}/{file}"));
        let read =
            |json: Vec<u8>| serde_json::from_slice(&json).map_err(|e| StoreError::unreadable(place(), e));
        self.file(folder, file)?.map(read).transpose()
    }

    /// Puts files beside a finding.
    pub(super) fn put_files(&self, folder: &str, files: &[(String, Vec<u8>)]) -> Result<(), StoreError> {
        let name = folder.strip_prefix("findings/").unwrap_or(folder);
        self.with(|link| {
            let mut change = link.transaction()?;
            let row = change.query_one("SELECT id FROM findings WHERE folder = $1", &[&name])?;
            put(&mut change, row.get(0), files)?;
            change.commit()
        })
    }
}
