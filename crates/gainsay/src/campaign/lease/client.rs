//! The client of a process that works on a campaign together with other processes.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::Sharing;
use crate::case::Answer;
use crate::solver::SolverId;
use crate::store::{FirstRun, KEPT, Planner, Room, ServerEvent, Spool, StoreError};

/// How long the server's answer about a fingerprint is used before it is asked again.
const BELIEVED: Duration = Duration::from_secs(5);

/// The state that all workers of a process share.
pub struct LeaseClient<'a> {
    pub(super) planner: &'a (dyn Planner + Sync),
    pub(super) sharing: &'a Sharing<'a>,
    over: AtomicBool,
    /// How many leases expired before they were handed in.
    pub(super) late: AtomicU64,
    /// The leases that are not handed in, with the time at which each was taken or renewed.
    pub(super) held: Mutex<Vec<(u64, Instant)>>,
    pub(super) prints: Mutex<HashMap<String, Fingerprint>>,
    pub(super) answers: Mutex<HashMap<(String, SolverId), Vec<Answer>>>,
    pub(super) first_runs: Mutex<HashMap<(String, SolverId), FirstRun>>,
}

/// What is known of a fingerprint.
pub(super) struct Fingerprint {
    count: u64,
    pub(super) kept: u64,
    room: Room,
    asked: Instant,
}

/// Locks a mutex. Its content is consistent after a panic, because workers change it in single steps.
pub(super) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<'a> LeaseClient<'a> {
    /// The client of a process that works on a campaign with this planner.
    pub fn new(planner: &'a (dyn Planner + Sync), sharing: &'a Sharing<'a>) -> LeaseClient<'a> {
        LeaseClient {
            planner,
            sharing,
            over: AtomicBool::new(false),
            late: AtomicU64::new(0),
            held: Mutex::default(),
            prints: Mutex::default(),
            answers: Mutex::default(),
            first_runs: Mutex::default(),
        }
    }

    /// Stops taking leases.
    pub fn give_up(&self) {
        self.over.store(true, Ordering::Relaxed);
    }

    pub(super) fn is_over(&self) -> bool {
        self.over.load(Ordering::Relaxed)
    }

    /// How many leases expired before they were handed in.
    pub fn late(&self) -> u64 {
        self.late.load(Ordering::Relaxed)
    }

    /// Hands in the results that an earlier process left on disk. Files that cannot be read or are refused are moved aside and
    /// reported.
    pub fn deliver(&self) -> Result<(), StoreError> {
        let Sharing { store, spool, campaign, .. } = self.sharing;
        let spool = Spool::new(spool);
        for place in spool.waiting(campaign)? {
            let taken = match spool.read(&place) {
                Ok(Some(result)) => store.hand_in_result(&result, true).map(|_| ()),
                // Somebody else who shares the folder was first.
                Ok(None) => continue,
                Err(e) => Err(e),
            };
            match taken {
                Ok(()) => spool.remove(&place)?,
                // Whoever comes next would fail by it, too.
                Err(e @ (StoreError::Refused { .. } | StoreError::Unreadable { .. })) => {
                    let aside = spool.put_aside(&place)?;
                    store.tell(ServerEvent::PutAside { place: &aside, error: &e });
                }
                Err(e) => return Err(e),
            }
        }
        Ok(())
    }

    /// Renews the leases at intervals until `done` is set.
    pub fn keep_alive(&self, done: &AtomicBool, turns: impl Fn() -> u64) -> Result<(), StoreError> {
        let Sharing { store, worker, lease, .. } = self.sharing;
        let mut last = Instant::now();
        while !done.load(Ordering::Relaxed) {
            std::thread::sleep(Duration::from_millis(20));
            if last.elapsed() >= *lease / 4 {
                // A young one has time until we come again; most are over by then.
                let mut old = Vec::new();
                for (id, since) in locked(&self.held).iter_mut().filter(|(_, t)| t.elapsed() >= *lease / 4) {
                    old.push(*id);
                    *since = Instant::now();
                }
                store.renew(*worker, turns(), *lease, &old)?;
                last = Instant::now();
            }
        }
        Ok(())
    }

    /// Counts a trigger in this process, and says whether another finding with that fingerprint is stored. While the server is
    /// away, it is: surplus findings are removed when they are handed in, and no worker with a finding waits for the server.
    pub(super) fn room(&self, fingerprint: &str) -> Result<Room, StoreError> {
        let known = |prints: &mut HashMap<String, Fingerprint>| {
            let print = prints.get_mut(fingerprint).filter(|p| p.asked.elapsed() < BELIEVED)?;
            print.count += 1;
            Some(if print.count <= KEPT || print.kept < KEPT { Room::Plenty } else { print.room })
        };
        if let Some(room) = known(&mut locked(&self.prints)) {
            return Ok(room);
        }
        let (count, kept, room) = match self.sharing.store.room(fingerprint) {
            Err(StoreError::Away { .. }) => (0, 0, Room::Plenty),
            said => said?,
        };
        let mut prints = locked(&self.prints);
        let ours = prints.get(fingerprint).map_or(0, |p| p.count);
        let print = Fingerprint { count: count.max(ours), kept, room, asked: Instant::now() };
        prints.insert(fingerprint.to_owned(), print);
        Ok(known(&mut prints).unwrap_or(Room::Plenty))
    }
}
