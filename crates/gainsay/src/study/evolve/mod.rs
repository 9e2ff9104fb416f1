//! Evolution: the same formulas, release after release. Every pair of a formula and a release is asked once, in a process of
//! its own if times are wanted, judged by the court beside a reference of another make, and kept.

mod pairs;
mod row;
mod source;
mod worker;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Instant;

use crate::campaign::{HuntError, Sharing, share};
use crate::judge::oracle;
use crate::solver::{AskMode, Limits};
use crate::store::{Runs, Store};
use crate::strategy::enumerate::Formulas;

pub use pairs::{Contender, contenders};
pub use row::{row_of, run_of};
pub use worker::{case_of, formula_row};

use source::{InOrder, Leased, Pieces, Source};

/// The formulas of a grammar that are asked.
#[derive(Clone)]
pub struct Stock {
    /// What the grammar is called in tables; the same label means the same formulas.
    pub label: String,
    /// The grammar, as it is written.
    pub grammar: String,
    /// The formulas.
    pub formulas: Arc<Formulas>,
    /// How many of them, from the first.
    pub count: u64,
}

/// All that decides a study of evolution.
pub struct Plan {
    /// What is asked.
    pub stocks: Vec<Stock>,
    /// Who is asked, and beside whom it is judged.
    pub contenders: Vec<Contender>,
    /// Who judges.
    pub oracles: Vec<&'static oracle::Entry>,
    /// What one question may cost.
    pub limits: Limits,
    /// How solvers are asked: only a process of its own has a time.
    pub way: AskMode,
    /// How many workers there are.
    pub jobs: usize,
    /// When this run of the study ends.
    pub until: Option<Instant>,
    /// Whether models of the references are kept, so that later releases can be judged without asking them again.
    pub keep_models: bool,
}

/// How many numbers of a grammar come one after another before the next grammar has its turn.
const STRETCH: u64 = 10;

impl Plan {
    /// All formulas in the order in which they are asked: grammars take turns, so that what is done when time ends is
    /// the beginning of each.
    pub fn order(&self) -> Vec<(usize, u64)> {
        let longest = self.stocks.iter().map(|s| s.count).max().unwrap_or(0);
        let mut order = Vec::new();
        for from in (0..longest).step_by(STRETCH as usize) {
            for (which, stock) in self.stocks.iter().enumerate() {
                order.extend((from..(from + STRETCH).min(stock.count)).map(|number| (which, number)));
            }
        }
        order
    }
}

/// How far a study is.
#[derive(Debug, Default)]
pub struct Counts {
    /// Formulas that are done.
    pub formulas: AtomicUsize,
    /// Pairs that were asked in this run.
    pub asked: AtomicUsize,
    /// Pairs that were there already.
    pub there: AtomicUsize,
    /// Things that are wrong.
    pub wrongs: AtomicUsize,
    /// Texts of a grammar that are no scripts.
    pub unread: AtomicUsize,
}

/// Runs a study; `watch` is called now and then. Tells whether all was asked. Findings and runs go to the first store, runs
/// that outlive the study to the second, which may be the same.
pub fn run<S: Store + Runs + ?Sized>(
    plan: &Plan,
    stores: (&S, &S),
    stop: &AtomicBool,
    watch: impl Fn(&Counts),
) -> Result<(Counts, bool), HuntError> {
    let counts = Counts::default();
    let order = plan.order();
    let source = InOrder::new(&order);
    let seats: Vec<WorkerIo<'_, S>> =
        (0..plan.jobs.max(1)).map(|_| (stores, &source as &dyn Source)).collect();
    crew(plan, &seats, &counts, stop, &|| {}, watch)?;
    let done = counts.formulas.load(Ordering::Relaxed) == order.len();
    Ok((counts, done))
}

/// Works on an edition of a study together with other processes, until it is over or we are; also tells how many leases were lost to others.
pub fn join(
    plan: &Plan,
    edition: u32,
    sharing: &Sharing<'_>,
    stop: &AtomicBool,
    watch: impl Fn(&Counts),
) -> Result<(Counts, u64), HuntError> {
    let counts = Counts::default();
    let order = plan.order();
    let turns = || counts.formulas.load(Ordering::Relaxed) as u64;
    let pieces = Pieces { edition, formulas: order.len() as u64 };
    let ((), late) = share(sharing, &pieces, plan.jobs, &turns, |office, desks| {
        let sources: Vec<Leased<'_>> = desks.iter().map(|desk| Leased::new(&order, pieces, desk)).collect();
        let seats = desks.iter().zip(&sources);
        let seats: Vec<WorkerIo<'_, _>> =
            seats.map(|(desk, source)| ((desk, desk), source as &dyn Source)).collect();
        crew(plan, &seats, &counts, stop, &|| office.give_up(), watch)
    })?;
    Ok((counts, late))
}

/// Where a worker's findings and runs go, and where it gets formulas from.
type WorkerIo<'a, S> = ((&'a S, &'a S), &'a dyn Source);

/// A worker at each seat, until there is nothing more to do.
fn crew<S: Store + Runs + ?Sized>(
    plan: &Plan,
    seats: &[WorkerIo<'_, S>],
    counts: &Counts,
    stop: &AtomicBool,
    give_up: &(dyn Fn() + Sync),
    watch: impl Fn(&Counts),
) -> Result<(), HuntError> {
    let ending = AtomicBool::new(false);
    let failed = std::thread::scope(|scope| {
        let ending = &ending;
        let work = |&(stores, source): &WorkerIo<'_, S>| {
            let done = worker::work(plan, stores, source, counts, ending);
            if done.is_err() {
                give_up();
            }
            done
        };
        let workers: Vec<_> = seats.iter().map(|seat| scope.spawn(move || work(seat))).collect();
        while !workers.iter().all(std::thread::ScopedJoinHandle::is_finished) {
            if stop.load(Ordering::Relaxed) || plan.until.is_some_and(|end| Instant::now() >= end) {
                ending.store(true, Ordering::Relaxed);
                give_up();
            }
            watch(counts);
            std::thread::sleep(std::time::Duration::from_millis(50));
        }
        let ended = workers.into_iter().map(|w| w.join().unwrap_or_else(|p| std::panic::resume_unwind(p)));
        ended.filter_map(Result::err).last()
    });
    watch(counts);
    failed.map_or(Ok(()), Err)
}
