//! The desk at which `gainsay triage` looks at findings: reduces them, asks releases, leaves out options.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use super::accused::profile_of;
use super::triage::{Fault, Suspect};
use super::{choose, reduce};
use crate::finding::Finding;
use crate::judge::oracle::usual_and;
use crate::reduce::{Job, Nothing, Origin, ReduceOutcome};
use crate::solver::acquire::choose::witnesses;
use crate::solver::acquire::home::Home;
use crate::solver::acquire::install::{Installer, Wanted, installable};
use crate::solver::{Limits, Profile, Release, Solver, SolverId};
use crate::store::{Annotate, Row};
use crate::study::{History, Now, Panel, again, case_of};

/// What is needed to look at findings.
pub struct LeasedStore<'a> {
    /// The campaign.
    pub store: &'a dyn Annotate,
    /// Of each question.
    pub limits: Limits,
    /// Candidates tried at a time.
    pub jobs: usize,
    /// How long one is reduced at first.
    pub glance: Duration,
    /// How long one is reduced that is to be reported.
    pub time: Duration,
    /// Whether releases may be installed.
    pub install: bool,
    /// What is set when somebody wants what there is.
    pub stop: &'a AtomicBool,
}

impl LeasedStore<'_> {
    /// Whether somebody wants what there is.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Reduces what was not yet, many at a time and each for a short while. Tells which of them cannot be made smaller by more
    /// of it.
    pub fn glance_at(&self, rows: &[Row]) -> anyhow::Result<BTreeSet<u64>> {
        let mut left = Vec::new();
        for row in rows {
            if self.store.reduced(&row.folder)?.is_none() {
                left.push(row);
            }
        }
        let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let settled = Mutex::new(BTreeSet::new());
        let jobs = (self.jobs / left.len().max(1)).max(1);
        let work = || {
            while let Some(row) =
                left.get(next.fetch_add(1, Ordering::Relaxed)).filter(|_| !self.is_stopped())
            {
                let came = self.glance_at_one(row, jobs);
                let told = match &came {
                    Ok(came) => {
                        format!("{} → {} bytes", row.finding.case.len(), came.shrunk.reduced.text.len())
                    }
                    Err(why) => format!("{why:#}"),
                };
                // What cannot be reduced at all will not be with more time either.
                if came.is_err() || came.is_ok_and(|came| !came.shrunk.reduced.cut_short) {
                    settled.lock().expect("nobody panics with it").insert(row.id);
                }
                let done = done.fetch_add(1, Ordering::Relaxed) + 1;
                eprintln!("finding {}: {told} ({done} of {})", row.id, left.len());
            }
        };
        std::thread::scope(|scope| {
            for _ in 0..self.jobs.min(left.len()) {
                scope.spawn(work);
            }
        });
        Ok(settled.into_inner().expect("nobody panics with it"))
    }

    fn glance_at_one(&self, row: &Row, jobs: usize) -> anyhow::Result<ReduceOutcome> {
        let script = case_of(&row.finding)?.script;
        let came = self.with_job(&row.finding, jobs, self.glance, |job| {
            reduce::stored(job, self.store, row, script, &mut |_| {})
        })?;
        if let Some(found) = &came.shrunk.finding {
            self.store.keep_reduced(&row.folder, found)?;
        }
        Ok(came)
    }

    /// What a group is shown by, made smaller with all the time there is for one that is to be reported.
    pub fn reduce_more(&self, mut suspect: Suspect) -> anyhow::Result<Suspect> {
        let id = suspect.id();
        let (row, known) = &mut suspect.group.rows[0];
        let shown = known.as_ref().unwrap_or(&row.finding);
        let before = shown.case.len();
        eprintln!("reducing finding {id}, {before} bytes");
        let whom = shown.said.iter().position(|said| Some(&said.solver) == shown.against.as_ref());
        let wanted = Some((shown.kind, whom));
        let script = suspect.case.script.clone();
        // What rests on its claims alone is not clean for that.
        let origin = Some(Origin { own: suspect.case.clone(), edits: None, family: Vec::new() });
        let came =
            self.with_job(shown, self.jobs, self.time, |job| job.wrong(script, origin, wanted, &mut |_| {}));
        let smaller = came.map(|came| came.shrunk.finding.filter(|found| found.case.len() < before));
        match smaller {
            Ok(None) => Ok(suspect),
            Ok(Some(found)) => {
                self.store.keep_reduced(&row.folder, &found)?;
                *known = Some(found);
                Suspect::of(suspect.group)
            }
            Err(why) => {
                eprintln!("finding {id}: {why:#}");
                Ok(suspect)
            }
        }
    }

    fn with_job<T>(
        &self,
        f: &Finding,
        jobs: usize,
        time: Duration,
        run: impl FnOnce(&Job<'_>) -> Result<T, Nothing>,
    ) -> anyhow::Result<T> {
        let names: Vec<SolverId> = f.said.iter().map(|s| s.solver.clone()).collect();
        let solvers = choose::again(&names)?;
        let oracles = usual_and(Some(&f.oracle));
        let witnesses = witnesses(&solvers);
        let own = Job::new(&solvers, &witnesses, &oracles, self.limits);
        let job = Job { jobs, time: Some(time), stop: Some(self.stop), ..own };
        Ok(run(&job)?)
    }

    /// Puts a group under the first fault that it is likely the same as; gives it back if there is none.
    pub fn assign(&self, suspect: Suspect, faults: &mut [Fault]) -> anyhow::Result<Option<Suspect>> {
        for fault in faults {
            let near = fault.all().any(|known| suspect.features.are_near(&known.features));
            if near && self.is_like(&suspect, fault)? {
                fault.others.push(suspect);
                return Ok(None);
            }
        }
        Ok(Some(suspect))
    }

    /// Whether a group fails where a fault does, and not where it does not, under the same options.
    fn is_like(&self, suspect: &Suspect, fault: &Fault) -> anyhow::Result<bool> {
        let telling = fault.history.telling();
        let Some(profile) = profile_of(suspect.group.shown()).filter(|_| !telling.is_empty()) else {
            return Ok(false);
        };
        let accused = choose::again(suspect.group.shown().against.as_slice())?;
        let Some(accused) = accused.first() else { return Ok(false) };
        let needed = self.options_needed(suspect, accused)?;
        if needed != fault.needed {
            return Ok(false);
        }
        for (release, fails) in telling {
            if self.fails(suspect, &needed, &profile, &release)? != Ok(fails) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Finds out about a group of its own which releases fail and which options it takes; keeps that beside the finding.
    pub fn fault(&self, leader: Suspect) -> anyhow::Result<Fault> {
        let mut fault = Fault {
            history: History::default(),
            profile: profile_of(leader.group.shown()),
            seen_again: false,
            needed: Vec::new(),
            told: String::new(),
            others: Vec::new(),
            leader,
        };
        let shown = fault.leader.group.shown();
        let Some(accused) = &shown.against else {
            "solvers disagree, and nobody is accused".clone_into(&mut fault.told);
            return Ok(fault);
        };
        let folder = fault.leader.group.rows[0].0.folder.clone();
        // Those of a solver that is no longer there are known only if its name tells them.
        fault.needed = accused.options().to_vec();
        match choose::again(std::slice::from_ref(accused)) {
            Ok(accused) => {
                fault.seen_again = matches!(self.again(&fault.leader, &accused[0])?, Now::Still(_));
                fault.needed = self.options_needed(&fault.leader, &accused[0])?;
                self.store.keep_options(&folder, &fault.needed)?;
            }
            Err(why) => eprintln!("{why:#}"),
        }
        let Some(profile) = &fault.profile else {
            "no releases are known to compare with".clone_into(&mut fault.told);
            return Ok(fault);
        };
        eprintln!("asking releases about finding {}", fault.leader.id());
        fault.history = self.history(&fault.leader, &fault.needed, profile)?;
        self.store.keep_releases(&folder, &fault.history.all())?;
        fault.told = fault.history.words();
        if !fault.is_release() {
            fault.told.insert_str(0, "of releases: ");
        }
        if !fault.needed.is_empty() {
            fault.told.push_str(&format!("; needs {}", fault.needed.join(" ")));
        }
        Ok(fault)
    }

    /// Whether an installed release with these options fails in the same way, or why that cannot be told.
    fn fails(
        &self,
        suspect: &Suspect,
        options: &[String],
        profile: &Arc<Profile>,
        release: &Release,
    ) -> anyhow::Result<Result<bool, String>> {
        let solver = Solver::installed(profile, release, &Home::of_environment()).with_options(options);
        Ok(match self.again(suspect, &solver)? {
            Now::Still(_) => Ok(true),
            Now::Fixed => Ok(false),
            Now::Changed(what) => Err(format!("something else is wrong: {what}")),
            Now::Untold(why) => Err(why),
        })
    }

    /// What becomes of it with another solver in the place of the accused, with that one's options.
    fn again(&self, suspect: &Suspect, instead: &Solver) -> anyhow::Result<Now> {
        let shown = suspect.group.shown();
        let oracles = usual_and(Some(&shown.oracle));
        let (mut solvers, whom) = super::recheck::with_instead(shown, instead);
        if let Some(place) = whom {
            solvers[place] = instead.clone();
        }
        let witnesses = witnesses(&solvers);
        let panel = Panel { solvers: &solvers, whom, witnesses: &witnesses, oracles: &oracles };
        Ok(again(shown, &suspect.case, &panel, self.limits)?)
    }

    /// Asks every installed release; with `--install`, also those between which a fault comes and goes.
    fn history(
        &self,
        suspect: &Suspect,
        options: &[String],
        profile: &Arc<Profile>,
    ) -> anyhow::Result<History> {
        let home = Home::of_environment();
        let mut history = History::default();
        for release in home.installed(&profile.name) {
            let fails = self.fails(suspect, options, profile, &release)?;
            history.note(release, fails);
        }
        let there = if self.install { installable(profile) } else { Vec::new() };
        let installer = Installer { home, unlocked: false };
        while let Some(release) = history.next(&there) {
            let wanted = Wanted { profile: profile.clone(), release: release.clone() };
            let fails = match installer.install(&wanted) {
                Ok(_) => self.fails(suspect, options, profile, &release)?,
                Err(why) => {
                    eprintln!("{}: {why}", wanted.name());
                    Err(format!("it cannot be installed, {why}"))
                }
            };
            history.note(release, fails);
        }
        if let Some(newest) = installable(profile).pop() {
            history.lacks(newest);
        }
        Ok(history)
    }

    /// The options of the accused without which it does not fail: each that can be left out is, one after another.
    fn options_needed(&self, suspect: &Suspect, accused: &Solver) -> anyhow::Result<Vec<String>> {
        let mut needed = accused.options.clone();
        for option in &accused.options {
            let rest: Vec<String> = needed.iter().filter(|o| *o != option).cloned().collect();
            // Options of an entry in `gainsay.toml` are not in its name, but they can be left out, too.
            let mut fewer = accused.clone();
            fewer.options.clone_from(&rest);
            if matches!(self.again(suspect, &fewer)?, Now::Still(_)) {
                needed = rest;
            }
        }
        Ok(needed)
    }
}
