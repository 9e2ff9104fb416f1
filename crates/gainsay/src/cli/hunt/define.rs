//! From arguments to the definition of a hunt.
//!
//! A campaign that is gone on with is as it was begun: what is not said again stays, and what is said otherwise is refused.

use std::collections::BTreeMap;
use std::time::Duration;

use anyhow::{Context, bail};

use super::Args;
use crate::campaign::CampaignSpec;
use crate::campaign::spec::{Built, HuntSpec, LimitsSpec, SeedsSpec, SolverSpec, StrategySpec, WorkSpec};
use crate::cli::arguments::BadUsage;
use crate::cli::here;
use crate::config::Config;
use crate::judge::oracle::choose as oracles;
use crate::seed::Corpus;
use crate::solver::acquire::choose::{readers, witnesses};
use crate::solver::{AskMode, Limits, Outcome, Outputs, Question, Runner, Solver, SolverError};
use crate::store::{Place, StoreError};
use crate::strategy::enumerate::source;
use crate::strategy::{STRATEGIES, build as strategies};

/// The option set of the authors of the string tests, and their random numbers.
const PUBLISHED: &str = "published";
const PUBLISHED_SEEDS: &[u64] = &[0, 1465];
/// What is taken if nothing is said.
const SECONDS: f64 = 5.0;
const PUBLISHED_SECONDS: f64 = 15.0;
const MEGABYTES: u64 = 2048;
const BREADTH: u64 = 512;

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
    let corpus = match hunt_before {
        Some(hunt) if args.seeds.is_empty() => corpus_again(args, hunt)?,
        _ => Corpus::of(&args.seeds)?,
    };
    let limits = limits(args, before.map(|spec| spec.limits))?;
    let solvers = solvers(args, before)?;
    let strategies = chosen(args, hunt_before, &solvers)?;
    let seeds = match hunt_before {
        Some(hunt) if args.seeds.is_empty() => hunt.seeds.clone(),
        _ => SeedsSpec::of(&corpus, here::absolute(&args.seeds)?),
    };
    let hunt = HuntSpec {
        grammars: grammars(args, hunt_before)?,
        strategies,
        seeds,
        breadth: args.breadth.or(hunt_before.map(|hunt| hunt.breadth)).unwrap_or(BREADTH),
        prepare: args.prepare || hunt_before.is_some_and(|hunt| hunt.prepare),
    };
    let mode = match (args.way, args.as_published, before) {
        (Some(way), ..) => way.into(),
        (None, true, _) => AskMode::Fresh,
        (None, false, Some(before)) => before.ask_mode,
        (None, false, None) => AskMode::Reset,
    };
    let mut spec = CampaignSpec::new(WorkSpec::Hunt(hunt), &limits, mode);
    spec.seed = args.what.draw.or(before.map(|spec| spec.seed)).unwrap_or_else(new_seed);
    spec.solvers = here::solver_specs(&solvers, &config)?;
    spec.oracles = match before {
        Some(before) if args.oracles.is_empty() => before.oracles.clone(),
        _ => oracles(&args.oracles)?.iter().map(|oracle| oracle.name.to_owned()).collect(),
    };
    let (witnesses, solvers) = witnesses_of(args, before, solvers, &config)?;
    spec.witnesses = witnesses;
    spec.auditors = match (args.audit, before) {
        (false, None) => Vec::new(),
        (false, Some(before)) => before.auditors.clone(),
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

/// The strategies of a definition, built.
pub fn built(spec: &CampaignSpec) -> anyhow::Result<Vec<Built>> {
    let strategies = spec.hunt().map_or(&[][..], |hunt| &hunt.strategies);
    // Files of grammars may be elsewhere now; how long a series is does not depend on them.
    let plain = |strategy: &StrategySpec| {
        let mut strategy = strategy.clone();
        if strategy.build().is_err() {
            strategy.options.remove("grammar");
        }
        strategy
    };
    Ok(strategies.iter().map(|strategy| plain(strategy).build()).collect::<Result<_, _>>()?)
}

/// The seeds of a campaign that is gone on with; on a server they may be there, and are not needed here.
fn corpus_again(args: &Args, hunt: &HuntSpec) -> anyhow::Result<Corpus> {
    if let Place::Server(address) = &args.store
        && !crate::store::Postgres::look(address)?.seeds()?.is_empty()
    {
        return Ok(Corpus::default());
    }
    let corpus = here::seeds_again(&hunt.seeds)?;
    let SeedsSpec { count, digest, .. } = SeedsSpec::of(&corpus, Vec::new());
    if (count, &digest) != (hunt.seeds.count, &hunt.seeds.digest) {
        let what = format!(
            "seeds was \"{} seeds {}\", not \"{count} seeds {digest}\": files were changed, added or removed",
            hunt.seeds.count, hunt.seeds.digest
        );
        return Err(StoreError::Other { place: args.store.to_string().into(), what }.into());
    }
    Ok(corpus)
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
    let seconds = match (args.timeout, args.as_published) {
        (Some(seconds), _) => Some(seconds),
        (None, true) => Some(PUBLISHED_SECONDS),
        (None, false) => before.is_none().then_some(SECONDS),
    };
    if let Some(seconds) = seconds {
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
fn solvers(args: &Args, before: Option<&CampaignSpec>) -> anyhow::Result<Vec<Solver>> {
    let said =
        args.whom.says_anything() || !args.solver_seed.is_empty() || args.as_published || args.self_check;
    let solvers = match before {
        Some(before) if !said => before.solvers.iter().map(here::find).collect::<Result<_, _>>()?,
        _ => named(args)?,
    };
    let mut runner = Runner::new(Limits::default());
    for solver in &solvers {
        let script = "(set-logic QF_UF)\n(declare-const p Bool)\n(assert p)\n(check-sat)\n";
        let run = runner.ask(solver, Question { script, ask: Outputs::default() }, AskMode::Fresh)?;
        if run.outcome() != Outcome::Answered {
            let said = format!("{}{}", run.reply.noise, run.reply.stderr);
            let said = run.reply.errors.first().map_or(said.trim().to_owned(), Clone::clone);
            let why = format!("it does not answer a simple question ({}): {said}", run.ending);
            return Err(SolverError::NotStarted { program: solver.name.to_string(), why }.into());
        }
    }
    Ok(solvers)
}

/// The solvers that the arguments name.
fn named(args: &Args) -> anyhow::Result<Vec<Solver>> {
    let mut solvers = args.whom.solvers()?;
    if args.as_published {
        for solver in &mut solvers {
            if solver.profile.configs.contains_key(PUBLISHED) {
                *solver = solver.with_config(PUBLISHED)?;
            }
        }
    }
    let seeds: &[u64] =
        if args.solver_seed.is_empty() && args.as_published { PUBLISHED_SEEDS } else { &args.solver_seed };
    if !seeds.is_empty() {
        let with_each = |solver: &Solver| seeds.iter().map(|&n| solver.with_seed(n)).collect::<Vec<_>>();
        solvers = solvers.iter().flat_map(with_each).collect();
    }
    if args.self_check {
        for solver in &mut solvers {
            *solver = solver.with_options(&solver.profile.run.self_check.clone());
        }
    }
    Ok(solvers)
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
    let specs = here::solver_specs(&found, config)?;
    solvers.extend(found);
    Ok((specs, solvers))
}
