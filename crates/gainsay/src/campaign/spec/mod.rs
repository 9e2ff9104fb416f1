//! The definition of a campaign: what arguments become, what stores keep, and what every command reads that goes on with a
//! campaign or looks into one.
//!
//! A definition names everything that decides which cases are made, who is asked and how the answers are judged. What may
//! change from run to run (workers, time, the limit of turns) is not part of it. [`crate::campaign::Plan::of`] makes the plan of a run.

mod hunt;
mod options;
mod solver;
mod study;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::judge::Budget;
use crate::solver::{AskMode, Limits};
use crate::store::Definition;

pub use hunt::{Built, HuntSpec, SeedsLeftOut, SeedsSpec, StrategyError, StrategySpec, TimeLimits, keep};
pub use options::{OptionsSource, OptionsSpec};
pub use solver::{LimitsSpec, SolverSpec};
pub use study::{CacheSpec, CiSpec, GrammarSpec, RoleSpec, StudySpec};

/// The version of the stored form. A definition of another version is refused.
pub const VERSION: u32 = 2;

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
