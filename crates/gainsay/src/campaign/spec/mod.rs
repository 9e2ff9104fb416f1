//! The definition of a campaign: what arguments become, what stores keep, and what every command reads that goes on with a
//! campaign or looks into one.
//!
//! A definition names everything that decides which cases are made, who is asked and how the answers are judged. What may
//! change from run to run (workers, time, the limit of turns) is not part of it. [`super::Plan::of`] makes the plan of a run.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::judge::Budget;
use crate::seed::Corpus;
use crate::solver::{AskMode, Limits, Solver, SolverError, SolverId};
use crate::store::Definition;
use crate::strategy::{self, BadOption, Options, Strategy};

/// The version of the stored form. A definition of another version is refused.
pub const VERSION: u32 = 1;

/// The definition of a campaign.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CampaignSpec {
    /// The version of this form.
    pub version: u32,
    /// The campaign's random number.
    pub seed: u64,
    /// What kind of work it is.
    pub work: WorkSpec,
    /// The solvers that are asked.
    pub solvers: Vec<SolverSpec>,
    /// Solvers that are asked when the others disagree.
    pub witnesses: Vec<SolverSpec>,
    /// Solvers that audit every approximation.
    pub auditors: Vec<SolverSpec>,
    /// The names of the oracles that judge.
    pub oracles: Vec<String>,
    /// What one question may cost.
    pub limits: LimitsSpec,
    /// How far the ways of deciding who is wrong may go.
    pub deciding: Budget,
    /// How solvers are asked at first.
    pub ask_mode: AskMode,
    /// Patterns of summaries that are counted and not recorded.
    pub ignored: Vec<String>,
}

/// The kinds of work.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WorkSpec {
    /// Cases that strategies make.
    Hunt(HuntSpec),
    /// The same formulas for every release.
    Study(StudySpec),
    /// A build beside a release: a study, and a hunt besides if one is wanted.
    Ci(CiSpec),
    /// Runs of releases that several checks of builds share; nobody works on it by itself.
    CiCache(CacheSpec),
}

/// A hunt.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HuntSpec {
    /// The strategies, in the order in which they take turns.
    pub strategies: Vec<StrategySpec>,
    /// The texts of grammars that options name as files.
    pub grammars: BTreeMap<String, String>,
    /// The seeds.
    pub seeds: SeedsSpec,
    /// How many series of a strategy get their first turns before one of them gets more.
    pub breadth: u64,
    /// Whether seeds were left out that folding decides or that no solver answers.
    pub prepare: bool,
    /// If given, every strategy makes one series of each seed, of at most so many turns, and the hunt ends. If not, strategies
    /// draw seeds, and series are as long as their strategies make them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mutants: Option<u32>,
}

/// A strategy with all its options.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StrategySpec {
    /// Its name.
    pub name: String,
    /// The values of its flags.
    pub options: BTreeMap<String, String>,
}

impl StrategySpec {
    /// Builds the strategy with flags as they were given.
    pub fn given(
        name: &str,
        flags: &BTreeMap<String, String>,
    ) -> Result<(StrategySpec, Built), StrategyError> {
        let Some(entry) = strategy::named(name) else {
            return Err(StrategyError::Unknown(name.to_owned()));
        };
        let options = Options::of(entry.flags, flags);
        let built = (entry.build)(&options)?;
        Ok((
            StrategySpec { name: entry.name.to_owned(), options: options.all().clone() },
            (entry.name, built),
        ))
    }

    /// Builds the strategy.
    pub fn build(&self) -> Result<Built, StrategyError> {
        StrategySpec::given(&self.name, &self.options).map(|(_, built)| built)
    }
}

/// A strategy that was built, and its name.
pub type Built = (&'static str, Box<dyn Strategy>);

/// Why a strategy cannot be built.
#[derive(Debug, thiserror::Error)]
pub enum StrategyError {
    /// There is none of that name.
    #[error("there is no strategy {0}")]
    Unknown(String),
    /// An option has a value that makes no sense.
    #[error(transparent)]
    Option(#[from] BadOption),
}

/// The seeds of a hunt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SeedsSpec {
    /// How many there are.
    pub count: usize,
    /// A digest of the digests of all, in their order.
    pub digest: String,
    /// Where they were read from; empty for those that come with the program. This is not part of a campaign's identity.
    pub paths: Vec<PathBuf>,
}

impl SeedsSpec {
    /// The definition of these seeds.
    pub fn of(corpus: &Corpus, paths: Vec<PathBuf>) -> SeedsSpec {
        let mut hash = Sha256::new();
        corpus.seeds.iter().for_each(|seed| hash.update(seed.name.digest.as_bytes()));
        let digest = format!("{:.16}", format!("{:x}", hash.finalize()));
        SeedsSpec { count: corpus.seeds.len(), digest, paths }
    }
}

/// A study of releases. Its releases, grammars and counts may grow while nobody works on it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StudySpec {
    /// How often the study has grown.
    pub edition: u32,
    /// What is asked.
    pub grammars: Vec<GrammarSpec>,
    /// What each of the campaign's solvers is there for.
    pub roles: Vec<RoleSpec>,
    /// Whether solvers check their own models.
    pub self_check: bool,
}

/// A grammar, and how many of its formulas are asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GrammarSpec {
    /// What it is called in tables; the same label means the same formulas.
    pub label: String,
    /// The grammar, as it is written.
    pub text: String,
    /// How many of its formulas are asked, from the first.
    pub count: u64,
}

/// What a solver is there for in a study.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RoleSpec {
    /// Whether it is studied, or only a reference.
    pub studied: bool,
    /// The numbers of the solvers beside which it is judged.
    pub references: Vec<usize>,
    /// Whether its runs outlive this study, because it is the same release next time.
    pub lasting: bool,
}

/// A check of a build.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CiSpec {
    /// The grammars whose formulas the build is asked; the solvers are the build, the release and others.
    pub study: StudySpec,
    /// How many formulas of each grammar are timed, from the smallest.
    pub timed: Vec<u64>,
    /// What is hunted with besides, and for how many turns.
    pub hunt: Option<(HuntSpec, u64)>,
}

/// Runs of releases that several checks share.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CacheSpec {
    /// Digests of programs that have no release; empty for those that have one.
    pub programs: Vec<String>,
}

/// A solver as it travels from machine to machine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SolverSpec {
    /// What it is called in findings.
    pub name: SolverId,
    /// What to write after `--solver` to have it.
    pub command: SolverId,
    /// The name of its profile.
    pub profile: String,
    /// A digest of the program.
    pub digest: String,
}

impl SolverSpec {
    /// The definition of a solver that is had by this command.
    pub fn of(solver: &Solver, command: SolverId) -> Result<SolverSpec, SolverError> {
        let (name, profile) = (solver.name.clone(), solver.profile.name.clone());
        Ok(SolverSpec { name, command, profile, digest: solver.content()? })
    }

    /// The solver under its name in the campaign, if it is the same program.
    pub fn confirm(&self, found: &Solver) -> Result<Solver, SolverError> {
        let digest = found.content()?;
        if digest != self.digest {
            let why = format!(
                "it is not the program that the campaign was begun with (its digest is {digest:.16}, not {:.16}); \
                 `gainsay hunt --resume --rebuilt` goes on with a later build",
                self.digest
            );
            return Err(SolverError::NotStarted { program: self.name.to_string(), why });
        }
        Ok(found.renamed(self.name.clone()))
    }
}

/// What one question may cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LimitsSpec {
    /// CPU time in microseconds.
    pub cpu_micros: u64,
    /// Wall time in microseconds.
    pub wall_micros: u64,
    /// Bytes of memory.
    pub memory: u64,
    /// Whether the address space is bounded, too.
    pub address_space: bool,
}

impl LimitsSpec {
    /// The definition of these limits.
    pub fn of(limits: &Limits) -> LimitsSpec {
        LimitsSpec {
            cpu_micros: limits.cpu.as_micros() as u64,
            wall_micros: limits.wall.as_micros() as u64,
            memory: limits.memory,
            address_space: limits.address_space,
        }
    }

    /// The limits.
    pub fn limits(&self) -> Limits {
        Limits {
            cpu: Duration::from_micros(self.cpu_micros),
            wall: Duration::from_micros(self.wall_micros),
            memory: self.memory,
            address_space: self.address_space,
            ..Limits::default()
        }
    }
}

/// Why a stored definition cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum SpecError {
    /// It is no definition of ours.
    #[error("{place} cannot be read: {why}")]
    Unreadable {
        /// Where it is kept.
        place: String,
        /// What is wrong.
        why: serde_json::Error,
    },
    /// It is not the definition that the campaign was begun with.
    #[error("{place} cannot be read: its digest is {found:.16}, and the row identity has {known:.16}")]
    Identity {
        /// Where it is kept.
        place: String,
        /// The digest of the definition.
        found: String,
        /// The digest that is kept beside it.
        known: String,
    },
    /// Its parts contradict each other.
    #[error("{place} cannot be read: {why}")]
    Contradictory {
        /// Where it is kept.
        place: String,
        /// What is wrong.
        why: String,
    },
    /// It has a version that this program does not know.
    #[error(
        "{place} has version {found}, and this program reads version {VERSION}; use the gainsay that wrote it"
    )]
    Version {
        /// Where it is kept.
        place: String,
        /// Its version.
        found: u64,
    },
}

impl CampaignSpec {
    /// A definition with this work, and nothing else yet.
    pub fn new(work: WorkSpec, limits: &Limits, ask_mode: AskMode) -> CampaignSpec {
        CampaignSpec {
            version: VERSION,
            seed: 0,
            work,
            solvers: Vec::new(),
            witnesses: Vec::new(),
            auditors: Vec::new(),
            oracles: Vec::new(),
            limits: LimitsSpec::of(limits),
            deciding: Budget::default(),
            ask_mode,
            ignored: Vec::new(),
        }
    }

    /// Reads a definition from where a store keeps it.
    pub fn read(definition: &Definition) -> Result<CampaignSpec, SpecError> {
        let place = || definition.place.clone();
        let unreadable = |why| SpecError::Unreadable { place: place(), why };
        let value: serde_json::Value = serde_json::from_str(&definition.spec).map_err(unreadable)?;
        match value.get("version").and_then(serde_json::Value::as_u64) {
            Some(found) if found != u64::from(VERSION) => Err(SpecError::Version { place: place(), found }),
            // From the text, so that what is wrong is told with its line and column.
            _ => {
                let spec: CampaignSpec = serde_json::from_str(&definition.spec).map_err(unreadable)?;
                let (found, known) = (spec.identity(), definition.identity.clone());
                if found != known {
                    return Err(SpecError::Identity { place: place(), found, known });
                }
                spec.consistent().map_err(|why| SpecError::Contradictory { place: place(), why })?;
                Ok(spec)
            }
        }
    }

    /// Whether its parts fit each other; else what does not.
    fn consistent(&self) -> Result<(), String> {
        let study = match &self.work {
            WorkSpec::Study(study) => study,
            WorkSpec::Ci(ci) if ci.timed.len() != ci.study.grammars.len() => {
                return Err(format!("{} counts of {} grammars", ci.timed.len(), ci.study.grammars.len()));
            }
            WorkSpec::Ci(ci) => &ci.study,
            WorkSpec::Hunt(_) | WorkSpec::CiCache(_) => return Ok(()),
        };
        let solvers = self.solvers.len();
        if study.roles.len() != solvers {
            return Err(format!("{} roles of {solvers} solvers", study.roles.len()));
        }
        for (i, role) in study.roles.iter().enumerate() {
            if let Some(odd) = role.references.iter().find(|&&other| other >= solvers || other == i) {
                return Err(format!("solver {i} has solver {odd} of {solvers} as its reference"));
            }
        }
        Ok(())
    }

    /// The definition as a store keeps it.
    pub fn definition(&self) -> Definition {
        let spec = serde_json::to_string(self).expect("a definition is plain data");
        Definition { identity: self.identity(), spec, place: String::new() }
    }

    /// A digest of all that may not change in a campaign: its canonical JSON without where seeds were read from, and in a
    /// study without what may grow.
    pub fn identity(&self) -> String {
        let mut fixed = self.clone();
        match &mut fixed.work {
            WorkSpec::Hunt(hunt) => hunt.seeds.paths.clear(),
            WorkSpec::Study(study) => {
                (study.edition, study.grammars, study.roles) = (0, Vec::new(), Vec::new());
                fixed.solvers.clear();
            }
            WorkSpec::Ci(_) | WorkSpec::CiCache(_) => {}
        }
        let text = serde_json::to_string(&fixed).expect("a definition is plain data");
        format!("{:x}", Sha256::digest(text))
    }

    /// The hunt, if it is one.
    pub fn hunt(&self) -> Option<&HuntSpec> {
        match &self.work {
            WorkSpec::Hunt(hunt) => Some(hunt),
            _ => None,
        }
    }

    /// The study of releases, if it is one.
    pub fn study(&self) -> Option<&StudySpec> {
        match &self.work {
            WorkSpec::Study(study) => Some(study),
            _ => None,
        }
    }

    /// The study that a check of a build begins with.
    pub fn screening(&self) -> Option<CampaignSpec> {
        let WorkSpec::Ci(ci) = &self.work else { return None };
        Some(CampaignSpec { work: WorkSpec::Study(ci.study.clone()), ..self.clone() })
    }

    /// The hunt that is a part of a check of a build, and how many turns it has.
    pub fn hunt_besides(&self) -> Option<(CampaignSpec, u64)> {
        let WorkSpec::Ci(CiSpec { hunt: Some((hunt, turns)), .. }) = &self.work else { return None };
        Some((CampaignSpec { work: WorkSpec::Hunt(hunt.clone()), ..self.clone() }, *turns))
    }
}
