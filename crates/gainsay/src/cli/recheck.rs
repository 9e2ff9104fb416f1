//! `gainsay recheck`: findings asked again of another build.

use std::time::Duration;

use anyhow::Context;
use serde_json::json;

use super::arguments::BadUsage;
use super::columns::fitted;
use super::{choose, exit};
use crate::finding::Finding;
use crate::judge::oracle::usual_and;
use crate::solver::acquire::choose::witnesses;
use crate::solver::{Limits, Solver, SolverId};
use crate::store::Place;
use crate::study::{Now, Panel, again, case_of};

/// Which findings to ask whom.
#[derive(clap::Args)]
pub struct Args {
    /// Numbers of findings; all if none is given
    ids: Vec<u64>,
    /// The build that stands in for the accused; more than one to compare
    #[arg(long = "solver", required = true)]
    solvers: Vec<String>,
    /// The profile of a build that cannot be recognised
    #[arg(long)]
    profile: Option<String>,
    /// The campaign's folder, or the address of its server
    #[arg(long, default_value = super::STORE)]
    store: Place,
    /// Seconds for each question
    #[arg(long, default_value_t = 10.0)]
    timeout: f64,
    /// One line of JSON for each
    #[arg(long)]
    json: bool,
}

/// The solvers of a finding with one in the place of the accused, its options kept; and the number of that one. Where nobody is
/// accused, it takes the place of the one that is most like it. Of the others those are left out that are no longer there.
pub fn with_instead(f: &Finding, new: &Solver) -> (Vec<Solver>, Option<usize>) {
    let mut solvers = Vec::new();
    let (mut whom, mut placed) = (None, false);
    for said in &f.said {
        let is_accused = Some(&said.solver) == f.against.as_ref();
        let old = choose::again(std::slice::from_ref(&said.solver));
        let is_like = || match &old {
            Ok(old) => old.iter().any(|s| s.profile.name == new.profile.name),
            Err(_) => said.solver.profile().is_some_and(|profile| profile.name == new.profile.name),
        };
        if is_accused || (f.against.is_none() && !placed && is_like()) {
            whom = is_accused.then_some(solvers.len());
            placed = true;
            // What `gainsay.toml` says of it has options that its name does not tell.
            let kept = old.as_ref().ok().and_then(|old| Some(old.first()?.options.clone()));
            let options = kept.unwrap_or_else(|| said.solver.options().to_vec());
            solvers.push(if new.options.is_empty() { new.with_options(&options) } else { new.clone() });
            continue;
        }
        match old {
            Ok(old) => solvers.extend(old),
            Err(why) => eprintln!("not asked: {why:#}"),
        }
    }
    if f.against.is_none() && !placed {
        solvers.push(new.clone());
    }
    (solvers, whom)
}

/// Runs the command.
pub fn run(args: &Args) -> anyhow::Result<u8> {
    let store = args.store.look()?;
    let rows: Vec<_> = store.findings()?.into_iter().filter(|r| !r.warm).collect();
    if let Some(id) = args.ids.iter().find(|id| !rows.iter().any(|r| r.id == **id)) {
        return Err(BadUsage(format!("there is no finding {id} in {}", args.store)).into());
    }
    let builds = choose::solvers(&args.solvers, args.profile.as_deref(), &[])?;
    let limits = Limits::of_time(Duration::try_from_secs_f64(args.timeout).context("--timeout")?);
    let mut failing = 0;
    for row in rows.iter().filter(|r| args.ids.is_empty() || args.ids.contains(&r.id)) {
        let reduced = store.reduced(&row.folder)?;
        let shown = reduced.as_ref().unwrap_or(&row.finding);
        let case = case_of(shown)?;
        for build in &builds {
            let (solvers, whom) = with_instead(shown, build);
            let oracles = usual_and(Some(&shown.oracle));
            let witnesses = witnesses(&solvers);
            let panel = Panel { solvers: &solvers, whom, witnesses: &witnesses, oracles: &oracles };
            let now = again(shown, &case, &panel, limits)?;
            failing += u32::from(matches!(now, Now::Still(_) | Now::Changed(_)));
            if args.json {
                let line = json!({ "id": row.id, "solver": build.name, "now": now.word(), "why": now.why() });
                println!("{line}");
            } else {
                let was = row.finding.against.as_ref().map_or("nobody", SolverId::as_str);
                let (kind, word) = (shown.kind.word(), now.word());
                let line =
                    format!("{:>5}  {kind:<14} {word:<8} {} (was {was}) {}", row.id, build.name, now.why());
                println!("{}", fitted(&line));
            }
        }
    }
    Ok(if failing > 0 { exit::FINDINGS } else { exit::FINE })
}
