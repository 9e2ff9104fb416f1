//! Approximations against real solvers: rules hold, and so does every step of mutants, at its place. `gainsay rules check` and
//! `gainsay rules audit` do the same at any length.

use std::collections::BTreeMap;
use std::time::Duration;

use gainsay::case::{Answer, Choices};
use gainsay::judge::{AuditReport, AuditVerdict, Auditors, Tally};
use gainsay::seed::{Asked, Corpus, Keep, builtin};
use gainsay::solver::Solver;
use gainsay::solver::testing::require;
use gainsay::strategy::{Options, Strategy, equivalence_examples, named, rule_examples, without_polarity};

const SPEAKERS: &[&str] = &["z3@5.4.0", "cvc5@1.4.2"];

fn conclude<T: std::fmt::Debug>(tally: Tally, open: &[T], refuted: &[(T, String)]) {
    println!("{} asked, {} open: {open:?}", tally.all(), tally.of(AuditVerdict::Open));
    assert!(refuted.is_empty(), "{} refuted: {:?}", refuted.len(), refuted.first());
    assert!(
        tally.of(AuditVerdict::Open) * 5 <= tally.all(),
        "{} of {} open",
        tally.of(AuditVerdict::Open),
        tally.all()
    );
}

#[test]
fn some_rules_have_no_exception() {
    let Some(solvers) = require(SPEAKERS) else { return };
    let mut auditors = Auditors::new(solvers, Duration::from_secs(2));
    let (mut tally, mut open, mut refuted) = (Tally::default(), Vec::new(), Vec::new());
    for example in rule_examples(1, &SPEAKERS.join(",")).iter().step_by(11) {
        let what = format!("{} at {}", example.id, example.sort);
        let word = auditors.audit(&example.refutation).expect("the machine works");
        tally.add(word);
        match word {
            AuditVerdict::Open => open.push(what),
            AuditVerdict::Refuted => refuted.push((what, example.refutation.clone())),
            AuditVerdict::Holds => {}
        }
    }
    conclude(tally, &open, &refuted);
}

#[test]
fn some_equivalences_have_no_exception() {
    let Some(solvers) = require(SPEAKERS) else { return };
    let mut auditors = Auditors::new(solvers, Duration::from_secs(2));
    let (mut tally, mut open, mut refuted) = (Tally::default(), Vec::new(), Vec::new());
    let examples = equivalence_examples(None).expect("the built-in table is good");
    for example in examples.into_iter().step_by(7) {
        let word = auditors.audit(&example.refutation).expect("the machine works");
        tally.add(word);
        match word {
            AuditVerdict::Open => open.push(example.name),
            AuditVerdict::Refuted => refuted.push((example.name, example.refutation)),
            AuditVerdict::Holds => {}
        }
    }
    conclude(tally, &open, &refuted);
}

#[test]
fn steps_of_rewritten_seeds_have_no_exception() {
    let Some(solvers) = require(SPEAKERS) else { return };
    let entry = named("rewrite").expect("registered");
    let given = BTreeMap::from([("readable-by".to_owned(), SPEAKERS.join(","))]);
    let strategy = (entry.build)(&Options::of(entry.flags, &given)).expect("good options");
    let told = audited(solvers, &*strategy, 2);
    for tally in [told.steps, told.whole] {
        conclude(tally, &told.open, &told.refuted);
    }
}

/// Audits the first cases of every ninth seed of our own, made both ways, step by step and as a whole: what was said of all
/// of them.
fn audited(solvers: Vec<Solver>, strategy: &dyn Strategy, each: u32) -> AuditReport {
    let scripts: Vec<_> = builtin::scripts().collect();
    let mut auditors = Auditors::new(solvers, Duration::from_secs(1));
    let mut all = AuditReport::default();
    for (no, seed) in Corpus::of_texts(&scripts, Keep::Bare).seeds.iter().enumerate().step_by(9) {
        let checks = seed.script().queries().len();
        for answer in [Answer::Sat, Answer::Unsat] {
            let Some(seed) = strategy.takes(seed) else { continue };
            let asked = [Asked::agreed(seed, vec![answer; checks])];
            let mut series = strategy.series(0, &asked, Choices::drawn(11, "sae", no as u64));
            for _ in 0..each {
                let Some(case) = series.next() else { break };
                for told in [auditors.case(&case), auditors.whole(&case)] {
                    all.add(told.expect("the machine works"));
                }
            }
        }
    }
    all
}

fn options(more: &[&str]) -> Options {
    let entry = named("sae").expect("registered");
    let mut given = BTreeMap::from([("speakers".to_owned(), SPEAKERS.join(","))]);
    given.extend(more.iter().map(|&flag| (flag.to_owned(), "true".to_owned())));
    Options::of(entry.flags, &given)
}

#[test]
fn steps_of_mutants_have_no_exception() {
    let Some(solvers) = require(SPEAKERS) else { return };
    let strategy = (named("sae").expect("registered").build)(&options(&[])).expect("good options");
    let told = audited(solvers, &*strategy, 1);
    assert_eq!(told.places.of(AuditVerdict::Open), 0, "places are small questions");
    for tally in [told.steps, told.places, told.whole] {
        conclude(tally, &told.open, &told.refuted);
    }
}

#[test]
fn clauses_have_no_exception() {
    let Some(solvers) = require(SPEAKERS) else { return };
    let strategy = (named("sae").expect("registered").build)(&options(&["cnf"])).expect("good options");
    // The clauses themselves, which follow from the seed and it from them, and a mutant of theirs.
    let told = audited(solvers, &*strategy, 2);
    for tally in [told.steps, told.places, told.whole] {
        conclude(tally, &told.open, &told.refuted);
    }
}

#[test]
fn steps_without_polarity_are_refuted() {
    let Some(solvers) = require(SPEAKERS) else { return };
    // Most places are positive: it takes a few mutants to meet one that is not.
    let told = audited(solvers, &*without_polarity(&options(&[])).expect("good options"), 3);
    assert!(told.places.of(AuditVerdict::Refuted) > 3, "{:?}", told.places);
    assert!(told.whole.of(AuditVerdict::Refuted) > 0, "{:?}", told.whole);
    assert_eq!(told.steps.of(AuditVerdict::Refuted), 0, "the rules themselves hold");
}
