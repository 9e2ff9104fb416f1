//! From arguments to the definition of a hunt.
//!
//! A campaign that is gone on with is as it was begun: what is not said again stays, and what is said otherwise is refused.

use std::collections::BTreeMap;
use std::time::Duration;

use anyhow::{Context, bail};

use super::Args;
use crate::campaign::CampaignSpec;
use crate::campaign::spec::{
    HuntSpec, LimitsSpec, OptionsSource, OptionsSpec, SeedsLeftOut, SeedsSpec, SolverSpec, StrategySpec,
    TimeLimits, WorkSpec, keep,
};
use crate::cli::arguments::BadUsage;
use crate::cli::choose;
use crate::config::Config;
use crate::judge::oracle::choose as oracles;
use crate::report::many;
use crate::seed::Corpus;
use crate::solver::acquire::choose::{readers, witnesses};
use crate::solver::{AskMode, Limits, Solver};
use crate::store::{Place, StoreError};
use crate::strategy::enumerate::source;
use crate::strategy::{STRATEGIES, build as strategies};
use crate::study::machine::{absolute, answers, same_seeds, varied};
use crate::study::options::{LeftOut, OptionsChoice, settings};

/// What is taken if nothing is said.
const SECONDS: f64 = 5.0;
const MEGABYTES: u64 = 2048;
const BREADTH: u64 = 512;
/// How many settings are named that are left out.
const SHOWN: usize = 4;

/// A definition, and what of it this machine has at hand.
pub struct Defined {
    /// The definition.
    pub spec: CampaignSpec,
    /// Its solvers, and after them its witnesses as far as they were looked for.
    pub solvers: Vec<Solver>,
    /// Its seeds.
    pub corpus: Corpus,
}

/// The definition that arguments make, given the one that the campaign has if it is gone on with.
pub fn define(args: &Args, before: Option<&CampaignSpec>) -> anyhow::Result<Defined> {
    let config = Config::read()?;
    let hunt_before = before.and_then(CampaignSpec::hunt);
    let bare = args.what.bare || hunt_before.is_some_and(|hunt| hunt.seeds.bare);
    let corpus = match hunt_before {
        Some(hunt) if args.seeds.is_empty() && hunt.seeds.bare == bare => {
            same_seeds(&args.store, &hunt.seeds)?
        }
        _ => Corpus::of(&args.seeds, keep(bare))?,
    };
    let limits = limits(args, before.map(|spec| spec.limits))?;
    let solvers = solvers(args, before, &config)?;
    let strategies = chosen(args, hunt_before, &solvers)?;
    let seeds = match hunt_before {
        Some(hunt) if args.seeds.is_empty() && hunt.seeds.bare == bare => hunt.seeds.clone(),
        _ => SeedsSpec::of(&corpus, absolute(&args.seeds)?),
    };
    let hunt = HuntSpec {
        grammars: grammars(args, hunt_before)?,
        strategies,
        seeds,
        breadth: args.breadth.or(hunt_before.map(|hunt| hunt.breadth)).unwrap_or(BREADTH),
        prepare: args.prepare || hunt_before.is_some_and(|hunt| hunt.prepare),
        mutants: args.each_seed.or(hunt_before.and_then(|hunt| hunt.mutants)),
        time_limits: time_limits(args, hunt_before),
        leave_out: left_out(args, hunt_before),
        options: drawn(args, hunt_before, &solvers)?,
    };
    let mode = match (args.way, before) {
        (Some(way), _) => way.into(),
        (None, Some(before)) => before.ask_mode,
        (None, None) => AskMode::Reset,
    };
    let mut spec = CampaignSpec::new(WorkSpec::Hunt(hunt), &limits, mode);
    spec.seed = args.what.draw.or(before.map(|spec| spec.seed)).unwrap_or_else(new_seed);
    spec.solvers = choose::finder(&config).specs_of(&solvers)?;
    spec.oracles = match before {
        Some(before) if args.oracles.is_empty() => before.oracles.clone(),
        _ => oracles(&args.oracles)?.iter().map(|oracle| oracle.name.to_owned()).collect(),
    };
    spec.deciding = args.decide.or(before.map(|spec| spec.deciding)).unwrap_or_default();
    let (witnesses, solvers) = witnesses_of(args, before, solvers, &config)?;
    spec.witnesses = witnesses;
    spec.auditors = match (args.audit, before) {
        (false, _) => before.map_or_else(Vec::new, |before| before.auditors.clone()),
        (true, _) if spec.witnesses.is_empty() => spec.solvers.clone(),
        (true, _) => spec.witnesses.clone(),
    };
    spec.ignored = before.map_or(config.ignore.summaries, |before| before.ignored.clone());
    if let Some(before) = before {
        let differences = before.differences(&spec);
        if !differences.is_empty() {
            let (place, what) = (args.store.to_string().into(), differences.join("; "));
            return Err(StoreError::Other { place, what }.into());
        }
        // Of the same campaign the definition that is kept counts.
        spec = before.clone();
    }
    Ok(Defined { spec, solvers, corpus })
}

/// Whether each question has the time that fits its formula.
fn time_limits(args: &Args, before: Option<&HuntSpec>) -> TimeLimits {
    match (args.limits, before) {
        (Some(name), _) => name.into(),
        (None, Some(hunt)) => hunt.time_limits,
        (None, None) if args.each_seed.is_some() => TimeLimits::Fixed,
        (None, None) => TimeLimits::Fitted,
    }
}

/// The seeds of which no mutants are made.
fn left_out(args: &Args, before: Option<&HuntSpec>) -> SeedsLeftOut {
    let before = before.map_or(SeedsLeftOut { failing: true, folded: true }, |hunt| hunt.leave_out);
    SeedsLeftOut { failing: before.failing && !args.keep_failing, folded: before.folded && !args.keep_folded }
}

/// A new random number.
fn new_seed() -> u64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    u64::from(now.subsec_nanos()) ^ (now.as_secs() & 0xffff_ffff)
}

/// The strategies that were named, or those of the campaign, or all, each with its options.
fn chosen(args: &Args, before: Option<&HuntSpec>, solvers: &[Solver]) -> anyhow::Result<Vec<StrategySpec>> {
    let names: Vec<String> = match before {
        _ if !args.what.with.is_empty() => args.what.with.clone(),
        Some(hunt) => hunt.strategies.iter().map(|strategy| strategy.name.clone()).collect(),
        None => STRATEGIES.iter().map(|entry| entry.name.to_owned()).collect(),
    };
    let mut chosen = Vec::new();
    for name in names {
        let known = before.and_then(|hunt| hunt.strategies.iter().find(|s| s.name == name));
        let mut flags = match known {
            Some(strategy) => strategy.options.clone(),
            None => BTreeMap::from([("readable-by".to_owned(), readers(solvers))]),
        };
        flags.extend(args.what.flags.0.clone());
        if let Some(strategy) = known {
            // Files of grammars are kept in the campaign, and may be elsewhere now.
            if strategy.options == flags {
                chosen.push(strategy.clone());
                continue;
            }
        }
        let (built, options) = strategies(std::slice::from_ref(&name), &flags)?;
        let options = options.into_iter().next().unwrap_or_default();
        let name = built.first().map_or("", |(name, _)| name).to_owned();
        chosen.push(StrategySpec { name, options: options.all().clone() });
    }
    Ok(chosen)
}

/// The settings that are drawn. Those of a campaign that is gone on with stay, if the same are asked for.
fn drawn(args: &Args, before: Option<&HuntSpec>, solvers: &[Solver]) -> anyhow::Result<Option<OptionsSpec>> {
    let kept = before.and_then(|hunt| hunt.options.as_ref());
    let same = |choice: &OptionsChoice| {
        let pair = (choice, kept.map(|kept| &kept.from));
        matches!(
            pair,
            (OptionsChoice::Safe, Some(OptionsSource::Safe)) | (OptionsChoice::All, Some(OptionsSource::All))
        )
    };
    let choice = match (&args.options, before) {
        (None, Some(_)) => return Ok(kept.cloned()),
        (Some(choice), _) if same(choice) => return Ok(kept.cloned()),
        (None, None) => &OptionsChoice::None,
        (Some(choice), _) => choice,
    };
    let (spec, left) = settings(choice, solvers)?;
    for LeftOut { solver, accepted, settings } in left {
        let shown: Vec<String> = settings.iter().take(SHOWN).map(|options| options.join(" ")).collect();
        let more = if settings.len() > SHOWN { ", …" } else { "" };
        eprintln!(
            "gainsay: {solver} is asked with {}; left out because it does not take them: {} ({}{more})",
            many(accepted as u64, "setting"),
            settings.len(),
            shown.join(", "),
        );
    }
    Ok(spec)
}

/// The texts of the grammars that are files.
fn grammars(args: &Args, before: Option<&HuntSpec>) -> anyhow::Result<BTreeMap<String, String>> {
    let given = args.what.flags.0.get("grammar");
    match (given, before) {
        (None, before) => Ok(before.map(|hunt| hunt.grammars.clone()).unwrap_or_default()),
        (Some(list), _) => {
            let text = |name: &str| std::fs::read_to_string(name).with_context(|| name.to_owned());
            source::files(list).map(|name| Ok((name.to_owned(), text(name)?))).collect()
        }
    }
}

fn limits(args: &Args, before: Option<LimitsSpec>) -> anyhow::Result<Limits> {
    let mut limits = before.map_or_else(Limits::default, |spec| spec.limits());
    if let Some(seconds) = args.timeout.or(before.is_none().then_some(SECONDS)) {
        if !(seconds.is_finite() && seconds > 0.0 && seconds < 1e6) {
            bail!(BadUsage(format!("--timeout {seconds}: seconds above 0 are wanted")));
        }
        (limits.cpu, limits.wall) = (Duration::from_secs_f64(seconds), Duration::from_secs_f64(seconds));
    }
    if let Some(megabytes) = args.memory.or(before.is_none().then_some(MEGABYTES)) {
        limits.memory = megabytes << 20;
    }
    limits.address_space &= !args.free_space;
    Ok(limits)
}

/// The solvers of the campaign, each of which starts and answers.
fn solvers(args: &Args, before: Option<&CampaignSpec>, config: &Config) -> anyhow::Result<Vec<Solver>> {
    let said = args.whom.says_anything()
        || !args.solver_seed.is_empty()
        || args.published.is_some()
        || args.self_check;
    let solvers = match before {
        Some(before) if !said => {
            let finder = choose::finder(config);
            before.solvers.iter().map(|spec| finder.find(spec)).collect::<Result<_, _>>()?
        }
        _ => named(args)?,
    };
    for solver in &solvers {
        answers(solver)?;
    }
    Ok(solvers)
}

/// The solvers that the arguments name.
fn named(args: &Args) -> anyhow::Result<Vec<Solver>> {
    let mut solvers = args.whom.solvers()?;
    if let Some(paper) = args.published {
        solvers = paper.started(solvers);
    }
    Ok(varied(solvers, &args.solver_seed, args.self_check))
}

/// The witnesses of the campaign, and all solvers that are known by now. Those of the beginning stay: others may be installed
/// since.
fn witnesses_of(
    args: &Args,
    before: Option<&CampaignSpec>,
    mut solvers: Vec<Solver>,
    config: &Config,
) -> anyhow::Result<(Vec<SolverSpec>, Vec<Solver>)> {
    if let Some(before) = before {
        return Ok((before.witnesses.clone(), solvers));
    }
    let on_server = matches!(args.store, Place::Server(_));
    // What takes half an hour to build is not built on every machine.
    let travels = |solver: &Solver| !on_server || solver.profile.cargo.is_none();
    let found: Vec<Solver> = witnesses(&solvers).into_iter().filter(travels).collect();
    let specs = choose::finder(config).specs_of(&found)?;
    solvers.extend(found);
    Ok((specs, solvers))
}
