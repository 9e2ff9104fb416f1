//! A worker process among many: it takes leases from a server, and hands in what came of each.

use std::collections::{HashMap, VecDeque};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::case::Answer;
use crate::finding::Finding;
use crate::solver::SolverId;
use crate::store::{
    AllRuns, FormulaRow, HandIn, Handed, KEPT, Kept, Lease, LeaseResult, Planned, Planner, Postgres, Range,
    Room, Row, RunRow, Runs, SeriesRow, Store, StoreError, Taken, TallyRow, WrongRow,
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
pub struct LeaseClient<'a> {
    planner: &'a (dyn Planner + Sync),
    sharing: &'a Sharing<'a>,
    over: AtomicBool,
    /// Leases that had ended before they were handed in.
    late: AtomicU64,
    /// Leases that are worked on, or not handed in, and when each was taken or renewed.
    held: Mutex<Vec<(u64, Instant)>>,
    prints: Mutex<HashMap<String, Print>>,
    answers: Mutex<HashMap<(String, SolverId), Vec<Answer>>>,
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

impl<'a> LeaseClient<'a> {
    /// The office of a process that works on a campaign whose order somebody knows.
    pub fn new(planner: &'a (dyn Planner + Sync), sharing: &'a Sharing<'a>) -> LeaseClient<'a> {
        LeaseClient {
            planner,
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
        for (place, parcel) in LeaseResult::kept(&self.sharing.spool, &self.sharing.campaign) {
            match self.sharing.store.hand_in_parcel(&parcel, true) {
                Ok(_) => LeaseResult::let_go(&place)?,
                // Whoever comes next would fail by it, too.
                Err(StoreError::Refused { why, .. }) => {
                    let aside = LeaseResult::put_aside(&place)?;
                    let words = format!("{} was refused and put aside: {why}", aside.display());
                    self.sharing.store.tell(&words);
                }
                Err(e) => return Err(e),
            }
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

    /// Counts a trigger in this process, and says whether a finding of that fingerprint has room. While the server is away it has:
    /// of too many some are left out when they are handed in, and nobody waits who holds what was found.
    fn room(&self, fingerprint: &str) -> Result<Room, StoreError> {
        let known = |prints: &mut HashMap<String, Print>| {
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
        let print = Print { count: count.max(ours), kept, room, asked: Instant::now() };
        prints.insert(fingerprint.to_owned(), print);
        Ok(known(&mut prints).unwrap_or(Room::Plenty))
    }
}

/// What a worker that asks for a range gets.
pub enum Given {
    /// A range.
    Range(Range),
    /// Something, once it has handed in what it holds.
    Later,
    /// Nothing, now or ever.
    Nothing,
}

/// Where one worker of a process sits: its lease, and what came of it so far.
pub struct LeasedStore<'a> {
    office: &'a LeaseClient<'a>,
    state: Mutex<State>,
}

struct State {
    queue: VecDeque<Range>,
    parcel: Option<LeaseResult>,
    /// What is known of a turn that is not over.
    open: Open,
    taken: Instant,
    size: u32,
}

/// What was found in turns that have not been handed in: it counts when they are.
#[derive(Default)]
struct Open {
    triggers: Vec<String>,
    findings: Vec<(Finding, bool)>,
}

impl<'a> LeasedStore<'a> {
    /// A desk in an office.
    pub fn new(office: &'a LeaseClient<'a>) -> LeasedStore<'a> {
        let (queue, open) = (VecDeque::new(), Open::default());
        let state = State { queue, parcel: None, open, taken: Instant::now(), size: 1 };
        LeasedStore { office, state: Mutex::new(state) }
    }

    /// Hands in what came of the lease, if there is one. What was found is on disk until the server has it.
    fn send(&self, state: &mut State) -> Result<(), StoreError> {
        let Sharing { store, spool, lease, .. } = self.office.sharing;
        state.close();
        let Some(parcel) = state.parcel.take() else { return Ok(()) };
        state.learn(*lease);
        let place = if parcel.is_light() { None } else { Some(parcel.keep(spool)?) };
        let taken = store.hand_in_parcel(&parcel, false);
        self.settle(&parcel, place, taken)
    }

    /// Takes note of what became of a parcel; if nothing did it is kept on disk, and handed in as soon as that can be.
    fn settle(
        &self,
        parcel: &LeaseResult,
        mut place: Option<PathBuf>,
        taken: Result<Taken, StoreError>,
    ) -> Result<(), StoreError> {
        let Sharing { store, spool, .. } = self.office.sharing;
        let taken = match taken {
            Ok(taken) => taken,
            Err(e) => {
                if place.is_none() {
                    place = Some(parcel.keep(spool)?);
                }
                if !matches!(e, StoreError::Away { .. }) {
                    return Err(e);
                }
                store.hand_in_parcel(parcel, true)?
            }
        };
        if let Some(place) = place {
            LeaseResult::let_go(&place)?;
        }
        locked(&self.office.held).retain(|(id, _)| *id != parcel.lease);
        if taken == Taken::Late {
            self.office.late.fetch_add(1, Ordering::Relaxed);
        }
        Ok(())
    }

    /// Hands in what came of the lease and takes another; false if there is nothing more to take.
    fn exchange(&self, state: &mut State) -> Result<bool, StoreError> {
        let Sharing { store, lease, .. } = self.office.sharing;
        state.close();
        let Some(parcel) = state.parcel.take_if(|parcel| parcel.is_light()) else {
            self.send(state)?;
            return self.take(state);
        };
        state.learn(*lease);
        let (taken, next) = match store.exchange(&parcel, state.size, *lease) {
            Ok((taken, next)) => (Ok(taken), next),
            Err(e) => (Err(e), None),
        };
        self.settle(&parcel, None, taken)?;
        match next {
            Some(next) => self.hold(state, next).map(|()| true),
            None => self.take(state),
        }
    }

    /// Takes a lease; false if there is nothing more to take.
    fn take(&self, state: &mut State) -> Result<bool, StoreError> {
        let Sharing { store, worker, lease, .. } = self.office.sharing;
        let mut pause = PAUSES.0;
        while !self.office.is_over() {
            if let Some(taken) = store.take(*worker, state.size, *lease)? {
                self.hold(state, taken)?;
                return Ok(true);
            }
            match store.plan(self.office.planner)? {
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

    /// Begins with a lease.
    fn hold(&self, state: &mut State, taken: Lease) -> Result<(), StoreError> {
        let Sharing { store, worker, campaign, .. } = self.office.sharing;
        let Lease { id: lease, began, ranges, plans } = taken;
        locked(&self.office.held).push((lease, Instant::now()));
        state.queue = ranges.iter().copied().collect();
        state.taken = Instant::now();
        let (campaign, worker) = (campaign.clone(), *worker);
        state.parcel = Some(LeaseResult { campaign, worker, lease, began, ranges, ..LeaseResult::default() });
        if plans {
            store.plan(self.office.planner)?;
        }
        Ok(())
    }
}

impl State {
    /// Puts what was found in turns that are over into the parcel.
    fn close(&mut self) {
        let Open { triggers, findings } = std::mem::take(&mut self.open);
        let Some(parcel) = &mut self.parcel else { return };
        for fingerprint in triggers {
            *parcel.counts.triggers.entry(fingerprint).or_default() += 1;
        }
        for (finding, warm) in findings {
            parcel.found(&finding, warm);
        }
    }

    /// Whether something was found that has not been handed in.
    fn has_found(&self) -> bool {
        !self.open.findings.is_empty() || self.parcel.as_ref().is_some_and(|parcel| !parcel.is_light())
    }

    /// How many ranges to take next, by how long the last ones took.
    fn learn(&mut self, lease: Duration) {
        self.queue.clear();
        let took = self.taken.elapsed().as_secs_f64().max(0.001);
        let wanted = STINT.min(lease / 3).as_secs_f64();
        let times = (wanted / took).clamp(0.5, 4.0);
        self.size = ((f64::from(self.size) * times) as u32).clamp(1, MOST);
    }
}

impl LeasedStore<'_> {
    /// The next range to work on; a new lease is taken if the last is worked through, and may be.
    pub fn next(&self, may_take: bool) -> Result<Given, StoreError> {
        let mut state = locked(&self.state);
        if self.office.is_over() {
            return Ok(Given::Nothing);
        }
        if state.queue.is_empty() {
            if !may_take {
                return Ok(Given::Later);
            }
            if !self.exchange(&mut state)? {
                return Ok(Given::Nothing);
            }
        }
        Ok(state.queue.pop_front().map_or(Given::Nothing, Given::Range))
    }

    /// Hands in what came of the lease, as far as it has come.
    pub fn finish(&self) -> Result<(), StoreError> {
        self.send(&mut locked(&self.state))
    }

    /// Keeps on disk what came of the lease, for something went wrong. A turn that is not over is made again by somebody, and
    /// counts then; what was found in it is kept all the same.
    pub fn keep(&self) -> Result<(), StoreError> {
        let mut state = locked(&self.state);
        self.shelter(&state)?;
        (state.open, state.parcel) = (Open::default(), None);
        Ok(())
    }

    /// Asks the server. If it is away what was found so far is on disk before we wait for it: who waits may be ended meanwhile.
    fn asked_of<T>(&self, ask: impl Fn(&Postgres, bool) -> Result<T, StoreError>) -> Result<T, StoreError> {
        let store = self.office.sharing.store;
        match ask(store, false) {
            Err(StoreError::Away { .. }) => {
                let state = locked(&self.state);
                if state.has_found() {
                    self.shelter(&state)?;
                }
                drop(state);
                ask(store, true)
            }
            said => said,
        }
    }

    /// Writes what is known so far to disk.
    fn shelter(&self, state: &State) -> Result<(), StoreError> {
        let Some(mut parcel) = state.parcel.clone() else { return Ok(()) };
        for (finding, warm) in &state.open.findings {
            parcel.glimpsed(finding, *warm);
        }
        if !parcel.is_empty() {
            parcel.keep(&self.office.sharing.spool)?;
        }
        Ok(())
    }

    /// Puts something into the parcel of the lease, and what was found before it.
    fn put(&self, put: impl FnOnce(&mut LeaseResult)) {
        let mut state = locked(&self.state);
        state.close();
        if let Some(parcel) = &mut state.parcel {
            put(parcel);
        }
    }

    /// Takes note that a range of formulas has come so far.
    pub fn advance(&self, range: Range) {
        self.put(|parcel| parcel.advance(range));
    }
}

impl Store for LeasedStore<'_> {
    fn hand_in(&self, turns: &[HandIn]) -> Result<(), StoreError> {
        self.put(|parcel| parcel.add(turns));
        Ok(())
    }

    fn series(&self) -> Result<Vec<SeriesRow>, StoreError> {
        self.office.sharing.store.series()
    }

    fn trigger(&self, fingerprint: &str) -> Result<Room, StoreError> {
        locked(&self.state).open.triggers.push(fingerprint.to_owned());
        self.office.room(fingerprint)
    }

    fn record(&self, finding: &Finding, warm: bool) -> Result<Kept, StoreError> {
        if let Some(print) = locked(&self.office.prints).get_mut(&finding.fingerprint) {
            print.kept += 1;
        }
        locked(&self.state).open.findings.push((finding.clone(), warm));
        Ok(Kept::Held)
    }

    fn findings(&self) -> Result<Vec<Row>, StoreError> {
        self.office.sharing.store.findings()
    }

    fn seed_answers(&self, seed: &str, solver: &SolverId) -> Result<Option<Vec<Answer>>, StoreError> {
        let key = (seed.to_owned(), solver.clone());
        if let Some(known) = locked(&self.office.answers).get(&key) {
            return Ok(Some(known.clone()));
        }
        let answers = self.asked_of(|store, patient| store.answers(seed, solver, patient))?;
        if let Some(answers) = &answers {
            locked(&self.office.answers).insert(key, answers.clone());
        }
        Ok(answers)
    }

    fn remember(&self, seed: &str, solver: &SolverId, answers: &[Answer]) -> Result<(), StoreError> {
        self.asked_of(|store, patient| store.keep_answers(seed, solver, answers, patient))
    }

    fn tally(&self) -> Result<Vec<TallyRow>, StoreError> {
        self.office.sharing.store.tally()
    }

    fn course(&self) -> Result<Vec<(u64, u64, u64)>, StoreError> {
        self.office.sharing.store.course()
    }

    fn triggers(&self) -> Result<std::collections::BTreeMap<String, u64>, StoreError> {
        self.office.sharing.store.triggers()
    }
}

impl Runs for LeasedStore<'_> {
    fn hand_in_runs(&self, formula: &FormulaRow, handed: &[Handed]) -> Result<(), StoreError> {
        self.put(|parcel| parcel.runs.push((formula.clone(), handed.to_vec())));
        Ok(())
    }

    fn asked(&self, grammar: &str, number: &str) -> Result<Vec<SolverId>, StoreError> {
        self.asked_of(|store, patient| store.releases_asked(grammar, number, patient))
    }

    fn run(&self, grammar: &str, number: &str, release: &SolverId) -> Result<Option<RunRow>, StoreError> {
        self.office.sharing.store.run(grammar, number, release)
    }

    fn wrongs(&self) -> Result<Vec<(FormulaRow, SolverId, WrongRow)>, StoreError> {
        self.office.sharing.store.wrongs()
    }

    fn all_runs(&self) -> Result<AllRuns, StoreError> {
        self.office.sharing.store.all_runs()
    }
}
