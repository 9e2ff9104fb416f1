//! Disputes of real solvers that are decided, with the accused named, and by which evidence.

use std::sync::RwLock;

use gainsay::case::{Case, Lineage};
use gainsay::judge::{Evidence, Fault, Kind, TrialRunner, oracle};
use gainsay::solver::testing::require;
use gainsay::solver::{AskMode, Limits};

/// A formula, who is asked, who is only a witness, who is accused, and of what.
struct Row {
    about: &'static str,
    script: &'static str,
    solvers: &'static [&'static str],
    witnesses: &'static [&'static str],
    accused: &'static str,
    fits: fn(&Fault, &[Evidence]) -> bool,
}

const ROWS: &[Row] = &[
    Row {
        about: "values that the model leaves open, from the solver itself",
        script: "(declare-const n Int)(assert (and (= n 0) (= (div n n) (div (div n n) n))
                 (distinct (div (div n n) n) (div (div (div n n) n) n))))(check-sat)",
        solvers: &["z3@4.8.7", "z3@5.4.0"],
        witnesses: &["cvc5@1.4.2"],
        accused: "z3@4.8.7",
        fits: |fault, evidence| {
            let heard = |e: &Evidence| matches!(e, Evidence::Falsified { heard, .. } if !heard.is_empty());
            matches!(fault, Fault::WrongModel { .. }) && evidence.iter().any(heard)
        },
    },
    Row {
        about: "a constant that is a nested lambda",
        script: "(set-logic HO_ALL)(define-fun a ((b (-> Int (-> Int Int))) (c Int) (d Int)) Int (b 0 0))
                 (declare-const e (-> Int (-> Int Int)))(assert (= e (lambda ((f Int)) (lambda ((g Int)) 0))))
                 (assert (not (< (a e 0 0) 1)))(check-sat)",
        solvers: &["cvc5@1.4.2", "z3@5.4.0"],
        witnesses: &[],
        accused: "cvc5@1.4.2",
        fits: |fault, _| fault.kind() == Kind::Soundness,
    },
    Row {
        about: "combinators over an uninterpreted sort",
        script: "(set-logic HO_ALL)(declare-sort U 0)(declare-fun a () U)(define-fun K ((x U) (y U)) U x)
                 (define-fun S ((f (-> U (-> U U))) (g (-> U U)) (x U)) U (f x (g x)))
                 (assert (not (= (S (lambda ((x U)) (lambda ((y U)) (K x y))) (lambda ((x U)) (K x a)) a) a)))
                 (check-sat)",
        solvers: &["cvc5@1.4.2", "z3@5.4.0"],
        witnesses: &[],
        accused: "cvc5@1.4.2",
        fits: |fault, _| fault.kind() == Kind::Soundness,
    },
    Row {
        about: "ASCII strings in a release with 8-bit characters",
        script: "(assert (str.< \"0\" \"01\"))(check-sat)",
        solvers: &["z3@4.8.7", "cvc5@1.4.2"],
        witnesses: &[],
        accused: "z3@4.8.7",
        fits: |fault, _| matches!(fault, Fault::WrongUnsat { .. }),
    },
];

#[test]
fn disputes_are_decided() {
    let quiet = RwLock::new(());
    for row in ROWS {
        let Some(solvers) = require(row.solvers) else { return };
        let Some(witnesses) = require(row.witnesses) else { return };
        let script = smt::read(row.script.as_bytes()).expect(row.about);
        let case = Case { script, others: Vec::new(), claims: Vec::new(), lineage: Lineage::default() };
        let text = case.text();
        let oracles = oracle::choose(&[]).expect("the usual ones");
        let limits = Limits::default();
        let mut runner = TrialRunner::new(&solvers, &witnesses, &oracles, limits, AskMode::Fresh, &quiet);
        let tried = runner.try_case(&case, &text, Vec::new()).expect("they run");
        let accusing: Vec<_> = tried.complaints.iter().filter(|(_, c)| c.against.is_some()).collect();
        let [(entry, complaint)] = accusing[..] else {
            panic!("{}: {:?}", row.about, tried.complaints.iter().map(|(_, c)| c).collect::<Vec<_>>());
        };
        let confirmed = runner.confirm(&case, &text, &Vec::new(), (entry, complaint)).expect("they run");
        let confirmed = confirmed.unwrap_or_else(|| panic!("{}: it is not seen again", row.about)).complaint;
        let accused = confirmed.against.map(|i| solvers[i].name.as_str());
        assert_eq!(accused, Some(row.accused), "{}", row.about);
        assert!((row.fits)(&confirmed.fault, &confirmed.evidence), "{}: {confirmed:?}", row.about);
    }
}
