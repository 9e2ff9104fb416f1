//! The fake solver does its worst: every ending is told right, within its limits, and nothing is left behind.

use std::path::Path;
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use gainsay::case::Answer;
use gainsay::solver::process::runner::Request;
use gainsay::solver::{
    AskMode, Bound, Ending, Limits, Outcome, Outputs, Question, Run, Runner, SignKind, Solver,
};

/// One at a time: the limits are of time, and the machine is small.
static QUIET: Mutex<()> = Mutex::new(());
static MARKS: AtomicU32 = AtomicU32::new(0);

const SCRIPT: &str = "(declare-const x Int)\n(assert (> x 3))\n(check-sat)\n";

fn limits() -> Limits {
    Limits {
        wall: Duration::from_millis(1500),
        cpu: Duration::from_millis(1500),
        memory: 200 << 20,
        output: 1 << 20,
        processes: 8,
        ..Limits::default()
    }
}

/// A mark that no other process on this machine has.
fn mark() -> String {
    format!("mark-{}-{}", std::process::id(), MARKS.fetch_add(1, Ordering::Relaxed))
}

/// The processes whose command line holds the mark.
fn alive(mark: &str) -> Vec<String> {
    let entries = std::fs::read_dir("/proc").expect("a Linux machine");
    let pids =
        entries.filter_map(|e| e.ok()?.file_name().into_string().ok()).filter(|n| n.parse::<u32>().is_ok());
    let me = std::process::id().to_string();
    pids.filter(|p| *p != me)
        .filter_map(|p| std::fs::read(Path::new("/proc").join(p).join("cmdline")).ok())
        .map(|c| String::from_utf8_lossy(&c).replace('\0', " "))
        .filter(|c| c.contains(mark))
        .collect()
}

/// Asks a fake with that plan, and sees to it that the limits held and nobody is left.
fn run_with(plan: &str, script: &str, limits: Limits, ask: Outputs) -> Run {
    let _quiet = QUIET.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let mark = mark();
    let solver = Solver::fake(&format!("mark={mark},{plan}"));
    let mut runner = Runner::new(limits);
    let start = Instant::now();
    let run = runner.ask(&solver, Question { script, ask }, AskMode::Fresh).expect("our part works");
    let took = start.elapsed();
    assert!(took < limits.wall + Duration::from_millis(1500), "{plan} took {took:?}");
    assert_eq!(alive(&mark), Vec::<String>::new(), "{plan} left processes behind");
    run
}

fn run(plan: &str) -> Run {
    run_with(plan, SCRIPT, limits(), Outputs::default())
}

#[test]
fn every_ending_is_told_apart() {
    let rows: &[(&str, Ending, Outcome, &[Answer])] = &[
        ("sat", Ending::Exited(0), Outcome::Answered, &[Answer::Sat]),
        ("unknown", Ending::Exited(0), Outcome::Answered, &[Answer::Unknown]),
        ("print=unknown (TIMEOUT)", Ending::Exited(0), Outcome::TimedOut, &[Answer::Unknown]),
        ("hang", Ending::Stopped(Bound::Time), Outcome::TimedOut, &[]),
        ("sat,hang", Ending::Stopped(Bound::Time), Outcome::TimedOut, &[Answer::Sat]),
        ("deaf,hang", Ending::Stopped(Bound::Time), Outcome::TimedOut, &[]),
        ("stubborn", Ending::Stopped(Bound::Time), Outcome::TimedOut, &[]),
        ("fork=3,sat", Ending::Exited(0), Outcome::Answered, &[Answer::Sat]),
        ("daemon,sat", Ending::Exited(0), Outcome::Answered, &[Answer::Sat]),
        ("daemon,hang", Ending::Stopped(Bound::Time), Outcome::TimedOut, &[]),
        ("bomb=6,hang", Ending::Stopped(Bound::Processes), Outcome::Unruly, &[]),
        ("flood=1024", Ending::Stopped(Bound::Output), Outcome::Unruly, &[]),
        ("allocate=1000,sat", Ending::Stopped(Bound::Memory), Outcome::OutOfMemory, &[]),
        ("closestdin,sat", Ending::Exited(0), Outcome::Answered, &[Answer::Sat]),
        ("closestdout,sat", Ending::Exited(0), Outcome::Rejected, &[]),
        ("closestdout,hang", Ending::Stopped(Bound::Time), Outcome::TimedOut, &[]),
        ("half,exit=0", Ending::Exited(0), Outcome::Rejected, &[]),
        ("half,signal=11", Ending::Killed(11), Outcome::Crashed, &[]),
        ("sat,halfmodel,exit=1", Ending::Exited(1), Outcome::Answered, &[Answer::Sat]),
        ("exit=139", Ending::Exited(139), Outcome::Crashed, &[]),
        ("exit=3", Ending::Exited(3), Outcome::Rejected, &[]),
        ("assertion", Ending::Exited(114), Outcome::Crashed, &[]),
        ("sat,assertion", Ending::Exited(114), Outcome::Crashed, &[Answer::Sat]),
        ("error=line 1: unknown constant,sat", Ending::Exited(0), Outcome::Rejected, &[]),
        (
            "sat,error=line 9: an invalid model was generated",
            Ending::Exited(0),
            Outcome::SelfCheck,
            &[Answer::Sat],
        ),
        ("print=timeout", Ending::Exited(0), Outcome::TimedOut, &[]),
        ("error=out of memory,exit=101", Ending::Exited(101), Outcome::OutOfMemory, &[]),
        ("print=unsupported", Ending::Exited(0), Outcome::Rejected, &[]),
        ("sat,unsat", Ending::Exited(0), Outcome::Rejected, &[]),
    ];
    for (plan, ending, outcome, answers) in rows {
        // Only what is to run out of time is short of it, so that a busy machine changes nothing.
        let wall =
            if *ending == Ending::Stopped(Bound::Time) { limits().wall } else { Duration::from_secs(20) };
        let run = run_with(plan, SCRIPT, Limits { wall, ..limits() }, Outputs::default());
        assert_eq!(run.ending, *ending, "{plan}: {run:?}");
        assert_eq!(run.outcome(), *outcome, "{plan}: {run:?}");
        assert_eq!(run.reply.answers(), *answers, "{plan}: {run:?}");
    }
}

#[test]
fn every_signal_is_told_apart() {
    for signal in [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 31] {
        let run = run(&format!("signal={signal}"));
        assert_eq!(run.ending, Ending::Killed(signal), "signal {signal}");
        let outcome = match signal {
            1 | 2 | 3 | 13 | 15 => Outcome::Disturbed,
            9 => Outcome::OutOfMemory,
            14 | 24 => Outcome::TimedOut,
            _ => Outcome::Crashed,
        };
        assert_eq!(run.outcome(), outcome, "signal {signal}");
    }
}

#[test]
fn cpu_time_is_bounded_though_wall_time_is_left() {
    let limits = Limits { wall: Duration::from_secs(20), cpu: Duration::from_millis(300), ..limits() };
    let run = run_with("burn=20000", SCRIPT, limits, Outputs::default());
    assert_eq!(run.ending, Ending::Stopped(Bound::Cpu));
    let used = run.cpu.expect("it ended");
    assert!(used > Duration::from_millis(250) && used < Duration::from_secs(2), "{used:?}");
}

#[test]
fn an_assertion_names_its_place() {
    let run = run("assertion");
    let sign = run.signs.iter().find(|s| s.kind == SignKind::Assertion).expect("a sign");
    assert_eq!(sign.file.as_deref(), Some("../src/fake/fake.cpp"));
    assert_eq!(sign.line, Some(42));
    assert_eq!(sign.text, "UNEXPECTED CODE WAS REACHED.");
}

#[test]
fn models_and_cores_are_asked_after_their_answer() {
    let two = "(check-sat)(push 1)(check-sat)(pop 1)(check-sat)";
    let run =
        run_with("sat;unsat;unknown", two, limits(), Outputs { model: true, core: true, reason: false });
    assert_eq!(run.reply.answers(), [Answer::Sat, Answer::Unsat, Answer::Unknown]);
    let models: Vec<bool> = run.reply.checks.iter().map(|c| c.model.is_some()).collect();
    let cores: Vec<bool> = run.reply.checks.iter().map(|c| c.core.is_some()).collect();
    assert_eq!(models, [true, false, false]);
    assert_eq!(cores, [false, true, false]);
}

#[test]
fn a_solver_that_takes_files_is_asked_the_same() {
    let _quiet = QUIET.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let solver = Solver::fake_as("oxiz", "sat;unsat;signal=11").expect("a profile");
    let mut runner = Runner::new(limits());
    let script = "(check-sat)(push 1)(check-sat)(pop 1)(assert false)(check-sat)";
    let question = Question { script, ask: Outputs { model: true, core: true, reason: false } };
    let run = runner.ask(&solver, question, AskMode::Scoped).expect("our part works");
    assert_eq!((run.way, run.ending), (AskMode::Fresh, Ending::Killed(11)));
    assert_eq!(run.reply.answers(), [Answer::Sat, Answer::Unsat]);
    assert!(run.reply.checks[0].model.is_some() && run.reply.checks[1].core.is_some());
    let plain = runner
        .ask(&solver, Question { script, ask: Outputs::default() }, AskMode::Fresh)
        .expect("our part works");
    assert_eq!(plain.reply.answers(), [Answer::Sat, Answer::Unsat]);
}

#[test]
fn a_session_survives_questions_and_is_replaced_when_it_dies() {
    let _quiet = QUIET.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let mark = mark();
    let solver = Solver::fake(&format!("mark={mark},sat;unsat;signal=11"));
    let mut runner = Runner::new(limits());
    let question = Question { script: SCRIPT, ask: Outputs::default() };
    for way in [AskMode::Reset, AskMode::Scoped] {
        let mut ask = || runner.ask(&solver, question, way).expect("our part works");
        let first = ask();
        assert_eq!((first.ending, first.reply.answers()), (Ending::Alive, vec![Answer::Sat]));
        assert_eq!(ask().reply.answers(), [Answer::Unsat]);
        // The third kills the session; a new one begins its plan anew.
        let third = ask();
        assert_eq!(third.earlier, Some(Ending::Killed(11)));
        assert_eq!((third.ending, third.reply.answers()), (Ending::Alive, vec![Answer::Sat]));
    }
    drop(runner);
    assert_eq!(alive(&mark), Vec::<String>::new());
}

#[test]
fn a_late_line_is_never_the_next_answer() {
    let _quiet = QUIET.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let question = Question { script: SCRIPT, ask: Outputs::default() };
    // It comes between two questions: thrown away.
    let solver = Solver::fake("late,sat;sat");
    let mut runner = Runner::new(limits());
    let mut ask = || runner.ask(&solver, question, AskMode::Reset).expect("our part works");
    assert_eq!(ask().reply.answers(), [Answer::Sat]);
    std::thread::sleep(Duration::from_millis(100));
    assert_eq!(ask().reply.answers(), [Answer::Sat]);
    // It comes in the middle of the next: that one is asked again in a new session.
    let solver = Solver::fake("late,sat;sleep=150,sat");
    let mut runner = Runner::new(limits());
    let mut ask = || runner.ask(&solver, question, AskMode::Reset).expect("our part works");
    assert_eq!(ask().reply.answers(), [Answer::Sat]);
    let second = ask();
    assert_eq!(second.reply.answers(), [Answer::Sat]);
    assert_eq!(second.earlier, Some(Ending::Alive));
}

#[test]
fn a_session_that_grows_is_replaced_before_it_is_too_large() {
    let _quiet = QUIET.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    // The size of a session is looked at after each question that takes some time.
    let solver = Solver::fake("slow=20,leak=60,sat");
    let mut runner = Runner::new(limits());
    for _ in 0..6 {
        let run = runner
            .ask(&solver, Question { script: SCRIPT, ask: Outputs::default() }, AskMode::Reset)
            .expect("ours");
        assert_eq!((run.ending, run.earlier), (Ending::Alive, None));
    }
}

/// So does cvc5 when its memory is all but used up: nothing is said, and the session goes on.
#[test]
fn a_session_that_says_nothing_is_replaced() {
    let _quiet = QUIET.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let solver = Solver::fake("sat;sleep=1");
    let mut runner = Runner::new(limits());
    let question = Question { script: SCRIPT, ask: Outputs::default() };
    for way in [AskMode::Reset, AskMode::Scoped] {
        let mut ask = || runner.ask(&solver, question, way).expect("ours");
        assert_eq!(ask().reply.answers(), [Answer::Sat]);
        let second = ask();
        assert_eq!((second.reply.answers(), second.earlier), (vec![Answer::Sat], Some(Ending::Alive)));
    }
    // Whoever says nothing from the start is not asked again.
    let solver = Solver::fake("sleep=1");
    let run = runner.ask(&solver, question, AskMode::Reset).expect("ours");
    assert_eq!((run.outcome(), run.earlier), (Outcome::Rejected, None));
}

/// Names survive `(reset)` in cvc4; the plan with `exit` ends as that does, the one without goes on.
#[test]
fn a_session_that_refuses_for_what_it_was_asked_before_is_replaced() {
    let _quiet = QUIET.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let question = Question { script: SCRIPT, ask: Outputs::default() };
    // (what it says to the second question, what comes of that, how often it was asked)
    let rows = [
        ("Parse Error: <stdin>:9.48: Symbol 'a' previously declared as a variable", Outcome::Answered, true),
        ("Only one set-logic is allowed.", Outcome::Answered, true),
        ("Parse Error: <stdin>:9.48: Symbol 'a' not declared as a variable", Outcome::Rejected, false),
    ];
    for ((words, outcome, again), end) in rows.into_iter().flat_map(|row| [(row, ",exit=1"), (row, "")]) {
        let solver = Solver::fake_as("cvc4", &format!("sat;error={words}{end}")).expect("a profile");
        let mut runner = Runner::new(limits());
        let mut ask = || runner.ask(&solver, question, AskMode::Reset).expect("ours");
        assert_eq!(ask().reply.answers(), [Answer::Sat]);
        let second = ask();
        assert_eq!((second.outcome(), second.earlier.is_some()), (outcome, again), "{words}: {second:?}");
    }
}

#[test]
fn a_hard_question_ends_its_session_and_no_other() {
    let _quiet = QUIET.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let solver = Solver::fake("sat;hang");
    let limits = Limits { wall: Duration::from_millis(300), ..limits() };
    let mut runner = Runner::new(limits);
    let question = Question { script: SCRIPT, ask: Outputs::default() };
    for ending in [Ending::Alive, Ending::Stopped(Bound::Time), Ending::Alive] {
        assert_eq!(runner.ask(&solver, question, AskMode::Reset).expect("ours").ending, ending);
    }
}

/// Some solvers need longer to start than to answer: the time of a question begins when the session is ready.
#[test]
fn a_session_has_time_to_start() {
    let _quiet = QUIET.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let question = Question { script: SCRIPT, ask: Outputs::default() };
    let limits = Limits { wall: Duration::from_secs(20), ..limits() };
    let (answered, late) = (Outcome::Answered, Outcome::TimedOut);
    for (plan, mode, outcomes) in [
        ("begin=2500,sat;sat", AskMode::Reset, &[answered, answered][..]),
        ("begin=2500,sat;hang", AskMode::Scoped, &[answered, late]),
        // A process for one question is part of what the question costs.
        ("begin=4000,sat", AskMode::Fresh, &[late]),
    ] {
        let solver = Solver::fake(plan);
        let mut runner = Runner::new(limits);
        for outcome in outcomes {
            let within = Some(Duration::from_secs(1));
            let request = Request { within, ..Request::new(&solver, question, mode) };
            let run = runner.ask_all(&[request]).expect("our part works").remove(0);
            assert_eq!(run.outcome(), *outcome, "{plan} {mode:?}");
        }
    }
}

#[test]
fn several_are_asked_at_the_same_time() {
    let _quiet = QUIET.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let solvers: Vec<Solver> = ["sleep=1500,sat", "sleep=1500,unsat", "signal=6"].map(Solver::fake).into();
    let mut runner = Runner::new(Limits { wall: Duration::from_secs(10), ..limits() });
    let question = Question { script: SCRIPT, ask: Outputs::default() };
    let requests: Vec<_> =
        solvers.iter().map(|solver| Request::new(solver, question, AskMode::Fresh)).collect();
    let start = Instant::now();
    let runs = runner.ask_all(&requests).expect("our part works");
    assert!(start.elapsed() < Duration::from_millis(2900), "{:?}", start.elapsed());
    let endings: Vec<Ending> = runs.iter().map(|r| r.ending).collect();
    assert_eq!(endings, [Ending::Exited(0), Ending::Exited(0), Ending::Killed(6)]);
}

#[test]
fn nothing_outlives_us_when_we_are_killed() {
    let _quiet = QUIET.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let mark = mark();
    let file = std::env::temp_dir().join(format!("gainsay-{mark}.smt2"));
    std::fs::write(&file, SCRIPT).expect("a file");
    let program = env!("CARGO_BIN_EXE_gainsay");
    let fake = format!("{program} drive fake mark={mark},daemon,deaf,stubborn");
    let mut us = Command::new(program)
        .args(["check", "--timeout", "60", "--solver", &fake])
        .arg(&file)
        .spawn()
        .expect("us");
    let end = Instant::now() + Duration::from_secs(10);
    // Ourselves, the fake, its stubborn child, and the one that called setsid.
    while alive(&mark).len() < 4 {
        assert!(Instant::now() < end, "the fake did not start: {:?}", alive(&mark));
        std::thread::sleep(Duration::from_millis(10));
    }
    us.kill().expect("we may kill what we started");
    us.wait().expect("it ended");
    let end = Instant::now() + Duration::from_secs(5);
    while !alive(&mark).is_empty() {
        assert!(Instant::now() < end, "still there: {:?}", alive(&mark));
        std::thread::sleep(Duration::from_millis(10));
    }
    std::fs::remove_file(&file).expect("the file");
}

/// What each command of a script prints belongs to that command, in every mode, and is never taken for an answer.
#[test]
fn outputs_belong_to_their_commands() {
    const PLAIN: &str =
        "(declare-const p Bool)(assert p)(get-value (p))(check-sat)(echo \"unsat\")(get-value (p))";
    const LEVELS: &str = "(push 1)(assert (not p))(check-sat)(get-value (p))(echo \"sat\")(pop 1)(check-sat)(get-unsat-core)(get-info :nothing)(echo \"\")";
    let both = format!("{PLAIN}{LEVELS}");
    let first = [(1, "unsat"), (2, "((p true))")];
    let all: Vec<(usize, &str)> = first.into_iter().chain([(4, "sat"), (6, "error"), (7, "")]).collect();
    let solver = Solver::fake("honest");
    let mut runner = Runner::new(limits());
    for mode in AskMode::ALL {
        for model in [false, true] {
            for (script, answers, expected) in [
                (PLAIN, vec![Answer::Sat], &first[..]),
                (&both, vec![Answer::Sat, Answer::Unsat, Answer::Sat], &all[..]),
            ] {
                let ask = Outputs { model, ..Outputs::default() };
                let run = runner.ask(&solver, Question { script, ask }, mode).expect("our part works");
                let label = format!("{mode:?} {model} {script}");
                assert_eq!(run.reply.answers(), answers, "{label}");
                assert_eq!(run.outcome(), Outcome::Answered, "{label}");
                let printed: Vec<(usize, &str)> =
                    run.reply.outputs.iter().map(|o| (o.number, o.text().unwrap_or("error"))).collect();
                assert_eq!(printed, expected, "{label}");
            }
        }
    }
}
