//! The rows against real solvers: somebody proves each in every direction it claims, but for a list of those that nobody does.

use std::collections::BTreeMap;
use std::time::Duration;

use super::super::equalities::{EQUALITIES, Equality, Variable};
use super::super::equivalences;
use super::super::tree::Tree;
use super::super::unsatisfiable::tests as tests_of;
use crate::case::Answer;
use crate::case::Category;
use crate::judge::answer_of;
use crate::solver::testing::require;
use crate::solver::{AskMode, Limits, Outputs, Question, Runner, Solver};
use crate::strategy::parts::PARTS;

/// What neither z3 nor cvc5 proves. These rest on small values alone.
const OPEN: &[&str] = &[
    "seq/equivalent/Q5",
    "seq/equivalent/Q5/converse",
    "strings/equality/C19",
    "strings/equivalent/E2",
    "strings/equivalent/E2/converse",
    "strings/equivalent/E5",
    "strings/equivalent/E5-printed",
    "strings/equivalent/E5-quantified",
    "strings/equivalent/E5-quantified/converse",
    "strings/equivalent/E5/converse",
    "strings/equivalent/E6",
    "strings/equivalent/E6-printed",
    "strings/equivalent/E6-suffix",
    "strings/equivalent/E6-suffix/converse",
    "strings/equivalent/E6/converse",
    "strings/equivalent/X8",
    "strings/equivalent/X8/converse",
    "strings/equivalent/X9",
    "strings/equivalent/X9/converse",
    "strings/equivalent/X10",
    "strings/equivalent/X10/converse",
    "strings/equivalent/X22",
    "strings/equivalent/X22/converse",
];

/// Values of the variables that only `B` has, for rows whose converse nobody proves with a quantifier.
const WITNESSES: &[(&str, &[(&str, &str)])] = &[
    (
        "E4",
        &[
            ("s1", "(str.substr s 0 off)"),
            ("s2", "(str.substr s off len)"),
            ("s3", "(str.substr s (+ off (str.len (str.substr s off len))) (str.len s))"),
        ],
    ),
    (
        "Q4",
        &[
            ("s1", "(seq.extract s 0 off)"),
            ("s2", "(seq.extract s off len)"),
            ("s3", "(seq.extract s (+ off (seq.len (seq.extract s off len))) (seq.len s))"),
        ],
    ),
];

const SOLVERS: &[&str] = &["z3@5.4.0", "cvc5@1.4.2 --arrays-exp --strings-exp"];

/// What is to be proved, by name, as scripts of which one must be unsatisfiable: with and without patterns.
fn questions() -> BTreeMap<String, Vec<String>> {
    let mut all: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let rows = PARTS.iter().flat_map(|part| equivalences::rows(part.name));
    for test in rows.flat_map(|row| tests_of(row, Category::Equivalent, 1)) {
        let name = test.name.trim_end_matches("+p").to_owned();
        all.entry(name).or_default().push(test.script());
    }
    for (id, values) in WITNESSES {
        let mut rows = PARTS.iter().flat_map(|part| equivalences::rows(part.name));
        let row = rows.find(|row| row.id == *id).expect("there");
        let of = |text: &&str| {
            values.iter().fold(Tree::of(text), |tree, (x, term)| tree.put(&Tree::word(x), &Tree::of(term)))
        };
        let b = row.b.iter().map(|text| of(text).to_string()).collect::<Vec<_>>().join(" ");
        let denied = format!("(assert {})\n(assert (not (and {b})))", row.a);
        let name = format!("{}/equivalent/{id}/converse", row.theory);
        all.entry(name).or_default().insert(0, question(row.shared.iter(), &denied));
    }
    for row in EQUALITIES {
        all.insert(format!("{}/equality/{}", row.theory, row.id), vec![exception(row)]);
    }
    all
}

/// Values for which an equality does not hold, if there are any.
fn exception(row: &Equality) -> String {
    let subject = row.is_general().then_some(("s", row.sort));
    let side = if row.side.is_empty() { "true" } else { row.side };
    let denied = format!("(assert {side})\n(assert (not (= {} {})))", row.term, row.value);
    question(subject.iter().chain(row.others), &denied)
}

fn question<'a>(variables: impl Iterator<Item = &'a Variable>, asserted: &str) -> String {
    let mut script = "(set-logic ALL)\n".to_owned();
    for (name, sort) in variables {
        script.push_str(&format!("(declare-const {name} {sort})\n"));
    }
    script + asserted + "\n(check-sat)\n"
}

/// Whether somebody proves it within a time. Nobody may refute it.
fn is_proved(solvers: &[Solver], name: &str, scripts: &[String], wall: Duration) -> bool {
    let mut runner = Runner::new(Limits { wall, ..Limits::default() });
    scripts.iter().any(|script| {
        solvers.iter().any(|solver| {
            let question = Question { script, ask: Outputs::default() };
            let run = runner.ask(solver, question, AskMode::Fresh).expect("the machine works");
            let answer = answer_of(&run);
            assert_ne!(answer, Some(Answer::Sat), "{} refutes {name}\n{script}", solver.name);
            answer == Some(Answer::Unsat)
        })
    })
}

#[test]
fn every_row_is_proved_or_known_to_be_open() {
    let questions = questions();
    for name in OPEN {
        assert!(questions.contains_key(*name), "there is no {name}");
    }
    let Some(solvers) = require(SOLVERS) else { return };
    // The first limits are for the usual case; the last is generous, as others may be at work on this machine.
    let limits = [700, 4_000, 20_000].map(Duration::from_millis);
    let (open, rest): (Vec<_>, Vec<_>) =
        questions.iter().partition(|(name, _)| OPEN.contains(&name.as_str()));
    for (name, scripts) in open {
        is_proved(&solvers, name, scripts, Duration::from_millis(200));
    }
    let unproved = |(name, scripts): &(&String, &Vec<String>)| {
        !limits.iter().any(|&wall| is_proved(&solvers, name, scripts, wall))
    };
    let unproved: Vec<&String> = rest.into_iter().filter(unproved).map(|(name, _)| name).collect();
    assert!(unproved.is_empty(), "nobody proves {unproved:#?}");
}

#[test]
#[ignore = "minutes: twenty seconds for each solver and row"]
fn open_rows_are_open() {
    let Some(solvers) = require(SOLVERS) else { return };
    let mut questions = questions();
    questions.retain(|name, _| OPEN.contains(&name.as_str()));
    let proved = |(name, scripts): &(&String, &Vec<String>)| {
        is_proved(&solvers, name, scripts, Duration::from_secs(20))
    };
    let proved: Vec<&String> = questions.iter().filter(proved).map(|(name, _)| name).collect();
    assert!(proved.is_empty(), "take off the list: {proved:#?}");
}
