//! Rows of a server, read with their place.

use tokio_postgres::Row;
use tokio_postgres::types::{ToSql, Type};

use super::Postgres;
use crate::store::StoreError;
use crate::store::columns::{Cell, Columns, EachRow, Query, Select};

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

impl Columns for Reading<'_> {
    fn database(&self) -> String {
        self.place.to_string()
    }

    fn table(&self) -> (&str, usize) {
        (self.table, self.keys)
    }

    fn name(&self, column: usize) -> &str {
        self.row.columns().get(column).map_or("?", tokio_postgres::Column::name)
    }

    fn cell(&self, column: usize) -> Result<Cell, String> {
        fn of<T>(value: Option<T>, cell: fn(T) -> Cell) -> Cell {
            value.map_or(Cell::Empty, cell)
        }
        let kind = self.row.columns().get(column).map(tokio_postgres::Column::type_);
        let read = match kind {
            Some(&Type::INT8) => self.row.try_get(column).map(|value| of(value, Cell::Integer)),
            Some(&Type::TEXT) => self.row.try_get(column).map(|value| of(value, Cell::Text)),
            Some(&Type::BYTEA) => self.row.try_get(column).map(|value| of(value, Cell::Bytes)),
            other => return Err(format!("it is of type {}", other.map_or("?", Type::name))),
        };
        read.map_err(|e| e.to_string())
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
