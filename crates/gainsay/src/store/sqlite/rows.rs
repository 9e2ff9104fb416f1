//! Rows of the database, read with their place.

use rusqlite::Row;
use rusqlite::types::{FromSql, ValueRef};

use super::{FILE, Sqlite};
use crate::store::StoreError;
use crate::store::rows::{Columns, EachRow, Query, Select};

/// A row that is being read.
struct Reading<'a> {
    store: &'a Sqlite,
    query: &'a Query<'a>,
    row: &'a Row<'a>,
}

impl Reading<'_> {
    fn get<T: FromSql>(&self, column: usize) -> Result<Option<T>, StoreError> {
        self.row.get(column).map_err(|e| StoreError::unreadable(self.place(column), e))
    }
}

impl Columns for Reading<'_> {
    fn place(&self, column: usize) -> String {
        let value = |i: usize| self.row.get_ref(i).map_or_else(|_| "?".to_owned(), shown);
        let key: Vec<String> = (0..self.query.keys).map(value).collect();
        let column = self.row.as_ref().column_name(column).unwrap_or("?");
        format!("{}, column {column}", self.store.place(self.query.table, &key.join(", ")))
    }

    fn integer(&self, column: usize) -> Result<Option<i64>, StoreError> {
        self.get(column)
    }

    fn text(&self, column: usize) -> Result<Option<String>, StoreError> {
        self.get(column)
    }

    fn bytes(&self, column: usize) -> Result<Option<Vec<u8>>, StoreError> {
        self.get(column)
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
    /// The place of a row in words.
    pub(super) fn place(&self, table: &str, key: &str) -> String {
        format!("{}: table {table}, row {key}", self.root().join(FILE).display())
    }
}

/// A value in words.
fn shown(value: ValueRef<'_>) -> String {
    match value {
        ValueRef::Null => "NULL".to_owned(),
        ValueRef::Integer(n) => n.to_string(),
        ValueRef::Real(x) => x.to_string(),
        ValueRef::Text(text) => String::from_utf8_lossy(text).into_owned(),
        ValueRef::Blob(bytes) => format!("of {} bytes", bytes.len()),
    }
}
