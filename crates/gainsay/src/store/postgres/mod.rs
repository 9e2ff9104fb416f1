//! The store of many machines: `PostgreSQL` holds the campaign and hands out its work.

mod begin;
mod campaign;
mod copy;
mod counts;
mod findings;
mod lease;
mod link;
mod plan;
mod runs;
mod seeds;
mod status;

use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::{Address, StoreError};
use link::{Failure, Link};

pub use lease::{Lease, Taken};
pub use link::Patience;
pub use plan::{Before, Planned, Planner, Written};
pub use seeds::SeedText;
pub use status::{Status, WorkerRow};

/// Milliseconds since 1970, by the server's clock.
macro_rules! now {
    () => {
        "(extract(epoch FROM clock_timestamp()) * 1000)::bigint"
    };
}
use now;

/// A campaign on a server. One connection, which all threads of a process share; it comes back when it was lost.
pub struct Postgres {
    address: Address,
    link: Mutex<Option<Link>>,
    /// Whether we wait for a server that is away.
    patience: Option<Patience>,
    /// Ranges up to this one were taken when we looked last.
    gone: AtomicI64,
    /// Whether we are a worker.
    works: AtomicBool,
}

impl Postgres {
    fn new(address: &Address) -> Postgres {
        Postgres {
            address: address.clone(),
            link: Mutex::new(None),
            patience: None,
            gone: AtomicI64::new(0),
            works: AtomicBool::new(false),
        }
    }

    /// From now on waits for a server that is away, and says so.
    #[must_use]
    pub fn with_patience(mut self, patience: Patience) -> Postgres {
        self.patience = Some(patience);
        self
    }

    /// Where it is.
    pub fn address(&self) -> &Address {
        &self.address
    }

    fn link(&self) -> MutexGuard<'_, Option<Link>> {
        self.link.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does something on the server once; a lost connection is made anew for the next.
    fn once<T>(&self, work: &mut dyn FnMut(&mut Link) -> Result<T, Failure>) -> Result<T, StoreError> {
        let mut link = self.link();
        let done = match link.as_mut() {
            Some(open) => work(open),
            None => {
                let works = self.works.load(Ordering::Relaxed);
                Link::open(&self.address, works).and_then(|open| work(link.insert(open)))
            }
        };
        done.map_err(|e| {
            if e.is_lost() {
                *link = None;
            }
            e.of(&self.address)
        })
    }

    /// Does something on the server, as often as patience allows. It must be such that doing it twice is as doing it once.
    fn with<T>(&self, mut work: impl FnMut(&mut Link) -> Result<T, Failure>) -> Result<T, StoreError> {
        let mut told = 0;
        loop {
            match (self.once(&mut work), &self.patience) {
                (Err(e @ StoreError::Away { .. }), Some(patience)) => {
                    if !patience.pause(told, &e) {
                        return Err(e);
                    }
                    told += 1;
                }
                (done, patience) => {
                    if let (true, Some(patience)) = (told > 0 && done.is_ok(), patience) {
                        patience.back();
                    }
                    return done;
                }
            }
        }
    }
}
