//! What is known of an operator is in its row: no other source file has a list of operators' names.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use smt::theory::table;

/// Files that may name several operators in a row, and why.
const EXCEPTIONS: &[(&str, &str)] = &[
    ("smt/src/theory/", "the table itself"),
    ("smt/src/model.rs", "names under which z3's models give values of unspecified cases"),
    ("gainsay/src/strategy/opfuzz.rs", "the classes of operators that the paper gives"),
    ("gainsay/src/strategy/sae/", "rules of approximation, which are material about operators"),
    ("gainsay/src/strategy/construct/", "equivalences, which are material about operators"),
    (
        "gainsay/src/judge/language.rs",
        "connectives that a title does not mention, which is a matter of words",
    ),
    ("gainsay/src/reduce/alike.rs", "relations of numbers that are decided by their texts"),
    ("gainsay/src/seed/builtin.rs", "scripts that come with the program"),
];

/// As many names in a row are a list.
const MANY: usize = 3;

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

/// The lists of string literals in a text: literals with nothing but commas, bars, brackets and blanks between them.
fn lists(text: &str) -> Vec<BTreeSet<&str>> {
    let mut found = vec![BTreeSet::new()];
    // Every second part of a text that is cut at quotes is a literal.
    for (i, part) in text.split('"').enumerate() {
        let list = found.last_mut().expect("there is one");
        if i % 2 == 1 {
            list.insert(part);
        } else if !part.chars().all(|c| c.is_whitespace() || ",|&[]()".contains(c)) {
            found.push(BTreeSet::new());
        }
    }
    found
}

#[test]
fn operators_are_listed_in_the_table_alone() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the folder of the crates");
    let mut files = Vec::new();
    for name in ["smt", "gainsay"] {
        sources(&crates.join(name).join("src"), &mut files);
    }
    let mut wrong = Vec::new();
    for file in files {
        let name = file.strip_prefix(crates).expect("inside").to_string_lossy().into_owned();
        let is_test = file.iter().any(|part| part == "tests" || part == "tests.rs");
        if is_test || EXCEPTIONS.iter().any(|(start, _)| name.starts_with(start)) {
            continue;
        }
        let text = fs::read_to_string(&file).expect("the sources are readable");
        let code = text.split("#[cfg(test)]").next().unwrap_or_default();
        let lines = code.lines().filter(|line| !line.trim_start().starts_with("//"));
        let code: String = lines.flat_map(|line| [line, "\n"]).collect();
        for list in lists(&code) {
            let names: Vec<&str> = list.into_iter().filter(|name| !table().named(name).is_empty()).collect();
            if names.len() >= MANY {
                wrong.push(format!("{name}: {}", names.join(" ")));
            }
        }
    }
    assert!(wrong.is_empty(), "these belong into rows of smt/src/theory:\n{}", wrong.join("\n"));
}

#[test]
fn lists_are_recognised() {
    let text = r#"const A: &[&str] = &["a", "b"]; matches!(x, "c" | "d") f("e")"#;
    let found: Vec<Vec<&str>> =
        lists(text).into_iter().filter(|l| !l.is_empty()).map(|l| l.into_iter().collect()).collect();
    assert_eq!(found, [vec!["a", "b"], vec!["c", "d"], vec!["e"]]);
}
