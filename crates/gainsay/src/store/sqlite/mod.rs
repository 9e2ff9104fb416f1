//! The store of one machine: `SQLite` for what is counted, folders for what was found.

mod copy;
mod reader;
mod rows;
mod sink;

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rusqlite::{Connection, ErrorCode, OpenFlags, OptionalExtension, params};

use super::schema::{SCHEMA, VERSION};
use super::{Definition, Reader, Rebuilt, StoreError, folder, rebuilt};

/// The database in a campaign's folder.
const FILE: &str = "campaign.sqlite";
/// The folder to which findings are moved that cannot be read.
const ASIDE: &str = "unreadable";

/// A campaign's folder.
pub struct Sqlite {
    root: PathBuf,
    database: Mutex<Connection>,
    /// Held while we may write.
    lock: Option<File>,
    /// What was noticed when it was opened, for whoever opened it.
    remarks: Vec<String>,
}

impl Sqlite {
    /// Begins a campaign, or with `resume` goes on with one.
    pub fn open(root: &Path, definition: &Definition, resume: bool) -> Result<Sqlite, StoreError> {
        let findings = root.join("findings");
        fs::create_dir_all(&findings).map_err(StoreError::at(&findings))?;
        let lock = lock(root)?;
        let there = root.join(FILE).exists();
        if there && !resume && !Sqlite::is_part(root)? {
            return Err(StoreError::There { place: root.to_owned() });
        }
        Sqlite::begin(root, lock, definition, &[])
    }

    /// Begins a campaign, or goes on with one, of which we may write; a new one says this of itself besides.
    fn begin(
        root: &Path,
        lock: File,
        definition: &Definition,
        more: &[(&str, String)],
    ) -> Result<Sqlite, StoreError> {
        let file = root.join(FILE);
        let there = file.exists();
        if there && Sqlite::is_part(root)? {
            return Err(StoreError::Unfinished { place: root.to_owned() });
        }
        let database = Connection::open(&file).map_err(|e| corrupt(root, &e))?;
        let mut store = Sqlite::new(root, database, Some(lock));
        store.prepare(there, definition, more).map_err(|e| store.explained(e))?;
        store.take_in_strays()?;
        Ok(store)
    }

    /// Opens a campaign to look at it, also while somebody writes. Nothing is written.
    pub fn look(root: &Path) -> Result<Sqlite, StoreError> {
        let store = Sqlite::look_at_any(root)?;
        let version = store.version()?;
        if version < VERSION {
            return Err(StoreError::Older {
                place: root.display().to_string(),
                found: version,
                known: VERSION,
            });
        }
        Ok(store)
    }

    /// Opens a campaign of this or an earlier version to look at it.
    fn look_at_any(root: &Path) -> Result<Sqlite, StoreError> {
        let file = root.join(FILE);
        if !file.exists() {
            return Err(StoreError::None { place: root.to_owned() });
        }
        let database = looking(&file).map_err(|e| corrupt(root, &e))?;
        database.busy_timeout(Duration::from_secs(5))?;
        let store = Sqlite::new(root, database, None);
        if store.version().map_err(|e| store.explained(e))? == 0 {
            // Somebody is just beginning it.
            return Err(StoreError::None { place: root.to_owned() });
        }
        if Sqlite::is_part(root)? {
            return Err(StoreError::Unfinished { place: root.to_owned() });
        }
        Ok(store)
    }

    fn new(root: &Path, database: Connection, lock: Option<File>) -> Sqlite {
        Sqlite { root: root.to_owned(), database: Mutex::new(database), lock, remarks: Vec::new() }
    }

    /// Whether nobody writes to a campaign.
    pub fn check_free(root: &Path) -> Result<(), StoreError> {
        lock(root).map(drop)
    }

    /// The folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// What was noticed when it was opened.
    pub fn remarks(&self) -> &[String] {
        &self.remarks
    }

    fn database(&self) -> MutexGuard<'_, Connection> {
        self.database.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What is wrong with a database that cannot be opened.
    fn explained(&self, e: StoreError) -> StoreError {
        match e {
            StoreError::Database(e) => corrupt(&self.root, &e),
            other => other,
        }
    }

    /// The version of the schema; one that is newer than ours is refused.
    fn version(&self) -> Result<u32, StoreError> {
        let found: u32 = self.database().pragma_query_value(None, "user_version", |r| r.get(0))?;
        if found > VERSION {
            return Err(StoreError::Newer { place: self.root.clone(), found, known: VERSION });
        }
        Ok(found)
    }

    fn prepare(
        &self,
        there: bool,
        definition: &Definition,
        more: &[(&str, String)],
    ) -> Result<(), StoreError> {
        self.database().busy_timeout(Duration::from_secs(5))?;
        let version = self.version()?;
        if version > 0 && version < VERSION {
            let place = self.root.display().to_string();
            return Err(StoreError::Older { place, found: version, known: VERSION });
        }
        let mut database = self.database();
        database.pragma_update(None, "journal_mode", "wal")?;
        // A killed process loses nothing that was committed; only a power cut may lose the last moments.
        database.pragma_update(None, "synchronous", "normal")?;
        if !there || version == 0 {
            // All at once, so that a killed process leaves a whole campaign or none.
            let change = database.transaction()?;
            change.execute_batch(SCHEMA)?;
            let rows = [
                ("identity", definition.identity.clone()),
                ("spec", definition.spec.clone()),
                ("program", crate::PROGRAM.to_owned()),
            ];
            for (key, value) in rows.iter().chain(more) {
                change.execute("INSERT INTO campaign VALUES (?1, ?2)", params![key, value])?;
            }
            change.pragma_update(None, "user_version", VERSION)?;
            change.commit()?;
            return Ok(());
        }
        drop(database);
        let before = self.definition()?;
        if before.identity != definition.identity {
            let what = "its definition is another".to_owned();
            return Err(StoreError::Other { place: self.root.clone(), what });
        }
        Ok(())
    }

    /// Replaces the definition by one of the same identity.
    pub fn redefine(&self, definition: &Definition) -> Result<(), StoreError> {
        let text = "UPDATE campaign SET value = ?1 WHERE key = 'spec'";
        self.database().execute(text, [&definition.spec])?;
        Ok(())
    }

    /// Goes on with later builds of programs: keeps the definition that names them and a note of the change, and forgets what
    /// the earlier builds answered to seeds.
    pub fn rebuild(&self, definition: &Definition, programs: &[Rebuilt]) -> Result<(), StoreError> {
        let list = rebuilt::longer(self, programs)?;
        let mut database = self.database();
        let change = database.transaction()?;
        for (key, value) in
            [("identity", &definition.identity), ("spec", &definition.spec), (rebuilt::KEY, &list)]
        {
            change.execute("INSERT OR REPLACE INTO campaign VALUES (?1, ?2)", params![key, value])?;
        }
        for program in programs {
            for table in ["answers", "first_runs"] {
                let sql = format!("DELETE FROM {table} WHERE solver = ?1");
                change.execute(&sql, [program.solver.as_str()])?;
            }
        }
        change.commit()?;
        Ok(())
    }

    /// Sees whether every folder of a finding has a row.
    pub(super) fn check_folders(&self) -> Result<(), StoreError> {
        let known: Vec<String> = self.findings()?.into_iter().map(|row| row.folder).collect();
        let findings = self.root.join("findings");
        for (_, place) in folder::list(&findings)?.0 {
            let name = place.file_name().unwrap_or_default().to_string_lossy();
            if !known.contains(&format!("findings/{name}")) {
                let why = "no row of the table findings has it; `gainsay hunt --resume` takes it in";
                return Err(StoreError::unreadable_file(&place, why));
            }
        }
        Ok(())
    }

    /// Findings whose folder was moved into place just before we were killed get their row now. What cannot be read is moved
    /// aside, and said.
    fn take_in_strays(&mut self) -> Result<(), StoreError> {
        let (folders, drafts) = folder::list(&self.root.join("findings"))?;
        for draft in drafts {
            fs::remove_dir_all(&draft).map_err(StoreError::at(&draft))?;
        }
        for (number, place) in folders {
            let known: Option<u64> = self
                .database()
                .query_row("SELECT id FROM findings WHERE id = ?1", [number], |r| r.get(0))
                .optional()?;
            if known.is_some() {
                continue;
            }
            let name = place.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
            match folder::read(&place) {
                Ok(finding) => {
                    if !self.insert(number, &name, &finding, (name.ends_with(folder::WARM), false))? {
                        // The same finding has a row and a folder already.
                        fs::remove_dir_all(&place).map_err(StoreError::at(&place))?;
                    }
                }
                Err(e) => {
                    let aside = self.root.join(ASIDE);
                    fs::create_dir_all(&aside).map_err(StoreError::at(&aside))?;
                    let to = aside.join(&name);
                    fs::rename(&place, &to).map_err(StoreError::at(&place))?;
                    self.remarks.push(format!("{e}; the folder is now {}", to.display()));
                }
            }
        }
        Ok(())
    }
}

/// Opens a database to read it. Where not even the files beside it can be written, it is read as it is.
fn looking(file: &Path) -> rusqlite::Result<Connection> {
    let readable = |database: Connection| {
        database.query_row("SELECT count(*) FROM sqlite_master", [], |r| r.get::<_, u64>(0))?;
        Ok(database)
    };
    let plain = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let opened = Connection::open_with_flags(file, plain).and_then(readable);
    match opened {
        Err(e) if matches!(e.sqlite_error_code(), Some(ErrorCode::CannotOpen | ErrorCode::ReadOnly)) => {
            let encoded: String =
                file.to_string_lossy().replace('%', "%25").replace('?', "%3f").replace('#', "%23");
            let place = format!("file:{encoded}?immutable=1");
            Connection::open_with_flags(place, plain | OpenFlags::SQLITE_OPEN_URI).and_then(readable)
        }
        opened => opened,
    }
}

/// Takes the right to write, for as long as the file is open.
fn lock(root: &Path) -> Result<File, StoreError> {
    let place = root.join("lock");
    let file = File::options()
        .create(true)
        .truncate(false)
        .write(true)
        .open(&place)
        .map_err(StoreError::at(&place))?;
    match rustix::fs::flock(&file, rustix::fs::FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => Ok(file),
        Err(rustix::io::Errno::WOULDBLOCK) => Err(StoreError::Busy { place: root.to_owned() }),
        Err(e) => Err(StoreError::Disk { place, why: e.into() }),
    }
}

/// What a failure to open means.
fn corrupt(root: &Path, e: &rusqlite::Error) -> StoreError {
    match e.sqlite_error_code() {
        Some(
            ErrorCode::DiskFull | ErrorCode::ReadOnly | ErrorCode::CannotOpen | ErrorCode::PermissionDenied,
        ) => {
            let why = std::io::Error::other(e.to_string());
            StoreError::Disk { place: root.join(FILE), why }
        }
        _ => StoreError::Corrupt {
            place: root.to_owned(),
            why: e.to_string(),
            findings: root.join("findings"),
        },
    }
}
