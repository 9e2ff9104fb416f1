//! The lock file: every release that can be installed, with the digest of each of its files.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::io::Read;
use std::path::Path;
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::solver::SolverError;
use crate::solver::release::Release;

static LOCK: LazyLock<Lock> = LazyLock::new(|| {
    Lock::parse(include_str!("../../../solvers/lock.toml"))
        .unwrap_or_else(|e| panic!("solvers/lock.toml: {e}"))
});

/// Where a release comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Source {
    /// A Python wheel, by pip.
    Pip,
    /// Debian packages, by apt.
    Debian,
    /// The Rust crate registry, by cargo.
    Cargo,
}

/// One release: what to fetch, and the digests of what must come.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Locked {
    /// The solver's name.
    pub solver: String,
    /// The release.
    pub release: Release,
    /// Where it comes from.
    pub source: Source,
    /// The version under which the source knows it.
    pub version: String,
    /// The sha256 of each file, by file name.
    pub files: BTreeMap<String, String>,
}

impl Locked {
    /// The name on the command line, such as `z3@4.8.7`.
    pub fn name(&self) -> String {
        format!("{}@{}", self.solver, self.release)
    }
}

/// All releases that can be installed.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lock {
    /// The version of this format.
    pub format: u32,
    /// The releases.
    #[serde(default)]
    pub release: Vec<Locked>,
}

impl Lock {
    /// The lock file that comes with the program.
    pub fn built_in() -> &'static Lock {
        &LOCK
    }

    /// Reads a lock file.
    pub fn parse(text: &str) -> Result<Lock, toml::de::Error> {
        let mut lock: Lock = toml::from_str(text)?;
        lock.release.sort_by(|a, b| (&a.solver, &a.release).cmp(&(&b.solver, &b.release)));
        Ok(lock)
    }

    /// The releases of one solver, oldest first.
    pub fn releases(&self, solver: &str) -> Vec<Release> {
        self.release.iter().filter(|l| l.solver == solver).map(|l| l.release.clone()).collect()
    }

    /// What is locked for one release.
    pub fn find(&self, solver: &str, release: &Release) -> Option<&Locked> {
        self.release.iter().find(|l| l.solver == solver && l.release == *release)
    }
}

/// The sha256 of a file, in hexadecimal.
pub fn digest(file: &Path) -> Result<String, SolverError> {
    let mut reader = std::fs::File::open(file).map_err(SolverError::at(file))?;
    let mut hash = Sha256::new();
    let mut buffer = vec![0; 1 << 16];
    loop {
        let n = reader.read(&mut buffer).map_err(SolverError::at(file))?;
        if n == 0 {
            break;
        }
        hash.update(&buffer[..n]);
    }
    let mut text = String::with_capacity(64);
    for byte in hash.finalize() {
        let _ = write!(text, "{byte:02x}");
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_locked_release_has_a_profile_and_digests() {
        for l in &Lock::built_in().release {
            crate::solver::profile::Profile::named(&l.solver).expect("a profile");
            assert!(!l.files.is_empty() || l.source == Source::Cargo, "{}", l.name());
            for (file, sum) in &l.files {
                assert!(sum.len() == 64 && sum.bytes().all(|b| b.is_ascii_hexdigit()), "{file}");
            }
        }
    }

    #[test]
    fn the_releases_that_we_promise_are_locked() {
        let lock = Lock::built_in();
        let has = |solver: &str, release: &str| {
            let release = Release::parse(release).expect("a release");
            assert!(lock.find(solver, &release).is_some(), "{solver}@{release}");
        };
        assert!(lock.releases("z3").len() >= 45);
        for (solver, release) in [
            ("z3", "4.5.1"),
            ("z3", "5.4.0"),
            ("cvc5", "1.0.3"),
            ("cvc5", "1.2.0"),
            ("cvc5", "1.4.2"),
            ("bitwuzla", "0.9.1"),
            ("yices", "2.6.5"),
            ("boolector", "3.2.4"),
            ("cvc4", "1.8"),
        ] {
            has(solver, release);
        }
    }

    #[test]
    fn a_digest_is_sha256() {
        let place = std::env::temp_dir().join(format!("gainsay-digest-{}", std::process::id()));
        std::fs::write(&place, "abc").expect("write");
        let sum = digest(&place).expect("digest");
        std::fs::remove_file(&place).expect("remove");
        assert_eq!(sum, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }
}
