//! The store of one machine: `SQLite` for what is counted, folders for what was found.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use rusqlite::{Connection, ErrorCode, OpenFlags, OptionalExtension, params};

use super::schema::{STEPS, VERSION};
use super::{
    Campaign, EXTRA, HandIn, Identity, KEPT, Kept, Room, Row, SeriesRow, Store, StoreError, TallyRow,
    differences, folder, solver_if_any,
};
use crate::case::Answer;
use crate::finding::{Asked, Finding};
use crate::solver::id::SolverId;

/// Adds to what minutes brought.
const COURSE: &str = "INSERT INTO course VALUES (?1,?2,?3) ON CONFLICT DO UPDATE SET turns = turns + excluded.turns, \
                      findings = findings + excluded.findings";

/// The minute it is, since 1970.
fn minute() -> u64 {
    SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |t| t.as_secs() / 60)
}

/// The database in a campaign's folder.
pub(super) const FILE: &str = "campaign.sqlite";

/// A campaign's folder.
pub struct Sqlite {
    root: PathBuf,
    database: Mutex<Connection>,
    /// Held while we may write.
    pub(super) lock: Option<File>,
}

impl Sqlite {
    /// Begins a campaign, or with `resume` goes on with one.
    pub fn open(root: &Path, identity: &Identity, resume: bool) -> Result<Sqlite, StoreError> {
        let findings = root.join("findings");
        fs::create_dir_all(&findings).map_err(StoreError::at(&findings))?;
        let lock = lock(root)?;
        let there = root.join(FILE).exists();
        if there && !resume && !Sqlite::is_part(root) {
            return Err(StoreError::There { place: root.to_owned() });
        }
        Sqlite::begin(root, lock, identity, &[])
    }

    /// Begins a campaign, or goes on with one, of which we may write; a new one says this of itself besides.
    pub(super) fn begin(
        root: &Path,
        lock: File,
        identity: &Identity,
        more: &[(&str, String)],
    ) -> Result<Sqlite, StoreError> {
        let file = root.join(FILE);
        let there = file.exists();
        if there && Sqlite::is_part(root) {
            return Err(StoreError::Unfinished { place: root.to_owned() });
        }
        let wrong = |e| corrupt(root, &e);
        let database = Connection::open(&file).map_err(wrong)?;
        let store = Sqlite { root: root.to_owned(), database: Mutex::new(database), lock: Some(lock) };
        store.prepare(there, identity, more).map_err(|e| match e {
            StoreError::Database(e) => corrupt(root, &e),
            other => other,
        })?;
        store.take_in_strays()?;
        Ok(store)
    }

    /// Opens a campaign to look at it, also while somebody writes.
    pub fn look(root: &Path) -> Result<Sqlite, StoreError> {
        let file = root.join(FILE);
        if !file.exists() {
            return Err(StoreError::None { place: root.to_owned() });
        }
        // Not read-only: a database that was left in the middle of things must be put in order by whoever opens it.
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let database = Connection::open_with_flags(&file, flags)
            .or_else(|_| Connection::open_with_flags(&file, OpenFlags::SQLITE_OPEN_READ_ONLY))
            .map_err(|e| corrupt(root, &e))?;
        database.busy_timeout(Duration::from_secs(5))?;
        let store = Sqlite { root: root.to_owned(), database: Mutex::new(database), lock: None };
        let version = store.check_version().map_err(|e| match e {
            StoreError::Database(e) => corrupt(root, &e),
            other => other,
        })?;
        if version == 0 {
            // Somebody is just beginning it.
            return Err(StoreError::None { place: root.to_owned() });
        }
        if Sqlite::is_part(root) {
            return Err(StoreError::Unfinished { place: root.to_owned() });
        }
        Ok(store)
    }

    /// Where a value is, for whoever is told that it cannot be read.
    pub(super) fn column(&self, table: &str, column: &str) -> String {
        format!("{}, table {table}, column {column}", self.root.join(FILE).display())
    }

    /// The folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    pub(super) fn database(&self) -> MutexGuard<'_, Connection> {
        self.database.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn check_version(&self) -> Result<u32, StoreError> {
        let found: u32 = self.database().pragma_query_value(None, "user_version", |r| r.get(0))?;
        if found > VERSION {
            return Err(StoreError::Newer { place: self.root.clone(), found, known: VERSION });
        }
        Ok(found)
    }

    fn prepare(&self, there: bool, identity: &Identity, more: &[(&str, String)]) -> Result<(), StoreError> {
        {
            let database = self.database();
            database.busy_timeout(Duration::from_secs(5))?;
            database.pragma_update(None, "journal_mode", "wal")?;
            // A killed process loses nothing that was committed; only a power cut may lose the last moments.
            database.pragma_update(None, "synchronous", "normal")?;
        }
        let version = self.check_version()?;
        let mut database = self.database();
        let new = !there || version == 0;
        if version < VERSION {
            // All at once, so that a killed process leaves a whole campaign or none.
            let change = database.transaction()?;
            for step in &STEPS[version as usize..] {
                change.execute_batch(step)?;
            }
            let rows = [
                ("draw", identity.draw.to_string()),
                ("configuration", identity.configuration.clone()),
                ("program", crate::PROGRAM.to_owned()),
            ];
            for (key, value) in rows.iter().chain(more).filter(|_| new) {
                change.execute("INSERT INTO campaign VALUES (?1, ?2)", params![key, value])?;
            }
            change.pragma_update(None, "user_version", VERSION)?;
            change.commit()?;
        }
        if new {
            return Ok(());
        }
        drop(database);
        let before = self.identity()?;
        if before != *identity {
            return Err(StoreError::Other { place: self.root.clone(), what: differences(&before, identity) });
        }
        Ok(())
    }

    /// Findings whose folder was moved into place just before we were killed get their row now.
    fn take_in_strays(&self) -> Result<(), StoreError> {
        let (folders, drafts) = folder::list(&self.root.join("findings"));
        for draft in drafts {
            let _ = fs::remove_dir_all(draft);
        }
        for (number, place) in folders {
            let known: Option<u64> = self
                .database()
                .query_row("SELECT id FROM findings WHERE id = ?1", [number], |r| r.get(0))
                .optional()?;
            if known.is_none() {
                let name = place.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
                let doubled = match folder::read(&place) {
                    Some(finding) => {
                        !self.insert(number, &name, &finding, name.ends_with(folder::WARM), false)?
                    }
                    None => true,
                };
                if doubled {
                    let _ = fs::remove_dir_all(&place);
                }
            }
        }
        Ok(())
    }

    fn insert(
        &self,
        number: u64,
        name: &str,
        finding: &Finding,
        warm: bool,
        extra: bool,
    ) -> Result<bool, StoreError> {
        let json = serde_json::to_string(finding).expect("a finding is plain");
        let rows = self.database().execute(
            "INSERT OR IGNORE INTO findings VALUES (?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13,?14)",
            params![
                number,
                finding.identity,
                finding.kind.word(),
                finding.against.as_ref().map(SolverId::as_str),
                finding.lineage.strategy.as_ref(),
                finding.fingerprint,
                name,
                finding.summary,
                finding.case.len() as u64,
                finding.turn.series,
                finding.turn.step,
                extra,
                warm,
                json
            ],
        )?;
        Ok(rows > 0)
    }

    /// Lets go of the largest of the extra findings of a fingerprint, if there are too many.
    fn thin_out(&self, fingerprint: &str) -> Result<(), StoreError> {
        let surplus: Vec<(u64, String)> = {
            let database = self.database();
            let mut query = database.prepare_cached(
                "SELECT id, folder FROM findings WHERE fingerprint = ?1 AND extra ORDER BY size, id LIMIT -1 OFFSET ?2",
            )?;
            let rows = query.query_map(params![fingerprint, EXTRA], |r| Ok((r.get(0)?, r.get(1)?)))?;
            rows.collect::<Result<_, _>>()?
        };
        for (id, name) in surplus {
            self.database().execute("DELETE FROM findings WHERE id = ?1", [id])?;
            let place = self.root.join("findings").join(name);
            fs::remove_dir_all(&place).map_err(StoreError::at(&place))?;
        }
        Ok(())
    }
}

impl Campaign for Sqlite {
    fn identity(&self) -> Result<Identity, StoreError> {
        let database = self.database();
        let get = |key: &str| {
            database.query_row("SELECT value FROM campaign WHERE key = ?1", [key], |r| r.get::<_, String>(0))
        };
        let draw = get("draw")?.parse().unwrap_or_default();
        Ok(Identity { draw, configuration: get("configuration")? })
    }

    fn keep_reduced(&self, folder: &str, reduced: &Finding) -> Result<(), StoreError> {
        folder::write_reduced(&self.root.join(folder), reduced)
    }

    fn reduced(&self, folder: &str) -> Result<Option<Finding>, StoreError> {
        Ok(folder::read_reduced(&self.root.join(folder)))
    }

    fn keep_releases(&self, folder: &str, releases: &[Asked]) -> Result<(), StoreError> {
        folder::write_releases(&self.root.join(folder), releases)
    }

    fn releases(&self, folder: &str) -> Result<Vec<Asked>, StoreError> {
        Ok(folder::read_releases(&self.root.join(folder)))
    }

    fn keep_options(&self, folder: &str, options: &[String]) -> Result<(), StoreError> {
        folder::write_options(&self.root.join(folder), options)
    }

    fn options(&self, folder: &str) -> Result<Option<Vec<String>>, StoreError> {
        Ok(folder::read_options(&self.root.join(folder)))
    }
}

impl Store for Sqlite {
    fn hand_in(&self, turns: &[HandIn]) -> Result<(), StoreError> {
        let mut database = self.database();
        let change = database.transaction()?;
        {
            let mut series =
                change.prepare_cached("INSERT OR REPLACE INTO series VALUES (?1,?2,?3,?4,?5,?6)")?;
            let mut turn = change.prepare_cached("INSERT OR REPLACE INTO turns VALUES (?1,?2,?3)")?;
            let mut count = change.prepare_cached(
                "INSERT INTO tally VALUES (?1,?2,?3,?4) ON CONFLICT DO UPDATE SET count = count + excluded.count",
            )?;
            let mut tally: BTreeMap<(&str, Option<&SolverId>, &str), u64> = BTreeMap::new();
            for HandIn { series: s, outcomes, tally: counts } in turns {
                series.execute(params![s.no, s.strategy, s.allotted, s.turns, s.ended, s.why])?;
                if !outcomes.is_empty() {
                    turn.execute(params![s.no, s.turns - outcomes.len() as u32, outcomes.join(" ")])?;
                }
                for ((solver, what), n) in counts {
                    *tally.entry((&s.strategy, solver.as_ref(), what)).or_default() += n;
                }
            }
            for ((strategy, solver, what), n) in tally {
                count.execute(params![strategy, solver.map_or("", SolverId::as_str), what, n])?;
            }
            let made: usize = turns.iter().map(|t| t.outcomes.len()).sum();
            change.prepare_cached(COURSE)?.execute(params![minute(), made, 0])?;
        }
        change.commit()?;
        Ok(())
    }

    fn series(&self) -> Result<Vec<SeriesRow>, StoreError> {
        let database = self.database();
        let mut query = database.prepare("SELECT * FROM series ORDER BY no")?;
        let rows = query.query_map([], |r| {
            Ok(SeriesRow {
                no: r.get(0)?,
                strategy: r.get(1)?,
                allotted: r.get(2)?,
                turns: r.get(3)?,
                ended: r.get(4)?,
                why: r.get(5)?,
            })
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    fn trigger(&self, fingerprint: &str) -> Result<Room, StoreError> {
        let database = self.database();
        let count: u64 = database
            .prepare_cached(
                "INSERT INTO triggers VALUES (?1, 1) ON CONFLICT DO UPDATE SET count = count + 1 RETURNING count",
            )?
            .query_row([fingerprint], |r| r.get(0))?;
        let kept: u64 = database
            .prepare_cached("SELECT count(*) FROM findings WHERE fingerprint = ?1 AND NOT extra")?
            .query_row([fingerprint], |r| r.get(0))?;
        if count <= KEPT || kept < KEPT {
            return Ok(Room::Plenty);
        }
        let sizes: Vec<u64> = {
            let mut query = database.prepare_cached(
                "SELECT size FROM findings WHERE fingerprint = ?1 AND extra ORDER BY size LIMIT ?2",
            )?;
            query.query_map(params![fingerprint, EXTRA], |r| r.get(0))?.collect::<Result<_, _>>()?
        };
        let full = sizes.len() as u64 >= EXTRA;
        Ok(Room::Below(if full { sizes.last().copied().unwrap_or(0) } else { u64::MAX }))
    }

    fn record(&self, finding: &Finding, warm: bool) -> Result<Kept, StoreError> {
        let findings = self.root.join("findings");
        let _one = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
        let (number, extra) = {
            let database = self.database();
            let there: Option<u64> = database
                .query_row("SELECT id FROM findings WHERE identity = ?1", [&finding.identity], |r| r.get(0))
                .optional()?;
            if there.is_some() {
                return Ok(Kept::Known);
            }
            let last: Option<u64> = database.query_row("SELECT max(id) FROM findings", [], |r| r.get(0))?;
            let kept: u64 = database.query_row(
                "SELECT count(*) FROM findings WHERE fingerprint = ?1 AND NOT extra",
                [&finding.fingerprint],
                |r| r.get(0),
            )?;
            (last.unwrap_or(0) + 1, kept >= KEPT)
        };
        let name = folder::name(number, finding, warm);
        folder::write(&findings, &name, &folder::files(number, finding))?;
        self.insert(number, &name, finding, warm, extra)?;
        self.database().prepare_cached(COURSE)?.execute(params![minute(), 0, u8::from(!warm)])?;
        if extra {
            self.thin_out(&finding.fingerprint)?;
        }
        Ok(Kept::Numbered(number))
    }

    fn findings(&self) -> Result<Vec<Row>, StoreError> {
        let database = self.database();
        let mut query = database.prepare("SELECT id, folder, warm, json FROM findings ORDER BY id")?;
        let rows = query.query_map([], |r| {
            Ok((r.get::<_, u64>(0)?, r.get::<_, String>(1)?, r.get::<_, bool>(2)?, r.get::<_, String>(3)?))
        })?;
        let mut found = Vec::new();
        for row in rows {
            let (id, name, warm, json) = row?;
            let read: Result<Finding, _> = serde_json::from_str(&json);
            let place = self.root.join("findings").join(&name);
            let Ok(mut finding) = read else {
                let why = format!("finding {id} is not readable");
                return Err(StoreError::Corrupt { place: self.root.clone(), why, findings: place });
            };
            finding.case = fs::read(place.join(folder::CASE))
                .map(|text| String::from_utf8_lossy(&text).into_owned())
                .unwrap_or_default();
            found.push(Row { id, folder: format!("findings/{name}"), warm, finding });
        }
        Ok(found)
    }

    fn seed_answers(&self, seed: &str, solver: &SolverId) -> Result<Option<Vec<Answer>>, StoreError> {
        let database = self.database();
        let text: Option<String> = database
            .prepare_cached("SELECT answers FROM answers WHERE seed = ?1 AND solver = ?2")?
            .query_row([seed, solver.as_str()], |r| r.get(0))
            .optional()?;
        Ok(text.and_then(|text| serde_json::from_str(&text).ok()))
    }

    fn remember(&self, seed: &str, solver: &SolverId, answers: &[Answer]) -> Result<(), StoreError> {
        let text = serde_json::to_string(answers).expect("answers are plain");
        let database = self.database();
        database.execute(
            "INSERT OR IGNORE INTO answers VALUES (?1,?2,?3)",
            params![seed, solver.as_str(), text],
        )?;
        Ok(())
    }

    fn tally(&self) -> Result<Vec<TallyRow>, StoreError> {
        let database = self.database();
        let mut query = database.prepare("SELECT * FROM tally ORDER BY strategy, solver, what")?;
        let mut rows = query.query([])?;
        let mut found: Vec<TallyRow> = Vec::new();
        while let Some(r) = rows.next()? {
            let solver = solver_if_any(&r.get::<_, String>(1)?, || self.column("tally", "solver"))?;
            found.push((r.get(0)?, solver, r.get(2)?, r.get(3)?));
        }
        found.sort();
        Ok(found)
    }

    fn course(&self) -> Result<Vec<(u64, u64, u64)>, StoreError> {
        let database = self.database();
        // A reader may meet a campaign of an older program.
        let there =
            database.query_row("SELECT count(*) FROM sqlite_master WHERE name = 'course'", [], |r| r.get(0));
        if there == Ok(0) {
            return Ok(Vec::new());
        }
        let mut query = database.prepare("SELECT * FROM course ORDER BY minute")?;
        let rows = query.query_map([], |r| Ok((r.get(0)?, r.get(1)?, r.get(2)?)))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    fn triggers(&self) -> Result<BTreeMap<String, u64>, StoreError> {
        let database = self.database();
        let mut query = database.prepare("SELECT * FROM triggers")?;
        let rows = query.query_map([], |r| Ok((r.get(0)?, r.get(1)?)))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }
}

/// Findings are written one after another.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// Takes the right to write, for as long as the file is open.
pub(super) fn lock(root: &Path) -> Result<File, StoreError> {
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
            StoreError::Disk { place: root.join("campaign.sqlite"), why }
        }
        _ => StoreError::Corrupt {
            place: root.to_owned(),
            why: e.to_string(),
            findings: root.join("findings"),
        },
    }
}
