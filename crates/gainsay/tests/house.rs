//! Rooms look only down: a room may name those below it and nobody else.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The rooms, and for each the rooms it may use. `solver`'s and `seed`'s types are meant where the design says so;
/// what may be used of them is for reviews.
const ROOMS: &[(&str, &[&str])] = &[
    ("case", &[]),
    ("seed", &["case"]),
    ("strategy", &["case", "seed"]),
    ("solver", &["case"]),
    ("trial", &["case", "solver"]),
    ("oracle", &["case", "trial"]),
    ("finding", &["case", "oracle", "trial"]),
    ("reduce", &["case"]),
    ("store", &["case", "oracle", "finding"]),
    ("report", &["oracle", "finding", "store"]),
    (
        "hunt",
        &["case", "seed", "strategy", "solver", "trial", "oracle", "finding", "reduce", "store", "report"],
    ),
    (
        "study",
        &[
            "case", "seed", "strategy", "solver", "trial", "oracle", "finding", "reduce", "store", "report",
            "hunt",
        ],
    ),
    ("config", &["solver"]),
    (
        "cli",
        &[
            "case", "seed", "strategy", "solver", "trial", "oracle", "finding", "reduce", "store", "report",
            "hunt", "study", "config",
        ],
    ),
];

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("the sources are readable") {
        let path = entry.expect("the sources are readable").path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|e| e == "rs") {
            found.push(path);
        }
    }
}

/// Tests may look where they like: they make by hand what a room is given.
fn is_test(file: &Path) -> bool {
    file.iter().any(|part| part == "tests" || part == "tests.rs")
}

/// The rooms that a text names as `crate::room`.
fn named(text: &str) -> Vec<&str> {
    let mut rooms = Vec::new();
    for line in text.lines().filter(|line| !line.trim_start().starts_with("//")) {
        for (at, _) in line.match_indices("crate::") {
            // A brace opens a list of rooms.
            let rest = &line[at + "crate::".len()..];
            let names = rest.strip_prefix('{').map_or(rest, |list| list.split('}').next().unwrap_or(list));
            let several = rest.starts_with('{');
            for name in names.split(',').take(if several { usize::MAX } else { 1 }) {
                let name = name.trim();
                let end = name.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(name.len());
                rooms.push(&name[..end]);
            }
        }
    }
    rooms
}

#[test]
fn rooms_look_only_down() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let rooms: BTreeMap<_, _> = ROOMS.iter().copied().collect();
    let mut files = Vec::new();
    sources(&root, &mut files);
    let mut wrong = Vec::new();
    for file in files.into_iter().filter(|file| !is_test(file)) {
        let inside = file.strip_prefix(&root).expect("found below the root");
        let first = inside.components().next().expect("a file has a name").as_os_str().to_string_lossy();
        let room = first.trim_end_matches(".rs").to_owned();
        if room == "lib" || room == "main" {
            continue;
        }
        let Some(allowed) = rooms.get(room.as_str()) else {
            wrong.push(format!("{} is in no room of the house", inside.display()));
            continue;
        };
        let text = fs::read_to_string(&file).expect("the sources are text");
        for other in named(&text) {
            if other != room && rooms.contains_key(other) && !allowed.contains(&other) {
                wrong.push(format!("{} looks up: {room} may not use {other}", inside.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn looking_up_is_seen() {
    assert_eq!(named("use crate::hunt::Turn;"), ["hunt"]);
    assert_eq!(
        named("use crate::{case::Case, hunt};\n// crate::store\nlet x = crate::oracle::f();"),
        ["case", "hunt", "oracle"]
    );
}

/// The language must not be able to reach what it judges.
#[test]
fn the_language_is_pure() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../smt/src");
    let mut files = Vec::new();
    sources(&root, &mut files);
    for file in files.into_iter().filter(|file| !is_test(file)) {
        let text = fs::read_to_string(&file).expect("the sources are text");
        let text = text.split("#[cfg(test)]").next().unwrap_or_default();
        for word in
            ["std::fs", "std::net", "std::process", "std::time", "std::env", "std::thread", "println!"]
        {
            assert!(!text.contains(word), "{} uses {word}", file.display());
        }
    }
}
