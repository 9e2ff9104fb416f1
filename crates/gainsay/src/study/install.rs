//! The installation of many releases, and the lock file of their digests.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::ScopedJoinHandle;

use crate::solver::acquire::install::{Installer, Outcome, Wanted, lock_all};
use crate::solver::acquire::lock::{Lock, Locked};
use crate::solver::{Profile, SolverError};

/// How many releases are fetched at the same time.
const AT_ONCE: usize = 3;

/// The releases that names mean, each once.
pub fn all_wanted(installer: &Installer, names: &[String]) -> Result<Vec<Wanted>, SolverError> {
    let mut wanted: Vec<Wanted> = Vec::new();
    for name in names {
        for one in installer.wanted(name)? {
            if !wanted.iter().any(|other| other.name() == one.name()) {
                wanted.push(one);
            }
        }
    }
    Ok(wanted)
}

/// Installs releases, a few at the same time. Returns how many failed.
///
/// `say` is called when one is done. `watch` is called once, with a function that says whether all are done and one that says
/// which are being installed.
pub fn install_all<'w>(
    installer: &Installer,
    wanted: &'w [Wanted],
    say: &(dyn Fn(&Wanted, &Result<Outcome, SolverError>) + Sync),
    watch: impl FnOnce(&dyn Fn() -> bool, &dyn Fn() -> Vec<&'w Wanted>),
) -> usize {
    let (next, failures) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let busy: Mutex<Vec<&Wanted>> = Mutex::new(Vec::new());
    let being_installed = || busy.lock().expect("no holder of the lock panics");
    let work = || {
        while let Some(one) = wanted.get(next.fetch_add(1, Ordering::Relaxed)) {
            being_installed().push(one);
            let done = installer.install(one);
            being_installed().retain(|other| !std::ptr::eq(*other, one));
            say(one, &done);
            if done.is_err() {
                failures.fetch_add(1, Ordering::Relaxed);
            }
        }
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..AT_ONCE.min(wanted.len())).map(|_| scope.spawn(work)).collect();
        watch(&|| workers.iter().all(ScopedJoinHandle::is_finished), &|| being_installed().clone());
    });
    failures.into_inner()
}

/// A lock file with the digests of these solvers looked up again, or of all if none is named.
pub fn relocked(old: Lock, names: &[String], tell: &dyn Fn(&str)) -> Result<Lock, SolverError> {
    let chosen = |name: &str| names.is_empty() || names.iter().any(|n| n == name);
    let mut release: Vec<Locked> = old.release.into_iter().filter(|l| !chosen(&l.solver)).collect();
    let scratch = std::env::temp_dir().join(format!("gainsay-lock-{}", std::process::id()));
    for profile in Profile::all().iter().filter(|profile| chosen(&profile.name)) {
        release.extend(lock_all(profile, &scratch, tell)?);
    }
    let _ = std::fs::remove_dir_all(&scratch);
    release.sort_by(|a, b| (&a.solver, &a.release).cmp(&(&b.solver, &b.release)));
    Ok(Lock { format: 1, release })
}
