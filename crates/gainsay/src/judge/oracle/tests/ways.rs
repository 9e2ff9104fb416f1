//! The ways that rest on the word of the accused: it contradicts itself on halves of the formula, on an equivalent formula, or
//! on the values at one point.

use super::judged_by;
use crate::judge::Budget;
use crate::judge::probe::Probe;

/// What the oracle `differential` says of a script to which z3 says sat with this model and cvc5 says unsat.
fn differential(
    script: &str,
    model: &str,
    budget: Budget,
    again: &dyn Fn(&Probe) -> &'static str,
) -> Vec<String> {
    let printed = format!("sat {model}");
    let runs = [("z3", printed.as_str()), ("cvc5", "unsat")];
    judged_by(&|oracle| oracle.name == "differential", (script, Vec::new()), budget, &runs, again)
}

const UNDECIDED: [&str; 1] = ["disagreement nobody"];

/// What a solver says of the formula with a condition and with its negation.
type Halves = [&'static str; 2];
/// What is tried, what z3, which says sat, says of the halves by each condition, what cvc5 says, and who is accused.
type HalvesRow = (&'static str, [Halves; 2], [Halves; 2], &'static [&'static str]);

#[test]
fn who_says_unsat_to_both_halves_does_not_say_sat_to_the_whole() {
    // The first condition is about the constant, the second is the atom.
    let script = "(declare-const x Int)(assert (or (= (* x x) 2) false))(check-sat)";
    let (first, second) = ("(= x 0)", "(= (* x x) 2)");
    let unknown = ["unknown"; 2];
    let rows: [HalvesRow; 12] = [
        ("both", [["unsat", "unsat"], unknown], [unknown; 2], &["soundness z3"]),
        ("one", [["unsat", "unknown"], unknown], [unknown; 2], &UNDECIDED),
        ("the other", [["unknown", "unsat"], unknown], [unknown; 2], &UNDECIDED),
        ("neither", [unknown; 2], [unknown; 2], &UNDECIDED),
        ("no answer", [["unsat", "TIME"], unknown], [unknown; 2], &UNDECIDED),
        ("an answer after an error", [["unsat", "(error \"no\")\nunsat"], unknown], [unknown; 2], &UNDECIDED),
        ("by the second", [["unknown", "unsat"], ["unsat", "unsat"]], [unknown; 2], &["soundness z3"]),
        ("of a half", [["unsat", "sat"], ["unsat", "unsat"]], [unknown; 2], &["soundness z3"]),
        ("one of a half", [["sat", "unsat"], ["unsat", "unknown"]], [unknown; 2], &UNDECIDED),
        ("halves of two conditions", [["unsat", "unknown"], ["unsat", "unknown"]], [unknown; 2], &UNDECIDED),
        ("sat to more", [unknown; 2], [["unknown", "sat"], unknown], &["soundness cvc5"]),
        ("unsat to more", [unknown; 2], [["unsat", "unsat"], ["unsat", "unsat"]], &UNDECIDED),
    ];
    for (about, accuser, denier, expected) in rows {
        let again = |probe: &Probe| {
            let by = [accuser, denier][probe.whom];
            // The last assertion is the half. What was kept comes before it.
            let last = probe.script.rsplit("(assert ").next().unwrap_or_default();
            let condition = usize::from(last.contains(second));
            assert!(last.contains([first, second][condition]), "{last}");
            by[condition][usize::from(last.starts_with("(not "))]
        };
        let found = differential(script, "", Budget { conditions: 2, ..Budget::NONE }, &again);
        assert_eq!(found, expected, "{about}");
        let nothing = differential(script, "", Budget::NONE, &|_| "unknown");
        assert_eq!(nothing, UNDECIDED, "without a budget");
    }
}

#[test]
fn conditions_that_no_script_can_hold_are_not_asked() {
    let rows = [
        // Outside of its logic the answer of a solver is not its word.
        "(set-logic QF_UF)(declare-sort U 0)(declare-const a U)(declare-const b U)(assert (distinct a b))(check-sat)",
        // A bound variable means nothing outside.
        "(declare-sort U 0)(assert (forall ((x U)) (exists ((y U)) (distinct x y))))(check-sat)",
        "(declare-sort U 0)(declare-const a U)(assert (let ((b a)) (distinct a b)))(check-sat)",
    ];
    for script in rows {
        let again = |probe: &Probe| {
            let read = smt::read(probe.script.as_bytes()).expect("what is asked is well-sorted");
            assert_eq!(read.queries().len(), 1);
            "unknown"
        };
        let found = differential(script, "", Budget { conditions: 8, ..Budget::NONE }, &again);
        assert_eq!(found, UNDECIDED, "{script}");
    }
}

/// What a question of the way of equivalent formulas is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum About {
    /// The equivalent formula.
    Equivalent,
    /// The formula without the equivalent, or the equivalent without the formula.
    Without,
    /// The two sides of one step.
    Step,
    /// Whether somebody stands by what was said of a step.
    Negation,
}

fn about(probe: &Probe) -> About {
    let text = &probe.script;
    match (text.contains("(assert (not (and true"), text.contains("(assert (distinct ")) {
        (true, _) if text.contains("(not (and true (distinct ") => About::Negation,
        (true, _) => About::Without,
        (false, true) => About::Step,
        (false, false) => About::Equivalent,
    }
}

#[test]
fn an_equivalent_formula_has_the_same_answer() {
    use About::{Equivalent, Negation, Step, Without};
    let script = "(declare-const p Bool)(declare-const q Bool)(assert (=> p (=> q (= p q))))(check-sat)";
    type Says = &'static [(usize, About, &'static str)];
    let rows: [(&str, Says, &[&str]); 12] = [
        ("nobody says anything else", &[], &UNDECIDED),
        ("the same", &[(0, Equivalent, "sat"), (1, Equivalent, "unsat")], &UNDECIDED),
        ("only that", &[(0, Equivalent, "unsat")], &UNDECIDED),
        ("by its own word", &[(0, Equivalent, "unsat"), (0, Without, "unsat")], &["soundness z3"]),
        ("it denies the rule", &[(0, Equivalent, "unsat"), (0, Without, "sat")], &UNDECIDED),
        ("by its own word on the steps", &[(0, Equivalent, "unsat"), (0, Step, "unsat")], &["soundness z3"]),
        ("by the word of another", &[(0, Equivalent, "unsat"), (1, Step, "unsat")], &["soundness z3"]),
        (
            "by the word of one who says unsat to everything",
            &[(0, Equivalent, "unsat"), (1, Step, "unsat"), (1, Negation, "unsat")],
            &UNDECIDED,
        ),
        ("another denies a step", &[(0, Equivalent, "unsat"), (1, Step, "sat")], &UNDECIDED),
        (
            "another of two denies a step",
            &[(0, Equivalent, "unsat"), (1, Step, "unsat"), (2, Step, "sat")],
            &UNDECIDED,
        ),
        ("the other way round", &[(1, Equivalent, "sat"), (1, Without, "unsat")], &["soundness cvc5"]),
        (
            "not by the word of another on the whole",
            &[(0, Equivalent, "unsat"), (1, Without, "unsat")],
            &UNDECIDED,
        ),
    ];
    for (row, says, expected) in rows {
        let again = |probe: &Probe| {
            let fits = |(whom, of, _): &&(usize, About, &str)| *whom == probe.whom && *of == about(probe);
            says.iter().find(fits).map_or("unknown", |(.., answer)| *answer)
        };
        let runs = [("z3", "sat"), ("cvc5", "unsat"), ("yices", "unknown")];
        let judges = |oracle: &super::Entry| oracle.name == "differential";
        let budget = Budget { steps: 100, ..Budget::NONE };
        let found = judged_by(&judges, (script, Vec::new()), budget, &runs, &again);
        assert_eq!(found, expected, "{row}");
    }
    let nothing = |_: &Probe| "unknown";
    assert_eq!(differential(script, "", Budget::NONE, &nothing), UNDECIDED, "without a budget");
    // There is no simpler formula.
    let simple = "(declare-const p Bool)(assert p)(check-sat)";
    assert_eq!(differential(simple, "", Budget { steps: 100, ..Budget::NONE }, &nothing), UNDECIDED);
}

#[test]
fn one_point_has_one_value() {
    let script = "(declare-const m Int)(declare-const n Int)(declare-const p Bool)
                  (assert (and (>= (div n 0) (div m 0)) (not (= p (> n 5)))))(check-sat)";
    let model = "model: ((define-fun m () Int 0) (define-fun n () Int 0))";
    let same = "sat model: ((define-fun m () Int 0) (define-fun n () Int 0))";
    let two = "sat model: ((define-fun m () Int 0) (define-fun n () Int 0)) \
               asked: get-value (((div n 0) 7) ((div m 0) 8) (p true))";
    let one = "sat model: ((define-fun m () Int 0) (define-fun n () Int 0)) \
               asked: get-value (((div n 0) 7) ((div m 0) 7) (p true))";
    // What the accused answers for the values of open terms, and for the equations.
    let rows: [(&str, &str, &[&str]); 9] = [
        (
            two,
            "sat asked: get-value (((= n m) true) ((= 0 0) true) ((= (div n 0) (div m 0)) false))",
            &["wrong-model z3"],
        ),
        // It does not say that the points are the same.
        (
            two,
            "sat asked: get-value (((= n m) false) ((= 0 0) true) ((= (div n 0) (div m 0)) false))",
            &UNDECIDED,
        ),
        // It does not say that the values are not.
        (
            two,
            "sat asked: get-value (((= n m) true) ((= 0 0) true) ((= (div n 0) (div m 0)) true))",
            &UNDECIDED,
        ),
        (
            two,
            "sat asked: get-value (((= n m) true) ((= 0 0) true) ((= (div n 0) (div m 0)) (= 7 8)))",
            &UNDECIDED,
        ),
        (two, "sat asked: get-value (((= (div n 0) (div m 0)) false))", &UNDECIDED),
        (two, "sat", &UNDECIDED),
        // Values of a model that it does not have.
        (
            two,
            "unknown asked: get-value (((= n m) true) ((= 0 0) true) ((= (div n 0) (div m 0)) false))",
            &UNDECIDED,
        ),
        (two, "TIME", &UNDECIDED),
        // It gives one value.
        (
            one,
            "sat asked: get-value (((= n m) true) ((= 0 0) true) ((= (div n 0) (div m 0)) false))",
            &UNDECIDED,
        ),
    ];
    for (values, equations, expected) in rows {
        // What is printed lives as long as the table.
        let (values, equations): (&'static str, &'static str) = (values, equations);
        let again = |probe: &Probe| match &probe.script {
            text if text.contains("(get-value ((=") => equations,
            text if text.contains("(get-value (") => values,
            _ if probe.whom == 0 => same,
            _ => "unknown",
        };
        let found = differential(script, model, Budget { values: 2, ..Budget::NONE }, &again);
        assert_eq!(found, expected, "{values} {equations}");
    }
    let found = differential(script, model, Budget::NONE, &|_| "unknown");
    assert_eq!(found, UNDECIDED, "without a budget");
}
