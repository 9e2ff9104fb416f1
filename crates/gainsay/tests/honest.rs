//! The honest fake solver and its faults, asked as any solver is: each fault is there, and nothing else is.

use std::time::Duration;

use gainsay::case::Answer;
use gainsay::solver::{AskMode, Bound, Ending, Limits, Outcome, Outputs, Question, Run, Runner, Solver};
use smt::{Fuel, Model, Verdict, satisfies};

/// Satisfiable in one way only.
const SAT: &str = "(declare-const x (_ BitVec 4))(declare-const p Bool)
    (assert (! (= (bvmul x #x3) #x1) :named a))(assert (! p :named b))(check-sat)";

/// Unsatisfiable because of `a` and `c`.
const UNSAT: &str = "(declare-const x (_ BitVec 4))(declare-const p Bool)
    (assert (! (= (bvmul x x) #x9) :named a))(assert (! p :named b))(assert (! (bvult x #x3) :named c))(check-sat)";

/// Neither contains `bvmul` nor is decided otherwise.
const OTHER: &str = "(declare-const x (_ BitVec 4))(assert (= (bvadd x #x3) #x1))(check-sat)";

fn ask(solver: &Solver, script: &str, way: AskMode) -> Run {
    let wall = Duration::from_millis(1500);
    let mut runner = Runner::new(Limits { wall, cpu: wall, ..Limits::default() });
    let question = Question { script, ask: Outputs { model: true, core: true, reason: true } };
    runner.ask(solver, question, way).expect("our part works")
}

fn answers(plan: &str, script: &str) -> Vec<Answer> {
    ask(&Solver::fake(plan), script, AskMode::Fresh).reply.answers()
}

/// What our evaluator makes of the model.
fn verdict(run: &Run, script: &str) -> Verdict {
    let script = smt::read(script.as_bytes()).expect("a script");
    let text = run.reply.checks[0].model.as_deref().expect("a model");
    let model = Model::read(&script, None, text.as_bytes()).expect("a model");
    satisfies(&script.queries()[0], &model, &Fuel::default())
}

#[test]
fn lies_are_told_where_the_plan_says_so() {
    use Answer::{Sat, Unknown, Unsat};
    let rows = [
        // plan, what it says of SAT, UNSAT and OTHER
        ("honest", Sat, Unsat, Sat),
        ("honest,sat-for-unsat", Sat, Sat, Sat),
        ("honest,unsat-for-sat", Unsat, Unsat, Unsat),
        ("honest,lie", Unsat, Sat, Unsat),
        ("honest,unknown", Unknown, Unknown, Unknown),
        ("honest,sat", Sat, Sat, Sat),
        ("honest,unsat", Unsat, Unsat, Unsat),
        ("honest,when=bvmul,unsat-for-sat", Unsat, Unsat, Sat),
        ("honest,when=bvmul", Unsat, Sat, Sat),
        ("honest,when=bvult,lie", Sat, Sat, Sat),
        ("honest,when=bvadd,unknown,when=bvult,sat", Sat, Sat, Unknown),
        ("honest,when=bvmul,when=bvult,unknown", Sat, Unknown, Sat),
        ("honest,random", Sat, Unsat, Sat),
        ("honest,slow=30", Sat, Unsat, Sat),
        ("honest,wrong-model,wrong-core", Sat, Unsat, Sat),
    ];
    for (plan, sat, unsat, other) in rows {
        for (script, told) in [(SAT, sat), (UNSAT, unsat), (OTHER, other)] {
            assert_eq!(answers(plan, script), [told], "{plan} on {script}");
        }
    }
}

#[test]
fn lists_are_for_one_check_each() {
    use Answer::{Sat, Unsat};
    let twice = "(push 1)(assert false)(check-sat)(pop 1)(check-sat)(check-sat)";
    assert_eq!(answers("honest", twice), [Unsat, Sat, Sat]);
    assert_eq!(answers("lie;honest", twice), Vec::<Answer>::new(), "no plan");
    assert_eq!(answers("honest,lie;honest", twice), [Sat, Sat, Sat]);
    assert_eq!(answers("sat;honest;unsat", twice), [Sat, Sat, Unsat]);
}

#[test]
fn models_are_right_wrong_or_short() {
    for (plan, good) in [
        ("honest", "true"),
        ("honest,when=bvadd,wrong-model", "true"),
        ("honest,when=bvmul,wrong-model", "false"),
        ("honest,missing-model", "open"),
        ("honest,wrong-model,missing-model", "open"),
    ] {
        let run = ask(&Solver::fake(plan), SAT, AskMode::Fresh);
        let told = match verdict(&run, SAT) {
            Verdict::True => "true",
            Verdict::False => "false",
            Verdict::Open(_) => "open",
        };
        assert_eq!(told, good, "{plan}: {run:?}");
    }
    let lie = ask(&Solver::fake("honest,sat-for-unsat"), UNSAT, AskMode::Fresh);
    assert_eq!(verdict(&lie, UNSAT), Verdict::False);
}

#[test]
fn cores_are_right_wrong_or_large() {
    for (plan, core) in [
        ("honest", vec!["a", "c"]),
        ("honest,wrong-core", vec!["c"]),
        ("honest,when=bvadd,wrong-core", vec!["a", "c"]),
        ("honest,large-core", vec!["a", "b", "c"]),
    ] {
        let run = ask(&Solver::fake(plan), UNSAT, AskMode::Fresh);
        assert_eq!(run.reply.checks[0].core.as_deref().expect("a core"), core, "{plan}");
    }
    let lie = ask(&Solver::fake("honest,unsat-for-sat"), SAT, AskMode::Fresh);
    assert_eq!(lie.reply.checks[0].core.as_deref().expect("a core"), ["a", "b"]);
}

#[test]
fn crashes_and_complaints_come_where_the_plan_says_so() {
    let rows: &[(&str, Ending, Outcome)] = &[
        ("segv", Ending::Killed(11), Outcome::Crashed),
        ("assertion", Ending::Exited(114), Outcome::Crashed),
        ("hang", Ending::Stopped(Bound::Time), Outcome::TimedOut),
        ("slow=9000", Ending::Stopped(Bound::Time), Outcome::TimedOut),
        ("refuse", Ending::Exited(0), Outcome::Rejected),
        ("error=line 1: unknown constant", Ending::Exited(0), Outcome::Rejected),
        ("self-check", Ending::Exited(0), Outcome::SelfCheck),
    ];
    for (fault, ending, outcome) in rows {
        let solver = Solver::fake(&format!("honest,when=bvmul,{fault}"));
        let run = ask(&solver, SAT, AskMode::Fresh);
        // What uses up its time may be ended by either clock.
        let ended =
            if run.ending == Ending::Stopped(Bound::Cpu) { Ending::Stopped(Bound::Time) } else { run.ending };
        assert_eq!((ended, run.outcome()), (*ending, *outcome), "{fault}: {run:?}");
        let other = ask(&solver, OTHER, AskMode::Fresh);
        assert_eq!(
            (other.outcome(), other.reply.answers()),
            (Outcome::Answered, vec![Answer::Sat]),
            "{fault}"
        );
    }
    // A self-check is about a model: there is none to check here.
    let run = ask(&Solver::fake("honest,self-check"), UNSAT, AskMode::Fresh);
    assert_eq!(run.outcome(), Outcome::Answered);
}

#[test]
fn the_random_number_decides() {
    let solver = Solver::fake("honest,random,lie");
    for (number, told) in [(0, Answer::Sat), (1, Answer::Unsat), (2, Answer::Sat), (77, Answer::Unsat)] {
        assert_eq!(ask(&solver.with_seed(number), SAT, AskMode::Fresh).reply.answers(), [told], "{number}");
    }
    let other = Solver::fake_as("cvc5", "honest,random,unknown").expect("a profile").with_seed(3);
    assert_eq!(ask(&other, SAT, AskMode::Fresh).reply.answers(), [Answer::Unknown]);
}

#[test]
fn a_flaky_solver_says_both() {
    let solver = Solver::fake("honest,flaky,lie");
    let mut told = Vec::new();
    for _ in 0..200 {
        told.extend(ask(&solver, SAT, AskMode::Fresh).reply.answers());
        if told.contains(&Answer::Sat) && told.contains(&Answer::Unsat) {
            return;
        }
    }
    panic!("200 times the same");
}

#[test]
fn warm_sessions_are_as_good() {
    let solver = Solver::fake("honest,when=bvmul,lie");
    let mut runner = Runner::new(Limits::default());
    for way in [AskMode::Scoped, AskMode::Reset, AskMode::Fresh] {
        for _ in 0..3 {
            for (script, told) in [
                (SAT, Some(Answer::Unsat)),
                ("(declare-const x Bool)(assert (bvnot x))(check-sat)", None),
                (UNSAT, Some(Answer::Sat)),
                (OTHER, Some(Answer::Sat)),
                ("(declare-const x Int)(assert (> x 3))(check-sat)", Some(Answer::Unknown)),
            ] {
                let question = Question { script, ask: Outputs { model: true, core: true, reason: true } };
                let run = runner.ask(&solver, question, way).expect("our part works");
                assert_eq!(run.reply.answers().first().copied(), told, "{way:?} {script}: {run:?}");
                assert_eq!(run.reply.errors.is_empty(), told.is_some(), "{way:?} {script}: {run:?}");
            }
        }
    }
}

#[test]
fn it_is_named_on_the_command_line() {
    let file = std::env::temp_dir().join(format!("gainsay-honest-{}.smt2", std::process::id()));
    std::fs::write(&file, SAT).expect("a file");
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_gainsay"))
        .args(["check", "--solver", "fake:honest", "--solver", "fake:honest,when=bvmul,unsat-for-sat"])
        .arg(&file)
        .output()
        .expect("ourselves");
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    let row = |name: &str| told.lines().find(|line| line.starts_with(name)).unwrap_or_default().to_owned();
    assert!(row("fake:honest ").contains(" sat"), "{told}");
    assert!(row("fake:honest,when=bvmul,unsat-for-sat").contains(" unsat"), "{told}");
    let wrong = std::process::Command::new(env!("CARGO_BIN_EXE_gainsay"))
        .args(["check", "--solver", "fake:honset"])
        .arg(&file)
        .output()
        .expect("ourselves");
    assert!(String::from_utf8_lossy(&wrong.stderr).contains("cannot `honset`"));
    assert_eq!(wrong.status.code(), Some(4));
    std::fs::remove_file(&file).expect("the file");
}
