//! What a solver is made of: the same digest means the same program, on any machine.

use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::lock::digest;
use crate::solver::{Solver, SolverError};

impl Solver {
    /// A digest of its program; of all files of a release that has none of its own; of nothing for our own fake.
    pub fn content(&self) -> Result<String, SolverError> {
        let launch = self.launch(&[]);
        match launch.argv.as_slice() {
            [drive, fake, ..] if drive == "drive" && fake == "fake" => Ok("fake".to_owned()),
            [drive, _, folder, ..] if drive == "drive" => of_folder(Path::new(folder)),
            _ => digest(&launch.program),
        }
    }
}

/// The digest of all files below a folder.
fn of_folder(folder: &Path) -> Result<String, SolverError> {
    let mut files: Vec<PathBuf> = Vec::new();
    let mut left = vec![folder.to_owned()];
    while let Some(place) = left.pop() {
        for entry in std::fs::read_dir(&place).map_err(SolverError::at(&place))? {
            let entry = entry.map_err(SolverError::at(&place))?;
            let path = entry.path();
            let compiled = path.extension().is_some_and(|e| e == "pyc");
            match path.is_dir() {
                true => left.push(path),
                // Python leaves these behind.
                false if compiled => {}
                false => files.push(path),
            }
        }
    }
    files.sort();
    let mut hash = Sha256::new();
    for file in files {
        hash.update(file.strip_prefix(folder).unwrap_or(&file).as_os_str().as_encoded_bytes());
        hash.update([0]);
        hash.update(digest(&file)?);
    }
    Ok(format!("{:x}", hash.finalize()))
}
