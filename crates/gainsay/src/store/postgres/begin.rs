//! Beginning a campaign on a server, going on with it, looking at it; its schema is brought up to date on the way.

use postgres::Transaction;

use super::Postgres;
use super::link::{Failure, Link};
use crate::store::schema::{STEPS, VERSION, for_postgres};
use crate::store::{Address, Campaign, Identity, StoreError, differences};

/// The key of the lock under which a schema is made; any number that is ours.
const LOCK: i64 = 0x0067_6169_6e73_6179;

/// What a campaign may find where it is to be.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Finds {
    /// No schema of its name.
    Nothing,
    /// No campaign.
    Room,
    /// A campaign to go on with.
    Itself,
}

impl Postgres {
    /// Begins a campaign, or with `resume` goes on with one.
    pub fn open(address: &Address, identity: &Identity, resume: bool) -> Result<Postgres, StoreError> {
        Postgres::begin(address, identity, if resume { Finds::Itself } else { Finds::Room })
    }

    /// Begins a campaign in a schema that is made for it, so that nothing else is lost when it is erased.
    pub fn passing(address: &Address, identity: &Identity) -> Result<Postgres, StoreError> {
        Postgres::begin(address, identity, Finds::Nothing)
    }

    fn begin(address: &Address, identity: &Identity, may_find: Finds) -> Result<Postgres, StoreError> {
        let store = Postgres::new(address);
        let place = || address.to_string().into();
        let before = store.with(|link| {
            let mut change = link.transaction()?;
            change.execute("SELECT pg_advisory_xact_lock($1)", &[&LOCK])?;
            // Who may not make schemas may use one that was made for it.
            if !has_schema(&mut change, address)? {
                change.batch_execute(&format!("CREATE SCHEMA \"{}\"", address.campaign))?;
            } else if may_find == Finds::Nothing {
                return Err(StoreError::Present { place: place() }.into());
            }
            let found = version(&mut change)?;
            refuse_newer(found, address)?;
            if found > 0 && may_find != Finds::Itself {
                return Err(StoreError::There { place: place() }.into());
            }
            if found == 0 && !is_empty(&mut change, address)? {
                return Err(StoreError::Strange { place: place() }.into());
            }
            for step in &STEPS[found as usize..] {
                change.batch_execute(&for_postgres(step))?;
            }
            set(&mut change, "format", &VERSION.to_string())?;
            if found == 0 {
                set(&mut change, "draw", &identity.draw.to_string())?;
                set(&mut change, "configuration", &identity.configuration)?;
                set(&mut change, "program", crate::PROGRAM)?;
                set(&mut change, "walk", "")?;
                // Parcels that wait on the disk of a worker must find their own campaign again, and no other.
                let made: String =
                    change.query_one("SELECT md5(random()::text || clock_timestamp()::text)", &[])?.get(0);
                set(&mut change, "id", &made)?;
            }
            change.commit()?;
            Ok(found)
        })?;
        let there = store.identity()?;
        if before > 0 && there != *identity {
            return Err(StoreError::Other { place: place(), what: differences(&there, identity) });
        }
        Ok(store)
    }

    /// Opens a campaign to look at it, or to work on it.
    pub fn look(address: &Address) -> Result<Postgres, StoreError> {
        let store = Postgres::new(address);
        let found = store.with(|link| {
            let mut change = link.transaction()?;
            let found = version(&mut change)?;
            refuse_newer(found, address)?;
            Ok(found)
        })?;
        if found == 0 {
            return Err(StoreError::None { place: address.to_string().into() });
        }
        if found < VERSION {
            store.with(|link| migrate(link, address))?;
        }
        Ok(store)
    }

    /// Erases the campaign.
    pub fn erase(self) -> Result<(), StoreError> {
        let text = format!("DROP SCHEMA \"{}\" CASCADE", self.address.campaign);
        self.with(|link| Ok(link.client().batch_execute(&text)?))
    }

    /// The process of the server that serves us, on its machine.
    pub fn process(&self) -> Result<u64, StoreError> {
        self.with(|link| Ok(link.client().query_one("SELECT pg_backend_pid()", &[])?.get::<_, i32>(0) as u64))
    }

    /// What a campaign says of itself under a key.
    pub fn setting(&self, key: &str) -> Result<Option<String>, StoreError> {
        self.with(|link| {
            let query = link.prepared("SELECT value FROM campaign WHERE key = $1")?;
            Ok(link.client().query_opt(&query, &[&key])?.map(|row| row.get(0)))
        })
    }

    /// Writes down another plan under a key, of so many turns: all of it is to be given out, from the beginning. What was
    /// counted stays, and what was given out before is lost to whoever has it.
    pub fn begin_again(&self, key: &str, plan: &str, turns: u64) -> Result<(), StoreError> {
        self.with(|link| {
            let mut change = link.transaction()?;
            change.batch_execute(
                "DELETE FROM waiting; DELETE FROM leases WHERE done = 0; UPDATE leases SET ranges = ''; DELETE FROM series",
            )?;
            set(&mut change, key, plan)?;
            set(&mut change, "turns", &turns.to_string())?;
            set(&mut change, "walk", "")?;
            Ok(change.commit()?)
        })
    }

    /// Writes down what a campaign says of itself.
    pub fn set(&self, key: &str, value: &str) -> Result<(), StoreError> {
        self.with(|link| {
            let mut change = link.transaction()?;
            set(&mut change, key, value)?;
            Ok(change.commit()?)
        })
    }
}

fn migrate(link: &mut Link, address: &Address) -> Result<(), Failure> {
    let mut change = link.transaction()?;
    change.execute("SELECT pg_advisory_xact_lock($1)", &[&LOCK])?;
    let found = version(&mut change)?;
    refuse_newer(found, address)?;
    for step in &STEPS[found as usize..] {
        change.batch_execute(&for_postgres(step))?;
    }
    set(&mut change, "format", &VERSION.to_string())?;
    Ok(change.commit()?)
}

fn refuse_newer(found: u32, address: &Address) -> Result<(), StoreError> {
    if found > VERSION {
        let place = address.to_string().into();
        return Err(StoreError::Newer { place, found, known: VERSION });
    }
    Ok(())
}

/// Whether there is a schema of the campaign's name.
fn has_schema(change: &mut Transaction<'_>, address: &Address) -> Result<bool, Failure> {
    let text = "SELECT 1 FROM pg_namespace WHERE nspname = $1::text";
    Ok(change.query_opt(text, &[&address.campaign])?.is_some())
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
    Ok(row.and_then(|row| row.get::<_, Option<String>>(0)?.parse().ok()).unwrap_or(0))
}

pub(super) fn set(change: &mut Transaction<'_>, key: &str, value: &str) -> Result<(), Failure> {
    change.execute(
        "INSERT INTO campaign VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
        &[&key, &value],
    )?;
    Ok(())
}
