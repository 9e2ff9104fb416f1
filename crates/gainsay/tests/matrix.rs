//! Tests by construction, end to end: a planted fault is in the right cell of the matrix, and files are written by name.

mod place;

use std::path::{Path, PathBuf};

use serde_json::Value;

use place::{Place, text};

const FAULTY: &str = "fake:honest,when=xor,unsat-for-sat";

/// Tests of Booleans on a solver that is wrong about `xor` and on one that is not.
fn hunted(name: &str, more: &[&str]) -> Place {
    let place = Place::new(name);
    let mut args =
        vec!["hunt", "--with", "construct", "--theory", "core", "--only", "*/xor/true,true*|constant/and"];
    args.extend([
        "--solver",
        FAULTY,
        "--solver",
        "fake:honest",
        "--timeout",
        "20",
        "--seed",
        "1",
        "--turns",
        "999",
    ]);
    args.extend(more);
    let output = place.gainsay(&args);
    let told = text(&output.stdout);
    assert_eq!(output.status.code(), Some(10), "{told}{}", text(&output.stderr));
    // The summary ends with the matrix.
    assert!(told.contains("category") && told.contains("constant"), "{told}");
    place
}

fn printed(place: &Place, args: &[&str]) -> String {
    let output = place.gainsay(args);
    assert!(output.status.success(), "{args:?}: {}", text(&output.stderr));
    text(&output.stdout)
}

fn cell(matrix: &Value, solver: &str, category: &str, answer: &str) -> (u64, u64) {
    let find = |list: &Value, key: &str, name: &str| {
        let list = list.as_array().expect("a list");
        list.iter().find(|entry| entry[key] == name).cloned().unwrap_or_default()
    };
    let row = find(&find(matrix, "solver", solver)["categories"], "category", category);
    let cell = &row["answers"][answer];
    (cell["count"].as_u64().unwrap_or(0), cell["unsound"].as_u64().unwrap_or(0))
}

#[test]
fn a_planted_fault_is_in_its_cell_of_the_matrix() {
    let place = hunted("fault", &["--jobs", "1"]);
    let matrix: Value = serde_json::from_str(&printed(&place, &["matrix", "--json"])).expect("JSON");
    let (wrong, unsound) = cell(&matrix, FAULTY, "constant", "unsat");
    assert!(wrong > 0 && wrong == unsound, "{matrix}");
    assert_eq!(cell(&matrix, "fake:honest", "constant", "unsat"), (0, 0), "{matrix}");
    assert!(cell(&matrix, "fake:honest", "constant", "sat").0 > wrong, "{matrix}");
    let csv = printed(&place, &["matrix", "--csv"]);
    assert!(csv.contains(&format!("\"{FAULTY}\",constant,unsat,{wrong},{unsound}\n")), "{csv}");
    // The number of workers changes nothing.
    let other = hunted("workers", &["--jobs", "2"]);
    assert_eq!(printed(&other, &["matrix", "--csv"]), csv);
}

/// A solver that is wrong in long sessions and right in fresh processes is not marked: nothing was confirmed.
#[test]
fn what_only_warm_runs_show_is_not_marked() {
    let place = Place::new("warm");
    let warm = "fake:honest;honest,unsat-for-sat";
    let output = place.gainsay(&[
        "hunt",
        "--with",
        "construct",
        "--theory",
        "core",
        "--only",
        "constant/and",
        "--jobs",
        "1",
        "--timeout",
        "20",
        "--turns",
        "999",
        "--solver",
        warm,
        "--solver",
        "fake:honest",
    ]);
    let told = text(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{told}{}", text(&output.stderr));
    assert!(told.contains("that only warm runs showed"), "{told}");
    let matrix: Value = serde_json::from_str(&printed(&place, &["matrix", "--json"])).expect("JSON");
    let (wrong, unsound) = cell(&matrix, warm, "constant", "unsat");
    assert!(wrong > 0 && unsound == 0, "{matrix}");
    assert!(!printed(&place, &["matrix"]).contains('!'), "{matrix}");
}

#[test]
fn each_random_number_is_a_solver_of_its_own() {
    let place = hunted("numbers", &["--solver-seed", "0,1465", "--jobs", "1"]);
    let matrix: Value = serde_json::from_str(&printed(&place, &["matrix", "--json"])).expect("JSON");
    let names: Vec<_> = matrix.as_array().expect("a list").iter().map(|s| s["solver"].to_string()).collect();
    assert_eq!(names.iter().filter(|name| name.contains("random_seed=1465")).count(), 2, "{names:?}");
    assert_eq!(names.len(), 4, "{names:?}");
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("readable") {
        let path = entry.expect("readable").path();
        if path.is_dir() { files(&path, found) } else { found.push(path) }
    }
}

#[test]
fn the_suite_is_written_by_name() {
    let place = Place::new("files");
    let only = ["--only", "strings/constant/str.replace/empty*|strings/equivalent/*"];
    let names = printed(&place, &[&["generate", "construct", "--list"][..], &only].concat());
    printed(&place, &[&["generate", "construct", "--to", "suite"][..], &only].concat());
    let mut found = Vec::new();
    files(&place.0.join("suite"), &mut found);
    let mut written: Vec<String> = found
        .iter()
        .map(|file| {
            let name = file.strip_prefix(place.0.join("suite")).expect("inside");
            name.to_str().and_then(|name| name.strip_suffix(".smt2")).expect("a script").to_owned()
        })
        .collect();
    let mut names: Vec<_> = names.lines().map(|name| name.replace('=', "~")).collect();
    names.sort();
    written.sort();
    assert_eq!(written, names);
    let published = place.0.join("suite/strings/constant/str.replace/empty,_,_~a.smt2");
    let case = std::fs::read_to_string(published).expect("written");
    assert!(case.contains("(assert (= (str.replace \"\" x2 x3) \"a\"))"), "{case}");
    assert!(case.contains("; model: ((define-fun x2 () String \"\")") && case.contains(":status sat"));
    let core = std::fs::read_to_string(place.0.join("suite/strings/equivalent/E1.smt2")).expect("written");
    assert!(core.contains("; core: (A B)") && core.contains(":status unsat"), "{core}");
}
