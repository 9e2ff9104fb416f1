//! Rows of a server, read with their place.

use tokio_postgres::Row;
use tokio_postgres::types::{FromSqlOwned, ToSql, Type};

use super::Postgres;
use crate::store::StoreError;
use crate::store::rows::{Columns, EachRow, Query, Select};

/// A row that is being read.
pub struct Reading<'a> {
    /// The address of the campaign.
    pub place: &'a dyn std::fmt::Display,
    /// The table that the row is of.
    pub table: &'a str,
    /// How many of its first columns tell which row it is.
    pub keys: usize,
    /// The row.
    pub row: &'a Row,
}

impl Reading<'_> {
    fn get<T: FromSqlOwned>(&self, column: usize) -> Result<Option<T>, StoreError> {
        self.row.try_get(column).map_err(|e| StoreError::unreadable(self.place(column), e))
    }

    /// The value of a column of the key, in words.
    fn key(&self, column: usize) -> String {
        let number = || self.row.try_get::<_, i64>(column).map(|n| n.to_string());
        match *self.row.columns()[column].type_() {
            Type::INT8 => number(),
            _ => self.row.try_get::<_, String>(column),
        }
        .unwrap_or_else(|_| "?".to_owned())
    }
}

impl Columns for Reading<'_> {
    fn place(&self, column: usize) -> String {
        let key: Vec<String> = (0..self.keys).map(|column| self.key(column)).collect();
        let name = self.row.columns().get(column).map_or("?", tokio_postgres::Column::name);
        format!("{}: table {}, row {}, column {name}", self.place, self.table, key.join(", "))
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

impl Postgres {
    /// Gives out rows of a table one after another.
    pub(super) fn each_row(
        &self,
        (table, keys): (&str, usize),
        rows: &[Row],
        each: EachRow<'_>,
    ) -> Result<(), StoreError> {
        rows.iter().try_for_each(|row| each(&Reading { place: &self.address, table, keys, row }))
    }
}

/// A campaign whose rows are read, with or without waiting for a server that is away.
pub struct Asking<'a> {
    /// The campaign.
    pub store: &'a Postgres,
    /// Whether to wait.
    pub patient: bool,
}

impl Select for Asking<'_> {
    fn select(&self, query: &Query<'_>, each: EachRow<'_>) -> Result<(), StoreError> {
        let words: Vec<&(dyn ToSql + Sync)> = query.words.iter().map(|word| word as _).collect();
        let rows = self.store.perhaps(self.patient, |link| {
            let statement = link.prepared(query.sql)?;
            link.client().query(&statement, &words)
        })?;
        self.store.each_row((query.table, query.keys), &rows, each)
    }
}

impl Select for Postgres {
    fn select(&self, query: &Query<'_>, each: EachRow<'_>) -> Result<(), StoreError> {
        Asking { store: self, patient: true }.select(query, each)
    }
}
