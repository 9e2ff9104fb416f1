//! Working on a campaign together with other machines: what `hunt` does after it began one, and `work` from the start.

use std::io::IsTerminal;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::{duration, settings, watch};
use crate::cli::exit;
use crate::hunt::{self, Sharing};
use crate::report::many;
use crate::report::matrix::Matrix;
use crate::solver::home::Home;
use crate::solver::machine;
use crate::store::{Address, Patience, Place, Postgres, Store, StoreError};

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

/// Works on a campaign until it is over, the time has passed or somebody says stop.
pub fn joined(
    address: &Address,
    joining: &Joining,
    (jobs, time, json): (usize, Option<Duration>, bool),
    stop: &Arc<AtomicBool>,
) -> anyhow::Result<u8> {
    // What is wrong at the beginning is said at once; later we wait until it is mended.
    let store = Postgres::look(address)?.with_patience(patience(stop));
    let settings = settings::get(&store)?;
    let worker = store.join(&machine(), jobs)?;
    let spool = joining.spool.clone().unwrap_or_else(|| Home::of_environment().root().join("spool"));
    let until = time.map(|t| Instant::now() + t);
    let plan = match settings.plan(&store, &spool.join("grammars"), jobs, until) {
        Ok(plan) => plan,
        Err(e) => {
            store.leave(worker, 0, &format!("takes no work: {e:#}"))?;
            return Err(e);
        }
    };
    let campaign = store.setting("id")?.unwrap_or_default();
    let sharing = Sharing { store: &store, campaign, worker, lease: joining.lease, spool: spool.clone() };
    let watched = std::io::stderr().is_terminal();
    let place = Place::Server(Box::new(address.clone()));
    let mut watcher = watch::Watcher::new(json, watched, &plan, &place, time);
    watcher.begin();
    let ended = hunt::join(&plan, &sharing, stop, |progress, event| watcher.see(progress, event));
    watcher.clear();
    let (progress, late) = match ended {
        Ok(ended) => ended,
        Err(e) => {
            if matches!(e, hunt::HuntError::Store(StoreError::Away { .. })) {
                eprintln!(
                    "gainsay: what was not handed in is in {}; the next `gainsay work` hands it in",
                    spool.display()
                );
            }
            return Err(e.into());
        }
    };
    store.leave(worker, progress.counts().turns, "")?;
    if late > 0 {
        eprintln!("{} had ended before being handed in; others made the turns", many(late, "lease"));
    }
    let rows = store.findings()?;
    let found = rows.iter().filter(|r| !r.warm).count();
    watcher.end(&progress, &rows, &Matrix::of(&store)?, stop.load(Ordering::Relaxed));
    Ok(if found > 0 { exit::FINDINGS } else { exit::FINE })
}

/// Waits for the server until told to stop; what several threads say at once is said once.
fn patience(stop: &Arc<AtomicBool>) -> Patience {
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
