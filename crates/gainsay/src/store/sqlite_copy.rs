//! Rows and folders of one machine, read and written as they are.

use rusqlite::types::Value;

use super::copy::{Cell, Rows, Tables, Take};
use super::{Sqlite, StoreError, folder};

/// How many rows are read at a time.
const SOME: usize = 1000;

impl Tables for Sqlite {
    fn each(&self, table: &str, columns: &str, take: Take<'_>) -> Result<(), StoreError> {
        let database = self.database();
        let mut query = database.prepare(&format!("SELECT {columns} FROM {table}"))?;
        let count = query.column_count();
        let mut found = query.query([])?;
        let mut rows = Rows::new();
        while let Some(row) = found.next()? {
            let cell = |i: usize| {
                Ok::<_, StoreError>(match row.get(i)? {
                    Value::Null => Cell::Null,
                    Value::Integer(n) => Cell::Number(n),
                    Value::Real(x) => Cell::Number(x as i64),
                    Value::Text(text) => Cell::Text(text),
                    Value::Blob(bytes) => Cell::Bytes(bytes),
                })
            };
            rows.push((0..count).map(cell).collect::<Result<_, _>>()?);
            if rows.len() == SOME {
                take(std::mem::take(&mut rows))?;
            }
        }
        take(rows)
    }

    fn put(&self, table: &str, columns: &str, rows: &Rows) -> Result<(), StoreError> {
        let places: Vec<String> = (1..=columns.split(',').count()).map(|i| format!("?{i}")).collect();
        let mut database = self.database();
        let change = database.transaction()?;
        {
            let text = format!("INSERT OR IGNORE INTO {table} ({columns}) VALUES ({})", places.join(", "));
            let mut insert = change.prepare(&text)?;
            for row in rows {
                let values = row.iter().map(|cell| match cell {
                    Cell::Null => Value::Null,
                    Cell::Number(n) => Value::Integer(*n),
                    Cell::Text(text) => Value::Text(text.clone()),
                    Cell::Bytes(bytes) => Value::Blob(bytes.clone()),
                });
                insert.execute(rusqlite::params_from_iter(values))?;
            }
        }
        change.commit()?;
        Ok(())
    }

    fn files(&self, folder: &str) -> Result<Vec<(String, Vec<u8>)>, StoreError> {
        folder::read_all(&self.root().join(folder))
    }

    fn keep_files(&self, folder: &str, files: &[(String, Vec<u8>)]) -> Result<(), StoreError> {
        let name = folder.strip_prefix("findings/").unwrap_or(folder);
        folder::write(&self.root().join("findings"), name, files)
    }

    fn settle(&self) -> Result<(), StoreError> {
        Ok(())
    }
}
