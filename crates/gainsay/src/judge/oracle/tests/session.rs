//! Answers in sessions that contradict the answers to the same assertions alone, or to other checks.

use super::{NOTHING, complaints, said, solver};
use crate::case::{Answer, Case, Claim, Lineage, one_shots};
use crate::judge::probe::Probe;
use crate::judge::{Budget, Known, Trial};

/// What oracle `session` says of a script of z3, given what it printed, what is known of the one-shot forms, and what it prints
/// when it is asked again.
fn session(script: &str, printed: &str, known: Known, again: &dyn Fn(&Probe) -> &'static str) -> Vec<String> {
    let read = smt::read(script.as_bytes()).expect(script);
    let (others, claims) = one_shots(&read);
    let case = Case { script: read, others, claims, lineage: Lineage::default() };
    judged(&case, script, printed, known, again)
}

fn judged(
    case: &Case,
    script: &str,
    printed: &str,
    known: Known,
    again: &dyn Fn(&Probe) -> &'static str,
) -> Vec<String> {
    let solvers = [solver("z3")];
    let mut trial = Trial::new(case, script, &solvers, vec![Some(said(&solvers[0], printed))]);
    (trial.known, trial.budget) = (known, Budget { assignments: 1000, ..Budget::NONE });
    complaints(&|o| o.name == "session", &trial, &["z3"], again)
}

const P: &str = "(declare-const p Bool)(push 1)(assert (not p))(check-sat)(pop 1)(assert p)(check-sat)";
const X: &str =
    "(declare-const x Int)(push 1)(assert (= (* x x) 2))(check-sat)(pop 1)(assert (> x 0))(check-sat)";
const YES: &str = "sat model: ((define-fun p () Bool true))";

#[test]
fn an_answer_that_contradicts_the_one_shot_form_accuses() {
    let p_in = |probe: &Probe| if probe.script.contains("(assert p)") { YES } else { "sat" };
    type Row<'a> = (&'a str, &'a str, &'a dyn Fn(&Probe) -> &'static str, &'a [&'a str]);
    let rows: &[Row] = &[
        // The model of the one-shot form satisfies it, and so it says with the model written in.
        (P, "sat next: unsat", &p_in, &["soundness z3"]),
        (P, "sat next: sat", &p_in, &NOTHING),
        // Nobody knows which is wrong, but one is.
        (X, "unsat next: unsat", &|_| "sat", &["soundness z3"]),
        (
            X,
            "sat next: sat",
            &|p| if p.script.contains("(* x x)") { "unsat" } else { "sat" },
            &["soundness z3"],
        ),
        // Unknown is no fault, and neither is a refusal or a crash of the form.
        (P, "unknown next: unknown", &p_in, &NOTHING),
        (P, "sat next: unsat", &|_| "unknown", &NOTHING),
        (P, "sat next: unsat", &|_| "(error \"line 1 column 1: refused\")", &NOTHING),
        (P, "sat next: unsat", &|_| "SEGV", &NOTHING),
        (P, "sat next: unsat", &|_| "TIME", &NOTHING),
    ];
    for (script, printed, again, expected) in rows {
        assert_eq!(session(script, printed, Known::new(), again), *expected, "{script} {printed}");
    }
}

#[test]
fn what_is_known_is_asked_again_only_if_it_contradicts() {
    let known = |answers: [Answer; 2]| answers.map(|answer| vec![vec![answer]]).to_vec();
    let never = |probe: &Probe| panic!("asked {}", probe.script);
    assert_eq!(session(P, "sat next: sat", known([Answer::Sat; 2]), &never), NOTHING);
    assert_eq!(session(P, "sat next: sat", known([Answer::Unknown; 2]), &never), NOTHING);
    // A solver of which nothing is known is not compared.
    assert_eq!(session(P, "sat next: unsat", vec![Vec::new(), Vec::new()], &never), NOTHING);
    // What was known does not show again.
    assert_eq!(session(P, "sat next: unsat", known([Answer::Sat; 2]), &|_| "unsat"), NOTHING);
    assert_eq!(session(P, "sat next: unsat", known([Answer::Sat; 2]), &|_| YES), ["soundness z3"]);
}

#[test]
fn checks_of_one_session_may_not_contradict_each_other() {
    let twice = "(declare-const p Bool)(assert p)(check-sat)(check-sat)";
    let more = "(declare-const p Bool)(assert p)(check-sat)(assert (or p false))(check-sat)";
    let less = "(declare-const p Bool)(push 1)(assert p)(check-sat)(pop 1)(check-sat)";
    let other = "(push 1)(declare-const p Bool)(assert p)(check-sat)(pop 1)(declare-const p Bool)(assert p)(check-sat)";
    let opaque = "(declare-const p Bool)(assert p)(check-sat)(nonsense)(check-sat)";
    let assumed = "(declare-const p Bool)(check-sat-assuming (p))(assert p)(check-sat)";
    let recursive = "(define-fun-rec f ((x Int)) Int (f x))(check-sat)(define-fun-rec g ((x Int)) Int (+ (g x) 1))(check-sat)";
    let rows: &[(&str, &str, &[&str])] = &[
        (twice, "sat next: unsat", &["soundness z3"]),
        (twice, "sat next: unknown", &NOTHING),
        (twice, "sat next: sat", &NOTHING),
        (more, "unsat next: sat", &["soundness z3"]),
        (more, "sat next: unsat", &NOTHING),
        (less, "unsat next: sat", &NOTHING),
        (less, "sat next: unsat", &["soundness z3"]),
        (assumed, "unsat next: sat", &["soundness z3"]),
        (recursive, "unsat next: sat", &["soundness z3"]),
        (recursive, "sat next: unsat", &NOTHING),
        // Names that are declared anew are other names.
        (other, "unsat next: sat", &NOTHING),
        (opaque, "unsat next: sat", &NOTHING),
    ];
    for (script, printed, expected) in rows {
        let case = Case {
            script: smt::read(script.as_bytes()).expect(script),
            others: Vec::new(),
            claims: Vec::<Claim>::new(),
            lineage: Lineage::default(),
        };
        let found = judged(&case, script, printed, Known::new(), &|_| "unknown");
        assert_eq!(found, *expected, "{script} {printed}");
    }
}
