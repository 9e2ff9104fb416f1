//! What this machine has for a campaign: solvers and seeds.

use std::path::{Path, PathBuf};

use super::error::StudyError;
use super::solvers::SolverFinder;
use crate::campaign::spec::{SeedsSpec, SolverSpec};
use crate::campaign::{CampaignSpec, PlanError};
use crate::judge::Budget;
use crate::seed::{Corpus, builtin, digest};
use crate::solver::acquire::choose::{one, own_entry};
use crate::solver::{AskMode, Limits, Outcome, Outputs, Question, Runner, Solver, SolverError, SolverId};
use crate::store::{Place, Postgres, Reader, Rebuilt, SeedText, Sqlite, StoreError};
use crate::strategy::{Strategy, Wants};

impl SolverFinder<'_> {
    /// Solvers of this machine, as a definition names them.
    pub fn specs_of(&self, solvers: &[Solver]) -> Result<Vec<SolverSpec>, StudyError> {
        solvers.iter().map(|solver| self.spec_of(solver)).collect()
    }

    fn spec_of(&self, solver: &Solver) -> Result<SolverSpec, StudyError> {
        let command = match own_entry(&solver.name, self.own) {
            Some(entry) => {
                let command: SolverId = entry.command.parse()?;
                command.with_options(&[command.options(), solver.name.options()].concat())
            }
            None => solver.name.clone(),
        };
        Ok(SolverSpec::of(solver, command)?)
    }

    /// The solver that a definition names. It is installed if it can be, and must be the same program.
    pub fn find(&self, spec: &SolverSpec) -> Result<Solver, SolverError> {
        let known = spec.command.release().is_some();
        let profile = (!known).then_some(spec.profile.as_str());
        spec.confirm(&one(spec.command.as_str(), profile, &self.tell)?)
    }

    /// Finds the solvers that a definition names, first among those that are known already.
    pub fn find_among<'s>(
        &'s self,
        known: &'s [Solver],
    ) -> impl Fn(&SolverSpec) -> Result<Solver, SolverError> + 's {
        move |spec| match known.iter().find(|solver| solver.name == spec.name) {
            Some(solver) => Ok(solver.clone()),
            None => self.find(spec),
        }
    }
}

/// Logics of the simple question that each solver must answer. Boolector has the second, but not the first.
const SIMPLE_LOGICS: [&str; 2] = ["QF_UF", "QF_BV"];

/// Checks that a solver starts and answers a simple question in one of these logics.
pub fn answers(solver: &Solver) -> Result<(), SolverError> {
    let mut complaint = String::new();
    for logic in SIMPLE_LOGICS {
        let script = format!("(set-logic {logic})\n(declare-const p Bool)\n(assert p)\n(check-sat)\n");
        let question = Question { script: &script, ask: Outputs::default() };
        let run = Runner::new(Limits::default()).ask(solver, question, AskMode::Fresh)?;
        if run.outcome() == Outcome::Answered {
            return Ok(());
        }
        // What it says to the first question is the plainest.
        if complaint.is_empty() {
            let printed = format!("{}{}", run.reply.noise, run.reply.stderr);
            let printed = run.reply.errors.first().map_or(printed.trim().to_owned(), Clone::clone);
            complaint = format!("it does not answer a simple question ({}): {printed}", run.ending);
        }
    }
    Err(SolverError::NotStarted { program: solver.name.to_string(), why: complaint })
}

/// Solvers with each of these random numbers, and with their self-checks if that is wanted. Without numbers, each solver stays.
pub fn varied(solvers: Vec<Solver>, seeds: &[u64], self_check: bool) -> Vec<Solver> {
    let with_each = |solver: Solver| match seeds {
        [] => vec![solver],
        _ => seeds.iter().map(|&number| solver.with_seed(number)).collect(),
    };
    let checking = |solver: Solver| {
        let options = if self_check { solver.profile.run.self_check.clone() } else { Vec::new() };
        if options.is_empty() { solver } else { solver.with_options(&options) }
    };
    solvers.into_iter().flat_map(with_each).map(checking).collect()
}

/// The definition of the campaign in a store.
pub fn definition(store: &dyn Reader) -> Result<CampaignSpec, StudyError> {
    Ok(CampaignSpec::read(&store.definition()?)?)
}

/// How far deciding may go when findings of a campaign are looked at again: as far as is said now, else as in the campaign.
pub fn deciding(store: &dyn Reader, said: Option<Budget>) -> Result<Budget, StudyError> {
    said.map_or_else(|| Ok(definition(store)?.deciding), Ok)
}

/// The definition of the hunt to resume; none if none was begun.
pub fn hunt_before(place: &Place) -> Result<Option<CampaignSpec>, StudyError> {
    let store = match place.look() {
        Err(StoreError::None { .. }) => return Ok(None),
        store => store?,
    };
    if let Place::Folder(folder) = place {
        Sqlite::check_free(folder)?;
    }
    let spec = definition(&*store)?;
    if spec.hunt().is_none() {
        return Err(StudyError::NoHunt { place: place.to_string() });
    }
    Ok(Some(spec))
}

/// The definition of a campaign with the programs as they are built now, and those that are other programs than before. The change
/// is kept in the store. A release is never another program.
pub fn rebuild(
    place: &Place,
    spec: &CampaignSpec,
    finder: SolverFinder<'_>,
) -> Result<(CampaignSpec, Vec<Rebuilt>), StudyError> {
    let store = place.look()?;
    let mut now = spec.clone();
    let mut programs: Vec<Rebuilt> = Vec::new();
    for solver in now.solvers.iter_mut().chain(&mut now.witnesses).chain(&mut now.auditors) {
        if solver.command.release().is_some() {
            continue;
        }
        let digest = one(solver.command.as_str(), Some(&solver.profile), &finder.tell)?.content()?;
        if digest != solver.digest {
            let was = std::mem::replace(&mut solver.digest, digest.clone());
            let program = Rebuilt::now(&*store, solver.name.clone(), was, digest)?;
            if !programs.contains(&program) {
                programs.push(program);
            }
        }
    }
    match place {
        _ if programs.is_empty() => {}
        Place::Folder(folder) => {
            Sqlite::open(folder, &spec.definition(), true)?.rebuild(&now.definition(), &programs)?;
        }
        Place::Server(address) => {
            Postgres::open(address, &spec.definition(), true)?.rebuild(&now.definition(), &programs)?;
        }
    }
    Ok((now, programs))
}

/// Paths that lead to the same files from any folder.
pub fn absolute(paths: &[PathBuf]) -> Result<Vec<PathBuf>, StudyError> {
    paths.iter().map(|path| std::path::absolute(path).map_err(StudyError::at(path))).collect()
}

/// The seeds of a definition, from the files that they were read from. Below the current folder, their names are relative, as
/// they were when the campaign was begun.
fn seeds_again(spec: &SeedsSpec) -> Result<Corpus, StudyError> {
    let here = std::env::current_dir().map_err(StudyError::at(Path::new(".")))?;
    let near = |path: &PathBuf| path.strip_prefix(&here).map_or_else(|_| path.clone(), Path::to_owned);
    Ok(Corpus::of(&spec.paths.iter().map(near).collect::<Vec<_>>(), spec.keep())?)
}

/// The seeds of a campaign that is resumed. They must be the same. If the campaign is on a server that has their texts, they are
/// not needed here, and there are none.
pub fn same_seeds(place: &Place, spec: &SeedsSpec) -> Result<Corpus, StudyError> {
    if let Place::Server(address) = place
        && !Postgres::look(address)?.seeds()?.is_empty()
    {
        return Ok(Corpus::default());
    }
    let corpus = seeds_again(spec)?;
    let SeedsSpec { count, digest, .. } = SeedsSpec::of(&corpus, Vec::new());
    if (count, &digest) != (spec.count, &spec.digest) {
        let what = format!(
            "seeds was \"{} seeds {}\", not \"{count} seeds {digest}\": files were changed, added or removed",
            spec.count, spec.digest
        );
        return Err(StoreError::Other { place: place.to_string().into(), what }.into());
    }
    Ok(corpus)
}

/// Whether every strategy of a definition comes to an end: a suite, the seeds as they are, a number of formulas.
pub fn comes_to_an_end(spec: &CampaignSpec) -> Result<bool, StudyError> {
    if spec.hunt().is_some_and(|hunt| hunt.mutants.is_some()) {
        return Ok(true);
    }
    let strategies = spec.hunt().map_or(&[][..], |hunt| &hunt.strategies);
    for strategy in strategies {
        let mut strategy = strategy.clone();
        // The files of grammars may be elsewhere now. The length of a series does not depend on them.
        if strategy.build().is_err() {
            strategy.options.remove("grammar");
        }
        if !ends(strategy.build().map_err(PlanError::from)?.1.as_ref()) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Whether a strategy comes to an end.
fn ends(strategy: &dyn Strategy) -> bool {
    strategy.wants() == Wants::EachInTurn || strategy.series_count().is_some()
}

/// Puts the texts of seeds on a server.
pub fn put_seeds(store: &Postgres, corpus: &Corpus) -> Result<(), StudyError> {
    let mut texts = Vec::new();
    for seed in &corpus.seeds {
        let name = &*seed.name.name;
        let own = builtin::scripts().find(|(n, _)| *n == name).map(|(_, text)| text.as_bytes().to_vec());
        let text = match own.filter(|text| digest(text) == *seed.name.digest) {
            Some(text) => text,
            None => std::fs::read(name).map_err(StudyError::at(Path::new(name)))?,
        };
        if digest(&text) != *seed.name.digest {
            return Err(StudyError::ChangedSeed { name: name.to_owned() });
        }
        texts.push(SeedText { name: name.to_owned(), digest: seed.name.digest.to_string(), text });
    }
    Ok(store.put_seeds(&texts)?)
}

/// The seeds that are on a server; none if they were not put there.
pub fn seeds_of(store: &Postgres, spec: &SeedsSpec) -> Result<Option<Corpus>, StudyError> {
    let texts = store.seeds()?;
    if texts.is_empty() {
        return Ok(None);
    }
    let named: Vec<_> = texts.iter().map(|s| (s.name.as_str(), &s.text[..])).collect();
    let corpus = Corpus::of_bytes(&named, spec.keep());
    if corpus.seeds.len() != texts.len() {
        let (unread, of, why) = (corpus.unusable.len(), texts.len(), corpus.reasons());
        return Err(StudyError::UnreadSeeds { unread, of, why });
    }
    Ok(Some(corpus))
}

/// Refuses a campaign that another version of this program has begun. Only the same version makes the same cases.
pub fn same_program(store: &Postgres) -> Result<(), StudyError> {
    let made = store.setting("program")?.unwrap_or_default();
    if made == crate::PROGRAM { Ok(()) } else { Err(StudyError::OtherProgram { made }) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strategy::build as strategies;

    #[test]
    fn suites_and_seeds_come_to_an_end() {
        let ending = |flags: &[(&str, &str)]| {
            let flags = flags.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
            let (built, _) = strategies(&[], &flags).expect("they can be built");
            let names = built.iter().filter(|(_, kind)| ends(kind.as_ref())).map(|(name, _)| *name);
            names.collect::<Vec<_>>()
        };
        assert_eq!(ending(&[]), ["seeds", "construct"]);
        assert_eq!(ending(&[("count", "9"), ("rounds", "1")]), ["seeds", "enumerate", "construct"]);
    }
}
