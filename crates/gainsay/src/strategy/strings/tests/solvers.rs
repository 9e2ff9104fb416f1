//! The rows against real solvers: nobody finds an exception in either direction.

use std::time::Duration;

use super::super::Category;
use super::super::equivalences;
use super::super::unsatisfiable::tests as tests_of;
use crate::case::Answer;
use crate::solver::testing::require;
use crate::solver::{Ask, Limits, Question, Runner, Way};
use crate::strategy::parts::PARTS;
use crate::trial::answer_of;

fn audit(every: usize, wall: Duration) {
    let Some(solvers) = require(&["z3@5.4.0", "cvc5@1.4.2 --arrays-exp --strings-exp"]) else { return };
    let mut runner = Runner::new(Limits { wall, ..Limits::default() });
    let rows = PARTS.iter().flat_map(|part| equivalences::rows(part.name));
    let tests = rows.flat_map(|row| tests_of(row, Category::Equivalent, 1));
    let (mut asked, mut open) = (0, Vec::new());
    for test in tests.step_by(every) {
        let script = test.script();
        let mut answers = Vec::new();
        for solver in &solvers {
            let question = Question { script: &script, ask: Ask::default() };
            let run = runner.ask(solver, question, Way::Fresh).expect("the machine works");
            let answer = answer_of(&run);
            assert_ne!(answer, Some(Answer::Sat), "{} refutes {}\n{script}", solver.name, test.name);
            answers.push(answer);
            if answer == Some(Answer::Unsat) {
                break;
            }
        }
        asked += 1;
        if !answers.contains(&Some(Answer::Unsat)) {
            open.push(test.name);
        }
    }
    println!("{asked} asked, {} open: {open:?}", open.len());
    assert!(open.len() * 2 <= asked, "{} of {asked} open", open.len());
}

#[test]
fn some_equivalences_have_no_exception() {
    audit(9, Duration::from_secs(2));
}

#[test]
#[ignore = "minutes: every row"]
fn no_equivalence_has_an_exception() {
    audit(1, Duration::from_secs(10));
}
