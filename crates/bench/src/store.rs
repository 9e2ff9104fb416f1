//! `gainsay bench store`: what leases cost a server when many workers take and hand them in, and do nothing else.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use gainsay::campaign::PAUSES;
use gainsay::case::Answer;
use gainsay::cli::arguments::{BadUsage, duration};
use gainsay::cli::exit;
use gainsay::store::{
    Address, Before, Counter, Definition, HandIn, Lease, LeaseResult, Place, Planned, Planner, Postgres,
    Range, SeriesRow, StoreError, Taken, TurnOutcome, Written,
};

/// The outcome of every run.
const SAT: TurnOutcome = TurnOutcome::Said(Answer::Sat);

/// What to measure.
#[derive(clap::Args)]
pub struct Args {
    /// The server; a campaign of the name in the address, which must be new, is made there and erased afterwards: `postgres://user@host/database#bench`
    #[arg(long)]
    store: Place,
    /// Workers, with a connection each
    #[arg(long, default_value_t = 200)]
    workers: u64,
    /// Leases that each takes and hands in
    #[arg(long, default_value_t = 60)]
    leases: u64,
    /// From one lease of a worker to its next; workers in earnest take one every ten seconds. With 0s as fast as can be, which
    /// measures how they get in each other's way
    #[arg(long, default_value = "1s", value_parser = duration)]
    every: Duration,
    /// Ranges in a lease, of ten turns each
    #[arg(long, default_value_t = 20)]
    ranges: u32,
}

/// How many turns a range has.
const TURNS: u32 = 10;
const LEASE: Duration = Duration::from_secs(600);

/// A schedule of nothing but numbers.
struct Numbers;

impl Planner for Numbers {
    fn first(&self, _: &str) -> Result<u64, StoreError> {
        Ok(u64::MAX >> 1)
    }

    fn plan(&self, before: Before) -> Result<Written, StoreError> {
        let unreadable = |e| StoreError::unreadable("the cursor", e);
        let next: u64 =
            if before.cursor.is_empty() { 0 } else { before.cursor.parse().map_err(unreadable)? };
        let end = next + before.wanted as u64;
        let ranges = (next..end).map(|no| Range { no, allotted: TURNS, turns: 0, ended: false }).collect();
        Ok(Written { cursor: end.to_string(), ranges, over: false })
    }
}

fn row(no: u64, turns: u32) -> SeriesRow {
    SeriesRow { no, strategy: "bench".to_owned(), allotted: TURNS, turns, ended: false, note: None }
}

/// Runs the command.
pub fn run(args: &Args) -> anyhow::Result<u8> {
    let Place::Server(address) = &args.store else {
        return Err(
            BadUsage("a server is measured: --store postgres://user@host/database#bench".to_owned()).into()
        );
    };
    let definition = Definition { identity: "bench".to_owned(), spec: "{}".to_owned(), place: String::new() };
    let store = Postgres::passing(address, &definition)?;
    // Whatever goes wrong from here on, what was made is erased.
    let measured = everybody(args, address, &store).and_then(|stores| measured(args, &store, &stores));
    store.erase()?;
    let (leases, seconds, costs) = measured?;
    tell(address, args, leases, seconds, costs);
    Ok(exit::FINE)
}

/// All workers, each with its connection.
fn everybody(args: &Args, address: &Address, store: &Postgres) -> Result<Vec<(Postgres, u64)>, StoreError> {
    let mut stores = Vec::new();
    for _ in 0..args.workers {
        let store = Postgres::look(address)?;
        let worker = store.join("bench", 1, LEASE)?;
        stores.push((store, worker));
    }
    // Whoever begins a campaign plans; others join.
    store.plan(&Numbers)?;
    Ok(stores)
}

/// CPU seconds of the server: until each worker had its first leases, and after that.
type Costs = Option<(f64, f64)>;

/// All workers at once: first two leases each, by which the server learns their statements, then as many as are wanted. Tells how
/// many leases those were, how long they took, and what both cost.
fn measured(
    args: &Args,
    store: &Postgres,
    stores: &[(Postgres, u64)],
) -> Result<(u64, f64, Costs), StoreError> {
    let before = server_cpu(store)?;
    let done = AtomicU64::new(0);
    let all = |leases: u64, begun: Instant| -> Result<Vec<()>, StoreError> {
        std::thread::scope(|scope| {
            let done = &done;
            let all: Vec<_> = stores
                .iter()
                .enumerate()
                .map(|(i, (store, worker))| {
                    // One after another, so that they do not all come at the same moment.
                    let first = begun + args.every.mul_f64(i as f64 / args.workers as f64);
                    let worker = Worker { args, store, id: *worker, done };
                    scope.spawn(move || worker.work(leases, first))
                })
                .collect();
            all.into_iter().map(|w| w.join().unwrap_or_else(|p| std::panic::resume_unwind(p))).collect()
        })
    };
    all(2, Instant::now())?;
    let (learnt, first, begun) = (server_cpu(store)?, done.load(Ordering::Relaxed), Instant::now());
    all(args.leases, begun)?;
    let after = server_cpu(store)?;
    let costs = before.zip(learnt).zip(after).map(|((a, b), c)| (b - a, c - b));
    Ok((done.into_inner() - first, begun.elapsed().as_secs_f64(), costs))
}

fn tell(address: &Address, args: &Args, leases: u64, seconds: f64, costs: Costs) {
    let turns = u64::from(args.ranges) * u64::from(TURNS);
    println!(
        "{leases} leases of {turns} turns by {} workers in {seconds:.1} s, {:.0} a second",
        args.workers,
        leases as f64 / seconds
    );
    match costs {
        Some((first, cpu)) => {
            let worker = first * 1000.0 / args.workers.max(1) as f64;
            println!("CPU of the server for the first two leases of each: {worker:.1} ms a worker");
            let each = cpu * 1000.0 / leases.max(1) as f64;
            println!("CPU of the server: {cpu:.2} s, {each:.3} ms a lease");
            println!(
                "at a lease every ten seconds and core, one core of the server serves {:.0} cores",
                10_000.0 / each.max(0.001)
            );
        }
        None => println!("{address} is not on this machine: its CPU time cannot be seen from here"),
    }
}

/// A worker with its connection.
struct Worker<'a> {
    args: &'a Args,
    store: &'a Postgres,
    id: u64,
    /// The count of leases that all workers have handed in.
    done: &'a AtomicU64,
}

impl Worker<'_> {
    /// Takes and hands in so many leases, the first at that moment.
    fn work(&self, leases: u64, first: Instant) -> Result<(), StoreError> {
        let Worker { args, store, id, done } = *self;
        let (mut left, mut pause, mut held) = (leases, PAUSES.0, None);
        while left > 0 {
            let next = first + args.every * u32::try_from(leases - left).unwrap_or(u32::MAX);
            std::thread::sleep(next.saturating_duration_since(Instant::now()));
            let taken = match held.take() {
                Some(lease) => Some(lease),
                None => store.take(id, args.ranges, LEASE)?,
            };
            let Some(lease) = taken else {
                if store.plan(&Numbers)? != Planned::More {
                    std::thread::sleep(pause);
                    pause = (pause * 2).min(PAUSES.1);
                }
                continue;
            };
            pause = PAUSES.0;
            if lease.plans {
                store.plan(&Numbers)?;
            }
            // Work of ten seconds is over before a lease of sixty must be renewed; that we are there is said every fifteen.
            if !left.is_multiple_of(3) {
                store.renew(id, 0, LEASE, &[])?;
            }
            let result = result(id, lease);
            let counted = if left > 1 {
                let (counted, next) = store.exchange(&result, args.ranges, LEASE)?;
                held = next;
                counted
            } else {
                store.hand_in_result(&result, false)?
            };
            if counted == Taken::Counted {
                done.fetch_add(1, Ordering::Relaxed);
                left -= 1;
            }
        }
        Ok(())
    }
}

/// What comes of a lease.
fn result(worker: u64, lease: Lease) -> LeaseResult {
    let Lease { id, began, ranges, .. } = lease;
    let handed = |range: &Range| HandIn {
        series: row(range.no, TURNS),
        made: TURNS,
        outcomes: vec![vec![SAT; 2]; TURNS as usize],
        tally: [((Some("z3@5.4.0".parse().expect("a name")), Counter::Run(SAT)), u64::from(TURNS))].into(),
    };
    let turns: Vec<HandIn> = ranges.iter().map(handed).collect();
    let mut result = LeaseResult { worker, lease: id, began, ranges, ..LeaseResult::default() };
    result.add(&turns);
    result
}

/// CPU seconds of a server on this machine, with all processes that serve for it.
fn server_cpu(store: &Postgres) -> Result<Option<f64>, StoreError> {
    let fields = |pid: u64| -> Option<Vec<u64>> {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        let (name, rest) = stat.rsplit_once(") ")?;
        name.contains("postgres").then(|| rest.split(' ').map(|f| f.parse().unwrap_or(0)).collect())
    };
    let Some(parent) = fields(store.process()?).and_then(|f| f.get(1).copied()) else { return Ok(None) };
    let Some(main) = fields(parent) else { return Ok(None) };
    // Its own time, and that of those that have ended.
    let mut ticks: u64 = main[11..15].iter().sum();
    for entry in std::fs::read_dir("/proc").into_iter().flatten().flatten() {
        let pid = entry.file_name().to_string_lossy().parse().unwrap_or(0);
        if let Some(child) = fields(pid).filter(|f| f.get(1) == Some(&parent)) {
            ticks += child[11] + child[12];
        }
    }
    Ok(Some(ticks as f64 / rustix::param::clock_ticks_per_second() as f64))
}
