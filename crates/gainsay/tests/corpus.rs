//! The built-in corpus on real solvers: each that reads a script answers it, quickly and as the script says.

use std::sync::Mutex;
use std::time::Duration;

use gainsay::case::Answer;
use gainsay::seed::builtin::scripts;
use gainsay::solver::testing::require;
use gainsay::solver::{AskMode, Limits, Outputs, Question, Runner, Solver};
use smt::theory::table;
use smt::{Head, Script, Sort, What, read};

/// Scripts that a solver cannot answer though it knows every operator: the beginning of their names, the solver, why.
const EXCUSED: &[(&str, &str, &str)] = &[
    ("arrays/constant", "cvc5", "constant arrays need --arrays-exp"),
    ("floats/tiny-format", "cvc5", "other formats than Float32 and Float64 need --fp-exp"),
    ("floats/half-precision", "cvc5", "other formats than Float32 and Float64 need --fp-exp"),
    ("small_floats/", "cvc5", "other formats than Float32 and Float64 need --fp-exp"),
    ("fields/", "cvc5", "it is built without the library that decides them"),
    ("finite_sets/sizes-of-bits", "cvc5", "sizes of sets over a finite sort need --sets-exp"),
    ("quantifiers/small-model", "cvc5", "it says unknown unless it looks for finite models"),
    ("recursion/length", "cvc5", "it says unknown where a recursive definition is satisfiable"),
    ("recursion/sum", "cvc5", "it says unknown where a recursive definition is satisfiable"),
    ("regexes/replace-a-match", "z3", "it says unknown where a match is replaced"),
    ("higher_order/", "z3", "it has no sort ->"),
    ("past/fused-multiply-add", "cvc5", "other formats than Float32 and Float64 need --fp-exp"),
    ("past/remainder-above-divisor", "cvc5", "other formats than Float32 and Float64 need --fp-exp"),
    ("past/subnormal-whole-number", "cvc5", "other formats than Float32 and Float64 need --fp-exp"),
    ("past/small-float-of-a-number", "cvc5", "other formats than Float32 and Float64 need --fp-exp"),
    ("past/xnor-of-three", "cvc5", "it takes two"),
    ("past/leading-zero", "z3", "it looks for numbers without end"),
    ("past/size-without-one", "z3", "it says unsat, which is wrong"),
    ("past/sizes-without", "z3", "it says unsat, which is wrong"),
];

fn is_excused(name: &str, solver: &str) -> bool {
    EXCUSED.iter().any(|(start, whom, _)| name.starts_with(start) && *whom == solver)
}

/// Whether a solver knows all operators and sorts of a script.
fn is_read_by(script: &Script, solver: &str) -> bool {
    let pool = &script.pool;
    let knows = |op| table().op(op).readers.get(solver).is_some();
    let operators = pool.all_terms().all(|term| match pool.node(term).head {
        Head::Op(op, _) => knows(op),
        Head::Choice(_) => solver == "z3",
        Head::Comprehension(_) => solver == "cvc5",
        _ => true,
    });
    let only_cvc5 =
        |sort| matches!(sort, Sort::Set(_) | Sort::Bag(_) | Sort::Tuple(_) | Sort::FiniteField(_));
    operators && (solver != "z3" || !pool.all_terms().any(|term| only_cvc5(pool.sort(pool.sort_of(term)))))
}

/// The status that holds at each check.
fn statuses(script: &Script) -> Vec<Answer> {
    let mut status = None;
    let mut all = Vec::new();
    for command in &script.commands {
        match command.what {
            What::SetInfo(key, value) if script.pool.text(key) == ":status" => {
                status = Some(if script.pool.text(value) == "sat" { Answer::Sat } else { Answer::Unsat });
            }
            What::CheckSat | What::CheckSatAssuming(_) => {
                all.push(status.expect("a status before each check"));
            }
            _ => {}
        }
    }
    all
}

/// What is wrong with a solver's answer to a script, if anything is.
fn complaint(
    runner: &mut Runner,
    solver: &Solver,
    name: &str,
    text: &str,
    script: &Script,
) -> Option<String> {
    let question = Question { script: text, ask: Outputs::default() };
    let run = runner.ask(solver, question, AskMode::Fresh).expect("our part works");
    let wanted = statuses(script);
    let fine = run.reply.answers() == wanted && run.reply.errors.is_empty();
    (!fine).then(|| {
        format!(
            "{name} on {}: {:?}, not {wanted:?}; {:?} {:?}",
            solver.name,
            run.reply.answers(),
            run.ending,
            run.reply.errors
        )
    })
}

#[test]
fn real_solvers_answer_as_the_scripts_say() {
    let Some(solvers) = require(&["z3@5.4.0", "cvc5@1.4.2"]) else { return };
    // Each takes less than a second of a quiet machine.
    let (wall, cpu) = (Duration::from_secs(60), Duration::from_secs(10));
    let left: Mutex<Vec<_>> = Mutex::new(scripts().collect());
    let (wrong, asked) = (Mutex::new(Vec::new()), Mutex::new([0; 2]));
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                let mut runner = Runner::new(Limits { wall, cpu, ..Limits::default() });
                loop {
                    let Some((name, text)) = left.lock().expect("no thread fails").pop() else { return };
                    let script = read(text.as_bytes()).expect(name);
                    for (i, solver) in solvers.iter().enumerate() {
                        let profile = solver.profile.name.as_str();
                        if is_excused(name, profile) || !is_read_by(&script, profile) {
                            continue;
                        }
                        asked.lock().expect("no thread fails")[i] += 1;
                        let found = complaint(&mut runner, solver, name, text, &script);
                        wrong.lock().expect("no thread fails").extend(found);
                    }
                }
            });
        }
    });
    let wrong = wrong.into_inner().expect("no thread fails");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let asked = asked.into_inner().expect("no thread fails");
    assert!(asked.iter().all(|n| *n > 180), "{asked:?}");
}

#[test]
fn excuses_are_for_scripts_that_are_there() {
    for (start, _, why) in EXCUSED {
        assert!(scripts().any(|(name, _)| name.starts_with(start)), "{start}: {why}");
    }
}

/// What has few free bits needs no other solver: among it the fields, which none of ours decides.
#[test]
fn what_can_be_tried_out_is_as_the_scripts_say() {
    let solver = Solver::fake("honest");
    let mut runner = Runner::new(Limits::default());
    let mut decided = 0;
    for (name, text) in scripts() {
        let script = read(text.as_bytes()).expect(name);
        let question = Question { script: text, ask: Outputs::default() };
        let run = runner.ask(&solver, question, AskMode::Reset).expect("our part works");
        let wanted = statuses(&script);
        assert_eq!(run.reply.checks.len(), wanted.len(), "{name}: {run:?}");
        for (check, wanted) in run.reply.checks.iter().zip(wanted) {
            assert!(check.answer == wanted || check.answer == Answer::Unknown, "{name}: {:?}", check.answer);
            decided += usize::from(check.answer == wanted);
        }
        assert!(!name.starts_with("fields/") || run.reply.answers()[0] != Answer::Unknown, "{name}");
    }
    assert!(decided >= 60, "{decided}");
}
