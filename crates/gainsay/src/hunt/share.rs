//! A worker process among many: it takes leases from a server, and hands in what came of each.

use std::collections::{HashMap, VecDeque};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::Plan;
use super::schedule::{Next, Supply};
use super::walk::{Job, Pattern, Step, Walk};
use crate::case::Answer;
use crate::finding::Finding;
use crate::store::{
    Before, HandIn, KEPT, Kept, Parcel, Planned, Planner, Postgres, Range, Room, Row, SeriesRow, Store,
    StoreError, Taken, Written,
};

/// How long the work of a lease should take, if leases last longer.
const STINT: Duration = Duration::from_secs(10);
/// At most this many ranges are taken at a time; there are no more in a row of those that wait.
const MOST: u32 = 128;
/// The pauses of whoever finds nothing to take.
pub const PAUSES: (Duration, Duration) = (Duration::from_millis(20), Duration::from_secs(1));
/// For how long what the server said of a fingerprint is believed.
const BELIEVED: Duration = Duration::from_secs(5);

/// What a process needs to work on a campaign with others.
pub struct Sharing<'a> {
    /// The campaign.
    pub store: &'a Postgres,
    /// Which campaign it is, for parcels that wait on disk.
    pub campaign: String,
    /// Our number among the workers.
    pub worker: u64,
    /// How long a lease lasts without being renewed.
    pub lease: Duration,
    /// Where parcels wait while the server is away.
    pub spool: PathBuf,
}

/// What all workers of a process share.
pub struct Office<'a> {
    pattern: Pattern<'a>,
    sharing: &'a Sharing<'a>,
    over: AtomicBool,
    /// Leases that had ended before they were handed in.
    late: AtomicU64,
    /// Leases that are worked on, or not handed in.
    held: Mutex<Vec<u64>>,
    prints: Mutex<HashMap<String, Print>>,
    answers: Mutex<HashMap<(String, String), Vec<Answer>>>,
}

/// What is known of a fingerprint.
struct Print {
    count: u64,
    kept: u64,
    room: Room,
    asked: Instant,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<'a> Office<'a> {
    /// The office of a process that works on a campaign.
    pub fn new(plan: &'a Plan, sharing: &'a Sharing<'a>) -> Office<'a> {
        Office {
            pattern: Pattern::new(plan),
            sharing,
            over: AtomicBool::new(false),
            late: AtomicU64::new(0),
            held: Mutex::default(),
            prints: Mutex::default(),
            answers: Mutex::default(),
        }
    }

    /// No more is taken.
    pub fn give_up(&self) {
        self.over.store(true, Ordering::Relaxed);
    }

    fn is_over(&self) -> bool {
        self.over.load(Ordering::Relaxed)
    }

    /// How many leases had ended before they were handed in.
    pub fn late(&self) -> u64 {
        self.late.load(Ordering::Relaxed)
    }

    /// Hands in what an earlier process had to leave on disk.
    pub fn deliver(&self) -> Result<(), StoreError> {
        for (place, parcel) in Parcel::kept(&self.sharing.spool, &self.sharing.campaign) {
            self.sharing.store.hand_in_parcel(&parcel, true)?;
            std::fs::remove_file(&place).map_err(StoreError::at(&place))?;
        }
        Ok(())
    }

    /// Says now and then that we are there, until told that nobody works any more.
    pub fn keep_alive(&self, done: &AtomicBool, turns: impl Fn() -> u64) -> Result<(), StoreError> {
        let Sharing { store, worker, lease, .. } = self.sharing;
        let mut last = Instant::now();
        while !done.load(Ordering::Relaxed) {
            std::thread::sleep(Duration::from_millis(20));
            if last.elapsed() >= *lease / 4 {
                let held = locked(&self.held).clone();
                store.renew(*worker, turns(), *lease, &held)?;
                last = Instant::now();
            }
        }
        Ok(())
    }

    /// Counts a trigger in this process, and says whether a finding of that fingerprint has room.
    fn room(&self, fingerprint: &str) -> Result<Room, StoreError> {
        let known = |prints: &mut HashMap<String, Print>| {
            let print = prints.get_mut(fingerprint).filter(|p| p.asked.elapsed() < BELIEVED)?;
            print.count += 1;
            Some(if print.count <= KEPT || print.kept < KEPT { Room::Plenty } else { print.room })
        };
        if let Some(room) = known(&mut locked(&self.prints)) {
            return Ok(room);
        }
        let (count, kept, room) = self.sharing.store.room(fingerprint)?;
        let mut prints = locked(&self.prints);
        let ours = prints.get(fingerprint).map_or(0, |p| p.count);
        let print = Print { count: count.max(ours), kept, room, asked: Instant::now() };
        prints.insert(fingerprint.to_owned(), print);
        Ok(known(&mut prints).unwrap_or(Room::Plenty))
    }
}

/// A range as the row of its series.
fn row_of(pattern: &Pattern<'_>, range: Range) -> SeriesRow {
    let Range { no, allotted, turns, ended } = range;
    SeriesRow { no, strategy: pattern.name(no).to_owned(), allotted, turns, ended, why: String::new() }
}

impl Planner for Office<'_> {
    fn first(&self, walk: &str) -> u64 {
        serde_json::from_str::<Walk>(walk).map_or(0, |walk| walk.first(&self.pattern))
    }

    fn plan(&self, before: Before) -> Written {
        let Before { walk, turns, rows, out, done, wanted } = before;
        let mut walk = match serde_json::from_str::<Walk>(&walk) {
            Ok(walk) => walk.with(&rows, &out),
            Err(_) => Walk::new(turns, &rows, &out),
        };
        for range in done {
            walk.done(&row_of(&self.pattern, range));
        }
        let mut written = Written::default();
        while written.ranges.len() < wanted {
            match walk.next(&self.pattern) {
                Step::Work(Job { row: SeriesRow { no, allotted, turns, ended, .. }, .. }) => {
                    written.ranges.push(Range { no, allotted, turns, ended });
                }
                Step::Wait => break,
                Step::Over => {
                    written.over = true;
                    break;
                }
            }
        }
        written.walk = serde_json::to_string(&walk).expect("a walk is plain");
        written
    }
}

/// Where one worker of a process sits: its lease, and what came of it so far.
pub struct Desk<'a> {
    office: &'a Office<'a>,
    state: Mutex<State>,
}

struct State {
    queue: VecDeque<Job>,
    parcel: Option<Parcel>,
    taken: Instant,
    size: u32,
}

impl<'a> Desk<'a> {
    /// A desk in an office.
    pub fn new(office: &'a Office<'a>) -> Desk<'a> {
        let state = State { queue: VecDeque::new(), parcel: None, taken: Instant::now(), size: 1 };
        Desk { office, state: Mutex::new(state) }
    }

    /// Hands in what came of the lease, if there is one. While the server is away it is on disk.
    fn send(&self, state: &mut State) -> Result<(), StoreError> {
        let Some(parcel) = state.parcel.take() else { return Ok(()) };
        state.queue.clear();
        let Sharing { store, spool, lease, .. } = self.office.sharing;
        let took = state.taken.elapsed().as_secs_f64().max(0.001);
        let wanted = STINT.min(*lease / 3).as_secs_f64();
        let times = (wanted / took).clamp(0.5, 4.0);
        state.size = ((f64::from(state.size) * times) as u32).clamp(1, MOST);
        let taken = match store.hand_in_parcel(&parcel, false) {
            Ok(taken) => taken,
            Err(e) => {
                let place = parcel.keep(spool)?;
                if !matches!(e, StoreError::Away { .. }) {
                    return Err(e);
                }
                let taken = store.hand_in_parcel(&parcel, true)?;
                std::fs::remove_file(&place).map_err(StoreError::at(&place))?;
                taken
            }
        };
        locked(&self.office.held).retain(|id| *id != parcel.lease);
        if taken == Taken::Late {
            self.office.late.fetch_add(1, Ordering::Relaxed);
        }
        Ok(())
    }

    /// Takes a lease; false if there is nothing more to take.
    fn take(&self, state: &mut State) -> Result<bool, StoreError> {
        let Sharing { store, worker, lease, campaign, .. } = self.office.sharing;
        let mut pause = PAUSES.0;
        while !self.office.is_over() {
            if let Some(taken) = store.take(*worker, state.size, *lease)? {
                if taken.plans {
                    store.plan(self.office)?;
                }
                let pattern = &self.office.pattern;
                let job = |range: &Range| pattern.job(row_of(pattern, *range));
                state.queue = taken.ranges.iter().map(job).collect();
                let campaign = campaign.clone();
                let (lease, began) = (taken.id, taken.began);
                locked(&self.office.held).push(lease);
                state.parcel = Some(Parcel {
                    campaign,
                    worker: *worker,
                    lease,
                    began,
                    ranges: taken.ranges,
                    ..Parcel::default()
                });
                state.taken = Instant::now();
                return Ok(true);
            }
            match store.plan(self.office)? {
                Planned::More => {}
                Planned::Over => return Ok(false),
                Planned::Nothing | Planned::Busy => {
                    std::thread::sleep(pause);
                    pause = (pause * 2).min(PAUSES.1);
                }
            }
        }
        Ok(false)
    }
}

impl Supply for Desk<'_> {
    fn next(&self, may_wait: bool) -> Result<Next, StoreError> {
        let mut state = locked(&self.state);
        if self.office.is_over() {
            return Ok(Next::Over);
        }
        if state.queue.is_empty() {
            if !may_wait {
                return Ok(Next::Later);
            }
            self.send(&mut state)?;
            if !self.take(&mut state)? {
                return Ok(Next::Over);
            }
        }
        Ok(state.queue.pop_front().map_or(Next::Over, Next::Work))
    }

    fn done(&self, _: &SeriesRow) {}

    fn finish(&self) -> Result<(), StoreError> {
        self.send(&mut locked(&self.state))
    }
}

impl Store for Desk<'_> {
    fn hand_in(&self, turns: &[HandIn]) -> Result<(), StoreError> {
        if let Some(parcel) = &mut locked(&self.state).parcel {
            parcel.add(turns);
        }
        Ok(())
    }

    fn series(&self) -> Result<Vec<SeriesRow>, StoreError> {
        self.office.sharing.store.series()
    }

    fn trigger(&self, fingerprint: &str) -> Result<Room, StoreError> {
        if let Some(parcel) = &mut locked(&self.state).parcel {
            *parcel.counts.triggers.entry(fingerprint.to_owned()).or_default() += 1;
        }
        self.office.room(fingerprint)
    }

    fn record(&self, finding: &Finding, warm: bool) -> Result<Kept, StoreError> {
        if let Some(print) = locked(&self.office.prints).get_mut(&finding.fingerprint) {
            print.kept += 1;
        }
        if let Some(parcel) = &mut locked(&self.state).parcel {
            parcel.found(finding, warm);
        }
        Ok(Kept::Held)
    }

    fn findings(&self) -> Result<Vec<Row>, StoreError> {
        self.office.sharing.store.findings()
    }

    fn seed_answers(&self, seed: &str, solver: &str) -> Result<Option<Vec<Answer>>, StoreError> {
        let key = (seed.to_owned(), solver.to_owned());
        if let Some(known) = locked(&self.office.answers).get(&key) {
            return Ok(Some(known.clone()));
        }
        let answers = self.office.sharing.store.seed_answers(seed, solver)?;
        if let Some(answers) = &answers {
            locked(&self.office.answers).insert(key, answers.clone());
        }
        Ok(answers)
    }

    fn remember(&self, seed: &str, solver: &str, answers: &[Answer]) -> Result<(), StoreError> {
        self.office.sharing.store.remember(seed, solver, answers)
    }

    fn tally(&self) -> Result<Vec<(String, String, String, u64)>, StoreError> {
        self.office.sharing.store.tally()
    }

    fn course(&self) -> Result<Vec<(u64, u64, u64)>, StoreError> {
        self.office.sharing.store.course()
    }

    fn triggers(&self) -> Result<std::collections::BTreeMap<String, u64>, StoreError> {
        self.office.sharing.store.triggers()
    }
}
