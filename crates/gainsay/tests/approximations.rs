//! Approximations against real solvers: every rule holds, and every step of every mutant.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use gainsay::case::{Answer, Choices};
use gainsay::oracle::steps;
use gainsay::seed::{Asked, Corpus, builtin};
use gainsay::solver::testing::require;
use gainsay::solver::{Ask, Limits, Question, Runner, Solver, Way};
use gainsay::strategy::{Options, named, rule_examples};
use gainsay::trial::answer_of;

const SPEAKERS: &[&str] = &["z3@5.4.0", "cvc5@1.4.2"];

/// Solvers who look for exceptions.
struct Auditors {
    solvers: Vec<Solver>,
    runner: Runner,
    asked: usize,
    open: Vec<String>,
    refuted: Vec<String>,
}

impl Auditors {
    fn new(wall: Duration) -> Option<Auditors> {
        let solvers = require(SPEAKERS)?;
        let runner = Runner::new(Limits { wall, ..Limits::default() });
        Some(Auditors { solvers, runner, asked: 0, open: Vec::new(), refuted: Vec::new() })
    }

    /// Asks until one proves that there is no exception, or one finds one.
    fn audit(&mut self, what: &str, script: &str) {
        self.asked += 1;
        for solver in &self.solvers {
            let question = Question { script, ask: Ask::default() };
            let run = self.runner.ask(solver, question, Way::Fresh).expect("the machine works");
            match answer_of(&run) {
                Some(Answer::Unsat) => return,
                Some(Answer::Sat) => {
                    self.refuted.push(format!("{what}, by {}: {script}", solver.name));
                    return;
                }
                _ => {}
            }
        }
        self.open.push(what.to_owned());
    }

    fn conclude(&self) {
        println!("{} asked, {} open: {:?}", self.asked, self.open.len(), self.open);
        let first = self.refuted.first().map_or("", String::as_str);
        assert!(self.refuted.is_empty(), "{} of {} refuted: {first}", self.refuted.len(), self.asked);
        assert!(self.open.len() * 5 <= self.asked, "{} of {} open", self.open.len(), self.asked);
    }
}

fn audit_rules(every: usize, wall: Duration) {
    let Some(mut auditors) = Auditors::new(wall) else { return };
    for (n, example) in rule_examples(1, &SPEAKERS.join(",")).iter().enumerate() {
        if n % every == 0 {
            let what = format!("{} at {}", example.id, example.sort);
            auditors.audit(&what, &example.refutation);
        }
    }
    auditors.conclude();
}

#[test]
fn some_rules_have_no_exception() {
    audit_rules(11, Duration::from_secs(2));
}

#[test]
#[ignore = "minutes: every rule"]
fn no_rule_has_an_exception() {
    audit_rules(1, Duration::from_secs(5));
}

/// Audits the steps of some mutants of every `every`th seed, made both ways.
fn audit_steps(corpus: &Corpus, every: usize, mutants: &str, wall: Duration) {
    let Some(mut auditors) = Auditors::new(wall) else { return };
    let entry = named("sae").expect("registered");
    let given: BTreeMap<String, String> = [("mutants", mutants), ("speakers", &SPEAKERS.join(","))]
        .map(|(k, v)| (k.to_owned(), v.to_owned()))
        .into();
    let strategy = (entry.build)(&Options::of(entry.flags, &given)).expect("good options");
    let mut made = 0;
    for (no, seed) in corpus.seeds.iter().enumerate().step_by(every) {
        let checks = seed.script().asks().len();
        for answer in [Answer::Sat, Answer::Unsat] {
            let asked = [Asked { seed: seed.clone(), answers: vec![answer; checks] }];
            let mut series = strategy.series(0, &asked, Choices::drawn(11, "sae", no as u64));
            while let Some(case) = series.next() {
                made += 1;
                let edits = case.lineage.edits.list();
                let scripts = steps(&case).expect("sae makes approximations");
                for (edit, script) in edits.iter().zip(&scripts) {
                    auditors.audit(&format!("{} in {}", edit.rule, seed.name.name), script);
                }
            }
        }
    }
    println!("{made} mutants");
    auditors.conclude();
}

#[test]
fn steps_of_mutants_have_no_exception() {
    let scripts: Vec<_> = builtin::scripts().collect();
    audit_steps(&Corpus::of_texts(&scripts), 9, "1", Duration::from_secs(1));
}

/// `GAINSAY_SEEDS` is the folder of seeds, `GAINSAY_MUTANTS` how many of each.
#[test]
#[ignore = "hours: every step of many mutants of the seeds of a folder"]
fn steps_of_many_mutants_have_no_exception() {
    let Some(folder) = std::env::var_os("GAINSAY_SEEDS") else { return };
    let corpus = Corpus::load(&[PathBuf::from(folder)]).expect("GAINSAY_SEEDS leads to seeds");
    let mutants = std::env::var("GAINSAY_MUTANTS").unwrap_or_else(|_| "4".to_owned());
    let every = std::env::var("GAINSAY_EVERY").ok().and_then(|n| n.parse().ok()).unwrap_or(1);
    audit_steps(&corpus, every, &mutants, Duration::from_secs(1));
}
