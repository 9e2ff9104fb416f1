//! Installing: fetch, check against the lock file, unpack aside, and move into place in one step.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::home::Home;
use super::lock::{Lock, Locked, Source, digest};
use super::pip_settings::PipSettings;
use super::{archive, fetch, index};
use crate::solver::SolverError;
use crate::solver::pick::{Pick, Which};
use crate::solver::profile::{Profile, Wheel};
use crate::solver::release::Release;

/// Brings releases into a home.
#[derive(Clone, Debug)]
pub struct Installer {
    /// Where they are kept.
    pub home: Home,
    /// Whether files that the lock file does not know are taken all the same.
    pub unlocked: bool,
}

/// A release that is wanted.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// The solver.
    pub profile: Arc<Profile>,
    /// The release.
    pub release: Release,
}

impl Wanted {
    /// The name on the command line.
    pub fn name(&self) -> String {
        format!("{}@{}", self.profile.name, self.release)
    }
}

/// The result of an installation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The release was there already.
    There,
    /// The release has been installed.
    New,
}

/// The releases of a solver that can be installed, oldest first.
pub fn installable(profile: &Profile) -> Vec<Release> {
    let mut all = Lock::built_in().releases(&profile.name);
    all.extend(profile.cargo.iter().flat_map(|c| c.releases.iter().cloned()));
    all.sort();
    all.dedup();
    all
}

/// Says that a pick names no release, and which there are.
pub fn no_release(pick: &Pick, there: &[Release]) -> SolverError {
    let listed = match there {
        [] => "there are none".to_owned(),
        few if few.len() <= 12 => {
            let names: Vec<&str> = few.iter().map(Release::as_str).collect();
            format!("there are {}", names.join(", "))
        }
        [first, .., last] => {
            format!("there are {} from {first} to {last}, see `gainsay solvers list`", there.len())
        }
        [one] => format!("there is {one}"),
    };
    let there = match &pick.which {
        Which::Between(Some(from), Some(to)) if from > to => format!("write the lesser first, {to}..{from}"),
        _ => listed,
    };
    SolverError::NoRelease { solver: pick.name.clone(), wanted: pick.which.to_string(), there }
}

impl Installer {
    /// The releases that a text such as `z3@4.8.5..5.4.0` names.
    pub fn wanted(&self, text: &str) -> Result<Vec<Wanted>, SolverError> {
        let pick = Pick::parse(text)?;
        let profile = Profile::named(&pick.name)?;
        let there = installable(&profile);
        let mut releases: Vec<Release> = pick.select(&there).into_iter().cloned().collect();
        if let (true, true, Which::One(r)) = (releases.is_empty(), self.unlocked, &pick.which) {
            releases.push(r.clone());
        }
        if releases.is_empty() {
            return Err(no_release(&pick, &there));
        }
        Ok(releases.into_iter().map(|release| Wanted { profile: profile.clone(), release }).collect())
    }

    /// Installs one release, unless it is there; others who want the same wait and find it.
    pub fn install(&self, wanted: &Wanted) -> Result<Outcome, SolverError> {
        let (name, release) = (&wanted.profile.name, &wanted.release);
        if self.home.has(name, release) {
            return Ok(Outcome::There);
        }
        let held = self.home.hold(name, release)?;
        if self.home.has(name, release) {
            return Ok(Outcome::There);
        }
        let stage = self.home.stage(&held, name, release)?;
        let files = stage.join("fetched");
        let ready = stage.join("ready");
        for dir in [&files, &ready] {
            fs::create_dir_all(dir).map_err(SolverError::at(dir))?;
        }
        self.prepare(wanted, &files, &ready)?;
        self.home.adopt(&ready, name, release)?;
        fs::remove_dir_all(&stage).map_err(SolverError::at(&stage))?;
        Ok(Outcome::New)
    }

    /// How many bytes have come for a release that is being installed.
    pub fn come(&self, wanted: &Wanted) -> u64 {
        let (name, release) = (&wanted.profile.name, &wanted.release);
        [self.home.staging(name, release), self.home.build(name, release)].iter().map(|d| size(d)).sum()
    }

    fn prepare(&self, wanted: &Wanted, files: &Path, ready: &Path) -> Result<(), SolverError> {
        let profile = &wanted.profile;
        let locked = Lock::built_in().find(&profile.name, &wanted.release);
        if let Some(packages) = profile.debian.iter().find(|d| d.release == wanted.release) {
            let archives = fetch::debian(packages, files)?;
            self.check(locked, &archives)?;
            return fetch::unpack_debian(&archives, ready);
        }
        if let Some(source) = profile.cargo.as_ref().filter(|c| c.releases.contains(&wanted.release)) {
            let build = self.home.build(&profile.name, &wanted.release);
            fetch::cargo(source, &wanted.release, &build, ready)?;
            return fs::remove_dir_all(&build).map_err(SolverError::at(build));
        }
        let wheel = profile.pip.as_ref().ok_or_else(|| SolverError::NotInstalled { name: wanted.name() })?;
        let archive = match locked {
            Some(locked) => locked_wheel(&PipSettings::of_environment()?, wheel, locked, files)?,
            None => fetch::wheel(wheel, &format!("{}.*", wanted.release), wheel.python.as_deref(), files)?,
        };
        self.unpack_checked(wheel, locked, &archive, ready)
    }

    /// Unpacks a wheel if its digest is the locked one.
    pub(super) fn unpack_checked(
        &self,
        wheel: &Wheel,
        locked: Option<&Locked>,
        file: &Path,
        ready: &Path,
    ) -> Result<(), SolverError> {
        self.check(locked, &[file.to_owned()])?;
        archive::unpack(wheel, file, ready)
    }

    fn check(&self, locked: Option<&Locked>, files: &[PathBuf]) -> Result<(), SolverError> {
        for file in files {
            let name = file_name(file);
            match locked.and_then(|l| l.files.get(&name)) {
                Some(sum) => {
                    let found = digest(file)?;
                    if found != *sum {
                        return Err(SolverError::WrongDigest { file: name, found, locked: sum.clone() });
                    }
                }
                None if self.unlocked => {}
                None => return Err(SolverError::Unlocked { file: name }),
            }
        }
        Ok(())
    }
}

/// Fetches the wheel of a locked release, unchecked: from the sources that pip is configured for, or else with pip.
fn locked_wheel(
    settings: &PipSettings,
    wheel: &Wheel,
    locked: &Locked,
    into: &Path,
) -> Result<PathBuf, SolverError> {
    let mut usable: Vec<&str> =
        locked.files.keys().map(String::as_str).filter(|file| is_for_this_machine(file)).collect();
    if !wheel.pythons.is_empty() {
        let tag = fetch::python_tag(into)?;
        usable.retain(|file| file.split('-').any(|part| part == tag));
    }
    let ours = match index::wheel(settings, &wheel.package, &usable, into) {
        Ok(Some(file)) => return Ok(file),
        Ok(None) => None,
        Err(why) => Some(Box::new(why)),
    };
    fetch::wheel(wheel, &locked.version, wheel.python.as_deref(), into).map_err(|pip| match ours {
        Some(ours) => SolverError::NotFetchedByPip { ours, pip: Box::new(pip) },
        None => pip,
    })
}

/// Whether a wheel is for processors such as this machine's, by the end of its name.
fn is_for_this_machine(file: &str) -> bool {
    let platforms = file.strip_suffix(".whl").and_then(|name| name.rsplit('-').next()).unwrap_or_default();
    platforms.split('.').any(|platform| platform == "any" || platform.ends_with(std::env::consts::ARCH))
}

/// The bytes in a directory; what vanishes meanwhile does not count.
fn size(dir: &Path) -> u64 {
    let mut total = 0;
    let mut open = vec![dir.to_owned()];
    while let Some(place) = open.pop() {
        for entry in fs::read_dir(&place).into_iter().flatten().flatten() {
            match entry.metadata() {
                Ok(meta) if meta.is_dir() => open.push(entry.path()),
                Ok(meta) => total += meta.len(),
                Err(_) => {}
            }
        }
    }
    total
}

fn file_name(file: &Path) -> String {
    file.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default()
}

fn digests(files: &[PathBuf]) -> Result<BTreeMap<String, String>, SolverError> {
    files.iter().map(|f| Ok((file_name(f), digest(f)?))).collect()
}

/// Looks up and downloads every release of a solver, and returns what to lock.
///
/// `tell` hears of each release as it comes.
pub fn lock_all(profile: &Profile, scratch: &Path, tell: &dyn Fn(&str)) -> Result<Vec<Locked>, SolverError> {
    let mut found = Vec::new();
    if let Some(wheel) = &profile.pip {
        found.extend(lock_wheels(profile, wheel, scratch, tell)?);
    }
    for packages in &profile.debian {
        let dir = empty(scratch)?;
        let files = digests(&fetch::debian(packages, &dir)?)?;
        let version = files.keys().next().cloned().unwrap_or_default();
        let version = version.split('_').nth(1).unwrap_or_default().to_owned();
        let release = packages.release.clone();
        let locked = Locked { solver: profile.name.clone(), release, source: Source::Debian, version, files };
        tell(&locked.name());
        found.push(locked);
    }
    Ok(found)
}

fn empty(scratch: &Path) -> Result<PathBuf, SolverError> {
    if scratch.exists() {
        fs::remove_dir_all(scratch).map_err(SolverError::at(scratch))?;
    }
    fs::create_dir_all(scratch).map_err(SolverError::at(scratch))?;
    Ok(scratch.to_owned())
}

fn lock_wheels(
    profile: &Profile,
    wheel: &Wheel,
    scratch: &Path,
    tell: &dyn Fn(&str),
) -> Result<Vec<Locked>, SolverError> {
    let mut found: Vec<Locked> = Vec::new();
    // pip lists the newest first, so of several packages of one release the newest usable one is taken.
    for version in fetch::versions(&wheel.package, &empty(scratch)?)? {
        let Some(release) = Release::of_package(&version) else { continue };
        if release < wheel.oldest || found.iter().any(|l| l.release == release) {
            continue;
        }
        let pythons: Vec<Option<&str>> = match (&wheel.python, wheel.pythons.as_slice()) {
            (Some(one), _) => vec![Some(one.as_str())],
            (None, []) => vec![None],
            (None, several) => several.iter().map(|p| Some(p.as_str())).collect(),
        };
        let mut files = BTreeMap::new();
        for python in pythons {
            let dir = empty(scratch)?;
            match fetch::wheel(wheel, &version, python, &dir) {
                Ok(archive) if !archive::wanted(wheel, &archive)?.is_empty() => {
                    files.extend(digests(std::slice::from_ref(&archive))?);
                }
                Ok(_) => tell(&format!("{} {version}: holds no program, left out", wheel.package)),
                Err(e) => tell(&format!("{} {version}: left out: {e}", wheel.package)),
            }
        }
        if files.is_empty() {
            continue;
        }
        let solver = profile.name.clone();
        let locked = Locked { solver, release, source: Source::Pip, version, files };
        tell(&locked.name());
        found.push(locked);
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_is_not_the_locked_one_is_refused() {
        let dir = std::env::temp_dir().join(format!("gainsay-check-{}", std::process::id()));
        fs::create_dir_all(&dir).expect("a directory");
        let file = dir.join("z3.whl");
        fs::write(&file, "not the wheel").expect("a file");
        let locked = |name: &str, sum: &str| Locked {
            solver: "z3".to_owned(),
            release: Release::parse("5.4.0").expect("a release"),
            source: Source::Pip,
            version: "5.4.0.0".to_owned(),
            files: [(name.to_owned(), sum.to_owned())].into(),
        };
        let strict = Installer { home: Home::at(&dir), unlocked: false };
        let lax = Installer { home: Home::at(&dir), unlocked: true };
        let files = [file.clone()];
        let right = digest(&file).expect("a digest");
        assert!(strict.check(Some(&locked("z3.whl", &right)), &files).is_ok());
        let told =
            strict.check(Some(&locked("z3.whl", "00")), &files).expect_err("another digest").to_string();
        assert!(told.contains(&right) && told.contains("the lock file says 00"), "{told}");
        // A wrong digest is never overlooked, only a missing one may be.
        assert!(lax.check(Some(&locked("z3.whl", "00")), &files).is_err());
        assert!(strict.check(Some(&locked("other.whl", &right)), &files).is_err());
        assert!(lax.check(None, &files).is_ok());
        fs::remove_dir_all(&dir).expect("removed");
    }

    #[test]
    fn texts_name_releases() {
        let installer = Installer { home: Home::at("nowhere"), unlocked: false };
        let names =
            |text: &str| installer.wanted(text).map(|w| w.iter().map(Wanted::name).collect::<Vec<_>>());
        assert!(names("z3@all").expect("all").len() >= 45);
        assert_eq!(names("z3@4.8.5..4.8.7").expect("three"), ["z3@4.8.5", "z3@4.8.6", "z3@4.8.7"]);
        assert_eq!(names("oxiz@0.2.2").expect("one"), ["oxiz@0.2.2"]);
        assert!(names("z3@1.0").is_err());
        assert!(names("nosuch").is_err());
    }
}
