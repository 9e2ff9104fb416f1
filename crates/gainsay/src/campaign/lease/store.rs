//! The store of one worker among many: its findings and counts are collected until its lease is handed in.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use super::client::{LeaseClient, locked};
use super::{PAUSES, Sharing};
use crate::campaign::schedule::Next;
use crate::case::Answer;
use crate::finding::Finding;
use crate::solver::SolverId;
use crate::store::{
    FirstRun, FormulaRow, HandIn, Handed, Kept, Lease, LeaseResult, Planned, Postgres, Range, Room, RunRow,
    Sink, Spool, StoreError, Taken,
};

/// How long the work on a lease should take, if leases last longer.
const STINT: Duration = Duration::from_secs(10);
/// The most ranges in one lease.
const MOST: u32 = 128;

/// The store of one worker: its lease, and the results so far.
pub struct LeasedStore<'a> {
    client: &'a LeaseClient<'a>,
    state: Mutex<State>,
}

struct State {
    queue: VecDeque<Range>,
    result: Option<LeaseResult>,
    /// The findings and counts of turns that are not handed in.
    open: Open,
    taken: Instant,
    size: u32,
}

/// Findings and triggers of turns that are not handed in. They count when the turns do.
#[derive(Default)]
struct Open {
    triggers: Vec<String>,
    findings: Vec<(Finding, bool)>,
}

impl<'a> LeasedStore<'a> {
    /// The store of a worker of this process.
    pub fn new(client: &'a LeaseClient<'a>) -> LeasedStore<'a> {
        let (queue, open) = (VecDeque::new(), Open::default());
        let state = State { queue, result: None, open, taken: Instant::now(), size: 1 };
        LeasedStore { client, state: Mutex::new(state) }
    }

    /// Hands in the result of the lease, if there is one. Findings are on disk until the server has them.
    fn send(&self, state: &mut State) -> Result<(), StoreError> {
        let Sharing { store, spool, lease, .. } = self.client.sharing;
        state.close();
        let Some(result) = state.result.take() else { return Ok(()) };
        state.learn(*lease);
        let place = if result.is_light() { None } else { Some(Spool::new(spool).write(&result)?) };
        let taken = store.hand_in_result(&result, false);
        self.settle(&result, place, taken)
    }

    /// Handles the server's reply to a result. If there is none, the result is kept on disk and handed in later.
    fn settle(
        &self,
        result: &LeaseResult,
        mut place: Option<PathBuf>,
        taken: Result<Taken, StoreError>,
    ) -> Result<(), StoreError> {
        let Sharing { store, spool, .. } = self.client.sharing;
        let taken = match taken {
            Ok(taken) => taken,
            Err(e) => {
                if place.is_none() {
                    place = Some(Spool::new(spool).write(result)?);
                }
                if !matches!(e, StoreError::Away { .. }) {
                    return Err(e);
                }
                store.hand_in_result(result, true)?
            }
        };
        if let Some(place) = place {
            Spool::new(spool).remove(&place)?;
        }
        locked(&self.client.held).retain(|(id, _)| *id != result.lease);
        tracing::info!(lease = ?result.lease, ?taken, "lease handed in");
        if taken == Taken::Late {
            self.client.late.fetch_add(1, Ordering::Relaxed);
        }
        Ok(())
    }

    /// Hands in the result of the lease and takes another one; false if there are no more.
    fn exchange(&self, state: &mut State) -> Result<bool, StoreError> {
        let Sharing { store, lease, .. } = self.client.sharing;
        state.close();
        let Some(result) = state.result.take_if(|result| result.is_light()) else {
            self.send(state)?;
            return self.take(state);
        };
        state.learn(*lease);
        let (taken, next) = match store.exchange(&result, state.size, *lease) {
            Ok((taken, next)) => (Ok(taken), next),
            Err(e) => (Err(e), None),
        };
        self.settle(&result, None, taken)?;
        match next {
            Some(next) => self.hold(state, next).map(|()| true),
            None => self.take(state),
        }
    }

    /// Takes a lease; false if there are no more.
    fn take(&self, state: &mut State) -> Result<bool, StoreError> {
        let Sharing { store, worker, lease, .. } = self.client.sharing;
        let mut pause = PAUSES.0;
        while !self.client.is_over() {
            if let Some(taken) = store.take(*worker, state.size, *lease)? {
                self.hold(state, taken)?;
                return Ok(true);
            }
            match store.plan(self.client.planner)? {
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

    /// Begins a lease.
    fn hold(&self, state: &mut State, taken: Lease) -> Result<(), StoreError> {
        let Sharing { store, worker, campaign, .. } = self.client.sharing;
        let Lease { id: lease, began, ranges, plans } = taken;
        tracing::info!(?lease, ranges = ranges.len(), "lease taken");
        locked(&self.client.held).push((lease, Instant::now()));
        state.queue = ranges.iter().copied().collect();
        state.taken = Instant::now();
        let (campaign, worker) = (campaign.clone(), *worker);
        state.result = Some(LeaseResult { campaign, worker, lease, began, ranges, ..LeaseResult::default() });
        if plans {
            store.plan(self.client.planner)?;
        }
        Ok(())
    }
}

impl State {
    /// Moves the findings of finished turns into the result.
    fn close(&mut self) {
        let Open { triggers, findings } = std::mem::take(&mut self.open);
        let Some(result) = &mut self.result else { return };
        for fingerprint in triggers {
            *result.counts.triggers.entry(fingerprint).or_default() += 1;
        }
        for (finding, warm) in findings {
            result.found(&finding, warm);
        }
    }

    /// Whether there are findings that are not handed in.
    fn has_found(&self) -> bool {
        !self.open.findings.is_empty() || self.result.as_ref().is_some_and(|result| !result.is_light())
    }

    /// Adjusts the number of ranges of the next lease to how long the last one took.
    fn learn(&mut self, lease: Duration) {
        self.queue.clear();
        let took = self.taken.elapsed().as_secs_f64().max(0.001);
        let wanted = STINT.min(lease / 3).as_secs_f64();
        let times = (wanted / took).clamp(0.5, 4.0);
        self.size = ((f64::from(self.size) * times) as u32).clamp(1, MOST);
    }
}

impl LeasedStore<'_> {
    /// The next range. If the lease is finished and `may_take` allows it, another lease is taken.
    pub fn next(&self, may_take: bool) -> Result<Next, StoreError> {
        let mut state = locked(&self.state);
        if self.client.is_over() {
            return Ok(Next::Over);
        }
        if state.queue.is_empty() {
            if !may_take {
                return Ok(Next::Later);
            }
            if !self.exchange(&mut state)? {
                return Ok(Next::Over);
            }
        }
        Ok(state.queue.pop_front().map_or(Next::Over, Next::Work))
    }

    /// Hands in the result of the lease, complete or not.
    pub fn finish(&self) -> Result<(), StoreError> {
        self.send(&mut locked(&self.state))
    }

    /// Keeps the result of the lease on disk after an error. A turn that is not finished is made again and counted then; its
    /// findings are kept.
    pub fn keep(&self) -> Result<(), StoreError> {
        let mut state = locked(&self.state);
        self.shelter(&state)?;
        (state.open, state.result) = (Open::default(), None);
        Ok(())
    }

    /// Asks the server. If it is away, the findings so far are written to disk before the worker waits, because the process may
    /// be ended while it waits.
    fn asked_of<T>(&self, ask: impl Fn(&Postgres, bool) -> Result<T, StoreError>) -> Result<T, StoreError> {
        let store = self.client.sharing.store;
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

    /// Writes the result so far to disk.
    fn shelter(&self, state: &State) -> Result<(), StoreError> {
        let Some(mut result) = state.result.clone() else { return Ok(()) };
        for (finding, warm) in &state.open.findings {
            result.glimpsed(finding, *warm);
        }
        if !result.is_empty() {
            Spool::new(&self.client.sharing.spool).write(&result)?;
        }
        Ok(())
    }

    /// Adds something to the result of the lease, after the findings before it.
    fn put(&self, put: impl FnOnce(&mut LeaseResult)) {
        let mut state = locked(&self.state);
        state.close();
        if let Some(result) = &mut state.result {
            put(result);
        }
    }
}

impl Sink for LeasedStore<'_> {
    fn hand_in(&self, turns: &[HandIn]) -> Result<(), StoreError> {
        self.put(|result| result.add(turns));
        Ok(())
    }

    fn hand_in_runs(&self, formula: &FormulaRow, handed: &[Handed]) -> Result<(), StoreError> {
        self.put(|result| result.runs.push((formula.clone(), handed.to_vec())));
        Ok(())
    }

    fn trigger(&self, fingerprint: &str) -> Result<Room, StoreError> {
        locked(&self.state).open.triggers.push(fingerprint.to_owned());
        self.client.room(fingerprint)
    }

    fn record(&self, finding: &Finding, warm: bool) -> Result<Kept, StoreError> {
        if let Some(print) = locked(&self.client.prints).get_mut(&finding.fingerprint) {
            print.kept += 1;
        }
        locked(&self.state).open.findings.push((finding.clone(), warm));
        Ok(Kept::Held)
    }

    fn remember(&self, seed: &str, solver: &SolverId, answers: &[Answer]) -> Result<(), StoreError> {
        self.asked_of(|store, patient| store.keep_answers(seed, solver, answers, patient))
    }

    fn known_answers(&self, seed: &str, solver: &SolverId) -> Result<Option<Vec<Answer>>, StoreError> {
        let key = (seed.to_owned(), solver.clone());
        if let Some(known) = locked(&self.client.answers).get(&key) {
            return Ok(Some(known.clone()));
        }
        let answers = self.asked_of(|store, patient| store.answers(seed, solver, patient))?;
        if let Some(answers) = &answers {
            locked(&self.client.answers).insert(key, answers.clone());
        }
        Ok(answers)
    }

    fn remember_first_run(&self, seed: &str, solver: &SolverId, run: &FirstRun) -> Result<(), StoreError> {
        self.asked_of(|store, patient| store.keep_first_run(seed, solver, run, patient))
    }

    fn first_run(&self, seed: &str, solver: &SolverId) -> Result<Option<FirstRun>, StoreError> {
        let key = (seed.to_owned(), solver.clone());
        if let Some(known) = locked(&self.client.first_runs).get(&key) {
            return Ok(Some(*known));
        }
        let run = self.asked_of(|store, patient| store.known_first_run(seed, solver, patient))?;
        if let Some(run) = run {
            locked(&self.client.first_runs).insert(key, run);
        }
        Ok(run)
    }

    fn releases_asked(&self, grammar: &str, number: &str) -> Result<Vec<SolverId>, StoreError> {
        self.asked_of(|store, patient| store.asked(grammar, number, patient))
    }

    fn known_run(
        &self,
        grammar: &str,
        number: &str,
        release: &SolverId,
    ) -> Result<Option<RunRow>, StoreError> {
        self.client.sharing.store.known_run(grammar, number, release)
    }
}
