//! Runs the tests of this crate with one change after the other, and counts the changes that they notice.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

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

/// The names of tests, from the fastest to the slowest.
type Tests = Vec<String>;

/// The tests in which each change can be seen; none at all if it only meets open values.
fn seen() -> BTreeMap<Mutant, Tests> {
    let file = std::env::temp_dir().join(format!("smt-mutation-{}", std::process::id()));
    let path = Removed(file);
    let order = by_speed(tests().args(TABLES).env(NOTE, &path.0));
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
    let sorted = |tests: BTreeSet<String>| -> Tests {
        order.iter().filter(|test| tests.contains(*test)).cloned().collect()
    };
    seen.into_iter().map(|(mutant, tests)| (mutant, sorted(tests))).collect()
}

/// Runs tests that must pass, and lists them from the fastest to the slowest. Speed only decides what is tried first.
fn by_speed(run: &mut Command) -> Tests {
    let mut child = run.stdout(Stdio::piped()).spawn().expect("this program can be run again");
    let output = BufReader::new(child.stdout.take().expect("it is piped"));
    let mut times = Vec::new();
    let mut last = Instant::now();
    for line in output.lines().map(|line| line.expect("the names of tests are text")) {
        if let Some(test) = line.strip_prefix("test ").and_then(|rest| rest.strip_suffix(" ... ok")) {
            times.push((last.elapsed(), test.to_owned()));
        }
        last = Instant::now();
    }
    assert!(child.wait().expect("it was started").success(), "the tests fail without any change");
    times.sort();
    times.into_iter().map(|(_, test)| test).collect()
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
    run.args(["--test-threads", "1", "--skip", "mutation::"]);
    run.stdout(Stdio::null()).stderr(Stdio::null());
    run
}

/// Whether one of these tests fails under a change.
fn notices(tests_of: &[String], (row, change): Mutant) -> bool {
    !tests_of.is_empty() && {
        let mut run = tests();
        run.arg("--exact").args(tests_of).env(MUTANT, format!("{row} {}", change.word()));
        !run.status().expect("this program can be run again").success()
    }
}

fn is_noticed(tests_of: &[String], mutant: Mutant) -> bool {
    let (first, rest) = tests_of.split_at(FIRST.min(tests_of.len()));
    notices(first, mutant) || notices(rest, mutant)
}

/// All changes of all rows that a test or an application to literals shows, and the tests in which each can be seen.
fn mutants() -> Vec<(Mutant, Tests)> {
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
fn count(mutants: &[(Mutant, Tests)]) -> (usize, Vec<String>) {
    let next = AtomicUsize::new(0);
    let missed = Mutex::new(Vec::new());
    let work = || {
        while let Some((mutant, tests)) = mutants.get(next.fetch_add(1, Ordering::Relaxed)) {
            if !is_noticed(tests, *mutant) {
                let name = table().ids().nth(mutant.0).map_or("", |id| table().op(id).name);
                let how = if tests.is_empty() { "no test can see it" } else { "no test fails" };
                let text = format!("{name} {} (row {}): {how}", mutant.1.word(), mutant.0);
                println!("{text}");
                missed.lock().expect("no worker panics").push(text);
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(work);
        }
    });
    let missed = missed.into_inner().expect("no worker panics");
    (mutants.len() - missed.len(), missed)
}

fn check(mutants: &[(Mutant, Tests)]) {
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
