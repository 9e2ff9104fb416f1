//! Findings as plain files: a folder each, there wholly or not at all.

use std::fs;
use std::path::{Path, PathBuf};

use super::StoreError;
use crate::finding::words::readme;
use crate::finding::{Asked, Finding};
use crate::judge::Evidence;

/// The files of a finding: their names in its folder, and what is in them.
pub fn files(number: u64, finding: &Finding) -> Vec<(String, Vec<u8>)> {
    let mut all: Vec<(String, Vec<u8>)> = Vec::new();
    let mut put = |name: &str, bytes: &[u8]| {
        all.retain(|(known, _)| known != name);
        all.push((name.to_owned(), bytes.to_vec()));
    };
    put(CASE, finding.case.as_bytes());
    for (i, said) in finding.said.iter().enumerate() {
        let plain = |c: char| if c.is_ascii_alphanumeric() || c == '.' { c } else { '-' };
        let solver: String = said.solver.as_str().chars().map(plain).take(60).collect();
        put(&format!("outputs/{i}-{solver}.out"), &said.output.0);
        if !said.output.1.is_empty() {
            put(&format!("outputs/{i}-{solver}.err"), &said.output.1);
        }
    }
    for evidence in &finding.evidence {
        match evidence {
            Evidence::Satisfied { model, .. }
            | Evidence::SatisfiedOther { model, .. }
            | Evidence::Falsified { model, .. } => {
                put("model", model.as_bytes());
            }
            Evidence::PrintedValue { model, .. } if !model.is_empty() => put("model", model.as_bytes()),
            Evidence::Differ { point, .. } => put("point.smt2", point.as_bytes()),
            Evidence::FalseWith { values, .. } => put("model", values.as_bytes()),
            Evidence::Pinned { script, .. } => put("pinned.smt2", script.as_bytes()),
            Evidence::Proof { script, .. } => put("asked.smt2", script.as_bytes()),
            Evidence::SatisfiedCore { script, model, .. }
            | Evidence::SatisfiedAssumptions { script, model, .. } => {
                put("asked.smt2", script.as_bytes());
                put("model", model.as_bytes());
            }
            Evidence::Asked { script, .. } => put("asked.smt2", script.as_bytes()),
            _ => {}
        }
    }
    for (i, other) in finding.others.iter().enumerate() {
        put(&format!("other-{}.smt2", i + 1), other.as_bytes());
    }
    put("README.md", readme(finding, number).as_bytes());
    put(FINDING, &serde_json::to_vec_pretty(finding).expect("a finding is plain"));
    all
}

/// The file that holds the script of a finding.
pub const CASE: &str = "case.smt2";
/// The file that holds everything else about a finding.
pub const FINDING: &str = "finding.json";

/// The name of a finding's folder.
pub fn name(number: u64, finding: &Finding, warm: bool) -> String {
    format!("{number:04}-{}{}", finding.slug(), if warm { WARM } else { "" })
}

/// How the folders of what only warm runs showed end.
pub const WARM: &str = "-warm-only";

/// Writes files to a folder beside its place, then moves it there.
pub fn write(root: &Path, name: &str, files: &[(String, Vec<u8>)]) -> Result<(), StoreError> {
    let place = root.join(name);
    let draft = root.join(format!(".draft-{}-{name}", std::process::id()));
    let _ = fs::remove_dir_all(&draft);
    fs::create_dir_all(draft.join("outputs")).map_err(StoreError::at(&draft))?;
    for (name, bytes) in files {
        let file = draft.join(name);
        fs::write(&file, bytes).map_err(StoreError::at(&file))?;
    }
    fs::rename(&draft, &place).map_err(StoreError::at(&place))
}

/// The files of what a finding was reduced to: the script, then all that is known of it, whose presence counts.
pub fn reduced_files(reduced: &Finding) -> [(&'static str, Vec<u8>); 2] {
    let json = serde_json::to_vec_pretty(reduced).expect("a finding is plain");
    [("reduced.smt2", reduced.case.clone().into_bytes()), ("reduced.json", json)]
}

/// What a finding was reduced to, from its files; `place` names the first in words.
pub fn reduced_of(json: &[u8], script: &[u8], place: &str) -> Result<Finding, StoreError> {
    let case = String::from_utf8(script.to_vec()).map_err(|e| StoreError::unreadable(place, e))?;
    Finding::read(json, case).map_err(|e| StoreError::unreadable(place, e))
}

/// Puts what a finding was reduced to beside it.
pub fn write_reduced(place: &Path, reduced: &Finding) -> Result<(), StoreError> {
    reduced_files(reduced).iter().try_for_each(|(name, bytes)| put(place, name, bytes))
}

/// Writes a file beside its place, then moves it there.
fn put(place: &Path, name: &str, bytes: &[u8]) -> Result<(), StoreError> {
    let draft = place.join(format!(".draft-{}-{name}", std::process::id()));
    fs::write(&draft, bytes).map_err(StoreError::at(&draft))?;
    let file = place.join(name);
    fs::rename(&draft, &file).map_err(StoreError::at(&file))
}

/// Puts beside a finding which releases fail in the same way.
pub fn write_releases(place: &Path, releases: &[Asked]) -> Result<(), StoreError> {
    put(place, "releases.json", &serde_json::to_vec_pretty(releases).expect("a list is plain"))
}

/// A file beside a finding; none if it is not there.
fn file(place: &Path, name: &str) -> Result<Option<Vec<u8>>, StoreError> {
    let file = place.join(name);
    match fs::read(&file) {
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(None),
        bytes => bytes.map(Some).map_err(StoreError::at(&file)),
    }
}

/// What a file beside a finding says; none if it is not there.
fn json<T: serde::de::DeserializeOwned>(place: &Path, name: &str) -> Result<Option<T>, StoreError> {
    let read = |bytes: Vec<u8>| {
        serde_json::from_slice(&bytes).map_err(|e| StoreError::unreadable_file(&place.join(name), e))
    };
    file(place, name)?.map(read).transpose()
}

/// A file that must be there.
fn needed(place: &Path, name: &str) -> Result<Vec<u8>, StoreError> {
    let lost = || StoreError::unreadable_file(&place.join(name), "it is not there");
    file(place, name)?.ok_or_else(lost)
}

/// Which releases fail in the same way; none if nobody was asked.
pub fn read_releases(place: &Path) -> Result<Option<Vec<Asked>>, StoreError> {
    json(place, "releases.json")
}

/// Puts beside a finding which options of the accused it needs.
pub fn write_options(place: &Path, options: &[String]) -> Result<(), StoreError> {
    put(place, "options.json", &serde_json::to_vec_pretty(options).expect("a list is plain"))
}

/// Which options of the accused a finding needs; none if that was not asked.
pub fn read_options(place: &Path) -> Result<Option<Vec<String>>, StoreError> {
    json(place, "options.json")
}

/// What a finding was reduced to, if it was.
pub fn read_reduced(place: &Path) -> Result<Option<Finding>, StoreError> {
    let Some(json) = file(place, "reduced.json")? else { return Ok(None) };
    let script = needed(place, "reduced.smt2")?;
    reduced_of(&json, &script, &place.join("reduced.json").display().to_string()).map(Some)
}

/// The script of a finding.
pub fn read_case(place: &Path) -> Result<String, StoreError> {
    let bytes = needed(place, CASE)?;
    String::from_utf8(bytes).map_err(|e| StoreError::unreadable_file(&place.join(CASE), e))
}

/// Reads a finding back from its folder.
pub fn read(place: &Path) -> Result<Finding, StoreError> {
    let json = needed(place, FINDING)?;
    let mut finding = Finding::read(&json, String::new())
        .map_err(|e| StoreError::unreadable_file(&place.join(FINDING), e))?;
    finding.case = read_case(place)?;
    Ok(finding)
}

/// All files of a finding, as they are in its folder.
pub fn read_all(place: &Path) -> Result<Vec<(String, Vec<u8>)>, StoreError> {
    let mut all = Vec::new();
    let mut left = vec![place.to_owned()];
    while let Some(folder) = left.pop() {
        for entry in fs::read_dir(&folder).map_err(StoreError::at(&folder))? {
            let path = entry.map_err(StoreError::at(&folder))?.path();
            if path.is_dir() {
                left.push(path);
                continue;
            }
            let name = path.strip_prefix(place).unwrap_or(&path).to_string_lossy().into_owned();
            all.push((name, fs::read(&path).map_err(StoreError::at(&path))?));
        }
    }
    Ok(all)
}

/// The folders of findings, with their numbers.
type Numbered = Vec<(u64, PathBuf)>;

/// The folders of findings, and drafts that nobody finished.
pub fn list(root: &Path) -> Result<(Numbered, Vec<PathBuf>), StoreError> {
    let (mut found, mut drafts) = (Vec::new(), Vec::new());
    for entry in fs::read_dir(root).map_err(StoreError::at(root))? {
        let entry = entry.map_err(StoreError::at(root))?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.starts_with(".draft-") {
            drafts.push(entry.path());
        } else if let Some(number) = name.split('-').next().and_then(|n| n.parse().ok()) {
            found.push((number, entry.path()));
        }
    }
    found.sort();
    Ok((found, drafts))
}
