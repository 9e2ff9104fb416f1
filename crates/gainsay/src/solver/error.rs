//! Errors of finding, installing and starting solvers. What a solver does is never an error.

use std::io;
use std::path::PathBuf;

/// The reason why a solver could not be found, installed or started.
#[derive(Debug, thiserror::Error)]
pub enum SolverError {
    /// No profile has that name.
    #[error(
        "no solver is called `{name}`{nearest} (known: {known}); name a program by its path, such as ./{name}"
    )]
    UnknownSolver {
        /// The name that was asked for.
        name: String,
        /// What may have been meant, as a question.
        nearest: String,
        /// The names that exist.
        known: String,
    },
    /// The profile has no option set of that name.
    #[error("{solver} has no configuration `{wanted}`; {there}")]
    NoConfig {
        /// The solver.
        solver: String,
        /// The name that was asked for.
        wanted: String,
        /// The names that exist.
        there: String,
    },
    /// The text names no release.
    #[error("`{text}` names no solver: {why} (write z3, z3@4.8.7, z3@4.8.5..5.4.0 or z3@all)")]
    BadPick {
        /// The text.
        text: String,
        /// What is wrong with it.
        why: String,
    },
    /// There is no such release.
    #[error("{solver} has no release {wanted} here; {there}")]
    NoRelease {
        /// The solver.
        solver: String,
        /// The name that was asked for.
        wanted: String,
        /// The names that exist.
        there: String,
    },
    /// The release can be installed and is not.
    #[error("{name} is not installed; run `gainsay solvers install {name}`")]
    NotInstalled {
        /// The solver and release.
        name: String,
    },
    /// The digest of a fetched file is not the one in the lock file.
    #[error(
        "{file} is not the file that was locked: its sha256 is {found}, the lock file says {locked}; nothing was installed"
    )]
    WrongDigest {
        /// The file.
        file: String,
        /// The digest it has.
        found: String,
        /// The digest it should have.
        locked: String,
    },
    /// The lock file does not know the file.
    #[error("{file} is not in the lock file of digests; `--unlocked` installs it all the same")]
    Unlocked {
        /// The file.
        file: String,
    },
    /// A program that we need failed.
    #[error("`{command}` failed: {why}; {hint}")]
    Tool {
        /// What was run.
        command: String,
        /// Its error message.
        why: String,
        /// What a person may do about it.
        hint: &'static str,
    },
    /// An address could not be read.
    #[error("{url}: {why}")]
    NotFetched {
        /// The address, without user and password.
        url: String,
        /// What went wrong.
        why: String,
    },
    /// The package indexes that pip is configured for do not give a package.
    #[error("{package}: {why}")]
    NotOnIndex {
        /// The package.
        package: String,
        /// What each source said.
        why: String,
    },
    /// Neither we nor pip could fetch a package.
    #[error("{ours}; {pip}")]
    NotFetchedByPip {
        /// Why we could not.
        ours: Box<SolverError>,
        /// Why pip could not.
        pip: Box<SolverError>,
    },
    /// A file cannot be read or written.
    #[error("{place}: {why}")]
    File {
        /// The file or directory.
        place: PathBuf,
        /// What the system says.
        why: io::Error,
    },
    /// A file of ours cannot be read.
    #[error("{place}: {why}")]
    BadFile {
        /// The file.
        place: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// A solver could not be started at all.
    #[error("{program} cannot be started: {why}")]
    NotStarted {
        /// The program.
        program: String,
        /// The error of the system.
        why: String,
    },
    /// The supervisor of a solver is gone or does not understand us.
    #[error("the supervisor failed: {0}")]
    Supervisor(String),
    /// A library to be driven lacks what we need of it.
    #[error("{library}: {why}")]
    Library {
        /// The library.
        library: PathBuf,
        /// What is missing.
        why: String,
    },
}

impl SolverError {
    /// Says at which place an input or output error happened.
    pub fn at(place: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> SolverError {
        let place = place.into();
        move |why| SolverError::File { place, why }
    }
}
