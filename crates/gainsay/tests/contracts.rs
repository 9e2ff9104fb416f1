//! What every registered part must keep: strategies make the same cases again, and well-sorted ones; names are told apart.

use std::collections::{BTreeMap, HashSet};

use gainsay::campaign::seeds_of;
use gainsay::case::{Case, Choices};
use gainsay::judge::oracle::ORACLES;
use gainsay::reduce::{Ground, PASSES, Size};
use gainsay::seed::{Asked, Corpus, Keep, builtin};
use gainsay::strategy::{Entry, Options, STRATEGIES};

/// Cases that are made of each series.
const MADE: usize = 8;

/// The cases of the first series of a strategy, at most `MADE` of each, after so many that are skipped.
fn series(entry: &Entry, corpus: &Corpus, draw: u64, skip: u32) -> Vec<Vec<Case>> {
    let strategy = (entry.build)(&Options::of(entry.flags, &BTreeMap::new())).expect("defaults are fine");
    let mut all = Vec::new();
    for ordinal in 0..12 {
        let Some(seeds) = seeds_of(entry.name, strategy.as_ref(), corpus, draw, ordinal) else { break };
        let answers =
            |seed: &gainsay::seed::Seed| vec![seed.status.unwrap_or(gainsay::case::Answer::Unknown)];
        let asked: Vec<_> = seeds
            .into_iter()
            .map(|seed| {
                let answers = answers(&seed);
                Asked::agreed(seed, answers)
            })
            .collect();
        let mut series = strategy.series(ordinal, &asked, Choices::drawn(draw, entry.name, ordinal));
        series.skip(skip);
        let longest = strategy.longest().saturating_sub(skip);
        let made: Vec<Case> = std::iter::from_fn(|| series.next()).take(MADE).collect();
        assert!(made.len() as u32 <= longest, "{}: longer than it says", entry.name);
        all.push(made);
    }
    all
}

/// The cases of all these series.
fn cases(entry: &Entry, corpus: &Corpus, draw: u64) -> Vec<Case> {
    series(entry, corpus, draw, 0).into_iter().flatten().collect()
}

fn texts(cases: &[Case]) -> Vec<String> {
    cases.iter().map(Case::text).collect()
}

#[test]
fn the_same_choices_give_the_same_cases() {
    let scripts: Vec<_> = builtin::scripts().collect();
    let corpus = Corpus::of_texts(&scripts, Keep::Bare);
    for entry in STRATEGIES {
        let first = texts(&cases(entry, &corpus, 7));
        assert!(!first.is_empty(), "{} makes nothing", entry.name);
        assert_eq!(first, texts(&cases(entry, &corpus, 7)), "{}", entry.name);
    }
}

/// A series of which three cases are skipped goes on with the fourth, and ends where it ends otherwise.
#[test]
fn skipping_is_making_without_looking() {
    const SKIPPED: usize = 3;
    let scripts: Vec<_> = builtin::scripts().collect();
    let corpus = Corpus::of_texts(&scripts, Keep::Bare);
    for entry in STRATEGIES {
        let whole = series(entry, &corpus, 7, 0);
        let later = series(entry, &corpus, 7, SKIPPED as u32);
        assert_eq!(whole.len(), later.len(), "{}", entry.name);
        let mut compared = 0;
        for (ordinal, (whole, later)) in whole.iter().zip(&later).enumerate() {
            let (whole, mut later) = (texts(whole), texts(later));
            let expected = whole.get(SKIPPED..).unwrap_or_default();
            if whole.len() == MADE {
                later.truncate(expected.len());
            }
            assert_eq!(later, expected, "{}, series {ordinal}", entry.name);
            // Equal cases would show nothing.
            compared += usize::from(!expected.is_empty() && !whole.starts_with(expected));
        }
        let strategy = (entry.build)(&Options::of(entry.flags, &BTreeMap::new())).expect("defaults are fine");
        assert!(compared > 0 || strategy.longest() <= SKIPPED as u32, "{}: nothing to compare", entry.name);
    }
}

#[test]
fn cases_are_well_sorted_and_say_where_they_came_from() {
    let scripts: Vec<_> = builtin::scripts().collect();
    let corpus = Corpus::of_texts(&scripts, Keep::Bare);
    for entry in STRATEGIES {
        for case in cases(entry, &corpus, 11) {
            let text = case.text();
            let again = smt::read(text.as_bytes()).unwrap_or_else(|e| panic!("{}: {e}\n{text}", entry.name));
            assert_eq!(again.text(), text, "{}", entry.name);
            let asks = |command: &smt::Command| command.what.is_check() || command.what.is_output();
            assert!(again.commands.iter().any(asks), "{}: nothing is asked\n{text}", entry.name);
            assert_eq!(case.lineage.strategy, entry.name);
        }
    }
}

const EVERYTHING: &str = "(set-info :status sat)(declare-sort U 0)(declare-const unused U)
(declare-datatypes ((T 0)) (((nil) (cons (head Int) (tail T)))))(declare-const long_name Int)(declare-const t T)
(declare-const a (Array Int Real))(declare-const w (_ BitVec 32))(define-fun f ((x Int)) Int (+ x long_name))
(assert (= t nil))(assert (= a a))(push 1)(assert (bvult w #x00000003))(check-sat)(pop 1)
(assert (forall ((x Int) (y Int)) (=> (= x long_name) (exists ((z Int)) (< (+ (+ z x) 1234) (f (f x)))))))
(assert (let ((p (< long_name 7)) (q (+ long_name (* 2 long_name)))) (or p (distinct q 1 (+ q q) 99) (not p))))
(check-sat)";

/// Every offer of a pass is well-sorted, alone and together with the others of its group, and of the offers for what a pass
/// is for some are smaller.
#[test]
fn passes_offer_well_sorted_scripts() {
    let mut scripts: Vec<_> = builtin::scripts().step_by(4).take(24).collect();
    scripts.push(("something of everything", EVERYTHING));
    for entry in PASSES {
        let mut smaller = 0;
        for (name, text) in &scripts {
            let script = smt::read(text.as_bytes()).expect("well-sorted");
            let size = Size::of(&script, text);
            for group in 0.. {
                let mut ground = script.clone();
                let Some(changes) = entry.pass.changes(&mut ground, group) else { break };
                let again = entry.pass.changes(&mut script.clone(), group).map(|c| c.len());
                assert_eq!(again, Some(changes.len()), "{} offers the same", entry.name);
                let ground = Ground::new(ground);
                let all = entry.together.then_some(&changes[..]);
                for some in changes.chunks(1).take(40).chain(all) {
                    let Some(text) = ground.changed(some, true) else { continue };
                    let made = smt::read(text.as_bytes());
                    let made = made.unwrap_or_else(|e| panic!("{} on {name}: {e}\n{text}", entry.name));
                    smaller += usize::from(Size::of(&made, &text) < size);
                }
            }
        }
        assert!(smaller > 0 || entry.name == "declarations", "{} makes nothing smaller", entry.name);
    }
}

#[test]
fn names_are_told_apart() {
    let mut names = HashSet::new();
    for name in STRATEGIES
        .iter()
        .map(|s| s.name)
        .chain(ORACLES.iter().map(|o| o.name))
        .chain(PASSES.iter().map(|p| p.name))
    {
        assert!(names.insert(name), "{name} is there twice");
        assert!(name.bytes().all(|b| b.is_ascii_lowercase() || b == b'-'), "{name}");
    }
    assert!(ORACLES.iter().all(|o| !o.about.is_empty()) && STRATEGIES.iter().all(|s| !s.about.is_empty()));
}
