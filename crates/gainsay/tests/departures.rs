//! What profiles say of departures from the standard, held against the solvers themselves.

use std::time::Duration;

use gainsay::case::Answer;
use gainsay::solver::acquire::home::Home;
use gainsay::solver::testing::require;
use gainsay::solver::{AskMode, Flag, Limits, Outcome, Outputs, Profile, Question, Runner, Solver};

/// What a solver makes of a script.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Made {
    Sat,
    Unsat,
    Refused,
    /// No answer, or one that tells nothing here.
    Nothing,
}

/// A script, and what those make of it that depart and those that do not.
struct Probe {
    flag: Flag,
    script: &'static str,
    departs: Made,
    keeps: Made,
}

const fn probe(flag: Flag, departs: Made, keeps: Made, script: &'static str) -> Probe {
    Probe { flag, script, departs, keeps }
}

const PROBES: &[Probe] = &[
    probe(
        Flag::OldEscapes,
        Made::Sat,
        Made::Unsat,
        r#"(set-logic QF_SLIA)(assert (= (str.len "\x41") 1))(check-sat)"#,
    ),
    probe(
        Flag::NoUnicodeEscapes,
        Made::Unsat,
        Made::Sat,
        r#"(set-logic QF_SLIA)(assert (= (str.len "\u{41}") 1))(check-sat)"#,
    ),
    probe(
        Flag::OldStringNames,
        Made::Refused,
        Made::Sat,
        r#"(set-logic QF_SLIA)(assert (= (str.to_int "7") 7))(check-sat)"#,
    ),
    probe(
        Flag::NaryBvxnor,
        Made::Sat,
        Made::Refused,
        "(set-logic QF_BV)(declare-const a (_ BitVec 1))(declare-const b (_ BitVec 1))\
         (assert (= b (bvxnor a a a)))(check-sat)",
    ),
    probe(
        Flag::IntAsReal,
        Made::Sat,
        Made::Refused,
        "(set-logic QF_UFLIRA)(declare-const i Int)(declare-fun f (Real) Real)(assert (= (f i) 2.5))(check-sat)",
    ),
    probe(
        Flag::RealAsInt,
        Made::Sat,
        Made::Refused,
        "(set-logic QF_LIRA)(declare-const r Real)(assert (= (mod r 2) 1))(check-sat)",
    ),
    probe(
        Flag::NoDivisible,
        Made::Refused,
        Made::Sat,
        "(set-logic QF_LIA)(declare-const i Int)(assert ((_ divisible 3) i))(check-sat)",
    ),
    probe(
        Flag::FixedDivision,
        Made::Unsat,
        Made::Sat,
        "(set-logic QF_NIA)(declare-const i Int)(assert (= i 0))(assert (= (div 5 i) 7))(check-sat)",
    ),
    probe(
        Flag::FixedDivision,
        Made::Unsat,
        Made::Sat,
        "(set-logic QF_NRA)(declare-const r Real)(assert (= r 0.0))(assert (= (/ 1.0 r) 7.0))(check-sat)",
    ),
    probe(
        Flag::FixedConversion,
        Made::Unsat,
        Made::Sat,
        "(set-logic QF_BVFP)(declare-const x (_ FloatingPoint 8 24))(declare-const y (_ FloatingPoint 8 24))\
         (assert (= x (_ NaN 8 24)))(assert (= y (_ +oo 8 24)))\
         (assert (distinct ((_ fp.to_ubv 8) RNE x) ((_ fp.to_ubv 8) RNE y)))(check-sat)",
    ),
];

/// Logics that a solver has, by what its profile is called; what it refuses elsewhere tells nothing.
fn understands(solver: &Solver, script: &str) -> bool {
    let has = |logic: &str| script.contains(logic);
    match solver.profile.name.as_str() {
        "bitwuzla" => has("QF_BV"),
        "boolector" => has("QF_BV)"),
        "yices" => !has("QF_SLIA") && !has("QF_BVFP"),
        "cvc4" => !has("QF_BVFP"),
        _ => true,
    }
}

fn made(solver: &Solver, script: &str) -> (Made, String) {
    let mut runner = Runner::new(Limits::of_time(Duration::from_secs(20)));
    // A solver of which no release is known is sent scripts as they are written.
    let mut as_written = solver.clone();
    as_written.release = None;
    let run = runner
        .ask(&as_written, Question { script, ask: Outputs::default() }, AskMode::Fresh)
        .expect("our part works");
    let made = match (run.outcome(), &run.reply.answers()[..]) {
        (Outcome::Answered, [Answer::Sat]) => Made::Sat,
        (Outcome::Answered, [Answer::Unsat]) => Made::Unsat,
        (Outcome::Rejected, _) => Made::Refused,
        _ => Made::Nothing,
    };
    (made, format!("{run:?}"))
}

/// One release of each solver, and whatever else is installed.
fn solvers() -> Vec<Solver> {
    let home = Home::of_environment();
    let wanted = ["z3@4.8.7", "z3@5.4.0", "cvc5@1.4.2", "bitwuzla@0.9.1", "yices@2.6.5", "boolector@3.2.4"];
    for name in wanted {
        let _ = require(&[name]);
    }
    let mut found = Vec::new();
    for profile in Profile::all() {
        for release in home.installed(&profile.name) {
            let solver = Solver::installed(profile, &release, &home);
            let full = ["cvc4", "cvc5"].contains(&profile.name.as_str());
            found.push(if full { solver.with_options(&["--strings-exp".to_owned()]) } else { solver });
        }
    }
    found
}

#[test]
fn profiles_tell_the_truth() {
    for solver in solvers() {
        for probe in PROBES.iter().filter(|p| understands(&solver, p.script)) {
            let expected = if solver.has(probe.flag) { probe.departs } else { probe.keeps };
            let (made, run) = made(&solver, probe.script);
            if made != Made::Nothing {
                assert_eq!(made, expected, "{} {:?}: {run}", solver.name, probe.flag);
            }
        }
    }
}

/// Solvers that have strings print a model that we read as they meant it.
#[test]
fn strings_of_models_are_read_as_they_are_meant() {
    const SCRIPT: &str = "(set-logic QF_SLIA)(declare-const x String)(declare-const y String)\
        (assert (= (str.len x) 3))(assert (not (= x \"abc\")))(assert (= y (str.++ x \"b\")))(check-sat)";
    let script = smt::read(SCRIPT.as_bytes()).expect("the script is ours");
    let ask = script.queries().pop().expect("there is a check");
    for solver in solvers().iter().filter(|s| ["z3", "cvc4", "cvc5"].contains(&s.profile.name.as_str())) {
        let mut runner = Runner::new(Limits::of_time(Duration::from_secs(20)));
        let question = Question { script: SCRIPT, ask: Outputs { model: true, core: false, reason: false } };
        let run = runner.ask(solver, question, AskMode::Fresh).expect("our part works");
        let text = run.reply.checks[0].model.clone().unwrap_or_else(|| panic!("{}: {run:?}", solver.name));
        let model = smt::Model::read_in(&script, Some(ask.command), text.as_bytes(), solver.manner());
        let model = model.unwrap_or_else(|e| panic!("{}: {e}: {text}", solver.name));
        let verdict = smt::satisfies(&ask, &model, &smt::Fuel::default());
        assert!(matches!(verdict, smt::Verdict::True), "{}: {verdict:?}: {text}", solver.name);
    }
}
