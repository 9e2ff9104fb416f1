//! Moving a campaign between a folder and a server, row by row.

use super::{Place, Postgres, Reader, Sqlite, StoreError};
use crate::solver::id::SolverId;

/// The tables that are copied as they are, and their columns. What workers hold at the moment is not copied, and counts are
/// asked for, since some may wait to be added up.
const TABLES: &[(&str, &str)] = &[
    ("campaign", "key, value"),
    ("series", "no, strategy, allotted, turns, ended, why"),
    ("turns", "series, step, outcomes"),
    ("answers", "seed, solver, answers"),
    ("first_runs", "seed, solver, run"),
    ("findings", "id, identity, fingerprint, folder, size, extra, warm, json"),
    ("formulas", "id, grammar, number, size, text"),
    ("releases", "id, name"),
    ("runs", "formula, release, way, outcome, ending, cpu, wall, answer, model, machine"),
    ("wrongs", "formula, release, kind, seen, operators, fault, accused"),
    ("texts", "digest, content"),
    ("seeds", "place, name, digest"),
];

/// What belongs to one store and not to its campaign.
const OWN: &[&str] = &["format", "cursor", "id"];

/// What a campaign says of itself while it is being copied; then it is none yet.
pub const COPYING: &str = "copying";

/// The value in a column.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// There is no value.
    Null,
    /// A number.
    Number(i64),
    /// A text.
    Text(String),
    /// A sequence of bytes.
    Bytes(Vec<u8>),
}

/// Rows of a table.
pub type Rows = Vec<Vec<Cell>>;
/// A function that takes some rows.
pub type Take<'a> = &'a mut dyn FnMut(Rows) -> Result<(), StoreError>;

/// A store whose rows can be read and written.
pub trait Tables: Reader {
    /// Reads the rows of a table, some at a time.
    fn each(&self, table: &str, columns: &str, take: Take<'_>) -> Result<(), StoreError>;

    /// Writes rows to a table, in the place of those of the same key.
    fn put(&self, table: &str, columns: &str, rows: &Rows) -> Result<(), StoreError>;

    /// The files of a finding; `folder` is the one of its row.
    fn files(&self, folder: &str) -> Result<Vec<(String, Vec<u8>)>, StoreError>;

    /// Where a file of a finding is, in words.
    fn file_place(&self, folder: &str, file: &str) -> String;

    /// Keeps the files of a finding.
    fn keep_files(&self, folder: &str, files: &[(String, Vec<u8>)]) -> Result<(), StoreError>;

    /// Puts in order what depends on rows that were written, and says that the copy is whole.
    fn settle(&self) -> Result<(), StoreError>;
}

/// The counts of a copy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Copied {
    /// Rows of all tables.
    pub rows: u64,
    /// Findings of the campaign.
    pub findings: u64,
}

/// Copies a campaign to a place that has none, or a part of a copy. Nobody may write to it meanwhile.
pub fn copy(from: &Place, to: &Place) -> Result<Copied, StoreError> {
    let from: Box<dyn Tables> = match from {
        Place::Folder(folder) => Box::new(Sqlite::look_alone(folder)?),
        Place::Server(address) => {
            let store = Postgres::look(address)?;
            let open = store.status()?.open;
            if open > 0 {
                let why =
                    format!("workers hold {open} leases; stop them first, or wait until those have ended");
                return Err(StoreError::Refused { place: address.to_string(), why });
            }
            Box::new(store)
        }
    };
    let definition = from.definition()?;
    let to: Box<dyn Tables> = match to {
        Place::Folder(folder) => Box::new(Sqlite::receive(folder, &definition)?),
        Place::Server(address) => Box::new(Postgres::receive(address, &definition)?),
    };
    let mut copied = Copied::default();
    for (table, columns) in TABLES {
        from.each(table, columns, &mut |mut rows: Rows| {
            let own = |row: &Vec<Cell>| OWN.iter().any(|key| row[0] == Cell::Text((*key).to_owned()));
            rows.retain(|row| *table != "campaign" || !own(row));
            copied.rows += rows.len() as u64;
            to.put(table, columns, &rows)
        })?;
    }
    let (text, number) = (|t: &str| Cell::Text(t.to_owned()), |n: u64| Cell::Number(n as i64));
    let tally = from.tally()?;
    let tally: Rows = tally
        .iter()
        .map(|(a, b, c, n)| {
            vec![text(a), text(b.as_ref().map_or("", SolverId::as_str)), text(&c.column()), number(*n)]
        })
        .collect();
    to.put("tally", "strategy, solver, what, count", &tally)?;
    let triggers: Rows = from.triggers()?.iter().map(|(print, n)| vec![text(print), number(*n)]).collect();
    to.put("triggers", "fingerprint, count", &triggers)?;
    let course = from.course()?;
    let course: Rows = course.iter().map(|(m, t, f)| vec![number(*m), number(*t), number(*f)]).collect();
    to.put("course", "minute, turns, findings", &course)?;
    copied.rows += (tally.len() + triggers.len() + course.len()) as u64;
    for row in from.findings()? {
        to.keep_files(&row.folder, &from.files(&row.folder)?)?;
        copied.findings += 1;
    }
    to.settle()?;
    Ok(copied)
}
