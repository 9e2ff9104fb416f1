//! `gainsay triage`: from a campaign's findings to a short ranked list worth reporting.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;

use super::columns::hanging;
use super::groups::{Group, groups};
use super::hunt::witnesses;
use super::{choose, exit, reduce};
use crate::case::Case;
use crate::finding::{self, Finding};
use crate::oracle;
use crate::report::many;
use crate::solver::home::Home;
use crate::solver::install::{Installer, Wanted, installable};
use crate::solver::{Limits, Profile, Release, Solver};
use crate::store::{Campaign, Place, Row};
use crate::study::{Affected, History, Job, Now, again, case_of, family, options_of, rank};

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
    /// Seconds for reducing one finding
    #[arg(long, default_value_t = 120.0)]
    reduce_for: f64,
    /// Install releases, too, between which a fault comes and goes
    #[arg(long)]
    install: bool,
}

/// Runs the command.
pub fn run(args: &Args) -> anyhow::Result<u8> {
    let store = args.store.look()?;
    let limits = Limits::of_time(Duration::try_from_secs_f64(args.timeout).context("--timeout")?);
    let rows: Vec<Row> = store.findings()?.into_iter().filter(|r| !r.warm).collect();
    let total = rows.len();
    let chosen = smallest(rows, args.each);
    for (i, row) in chosen.iter().enumerate() {
        if store.reduced(&row.folder)?.is_none() {
            eprintln!("reducing {} ({} of {})", row.id, i + 1, chosen.len());
            if let Err(why) = reduce_one(args, &*store, row, limits) {
                eprintln!("{}: {why:#}", row.id);
            }
        }
    }
    let triggers = store.triggers()?;
    let count = chosen.len();
    let mut told = BTreeMap::new();
    for group in groups(&*store, chosen.clone())? {
        for row in one_for_each_options(&group) {
            eprintln!("asking releases about {}", row.id);
            told.insert(row.id, look(args, &*store, row, limits)?);
        }
    }
    // What concerns others is another fault, be the formula the same.
    let looked = groups(&*store, chosen)?
        .into_iter()
        .map(|group| Looked::of(group, &told))
        .collect::<Result<_, _>>()?;
    let faults = faults(looked);
    let all: u64 = triggers.values().sum();
    println!(
        "{}, {} kept, {count} of them looked at, {}",
        many(all, "trigger"),
        many(total as u64, "finding"),
        many(faults.len() as u64, "fault")
    );
    let mut reported: Vec<(String, u32)> = Vec::new();
    for (place, fault) in faults.iter().enumerate() {
        let (first, others) = fault.split_first().expect("a fault has been found");
        let shown = first.group.shown();
        let title = finding::title(shown);
        println!("{}", hanging(&format!("{:>3}. ", place + 1), title.split(' ')));
        println!("{}", hanging("     ", format!("{} bytes; {}", shown.case.len(), first.told).split(' ')));
        if !others.is_empty() {
            let numbers: Vec<String> = others.iter().map(|l| l.group.rows[0].0.id.to_string()).collect();
            let (what, these) = if others.len() == 1 { ("formula", "") } else { ("formulas", "s") };
            let numbers = shortened(&numbers);
            let text = format!(
                "{} more {what} of the same operators and releases: finding{these} {numbers}",
                others.len()
            );
            println!("{}", hanging("     ", text.split(' ')));
        }
        let held = held_back(shown, &mut reported);
        match held {
            Some(why) => println!("{}", hanging("     held back: ", why.split(' '))),
            None => println!("     report it with `gainsay show {} --as issue`", first.group.rows[0].0.id),
        }
    }
    Ok(if faults.is_empty() { exit::FINE } else { exit::FINDINGS })
}

/// Of a group, the first finding with each list of options of the accused.
fn one_for_each_options(group: &Group) -> Vec<&Row> {
    let mut seen: Vec<&str> = Vec::new();
    let rows = group.rows.iter().map(|(row, _)| row);
    rows.filter(|row| {
        let options = options_of(row.finding.against.as_deref().unwrap_or_default());
        let new = !seen.contains(&options);
        seen.push(options);
        new
    })
    .collect()
}

/// What was found out about a group.
struct Looked {
    group: Group,
    /// The operators of its smallest formula.
    operators: Vec<&'static str>,
    told: String,
}

impl Looked {
    fn of(group: Group, told: &BTreeMap<u64, String>) -> anyhow::Result<Looked> {
        let case = case_of(group.shown())?;
        let asserted: Vec<_> = case.script.asks().into_iter().flat_map(|ask| ask.assertions).collect();
        let operators = oracle::operators(&case.script.pool, &asserted);
        let told = group.rows.iter().find_map(|(row, _)| told.get(&row.id)).cloned().unwrap_or_default();
        Ok(Looked { group, operators, told })
    }

    /// Whom it concerns, if any release is known to fail: else nothing is known of the fault.
    fn affected(&self) -> Option<&Affected> {
        self.group.affected.as_ref().filter(|a| !a.releases.is_empty())
    }
}

/// Groups that are likely one fault: of the same kind, against the same solver, with formulas of the same operators on which the same
/// releases fail under the same options. In the order of their first groups.
fn faults(looked: Vec<Looked>) -> Vec<Vec<Looked>> {
    let mut all: Vec<Vec<Looked>> = Vec::new();
    for one in looked {
        let alike = |other: &Looked| {
            let (a, b) = (one.group.shown(), other.group.shown());
            let whom = |f: &Finding| f.against.as_deref().map(|name| family(name).to_owned());
            one.affected().is_some()
                && (a.kind, whom(a), rank(a)) == (b.kind, whom(b), rank(b))
                && (&one.operators, one.affected()) == (&other.operators, other.affected())
        };
        match all.iter_mut().find(|fault| alike(&fault[0])) {
            Some(fault) => fault.push(one),
            None => all.push(vec![one]),
        }
    }
    all
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

fn reduce_one(args: &Args, store: &dyn Campaign, row: &Row, limits: Limits) -> anyhow::Result<()> {
    let names: Vec<String> = row.finding.said.iter().map(|s| s.solver.clone()).collect();
    let solvers = choose::solvers(&names, None, &[])?;
    let oracles = reduce::oracles_for(Some(&row.finding));
    let jobs = args.jobs.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from));
    let time = Some(Duration::try_from_secs_f64(args.reduce_for).context("--reduce-for")?);
    let witnesses = witnesses(&solvers);
    let job =
        Job { solvers: &solvers, witnesses: &witnesses, oracles: &oracles, limits, jobs, any: false, time };
    let script = case_of(&row.finding)?.script;
    let came = reduce::stored(&job, store, row, script, &mut |_| {})?;
    if let Some(found) = &came.shrunk.finding {
        store.keep_reduced(&row.folder, found)?;
    }
    Ok(())
}

/// Asks which releases fail in the same way and whether that needs options; keeps it beside the finding, and says it.
fn look(args: &Args, store: &dyn Campaign, row: &Row, limits: Limits) -> anyhow::Result<String> {
    let reduced = store.reduced(&row.folder)?;
    let shown = reduced.as_ref().unwrap_or(&row.finding);
    let Some(whom) = shown.against.as_deref() else { return Ok("nobody is accused".to_owned()) };
    let Ok(profile) = Profile::named(family(whom)) else {
        return Ok("no releases are known to compare with".to_owned());
    };
    let case = case_of(shown)?;
    let history = history(args, shown, &case, &profile, limits)?;
    let known: Vec<(String, bool)> =
        history.known().map(|(release, fails)| (release.to_string(), fails)).collect();
    store.keep_releases(&row.folder, &known)?;
    let needed = options_needed(shown, whom, limits)?;
    store.keep_options(&row.folder, &needed)?;
    let mut told = history.words();
    if !needed.is_empty() {
        told.push_str(&format!("; needs {}", needed.join(" ")));
    }
    Ok(told)
}

/// Asks every installed release; with `--install`, also those between which a fault comes and goes.
fn history(
    args: &Args,
    shown: &Finding,
    case: &Case,
    profile: &Arc<Profile>,
    limits: Limits,
) -> anyhow::Result<History> {
    let oracles = reduce::oracles_for(Some(shown));
    let home = Home::of_environment();
    let ask = |release: &Release| -> anyhow::Result<Option<bool>> {
        let solver = Solver::installed(profile, release, &home);
        let (solvers, place) = super::recheck::with_instead(shown, &solver)?;
        Ok(match again(case, &shown.case, shown.kind, &solvers, place, &oracles, limits)? {
            Now::Still(_) => Some(true),
            Now::Fixed => Some(false),
            Now::Changed(_) | Now::Untold(_) => None,
        })
    };
    let mut history = History::default();
    for release in home.installed(&profile.name) {
        let fails = ask(&release)?;
        history.note(release, fails);
    }
    let there = if args.install { installable(profile) } else { Vec::new() };
    let installer = Installer { home: home.clone(), unlocked: false };
    while let Some(release) = history.next(&there) {
        let wanted = Wanted { profile: profile.clone(), release: release.clone() };
        let fails = match installer.install(&wanted) {
            Ok(_) => ask(&release)?,
            Err(why) => {
                eprintln!("{}: {why}", wanted.name());
                None
            }
        };
        history.note(release, fails);
    }
    Ok(history)
}

/// The options of the accused without which it does not fail, each left out by itself.
fn options_needed(shown: &Finding, whom: &str, limits: Limits) -> anyhow::Result<Vec<String>> {
    let accused = choose::solvers(&[whom.to_owned()], None, &[])?;
    let Some(accused) = accused.first().filter(|s| !s.options.is_empty()) else { return Ok(Vec::new()) };
    let case = case_of(shown)?;
    let oracles = reduce::oracles_for(Some(shown));
    let mut needed = Vec::new();
    for (i, option) in accused.options.iter().enumerate() {
        let mut rest = accused.options.clone();
        rest.remove(i);
        let fewer = accused.without_options().with_options(&rest);
        let (mut solvers, place) = super::recheck::with_instead(shown, &fewer)?;
        if let Some(place) = place {
            solvers[place] = fewer;
        }
        let now = again(&case, &shown.case, shown.kind, &solvers, place, &oracles, limits)?;
        if !matches!(now, Now::Still(_)) {
            needed.push(option.clone());
        }
    }
    Ok(needed)
}

/// Why a report is held back, by what its solver's maintainers want; counts those that are not.
fn held_back(shown: &Finding, reported: &mut Vec<(String, u32)>) -> Option<String> {
    let whom = shown.against.as_deref()?;
    let profile = Profile::named(family(whom)).ok()?;
    let unsupported =
        whom.split(' ').skip(1).find(|o| profile.unsupported.iter().any(|p| o.starts_with(p.as_str())));
    if let Some(option) = unsupported {
        return Some(format!("{} does not support {option}", profile.title));
    }
    let count = match reported.iter().position(|(name, _)| *name == profile.name) {
        Some(i) => &mut reported[i].1,
        None => {
            reported.push((profile.name.clone(), 0));
            &mut reported.last_mut()?.1
        }
    };
    *count += 1;
    let most = profile.weekly?;
    (*count > most).then(|| format!("{} wants no more than {most} a week", profile.title))
}
