//! Rows of a server, read and written as they are.

use tokio_postgres::types::{ToSql, Type};

use super::Postgres;
use super::link::plain;
use crate::store::StoreError;
use crate::store::copy::{Cell, Rows, Tables, Take};

/// How many rows are read at a time.
const SOME: usize = 1000;

/// What stands in a column, as the server takes it.
fn bound(cell: &Cell, kind: &Type) -> Box<dyn ToSql + Sync> {
    match cell {
        Cell::Null if *kind == Type::INT8 => Box::new(None::<i64>),
        Cell::Null if *kind == Type::BYTEA => Box::new(None::<Vec<u8>>),
        Cell::Null => Box::new(None::<String>),
        Cell::Number(n) => Box::new(*n),
        Cell::Text(text) => Box::new(plain(text)),
        Cell::Bytes(bytes) => Box::new(bytes.clone()),
    }
}

fn cells(row: &tokio_postgres::Row) -> Vec<Cell> {
    let cell = |i: usize| match *row.columns()[i].type_() {
        Type::INT8 => row.get::<_, Option<i64>>(i).map_or(Cell::Null, Cell::Number),
        Type::BYTEA => row.get::<_, Option<Vec<u8>>>(i).map_or(Cell::Null, Cell::Bytes),
        _ => row.get::<_, Option<String>>(i).map_or(Cell::Null, Cell::Text),
    };
    (0..row.len()).map(cell).collect()
}

impl Tables for Postgres {
    fn each(&self, table: &str, columns: &str, take: Take<'_>) -> Result<(), StoreError> {
        self.once(&mut |link| {
            let mut look = link.transaction()?;
            let portal = look.bind(&format!("SELECT {columns} FROM {table}"))?;
            loop {
                let rows: Rows = look.query_portal(&portal, SOME as i32)?.iter().map(cells).collect();
                if rows.is_empty() {
                    return Ok(());
                }
                take(rows)?;
            }
        })
    }

    fn put(&self, table: &str, columns: &str, rows: &Rows) -> Result<(), StoreError> {
        let count = columns.split(',').count();
        let places: Vec<String> = (1..=count).map(|i| format!("${i}")).collect();
        let text =
            format!("INSERT INTO {table} ({columns}) VALUES ({}) ON CONFLICT DO NOTHING", places.join(", "));
        self.once(&mut |link| {
            let mut change = link.transaction()?;
            let insert = change.prepare(&text)?;
            for row in rows {
                let bound: Vec<_> =
                    row.iter().zip(insert.params()).map(|(cell, kind)| bound(cell, kind)).collect();
                let bound: Vec<&(dyn ToSql + Sync)> = bound.iter().map(AsRef::as_ref).collect();
                change.execute(&insert, &bound)?;
            }
            change.commit()
        })
    }

    fn files(&self, folder: &str) -> Result<Vec<(String, Vec<u8>)>, StoreError> {
        let name = folder.strip_prefix("findings/").unwrap_or(folder);
        let text = "SELECT name, content FROM files JOIN findings ON id = finding WHERE folder = $1";
        let rows = self.with(|link| link.client().query(text, &[&name]))?;
        Ok(rows.iter().map(|row| (row.get(0), row.get(1))).collect())
    }

    fn file_place(&self, folder: &str, file: &str) -> String {
        self.place("files", &format!("{folder}/{file}"))
    }

    fn keep_files(&self, folder: &str, files: &[(String, Vec<u8>)]) -> Result<(), StoreError> {
        self.put_files(folder, files)
    }

    fn settle(&self) -> Result<(), StoreError> {
        self.with(|link| {
            // Numbers that the server gives go on after those that came.
            for table in ["formulas", "releases", "findings"] {
                let text = format!(
                    "SELECT setval(pg_get_serial_sequence('{table}', 'id'), max(id)) FROM {table} HAVING count(*) > 0"
                );
                link.client().query(&text, &[])?;
            }
            Ok(())
        })?;
        self.is_whole()
    }
}
