//! Disputes of real solvers that are decided, with the accused named, and by which evidence.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::RwLock;

use gainsay::case::{Answer, Case, CheckRef, Claim, Lineage};
use gainsay::finding::{Grade, grade};
use gainsay::judge::{
    Budget, CheckedBy, Complaint, Evidence, Fault, Kind, KnownUnsat, Parties, ProofChecker, Suspicion,
    TrialRunner, checkers, oracle,
};
use gainsay::solver::testing::require;
use gainsay::solver::{AskMode, Limits, ProofEnd, Solver};

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
            let denies = |e: &Evidence| matches!(e, Evidence::Answered { answer: Answer::Unsat, .. });
            let beside = evidence.iter().any(denies);
            matches!(fault, Fault::WrongModel { .. }) && evidence.iter().any(heard) && beside
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
        // Nobody else can read the steps to an equivalent, so that only the model is shown to be wrong.
        fits: |fault, evidence| {
            let denies = |e: &Evidence| matches!(e, Evidence::Answered { answer: Answer::Unsat, .. });
            matches!(fault, Fault::WrongModel { .. }) && evidence.iter().any(denies)
        },
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
        let case = case(row.script, Vec::new());
        let text = case.text();
        let oracles = oracle::choose(&[]).expect("the usual ones");
        let limits = Limits::default();
        let mut runner = TrialRunner::new(
            Parties { solvers: &solvers, witnesses: &witnesses, oracles: &oracles },
            limits,
            AskMode::Fresh,
            &quiet,
        );
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

fn case(script: &str, claims: Vec<Claim>) -> Case {
    let script = smt::read(script.as_bytes()).expect(script);
    Case { script, others: Vec::new(), claims, lineage: Lineage::default() }
}

/// What is complained of if a fake that says sat to everything is asked beside or before real solvers.
fn complaints(
    script: &str,
    (claims, witnesses): (Vec<Claim>, &[Solver]),
    solvers: &[Solver],
    budget: Budget,
    checkers: Vec<ProofChecker>,
) -> Vec<Complaint> {
    let quiet = RwLock::new(());
    let case = case(script, claims);
    let oracles = oracle::choose(&[]).expect("the usual ones");
    let mut runner = TrialRunner::new(
        Parties { solvers, witnesses, oracles: &oracles },
        Limits::default(),
        AskMode::Fresh,
        &quiet,
    )
    .deciding_within(budget)
    .checking_with(checkers);
    let tried = runner.try_case(&case, &case.text(), Vec::new()).expect("they run");
    tried.complaints.into_iter().map(|(_, complaint)| complaint).collect()
}

/// Tests by construction of strings. No solver decides the second within some minutes.
const UNSATISFIABLE: [&str; 2] = [
    "(declare-const s String)(declare-const i Int)(declare-const r String)
     (assert (not (= (str.at s i) r)))(assert (= r (str.substr s i 1)))(check-sat)",
    "(declare-const n Int)(declare-const res String)(assert (not (= (str.from_int n) res)))
     (assert (=> (< n 0) (= res \"\")))(assert (=> (= n 0) (= res \"0\")))(assert (=> (= n 1) (= res \"1\")))
     (assert (=> (= n 2) (= res \"2\")))(assert (=> (= n 3) (= res \"3\")))(assert (=> (= n 4) (= res \"4\")))
     (assert (=> (= n 5) (= res \"5\")))(assert (=> (= n 6) (= res \"6\")))(assert (=> (= n 7) (= res \"7\")))
     (assert (=> (= n 8) (= res \"8\")))(assert (=> (= n 9) (= res \"9\")))
     (assert (=> (>= n 10) (= res (str.++ (str.from_int (div n 10)) (str.from_int (mod n 10))))))(check-sat)",
];

#[test]
fn a_liar_that_is_alone_is_convicted() {
    let Some(witnesses) = require(&["z3@5.4.0", "cvc5@1.4.2"]) else { return };
    let liar = [Solver::fake("sat")];
    for script in UNSATISFIABLE {
        let claims = vec![Claim::Is(CheckRef::own(0), Answer::Unsat)];
        let found = complaints(script, (claims, &witnesses), &liar, Budget::default(), Vec::new());
        let [complaint] = &found[..] else { panic!("{script}: {found:?}") };
        assert_eq!(complaint.against, Some(0), "{complaint:?}");
        let Fault::WrongSat { known: KnownUnsat::WithValues, voice } = &complaint.fault else {
            panic!("{complaint:?}")
        };
        assert!(!voice.is_accused(), "{voice:?}");
        assert_eq!(grade(&complaint.fault), Some(Grade::EvaluationAndOther));
    }
    // Without anybody else, our evaluation accuses nobody.
    let claims = vec![Claim::Is(CheckRef::own(0), Answer::Unsat)];
    let found = complaints(UNSATISFIABLE[0], (claims, &[]), &liar, Budget::default(), Vec::new());
    assert!(found.iter().all(|complaint| complaint.kind() == Kind::Unconfirmed), "{found:?}");
    assert_eq!(found.len(), 1);
}

/// A proof checker that looks whether it is given a proof and a script, and then says this.
fn checker_that(says: &str, folder: &Path) -> Vec<ProofChecker> {
    let program = folder.join(says);
    let text = format!(
        "#!/bin/sh\ngrep -q assume \"$4\" || exit 3\ngrep -q check-sat \"$5\" || exit 3\necho {says}\n\
         [ {says} != invalid ]\n"
    );
    std::fs::write(&program, text).expect("the folder can be written");
    std::fs::set_permissions(&program, PermissionsExt::from_mode(0o755)).expect("it is ours");
    checkers(|name| (name == "carcara").then(|| program.clone()))
}

#[test]
fn a_proof_accuses_if_a_program_that_is_no_solver_accepts_it() {
    let Some(mut solvers) = require(&["cvc5@1.4.2"]) else { return };
    solvers.insert(0, Solver::fake("sat"));
    let folder = std::env::temp_dir().join(format!("gainsay-deciding-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let proofs = Budget { proofs: 1, ..Budget::NONE };
    // The fake gives no model that says anything of a string.
    let formula = "(set-logic ALL)(declare-const s String)
                   (assert (= (str.len (str.replace_all s \"a\" \"b\")) (+ 1 (str.len s))))(check-sat)";
    let ended = |found: &[Complaint], by_program: bool| {
        let mut all = found.iter().flat_map(|complaint| &complaint.evidence);
        all.find_map(|evidence| match evidence {
            Evidence::Proof { checker, end, .. } if (*checker == CheckedBy::Prover) != by_program => {
                Some(*end)
            }
            _ => None,
        })
    };
    let rows = [("valid", ProofEnd::Accepted), ("invalid", ProofEnd::Rejected), ("holey", ProofEnd::Gaps)];
    for (says, end) in rows {
        let checkers = checker_that(says, &folder);
        let found = complaints(formula, (Vec::new(), &[]), &solvers, proofs, checkers);
        let [complaint] = &found[..] else { panic!("{says}: {found:?}") };
        assert_eq!(ended(&found, true), Some(end), "{says}");
        if end == ProofEnd::Accepted {
            assert_eq!(complaint.against, Some(0));
            assert!(matches!(complaint.fault, Fault::WrongSat { known: KnownUnsat::ByProof, .. }));
            assert_eq!(grade(&complaint.fault), Some(Grade::CheckedProof));
        } else {
            // The solver's own checker accepts it. That accuses nobody.
            assert_eq!((complaint.against, ended(&found, false)), (None, Some(ProofEnd::Accepted)), "{says}");
            assert!(matches!(complaint.fault, Fault::Unconfirmed { of: Suspicion::RefutedByProof, .. }));
            assert_eq!(grade(&complaint.fault), Some(Grade::Unconfirmed));
        }
    }
    // What the solver only trusts is no proof, whatever a checker says.
    let trusted = "(set-logic ALL)(declare-const x Float32)
                   (assert (fp.lt (fp.mul RNE x x) ((_ to_fp 8 24) RNE (- 1.0))))(check-sat)";
    let found = complaints(trusted, (Vec::new(), &[]), &solvers, proofs, checker_that("valid", &folder));
    assert_eq!(found.iter().map(Complaint::kind).collect::<Vec<_>>(), [Kind::Disagreement], "{found:?}");
    assert_eq!([true, false].map(|by| ended(&found, by)), [Some(ProofEnd::Missing); 2]);
    std::fs::remove_dir_all(&folder).expect("it is ours");
}

#[test]
fn a_wrong_sat_is_called_one_where_nothing_satisfies_the_formula() {
    let Some(mut solvers) = require(&["cvc5@1.4.2"]) else { return };
    solvers.insert(0, Solver::fake("honest,sat-for-unsat"));
    let script = "(declare-const p Bool)(declare-const q Bool)(assert (= p q))(assert (xor p q))(check-sat)";
    let found = complaints(script, (Vec::new(), &[]), &solvers, Budget::default(), Vec::new());
    let kinds: Vec<_> = found.iter().map(|complaint| (complaint.kind(), complaint.against)).collect();
    assert_eq!(kinds, [(Kind::Soundness, Some(0))], "{found:?}");
}

#[test]
fn models_over_uninterpreted_sorts_are_written_in() {
    let Some(witnesses) = require(&["cvc5@1.4.2", "z3@5.4.0"]) else { return };
    let [cvc5, z3] = &witnesses[..] else { panic!("two were asked for") };
    let liar = Solver::fake("unsat");
    // Satisfiable, with two elements and a function. Only z3 finds a model of the second.
    let plain =
        "(set-logic QF_UF)(declare-sort U 0)(declare-const a U)(declare-const b U)(declare-fun f (U) U)
                 (assert (distinct a b))(assert (= (f a) b))(assert (= (f b) a))(check-sat)";
    let bounded = plain.replace("(check-sat)", "(assert (forall ((x U)) (or (= x a) (= x b))))(check-sat)");
    let bounded = bounded.replace("QF_UF", "UF");
    for (giver, script) in [(cvc5, plain), (z3, plain), (z3, &bounded)] {
        let solvers = [liar.clone(), giver.clone()];
        let found = complaints(script, (Vec::new(), &witnesses), &solvers, Budget::default(), Vec::new());
        let [complaint] = &found[..] else { panic!("{}: {found:?}", giver.name) };
        assert_eq!((complaint.against, complaint.kind()), (Some(0), Kind::Soundness), "{complaint:?}");
        let enumerated = |e: &Evidence| {
            matches!(e, Evidence::Pinned { script, answer: Some(Answer::Sat), .. }
                if script.contains("declare-datatypes") && !script.contains("declare-const"))
        };
        assert!(complaint.evidence.iter().any(enumerated), "{}: {complaint:?}", giver.name);
    }
}
