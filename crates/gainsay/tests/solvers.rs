//! Real solvers, installed by the tool itself: they answer alike in every way of asking.

use std::time::Duration;

use gainsay::case::Answer;
use gainsay::solver::testing::require;
use gainsay::solver::{AskMode, Ending, Limits, Outcome, Outputs, Question, Runner, Solver};

const CASES: &[(&str, &[Answer])] = &[
    (
        "(set-logic QF_BV)(declare-const x (_ BitVec 8))(assert (= (bvmul x x) #x31))(check-sat)",
        &[Answer::Sat],
    ),
    ("(set-logic QF_BV)(declare-const x (_ BitVec 8))(assert (bvult x #x00))(check-sat)", &[Answer::Unsat]),
    (
        "(set-logic QF_BV)(declare-const x (_ BitVec 8))(assert (bvult x #x05))(check-sat)(push 1)\
         (assert (bvugt x #x05))(check-sat)(pop 1)(check-sat)(exit)(check-sat)",
        &[Answer::Sat, Answer::Unsat, Answer::Sat],
    ),
];

/// Every release that a test may lean on, one of each kind of driving.
const ALL: &[&str] =
    &["z3@5.4.0", "z3@4.8.7", "cvc5@1.4.2", "cvc5@1.2.0", "bitwuzla@0.9.1", "yices@2.6.5", "boolector@3.2.4"];

fn agree(solver: &Solver) {
    let mut runner = Runner::new(Limits::of_time(Duration::from_secs(20)));
    for way in AskMode::ALL {
        for round in 0..2 {
            for (script, answers) in CASES {
                let question = Question { script, ask: Outputs { model: true, core: false, reason: false } };
                let run = runner.ask(solver, question, way).expect("our part works");
                assert_eq!(run.reply.answers(), *answers, "{} {} {round}: {run:?}", solver.name, way.word());
                let models = run.reply.checks.iter().all(|c| c.model.is_some() == (c.answer == Answer::Sat));
                assert!(models, "{} {}: {run:?}", solver.name, way.word());
            }
        }
    }
}

#[test]
fn every_way_gives_the_same_answers() {
    for name in ALL {
        if let Some(solvers) = require(&[name]) {
            agree(&solvers[0]);
        }
    }
}

#[test]
fn debian_releases_answer() {
    for name in ["cvc4@1.8", "cvc5@1.0.3"] {
        if let Some(solvers) = require(&[name]) {
            agree(&solvers[0]);
        }
    }
}

#[test]
fn names_of_one_question_are_free_for_the_next() {
    let Some(solvers) = require(&["cvc4@1.8", "z3@5.4.0", "cvc5@1.4.2"]) else { return };
    let script = "(set-logic QF_LIA)(declare-const x Int)(assert (! (> x 3) :named a))(assert (! (< x 3) :named b))(check-sat)";
    for solver in &solvers {
        let mut runner = Runner::new(Limits::of_time(Duration::from_secs(20)));
        for way in AskMode::ALL {
            for _ in 0..3 {
                let ask = Outputs { core: true, ..Outputs::default() };
                let run = runner.ask(solver, Question { script, ask }, way).expect("ours");
                assert_eq!(run.outcome(), Outcome::Answered, "{} {}: {run:?}", solver.name, way.word());
                let core = run.reply.checks[0].core.as_ref().map(Vec::len);
                assert_eq!(core, Some(2), "{} {}: {run:?}", solver.name, way.word());
            }
        }
    }
}

#[test]
fn an_error_voids_what_follows_and_leaves_the_session_usable() {
    let Some(solvers) =
        require(&["z3@5.4.0", "cvc5@1.4.2", "bitwuzla@0.9.1", "yices@2.6.5", "boolector@3.2.4"])
    else {
        return;
    };
    // Much follows the error, so that a driver writes to a parser that has given up.
    let bad = format!(
        "(set-logic QF_BV)(declare-const x (_ BitVec 8))(assert (= x nothing)){}(check-sat)",
        "(assert (= x x))".repeat(2000)
    );
    for solver in &solvers {
        let mut runner = Runner::new(Limits::of_time(Duration::from_secs(20)));
        for way in AskMode::ALL {
            for _ in 0..2 {
                let run = runner
                    .ask(solver, Question { script: &bad, ask: Outputs::default() }, way)
                    .expect("ours");
                assert_eq!(run.reply.answers(), [], "{} {}: {run:?}", solver.name, way.word());
                assert_eq!(run.reply.errors.len(), 1, "{} {}: {run:?}", solver.name, way.word());
                let (script, answers) = CASES[0];
                let run =
                    runner.ask(solver, Question { script, ask: Outputs::default() }, way).expect("ours");
                assert_eq!(run.reply.answers(), *answers, "{} {}: {run:?}", solver.name, way.word());
            }
        }
    }
}

#[test]
fn a_script_that_does_not_close_is_an_error_and_no_hang() {
    let Some(solvers) = require(&["z3@5.4.0", "cvc5@1.4.2", "bitwuzla@0.9.1", "yices@2.6.5"]) else { return };
    for solver in &solvers {
        let mut runner = Runner::new(Limits::of_time(Duration::from_secs(5)));
        let script = "(set-logic QF_BV)(check-sat)(assert (= #x0";
        let run = runner
            .ask(
                solver,
                Question { script, ask: Outputs { model: true, core: true, reason: false } },
                AskMode::Reset,
            )
            .expect("ours");
        assert!(matches!(run.ending, Ending::Exited(_)), "{}: {run:?}", solver.name);
        assert_eq!(run.way, AskMode::Fresh);
    }
}

#[test]
fn a_check_after_one_that_failed_is_refused_and_no_crash() {
    let Some(solvers) = require(&["cvc5@1.4.2"]) else { return };
    let mut runner = Runner::new(Limits::of_time(Duration::from_secs(20)));
    // cvc5 does not decide floats of this size by default. Its program stops at the error.
    let script = "(set-logic ALL)(assert (exists ((x (_ FloatingPoint 5 11)) (y (_ FloatingPoint 5 11)))\
                  (=> (= x y) (fp.eq x y))))(check-sat)(check-sat)";
    let question = Question { script, ask: Outputs::default() };
    for way in AskMode::ALL {
        let run = runner.ask(&solvers[0], question, way).expect("ours");
        assert_eq!(run.outcome(), Outcome::Rejected, "{run:?}");
    }
    // A session is of use again after that.
    let (script, answers) = CASES[0];
    let run = runner.ask(&solvers[0], Question { script, ask: Outputs::default() }, AskMode::Reset);
    assert_eq!(run.expect("ours").reply.answers(), answers);
}

#[test]
fn cores_name_assertions() {
    let Some(solvers) = require(&["z3@5.4.0", "cvc5@1.4.2", "bitwuzla@0.9.1", "yices@2.6.5"]) else { return };
    let script = "(set-logic QF_BV)(declare-const x (_ BitVec 8))(assert (! (bvult x #x05) :named low))\
                  (assert (! (bvugt x #x05) :named high))(assert (! (= x x) :named other))(check-sat)";
    for solver in &solvers {
        let mut runner = Runner::new(Limits::of_time(Duration::from_secs(20)));
        for way in AskMode::ALL {
            let question = Question { script, ask: Outputs { model: false, core: true, reason: false } };
            let run = runner.ask(solver, question, way).expect("ours");
            let core = run.reply.checks[0].core.as_ref().expect("a core");
            assert!(
                core.iter().any(|n| n == "low") && core.iter().any(|n| n == "high"),
                "{} {run:?}",
                solver.name
            );
        }
    }
}

#[test]
fn several_may_install_the_same_at_once() {
    // Only where there is something to install from.
    if require(&["yices@2.6.5"]).is_none() {
        return;
    }
    let home = std::env::temp_dir().join(format!("gainsay-race-{}", std::process::id()));
    let start = || {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_gainsay"));
        command.args(["solvers", "install", "yices@2.6.5"]).env("GAINSAY_HOME", &home);
        command.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::piped()).spawn().expect("us")
    };
    let outputs: Vec<_> =
        [start(), start(), start()].into_iter().map(|c| c.wait_with_output().expect("an end")).collect();
    assert!(outputs.iter().all(|o| o.status.success()), "{outputs:?}");
    let new = outputs.iter().filter(|o| String::from_utf8_lossy(&o.stderr).contains(": installed")).count();
    assert_eq!(new, 1, "{outputs:?}");
    let left = std::fs::read_dir(home.join("staging")).expect("staging").count();
    assert_eq!(left, 0, "nothing is left in staging");
    std::fs::remove_dir_all(&home).expect("removed");
}

#[test]
fn an_option_of_one_script_is_not_the_next_ones() {
    let Some(solvers) = require(&["z3@5.4.0"]) else { return };
    let mut runner = Runner::new(Limits::of_time(Duration::from_secs(20)));
    let loud = "(set-option :print-success true)(set-option :pp.decimal true)(declare-const x Real)\
                (assert (= (* 8 x) 1))(check-sat)(get-value (x))";
    let plain = "(declare-const x Real)(assert (= (* 8 x) 1))(check-sat)(get-value (x))";
    let mut values = Vec::new();
    for way in [AskMode::Fresh, AskMode::Reset, AskMode::Scoped] {
        for script in [loud, plain, loud, plain] {
            let run =
                runner.ask(&solvers[0], Question { script, ask: Outputs::default() }, way).expect("ours");
            values.push(run.reply.last_output().unwrap_or_default().to_owned());
        }
    }
    assert_eq!(values[0], "((x 0.125))");
    assert_eq!(values[1], "((x (/ 1.0 8.0)))");
    assert!(values.chunks(4).all(|c| c == &values[..4]), "{values:?}");
}
