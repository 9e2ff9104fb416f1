//! Where installed solvers are kept: `$GAINSAY_HOME`, else the user's cache; one directory per release.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use rustix::fs::{FlockOperation, flock};

use crate::solver::SolverError;
use crate::solver::release::Release;

/// The directory of installed solvers.
#[derive(Clone, Debug)]
pub struct Home {
    root: PathBuf,
}

/// A lock on one release, held while it is installed.
pub struct Held {
    _file: File,
}

impl Home {
    /// The one the environment names: `$GAINSAY_HOME`, else `$XDG_CACHE_HOME/gainsay`, else `~/.cache/gainsay`.
    pub fn of_environment() -> Home {
        let set = |name: &str| std::env::var_os(name).filter(|v| !v.is_empty()).map(PathBuf::from);
        let root = set("GAINSAY_HOME")
            .or_else(|| set("XDG_CACHE_HOME").map(|d| d.join("gainsay")))
            .or_else(|| set("HOME").map(|d| d.join(".cache").join("gainsay")))
            .unwrap_or_else(|| std::env::temp_dir().join("gainsay"));
        Home { root }
    }

    /// The one at that place.
    pub fn at(root: impl Into<PathBuf>) -> Home {
        Home { root: root.into() }
    }

    /// The place itself.
    pub fn root(&self) -> &Path {
        &self.root
    }

    fn solvers(&self) -> PathBuf {
        self.root.join("solvers")
    }

    /// Where a release is, or would be.
    pub fn place(&self, solver: &str, release: &Release) -> PathBuf {
        self.solvers().join(format!("{solver}-{release}"))
    }

    /// Whether a release is installed.
    pub fn has(&self, solver: &str, release: &Release) -> bool {
        self.place(solver, release).is_dir()
    }

    /// The installed releases of a solver, oldest first.
    pub fn installed(&self, solver: &str) -> Vec<Release> {
        let Ok(entries) = fs::read_dir(self.solvers()) else { return Vec::new() };
        let names = entries.filter_map(|e| e.ok()?.file_name().into_string().ok());
        let mut found: Vec<Release> =
            names.filter_map(|n| Release::parse(n.strip_prefix(solver)?.strip_prefix('-')?)).collect();
        found.sort();
        found
    }

    /// Where a release is prepared.
    pub fn staging(&self, solver: &str, release: &Release) -> PathBuf {
        self.root.join("staging").join(format!("{solver}-{release}"))
    }

    /// Where a release is built from source; what an interrupted build left there is of use to the next.
    pub fn build(&self, solver: &str, release: &Release) -> PathBuf {
        self.root.join("build").join(format!("{solver}-{release}"))
    }

    /// Waits until nobody else installs this release.
    pub fn hold(&self, solver: &str, release: &Release) -> Result<Held, SolverError> {
        let dir = self.root.join("locks");
        fs::create_dir_all(&dir).map_err(|e| SolverError::BadFile {
            place: dir.clone(),
            why: format!("{e}; $GAINSAY_HOME names another place to keep solvers in"),
        })?;
        let place = dir.join(format!("{solver}-{release}"));
        let file = File::create(&place).map_err(SolverError::at(&place))?;
        flock(&file, FlockOperation::LockExclusive).map_err(|e| SolverError::at(&place)(e.into()))?;
        Ok(Held { _file: file })
    }

    /// An empty directory to prepare a release in; `adopt` makes it the release.
    ///
    /// Whoever calls this holds the release, so what a killed run left behind may be removed.
    pub fn stage(&self, _held: &Held, solver: &str, release: &Release) -> Result<PathBuf, SolverError> {
        let place = self.staging(solver, release);
        if place.exists() {
            fs::remove_dir_all(&place).map_err(SolverError::at(&place))?;
        }
        fs::create_dir_all(&place).map_err(SolverError::at(&place))?;
        Ok(place)
    }

    /// Makes a prepared directory the release, in one step.
    pub fn adopt(&self, staged: &Path, solver: &str, release: &Release) -> Result<(), SolverError> {
        let place = self.place(solver, release);
        fs::create_dir_all(self.solvers()).map_err(SolverError::at(self.solvers()))?;
        if place.exists() {
            fs::remove_dir_all(&place).map_err(SolverError::at(&place))?;
        }
        fs::rename(staged, &place).map_err(SolverError::at(&place))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_release_appears_in_one_step_and_in_order() {
        let home = Home::at(std::env::temp_dir().join(format!("gainsay-home-{}", std::process::id())));
        for text in ["4.8.10", "4.8.9"] {
            let release = Release::parse(text).expect("a release");
            let held = home.hold("z3", &release).expect("held");
            let staged = home.stage(&held, "z3", &release).expect("staged");
            fs::write(staged.join("z3"), "x").expect("write");
            assert!(!home.has("z3", &release));
            home.adopt(&staged, "z3", &release).expect("adopted");
            assert!(home.has("z3", &release));
        }
        let names: Vec<String> = home.installed("z3").iter().map(ToString::to_string).collect();
        assert_eq!(names, ["4.8.9", "4.8.10"]);
        assert!(home.installed("z").is_empty());
        fs::remove_dir_all(home.root()).expect("remove");
    }
}
