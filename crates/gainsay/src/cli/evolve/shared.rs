//! A study of evolution together with other machines: what `evolve` does after it wrote one down, and `work` from the start.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use anyhow::bail;
use serde::{Deserialize, Serialize};

use super::{Watch, limits, load, tell};
use crate::cli::hunt::{BadUsage, Joining, Member, Named, same_program};
use crate::config::Config;
use crate::judge::oracle::choose as oracles;
use crate::report::many;
use crate::solver::AskMode;
use crate::store::{Address, Postgres};
use crate::strategy::enumerate::{Grammar, source};
use crate::study::evolve::{Contender, Counts, Plan, Stock, join};

/// A grammar, and how many of its formulas are asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Sent {
    label: String,
    grammar: String,
    count: u64,
}

/// Who is asked, and beside whom it is judged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Asked {
    solver: Named,
    studied: bool,
    references: Vec<usize>,
}

/// All that decides a study.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// How often it has changed.
    edition: u32,
    stocks: Vec<Sent>,
    contenders: Vec<Asked>,
    seconds: f64,
    megabytes: u64,
    way: String,
}

/// The key under which it is kept.
const KEY: &str = "study";

impl Settings {
    /// What is to be written down.
    pub fn of(plan: &Plan, timeout: Duration, megabytes: u64) -> anyhow::Result<Settings> {
        let config = Config::read()?;
        let sent = |s: &Stock| Sent { label: s.label.clone(), grammar: s.grammar.clone(), count: s.count };
        let asked = |c: &Contender| -> anyhow::Result<Asked> {
            let (studied, references) = (c.studied, c.references.clone());
            Ok(Asked { solver: Named::of(&c.solver, &config)?, studied, references })
        };
        Ok(Settings {
            edition: 0,
            stocks: plan.stocks.iter().map(sent).collect(),
            contenders: plan.contenders.iter().map(asked).collect::<anyhow::Result<_>>()?,
            seconds: timeout.as_secs_f64(),
            megabytes,
            way: plan.way.word().to_owned(),
        })
    }

    /// Writes the study down for others. One that was written down before may grow while nobody works on it.
    pub fn put(mut self, store: &Postgres) -> anyhow::Result<()> {
        if let Some(before) = Settings::get(store)? {
            self.edition = before.edition;
            if self == before {
                return Ok(());
            }
            self.edition += 1;
            let status = store.status()?;
            if status.open > status.overdue {
                let open = many(status.open - status.overdue, "lease");
                bail!(BadUsage(format!(
                    "workers hold {open} of this study as it is; stop them before other releases, grammars or formulas \
                     are asked"
                )));
            }
        }
        let formulas: u64 = self.stocks.iter().map(|stock| stock.count).sum();
        store.begin_again(KEY, &serde_json::to_string(&self)?, formulas)?;
        Ok(())
    }

    /// The study that is written down; none if that is no study.
    pub fn get(store: &Postgres) -> anyhow::Result<Option<Settings>> {
        let Some(text) = store.setting(KEY)? else { return Ok(None) };
        same_program(store)?;
        Ok(Some(serde_json::from_str(&text)?))
    }

    /// The plan of a worker on this machine.
    fn plan(&self, jobs: usize, until: Option<Instant>) -> anyhow::Result<Plan> {
        let Some(way) = AskMode::ALL.into_iter().find(|way| way.word() == self.way) else {
            bail!(BadUsage(format!("the study asks in a way that is not known here: {}", self.way)));
        };
        let stock = |sent: &Sent| -> anyhow::Result<Stock> {
            let Sent { label, grammar, count } = sent.clone();
            let read = Grammar::read(&grammar).map_err(|e| BadUsage(format!("{label}: {e}")))?;
            let formulas = source::formulas(&[read]).map_err(BadUsage)?.swap_remove(0);
            Ok(Stock { label, grammar, formulas: Arc::new(formulas), count })
        };
        let contender = |asked: &Asked| -> anyhow::Result<Contender> {
            let references = asked.references.clone();
            Ok(Contender { references, ..Contender::new(asked.solver.here()?, asked.studied) })
        };
        Ok(Plan {
            stocks: self.stocks.iter().map(stock).collect::<anyhow::Result<_>>()?,
            contenders: self.contenders.iter().map(contender).collect::<anyhow::Result<_>>()?,
            oracles: oracles(&[])?,
            limits: limits(Duration::try_from_secs_f64(self.seconds)?, self.megabytes),
            way,
            jobs,
            until,
            keep_models: true,
        })
    }
}

/// Works on a study until it is over, the time has passed or somebody says stop. Tells what was done here, and whether all of
/// it is done.
pub fn joined(
    address: &Address,
    joining: &Joining,
    (jobs, time): (usize, Option<Duration>),
    stop: &Arc<AtomicBool>,
) -> anyhow::Result<(Counts, bool)> {
    let member = Member::join(address, joining, jobs, stop)?;
    let plan = || match Settings::get(&member.store)? {
        Some(settings) => Ok((settings.plan(jobs, time.map(|t| Instant::now() + t))?, settings.edition)),
        None => bail!(BadUsage(format!("{address} is no study of evolution"))),
    };
    let (plan, edition) = member.needs(plan())?;
    let watch = Watch::begin(&plan);
    let ended = join(&plan, edition, &member.sharing(), stop, |counts| watch.see(counts));
    watch.clear();
    let counts = member.leave(ended, |counts| load(&counts.formulas) as u64)?;
    tell(&counts, watch.begun);
    let done = member.store.status()?.turns;
    Ok((counts, done >= plan.order().len() as u64))
}
