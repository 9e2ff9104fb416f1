//! A connection, what can go wrong with it, and how long we wait for it to come back.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio_postgres::Statement;
use tokio_postgres::error::SqlState;

use super::line::{Client, Transaction, WaitPolicy};
use crate::store::{Address, StoreError};

/// The longest pause between two attempts, and the first.
const LONGEST: Duration = Duration::from_secs(30);
const SHORTEST: Duration = Duration::from_millis(250);
/// How often somebody who pauses looks whether to stop.
const GLANCE: Duration = Duration::from_millis(50);

/// How one waits for a server: until told to stop, saying what is wrong.
pub struct Patience {
    /// Whether to give up.
    pub stop: Arc<AtomicBool>,
    /// Says something to whoever watches.
    pub tell: Box<dyn Fn(&str) + Send + Sync>,
}

impl Patience {
    /// Waits, longer each time; false if there is no more waiting.
    pub(super) fn pause(&self, times: u32, e: &StoreError) -> bool {
        if self.stop.load(Ordering::Relaxed) {
            return false;
        }
        let pause = SHORTEST.saturating_mul(1 << times.min(16)).min(LONGEST);
        (self.tell)(&format!("{e}; trying again in {:.1} s", pause.as_secs_f64()));
        let mut left = pause;
        while !left.is_zero() && !self.stop.load(Ordering::Relaxed) {
            let step = left.min(GLANCE);
            std::thread::sleep(step);
            left -= step;
        }
        !self.stop.load(Ordering::Relaxed)
    }

    pub(super) fn back(&self) {
        (self.tell)("the store is back");
    }
}

/// Why something was not done.
#[derive(Debug)]
pub enum Failure {
    /// The server or the way to it.
    Server(tokio_postgres::Error),
    /// The server said nothing for so long.
    Silent(Duration),
    /// This machine.
    Here(std::io::Error),
    /// It is another campaign than the one we knew.
    Replaced,
    /// Anything else.
    Other(StoreError),
}

impl From<tokio_postgres::Error> for Failure {
    fn from(e: tokio_postgres::Error) -> Failure {
        Failure::Server(e)
    }
}

impl From<StoreError> for Failure {
    fn from(e: StoreError) -> Failure {
        Failure::Other(e)
    }
}

/// Whether a refusal passes: no room, too many of us, a server that comes or goes, a password that somebody may mend.
fn passes(code: &SqlState) -> bool {
    const PASSING: &[&str] = &["08", "53", "57P", "58", "40", "28", "55P03", "25P03"];
    PASSING.iter().any(|start| code.code().starts_with(start))
}

impl Failure {
    /// Whether the connection must be made anew.
    pub fn is_lost(&self) -> bool {
        match self {
            Failure::Server(e) => e.code().is_none_or(passes),
            Failure::Silent(_) | Failure::Here(_) => true,
            Failure::Replaced | Failure::Other(_) => false,
        }
    }

    /// The error of a store. Who has not met the server before is told at once what is unlikely to pass.
    pub fn of(self, address: &Address, met: bool) -> StoreError {
        let place = address.to_string();
        let e = match self {
            Failure::Other(e) => return e,
            Failure::Silent(time) => {
                let why = format!("it said nothing for {:.0} s", time.as_secs_f64());
                return StoreError::Away { place, why };
            }
            Failure::Here(e) => return StoreError::Away { place, why: e.to_string() },
            Failure::Replaced => return StoreError::Replaced { place },
            Failure::Server(e) => e,
        };
        let cause = std::error::Error::source(&e).map(|cause| format!(" ({cause})")).unwrap_or_default();
        let (stays, why) = match e.as_db_error() {
            Some(said) if *said.code() == SqlState::UNDEFINED_TABLE => {
                (true, format!("this campaign was erased ({})", said.message()))
            }
            Some(said) if said.code().code().starts_with("28") => (!met, said.message().to_owned()),
            Some(said) => (!passes(said.code()), said.message().to_owned()),
            // The words are those of `tokio_postgres`; it has no other sign.
            None if cause.contains("password missing") => {
                (!met, "it needs a password: PGPASSWORD or ~/.pgpass".to_owned())
            }
            None => (!met && e.to_string().contains("TLS"), format!("{e}{cause}")),
        };
        if stays { StoreError::Refused { place, why } } else { StoreError::Away { place, why } }
    }
}

/// What a worker's connection begins with.
pub const HURRY: &str = "SET synchronous_commit TO off";

/// An open connection.
pub struct Link {
    client: Client,
    statements: HashMap<&'static str, Statement>,
}

impl Link {
    /// Connects, to the campaign's own schema. A worker does not wait until what it did is on the server's disk, unless there are
    /// findings: if the server loses its last moments, a lease that was taken is forgotten, and one whose end was is overdue
    /// one day, and its turns are made again.
    pub fn open(address: &Address, works: bool, heed: WaitPolicy) -> Result<Link, Failure> {
        let hurry = if works { HURRY } else { "" };
        let tls = address.tls().map_err(|why| StoreError::Refused { place: address.to_string(), why })?;
        let mut client = Client::connect(&address.config(), tls, heed)?;
        // The name is plain letters. A worker that is cut off must not keep what it has locked. Our statements are small: to
        // compile one, or to plan it anew each time, costs the server more than to carry it out. Tables of ranges and leases
        // change faster than its statistics of them: rows are found by their keys, whatever it believes.
        client.batch_execute(&format!(
            "SET search_path TO \"{}\"; SET client_min_messages TO warning; \
             SET idle_in_transaction_session_timeout TO '60s'; SET lock_timeout TO '60s'; \
             SET jit TO off; SET plan_cache_mode TO force_generic_plan; \
             SET enable_seqscan TO off; SET enable_hashjoin TO off; SET enable_mergejoin TO off; {hurry}",
            address.campaign
        ))?;
        Ok(Link { client, statements: HashMap::new() })
    }

    /// The connection itself.
    pub fn client(&mut self) -> &mut Client {
        &mut self.client
    }

    /// A statement, prepared once.
    pub fn prepared(&mut self, text: &'static str) -> Result<Statement, Failure> {
        if let Some(known) = self.statements.get(text) {
            return Ok(known.clone());
        }
        let new = self.client.prepare(text)?;
        self.statements.insert(text, new.clone());
        Ok(new)
    }

    /// Several statements, prepared once each.
    pub fn all<const N: usize>(&mut self, texts: [&'static str; N]) -> Result<[Statement; N], Failure> {
        let mut found = Vec::with_capacity(N);
        for text in texts {
            found.push(self.prepared(text)?);
        }
        Ok(found.try_into().unwrap_or_else(|_| unreachable!("as many as texts")))
    }

    /// Begins a transaction.
    pub fn transaction(&mut self) -> Result<Transaction<'_>, Failure> {
        self.client.transaction()
    }
}

/// A text as the server can hold it: without the letter zero.
pub fn plain(text: &str) -> String {
    text.replace('\0', "\u{fffd}")
}
