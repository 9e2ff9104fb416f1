//! What a campaign on a server says of itself, so that any machine can work on it: settings, solvers by what they are, seeds.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use serde::{Deserialize, Serialize};

use super::{BadUsage, Built, oracles, strategies};
use crate::campaign::Plan;
use crate::cli::choose;
use crate::config::Config;
use crate::judge::oracle;
use crate::seed::{Corpus, builtin, digest};
use crate::solver::acquire::choose::own_entry;
use crate::solver::{AskMode, Limits, Solver, SolverError, SolverId};
use crate::store::{Campaign, Postgres, SeedText};
use crate::strategy::enumerate::source;

/// A solver as it travels.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Named {
    /// What it is called in findings.
    name: SolverId,
    /// What to write after `--solver` to have it.
    command: SolverId,
    profile: String,
    /// What it is made of.
    digest: String,
}

impl Named {
    /// A solver of this machine, as others must have it.
    pub fn of(solver: &Solver, config: &Config) -> anyhow::Result<Named> {
        let command = match own_entry(&solver.name, &config.solvers) {
            Some(entry) => {
                let command: SolverId = entry.command.parse()?;
                command.with_options(&[command.options(), solver.name.options()].concat())
            }
            None => solver.name.clone(),
        };
        let (name, profile) = (solver.name.clone(), solver.profile.name.clone());
        Ok(Named { name, command, profile, digest: solver.content()? })
    }

    /// The solver on this machine; it is installed if it can be, and must be the same program.
    pub fn here(&self) -> anyhow::Result<Solver> {
        let known = self.command.release().is_some();
        let profile = (!known).then_some(self.profile.as_str());
        let solver = choose::one(self.command.as_str(), profile)?;
        let found = solver.content()?;
        if found != self.digest {
            let why = format!(
                "it is not the program that the campaign was begun with (its digest is {found:.16}, not {:.16})",
                self.digest
            );
            return Err(SolverError::NotStarted { program: self.name.to_string(), why }.into());
        }
        Ok(solver.renamed(self.name.clone()))
    }
}

/// Whether workers anywhere can get it: what takes half an hour to build is not built on each of them.
fn travels(solver: &Solver) -> bool {
    solver.profile.cargo.is_none()
}

/// What questions may cost, and how they are asked.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct How {
    /// Seconds for each.
    pub seconds: f64,
    /// Bytes for each.
    pub memory: u64,
    /// Whether the address space is bounded.
    pub address_space: bool,
    /// How solvers are asked at first.
    pub way: String,
    /// How many series of a strategy get their first turns before one of them gets more.
    pub breadth: u64,
}

/// All that decides a campaign but its number, its turns and its seeds.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Settings {
    with: Vec<String>,
    flags: BTreeMap<String, String>,
    /// Grammars that are files, by name.
    grammars: BTreeMap<String, String>,
    solvers: Vec<Named>,
    witnesses: Vec<Named>,
    auditors: Vec<Named>,
    oracles: Vec<String>,
    ignored: Vec<String>,
    how: How,
}

impl Settings {
    /// What is to be written down.
    pub fn of(
        strategies: &Built,
        flags: BTreeMap<String, String>,
        (solvers, witnesses, auditors): (&[Solver], &[Solver], &[Solver]),
        oracles: &[&'static oracle::Entry],
        (ignored, how): (Vec<String>, How),
    ) -> anyhow::Result<Settings> {
        let config = Config::read()?;
        // What others cannot get cannot bear witness for them.
        let had: Vec<Solver> = witnesses.iter().filter(|solver| travels(solver)).cloned().collect();
        let all = |solvers: &[Solver]| -> anyhow::Result<Vec<Named>> {
            solvers.iter().map(|solver| Named::of(solver, &config)).collect()
        };
        let mut grammars = BTreeMap::new();
        for name in flags.get("grammar").into_iter().flat_map(|list| source::files(list)) {
            let text = std::fs::read_to_string(name).with_context(|| name.to_owned())?;
            grammars.insert(name.to_owned(), text);
        }
        Ok(Settings {
            with: strategies.iter().map(|(name, _)| (*name).to_owned()).collect(),
            flags,
            grammars,
            solvers: all(solvers)?,
            witnesses: all(&had)?,
            auditors: all(auditors)?,
            oracles: oracles.iter().map(|o| o.name.to_owned()).collect(),
            ignored,
            how,
        })
    }

    /// The flags as they are on this machine, where grammars that came with the campaign are in `folder`.
    fn flags_here(&self, folder: &Path) -> anyhow::Result<BTreeMap<String, String>> {
        let mut flags = self.flags.clone();
        let Some(list) = flags.get_mut("grammar").filter(|_| !self.grammars.is_empty()) else {
            return Ok(flags);
        };
        std::fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
        let mut words = Vec::new();
        for name in list.split(',') {
            words.push(match self.grammars.get(name) {
                None => name.to_owned(),
                Some(text) => {
                    let place = folder.join(format!("{:.16}.g4", digest(text.as_bytes())));
                    std::fs::write(&place, text).with_context(|| place.display().to_string())?;
                    place.display().to_string()
                }
            });
        }
        *list = words.join(",");
        Ok(flags)
    }

    /// The plan of a worker on this machine.
    pub fn plan(
        &self,
        store: &Postgres,
        folder: &Path,
        jobs: usize,
        until: Option<Instant>,
    ) -> anyhow::Result<Plan> {
        let all = |named: &[Named]| named.iter().map(Named::here).collect::<anyhow::Result<Vec<_>>>();
        let Some(way) = AskMode::ALL.into_iter().find(|way| way.word() == self.how.way) else {
            bail!(BadUsage(format!("the campaign asks in a way that is not known here: {}", self.how.way)));
        };
        let (strategies, _) = strategies(&self.with, &self.flags_here(folder)?)?;
        let mut limits = Limits::of_time(Duration::try_from_secs_f64(self.how.seconds)?);
        limits.memory = self.how.memory;
        limits.address_space = self.how.address_space;
        let turns = store.setting("turns")?.and_then(|text| text.parse().ok());
        Ok(Plan {
            draw: store.identity()?.draw,
            strategies,
            corpus: seeds(store)?,
            solvers: all(&self.solvers)?,
            witnesses: all(&self.witnesses)?,
            oracles: oracles(&self.oracles)?,
            limits,
            way,
            breadth: self.how.breadth,
            jobs,
            turns,
            until,
            auditors: all(&self.auditors)?,
            ignored: self.ignored.clone(),
        })
    }
}

/// The key under which settings are kept.
const KEY: &str = "settings";

/// Writes a campaign down: settings, seeds, and how many turns it has.
pub fn put(store: &Postgres, settings: &Settings, corpus: &Corpus, turns: Option<u64>) -> anyhow::Result<()> {
    let mut texts = Vec::new();
    for seed in &corpus.seeds {
        let name = &*seed.name.name;
        let own = builtin::scripts().find(|(n, _)| *n == name).map(|(_, text)| text.as_bytes().to_vec());
        let text = match own.filter(|text| digest(text) == *seed.name.digest) {
            Some(text) => text,
            None => std::fs::read(name).with_context(|| name.to_owned())?,
        };
        if digest(&text) != *seed.name.digest {
            bail!("{name} was changed while we looked at it");
        }
        texts.push(SeedText { name: name.to_owned(), digest: seed.name.digest.to_string(), text });
    }
    store.put_seeds(&texts)?;
    store.set_turns(turns)?;
    // Who goes on with a campaign has the flags of its beginning, but other solvers may be installed here to bear witness.
    if store.setting(KEY)?.is_none() {
        store.set(KEY, &serde_json::to_string(settings)?)?;
    }
    Ok(())
}

/// The settings of a campaign.
pub fn get(store: &Postgres) -> anyhow::Result<Settings> {
    let Some(text) = store.setting(KEY)? else {
        let place = store.address();
        bail!(BadUsage(format!(
            "{place} has no seeds and settings: it was copied from a folder, or is just being begun; `gainsay hunt … --store \
             {place} --resume` with the flags of its beginning brings them (and `gainsay evolve …` those of a study)"
        )));
    };
    same_program(store)?;
    Ok(serde_json::from_str(&text)?)
}

/// Refuses what another version of this program has begun.
pub fn same_program(store: &Postgres) -> anyhow::Result<()> {
    let made = store.setting("program")?.unwrap_or_default();
    if made != crate::PROGRAM {
        bail!(BadUsage(format!(
            "the campaign was begun by gainsay {made}, and this is {}; only the same makes the same cases",
            crate::PROGRAM
        )));
    }
    Ok(())
}

/// The seeds of a campaign.
fn seeds(store: &Postgres) -> anyhow::Result<Corpus> {
    let texts = store.seeds()?;
    let corpus = Corpus::of_bytes(&texts.iter().map(|s| (s.name.as_str(), &s.text[..])).collect::<Vec<_>>());
    if corpus.seeds.len() != texts.len() {
        bail!("{} of {} seeds cannot be read here{}", corpus.unusable.len(), texts.len(), corpus.reasons());
    }
    Ok(corpus)
}
