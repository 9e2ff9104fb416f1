//! The definition of a hunt, from what is wished of it and what it was before.
//!
//! A campaign that is gone on with is as it was begun: what is not said again stays, and what is said otherwise is refused.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::error::StudyError;
use super::machine::{absolute, answers, same_seeds};
use super::options::{LeftOut, OptionsChoice, settings};
use super::solvers::SolverFinder;
use crate::campaign::CampaignSpec;
use crate::campaign::spec::{
    HuntSpec, LimitsSpec, OptionsSource, OptionsSpec, SeedsLeftOut, SeedsSpec, SolverSpec, StrategySpec,
    TimeLimits, WorkSpec, keep,
};
use crate::judge::Budget;
use crate::seed::Corpus;
use crate::solver::acquire::choose::{readers, witnesses};
use crate::solver::{AskMode, Limits, Solver};
use crate::store::{Place, StoreError};
use crate::strategy::enumerate::source;
use crate::strategy::{STRATEGIES, build as strategies};

/// What is taken if nothing is said.
const TIME: Duration = Duration::from_secs(5);
const MEMORY: u64 = 2048 << 20;
const BREADTH: u64 = 512;

/// What is wished of a hunt. What is absent or empty is as in the campaign that is gone on with, and otherwise as usual.
#[derive(Default)]
pub struct Wishes<'a> {
    /// The files and folders of seeds.
    pub seeds: &'a [PathBuf],
    /// Whether seeds keep only declarations, assertions and plain checks.
    pub bare: bool,
    /// The names of strategies.
    pub strategies: &'a [String],
    /// The flags of strategies.
    pub flags: BTreeMap<String, String>,
    /// The campaign's random number.
    pub draw: Option<u64>,
    /// The names of oracles.
    pub oracles: Vec<String>,
    /// How far deciding who is wrong may go.
    pub deciding: Option<Budget>,
    /// The solvers.
    pub solvers: Option<Vec<Solver>>,
    /// How solvers are asked first.
    pub mode: Option<AskMode>,
    /// The time of a question.
    pub time: Option<Duration>,
    /// The memory of a question, in bytes.
    pub memory: Option<u64>,
    /// Whether resident memory is limited instead of address space.
    pub free_space: bool,
    /// What of the time a question has.
    pub time_limits: Option<TimeLimits>,
    /// The settings that are drawn for solvers.
    pub options: Option<OptionsChoice>,
    /// Whether seeds that are not worth mutating are left out first.
    pub prepare: bool,
    /// Whether solvers are asked about mutants of seeds on which they fail.
    pub keep_failing: bool,
    /// Whether mutants are made of seeds that folding decides.
    pub keep_folded: bool,
    /// How many mutants each seed has at most in the one series that is made of it.
    pub mutants: Option<u32>,
    /// How many series of a strategy get ten turns before one of them gets more.
    pub breadth: Option<u64>,
    /// Whether every step of every approximation is audited.
    pub audit: bool,
    /// Summaries of findings that are not kept.
    pub ignored: Vec<String>,
}

/// A definition, and what of it this machine has at hand.
pub struct Defined {
    /// The definition.
    pub spec: CampaignSpec,
    /// Its solvers, and after them its witnesses as far as they were looked for.
    pub solvers: Vec<Solver>,
    /// Its seeds.
    pub corpus: Corpus,
    /// The settings that solvers do not take.
    pub left_out: Vec<LeftOut>,
}

impl Wishes<'_> {
    /// The definition of a campaign at this place, given the one that it has if it is gone on with.
    pub fn define(
        mut self,
        place: &Place,
        before: Option<&CampaignSpec>,
        finder: SolverFinder<'_>,
    ) -> Result<Defined, StudyError> {
        let hunt_before = before.and_then(CampaignSpec::hunt);
        let (corpus, seeds) = self.corpus(place, hunt_before)?;
        let solvers = self.solvers(before, finder)?;
        let (options, left_out) = self.drawn(hunt_before, &solvers)?;
        let hunt = HuntSpec {
            grammars: self.grammars(hunt_before)?,
            strategies: self.chosen(hunt_before, &solvers)?,
            seeds,
            breadth: self.breadth.or(hunt_before.map(|hunt| hunt.breadth)).unwrap_or(BREADTH),
            prepare: self.prepare || hunt_before.is_some_and(|hunt| hunt.prepare),
            mutants: self.mutants.or(hunt_before.and_then(|hunt| hunt.mutants)),
            time_limits: self.time_limits(hunt_before),
            leave_out: self.leave_out(hunt_before),
            options,
        };
        let mode = self.mode.or(before.map(|before| before.ask_mode)).unwrap_or(AskMode::Reset);
        let limits = self.limits(before.map(|spec| spec.limits));
        let mut spec = CampaignSpec::new(WorkSpec::Hunt(hunt), &limits, mode);
        spec.seed = self.draw.or(before.map(|spec| spec.seed)).unwrap_or_else(new_seed);
        spec.solvers = finder.specs_of(&solvers)?;
        spec.oracles = match before {
            Some(before) if self.oracles.is_empty() => before.oracles.clone(),
            _ => self.oracles,
        };
        spec.deciding = self.deciding.or(before.map(|spec| spec.deciding)).unwrap_or_default();
        let (witnesses, solvers) = witnesses_of(place, before, solvers, finder)?;
        spec.witnesses = witnesses;
        spec.auditors = match (self.audit, before) {
            (false, _) => before.map_or_else(Vec::new, |before| before.auditors.clone()),
            (true, _) if spec.witnesses.is_empty() => spec.solvers.clone(),
            (true, _) => spec.witnesses.clone(),
        };
        spec.ignored = before.map_or(self.ignored, |before| before.ignored.clone());
        // Of the same campaign the definition that is kept counts.
        let spec = before.map_or(Ok(spec.clone()), |before| same(place, before, &spec))?;
        Ok(Defined { spec, solvers, corpus, left_out })
    }

    /// The seeds, and what the definition says of them.
    fn corpus(&self, place: &Place, before: Option<&HuntSpec>) -> Result<(Corpus, SeedsSpec), StudyError> {
        let bare = self.bare || before.is_some_and(|hunt| hunt.seeds.bare);
        if let Some(hunt) = before
            && self.seeds.is_empty()
            && hunt.seeds.bare == bare
        {
            return Ok((same_seeds(place, &hunt.seeds)?, hunt.seeds.clone()));
        }
        let corpus = Corpus::of(self.seeds, keep(bare))?;
        let spec = SeedsSpec::of(&corpus, absolute(self.seeds)?);
        Ok((corpus, spec))
    }

    /// The solvers of the campaign, each of which starts and answers.
    fn solvers(
        &mut self,
        before: Option<&CampaignSpec>,
        finder: SolverFinder<'_>,
    ) -> Result<Vec<Solver>, StudyError> {
        let solvers = match (self.solvers.take(), before) {
            (Some(solvers), _) => solvers,
            (None, Some(before)) => {
                before.solvers.iter().map(|spec| finder.find(spec)).collect::<Result<_, _>>()?
            }
            (None, None) => Vec::new(),
        };
        solvers.iter().try_for_each(answers)?;
        Ok(solvers)
    }

    /// Whether each question has the time that fits its formula.
    fn time_limits(&self, before: Option<&HuntSpec>) -> TimeLimits {
        let usual = if self.mutants.is_some() { TimeLimits::Fixed } else { TimeLimits::Fitted };
        self.time_limits.or(before.map(|hunt| hunt.time_limits)).unwrap_or(usual)
    }

    /// The seeds of which no mutants are made.
    fn leave_out(&self, before: Option<&HuntSpec>) -> SeedsLeftOut {
        let before = before.map_or(SeedsLeftOut { failing: true, folded: true }, |hunt| hunt.leave_out);
        SeedsLeftOut {
            failing: before.failing && !self.keep_failing,
            folded: before.folded && !self.keep_folded,
        }
    }

    /// The limits of a question.
    fn limits(&self, before: Option<LimitsSpec>) -> Limits {
        let usual = Limits { memory: MEMORY, ..Limits::of_time(TIME) };
        let mut limits = before.map_or(usual, |spec| spec.limits());
        if let Some(time) = self.time {
            (limits.cpu, limits.wall) = (time, time);
        }
        limits.memory = self.memory.unwrap_or(limits.memory);
        limits.address_space &= !self.free_space;
        limits
    }

    /// The strategies that were named, or those of the campaign, or all, each with its options.
    fn chosen(&self, before: Option<&HuntSpec>, solvers: &[Solver]) -> Result<Vec<StrategySpec>, StudyError> {
        let names: Vec<String> = match before {
            _ if !self.strategies.is_empty() => self.strategies.to_vec(),
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
            flags.extend(self.flags.clone());
            // Files of grammars are kept in the campaign, and may be elsewhere now.
            if let Some(strategy) = known.filter(|strategy| strategy.options == flags) {
                chosen.push(strategy.clone());
                continue;
            }
            let (built, options) = strategies(std::slice::from_ref(&name), &flags)?;
            let options = options.into_iter().next().unwrap_or_default();
            let name = built.first().map_or("", |(name, _)| name).to_owned();
            chosen.push(StrategySpec { name, options: options.all().clone() });
        }
        Ok(chosen)
    }

    /// The settings that are drawn, and those that solvers do not take. The settings of a campaign that is gone on with stay, if
    /// the same are asked for.
    fn drawn(
        &self,
        before: Option<&HuntSpec>,
        solvers: &[Solver],
    ) -> Result<(Option<OptionsSpec>, Vec<LeftOut>), StudyError> {
        let kept = before.and_then(|hunt| hunt.options.as_ref());
        let stays = match (&self.options, kept.map(|kept| &kept.from)) {
            (None, _) => before.is_some(),
            (Some(OptionsChoice::Safe), Some(OptionsSource::Safe))
            | (Some(OptionsChoice::All), Some(OptionsSource::All)) => true,
            _ => false,
        };
        if stays {
            return Ok((kept.cloned(), Vec::new()));
        }
        settings(self.options.as_ref().unwrap_or(&OptionsChoice::None), solvers)
    }

    /// The texts of the grammars that are files.
    fn grammars(&self, before: Option<&HuntSpec>) -> Result<BTreeMap<String, String>, StudyError> {
        let Some(list) = self.flags.get("grammar") else {
            return Ok(before.map(|hunt| hunt.grammars.clone()).unwrap_or_default());
        };
        let text = |name: &str| std::fs::read_to_string(name).map_err(StudyError::at(Path::new(name)));
        source::files(list).map(|name| Ok((name.to_owned(), text(name)?))).collect()
    }
}

/// The definition that a campaign has, if it is the same as what is wished now.
fn same(place: &Place, before: &CampaignSpec, wished: &CampaignSpec) -> Result<CampaignSpec, StudyError> {
    let differences = before.differences(wished);
    if differences.is_empty() {
        return Ok(before.clone());
    }
    let (place, what) = (place.to_string().into(), differences.join("; "));
    Err(StoreError::Other { place, what }.into())
}

/// A new random number.
fn new_seed() -> u64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    u64::from(now.subsec_nanos()) ^ (now.as_secs() & 0xffff_ffff)
}

/// The witnesses of the campaign, and all solvers that are known by now. Those of the beginning stay: others may be installed
/// since.
fn witnesses_of(
    place: &Place,
    before: Option<&CampaignSpec>,
    mut solvers: Vec<Solver>,
    finder: SolverFinder<'_>,
) -> Result<(Vec<SolverSpec>, Vec<Solver>), StudyError> {
    if let Some(before) = before {
        return Ok((before.witnesses.clone(), solvers));
    }
    let on_server = matches!(place, Place::Server(_));
    // What takes half an hour to build is not built on every machine.
    let travels = |solver: &Solver| !on_server || solver.profile.cargo.is_none();
    let found: Vec<Solver> = witnesses(&solvers).into_iter().filter(travels).collect();
    let specs = finder.specs_of(&found)?;
    solvers.extend(found);
    Ok((specs, solvers))
}
