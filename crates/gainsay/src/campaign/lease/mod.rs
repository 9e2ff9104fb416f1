//! Work on a campaign together with other processes: workers take leases from a server and hand in their results.

mod client;
mod store;

use std::path::PathBuf;
use std::time::Duration;

use super::schedule::{Next, Supply};
use crate::store::{Postgres, Range, StoreError};

pub use client::LeaseClient;
pub use store::LeasedStore;

/// The first and the longest pause of a worker that finds no lease to take.
pub const PAUSES: (Duration, Duration) = (Duration::from_millis(20), Duration::from_secs(1));

/// What a process needs to work on a campaign with others.
pub struct Sharing<'a> {
    /// The store of the campaign.
    pub store: &'a Postgres,
    /// The identity of the campaign, for results that wait on disk.
    pub campaign: String,
    /// The number of this process among the workers.
    pub worker: u64,
    /// How long a lease lasts without being renewed.
    pub lease: Duration,
    /// The folder in which results wait while the server is away.
    pub spool: PathBuf,
}

/// Gives a worker the units of its leases.
pub struct LeaseSupply<'a>(pub &'a LeasedStore<'a>);

impl Supply for LeaseSupply<'_> {
    fn next(&self, may_wait: bool) -> Result<Next, StoreError> {
        self.0.next(may_wait)
    }

    fn done(&self, _: Range) {}

    fn finish(&self) -> Result<(), StoreError> {
        self.0.finish()
    }
}
