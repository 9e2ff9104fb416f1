//! Columns of rows, read in the same way from every database: what cannot be read is an error with its table, row and column.

use std::fmt::{self, Display, Formatter};

use serde::de::DeserializeOwned;

use super::StoreError;

/// A statement that reads rows of a table.
pub struct Query<'a> {
    /// The name of the table.
    pub table: &'static str,
    /// How many of the first columns of a row tell which row it is.
    pub keys: usize,
    /// The statement. Its parameters are `$1`, `$2` and so on, in this order.
    pub sql: &'static str,
    /// The values of its parameters.
    pub words: &'a [&'a str],
}

/// A function that takes rows, one after another.
pub type EachRow<'a> = &'a mut dyn FnMut(&dyn Columns) -> Result<(), StoreError>;

/// A database whose rows can be read.
pub trait Select {
    /// Reads the rows that a query finds.
    fn select(&self, query: &Query<'_>, each: EachRow<'_>) -> Result<(), StoreError>;
}

/// The value in one column of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cell {
    /// There is none.
    Empty,
    /// A number.
    Integer(i64),
    /// A text.
    Text(String),
    /// A sequence of bytes.
    Bytes(Vec<u8>),
}

impl Display for Cell {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Cell::Empty => f.write_str("NULL"),
            Cell::Integer(number) => number.fmt(f),
            Cell::Text(text) => f.write_str(text),
            Cell::Bytes(bytes) => write!(f, "{} bytes", bytes.len()),
        }
    }
}

/// The columns of a row.
pub trait Columns {
    /// The database that the row is in.
    fn database(&self) -> String;

    /// The table that the row is of, and how many of its first columns tell which row it is.
    fn table(&self) -> (&str, usize);

    /// The name of a column.
    fn name(&self, column: usize) -> &str;

    /// The value in a column, or why it cannot be read.
    fn cell(&self, column: usize) -> Result<Cell, String>;
}

impl dyn Columns + '_ {
    /// The place of a column: the database, the table, the row and the column.
    pub fn place(&self, column: usize) -> String {
        let (table, keys) = self.table();
        let value = |i: usize| self.cell(i).map_or_else(|_| "?".to_owned(), |cell| cell.to_string());
        let row: Vec<String> = (0..keys).map(value).collect();
        format!("{}, column {}", row_place(&self.database(), table, &row.join(", ")), self.name(column))
    }

    /// The error that something is wrong with a column.
    pub fn wrong(&self, column: usize, why: impl Display) -> StoreError {
        StoreError::unreadable(self.place(column), why)
    }

    /// The value in a column.
    fn get(&self, column: usize) -> Result<Cell, StoreError> {
        self.cell(column).map_err(|why| self.wrong(column, why))
    }

    /// The number in a column, if there is one.
    pub fn integer(&self, column: usize) -> Result<Option<i64>, StoreError> {
        match self.get(column)? {
            Cell::Empty => Ok(None),
            Cell::Integer(number) => Ok(Some(number)),
            other => Err(self.wrong(column, format!("{other} is no number"))),
        }
    }

    /// The text in a column, if there is one.
    pub fn text(&self, column: usize) -> Result<Option<String>, StoreError> {
        match self.get(column)? {
            Cell::Empty => Ok(None),
            Cell::Text(text) => Ok(Some(text)),
            other => Err(self.wrong(column, format!("{other} is no text"))),
        }
    }

    /// The bytes in a column, if there are any.
    pub fn bytes(&self, column: usize) -> Result<Option<Vec<u8>>, StoreError> {
        match self.get(column)? {
            Cell::Empty => Ok(None),
            Cell::Bytes(bytes) => Ok(Some(bytes)),
            other => Err(self.wrong(column, format!("{other} is no sequence of bytes"))),
        }
    }

    /// The text in a column.
    pub fn word(&self, column: usize) -> Result<String, StoreError> {
        self.text(column)?.ok_or_else(|| self.wrong(column, "it is empty"))
    }

    /// The number in a column, if there is one, within the bounds of its type.
    pub fn number_if_any<N: TryFrom<i64>>(&self, column: usize) -> Result<Option<N>, StoreError> {
        let Some(number) = self.integer(column)? else { return Ok(None) };
        let fits = N::try_from(number);
        fits.map(Some).map_err(|_| self.wrong(column, format!("{number} is out of bounds")))
    }

    /// The number in a column, within the bounds of its type.
    pub fn number<N: TryFrom<i64>>(&self, column: usize) -> Result<N, StoreError> {
        self.number_if_any(column)?.ok_or_else(|| self.wrong(column, "it is empty"))
    }

    /// Whether something is so: 0 or 1.
    pub fn flag(&self, column: usize) -> Result<bool, StoreError> {
        match self.number::<i64>(column)? {
            0 => Ok(false),
            1 => Ok(true),
            other => Err(self.wrong(column, format!("{other} is neither 0 nor 1"))),
        }
    }

    /// What the text in a column means.
    pub fn parsed<T, E: Display>(
        &self,
        column: usize,
        read: impl FnOnce(&str) -> Result<T, E>,
    ) -> Result<T, StoreError> {
        read(&self.word(column)?).map_err(|why| self.wrong(column, why))
    }

    /// What the JSON in a column says.
    pub fn json<T: DeserializeOwned>(&self, column: usize) -> Result<T, StoreError> {
        self.parsed(column, |text| serde_json::from_str(text))
    }
}

/// Reads all rows that a query finds.
pub fn all<T>(
    store: &impl Select,
    query: &Query<'_>,
    read: impl Fn(&dyn Columns) -> Result<T, StoreError>,
) -> Result<Vec<T>, StoreError> {
    let mut found = Vec::new();
    store.select(query, &mut |row| {
        found.push(read(row)?);
        Ok(())
    })?;
    Ok(found)
}

/// The place of a row: the database, the table and the row.
pub fn row_place(database: &str, table: &str, row: &str) -> String {
    format!("{database}: table {table}, row {row}")
}
