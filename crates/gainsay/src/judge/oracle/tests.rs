//! What must not accuse, and what must: every line of the checklist against false alarms, on hand-made trials.

mod alone;

use std::time::Duration;

use super::{Entry, ORACLES, named};
use crate::case::{Answer, Case, CheckRef, Claim, Lineage};
use crate::judge::probe::{Judgement, Probe, Probed, Step, Told};
use crate::judge::{Budget, CrashSite, Kind, Trial};
use crate::solver::acquire::home::Home;
use crate::solver::process::limits::Bound;
use crate::solver::process::reply::Part;
use crate::solver::{AskMode, Ending, Release, Run, Solver, SolverId};

/// A solver of that name and release, with an option set after it; it is never started.
fn solver(name: &str) -> Solver {
    if let Some((name, config)) = name.split_once(' ') {
        return solver(name).with_config(config).expect("an option set");
    }
    let id: SolverId = name.parse().expect("a name");
    let home = Home::at(std::env::temp_dir().join("gainsay-nowhere"));
    let newest = Release::parse("99").expect("a release");
    Solver::installed(&id.profile().expect("a profile"), id.release().unwrap_or(&newest), &home)
}

/// The run of a solver that printed this and ended so. After `model:` comes what it printed for `get-model`, after `core:`
/// for `get-unsat-core`.
fn run_of(solver: &Solver, printed: &str, ending: Ending) -> Run {
    let mut reply = crate::solver::Reply::default();
    for part in printed.split("next:") {
        let (rest, core) = part.split_once("core:").map_or((part, None), |(a, b)| (a, Some(b)));
        let (script, model) = rest.split_once("model:").map_or((rest, None), |(a, b)| (a, Some(b)));
        reply.take(&format!("{}\n", script.trim()), Part::Script);
        if let Some(model) = model {
            reply.take(&format!("{}\n", model.trim()), Part::Model);
        }
        if let Some(core) = core {
            reply.take(&format!("{}\n", core.trim()), Part::Core);
        }
    }
    let signs = crate::solver::process::signs::signs(&solver.profile, &reply, ending);
    let (way, wall) = (AskMode::Fresh, Duration::from_millis(5));
    Run { way, reply, ending, earlier: None, signs, wall, cpu: None, peak: None }
}

fn said(solver: &Solver, printed: &str) -> Run {
    match printed {
        "TIME" => Run { wall: Duration::from_secs(10), ..run_of(solver, "", Ending::Stopped(Bound::Time)) },
        "MEMORY" => run_of(solver, "", Ending::Stopped(Bound::Memory)),
        "SEGV" => run_of(solver, "", Ending::Killed(11)),
        "KILL" => run_of(solver, "", Ending::Killed(9)),
        "TERM" => run_of(solver, "", Ending::Killed(15)),
        _ => run_of(solver, printed, Ending::Exited(0)),
    }
}

/// What all usual oracles, and that of refusals, say of a script, given what each solver printed and what each prints when asked
/// again: the kinds with the accused, or nothing.
fn judged(
    script: &str,
    claims: Vec<Claim>,
    runs: &[(&str, &str)],
    again: &dyn Fn(&Probe) -> &'static str,
) -> Vec<String> {
    judged_by(&|o| o.usual || o.name == "rejection", (script, claims), Budget::NONE, runs, again)
}

/// What some oracles say of a script within a budget.
fn judged_by(
    judges: &dyn Fn(&Entry) -> bool,
    (script, claims): (&str, Vec<Claim>),
    budget: Budget,
    runs: &[(&str, &str)],
    again: &dyn Fn(&Probe) -> &'static str,
) -> Vec<String> {
    let case = Case {
        script: smt::read(script.as_bytes()).expect(script),
        others: Vec::new(),
        claims,
        lineage: Lineage::default(),
    };
    let solvers: Vec<_> = runs.iter().map(|(name, _)| solver(name)).collect();
    let made = solvers.iter().zip(runs).map(|(s, (_, printed))| Some(said(s, printed))).collect();
    let mut trial = Trial::new(&case, script, &solvers, made);
    trial.budget = budget;
    let mut found = Vec::new();
    for entry in ORACLES.iter().filter(|o| judges(o)) {
        let mut probed: Vec<Probed> = Vec::new();
        let judgement = loop {
            match entry.oracle.step(&trial, &Told { probed: &probed, proofs: &[] }) {
                Step::Judge(judgement) => break judgement,
                Step::Ask(wanted) => {
                    assert!(probed.len() < 50, "{} asks without end", entry.name);
                    for probe in wanted.probes {
                        let run = said(&solvers[probe.whom], again(&probe));
                        probed.push(Probed { probe, run });
                    }
                }
            }
        };
        if let Judgement::Complain(complaints) = judgement {
            found.extend(complaints.into_iter().map(|c| {
                let whom = c.against.map_or("nobody", |i| runs[i].0);
                format!("{} {whom}", c.kind())
            }));
        }
    }
    found
}

fn plainly(script: &str, runs: &[(&str, &str)]) -> Vec<String> {
    judged(script, Vec::new(), runs, &|_| "unknown")
}

const NOTHING: [&str; 0] = [];
const X: &str = "(declare-const x Int)(assert (> x 5))(check-sat)";

#[test]
fn what_is_no_answer_is_no_evidence() {
    let right = "sat model: ((define-fun x () Int 6))";
    for other in ["TIME", "MEMORY", "unknown", "KILL", "TERM", "timeout", "(error \"line 1: unsupported\")"] {
        let found = plainly(X, &[("z3", right), ("yices", other)]);
        assert_eq!(found, NOTHING, "{other}");
    }
    // An answer after an error is none.
    let found = plainly(X, &[("z3", right), ("cvc4", "(error \"no\")\nunsat")]);
    assert_eq!(found, NOTHING);
    // What a limit cut short is compared as far as it goes.
    let two = "(declare-const p Bool)(assert p)(check-sat)(assert (not p))(check-sat)";
    let p = "sat model: ((define-fun p () Bool true)) next: unsat";
    assert_eq!(plainly(two, &[("z3", p), ("cvc5", "sat")]), NOTHING);
}

#[test]
fn sat_against_unsat_needs_a_model() {
    let right = "sat model: ((define-fun x () Int 6))";
    let row = [("z3", right), ("cvc5", "unsat")];
    // The accused contradicts itself when the model is written in.
    let itself = |p: &Probe| if p.script.contains("(define-fun x () Int 6)") { "sat" } else { "unknown" };
    assert_eq!(judged(X, vec![], &row, &itself), ["soundness cvc5"]);
    // It insists, and only the solver that gave the model says sat: nobody confirms our evaluation.
    let insists = |p: &Probe| if p.whom == 1 { "unsat" } else { "sat" };
    assert_eq!(judged(X, vec![], &row, &insists), ["unconfirmed nobody"]);
    // Another release of the make that gave the model does not confirm it either.
    let release = [("z3", right), ("cvc5", "unsat"), ("z3@4.8.7", "unknown")];
    assert_eq!(judged(X, vec![], &release, &insists), ["unconfirmed nobody"]);
    // A third make does.
    let third = [("z3", right), ("cvc5", "unsat"), ("yices", "unknown")];
    assert_eq!(judged(X, vec![], &third, &insists), ["soundness cvc5"]);
    // It insists, and nobody else says anything.
    let alone = |p: &Probe| if p.whom == 1 { "unsat" } else { "unknown" };
    assert_eq!(judged(X, vec![], &row, &alone), ["unconfirmed nobody"]);
    // It insists, and another agrees with it: the meaning is disputed. No majority votes.
    let three = [("z3", right), ("cvc5", "unsat"), ("yices", "unsat")];
    let both = |p: &Probe| if p.whom == 0 { "sat" } else { "unsat" };
    assert_eq!(judged(X, vec![], &three, &both), ["disagreement nobody"]);
    // No model, no accusation.
    assert_eq!(plainly(X, &[("z3", "sat"), ("cvc5", "unsat")]), ["disagreement nobody"]);
}

#[test]
fn a_wrong_model_is_false_without_completion() {
    let wrong = [("z3", "sat model: ((define-fun x () Int 5))")];
    assert_eq!(judged(X, vec![], &wrong, &|_| "unsat"), ["wrong-model z3"]);
    // It does not contradict itself, and nobody else speaks: our evaluation alone accuses nobody.
    assert_eq!(judged(X, vec![], &wrong, &|_| "unknown"), ["unconfirmed nobody"]);
    assert_eq!(judged(X, vec![], &wrong, &|_| "sat"), ["unconfirmed nobody"]);
    let two =
        [("z3", "sat model: ((define-fun x () Int 5))"), ("cvc5", "sat model: ((define-fun x () Int 7))")];
    let other = |p: &Probe| if p.whom == 0 { "sat" } else { "unsat" };
    assert_eq!(judged(X, vec![], &two, &other), ["wrong-model z3"]);
    // A value that the model does not give is open.
    assert_eq!(plainly(X, &[("z3", "sat model: ()")]), NOTHING);
}

/// What it is about, a script, and a model that must not be called wrong.
const OPEN_MODELS: &[(&str, &str, &str)] = &[
    (
        "division by zero",
        "(declare-const x Int)(assert (= (div x 0) 5))(check-sat)",
        "((define-fun x () Int 1))",
    ),
    ("modulo zero", "(declare-const x Int)(assert (= (mod x 0) 5))(check-sat)", "((define-fun x () Int 1))"),
    (
        "real division by zero",
        "(declare-const x Real)(assert (= (/ x 0.0) 5.0))(check-sat)",
        "((define-fun x () Real 1.0))",
    ),
    (
        "the sign of a least zero",
        "(declare-const x Float16)(assert (= x (fp.min (_ +zero 5 11) (_ -zero 5 11))))(check-sat)",
        "((define-fun x () (_ FloatingPoint 5 11) (_ -zero 5 11)))",
    ),
    (
        "a float out of range",
        "(declare-const x (_ BitVec 4))(assert (= x ((_ fp.to_ubv 4) RNE (_ +oo 5 11))))(check-sat)",
        "((define-fun x () (_ BitVec 4) #x3))",
    ),
    (
        "a selector of another constructor",
        "(declare-datatype L ((nil) (cons (head Int) (tail L))))(declare-const l L)(assert (= (head l) 3))(check-sat)",
        "((define-fun l () L nil))",
    ),
    (
        "an element past the end",
        "(declare-const s (Seq Int))(assert (= (seq.nth s 4) 3))(check-sat)",
        "((define-fun s () (Seq Int) (as seq.empty (Seq Int))))",
    ),
    (
        "an algebraic number",
        "(declare-const x Real)(assert (= (* x x) 2.0))(check-sat)",
        "((define-fun x () Real (root-obj (+ (^ x 2) (- 2)) 2)))",
    ),
    (
        "a quantifier over all integers",
        "(declare-fun f (Int) Int)(assert (forall ((x Int)) (> (f x) x)))(check-sat)",
        "((define-fun f ((x Int)) Int (+ x 1)))",
    ),
    (
        "a universe that is not said to be whole",
        "(declare-sort U 0)(declare-const a U)(assert (forall ((x U)) (= x a)))(check-sat)",
        "((define-fun a () U (as @U_0 U)))",
    ),
    (
        "another check's scope",
        "(declare-const x Int)(assert (> x 0))(check-sat)(assert (> x 9))(check-sat)",
        "((define-fun x () Int 5)) next: unknown",
    ),
];

#[test]
fn what_is_false_as_it_stands_is_not_sat() {
    let ground = "(assert (= (str.len \"ab\") 3))(check-sat)";
    type Row<'r> = (&'r str, &'r [(&'r str, &'r str)], &'r [&'r str]);
    let rows: [Row<'_>; 8] = [
        // With a model or without one; our evaluation alone accuses nobody.
        (ground, &[("z3", "sat model: ()")], &["unconfirmed nobody"]),
        (ground, &[("z3", "sat"), ("cvc5", "unknown")], &["unconfirmed nobody"]),
        (ground, &[("z3", "unknown")], &[]),
        // Nobody else may say sat.
        (ground, &[("z3", "sat model: ()"), ("cvc5", "sat")], &[]),
        // What is declared but not named, and what is defined, is no choice.
        (
            "(declare-const p Bool)(define-fun f () Int 1)(assert (> f 2))(check-sat)",
            &[("z3", "sat")],
            &["unconfirmed nobody"],
        ),
        // What is left to the model is one, and so is what is declared.
        ("(assert (= (div 1 0) 2))(check-sat)", &[("z3", "sat model: ()")], &[]),
        ("(declare-const p Bool)(assert p)(check-sat)", &[("z3", "sat")], &[]),
        (
            "(declare-const p Bool)(assert p)(check-sat)",
            &[("z3", "sat model: ((define-fun p () Bool false))")],
            &["unconfirmed nobody"],
        ),
    ];
    for (script, runs, expected) in rows {
        let found = plainly(script, runs);
        assert_eq!(found, expected, "{script} {runs:?}");
    }
    // In another language it may be something else.
    assert_eq!(plainly("(assert (= (bvxnor #b1 #b1 #b1) #b0))(check-sat)", &[("yices", "sat")]), NOTHING);
    let two = judged(ground, vec![], &[("z3", "sat"), ("cvc5", "unsat")], &|p| {
        if p.whom == 0 { "sat" } else { "unsat" }
    });
    assert!(two.contains(&"soundness z3".to_owned()), "{two:?}");
}

#[test]
fn what_is_left_open_is_not_wrong() {
    for (about, script, model) in OPEN_MODELS {
        for whom in ["z3", "cvc5"] {
            let printed = format!("sat model: {model}");
            assert_eq!(plainly(script, &[(whom, &printed)]), NOTHING, "{about} by {whom}");
        }
    }
}

/// What it is about, a script, who says sat with which model, and who says unsat but must not be accused of it.
const INNOCENT: &[(&str, &str, (&str, &str), &str)] = &[
    (
        "a recursive definition is an axiom",
        "(define-fun-rec f ((x Int)) Int (+ (f x) 1))(declare-const y Int)(assert (= y 0))(check-sat)",
        ("z3", "((define-fun y () Int 0))"),
        "cvc5",
    ),
    (
        "characters above 255",
        "(declare-const s String)(assert (= (str.len s) 1))(assert (not (= s \"a\")))(check-sat)",
        ("cvc5", "((define-fun s () String \"\\u{100}\"))"),
        "z3@4.8.10",
    ),
    (
        "escapes in the manner of the standard",
        "(declare-const s String)(assert (= s \"\\u{61}\"))(assert (= (str.len s) 1))(check-sat)",
        ("cvc5", "((define-fun s () String \"a\"))"),
        "z3@4.8.10",
    ),
    (
        "an extension of another solver",
        "(declare-const x (_ BitVec 2))(assert (= x (bvxnor x x x)))(check-sat)",
        ("z3", "((define-fun x () (_ BitVec 2) #b00))"),
        "bitwuzla",
    ),
    (
        "a codatatype may be cyclic",
        "(declare-codatatypes ((S 0)) (((scons (shead Int) (stail S)))))(declare-const s S)(assert (= (shead s) 1))(check-sat)",
        ("cvc5", "((define-fun s () S (scons 1 s)))"),
        "z3",
    ),
    (
        "an element of an uninterpreted sort",
        "(declare-sort U 0)(declare-const a U)(declare-const b U)(assert (distinct a b))(assert (forall ((x U)) (= x a)))(check-sat)",
        ("z3", "((define-fun a () U (as @U_0 U)) (define-fun b () U (as @U_1 U)))"),
        "cvc5",
    ),
];

#[test]
fn another_meaning_is_no_mistake() {
    for (about, script, (sat, model), unsat) in INNOCENT {
        let printed = format!("sat model: {model}");
        // Everybody says sat with the model written in, and nothing to other questions.
        let again = |p: &Probe| if p.outputs.model { "unknown" } else { "sat" };
        let found = judged(script, vec![], &[(sat, &printed), (unsat, "unsat")], &again);
        let accused = found.iter().any(|f| f.ends_with(unsat));
        assert!(!accused, "{about}: {found:?}");
    }
}

#[test]
fn what_is_older_than_the_standard_is_no_mistake() {
    let text =
        "(declare-const x String)(assert (str.in_re x ((_ re.loop 2 0) (str.to_re \"a\"))))(check-sat)";
    let script = smt::read(text.as_bytes()).expect("well-sorted");
    let speaks = |name| {
        crate::judge::language::speaks(&solver(name), &script.pool, &script.queries()[0].assertions).is_ok()
    };
    assert_eq!(["z3@4.8.7", "z3@4.8.8", "z3@4.8.9", "z3@5.4.0"].map(speaks), [false, false, true, true]);
}

#[test]
fn numbers_that_a_solver_rounds_are_open() {
    let script = "(declare-const x Real)(assert (= (* x 3.0) 1.0))(check-sat)";
    let rounded = "sat model: ((define-fun x () Real 0.333333))";
    assert_eq!(plainly(script, &[("yices", rounded)]), NOTHING);
    assert_eq!(judged(script, vec![], &[("z3", rounded)], &|_| "unsat"), ["wrong-model z3"]);
}

#[test]
fn a_crash_is_one_with_more_room_too() {
    let row = [("z3", "SEGV")];
    assert_eq!(judged(X, vec![], &row, &|p| if p.roomy { "SEGV" } else { "sat" }), ["crash z3"]);
    assert_eq!(judged(X, vec![], &row, &|_| "sat"), NOTHING);
    assert_eq!(judged(X, vec![], &row, &|_| "MEMORY"), NOTHING);
}

#[test]
fn a_sanitizers_crash_is_where_its_stack_is() {
    let place = |pid: u32, address: u32| {
        let text = format!(
            "=={pid}==ERROR: AddressSanitizer: SEGV on unknown address 0x{address:x} (pc 0x{address:x} T0)\n    \
             #0 0x{address:x} in core::f(int) ../src/core.cpp:7\n"
        );
        let mut run = run_of(&solver("z3"), "", Ending::Exited(1));
        run.reply.stderr = text;
        run.signs = crate::solver::process::signs::signs(&solver("z3").profile, &run.reply, run.ending);
        CrashSite::of(&run)
    };
    assert_eq!(place(1, 12), CrashSite::Line { file: "../src/core.cpp".to_owned(), line: 7 });
    assert_eq!(place(1, 12), place(4711, 0xabc));
}

#[test]
fn a_solvers_own_complaint_is_its_own_kind() {
    let printed = "sat\n(error \"line 3 column 10: an invalid model was generated\")";
    assert_eq!(plainly(X, &[("z3@4.8.7", printed)]), ["self-check z3@4.8.7"]);
}

const NAMED: &str = "(declare-const x Int)(assert (> x 3))(assert (! (< x 2) :named a))(assert (! (> x 0) :named |b c|))\
                     (assert (! (< x 9) :named d))(check-sat)";

#[test]
fn a_core_has_what_has_no_name() {
    // `(a)` is a core, because `(> x 3)` has no name.
    let sat = |p: &Probe| {
        let all = p.script.contains("(> x 3)") && p.script.contains("(< x 2)");
        if all { "unsat" } else { "sat model: ((define-fun x () Int 4))" }
    };
    assert_eq!(judged(NAMED, vec![], &[("z3", "unsat core: (a)")], &sat), NOTHING);
    assert_eq!(judged(NAMED, vec![], &[("z3", "unsat core: (|b c| d)")], &sat), ["wrong-core z3"]);
    // That it is sat must be shown by a model, not by somebody's word.
    assert_eq!(judged(NAMED, vec![], &[("z3", "unsat core: (d)")], &|_| "sat"), NOTHING);
    let minimal = vec![Claim::Core(CheckRef::own(0), vec!["a".to_owned()])];
    let row = |name: &'static str| [(name, "unsat core: (a |b c|)")];
    // Only who was asked for a minimal core can miss it; and nobody is asked what the claim says.
    assert_eq!(judged(NAMED, minimal.clone(), &row("z3"), &|_| "unsat"), NOTHING);
    let asked = "z3 published";
    assert_eq!(judged(NAMED, minimal, &row(asked), &|_| unreachable!()), ["imprecision z3 published"]);
}

#[test]
fn claims_are_checked_before_they_convict() {
    let own = CheckRef::own(0);
    let unsat = || vec![Claim::Is(own, Answer::Unsat)];
    // A model refutes the claim: nobody is accused.
    let right = ("z3", "sat model: ((define-fun x () Int 6))");
    assert_eq!(judged(X, unsat(), &[right], &|_| "unknown"), NOTHING);
    // Nobody supports the claim, and the model cannot be refuted.
    assert_eq!(judged(X, unsat(), &[("z3", "sat")], &|_| "unknown"), ["unconfirmed nobody"]);
    // Another solver does.
    let both = [("z3", "sat"), ("cvc5", "unsat")];
    let found = judged(X, unsat(), &both, &|_| "unknown");
    assert!(found.contains(&"soundness z3".to_owned()), "{found:?}");
    // A witness is evaluated.
    let witness = |text: &str| vec![Claim::Witness(own, text.to_owned())];
    let good = witness("((define-fun x () Int 6))");
    assert_eq!(judged(X, good, &[("z3", "unsat")], &|_| "sat"), ["soundness z3"]);
    let bad = witness("((define-fun x () Int 5))");
    assert_eq!(judged(X, bad, &[("z3", "unsat")], &|_| "sat"), NOTHING);
}

#[test]
fn refusals_count_where_the_table_knows() {
    let error = "(error \"line 1 column 9: unknown constant\")";
    assert_eq!(judged(X, vec![], &[("z3", error)], &|_| error_text()), ["rejection z3"]);
    // With all logics it takes it.
    assert_eq!(judged(X, vec![], &[("z3", error)], &|_| "sat"), NOTHING);
    // The table does not speak of yices.
    assert_eq!(judged(X, vec![], &[("yices", error)], &|_| error_text()), NOTHING);
    // An operator that it is not known to read.
    let script = "(declare-const s (Set Int))(assert (set.member 1 s))(check-sat)";
    assert_eq!(judged(script, vec![], &[("z3", error)], &|_| error_text()), NOTHING);
}

fn error_text() -> &'static str {
    "(error \"line 1 column 9: unknown constant\")"
}

#[test]
fn the_status_of_a_script_is_no_evidence() {
    let script = "(set-info :status unsat)(declare-const x Int)(assert (> x 5))(check-sat)";
    assert_eq!(plainly(script, &[("z3", "sat")]), NOTHING);
}

#[test]
fn all_oracles_are_named_once() {
    for entry in ORACLES {
        assert!(std::ptr::eq(named(entry.name).expect("its name"), entry), "{}", entry.name);
    }
    assert!(Kind::Soundness < Kind::Disagreement);
}
