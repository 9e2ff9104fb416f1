//! What this machine has for a campaign: solvers, seeds, and the signals that end a run.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

use super::arguments::BadUsage;
use super::choose;
use crate::campaign::CampaignSpec;
use crate::campaign::spec::{SeedsSpec, SolverSpec};
use crate::config::Config;
use crate::seed::{Corpus, builtin, digest};
use crate::solver::acquire::choose::own_entry;
use crate::solver::{Solver, SolverError, SolverId};
use crate::store::{Postgres, Reader, Rebuilt, SeedText};

/// A solver of this machine, as a definition names it.
pub fn solver_spec(solver: &Solver, config: &Config) -> anyhow::Result<SolverSpec> {
    let command = match own_entry(&solver.name, &config.solvers) {
        Some(entry) => {
            let command: SolverId = entry.command.parse()?;
            command.with_options(&[command.options(), solver.name.options()].concat())
        }
        None => solver.name.clone(),
    };
    Ok(SolverSpec::of(solver, command)?)
}

/// The definitions of several solvers of this machine.
pub fn solver_specs(solvers: &[Solver], config: &Config) -> anyhow::Result<Vec<SolverSpec>> {
    solvers.iter().map(|solver| solver_spec(solver, config)).collect()
}

/// The solver that a definition names; it is installed if it can be, and must be the same program.
pub fn find(spec: &SolverSpec) -> Result<Solver, SolverError> {
    let known = spec.command.release().is_some();
    let profile = (!known).then_some(spec.profile.as_str());
    spec.confirm(&choose::one(spec.command.as_str(), profile)?)
}

/// The definition of a campaign with the programs as they are built now, and those that are other programs than before. A release
/// is never another program.
pub fn rebuilt(spec: &CampaignSpec, store: &dyn Reader) -> anyhow::Result<(CampaignSpec, Vec<Rebuilt>)> {
    let mut now = spec.clone();
    let mut programs: Vec<Rebuilt> = Vec::new();
    for solver in now.solvers.iter_mut().chain(&mut now.witnesses).chain(&mut now.auditors) {
        if solver.command.release().is_some() {
            continue;
        }
        let digest = choose::one(solver.command.as_str(), Some(&solver.profile))?.content()?;
        if digest != solver.digest {
            let was = std::mem::replace(&mut solver.digest, digest.clone());
            let program = Rebuilt::now(store, solver.name.clone(), was, digest)?;
            if !programs.contains(&program) {
                programs.push(program);
            }
        }
    }
    Ok((now, programs))
}

/// Finds solvers, first among those that are known already.
pub fn find_among(known: &[Solver]) -> impl Fn(&SolverSpec) -> Result<Solver, SolverError> {
    move |spec| match known.iter().find(|solver| solver.name == spec.name) {
        Some(solver) => Ok(solver.clone()),
        None => find(spec),
    }
}

/// The definition of the campaign in a store.
pub fn definition(store: &dyn Reader) -> anyhow::Result<CampaignSpec> {
    Ok(CampaignSpec::read(&store.definition()?)?)
}

/// Paths as they lead to the same files from any folder.
pub fn absolute(paths: &[PathBuf]) -> anyhow::Result<Vec<PathBuf>> {
    paths.iter().map(|path| std::path::absolute(path).with_context(|| path.display().to_string())).collect()
}

/// The seeds of a definition, from where they were read. Their names are as they were where the campaign was begun, if that is
/// here.
pub fn seeds_again(spec: &SeedsSpec) -> anyhow::Result<Corpus> {
    let here = std::env::current_dir()?;
    let near = |path: &PathBuf| path.strip_prefix(&here).map_or_else(|_| path.clone(), Path::to_owned);
    Ok(Corpus::of(&spec.paths.iter().map(near).collect::<Vec<_>>())?)
}

/// Puts the texts of seeds on a server.
pub fn put_seeds(store: &Postgres, corpus: &Corpus) -> anyhow::Result<()> {
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
    Ok(store.put_seeds(&texts)?)
}

/// The seeds that are on a server; none if they were not put there.
pub fn seeds_of(store: &Postgres) -> anyhow::Result<Option<Corpus>> {
    let texts = store.seeds()?;
    if texts.is_empty() {
        return Ok(None);
    }
    let corpus = Corpus::of_bytes(&texts.iter().map(|s| (s.name.as_str(), &s.text[..])).collect::<Vec<_>>());
    if corpus.seeds.len() != texts.len() {
        bail!("{} of {} seeds cannot be read here{}", corpus.unusable.len(), texts.len(), corpus.reasons());
    }
    Ok(Some(corpus))
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
