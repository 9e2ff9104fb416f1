//! Working on a campaign together with other machines: what `hunt` does after it began one, and `work` from the start.

use std::io::IsTerminal;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::{duration, settings, watch};
use crate::campaign::{self, HuntError, Sharing};
use crate::cli::exit;
use crate::report::many;
use crate::report::matrix::Matrix;
use crate::solver::acquire::home::Home;
use crate::solver::machine;
use crate::store::{Address, LeaseResult, Patience, Place, Postgres, Store, StoreError};

/// How one takes part in a campaign on a server.
#[derive(clap::Args)]
pub struct Joining {
    /// On a server: for how long work is taken; whoever is not heard of for so long loses it to others
    #[arg(long, default_value = "60s", value_parser = duration)]
    lease: Duration,
    /// On a server: where what was found waits while the server is away [default: in the home of solvers]
    #[arg(long)]
    spool: Option<PathBuf>,
}

/// How often the same words are said again.
const AGAIN: Duration = Duration::from_secs(2);

/// A process that takes part in what is on a server.
pub struct Member {
    /// Where it is.
    pub store: Postgres,
    worker: u64,
    campaign: String,
    lease: Duration,
    /// Where what cannot be handed in waits, and what came with the campaign is unpacked.
    pub spool: PathBuf,
}

impl Member {
    /// Says that we are there.
    pub fn join(
        address: &Address,
        joining: &Joining,
        jobs: usize,
        stop: &Arc<AtomicBool>,
    ) -> anyhow::Result<Member> {
        let store = Postgres::wait_for(address, patience(stop))?;
        let campaign = store.setting("id")?.unwrap_or_default();
        let spool = joining.spool.clone().unwrap_or_else(|| Home::of_environment().root().join("spool"));
        LeaseResult::try_folder(&spool)?;
        let worker = store.join(&machine(), jobs, joining.lease)?;
        Ok(Member { store, worker, campaign, lease: joining.lease, spool })
    }

    /// What work together needs.
    pub fn sharing(&self) -> Sharing<'_> {
        let Member { store, worker, campaign, lease, spool } = self;
        Sharing { store, campaign: campaign.clone(), worker: *worker, lease: *lease, spool: spool.clone() }
    }

    /// What we need to take part; without it we leave, and say why.
    pub fn needs<T>(&self, what: anyhow::Result<T>) -> anyhow::Result<T> {
        if let Err(e) = &what {
            self.store.leave(self.worker, 0, &format!("takes no work: {e:#}"))?;
        }
        what
    }

    /// What came of the work, after so many turns and so many leases that were lost; or why there was none.
    pub fn leave<T>(
        &self,
        ended: Result<(T, u64), HuntError>,
        turns: impl Fn(&T) -> u64,
    ) -> anyhow::Result<T> {
        let (came, late) = match ended {
            Ok(ended) => ended,
            Err(e) => {
                if !LeaseResult::waiting(&self.spool, &self.campaign).is_empty() {
                    let replaced = matches!(e, HuntError::Store(StoreError::Replaced { .. }));
                    let then = if replaced { "" } else { "; the next `gainsay work` hands it in" };
                    eprintln!("gainsay: what was not handed in is in {}{then}", self.spool.display());
                }
                // A server that is away hears of it by our silence.
                if !matches!(e, HuntError::Store(StoreError::Away { .. })) {
                    let _ = self.store.leave(self.worker, 0, "");
                }
                return Err(e.into());
            }
        };
        self.store.leave(self.worker, turns(&came), "")?;
        if late > 0 {
            eprintln!("{} had ended before being handed in; others made the turns", many(late, "lease"));
        }
        Ok(came)
    }
}

/// Works on a campaign until it is over, the time has passed or somebody says stop.
pub fn joined(
    address: &Address,
    joining: &Joining,
    (jobs, time, json): (usize, Option<Duration>, bool),
    stop: &Arc<AtomicBool>,
) -> anyhow::Result<u8> {
    let member = Member::join(address, joining, jobs, stop)?;
    let store = &member.store;
    let until = time.map(|t| Instant::now() + t);
    let plan = || settings::get(store)?.plan(store, &member.spool.join("grammars"), jobs, until);
    let plan = member.needs(plan())?;
    let watched = std::io::stderr().is_terminal();
    let place = Place::Server(Box::new(address.clone()));
    let mut watcher = watch::Watcher::new(json, watched, &plan, &place, time);
    watcher.begin();
    let ended =
        campaign::join(&plan, &member.sharing(), stop, |progress, event| watcher.see(progress, event));
    watcher.clear();
    let progress = member.leave(ended, |progress| progress.counts().turns)?;
    let rows = store.findings()?;
    let found = rows.iter().filter(|r| !r.warm).count();
    watcher.end(&progress, &rows, &Matrix::of(store)?, stop.load(Ordering::Relaxed));
    Ok(if found > 0 { exit::FINDINGS } else { exit::FINE })
}

/// Waits for the server until told to stop; what several threads say at once is said once.
pub fn patience(stop: &Arc<AtomicBool>) -> Patience {
    let last = Mutex::new(None::<(String, Instant)>);
    let tell = move |words: &str| {
        let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
        let start = words.split("; ").next().unwrap_or(words);
        let same = |(before, at): &(String, Instant)| before == start && at.elapsed() < AGAIN;
        if !last.as_ref().is_some_and(same) {
            eprintln!("gainsay: {words}");
            *last = Some((start.to_owned(), Instant::now()));
        }
    };
    Patience { stop: stop.clone(), tell: Box::new(tell) }
}
