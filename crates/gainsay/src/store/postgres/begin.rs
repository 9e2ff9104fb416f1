//! Beginning a campaign on a server, going on with it, looking at it; its schema is brought up to date on the way.

use super::failure::Failure;
use super::line::Transaction;
use super::{Patience, Postgres};
use crate::store::copy::COPYING;
use crate::store::schema::{VERSION, for_postgres};
use crate::store::{Address, Definition, Reader, Rebuilt, StoreError, rebuilt, rows};

/// The key of the lock under which a schema is made; any number that is ours.
const LOCK: i64 = 0x0067_6169_6e73_6179;
/// The first half of the key of the lock that whoever copies holds; the other is of the campaign.
const COPIER: i32 = 0x6761_696e;

/// What a campaign may find where it is to be.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Finds {
    /// No schema of its name.
    Nothing,
    /// No campaign.
    Room,
    /// No campaign, or a copy that did not come to its end.
    RoomForCopy,
    /// A campaign to go on with.
    Itself,
}

/// Takes back all that was given out, be it taken or not; what was counted stays.
pub(super) const NOTHING_OUT: &str =
    "DELETE FROM waiting; DELETE FROM leases WHERE done = 0; UPDATE leases SET ranges = ''";

impl Postgres {
    /// Begins a campaign, or with `resume` goes on with one.
    pub fn open(address: &Address, definition: &Definition, resume: bool) -> Result<Postgres, StoreError> {
        Postgres::begin(address, definition, if resume { Finds::Itself } else { Finds::Room })
    }

    /// Begins a campaign in a schema that is made for it, so that nothing else is lost when it is erased.
    pub fn passing(address: &Address, definition: &Definition) -> Result<Postgres, StoreError> {
        Postgres::begin(address, definition, Finds::Nothing)
    }

    /// Begins a campaign to which another is copied. Until that is done it is none.
    pub(in crate::store) fn receive(
        address: &Address,
        definition: &Definition,
    ) -> Result<Postgres, StoreError> {
        Postgres::begin(address, definition, Finds::RoomForCopy)
    }

    fn begin(address: &Address, definition: &Definition, may_find: Finds) -> Result<Postgres, StoreError> {
        let store = Postgres::new(address);
        let place = || address.to_string().into();
        let before = store.with(|link| {
            let mut change = link.transaction()?;
            change.execute("SELECT pg_advisory_xact_lock($1)", &[&LOCK])?;
            let copies = may_find == Finds::RoomForCopy;
            let alone = "SELECT pg_try_advisory_lock($2, hashtext($1))";
            if copies && !change.query_one(alone, &[&address.campaign, &COPIER])?.get::<_, bool>(0) {
                return Err(StoreError::Busy { place: place() }.into());
            }
            // Who may not make schemas may use one that was made for it.
            if !admitted(&mut change, address)? {
                change.batch_execute(&format!("CREATE SCHEMA \"{}\"", address.campaign))?;
            } else if may_find == Finds::Nothing {
                return Err(StoreError::Present { place: place() }.into());
            }
            let mut found = version(&mut change)?;
            refuse_others(found, address)?;
            if found > 0 && is_copying(&mut change)? {
                if !copies {
                    return Err(StoreError::Unfinished { place: place() }.into());
                }
                drop_tables(&mut change, address)?;
                found = 0;
            }
            if found > 0 && may_find != Finds::Itself {
                return Err(StoreError::There { place: place() }.into());
            }
            if found == 0 && !is_empty(&mut change, address)? {
                return Err(StoreError::Strange { place: place() }.into());
            }
            if found == 0 {
                change.batch_execute(&for_postgres())?;
                set(&mut change, "format", &VERSION.to_string())?;
                set(&mut change, "identity", &definition.identity)?;
                set(&mut change, "spec", &definition.spec)?;
                set(&mut change, "program", crate::PROGRAM)?;
                set(&mut change, "cursor", "")?;
                if copies {
                    set(&mut change, COPYING, "1")?;
                }
                // Results that wait on the disk of a worker must find their own campaign again, and no other.
                let made: String =
                    change.query_one("SELECT md5(random()::text || clock_timestamp()::text)", &[])?.get(0);
                set(&mut change, "id", &made)?;
            }
            change.commit()?;
            Ok(found)
        })?;
        store.know()?;
        if before > 0 && store.definition()?.identity != definition.identity {
            return Err(StoreError::Other { place: place(), what: "its definition is another".to_owned() });
        }
        Ok(store)
    }

    /// Opens a campaign to look at it.
    pub fn look(address: &Address) -> Result<Postgres, StoreError> {
        Postgres::new(address).found()
    }

    /// Opens a campaign to work on it; waits for a server that is away from the beginning.
    pub fn wait_for(address: &Address, patience: Patience) -> Result<Postgres, StoreError> {
        Postgres::new(address).with_patience(patience).found()
    }

    /// Sees whether there is a campaign, and which.
    fn found(self) -> Result<Postgres, StoreError> {
        let address = &self.address;
        let (found, copying) = self.with(|link| {
            let mut look = link.transaction()?;
            admitted(&mut look, address)?;
            let found = version(&mut look)?;
            refuse_others(found, address)?;
            Ok((found, found > 0 && is_copying(&mut look)?))
        })?;
        if found == 0 {
            return Err(StoreError::None { place: address.to_string().into() });
        }
        if copying {
            return Err(StoreError::Unfinished { place: address.to_string().into() });
        }
        self.know()?;
        Ok(self)
    }

    /// Takes note of the campaign's own number.
    fn know(&self) -> Result<(), StoreError> {
        let id = self.setting("id")?.unwrap_or_default();
        let _ = self.id.set(id);
        Ok(())
    }

    /// Says that a copy is whole.
    pub(super) fn is_whole(&self) -> Result<(), StoreError> {
        self.with(|link| {
            link.client().execute("DELETE FROM campaign WHERE key = $1", &[&COPYING])?;
            Ok(())
        })
    }

    /// Erases the campaign.
    pub fn erase(self) -> Result<(), StoreError> {
        let text = format!("DROP SCHEMA \"{}\" CASCADE", self.address.campaign);
        self.with(|link| link.client().batch_execute(&text))
    }

    /// The process of the server that serves us, on its machine.
    pub fn process(&self) -> Result<u64, StoreError> {
        self.with(|link| Ok(link.client().query_one("SELECT pg_backend_pid()", &[])?.get::<_, i32>(0) as u64))
    }

    /// What a campaign says of itself under a key.
    pub fn setting(&self, key: &str) -> Result<Option<String>, StoreError> {
        rows::setting(self, key)
    }

    /// Replaces the definition by one of the same identity and of so many turns: all of it is to be given out, from the
    /// beginning. What was counted stays, and what was given out before is lost to whoever has it.
    pub fn redefine(&self, definition: &Definition, turns: u64) -> Result<(), StoreError> {
        self.with(|link| {
            let mut change = link.transaction()?;
            change.batch_execute(NOTHING_OUT)?;
            change.batch_execute("DELETE FROM series")?;
            set(&mut change, "spec", &definition.spec)?;
            set(&mut change, "turns", &turns.to_string())?;
            set(&mut change, "cursor", "")?;
            set(&mut change, "over", "no")?;
            change.commit()
        })
    }

    /// Goes on with later builds of programs: keeps the definition that names them and a note of the change, and forgets what
    /// the earlier builds answered to seeds. Nobody may work with the earlier builds meanwhile.
    pub fn rebuild(&self, definition: &Definition, programs: &[Rebuilt]) -> Result<(), StoreError> {
        let open = self.status()?.open;
        if open > 0 {
            let why = format!("workers hold {open} leases with the earlier build; stop them first");
            return Err(StoreError::Refused { place: self.address.to_string(), why });
        }
        let list = rebuilt::longer(self, programs)?;
        self.with(|link| {
            let mut change = link.transaction()?;
            set(&mut change, "identity", &definition.identity)?;
            set(&mut change, "spec", &definition.spec)?;
            set(&mut change, rebuilt::KEY, &list)?;
            for program in programs {
                for table in ["answers", "first_runs"] {
                    let sql = format!("DELETE FROM {table} WHERE solver = $1");
                    change.execute(&sql, &[&program.solver.as_str()])?;
                }
            }
            change.commit()
        })
    }
}

/// Refuses what has another version than ours.
fn refuse_others(found: u32, address: &Address) -> Result<(), StoreError> {
    let place = address.to_string();
    match found {
        0 | VERSION => Ok(()),
        newer if newer > VERSION => {
            Err(StoreError::Newer { place: place.into(), found: newer, known: VERSION })
        }
        older => Err(StoreError::Older { place, found: older, known: VERSION }),
    }
}

/// Whether there is a schema of the campaign's name. What we may not see, or cannot be written, is refused: texts of solvers and
/// seeds have all letters there are.
fn admitted(change: &mut Transaction<'_>, address: &Address) -> Result<bool, Failure> {
    let text = "SELECT current_setting('server_encoding'), \
                (SELECT has_schema_privilege(oid, 'USAGE') FROM pg_namespace WHERE nspname = $1::text)";
    let row = change.query_one(text, &[&address.campaign])?;
    let (letters, seen): (String, Option<bool>) = (row.get(0), row.get(1));
    let place = address.to_string();
    if !["UTF8", "SQL_ASCII"].contains(&letters.as_str()) {
        let why = format!(
            "its database writes {letters}; a campaign needs one made with `createdb -E UTF8 -T template0`"
        );
        return Err(StoreError::Refused { place, why }.into());
    }
    if seen == Some(false) {
        let why = format!(
            "we may not look into the schema {0}: GRANT USAGE ON SCHEMA {0} allows it",
            address.campaign
        );
        return Err(StoreError::Refused { place, why }.into());
    }
    Ok(seen.is_some())
}

/// Whether what is there is being copied, or was and did not come to its end.
fn is_copying(change: &mut Transaction<'_>) -> Result<bool, Failure> {
    Ok(change.query_opt("SELECT 1 FROM campaign WHERE key = $1", &[&COPYING])?.is_some())
}

/// Erases what we made in a schema, which may not be ours.
fn drop_tables(change: &mut Transaction<'_>, address: &Address) -> Result<(), Failure> {
    let text = "SELECT format('DROP TABLE %I.%I CASCADE', schemaname, tablename) FROM pg_tables WHERE schemaname = $1::text";
    for row in change.query(text, &[&address.campaign])? {
        change.batch_execute(row.get(0))?;
    }
    Ok(())
}

/// Whether nothing is in that schema.
fn is_empty(change: &mut Transaction<'_>, address: &Address) -> Result<bool, Failure> {
    let text =
        "SELECT 1 FROM pg_class JOIN pg_namespace n ON n.oid = relnamespace WHERE nspname = $1::text LIMIT 1";
    Ok(change.query_opt(text, &[&address.campaign])?.is_none())
}

/// The version of the schema; 0 if there is none, also if somebody else has a table of that name.
fn version(change: &mut Transaction<'_>) -> Result<u32, Failure> {
    let columns = "SELECT count(*) FROM pg_attribute WHERE attrelid = to_regclass('campaign') AND attname IN ('key', 'value')";
    if change.query_one(columns, &[])?.get::<_, i64>(0) < 2 {
        return Ok(0);
    }
    let row = change.query_opt("SELECT value::text FROM campaign WHERE key::text = 'format'", &[])?;
    let Some(text) = row.and_then(|row| row.get::<_, Option<String>>(0)) else { return Ok(0) };
    let wrong = |e| StoreError::unreadable("table campaign, row format", e);
    Ok(text.parse().map_err(wrong)?)
}

pub(super) fn set(change: &mut Transaction<'_>, key: &str, value: &str) -> Result<(), Failure> {
    change.execute(
        "INSERT INTO campaign VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
        &[&key, &value],
    )?;
    Ok(())
}
