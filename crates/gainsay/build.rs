//! Names the program after what it is made of, so that machines that work together can tell whether they would make the same cases.

use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

/// Where everything is that decides what the program does; the language is another crate.
const SOURCES: &[&str] = &["src", "solvers", "grammars", "corpus", "../smt/src"];

fn main() {
    let mut files = Vec::new();
    for folder in SOURCES {
        println!("cargo:rerun-if-changed={folder}");
        find(Path::new(folder), &mut files);
    }
    files.sort();
    let mut hash = Sha256::new();
    for file in files {
        let text = std::fs::read(&file).expect("it was there just now");
        hash.update(file.as_os_str().as_encoded_bytes());
        hash.update([0]);
        hash.update((text.len() as u64).to_le_bytes());
        hash.update(text);
    }
    println!("cargo:rustc-env=GAINSAY_SOURCES={:.12}", format!("{:x}", hash.finalize()));
}

fn find(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            find(&path, files);
        } else {
            files.push(path);
        }
    }
}
