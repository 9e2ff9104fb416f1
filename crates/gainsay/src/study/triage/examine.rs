//! The examination of findings: reduction, releases that fail, options that matter.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use super::{Triage, TriageEvent};
use crate::finding::{FaultGroup, Finding, Group, StoredFinding, Untold, place};
use crate::judge::oracle::usual_and;
use crate::reduce::{Job, Nothing, Origin, WantedBug};
use crate::solver::acquire::choose::witnesses;
use crate::solver::acquire::home::Home;
use crate::solver::acquire::install::{Installer, Wanted, installable};
use crate::solver::{Profile, Release, Solver};
use crate::study::again::{Now, Panel, again, case_of};
use crate::study::error::StudyError;
use crate::study::history::History;
use crate::study::recheck::replaced;
use crate::study::shrink::StoredReduction;

/// The result of a short reduction.
struct Glance {
    /// The smaller finding.
    reduced: Option<Finding>,
    /// Whether more time does not make it smaller.
    settled: bool,
}

impl Triage<'_> {
    /// Reduces what was not reduced yet, many findings at a time and each for a short while. Returns the numbers of those that
    /// more time does not make smaller.
    pub(super) fn glance_at(&self, chosen: &mut [StoredFinding]) -> Result<BTreeSet<u64>, StudyError> {
        let left: Vec<&StoredFinding> = chosen.iter().filter(|one| one.reduced.is_none()).collect();
        let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let glances: Mutex<BTreeMap<u64, Glance>> = Mutex::new(BTreeMap::new());
        let jobs = (self.jobs / left.len().max(1)).max(1);
        let work = || {
            while let Some(one) =
                left.get(next.fetch_add(1, Ordering::Relaxed)).filter(|_| !self.is_stopped())
            {
                let glance = self.glance_at_one(one, jobs);
                let (from, of) = (one.finding.case.len(), left.len());
                let done = done.fetch_add(1, Ordering::Relaxed) + 1;
                let to = glance.as_ref().map(|(_, bytes)| *bytes);
                (self.tell)(&TriageEvent::Glanced { id: one.id, from, to, done, of });
                // What cannot be reduced at all will not be with more time either.
                let none = |_| Glance { reduced: None, settled: true };
                let glance = glance.map_or_else(none, |(glance, _)| glance);
                glances.lock().expect("no holder of the lock panics").insert(one.id, glance);
            }
        };
        std::thread::scope(|scope| {
            for _ in 0..self.jobs.min(left.len()) {
                scope.spawn(work);
            }
        });
        let mut glances = glances.into_inner().expect("no holder of the lock panics");
        let settled = glances.iter().filter(|(_, glance)| glance.settled).map(|(id, _)| *id).collect();
        for one in chosen {
            if let Some(reduced) = glances.remove(&one.id).and_then(|glance| glance.reduced) {
                one.reduced = Some(reduced);
            }
        }
        Ok(settled)
    }

    /// Reduces one finding for a short while, and stores the result. Returns it with its size.
    fn glance_at_one(&self, one: &StoredFinding, jobs: usize) -> Result<(Glance, usize), StudyError> {
        let script = case_of(one.id, &one.finding)?.script;
        let outcome = self.with_job(&one.finding, jobs, self.glance, |job| {
            let accused = one.finding.against.as_ref();
            let whom = job.solvers.iter().position(|solver| Some(&solver.name) == accused);
            let stored = StoredReduction { store: self.store, finding: &one.finding, whom };
            stored.run(job, script, &mut |_| {})
        })?;
        let bytes = outcome.shrunk.reduced.text.len();
        let settled = !outcome.shrunk.reduced.cut_short;
        if let Some(found) = &outcome.shrunk.finding {
            self.store.keep_reduced(&one.folder, found)?;
        }
        Ok((Glance { reduced: outcome.shrunk.finding, settled }, bytes))
    }

    /// Reduces the finding that a group is shown by, with all the time there is for one that is to be reported.
    pub(super) fn reduce_more(&self, group: &mut Group) -> Result<(), StudyError> {
        let (id, shown) = (group.id(), group.shown());
        let bytes = shown.case.len();
        (self.tell)(&TriageEvent::Reducing { id, bytes });
        let whom = shown.said.iter().position(|said| Some(&said.solver) == shown.against.as_ref());
        let wanted = Some(WantedBug { kind: shown.kind, against: whom });
        let own = case_of(id, shown)?;
        let script = own.script.clone();
        // The claims come along: they may be all that shows what is wrong.
        let origin = Some(Origin { own, edits: None, family: Vec::new() });
        let outcome =
            self.with_job(shown, self.jobs, self.time, |job| job.wrong(script, origin, wanted, &mut |_| {}));
        match outcome.map(|outcome| outcome.shrunk.finding.filter(|found| found.case.len() < bytes)) {
            Ok(None) => {}
            Ok(Some(found)) => {
                self.store.keep_reduced(&group.first().folder, &found)?;
                group.set_reduced(found);
            }
            Err(why) => (self.tell)(&TriageEvent::NotReduced { id, why: &why }),
        }
        Ok(())
    }

    fn with_job<T>(
        &self,
        finding: &Finding,
        jobs: usize,
        time: Duration,
        run: impl FnOnce(&Job<'_>) -> Result<T, Nothing>,
    ) -> Result<T, StudyError> {
        let solvers = self.finder.of(finding)?;
        let oracles = usual_and(Some(&finding.oracle));
        let witnesses = witnesses(&solvers);
        let own = Job::new(&solvers, &witnesses, &oracles, self.limits);
        let job = Job { jobs, time: Some(time), stop: Some(self.stop), budget: self.budget, ..own };
        Ok(run(&job)?)
    }

    /// Adds a group to the first fault that it belongs to. Returns it if there is none.
    pub(super) fn assign(
        &self,
        mut group: Group,
        faults: &mut [FaultGroup],
    ) -> Result<Option<Group>, StudyError> {
        for fault in faults {
            if !fault.is_near(&group) {
                continue;
            }
            if place(group.shown()).is_none() {
                self.ask_what_tells(&mut group, fault)?;
            }
            if fault.takes(&group) {
                fault.add(group);
                return Ok(None);
            }
        }
        Ok(Some(group))
    }

    /// Finds out which options a group needs, and asks the releases that tell a fault from others. The facts are stored.
    fn ask_what_tells(&self, group: &mut Group, fault: &FaultGroup) -> Result<(), StudyError> {
        let Some(name) = &group.shown().against else { return Ok(()) };
        let accused = self.finder.one(name)?;
        let needed = self.options_needed(group, &accused)?;
        let mut history = History::of(group.releases());
        if let Some(profile) = self.finder.profile_of(group.shown())
            && fault.leader().options() == Some(&needed)
        {
            for (release, fails) in fault.telling() {
                let Some(release) = Release::parse(&release) else { break };
                let told = self.fails(group, &needed, &profile, &release)?;
                let same = told == Ok(fails);
                history.note(release, told);
                if !same {
                    break;
                }
            }
        }
        let folder = &group.first().folder;
        self.store.keep_options(folder, &needed)?;
        if !history.all().is_empty() {
            self.store.keep_releases(folder, &history.all())?;
        }
        group.set_affected(Some(needed), history.all());
        Ok(())
    }

    /// Finds out about a group which releases fail and which options matter. The facts are stored. Returns whether the
    /// finding was seen again.
    pub(super) fn ask_releases(&self, group: &mut Group) -> Result<bool, StudyError> {
        let (shown, folder) = (group.shown(), group.first().folder.clone());
        let Some(name) = &shown.against else {
            // Nobody is accused, so there is nobody whose releases could be asked.
            let solvers = self.finder.of(shown)?;
            return Ok(matches!(self.again_with(group, &solvers, None)?, Now::Still(_)));
        };
        let (mut seen_again, mut options) = (false, None);
        match self.finder.one(name) {
            Ok(accused) => {
                seen_again = matches!(self.again(group, &accused)?, Now::Still(_));
                let needed = self.options_needed(group, &accused)?;
                self.store.keep_options(&folder, &needed)?;
                options = Some(needed);
            }
            Err(why) => (self.tell)(&TriageEvent::NotAsked { why: &why }),
        }
        let mut releases = Vec::new();
        if let Some(profile) = self.finder.profile_of(shown) {
            (self.tell)(&TriageEvent::AskingReleases { id: group.id() });
            // Of an accused that is not there, only the options in its name are known.
            let needed = options.clone().unwrap_or_else(|| name.options().to_vec());
            releases = self.history(group, &needed, &profile)?.all();
            self.store.keep_releases(&folder, &releases)?;
        }
        group.set_affected(options, releases);
        Ok(seen_again)
    }

    /// Whether an installed release with these options fails in the same way, or why that is not known.
    fn fails(
        &self,
        group: &Group,
        options: &[String],
        profile: &Arc<Profile>,
        release: &Release,
    ) -> Result<Result<bool, Untold>, StudyError> {
        let solver = Solver::installed(profile, release, &Home::of_environment()).with_options(options);
        Ok(match self.again(group, &solver)? {
            Now::Still(_) => Ok(true),
            Now::Fixed => Ok(false),
            Now::Changed(fault) => Err(Untold::OtherFault { fault }),
            Now::Untold(why) => Err(why),
        })
    }

    /// What a group comes to with another solver in the place of the accused, with the options of that solver.
    fn again(&self, group: &Group, instead: &Solver) -> Result<Now, StudyError> {
        let mut replaced = replaced(group.shown(), instead, self.finder);
        for why in &replaced.absent {
            (self.tell)(&TriageEvent::NotAsked { why });
        }
        if let Some(place) = replaced.whom {
            replaced.solvers[place] = instead.clone();
        }
        self.again_with(group, &replaced.solvers, replaced.whom)
    }

    fn again_with(&self, group: &Group, solvers: &[Solver], whom: Option<usize>) -> Result<Now, StudyError> {
        let shown = group.shown();
        let oracles = usual_and(Some(&shown.oracle));
        let panel =
            Panel { solvers, whom, witnesses: &witnesses(solvers), oracles: &oracles, budget: self.budget };
        Ok(again(shown, &case_of(group.id(), shown)?, &panel, self.limits)?)
    }

    /// Asks every installed release. With `install`, also those between which a fault comes and goes.
    fn history(
        &self,
        group: &Group,
        options: &[String],
        profile: &Arc<Profile>,
    ) -> Result<History, StudyError> {
        let home = Home::of_environment();
        let mut history = History::default();
        for release in home.installed(&profile.name) {
            let fails = self.fails(group, options, profile, &release)?;
            history.note(release, fails);
        }
        let there = if self.install { installable(profile) } else { Vec::new() };
        let installer = Installer { home, unlocked: false };
        while let Some(release) = history.next(&there) {
            let wanted = Wanted { profile: profile.clone(), release: release.clone() };
            let fails = match installer.install(&wanted) {
                Ok(_) => self.fails(group, options, profile, &release)?,
                Err(why) => {
                    (self.tell)(&TriageEvent::NotInstalled { name: wanted.name(), why: &why });
                    Err(Untold::CannotInstall { why: why.to_string() })
                }
            };
            history.note(release, fails);
        }
        if let Some(newest) = installable(profile).pop() {
            history.lacks(newest);
        }
        Ok(history)
    }

    /// The options of the accused without which it does not fail. Options are left out one after another.
    fn options_needed(&self, group: &Group, accused: &Solver) -> Result<Vec<String>, StudyError> {
        let mut needed = accused.options.clone();
        for option in &accused.options {
            let rest: Vec<String> = needed.iter().filter(|o| *o != option).cloned().collect();
            // Options of an entry of the user's file are not in its name, but they can be left out, too.
            let mut fewer = accused.clone();
            fewer.options.clone_from(&rest);
            if matches!(self.again(group, &fewer)?, Now::Still(_)) {
                needed = rest;
            }
        }
        Ok(needed)
    }
}
