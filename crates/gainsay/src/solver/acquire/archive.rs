//! Wheels as archives: the files that a profile wants, unpacked next to each other.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use regex_lite::Regex;
use zip::ZipArchive;

use crate::solver::SolverError;
use crate::solver::profile::Wheel;

/// What all unpacked files may have together, in bytes.
const LARGEST: u64 = 8 << 30;

/// The names of the files of a wheel that a profile wants.
pub fn wanted(profile: &Wheel, archive: &Path) -> Result<Vec<String>, SolverError> {
    let mut zip = open(archive)?;
    Ok(members(profile, archive, &mut zip)?.into_iter().map(|(_, name)| name).collect())
}

/// Unpacks what a profile wants of a wheel.
///
/// Nothing is written if a name in the wheel leads out of the folder, if a wanted file is a link, or if two have one name.
pub fn unpack(profile: &Wheel, archive: &Path, into: &Path) -> Result<(), SolverError> {
    let mut zip = open(archive)?;
    let members = members(profile, archive, &mut zip)?;
    if members.is_empty() {
        return Err(bad(
            archive,
            "the wheel holds neither the program nor the library that the profile names",
        ));
    }
    let mut left = LARGEST;
    for (index, name) in members {
        let member = zip.by_index(index).map_err(|e| bad(archive, &e))?;
        let place = into.join(&name);
        let mut file = File::create_new(&place).map_err(SolverError::at(&place))?;
        let mut limited = member.take(left + 1);
        let written = io::copy(&mut limited, &mut file).map_err(|e| bad(archive, &format!("{name}: {e}")))?;
        left = left.checked_sub(written).ok_or_else(|| bad(archive, "it unpacks to too many bytes"))?;
        file.set_permissions(PermissionsExt::from_mode(0o755)).map_err(SolverError::at(&place))?;
    }
    Ok(())
}

fn bad(archive: &Path, why: &(impl ToString + ?Sized)) -> SolverError {
    SolverError::BadFile { place: archive.to_owned(), why: why.to_string() }
}

fn open(archive: &Path) -> Result<ZipArchive<BufReader<File>>, SolverError> {
    let file = File::open(archive).map_err(SolverError::at(archive))?;
    ZipArchive::new(BufReader::new(file)).map_err(|e| bad(archive, &e))
}

/// The members of a wheel that a profile wants: their numbers, and their names without folders.
fn members(
    profile: &Wheel,
    archive: &Path,
    zip: &mut ZipArchive<BufReader<File>>,
) -> Result<Vec<(usize, String)>, SolverError> {
    let patterns: Vec<Regex> =
        profile.program.iter().chain(&profile.keep).map(|text| pattern(text)).collect();
    let mut found = Vec::new();
    let mut names = BTreeSet::new();
    for index in 0..zip.len() {
        let member = zip.by_index(index).map_err(|e| bad(archive, &e))?;
        let written = member.name().map_err(|e| bad(archive, &e))?.into_owned();
        let inside = member.enclosed_name().filter(|path| !path.is_absolute() && !has_parent(&written));
        let Some(inside) = inside else {
            return Err(bad(archive, &format!("the name {written:?} leads out of the wheel")));
        };
        if member.is_dir() || !patterns.iter().any(|p| p.is_match(&written)) {
            continue;
        }
        if member.is_symlink() {
            return Err(bad(archive, &format!("{written:?} is a link")));
        }
        let name = inside.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        if !names.insert(name.clone()) {
            return Err(bad(archive, &format!("two files are called {name}")));
        }
        found.push((index, name));
    }
    Ok(found)
}

/// Whether a name in an archive is absolute or goes up.
fn has_parent(name: &str) -> bool {
    name.starts_with(['/', '\\']) || name.split(['/', '\\']).any(|part| part == "..")
}

/// The expression for a pattern in which `*` stands for any characters, `/` included.
fn pattern(text: &str) -> Regex {
    let parts: Vec<String> = text.split('*').map(regex_lite::escape).collect();
    Regex::new(&format!("(?s)^{}$", parts.join(".*"))).expect("escaped text and `.*` are an expression")
}
