//! Errors that end a study.

use std::path::{Path, PathBuf};

use crate::campaign::spec::SpecError;
use crate::campaign::{EngineError, PlanError};
use crate::reduce::Nothing;
use crate::report::many;
use crate::seed::SeedError;
use crate::solver::SolverError;
use crate::solver::id::BadSolverId;
use crate::store::StoreError;
use crate::strategy::BadChoice;

/// An error that ends a study.
#[derive(Debug, thiserror::Error)]
pub enum StudyError {
    /// The store cannot be read or written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A solver cannot be found, installed or started.
    #[error(transparent)]
    Solver(#[from] SolverError),
    /// The engine cannot continue.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The definition of a campaign cannot be read.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// A definition cannot be planned on this machine.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// The script of a finding cannot be read.
    #[error("the script of finding {id} cannot be read: {error}")]
    Script {
        /// The number of the finding.
        id: u64,
        /// The error of the reader.
        error: smt::ReadError,
    },
    /// A script cannot be reduced.
    #[error(transparent)]
    Reduce(#[from] Nothing),
    /// A campaign has no finding with this number.
    #[error("{}", no_finding(*id, *range))]
    NoFinding {
        /// The number.
        id: u64,
        /// The first and the last number that it has.
        range: Option<(u64, u64)>,
    },
    /// A campaign is no hunt.
    #[error("{place} holds no hunt; `gainsay evolve` goes on with a study of releases")]
    NoHunt {
        /// The place of the campaign.
        place: String,
    },
    /// A file of settings says something that it cannot.
    #[error("{}:{line}:{column}: {why}", place.display())]
    Options {
        /// The file.
        place: PathBuf,
        /// From 1.
        line: usize,
        /// From 1.
        column: usize,
        /// What is wrong.
        why: String,
    },
    /// A grammar cannot be read or has no formulas.
    #[error("{0}")]
    Grammar(String),
    /// A strategy cannot be built.
    #[error(transparent)]
    Strategy(#[from] BadChoice),
    /// Seeds cannot be read.
    #[error(transparent)]
    Seeds(#[from] SeedError),
    /// The name of a solver in the user's file cannot be read.
    #[error(transparent)]
    Name(#[from] BadSolverId),
    /// A file cannot be read or written.
    #[error("{}", place.display())]
    File {
        /// The file.
        place: PathBuf,
        /// The error of the system.
        source: std::io::Error,
    },
    /// A seed was changed while it was read.
    #[error("{name} was changed while we looked at it")]
    ChangedSeed {
        /// The file.
        name: String,
    },
    /// Seeds of a server cannot be read here.
    #[error("{unread} of {of} seeds cannot be read here{why}")]
    UnreadSeeds {
        /// How many cannot be read.
        unread: usize,
        /// How many there are.
        of: usize,
        /// The reasons.
        why: String,
    },
    /// A server has no texts of the campaign's seeds.
    #[error(
        "{place} has no texts of its {}: it was copied from a folder, or is just being begun; `gainsay hunt --resume --store \
         {place}` on a machine that has them brings them",
        many(*count as u64, "seed")
    )]
    NoSeeds {
        /// The address of the campaign.
        place: String,
        /// How many seeds it has.
        count: usize,
    },
    /// Another version of this program has begun the campaign.
    #[error(
        "the campaign was begun by gainsay {made}, and this is {}; only the same makes the same cases",
        crate::PROGRAM
    )]
    OtherProgram {
        /// The version that began it.
        made: String,
    },
    /// Workers hold leases of a study that is to grow.
    #[error(
        "workers hold {} of this study as it is; stop them before other releases, grammars or formulas are asked",
        many(*leases, "lease")
    )]
    Busy {
        /// How many leases they hold.
        leases: u64,
    },
}

impl StudyError {
    /// An error of the system at a place.
    pub fn at(place: &Path) -> impl FnOnce(std::io::Error) -> StudyError + '_ {
        move |source| StudyError::File { place: place.to_owned(), source }
    }
}

fn no_finding(id: u64, range: Option<(u64, u64)>) -> String {
    match range {
        Some((first, last)) => format!("there is no finding {id}; there are {first} to {last}"),
        None => "nothing was found in this campaign".to_owned(),
    }
}
