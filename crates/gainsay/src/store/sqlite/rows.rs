//! Rows of the database, read with their place.

use rusqlite::Row;
use rusqlite::types::ValueRef;

use super::{FILE, Sqlite};
use crate::store::StoreError;
use crate::store::columns::{Cell, Columns, EachRow, Query, Select, row_place};

/// A row that is being read.
struct Reading<'a> {
    store: &'a Sqlite,
    query: &'a Query<'a>,
    row: &'a Row<'a>,
}

impl Columns for Reading<'_> {
    fn database(&self) -> String {
        self.store.database_place()
    }

    fn table(&self) -> (&str, usize) {
        (self.query.table, self.query.keys)
    }

    fn name(&self, column: usize) -> &str {
        self.row.as_ref().column_name(column).unwrap_or("?")
    }

    fn cell(&self, column: usize) -> Result<Cell, String> {
        Ok(match self.row.get_ref(column).map_err(|e| e.to_string())? {
            ValueRef::Null => Cell::Empty,
            ValueRef::Integer(number) => Cell::Integer(number),
            ValueRef::Real(number) => return Err(format!("{number} is no whole number")),
            ValueRef::Text(text) => match std::str::from_utf8(text) {
                Ok(text) => Cell::Text(text.to_owned()),
                Err(e) => return Err(e.to_string()),
            },
            ValueRef::Blob(bytes) => Cell::Bytes(bytes.to_vec()),
        })
    }
}

impl Select for Sqlite {
    fn select(&self, query: &Query<'_>, each: EachRow<'_>) -> Result<(), StoreError> {
        let database = self.database();
        let mut statement = database.prepare_cached(query.sql)?;
        let mut rows = statement.query(rusqlite::params_from_iter(query.words))?;
        while let Some(row) = rows.next()? {
            each(&Reading { store: self, query, row })?;
        }
        Ok(())
    }
}

impl Sqlite {
    /// The file of the database.
    fn database_place(&self) -> String {
        self.root().join(FILE).display().to_string()
    }

    /// The place of a row.
    pub(super) fn place(&self, table: &str, row: &str) -> String {
        row_place(&self.database_place(), table, row)
    }
}
