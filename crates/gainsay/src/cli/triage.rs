//! `gainsay triage`: from a campaign's findings to a short ranked list worth reporting.

use std::time::Duration;

use anyhow::Context;

use super::arguments::workers;
use super::columns::hanging;
use super::{choose, exit};
use crate::config::Config;
use crate::judge::Budget;
use crate::report::many;
use crate::report::triage::{ListedFault, TriageList, fault_count, held_back};
use crate::solver::Limits;
use crate::store::Place;
use crate::study::machine::deciding;
use crate::study::{Triage, TriageEvent};

/// What to look at, and how long.
#[derive(clap::Args)]
pub struct Args {
    /// The campaign's folder, or the address of its server
    #[arg(long, default_value = super::STORE)]
    store: Place,
    /// Seconds for each question
    #[arg(long, default_value_t = 5.0)]
    timeout: f64,
    /// How far deciding who is wrong may go, as for `hunt` [default: as in the campaign]
    #[arg(long, value_name = "BUDGET")]
    decide: Option<Budget>,
    /// Candidates tried at a time
    #[arg(long)]
    jobs: Option<usize>,
    /// How many findings with one fingerprint are reduced; the others are taken to be like them
    #[arg(long, default_value_t = 2)]
    each: usize,
    /// Seconds for a first, quick reduction of each finding
    #[arg(long, default_value_t = 5.0)]
    glance_for: f64,
    /// Seconds for reducing each finding that will be reported
    #[arg(long, default_value_t = 120.0)]
    reduce_for: f64,
    /// Also install the releases between which a fault appears or disappears
    #[arg(long)]
    install: bool,
}

/// Runs the command.
pub fn run(args: &Args) -> anyhow::Result<u8> {
    let config = Config::read()?;
    let store = args.store.annotate()?;
    let jobs = workers(args.jobs);
    let stop = super::signals::stop_and_clean(move || crate::reduce::sweep(jobs))?;
    let triage = Triage {
        store: &*store,
        finder: choose::finder(&config),
        ignored: choose::ignored(&config),
        limits: Limits::of_time(seconds("--timeout", args.timeout)?),
        budget: deciding(&*store, args.decide)?,
        jobs,
        each: args.each,
        glance: seconds("--glance-for", args.glance_for)?,
        time: seconds("--reduce-for", args.reduce_for)?,
        install: args.install,
        stop: &stop,
        tell: &tell,
    };
    let list = triage.run()?;
    print(&list);
    Ok(if list.faults.is_empty() { exit::FINE } else { exit::FINDINGS })
}

fn seconds(flag: &'static str, given: f64) -> anyhow::Result<Duration> {
    Duration::try_from_secs_f64(given).context(flag)
}

/// Prints a step to standard error.
fn tell(event: &TriageEvent<'_>) {
    match event {
        TriageEvent::Glanced { id, from, to: Ok(to), done, of } => {
            eprintln!("finding {id}: {from} → {to} bytes ({done} of {of})");
        }
        TriageEvent::Glanced { id, to: Err(why), done, of, .. } => {
            eprintln!("finding {id}: {why} ({done} of {of})");
        }
        TriageEvent::Reducing { id, bytes } => eprintln!("reducing finding {id}, {bytes} bytes"),
        TriageEvent::NotReduced { id, why } => eprintln!("finding {id}: {why}"),
        TriageEvent::AskingReleases { id } => eprintln!("asking releases about finding {id}"),
        TriageEvent::NotInstalled { name, why } => eprintln!("{name}: {why}"),
        TriageEvent::NotAsked { why } => eprintln!("not asked: {why}"),
    }
}

fn print(list: &TriageList) {
    if let Some((examined, groups)) = list.stopped {
        eprintln!(
            "stopped: {examined} of {groups} groups were looked at; what was reduced is kept, and the next `gainsay triage` \
             goes on from there"
        );
    }
    if list.left_out > 0 {
        eprintln!("{} left out, as gainsay.toml says", many(list.left_out, "fault"));
    }
    println!(
        "{}, {} kept, {} of them looked at, {}",
        many(list.triggers, "trigger"),
        many(list.findings, "finding"),
        list.looked_at,
        fault_count(list.count())
    );
    for (place, fault) in list.faults.iter().enumerate() {
        print_fault(place + 1, fault);
    }
}

fn print_fault(place: usize, fault: &ListedFault) {
    println!("{}", hanging(&format!("{place:>3}. "), fault.title.split(' ')));
    println!("{}", hanging("     ", fault.about().split(' ')));
    if let Some(same) = fault.same_in_words() {
        println!("{}", hanging("     ", same.split(' ')));
    }
    match &fault.held_back {
        Some(why) => {
            let heading = format!("     finding {}, held back: ", fault.id);
            println!("{}", hanging(&heading, held_back(why).split(' ')));
        }
        None => println!("     report it with `gainsay show {} --as issue`", fault.id),
    }
}
