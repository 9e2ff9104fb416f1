//! The check of what only campaigns of many machines have.

use super::Postgres;
use super::lease::ranges;
use crate::store::columns::{self, Columns, Query};
use crate::store::lease_result::Counts;
use crate::store::rows;
use crate::store::{StoreError, no_work};

/// Checks that a row is as it was written.
type Check = fn(&dyn Columns) -> Result<(), StoreError>;

/// The tables that workers use, with what is read of each row.
const TABLES: &[(&str, usize, &str, Check)] = &[
    ("seeds", 1, "SELECT place, name, digest FROM seeds", |row| {
        row.number::<u64>(0)?;
        row.word(1)?;
        row.parsed(2, rows::digest)
    }),
    ("texts", 1, "SELECT digest, content FROM texts", |row| {
        let content = row.bytes(1)?.unwrap_or_default();
        match row.word(0)? == sha256(&content) {
            true => Ok(()),
            false => Err(row.wrong(1, "it has another digest")),
        }
    }),
    ("files", 2, "SELECT finding, name FROM files WHERE finding NOT IN (SELECT id FROM findings)", |row| {
        Err(row.wrong(0, "there is no such finding"))
    }),
    (
        "workers",
        1,
        "SELECT id, machine, process, jobs, began, seen, turns, gone, note, lease FROM workers",
        |row| {
            row.word(1)?;
            row.parsed(8, no_work::read_column)?;
            row.flag(7)?;
            [0, 2, 3, 4, 5, 6, 9].into_iter().try_for_each(|column| row.number::<u64>(column).map(|_| ()))
        },
    ),
    ("leases", 1, "SELECT id, worker, began, until, done, ranges, counts FROM leases", |row| {
        [0, 1, 2, 3].into_iter().try_for_each(|column| row.number::<u64>(column).map(|_| ()))?;
        ranges(&row.word(5)?, || row.place(5)).map(|_| ())?;
        if row.flag(4)? {
            row.json::<Counts>(6)?;
        } else if !row.word(6)?.is_empty() {
            return Err(row.wrong(6, "a lease that is open has no counts"));
        }
        Ok(())
    }),
    ("waiting", 1, "SELECT id, ranges, marked FROM waiting", |row| {
        row.number::<u64>(0)?;
        row.flag(2)?;
        ranges(&row.word(1)?, || row.place(1)).map(|_| ())
    }),
    ("campaign", 1, "SELECT key, value FROM campaign", |row| match row.word(0)?.as_str() {
        "over" => row.parsed(1, |word| match word {
            "yes" | "no" => Ok(()),
            _ => Err(format!("{word:?} is neither yes nor no")),
        }),
        "id" => row.parsed(1, hexadecimal),
        _ => Ok(()),
    }),
];

/// Checks that a text is a number in hexadecimal.
fn hexadecimal(text: &str) -> Result<(), String> {
    match !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        true => Ok(()),
        false => Err(format!("{text:?} is not hexadecimal")),
    }
}

fn sha256(content: &[u8]) -> String {
    use sha2::{Digest, Sha256};
    format!("{:x}", Sha256::digest(content))
}

impl Postgres {
    /// Reads the rows that only campaigns of many machines have.
    pub(in crate::store) fn check_shared(&self) -> Result<(), StoreError> {
        self.turns()?;
        for &(table, keys, sql, check) in TABLES {
            columns::all(self, &Query { table, keys, sql, words: &[] }, check)?;
        }
        self.seeds().map(|_| ())
    }
}
