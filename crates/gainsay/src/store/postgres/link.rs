//! A connection to the schema of a campaign, with its prepared statements.

use std::collections::HashMap;

use tokio_postgres::Statement;

use super::failure::Failure;
use super::line::{Client, Transaction, WaitPolicy};
use crate::store::{Address, StoreError};

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
