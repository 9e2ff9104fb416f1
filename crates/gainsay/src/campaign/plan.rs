//! The plan of a run: the definition of a campaign together with the solvers and seeds of this machine.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use super::spec::{
    Built, CampaignSpec, GrammarSpec, HuntSpec, SeedsLeftOut, SolverSpec, StrategyError, StudySpec,
    TimeLimits, WorkSpec,
};
use crate::judge::{Budget, oracle};
use crate::seed::{Corpus, digest};
use crate::solver::{AskMode, Limits, Setting, Solver, SolverError};
use crate::strategy::enumerate::{Formulas, Grammar, source};
use crate::strategy::{Strategy, Wants};

/// Everything that one run of a campaign needs.
pub struct Plan {
    /// The campaign's random number.
    pub seed: u64,
    /// The work of the run.
    pub work: PlannedWork,
    /// The solvers that are asked.
    pub solvers: Vec<Solver>,
    /// Solvers that are asked when the others disagree.
    pub witnesses: Vec<Solver>,
    /// Solvers that audit every approximation; empty if there is no audit.
    pub auditors: Vec<Solver>,
    /// The oracles that judge.
    pub oracles: Vec<&'static oracle::Entry>,
    /// The limits of one question.
    pub limits: Limits,
    /// The budget for deciding who is wrong.
    pub deciding: Budget,
    /// The mode in which solvers are asked at first.
    pub ask_mode: AskMode,
    /// Patterns of summaries that are counted and not recorded.
    pub ignored: Vec<String>,
    /// The number of workers.
    pub jobs: usize,
    /// The limit of turns of the campaign, if there is one.
    pub turns: Option<u64>,
    /// The time at which this run ends, if there is one.
    pub until: Option<Instant>,
}

/// The work of a run.
pub enum PlannedWork {
    /// Strategies make cases from seeds.
    Hunt(HuntPlan),
    /// Every release is asked the same formulas.
    Study(StudyPlan),
}

/// The plan of a hunt.
#[derive(Default)]
pub struct HuntPlan {
    /// The strategies, by name.
    pub strategies: Vec<Built>,
    /// The seeds that they start from.
    pub corpus: Corpus,
    /// How many series of a strategy get their first turns before one of them gets more.
    pub breadth: u64,
    /// If given, every strategy makes one series of each seed, of at most so many turns.
    pub mutants: Option<u32>,
    /// The settings that are drawn for each solver of the plan; empty if none are.
    pub settings: Vec<Vec<Setting>>,
    /// How much time a question has.
    pub time_limits: TimeLimits,
    /// The seeds of which no mutants are made.
    pub leave_out: SeedsLeftOut,
}

impl HuntPlan {
    /// The most turns that a series of a strategy has.
    pub fn longest(&self, strategy: &dyn Strategy) -> u32 {
        let own = strategy.longest().max(1);
        self.mutants.map_or(own, |mutants| own.min(mutants.max(1)))
    }

    /// How many series a strategy has, if they end.
    pub fn series_count(&self, strategy: &dyn Strategy) -> Option<u64> {
        let seeds = self.corpus.seeds.len() as u64;
        let each = self.mutants.is_some() || strategy.wants() == Wants::EachInTurn;
        match (strategy.series_count(), each) {
            (Some(count), true) => Some(count.min(seeds)),
            (None, true) => Some(seeds),
            (count, false) => count,
        }
    }
}

/// The plan of a study of releases. Its subjects are the solvers of the plan.
pub struct StudyPlan {
    /// How often the study has grown.
    pub edition: u32,
    /// The formulas that are asked, by grammar.
    pub grammars: Vec<GrammarPlan>,
    /// The role of each solver.
    pub subjects: Vec<Subject>,
}

/// The formulas of a grammar that are asked.
#[derive(Clone)]
pub struct GrammarPlan {
    /// The name of the grammar in tables. The same label means the same formulas.
    pub label: String,
    /// The formulas.
    pub formulas: Arc<Formulas>,
    /// How many formulas are asked, from the first on.
    pub count: u64,
}

/// A release in a study.
#[derive(Clone, Debug)]
pub struct Subject {
    /// The solver.
    pub solver: Solver,
    /// Whether it is studied, or only a reference.
    pub studied: bool,
    /// The numbers of the subjects that it is compared with; empty if there is no other make.
    pub references: Vec<usize>,
    /// Whether its runs are kept after this study. This is so for releases, which do not change.
    pub lasting: bool,
}

impl Subject {
    /// A subject without references.
    pub fn new(solver: Solver, studied: bool) -> Subject {
        Subject { solver, studied, references: Vec::new(), lasting: true }
    }
}

/// What a machine has for a campaign, and the limits of this run.
pub struct Here<'a> {
    /// Finds a solver on this machine.
    pub find: &'a dyn Fn(&SolverSpec) -> Result<Solver, SolverError>,
    /// The seeds of a hunt.
    pub corpus: Corpus,
    /// Patterns of summaries that are not recorded on this machine, besides those of the definition.
    pub ignored: Vec<String>,
    /// A folder for grammars whose files are not on this machine.
    pub grammars: Option<PathBuf>,
    /// The number of workers.
    pub jobs: usize,
    /// The limit of turns of the campaign, if there is one.
    pub turns: Option<u64>,
    /// The time at which this run ends, if there is one.
    pub until: Option<Instant>,
}

/// Why a definition cannot be made into a plan on this machine.
#[derive(Debug, thiserror::Error)]
pub enum PlanError {
    /// A solver cannot be found or started.
    #[error(transparent)]
    Solver(#[from] SolverError),
    /// A strategy cannot be built.
    #[error(transparent)]
    Strategy(#[from] StrategyError),
    /// The definition names an oracle that this program does not have.
    #[error("the campaign is judged by the oracle {0}, which this program does not have")]
    Oracle(String),
    /// A grammar cannot be read.
    #[error("grammar {label}: {why}")]
    Grammar {
        /// Its name.
        label: String,
        /// What is wrong with it.
        why: String,
    },
    /// A file cannot be written.
    #[error("{place}: {why}")]
    Disk {
        /// The file.
        place: PathBuf,
        /// The error of the operating system.
        why: std::io::Error,
    },
    /// The campaign belongs to another command and has no work of its own.
    #[error("this store holds no work to go on with by itself: it belongs to `gainsay ci`")]
    NoWork,
}

impl Plan {
    /// Makes the plan of a run. No other function makes one.
    pub fn of(spec: &CampaignSpec, here: Here<'_>) -> Result<Plan, PlanError> {
        let find = |specs: &[SolverSpec]| specs.iter().map(here.find).collect::<Result<Vec<_>, _>>();
        let solvers = find(&spec.solvers)?;
        let work = match &spec.work {
            WorkSpec::Hunt(hunt) => {
                let mut planned = HuntPlan::of(hunt, here.corpus, here.grammars.as_deref())?;
                let of = |spec: &SolverSpec| hunt.options.as_ref()?.settings.get(&spec.name).cloned();
                planned.settings = spec.solvers.iter().map(|spec| of(spec).unwrap_or_default()).collect();
                PlannedWork::Hunt(planned)
            }
            WorkSpec::Study(study) => PlannedWork::Study(StudyPlan::of(study, &solvers)?),
            WorkSpec::Ci(_) | WorkSpec::CiCache(_) => return Err(PlanError::NoWork),
        };
        let oracle = |name: &String| oracle::named(name).ok_or_else(|| PlanError::Oracle(name.clone()));
        Ok(Plan {
            seed: spec.seed,
            work,
            solvers,
            witnesses: find(&spec.witnesses)?,
            auditors: find(&spec.auditors)?,
            oracles: spec.oracles.iter().map(oracle).collect::<Result<_, _>>()?,
            limits: spec.limits.limits(),
            deciding: spec.deciding,
            ask_mode: spec.ask_mode,
            ignored: [&spec.ignored[..], &here.ignored].concat(),
            jobs: here.jobs.max(1),
            turns: here.turns,
            until: here.until,
        })
    }
}

impl HuntPlan {
    fn of(spec: &HuntSpec, mut corpus: Corpus, folder: Option<&Path>) -> Result<HuntPlan, PlanError> {
        let mut strategies = Vec::new();
        for strategy in &spec.strategies {
            let mut strategy = strategy.clone();
            if let (Some(list), Some(folder)) = (strategy.options.get_mut("grammar"), folder) {
                *list = unpacked(spec, list, folder)?;
            }
            strategies.push(strategy.build()?);
        }
        let HuntSpec { breadth, mutants, time_limits, leave_out, .. } = *spec;
        if leave_out.folded {
            corpus.draw_only(|seed| !seed.is_folded());
        }
        Ok(HuntPlan { strategies, corpus, breadth, mutants, settings: Vec::new(), time_limits, leave_out })
    }
}

/// Writes the grammars of a list that came with the definition to files in a folder, and returns the list with their paths.
fn unpacked(spec: &HuntSpec, list: &str, folder: &Path) -> Result<String, PlanError> {
    let mut names = Vec::new();
    for name in list.split(',') {
        let Some(text) = spec.grammars.get(name) else {
            names.push(name.to_owned());
            continue;
        };
        let place = folder.join(format!("{:.16}.g4", digest(text.as_bytes())));
        let disk = |why| PlanError::Disk { place: place.clone(), why };
        std::fs::create_dir_all(folder).map_err(disk)?;
        std::fs::write(&place, text).map_err(disk)?;
        names.push(place.display().to_string());
    }
    Ok(names.join(","))
}

impl StudyPlan {
    fn of(spec: &StudySpec, solvers: &[Solver]) -> Result<StudyPlan, PlanError> {
        let subject = |(solver, role): (&Solver, &super::spec::RoleSpec)| Subject {
            solver: solver.clone(),
            studied: role.studied,
            references: role.references.clone(),
            lasting: role.lasting,
        };
        Ok(StudyPlan {
            edition: spec.edition,
            grammars: spec.grammars.iter().map(GrammarPlan::of).collect::<Result<_, _>>()?,
            subjects: solvers.iter().zip(&spec.roles).map(subject).collect(),
        })
    }
}

impl GrammarPlan {
    fn of(spec: &GrammarSpec) -> Result<GrammarPlan, PlanError> {
        let GrammarSpec { label, text, count } = spec.clone();
        let wrong = |why: String| PlanError::Grammar { label: label.clone(), why };
        let grammar = Grammar::read(&text).map_err(|e| wrong(e.to_string()))?;
        let formulas = source::formulas(&[grammar]).map_err(wrong)?.swap_remove(0);
        Ok(GrammarPlan { label, formulas: Arc::new(formulas), count })
    }
}
