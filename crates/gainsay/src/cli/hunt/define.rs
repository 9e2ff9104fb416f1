//! From arguments to the definition of a hunt.

use std::time::Duration;

use super::Args;
use crate::campaign::CampaignSpec;
use crate::cli::arguments::BadUsage;
use crate::cli::choose;
use crate::config::Config;
use crate::judge::oracle::choose as oracles;
use crate::report::many;
use crate::solver::Solver;
use crate::study::definition::{Defined, Wishes};
use crate::study::machine::varied;
use crate::study::options::LeftOut;

/// How many settings are named that are left out.
const SHOWN: usize = 4;

/// The definition that arguments make, given the one that the campaign has if it is gone on with. Says which settings are left out.
pub fn define(args: &Args, before: Option<&CampaignSpec>) -> anyhow::Result<Defined> {
    let config = Config::read()?;
    let named = match before {
        Some(_) if args.oracles.is_empty() => Vec::new(),
        _ => oracles(&args.oracles)?.iter().map(|oracle| oracle.name.to_owned()).collect(),
    };
    let wishes = Wishes {
        seeds: &args.seeds,
        bare: args.what.bare,
        strategies: &args.what.with,
        flags: args.what.flags.0.clone(),
        draw: args.what.draw,
        oracles: named,
        deciding: args.decide,
        solvers: solvers(args, before.is_some())?,
        mode: args.way.map(Into::into),
        time: args.timeout.map(time).transpose()?,
        memory: args.memory.map(|megabytes| megabytes << 20),
        free_space: args.free_space,
        time_limits: args.limits.map(Into::into),
        options: args.options.clone(),
        prepare: args.prepare,
        keep_failing: args.keep_failing,
        keep_folded: args.keep_folded,
        mutants: args.each_seed,
        breadth: args.breadth,
        audit: args.audit,
        ignored: config.ignore.summaries.clone(),
    };
    let defined = wishes.define(&args.store, before, choose::finder(&config))?;
    for left in &defined.left_out {
        eprintln!("gainsay: {}", left_out(left));
    }
    Ok(defined)
}

/// The settings that a solver does not take, in a sentence.
fn left_out(LeftOut { solver, accepted, settings }: &LeftOut) -> String {
    let shown: Vec<String> = settings.iter().take(SHOWN).map(|options| options.join(" ")).collect();
    let more = if settings.len() > SHOWN { ", …" } else { "" };
    format!(
        "{solver} is asked with {}; left out because it does not take them: {} ({}{more})",
        many(*accepted as u64, "setting"),
        settings.len(),
        shown.join(", "),
    )
}

fn time(seconds: f64) -> Result<Duration, BadUsage> {
    if seconds.is_finite() && seconds > 0.0 && seconds < 1e6 {
        return Ok(Duration::from_secs_f64(seconds));
    }
    Err(BadUsage(format!("--timeout {seconds}: seconds above 0 are wanted")))
}

/// The solvers that the arguments name; none if those of the campaign that is gone on with are meant.
fn solvers(args: &Args, resumed: bool) -> anyhow::Result<Option<Vec<Solver>>> {
    let said = args.whom.says_anything()
        || !args.solver_seed.is_empty()
        || args.published.is_some()
        || args.self_check;
    if resumed && !said {
        return Ok(None);
    }
    let mut solvers = args.whom.solvers()?;
    if let Some(paper) = args.published {
        solvers = paper.started(solvers);
    }
    Ok(Some(varied(solvers, &args.solver_seed, args.self_check)))
}
