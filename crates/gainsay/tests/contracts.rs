//! What every registered part must keep: strategies make the same cases again, and well-sorted ones; names are told apart.

use std::collections::{BTreeMap, HashSet};

use gainsay::case::{Case, Choices};
use gainsay::hunt::seeds_of;
use gainsay::oracle::ORACLES;
use gainsay::seed::{Asked, Corpus, builtin};
use gainsay::strategy::{Entry, Options, STRATEGIES};

/// The cases of the first series of a strategy, at most so many of each.
fn cases(entry: &Entry, corpus: &Corpus, draw: u64, skip: u32) -> Vec<Case> {
    let strategy = (entry.build)(&Options::of(entry.flags, &BTreeMap::new())).expect("defaults are fine");
    let mut made = Vec::new();
    for ordinal in 0..12 {
        let Some(seeds) = seeds_of(entry.name, strategy.as_ref(), corpus, draw, ordinal) else { break };
        let answers =
            |seed: &gainsay::seed::Seed| vec![seed.status.unwrap_or(gainsay::case::Answer::Unknown)];
        let asked: Vec<_> = seeds.into_iter().map(|seed| Asked { answers: answers(&seed), seed }).collect();
        let mut series = strategy.series(ordinal, &asked, Choices::drawn(draw, entry.name, ordinal));
        series.skip(skip);
        let longest = strategy.longest().saturating_sub(skip);
        let before = made.len();
        made.extend(std::iter::from_fn(|| series.next()).take(8));
        assert!((made.len() - before) as u32 <= longest, "{}: longer than it says", entry.name);
    }
    made
}

fn texts(cases: &[Case]) -> Vec<String> {
    cases.iter().map(Case::text).collect()
}

#[test]
fn the_same_choices_give_the_same_cases() {
    let scripts: Vec<_> = builtin::scripts().collect();
    let corpus = Corpus::of_texts(&scripts);
    for entry in STRATEGIES {
        let first = texts(&cases(entry, &corpus, 7, 0));
        assert!(!first.is_empty(), "{} makes nothing", entry.name);
        assert_eq!(first, texts(&cases(entry, &corpus, 7, 0)), "{}", entry.name);
    }
}

#[test]
fn skipping_is_making_without_looking() {
    let scripts: Vec<_> = builtin::scripts().collect();
    let corpus = Corpus::of_texts(&scripts);
    for entry in STRATEGIES {
        let all: HashSet<String> = texts(&cases(entry, &corpus, 7, 0)).into_iter().collect();
        for later in texts(&cases(entry, &corpus, 7, 3)).iter().take(3) {
            let strategy =
                (entry.build)(&Options::of(entry.flags, &BTreeMap::new())).expect("defaults are fine");
            assert!(strategy.longest() <= 3 || all.contains(later), "{}: {later}", entry.name);
        }
    }
}

#[test]
fn cases_are_well_sorted_and_say_where_they_came_from() {
    let scripts: Vec<_> = builtin::scripts().collect();
    let corpus = Corpus::of_texts(&scripts);
    for entry in STRATEGIES {
        for case in cases(entry, &corpus, 11, 0) {
            let text = case.text();
            let again = smt::read(text.as_bytes()).unwrap_or_else(|e| panic!("{}: {e}\n{text}", entry.name));
            assert_eq!(String::from_utf8_lossy(&smt::write_script(&again)), text, "{}", entry.name);
            assert!(!again.asks().is_empty(), "{}: nothing is asked\n{text}", entry.name);
            assert_eq!(case.lineage.strategy, entry.name);
        }
    }
}

#[test]
fn names_are_told_apart() {
    let mut names = HashSet::new();
    for name in STRATEGIES.iter().map(|s| s.name).chain(ORACLES.iter().map(|o| o.name)) {
        assert!(names.insert(name), "{name} is there twice");
        assert!(name.bytes().all(|b| b.is_ascii_lowercase() || b == b'-'), "{name}");
    }
    assert!(ORACLES.iter().all(|o| !o.about.is_empty()) && STRATEGIES.iter().all(|s| !s.about.is_empty()));
}
