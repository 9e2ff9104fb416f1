//! Rows and folders of one machine, read and written as they are.

use std::fs;
use std::path::Path;

use rusqlite::types::Value;

use super::{FILE, Sqlite, lock};
use crate::store::copy::{COPYING, Cell, Rows, Tables, Take};
use crate::store::{Definition, StoreError, folder};

/// How many rows are read at a time.
const SOME: usize = 1000;

impl Sqlite {
    /// Opens a campaign to look at it while nobody writes.
    pub(in crate::store) fn look_alone(root: &Path) -> Result<Sqlite, StoreError> {
        let mut store = Sqlite::look(root)?;
        store.lock = match lock(root) {
            Ok(lock) => Some(lock),
            // Where we cannot write, it is a copy or an archive.
            Err(StoreError::Disk { .. }) => None,
            Err(e) => return Err(e),
        };
        Ok(store)
    }

    /// Begins a campaign to which another is copied. Until that is done it is none.
    pub(in crate::store) fn receive(root: &Path, definition: &Definition) -> Result<Sqlite, StoreError> {
        let findings = root.join("findings");
        fs::create_dir_all(&findings).map_err(StoreError::at(&findings))?;
        let lock = lock(root)?;
        if Sqlite::is_part(root)? {
            // The database last, which says that there is more to erase.
            fs::remove_dir_all(&findings).map_err(StoreError::at(&findings))?;
            fs::create_dir_all(&findings).map_err(StoreError::at(&findings))?;
            for end in ["-wal", "-shm", ""] {
                let file = root.join(format!("{FILE}{end}"));
                match fs::remove_file(&file) {
                    Err(e) if e.kind() != std::io::ErrorKind::NotFound => {
                        return Err(StoreError::at(&file)(e));
                    }
                    _ => {}
                }
            }
        }
        if root.join(FILE).exists() {
            return Err(StoreError::There { place: root.to_owned() });
        }
        Sqlite::begin(root, lock, definition, &[(COPYING, "1".to_owned())])
    }

    /// Whether a folder holds a copy that did not come to its end.
    pub(super) fn is_part(root: &Path) -> Result<bool, StoreError> {
        let file = root.join(FILE);
        if !file.exists() {
            return Ok(false);
        }
        let there = || -> rusqlite::Result<bool> {
            let database = super::looking(&file)?;
            let tables = "SELECT count(*) > 0 FROM sqlite_master WHERE name = 'campaign'";
            if !database.query_row(tables, [], |row| row.get::<_, bool>(0))? {
                return Ok(false);
            }
            let text = "SELECT count(*) > 0 FROM campaign WHERE key = ?1";
            database.query_row(text, [COPYING], |row| row.get(0))
        };
        there().map_err(|e| super::corrupt(root, &e))
    }
}

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

    fn file_place(&self, folder: &str, file: &str) -> String {
        self.root().join(folder).join(file).display().to_string()
    }

    fn keep_files(&self, folder: &str, files: &[(String, Vec<u8>)]) -> Result<(), StoreError> {
        let name = folder.strip_prefix("findings/").unwrap_or(folder);
        folder::write(&self.root().join("findings"), name, files)
    }

    fn settle(&self) -> Result<(), StoreError> {
        self.database().execute("DELETE FROM campaign WHERE key = ?1", [COPYING])?;
        Ok(())
    }
}
