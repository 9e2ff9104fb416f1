//! `gainsay triage`: from a campaign's findings to a short ranked list worth reporting.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context;

use super::groups::{Group, groups};
use super::{choose, exit, findings, reduce};
use crate::finding::{self, Finding};
use crate::solver::home::Home;
use crate::solver::{Limits, Profile, Solver};
use crate::store::{Row, Sqlite, Store};
use crate::study::{Job, Now, again, family};

/// What to look at, and how long.
#[derive(clap::Args)]
pub struct Args {
    /// The campaign's folder
    #[arg(long, default_value = super::STORE)]
    store: PathBuf,
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
}

/// Runs the command.
pub fn run(args: &Args) -> anyhow::Result<u8> {
    let store = Sqlite::look(&args.store)?;
    let limits = Limits::of_time(Duration::try_from_secs_f64(args.timeout).context("--timeout")?);
    let rows: Vec<Row> = store.findings()?.into_iter().filter(|r| !r.warm).collect();
    let total = rows.len();
    let chosen = smallest(rows, args.each);
    for (i, row) in chosen.iter().enumerate() {
        if store.reduced(&row.folder).is_none() {
            eprintln!("reducing {} ({} of {})", row.id, i + 1, chosen.len());
            if let Err(why) = reduce_one(args, &store, row, limits) {
                eprintln!("{}: {why:#}", row.id);
            }
        }
    }
    let count = chosen.len();
    let all = groups(&store, chosen);
    println!("{total} findings, {count} of them looked at, {} faults", all.len());
    let mut reported: Vec<(String, u32)> = Vec::new();
    for (place, group) in all.iter().enumerate() {
        let told = look(&store, group, limits)?;
        let held = held_back(group.shown(), &mut reported);
        let row = &group.rows[0].0;
        println!("{:>3}. {} ({} bytes)", place + 1, finding::title(group.shown()), group.shown().case.len());
        println!("     {told}");
        match held {
            Some(why) => println!("     held back: {why}"),
            None => println!("     report it with `gainsay show {} --as issue`", row.id),
        }
    }
    Ok(if all.is_empty() { exit::FINE } else { exit::FINDINGS })
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

fn reduce_one(args: &Args, store: &Sqlite, row: &Row, limits: Limits) -> anyhow::Result<()> {
    let names: Vec<String> = row.finding.said.iter().map(|s| s.solver.clone()).collect();
    let solvers = choose::solvers(&names, None, &[])?;
    let oracles = reduce::oracles_for(Some(&row.finding));
    let jobs = args.jobs.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from));
    let time = Some(Duration::try_from_secs_f64(args.reduce_for).context("--reduce-for")?);
    let job = Job { solvers: &solvers, oracles: &oracles, limits, jobs, any: false, time };
    let script = findings::case_of(&row.finding)?.script;
    let came = reduce::stored(&job, row, script, &mut |_| {})?;
    if let Some(found) = &came.shrunk.finding {
        store.keep_reduced(&row.folder, found)?;
    }
    Ok(())
}

/// Which installed releases fail in the same way, and whether that needs options; in words.
fn look(store: &Sqlite, group: &Group, limits: Limits) -> anyhow::Result<String> {
    let shown = group.shown();
    let Some(whom) = shown.against.as_deref() else { return Ok("nobody is accused".to_owned()) };
    let Ok(profile) = Profile::named(family(whom)) else {
        return Ok("no releases are known to compare with".to_owned());
    };
    let case = findings::case_of(shown)?;
    let oracles = reduce::oracles_for(Some(shown));
    let ask = |solver: &Solver| -> anyhow::Result<Now> {
        let (solvers, place) = super::recheck::with_instead(shown, solver)?;
        Ok(again(&case, &shown.case, shown.kind, &solvers, place, &oracles, limits)?)
    };
    let home = Home::of_environment();
    let mut releases = home.installed(&profile.name);
    releases.sort();
    let mut asked = Vec::new();
    for release in &releases {
        let solver = Solver::installed(&profile, release, &home);
        match ask(&solver)? {
            Now::Still(_) => asked.push((release.to_string(), true)),
            Now::Fixed => asked.push((release.to_string(), false)),
            Now::Changed(_) | Now::Untold(_) => {}
        }
    }
    store.keep_releases(&group.rows[0].0.folder, &asked)?;
    let mut words = vec![history(&asked)];
    let needed = options_needed(shown, whom, limits)?;
    if !needed.is_empty() {
        words.push(format!("needs {}", needed.join(" ")));
    }
    Ok(words.join("; "))
}

/// The options of the accused without which it does not fail, each left out by itself.
fn options_needed(shown: &Finding, whom: &str, limits: Limits) -> anyhow::Result<Vec<String>> {
    let accused = choose::solvers(&[whom.to_owned()], None, &[])?;
    let Some(accused) = accused.first().filter(|s| !s.options.is_empty()) else { return Ok(Vec::new()) };
    let case = findings::case_of(shown)?;
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

/// `wrong since 4.8.5, right in 4.8.0; right again from 4.8.8`
fn history(asked: &[(String, bool)]) -> String {
    let Some(first) = asked.iter().position(|r| r.1) else {
        return "no installed release fails so alone".to_owned();
    };
    let last = asked.iter().rposition(|r| r.1).unwrap_or(first);
    let mut text = format!("wrong since {}", asked[first].0);
    if first > 0 {
        text.push_str(&format!(", right in {}", asked[first - 1].0));
    }
    match asked.get(last + 1) {
        Some(next) => text.push_str(&format!("; last wrong in {}, right in {}", asked[last].0, next.0)),
        None => text.push_str(&format!("; still wrong in the newest asked, {}", asked[last].0)),
    }
    text
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn releases_in_words() {
        let rows = |text: &str| -> Vec<(String, bool)> {
            text.chars().enumerate().map(|(i, c)| (format!("1.{i}"), c == 'x')).collect()
        };
        assert_eq!(history(&rows("..xx.")), "wrong since 1.2, right in 1.1; last wrong in 1.3, right in 1.4");
        assert_eq!(history(&rows("xx")), "wrong since 1.0; still wrong in the newest asked, 1.1");
        assert_eq!(history(&rows("..")), "no installed release fails so alone");
    }
}
