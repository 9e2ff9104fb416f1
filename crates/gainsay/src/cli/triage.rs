//! `gainsay triage`: from a campaign's findings to a short ranked list worth reporting.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;

use super::accused::{Labels, is_release};
use super::columns::hanging;
use super::desk::LeasedStore;
use super::exit;
use super::groups::{Group, groups, not_ignored};
use crate::case::Case;
use crate::finding;
use crate::finding::Features;
use crate::finding::rank;
use crate::report::many;
use crate::solver::{Limits, Profile};
use crate::store::{Place, Row};
use crate::study::{History, case_of};

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
    let store = args.store.annotate()?;
    let jobs =
        args.jobs.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from)).max(1);
    let stop = super::signals::stop_and_clean(move || crate::reduce::sweep(jobs))?;
    let desk = LeasedStore {
        store: &*store,
        limits: Limits::of_time(seconds("--timeout", args.timeout)?),
        jobs,
        glance: seconds("--glance-for", args.glance_for)?,
        time: seconds("--reduce-for", args.reduce_for)?,
        install: args.install,
        stop: &stop,
    };
    let rows: Vec<Row> = store.findings()?.into_iter().filter(|r| !r.warm).collect();
    let total = rows.len();
    let chosen = smallest(rows, args.each);
    let count = chosen.len();
    let settled = desk.glance_at(&chosen)?;
    let triggers = store.triggers()?;
    let mut faults: Vec<Fault> = Vec::new();
    let suspects: Vec<Group> =
        not_ignored(groups(&*store, chosen)?)?.into_iter().flat_map(split_by_options).collect();
    let (all_suspects, mut looked_at) = (suspects.len(), 0);
    for group in suspects {
        if desk.is_stopped() {
            break;
        }
        looked_at += 1;
        let Some(suspect) = desk.assign(Suspect::of(group)?, &mut faults)? else { continue };
        // Nothing like it was seen before: it is worth some time.
        let whole = suspect.group.rows.iter().any(|(row, _)| settled.contains(&row.id));
        let suspect = if whole { suspect } else { desk.reduce_more(suspect)? };
        if let Some(suspect) = desk.assign(suspect, &mut faults)? {
            faults.push(desk.fault(suspect)?);
        }
    }
    if desk.is_stopped() {
        eprintln!(
            "stopped: {looked_at} of {all_suspects} groups were looked at; what was reduced is kept, and the next `gainsay triage` \
             goes on from there"
        );
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
    let mut labels = Labels::default();
    for (place, (held_back, fault)) in listed.iter().enumerate() {
        let shown = fault.leader.group.shown();
        let title = finding::words::title(shown, &labels.of(shown, Some(&fault.needed)));
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
    let mut all: Vec<(Vec<String>, Group)> = Vec::new();
    for one in group.rows {
        let options = one.0.finding.against.as_ref().map_or_else(Vec::new, |id| id.options().to_vec());
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
pub struct Suspect {
    /// The group.
    pub group: Group,
    /// The case of the finding to show.
    pub case: Case,
    /// What it has that may be why it goes wrong.
    pub features: Features,
}

impl Suspect {
    /// The suspect that a group is.
    pub fn of(group: Group) -> anyhow::Result<Suspect> {
        let case = case_of(group.shown())?;
        let features = Features::of(group.shown(), &case.script);
        Ok(Suspect { group, case, features })
    }

    /// The number of the finding to show.
    pub fn id(&self) -> u64 {
        self.group.rows[0].0.id
    }

    /// What maintainers want to hear of first, then what is small.
    fn place_in_list(&self) -> (u32, usize, u64) {
        let shown = self.group.shown();
        (rank(shown), shown.case.len(), self.id())
    }
}

/// Groups that are likely wrong for one reason.
pub struct Fault {
    /// The one to report.
    pub leader: Suspect,
    /// What releases did.
    pub history: History,
    /// The solver that is accused, if there is one whose makers we know.
    pub profile: Option<Arc<Profile>>,
    /// Whether the accused itself, asked again, was wrong as before.
    pub seen_again: bool,
    /// The options of the accused without which it does not fail.
    pub needed: Vec<String>,
    /// Which releases fail, in words.
    pub told: String,
    /// Those that are likely the same.
    pub others: Vec<Suspect>,
}

impl Fault {
    /// All groups of it, the one to report first.
    pub fn all(&self) -> impl Iterator<Item = &Suspect> {
        std::iter::once(&self.leader).chain(&self.others)
    }

    fn fingerprints(&self) -> BTreeSet<&str> {
        let rows = self.all().flat_map(|suspect| &suspect.group.rows);
        rows.map(|(row, _)| row.finding.fingerprint.as_str()).collect()
    }

    /// Whether a release is accused, not somebody's build, which may be wrong where releases are right.
    pub fn is_release(&self) -> bool {
        self.leader.group.shown().against.as_ref().is_some_and(is_release)
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
        if let Some((newest, why)) = self.history.unconfirmed().filter(|_| self.is_release()) {
            return Some(format!("not confirmed on {} {newest} ({})", profile.title, finding::untold(why)));
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
