//! `gainsay triage`: from a campaign's findings to a short ranked list worth reporting.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use anyhow::Context;

use super::columns::hanging;
use super::groups::{Group, groups, not_ignored};
use super::hunt::witnesses;
use super::{choose, exit, reduce};
use crate::case::Case;
use crate::finding::{self, Finding};
use crate::report::many;
use crate::solver::home::Home;
use crate::solver::install::{Installer, Wanted, installable};
use crate::solver::named::split_words;
use crate::solver::{Limits, Profile, Release, Solver};
use crate::store::{Campaign, Place, Row};
use crate::study::{
    Came, Features, History, Job, Nothing, Now, Origin, Panel, again, case_of, family, options_of, rank,
};

/// What to look at, and how long.
#[derive(clap::Args)]
pub struct Args {
    /// The campaign's folder, or the address of its server
    #[arg(long, default_value = super::STORE)]
    store: Place,
    /// Seconds for each question
    #[arg(long, default_value_t = 5.0)]
    timeout: f64,
    /// Candidates tried at a time
    #[arg(long)]
    jobs: Option<usize>,
    /// Findings of one fingerprint that are reduced; the others of it are taken to be like them
    #[arg(long, default_value_t = 2)]
    each: usize,
    /// Seconds for reducing one finding at first, when nothing is known of it but that it is one of many
    #[arg(long, default_value_t = 5.0)]
    glance_for: f64,
    /// Seconds for reducing what is to be reported
    #[arg(long, default_value_t = 120.0)]
    reduce_for: f64,
    /// Install releases, too, between which a fault comes and goes
    #[arg(long)]
    install: bool,
}

/// Runs the command.
pub fn run(args: &Args) -> anyhow::Result<u8> {
    let store = args.store.look()?;
    let desk = Desk {
        store: &*store,
        limits: Limits::of_time(seconds("--timeout", args.timeout)?),
        jobs: args.jobs.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from)).max(1),
        glance: seconds("--glance-for", args.glance_for)?,
        time: seconds("--reduce-for", args.reduce_for)?,
        install: args.install,
    };
    let rows: Vec<Row> = store.findings()?.into_iter().filter(|r| !r.warm).collect();
    let total = rows.len();
    let chosen = smallest(rows, args.each);
    let count = chosen.len();
    let settled = desk.glance_at(&chosen)?;
    let triggers = store.triggers()?;
    let mut faults: Vec<Fault> = Vec::new();
    for group in not_ignored(groups(&*store, chosen)?)?.into_iter().flat_map(split_by_options) {
        let Some(suspect) = desk.assign(Suspect::of(group)?, &mut faults)? else { continue };
        // Nothing like it was seen before: it is worth some time.
        let whole = suspect.group.rows.iter().any(|(row, _)| settled.contains(&row.id));
        let suspect = if whole { suspect } else { desk.reduce_more(suspect)? };
        if let Some(suspect) = desk.assign(suspect, &mut faults)? {
            faults.push(desk.fault(suspect)?);
        }
    }
    faults.sort_by_key(|fault| fault.leader.place_in_list());
    // What is held back is no less true; it comes after what is to be reported.
    let mut reported = BTreeMap::new();
    let mut listed: Vec<(Option<String>, Fault)> =
        faults.into_iter().map(|fault| (fault.held_back(&mut reported), fault)).collect();
    listed.sort_by_key(|(why, _)| why.is_some());
    let all: u64 = triggers.values().sum();
    println!(
        "{}, {} kept, {count} of them looked at, {}",
        many(all, "trigger"),
        many(total as u64, "finding"),
        many(listed.len() as u64, "fault")
    );
    for (place, (held_back, fault)) in listed.iter().enumerate() {
        let shown = fault.leader.group.shown();
        let title = finding::title(shown);
        let count: u64 = fault.fingerprints().iter().map(|print| triggers.get(*print).unwrap_or(&1)).sum();
        let about = format!("{} bytes; {}; {}", shown.case.len(), fault.told, many(count, "trigger"));
        println!("{}", hanging(&format!("{:>3}. ", place + 1), title.split(' ')));
        println!("{}", hanging("     ", about.split(' ')));
        if !fault.others.is_empty() {
            println!("{}", hanging("     ", fault.others_in_words().split(' ')));
        }
        let id = fault.leader.id();
        match held_back {
            Some(why) => println!("{}", hanging(&format!("     finding {id}, held back: "), why.split(' '))),
            None => println!("     report it with `gainsay show {id} --as issue`"),
        }
    }
    Ok(if listed.is_empty() { exit::FINE } else { exit::FINDINGS })
}

fn seconds(flag: &'static str, given: f64) -> anyhow::Result<Duration> {
    Duration::try_from_secs_f64(given).context(flag)
}

/// A group as one for each list of options that its accused were given, in the order of their first findings.
fn split_by_options(group: Group) -> Vec<Group> {
    let mut all: Vec<(String, Group)> = Vec::new();
    for one in group.rows {
        let options = options_of(one.0.finding.against.as_deref().unwrap_or_default()).to_owned();
        match all.iter_mut().find(|(known, _)| *known == options) {
            Some((_, group)) => group.rows.push(one),
            None => {
                let (key, affected) = (group.key.clone(), group.affected.clone());
                all.push((options, Group { key, affected, rows: vec![one] }));
            }
        }
    }
    all.into_iter().map(|(_, group)| group).collect()
}

/// A group that may be a fault of its own.
struct Suspect {
    group: Group,
    case: Case,
    features: Features,
}

impl Suspect {
    fn of(group: Group) -> anyhow::Result<Suspect> {
        let case = case_of(group.shown())?;
        let features = Features::of(group.shown(), &case.script);
        Ok(Suspect { group, case, features })
    }

    /// The number of the finding to show.
    fn id(&self) -> u64 {
        self.group.rows[0].0.id
    }

    /// What maintainers want to hear of first, then what is small.
    fn place_in_list(&self) -> (u32, usize, u64) {
        let shown = self.group.shown();
        (rank(shown), shown.case.len(), self.id())
    }
}

/// Groups that are likely wrong for one reason.
struct Fault {
    /// The one to report.
    leader: Suspect,
    history: History,
    /// The solver that is accused, if there is one whose makers we know.
    profile: Option<Arc<Profile>>,
    /// Whether the accused itself, asked again, was wrong as before.
    seen_again: bool,
    /// The options of the accused without which it does not fail.
    needed: Vec<String>,
    /// Which releases fail, in words.
    told: String,
    others: Vec<Suspect>,
}

impl Fault {
    fn all(&self) -> impl Iterator<Item = &Suspect> {
        std::iter::once(&self.leader).chain(&self.others)
    }

    fn fingerprints(&self) -> BTreeSet<&str> {
        let rows = self.all().flat_map(|suspect| &suspect.group.rows);
        rows.map(|(row, _)| row.finding.fingerprint.as_str()).collect()
    }

    /// Whether a release is accused, not somebody's build, which may be wrong where releases are right.
    fn is_release(&self) -> bool {
        let accused = self.leader.group.shown().against.as_deref();
        accused.is_some_and(|accused| Profile::named(family(accused)).is_ok())
    }

    /// Why a report is held back: because nobody would want it, or by what the solver's makers want; counts those that are not.
    fn held_back(&self, reported: &mut BTreeMap<String, u32>) -> Option<String> {
        if self.leader.group.shown().against.is_none() {
            return Some("nobody is accused".to_owned());
        }
        if !self.seen_again {
            return Some("it was not seen again".to_owned());
        }
        let profile = self.profile.as_ref()?;
        if let Some(why) = profile.accepts.strip_prefix("nothing: ") {
            return Some(format!("{} takes no reports: {why}", profile.title));
        }
        if let Some(release) = self.history.fixed_in().filter(|_| self.is_release()) {
            return Some(format!("fixed, {} {release} is right", profile.title));
        }
        let is_unsupported = |o: &&String| profile.unsupported.iter().any(|p| o.starts_with(p.as_str()));
        if let Some(option) = self.needed.iter().find(is_unsupported) {
            return Some(format!("{} does not support {option}", profile.title));
        }
        let count = reported.entry(profile.name.clone()).or_default();
        *count += 1;
        let most = profile.weekly?;
        (*count > most).then(|| format!("{} wants no more than {most} a week", profile.title))
    }

    fn others_in_words(&self) -> String {
        let numbers: Vec<String> = self.others.iter().map(|other| other.id().to_string()).collect();
        let (count, these) = (numbers.len() as u64, if numbers.len() == 1 { "" } else { "s" });
        format!(
            "likely the same: {} of like operators, wrong and right in the same releases (finding{these} {})",
            many(count, "formula"),
            shortened(&numbers)
        )
    }
}

/// The first few of many words.
fn shortened(words: &[String]) -> String {
    const SHOWN: usize = 5;
    if words.len() <= SHOWN { words.join(", ") } else { format!("{}, …", words[..SHOWN].join(", ")) }
}

/// The smallest few findings of each fingerprint, in the order of their numbers.
fn smallest(mut rows: Vec<Row>, each: usize) -> Vec<Row> {
    rows.sort_by_key(|r| (r.finding.case.len(), r.id));
    let mut seen: Vec<(String, usize)> = Vec::new();
    rows.retain(|row| {
        let print = &row.finding.fingerprint;
        match seen.iter_mut().find(|(known, _)| known == print) {
            Some((_, count)) => {
                *count += 1;
                *count <= each
            }
            None => {
                seen.push((print.clone(), 1));
                each > 0
            }
        }
    });
    rows.sort_by_key(|r| r.id);
    rows
}

/// What is needed to look at findings.
struct Desk<'a> {
    store: &'a dyn Campaign,
    limits: Limits,
    jobs: usize,
    glance: Duration,
    time: Duration,
    install: bool,
}

impl Desk<'_> {
    /// Reduces what was not yet, many at a time and each for a short while. Tells which of them cannot be made smaller by more
    /// of it.
    fn glance_at(&self, rows: &[Row]) -> anyhow::Result<BTreeSet<u64>> {
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
            while let Some(row) = left.get(next.fetch_add(1, Ordering::Relaxed)) {
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

    fn glance_at_one(&self, row: &Row, jobs: usize) -> anyhow::Result<Came> {
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
    fn reduce_more(&self, mut suspect: Suspect) -> anyhow::Result<Suspect> {
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
        let names: Vec<String> = f.said.iter().map(|s| s.solver.clone()).collect();
        let solvers = choose::solvers(&names, None, &[])?;
        let oracles = reduce::oracles_for(Some(f));
        let witnesses = witnesses(&solvers);
        let (limits, any, time, stop) = (self.limits, false, Some(time), None);
        let job = Job {
            solvers: &solvers,
            witnesses: &witnesses,
            oracles: &oracles,
            limits,
            jobs,
            any,
            time,
            stop,
        };
        Ok(run(&job)?)
    }

    /// Puts a group under the first fault that it is likely the same as; gives it back if there is none.
    fn assign(&self, suspect: Suspect, faults: &mut [Fault]) -> anyhow::Result<Option<Suspect>> {
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
        for (release, fails) in telling {
            if self.fails(suspect, &profile, &release)? != Some(fails) {
                return Ok(false);
            }
        }
        let accused = choose::solvers(suspect.group.shown().against.as_slice(), None, &[])?;
        let Some(accused) = accused.first() else { return Ok(false) };
        Ok(self.options_needed(suspect, accused)? == fault.needed)
    }

    /// Finds out about a group of its own which releases fail and which options it takes; keeps that beside the finding.
    fn fault(&self, leader: Suspect) -> anyhow::Result<Fault> {
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
        match choose::solvers(std::slice::from_ref(accused), None, &[]) {
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
        fault.history = self.history(&fault.leader, profile)?;
        let known: Vec<(String, bool)> =
            fault.history.known().map(|(release, fails)| (release.to_string(), fails)).collect();
        self.store.keep_releases(&folder, &known)?;
        fault.told = fault.history.words();
        if !fault.is_release() {
            fault.told.insert_str(0, "of releases: ");
        }
        if !fault.needed.is_empty() {
            fault.told.push_str(&format!("; needs {}", fault.needed.join(" ")));
        }
        Ok(fault)
    }

    /// Whether an installed release fails in the same way; none if that cannot be told.
    fn fails(
        &self,
        suspect: &Suspect,
        profile: &Arc<Profile>,
        release: &Release,
    ) -> anyhow::Result<Option<bool>> {
        let given = split_words(options_of(suspect.group.shown().against.as_deref().unwrap_or_default()));
        let solver = Solver::installed(profile, release, &Home::of_environment()).with_options(&given);
        Ok(match self.again(suspect, &solver)? {
            Now::Still(_) => Some(true),
            Now::Fixed => Some(false),
            Now::Changed(_) | Now::Untold(_) => None,
        })
    }

    /// What becomes of it with another solver in the place of the accused, with that one's options.
    fn again(&self, suspect: &Suspect, instead: &Solver) -> anyhow::Result<Now> {
        let shown = suspect.group.shown();
        let oracles = reduce::oracles_for(Some(shown));
        let (mut solvers, whom) = super::recheck::with_instead(shown, instead);
        if let Some(place) = whom {
            solvers[place] = instead.clone();
        }
        let witnesses = witnesses(&solvers);
        let panel = Panel { solvers: &solvers, whom, witnesses: &witnesses, oracles: &oracles };
        Ok(again(shown, &suspect.case, &panel, self.limits)?)
    }

    /// Asks every installed release; with `--install`, also those between which a fault comes and goes.
    fn history(&self, suspect: &Suspect, profile: &Arc<Profile>) -> anyhow::Result<History> {
        let home = Home::of_environment();
        let mut history = History::default();
        for release in home.installed(&profile.name) {
            let fails = self.fails(suspect, profile, &release)?;
            history.note(release, fails);
        }
        let there = if self.install { installable(profile) } else { Vec::new() };
        let installer = Installer { home, unlocked: false };
        while let Some(release) = history.next(&there) {
            let wanted = Wanted { profile: profile.clone(), release: release.clone() };
            let fails = match installer.install(&wanted) {
                Ok(_) => self.fails(suspect, profile, &release)?,
                Err(why) => {
                    eprintln!("{}: {why}", wanted.name());
                    None
                }
            };
            history.note(release, fails);
        }
        Ok(history)
    }

    /// The options of the accused without which it does not fail: each that can be left out is, one after another.
    fn options_needed(&self, suspect: &Suspect, accused: &Solver) -> anyhow::Result<Vec<String>> {
        let mut needed = accused.options.clone();
        for option in &accused.options {
            let rest: Vec<String> = needed.iter().filter(|o| *o != option).cloned().collect();
            let fewer = accused.without_options().with_options(&rest);
            if matches!(self.again(suspect, &fewer)?, Now::Still(_)) {
                needed = rest;
            }
        }
        Ok(needed)
    }
}

/// The profile of the accused, be it a release or a build, if there is one that we know.
fn profile_of(f: &Finding) -> Option<Arc<Profile>> {
    let known = Profile::named(family(f.against.as_deref()?)).ok();
    let recognised = || {
        let accused = choose::solvers(f.against.as_slice(), None, &[]).ok()?.swap_remove(0);
        (!accused.is_fake()).then_some(accused.profile)
    };
    known.or_else(recognised).filter(|profile| profile.name != "any")
}
