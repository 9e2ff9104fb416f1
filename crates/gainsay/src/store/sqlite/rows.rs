//! Rows of the database, read with their place: what is wrong with one is told with its table and key.

use rusqlite::types::{FromSql, ValueRef};
use rusqlite::{Params, Row};

use super::{FILE, Sqlite};
use crate::store::StoreError;

/// A row that is being read.
pub struct Reading<'a> {
    row: &'a Row<'a>,
    place: &'a dyn Fn() -> String,
}

impl Reading<'_> {
    /// The value of a column.
    pub fn get<T: FromSql>(&self, column: usize) -> Result<T, StoreError> {
        self.row.get(column).map_err(|e| StoreError::unreadable((self.place)(), e))
    }

    /// What a column means, if it means something.
    pub fn parsed<T: FromSql, U, E: std::fmt::Display>(
        &self,
        column: usize,
        read: impl FnOnce(T) -> Result<U, E>,
    ) -> Result<U, StoreError> {
        read(self.get(column)?).map_err(|e| StoreError::unreadable((self.place)(), e))
    }
}

impl Sqlite {
    /// The place of a row in words.
    pub(super) fn place(&self, table: &str, key: &str) -> String {
        format!("{}: table {table}, row {key}", self.root().join(FILE).display())
    }

    /// What went wrong while a row was read: what stands in it, or the database.
    pub(super) fn unreadable(&self, table: &str, key: &str, e: rusqlite::Error) -> StoreError {
        match e {
            rusqlite::Error::InvalidColumnType(..)
            | rusqlite::Error::FromSqlConversionFailure(..)
            | rusqlite::Error::IntegralValueOutOfRange(..) => {
                StoreError::unreadable(self.place(table, key), e)
            }
            other => other.into(),
        }
    }

    /// Reads the rows that a query finds, mainly of this table; their first column tells which they are.
    pub(super) fn rows<T>(
        &self,
        table: &str,
        (sql, params): (&str, impl Params),
        mut read: impl FnMut(&Reading<'_>) -> Result<T, StoreError>,
    ) -> Result<Vec<T>, StoreError> {
        let database = self.database();
        let mut query = database.prepare_cached(sql)?;
        let mut rows = query.query(params)?;
        let mut found = Vec::new();
        while let Some(row) = rows.next()? {
            let place = || self.place(table, &row.get_ref(0).map_or_else(|_| "?".to_owned(), shown));
            found.push(read(&Reading { row, place: &place })?);
        }
        Ok(found)
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
