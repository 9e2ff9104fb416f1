//! Attackers: scripts whose names clash with those of models, operators that the standard leaves open, claims that are wrong,
//! and partners that lie. No honest solver is accused.

use std::sync::RwLock;

use gainsay::case::{Answer, Case, CheckRef, Claim, Lineage};
use gainsay::judge::{Budget, Complaint, Parties, TrialRunner, oracle};
use gainsay::solver::testing::require;
use gainsay::solver::{AskMode, Limits, Solver};

/// What it is about, a script, and what it is claimed to be, which is wrong where it is claimed.
type Row = (&'static str, &'static str, Option<Answer>);

const ROWS: &[Row] = &[
    (
        "a function named like z3's own division by zero",
        "(declare-fun div0 (Int Int) Int)(declare-const n Int)(assert (= n 0))(assert (= (div 5 n) 7))
         (assert (= (div0 5 0) 8))(check-sat)",
        None,
    ),
    (
        "constants named like elements of a universe",
        "(declare-sort U 0)(declare-const U!val!0 U)(declare-const U!val!1 U)(declare-fun f (U) U)
         (assert (distinct U!val!0 U!val!1))(assert (= (f U!val!0) U!val!1))(assert (= (f U!val!1) U!val!1))(check-sat)",
        None,
    ),
    (
        "the least of two zeros",
        "(declare-const x Float16)(declare-const y Float16)(assert (= x (_ +zero 5 11)))(assert (= y (_ -zero 5 11)))
         (assert (= (fp.min x y) y))(check-sat)",
        None,
    ),
    (
        "a conversion out of range, and a function with the name of what fills it",
        "(declare-fun fp.to_ubv_unspecified () (_ BitVec 4))(declare-const x Float16)(assert (fp.isNaN x))
         (assert (= ((_ fp.to_ubv 4) RNE x) #x5))(assert (= fp.to_ubv_unspecified #x6))(check-sat)",
        None,
    ),
    (
        "a function named like that which says where arrays differ",
        "(declare-fun array-ext ((Array Int Int) (Array Int Int)) Int)(declare-const a (Array Int Int))
         (declare-const b (Array Int Int))(assert (distinct a b))(assert (= (array-ext a b) 5))
         (assert (= (select a 5) (select b 5)))(check-sat)",
        None,
    ),
    (
        "an element of a set that is chosen",
        "(declare-const s (Set Int))(assert (= s (set.insert 1 (set.singleton 2))))
         (assert (= (set.choose s) 2))(check-sat)",
        None,
    ),
    (
        "a selector of another constructor",
        "(declare-datatype L ((nil) (cons (head Int) (tail L))))(declare-const l L)(declare-const m L)
         (assert (= l nil))(assert (= m (tail l)))(assert (= (head l) 3))(assert (distinct m nil))(check-sat)",
        None,
    ),
    (
        "a construction that is wrong",
        "(declare-fun f (Int) Int)(assert (forall ((x Int)) (> (f x) x)))(check-sat)",
        Some(Answer::Unsat),
    ),
    (
        "a construction that is wrong the other way",
        "(declare-fun f (Int) Int)(assert (forall ((x Int)) (> (f x) x)))(assert (< (f 0) 0))(check-sat)",
        Some(Answer::Sat),
    ),
];

/// Partners that lie, each in its own way.
const LIARS: &[&str] = &[
    "sat",
    "unsat",
    "honest,lie",
    "honest,wrong-model",
    "honest,missing-model",
    "honest,random,lie",
    "sat,print=((define-fun n () Int 1) (define-fun x () Int 0))",
    "honest,unsat,print=((f 1))",
];

fn complaints(row: &Row, solvers: &[Solver]) -> Vec<Complaint> {
    let (about, script, claim) = row;
    let script = smt::read(script.as_bytes()).unwrap_or_else(|e| panic!("{about}: {}", e.message));
    let claims = claim.iter().map(|answer| Claim::Is(CheckRef::own(0), *answer)).collect();
    let case = Case { script, others: Vec::new(), claims, lineage: Lineage::default() };
    let oracles = oracle::choose(&[]).expect("the usual ones");
    let quiet = RwLock::new(());
    let parties = Parties { solvers, witnesses: &[], oracles: &oracles };
    let mut runner = TrialRunner::new(parties, Limits::default(), AskMode::Fresh, &quiet)
        .deciding_within(Budget::default());
    let tried = runner.try_case(&case, &case.text(), Vec::new()).expect("they run");
    tried.complaints.into_iter().map(|(_, complaint)| complaint).collect()
}

#[test]
fn no_honest_solver_is_accused_beside_a_liar() {
    let Some(honest) = require(&["z3@5.4.0", "cvc5@1.4.2"]) else { return };
    let mut asked = 0;
    for (i, row) in ROWS.iter().enumerate() {
        for (k, liar) in LIARS.iter().enumerate() {
            // Each real solver meets every script and every liar, in turn. The other one is not there to speak for it.
            let real = &honest[(i + k) % honest.len()];
            let solvers = [Solver::fake(liar), real.clone(), Solver::fake("honest")];
            let found = complaints(row, &solvers);
            let accused: Vec<_> = found.iter().filter(|c| c.against.is_some_and(|i| i > 0)).collect();
            assert!(accused.is_empty(), "{}, {} beside {liar}: {accused:#?}", row.0, real.name);
            asked += 1;
        }
        let found = complaints(row, &honest);
        let accused: Vec<_> = found.iter().filter(|c| c.against.is_some()).collect();
        assert!(accused.is_empty(), "{}, the two alone: {accused:#?}", row.0);
    }
    assert_eq!(asked, ROWS.len() * LIARS.len());
}
