//! The store of many machines: `PostgreSQL` holds the campaign and hands out its work.

mod begin;
mod campaign;
mod check;
mod copy;
mod counts;
mod failure;
mod findings;
mod lease;
mod line;
mod link;
mod patience;
mod plan;
mod rows;
mod runs;
mod seeds;
mod status;

use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use super::columns::row_place;
use super::{Address, StoreError};
use failure::Failure;
use line::WaitPolicy;
use link::Link;

pub use lease::{Lease, Taken};
pub use patience::{Patience, ServerEvent};
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

/// The number of the campaign that is there now, which may be another than the one we knew.
macro_rules! there_is {
    () => {
        "coalesce((SELECT value FROM campaign WHERE key = 'id'), '')"
    };
}
use there_is;

/// For how long the server may say nothing to a worker: as long as its lease lasts, within these bounds.
const SILENCE: (Duration, Duration) = (Duration::from_secs(5), Duration::from_secs(60));
/// And to others, who may ask what takes it long.
const THINKING: Duration = Duration::from_secs(600);

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
    /// For how many milliseconds the server may say nothing.
    silence: AtomicU64,
    /// Whether it said nothing when we were told to stop.
    forsaken: AtomicBool,
    /// Whether we were ever connected.
    met: AtomicBool,
    /// The campaign's own number.
    id: OnceLock<String>,
}

impl Postgres {
    fn new(address: &Address) -> Postgres {
        Postgres {
            address: address.clone(),
            link: Mutex::new(None),
            patience: None,
            gone: AtomicI64::new(0),
            works: AtomicBool::new(false),
            silence: AtomicU64::new(THINKING.as_millis() as u64),
            forsaken: AtomicBool::new(false),
            met: AtomicBool::new(false),
            id: OnceLock::new(),
        }
    }

    /// From now on the server may say nothing for so long, within bounds.
    fn expect_answers_within(&self, time: Duration) {
        let time = time.clamp(SILENCE.0, SILENCE.1);
        self.silence.store(time.as_millis() as u64, Ordering::Relaxed);
    }

    fn heed(&self) -> WaitPolicy {
        let silence = Duration::from_millis(self.silence.load(Ordering::Relaxed));
        WaitPolicy { silence, stop: self.patience.as_ref().map(|patience| patience.stop.clone()) }
    }

    /// From now on waits for a server that is away, and says so.
    #[must_use]
    pub fn with_patience(mut self, patience: Patience) -> Postgres {
        self.patience = Some(patience);
        self.expect_answers_within(SILENCE.1);
        self
    }

    /// Where it is.
    pub fn address(&self) -> &Address {
        &self.address
    }

    /// The place of a row.
    fn place(&self, table: &str, row: &str) -> String {
        row_place(&self.address.to_string(), table, row)
    }

    /// The campaign's own number, as it was when we first looked.
    fn id(&self) -> &str {
        self.id.get().map_or("", String::as_str)
    }

    /// Reports an event, if the process waits for the server.
    pub fn tell(&self, event: ServerEvent<'_>) {
        if let Some(patience) = &self.patience {
            (patience.tell)(event);
        }
    }

    fn link(&self) -> MutexGuard<'_, Option<Link>> {
        self.link.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does something on the server once; a lost connection is made anew for the next.
    fn once<T>(&self, work: &mut dyn FnMut(&mut Link) -> Result<T, Failure>) -> Result<T, StoreError> {
        let mut link = self.link();
        let heed = self.heed();
        if self.forsaken.load(Ordering::Relaxed) {
            let why = "it does not answer".to_owned();
            return Err(StoreError::Away { place: self.address.to_string(), why });
        }
        let done = match link.as_mut() {
            Some(open) => {
                open.client().heed(heed.clone());
                work(open)
            }
            None => {
                let works = self.works.load(Ordering::Relaxed);
                Link::open(&self.address, works, heed.clone()).and_then(|open| {
                    self.met.store(true, Ordering::Relaxed);
                    work(link.insert(open))
                })
            }
        };
        done.map_err(|e| {
            // Whoever is to stop does not wait again and again.
            if matches!(e, Failure::Silent(_)) && heed.stops() {
                self.forsaken.store(true, Ordering::Relaxed);
            }
            if e.is_lost() {
                *link = None;
            }
            e.of(&self.address, self.met.load(Ordering::Relaxed))
        })
    }

    /// Does something on the server, with `patient` as often as patience allows.
    fn perhaps<T>(
        &self,
        patient: bool,
        mut work: impl FnMut(&mut Link) -> Result<T, Failure>,
    ) -> Result<T, StoreError> {
        if patient { self.with(work) } else { self.once(&mut work) }
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
