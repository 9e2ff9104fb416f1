//! `gainsay recheck`: findings asked again of another build.

use std::time::Duration;

use anyhow::Context;
use serde_json::json;

use super::arguments::BadUsage;
use super::columns::fitted;
use super::{choose, exit};
use crate::config::Config;
use crate::finding::StoredFinding;
use crate::judge::Budget;
use crate::solver::{Limits, Solver, SolverId};
use crate::store::Place;
use crate::study::machine::deciding;
use crate::study::{Now, recheck, stored};

/// Which findings to ask whom.
#[derive(clap::Args)]
pub struct Args {
    /// Numbers of findings; all if none is given
    ids: Vec<u64>,
    /// The build that stands in for the accused; more than one to compare
    #[arg(long = "solver", required = true)]
    solvers: Vec<String>,
    /// The profile to use for a build that gainsay does not recognise
    #[arg(long)]
    profile: Option<String>,
    /// The campaign's folder, or the address of its server
    #[arg(long, default_value = super::STORE)]
    store: Place,
    /// Seconds for each question
    #[arg(long, default_value_t = 10.0)]
    timeout: f64,
    /// How far deciding who is wrong may go, as for `hunt` [default: as in the campaign]
    #[arg(long, value_name = "BUDGET")]
    decide: Option<Budget>,
    /// One line of JSON for each
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: &Args) -> anyhow::Result<u8> {
    let config = Config::read()?;
    let store = args.store.look()?;
    let rows: Vec<_> = store.findings()?.into_iter().filter(|row| !row.warm).collect();
    if let Some(id) = args.ids.iter().find(|id| !rows.iter().any(|row| row.id == **id)) {
        return Err(BadUsage(format!("there is no finding {id} in {}", args.store)).into());
    }
    let builds = choose::solvers(&args.solvers, args.profile.as_deref(), &[])?;
    let limits = Limits::of_time(Duration::try_from_secs_f64(args.timeout).context("--timeout")?);
    let wanted = rows.into_iter().filter(|row| args.ids.is_empty() || args.ids.contains(&row.id));
    let budget = deciding(&*store, args.decide)?;
    let mut code = exit::FINE;
    for one in stored(&*store, wanted.collect())? {
        for build in &builds {
            let rechecked = recheck(&one, build, choose::finder(&config), limits, budget)?;
            for why in &rechecked.absent {
                eprintln!("not asked: {why}");
            }
            if matches!(rechecked.now, Now::Still(_) | Now::Changed(_)) {
                code = exit::FINDINGS;
            }
            print(args, &one, build, &rechecked.now);
        }
    }
    Ok(code)
}

fn print(args: &Args, one: &StoredFinding, build: &Solver, now: &Now) {
    let against = one.finding.against.as_ref();
    let why = now.why(against.map(|_| build.name.as_str()));
    if args.json {
        println!("{}", json!({ "id": one.id, "solver": build.name, "now": now.word(), "why": why }));
        return;
    }
    let (kind, word, was) = (one.shown().kind.word(), now.word(), against.map_or("nobody", SolverId::as_str));
    println!("{}", fitted(&format!("{:>5}  {kind:<14} {word:<8} {} (was {was}) {why}", one.id, build.name)));
}
