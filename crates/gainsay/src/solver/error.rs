//! What can go wrong in our world; what a solver does is never an error.

use std::io;
use std::path::PathBuf;

/// Why a solver could not be found, had or started.
#[derive(Debug, thiserror::Error)]
pub enum SolverError {
    /// No profile has that name.
    #[error(
        "no solver is called `{name}`{nearest} (known: {known}); name a program by its path, such as ./{name}"
    )]
    UnknownSolver {
        /// What was asked for.
        name: String,
        /// What may have been meant, as a question.
        nearest: String,
        /// What there is.
        known: String,
    },
    /// The profile has no option set of that name.
    #[error("{solver} has no configuration `{wanted}`; {there}")]
    NoConfig {
        /// The solver.
        solver: String,
        /// What was asked for.
        wanted: String,
        /// What there is.
        there: String,
    },
    /// The text names no release.
    #[error("`{text}` names no solver: {why} (write z3, z3@4.8.7, z3@4.8.5..5.4.0 or z3@all)")]
    BadPick {
        /// What was written.
        text: String,
        /// What is wrong with it.
        why: String,
    },
    /// The release is not one that can be had.
    #[error("{solver} has no release {wanted} here; {there}")]
    NoRelease {
        /// The solver.
        solver: String,
        /// What was asked for.
        wanted: String,
        /// What there is.
        there: String,
    },
    /// It could be had, but is not here.
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
    /// A program we rely on failed.
    #[error("`{command}` failed: {why}; {hint}")]
    Tool {
        /// What was run.
        command: String,
        /// Its complaint.
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
    /// The file system failed us.
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
        /// Why.
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
