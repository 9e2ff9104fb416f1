//! Runs the tests of this crate with one change after the other, and counts the changes that they notice.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use super::change::Change;
use super::{MUTANT, NOTE, draw, is_child};
use crate::theory::table;

/// The share of changes that the tests must notice, in percent.
const WANTED: usize = 95;

/// The modules whose tests are the tables of meanings.
const TABLES: &[&str] = &["theory::", "eval::"];

/// A few tests are tried first: most changes are noticed by any of them.
const FIRST: usize = 4;

/// A change of a row.
type Mutant = (usize, Change);

/// The tests in which each change can be seen; none at all if it only meets open values.
fn seen() -> BTreeMap<Mutant, BTreeSet<String>> {
    let file = std::env::temp_dir().join(format!("smt-mutation-{}", std::process::id()));
    let path = Removed(file);
    let mut run = tests();
    let status = run.args(TABLES).env(NOTE, &path.0).status().expect("this program can be run again");
    assert!(status.success(), "the tests fail without any change");
    let text = std::fs::read_to_string(&path.0).expect("what was noted");
    let by_word: BTreeMap<String, Change> = Change::ALL.into_iter().map(|c| (c.word(), c)).collect();
    let mut seen: BTreeMap<Mutant, BTreeSet<String>> = BTreeMap::new();
    for line in text.lines() {
        let mut parts = line.splitn(3, ' ');
        let (Some(row), Some(word), Some(test)) = (parts.next(), parts.next(), parts.next()) else {
            continue;
        };
        let mutant = (row.parse().expect("a number"), by_word[word]);
        let tests = seen.entry(mutant).or_default();
        if test != "open" {
            tests.insert(test.to_owned());
        }
    }
    seen
}

/// A file that is removed in the end.
struct Removed(PathBuf);

impl Drop for Removed {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

/// This program again, without what it prints and without this test.
fn tests() -> Command {
    let mut run = Command::new(std::env::current_exe().expect("this program has a path"));
    run.args(["--test-threads", "1", "--skip", "mutation::", "--quiet"]);
    run.stdout(Stdio::null()).stderr(Stdio::null());
    run
}

/// Whether one of these tests fails under a change.
fn notices(tests_of: &[&String], (row, change): Mutant) -> bool {
    !tests_of.is_empty() && {
        let mut run = tests();
        run.arg("--exact").args(tests_of).env(MUTANT, format!("{row} {}", change.word()));
        !run.status().expect("this program can be run again").success()
    }
}

fn is_noticed(tests_of: &BTreeSet<String>, mutant: Mutant) -> bool {
    let all: Vec<&String> = tests_of.iter().collect();
    let (first, rest) = all.split_at(FIRST.min(all.len()));
    notices(first, mutant) || notices(rest, mutant)
}

/// All changes of all rows that a test or an application to literals shows, and the tests in which each can be seen.
fn mutants() -> Vec<(Mutant, BTreeSet<String>)> {
    let seen = seen();
    let mut all = Vec::new();
    for (row, id) in table().ids().enumerate() {
        let shown: BTreeSet<Change> = draw::shown(id).into_iter().flat_map(|shown| shown.changes).collect();
        for change in Change::ALL {
            // A row that is never applied in a test may have a meaning all the same.
            let never = change == Change::OffByOne && !seen.contains_key(&(row, change));
            let known = seen.get(&(row, change)).cloned().unwrap_or_default();
            if never || !known.is_empty() || shown.contains(&change) {
                all.push(((row, change), known));
            }
        }
    }
    all
}

/// How many of these are noticed, and which are not.
fn count(mutants: &[(Mutant, BTreeSet<String>)]) -> (usize, Vec<String>) {
    let mut noticed = 0;
    let mut missed = Vec::new();
    // Those that no test can see come first: they cost nothing.
    let mut order: Vec<_> = mutants.iter().collect();
    order.sort_by_key(|(_, tests)| !tests.is_empty());
    for (mutant, tests) in order {
        if is_noticed(tests, *mutant) {
            noticed += 1;
        } else {
            let name = table().ids().nth(mutant.0).map_or("", |id| table().op(id).name);
            let how = if tests.is_empty() { "no test can see it" } else { "no test fails" };
            println!("{name} {} (row {}): {how}", mutant.1.word(), mutant.0);
            missed.push(format!("{name} {} (row {})", mutant.1.word(), mutant.0));
        }
    }
    (noticed, missed)
}

fn check(mutants: &[(Mutant, BTreeSet<String>)]) {
    let (noticed, missed) = count(mutants);
    println!("{noticed} of {} changes are noticed", mutants.len());
    assert!(noticed * 100 >= mutants.len() * WANTED, "{noticed} of {}: {missed:#?}", mutants.len());
}

#[test]
#[ignore = "it runs the tables once for each of two thousand changes: minutes"]
fn every_change_is_noticed() {
    check(&mutants());
}

#[test]
fn some_changes_are_noticed() {
    if is_child() {
        return;
    }
    let all = mutants();
    let step = (all.len() / 60).max(1);
    let some: Vec<_> = all.into_iter().step_by(step).collect();
    check(&some);
}

/// Prints rows for the tables: terms that show changes that no test sees, with the values that this crate gives them.
/// Somebody else has to say that the values are right.
#[test]
#[ignore = "a tool, not a test"]
fn rows_for_changes_that_no_test_sees() {
    let unseen: BTreeSet<Mutant> =
        mutants().into_iter().filter(|(_, tests)| tests.is_empty()).map(|(mutant, _)| mutant).collect();
    for (row, id) in table().ids().enumerate() {
        for shown in draw::shown(id) {
            let new: Vec<String> =
                shown.changes.iter().filter(|&&c| unseen.contains(&(row, c))).map(|c| c.word()).collect();
            if !new.is_empty() {
                let name = table().op(id).name;
                println!("ROW\t{row}\t{name}\t{}\t{}\t{}", new.join(","), shown.term, shown.value);
            }
        }
    }
}
