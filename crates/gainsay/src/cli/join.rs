//! Working on a campaign together with other machines: what `hunt` and `evolve` do after they began one, and `work` from the
//! start.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::bail;

use super::arguments::{BadUsage, duration};
use super::watch::{HuntWatcher, StudyWatcher};
use super::{choose, exit};
use crate::campaign::{Engine, EngineError, Hunt};
use crate::config::Config;
use crate::report::matrix::Matrix;
use crate::report::{many, server_event};
use crate::solver::acquire::home::Home;
use crate::store::{Address, Patience, Place, Postgres, Reader, StoreError};
use crate::study::evolve::Study;
use crate::study::{Member, patient};

/// How one takes part in a campaign on a server.
#[derive(clap::Args)]
pub struct Joining {
    /// With a server: how long a worker may be silent before others take over its work
    #[arg(long, default_value = "60s", value_parser = duration)]
    lease: Duration,
    /// With a server: the folder where results wait while the server is away [default: in the home of solvers]
    #[arg(long)]
    spool: Option<PathBuf>,
}

/// How much of this machine a run may have, and how it is shown.
pub struct Run<'a> {
    /// How many workers there are.
    pub jobs: usize,
    /// How long it lasts.
    pub time: Option<Duration>,
    /// Whether events are printed as lines of JSON.
    pub json: bool,
    /// What is set when somebody wants it to end.
    pub stop: &'a Arc<AtomicBool>,
}

/// Works on a hunt or a study until it is over, the time has passed or somebody says stop. Tells the exit code, and whether all
/// of a study is done.
pub fn joined(address: &Address, joining: &Joining, run: &Run<'_>) -> anyhow::Result<(u8, bool)> {
    let config = Config::read()?;
    let store = Postgres::wait_for(address, patience(run.stop))?;
    let spool = joining.spool.clone().unwrap_or_else(|| Home::of_environment().root().join("spool"));
    let member = Member::join(store, run.jobs, joining.lease, spool)?;
    let plan = member.needs(member.plan(choose::finder(&config), run.jobs, run.time))?;
    let place = Place::Server(Box::new(address.clone()));
    let engine =
        |work| Engine { work, jobs: plan.jobs, turns: plan.turns, until: plan.until, stop: run.stop };
    let found = || -> anyhow::Result<u8> {
        let any = member.store.findings()?.iter().any(|row| !row.warm);
        Ok(if any { exit::FINDINGS } else { exit::FINE })
    };
    if let Some(hunt) = Hunt::new(&plan) {
        let mut watcher = HuntWatcher::new(run.json, &plan, &place, run.time);
        watcher.begin();
        let ended = engine(&hunt).join(&member.sharing(), |event| watcher.see(&hunt.progress, event));
        watcher.clear();
        leave(&member, ended, hunt.progress.counts().turns)?;
        let enumerated = hunt.enumerated(&member.store)?;
        let (rows, matrix) = (member.store.findings()?, Matrix::of(&member.store)?);
        watcher.end(&hunt.progress, &rows, (&matrix, &enumerated), run.stop);
        return Ok((found()?, true));
    }
    let Some(study) = Study::new(&plan, None) else {
        bail!(BadUsage(format!("{address} is neither a hunt nor a study of releases")));
    };
    let watch = StudyWatcher::begin(&plan, &study);
    let ended = engine(&study).join(&member.sharing(), |event| watch.see(&study.counts, event));
    watch.clear();
    leave(&member, ended, study.counts.formulas.load(Ordering::Relaxed) as u64)?;
    watch.tell(&study.counts);
    let done = member.store.status()?.turns >= study.formulas();
    Ok((found()?, done))
}

/// Leaves a campaign after so many turns, and says what was late, or what waits on disk if the work failed.
fn leave(member: &Member, ended: Result<u64, EngineError>, turns: u64) -> anyhow::Result<()> {
    let late = match ended {
        Ok(late) => late,
        Err(e) => {
            if member.fail(&e)? {
                let replaced = matches!(e, EngineError::Store(StoreError::Replaced { .. }));
                let then = if replaced { "" } else { "; the next `gainsay work` hands it in" };
                eprintln!("gainsay: what was not handed in is in {}{then}", member.spool.display());
            }
            return Err(e.into());
        }
    };
    member.leave(turns)?;
    if late > 0 {
        eprintln!("{} had ended before being handed in; others made the turns", many(late, "lease"));
    }
    Ok(())
}

/// Waits for the server until told to stop, and prints what happens to it.
pub fn patience(stop: &Arc<AtomicBool>) -> Patience {
    patient(stop, |event| eprintln!("gainsay: {}", server_event(event)))
}
