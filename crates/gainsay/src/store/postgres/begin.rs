//! Beginning a campaign on a server, going on with it, looking at it; its schema is brought up to date on the way.

use postgres::Transaction;

use super::Postgres;
use super::link::{Failure, Link};
use crate::store::schema::{STEPS, VERSION, for_postgres};
use crate::store::{Address, Campaign, Identity, StoreError, differences};

/// The key of the lock under which a schema is made; any number that is ours.
const LOCK: i64 = 0x0067_6169_6e73_6179;

impl Postgres {
    /// Begins a campaign, or with `resume` goes on with one.
    pub fn open(address: &Address, identity: &Identity, resume: bool) -> Result<Postgres, StoreError> {
        let store = Postgres::new(address);
        let place = || address.to_string().into();
        let before = store.with(|link| {
            let mut change = link.transaction()?;
            change.execute("SELECT pg_advisory_xact_lock($1)", &[&LOCK])?;
            change.batch_execute(&format!("CREATE SCHEMA IF NOT EXISTS \"{}\"", address.campaign))?;
            let found = version(&mut change)?;
            refuse_newer(found, address)?;
            if found > 0 && !resume {
                return Err(StoreError::There { place: place() }.into());
            }
            for step in &STEPS[found as usize..] {
                change.batch_execute(&for_postgres(step))?;
            }
            set(&mut change, "format", &VERSION.to_string())?;
            if found == 0 {
                set(&mut change, "draw", &identity.draw.to_string())?;
                set(&mut change, "configuration", &identity.configuration)?;
                set(&mut change, "program", env!("CARGO_PKG_VERSION"))?;
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

/// The version of the schema; 0 if there is none.
fn version(change: &mut Transaction<'_>) -> Result<u32, Failure> {
    let there: bool = change.query_one("SELECT to_regclass('campaign') IS NOT NULL", &[])?.get(0);
    if !there {
        return Ok(0);
    }
    let row = change.query_opt("SELECT value FROM campaign WHERE key = 'format'", &[])?;
    Ok(row.and_then(|row| row.get::<_, String>(0).parse().ok()).unwrap_or(0))
}

pub(super) fn set(change: &mut Transaction<'_>, key: &str, value: &str) -> Result<(), Failure> {
    change.execute(
        "INSERT INTO campaign VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
        &[&key, &value],
    )?;
    Ok(())
}
