//! The oracle `metamorphic`: two answers that cannot both be right accuse by a model, or by what others say of the step.

use std::sync::Arc;

use super::{NOTHING, complaints, said, solver};
use crate::case::{Answer, Case, CheckRef, Claim, Lineage};
use crate::judge::Trial;
use crate::judge::probe::Probe;

const STRONG: &str = "(declare-const x Int)(assert (> x 5))(check-sat)";
const WEAK: &str = "(declare-const x Int)(assert (> x 3))(check-sat)";
const SIX: &str = "sat model: ((define-fun x () Int 6))";

/// What z3 is asked besides the case itself.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Question {
    Strong,
    Weak,
    /// A script with the model written in.
    Pinned,
    /// Whether the second script follows from the first.
    Step,
}

fn question(probe: &Probe) -> Question {
    match &probe.script {
        text if text.contains("(assert (not (and true") => Question::Step,
        text if text.contains("define-fun") => Question::Pinned,
        text if text.contains("(> x 5)") => Question::Strong,
        _ => Question::Weak,
    }
}

/// What the oracle says where z3 says sat to the strong script and unsat to the weak one, of which the weak is the mutant or
/// the seed, and cvc5 says nothing to them.
fn judged(weak_is_mutant: bool, again: &dyn Fn(&Probe) -> &'static str) -> Vec<String> {
    let (own, seed) = (CheckRef::own(0), CheckRef { script: 1, check: 0 });
    let (texts, claim, answers) = match weak_is_mutant {
        true => ((WEAK, STRONG), Claim::SatImplies(seed, own), ("unsat", Answer::Sat)),
        false => ((STRONG, WEAK), Claim::SatImplies(own, seed), ("sat", Answer::Unsat)),
    };
    let read = |text: &str| smt::read(text.as_bytes()).expect("well-sorted");
    let case = Case {
        script: read(texts.0),
        others: vec![Arc::new(read(texts.1))],
        claims: vec![claim],
        lineage: Lineage::default(),
    };
    let solvers = [solver("z3"), solver("cvc5")];
    let runs = vec![Some(said(&solvers[0], answers.0)), Some(said(&solvers[1], "unknown"))];
    let mut trial = Trial::new(&case, texts.0, &solvers, runs);
    trial.known = vec![vec![vec![answers.1], vec![Answer::Unknown]]];
    complaints(&|o| o.name == "metamorphic", &trial, &["z3", "cvc5"], again)
}

#[test]
fn a_model_of_the_first_that_satisfies_the_second_accuses() {
    for weak_is_mutant in [true, false] {
        let itself = |p: &Probe| match question(p) {
            Question::Strong => SIX,
            Question::Weak => "unsat",
            _ => "sat",
        };
        assert_eq!(judged(weak_is_mutant, &itself), ["soundness z3"]);
        // Nobody confirms our evaluation.
        let alone = |p: &Probe| match question(p) {
            Question::Pinned => "unknown",
            _ => itself(p),
        };
        let found = judged(weak_is_mutant, &alone);
        assert!(found.len() == 1 && found[0].ends_with("nobody"), "{found:?}");
    }
}

#[test]
fn without_a_model_others_say_whether_the_step_holds() {
    let said = |step: &'static str| {
        move |p: &Probe| match question(p) {
            Question::Strong => "sat",
            Question::Weak => "unsat",
            _ => step,
        }
    };
    for weak_is_mutant in [true, false] {
        assert_eq!(judged(weak_is_mutant, &said("unsat")), ["soundness z3"]);
        assert_eq!(judged(weak_is_mutant, &said("unknown")), ["disagreement nobody"]);
        // The claim is refuted: the mistake is ours.
        assert_eq!(judged(weak_is_mutant, &said("sat")), NOTHING);
    }
}

#[test]
fn answers_that_are_not_given_again_are_no_evidence() {
    assert_eq!(judged(true, &|p| if question(p) == Question::Strong { "unknown" } else { "sat" }), NOTHING);
    // The seed was denied once.
    assert_eq!(judged(false, &|p| if question(p) == Question::Weak { "sat" } else { SIX }), NOTHING);
}

/// Satisfiable and unsatisfiable, over few values and over many. Our search finds no counterexample to the third claim: the
/// values are large.
const PLANTED: [(&str, &str); 3] = [
    (
        "(declare-const x (_ BitVec 2))(assert (= x #b01))(check-sat)",
        "(declare-const x (_ BitVec 2))(assert (distinct x x))(check-sat)",
    ),
    (
        "(declare-const x Int)(assert (> x 5))(check-sat)",
        "(declare-const x Int)(assert (distinct x x))(check-sat)",
    ),
    (
        "(declare-const x Int)(assert (> x 1000000))(check-sat)",
        "(declare-const x Int)(assert (distinct x x))(check-sat)",
    ),
];

/// What is said of z3, which says sat to the first script and unsat to the second, if it is claimed that the second follows.
fn claimed((first, second): (&str, &str), again: &dyn Fn(&Probe) -> &'static str) -> Vec<String> {
    let read = |text: &str| smt::read(text.as_bytes()).expect(text);
    let claims = vec![Claim::SatImplies(CheckRef { script: 1, check: 0 }, CheckRef::own(0))];
    let others = vec![Arc::new(read(first))];
    let case = Case { script: read(second), others, claims, lineage: Lineage::default() };
    let solvers = [solver("z3"), solver("cvc5")];
    let runs = vec![Some(said(&solvers[0], "unsat")), Some(said(&solvers[1], "unknown"))];
    let mut trial = Trial::new(&case, second, &solvers, runs);
    trial.known = vec![vec![vec![Answer::Sat], vec![Answer::Unknown]]];
    complaints(&|o| o.name == "metamorphic", &trial, &["z3", "cvc5"], again)
}

/// What a solver prints when it is asked.
type Says = fn(&Probe) -> &'static str;

#[test]
fn a_wrong_rule_and_a_liar_accuse_nobody() {
    let liars: [(&str, Says); 4] = [
        ("unsat", |_| "unsat"),
        ("sat", |_| "sat"),
        ("by the length", |p| if p.script.len() % 2 == 0 { "unsat" } else { "sat" }),
        ("consistent", |p| if p.script.contains("(not (and true (not") { "sat" } else { "unsat" }),
    ];
    for scripts in PLANTED {
        for own in ["sat", "unknown"] {
            for (about, liar) in liars {
                // z3 is right: the first is satisfiable without the second.
                let again = |p: &Probe| match &p.script {
                    _ if p.whom == 1 => liar(p),
                    text if text.contains("(not (and true") => own,
                    text if text.contains("distinct") => "unsat",
                    _ => "sat",
                };
                let found = claimed(scripts, &again);
                let accused = found.iter().any(|found| !found.ends_with("nobody"));
                assert!(!accused, "{scripts:?}, itself {own}, {about}: {found:?}");
            }
        }
    }
}

#[test]
fn a_right_rule_accuses_by_the_accused_or_by_search_and_another() {
    // The second follows from the first, and z3 says sat and unsat.
    let follows = "(declare-const x (_ BitVec 2))(assert (bvult x #b10))(check-sat)";
    let scripts = (follows, "(declare-const x (_ BitVec 2))(assert (bvult x #b11))(check-sat)");
    let found = |own: &'static str, other: [&'static str; 2]| {
        claimed(scripts, &|p| match &p.script {
            // Whether it stands by its answer.
            text if text.contains("(not (and true (bvult x #b10) (not") => other[1],
            text if text.contains("(not (and true") => {
                if p.whom == 0 {
                    own
                } else {
                    other[0]
                }
            }
            text if text.contains("#b11") => "unsat",
            _ => "sat",
        })
    };
    assert_eq!(found("unsat", ["unknown"; 2]), ["soundness z3"], "it contradicts itself");
    assert_eq!(found("sat", ["unsat", "sat"]), ["soundness z3"]);
    assert_eq!(found("unknown", ["unsat", "unknown"]), ["soundness z3"]);
    assert_eq!(found("unknown", ["unsat", "unsat"]), ["disagreement nobody"], "cvc5 says unsat to both");
    assert_eq!(found("unknown", ["unknown"; 2]), ["disagreement nobody"], "our search alone");
    assert_eq!(found("unknown", ["sat", "sat"]), ["disagreement nobody"]);
}
