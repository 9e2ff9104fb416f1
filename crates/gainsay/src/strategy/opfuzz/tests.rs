//! What opfuzz may replace by what.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::*;
use crate::seed::{Asked, Keep};

const PRELUDE: &str = "(declare-const p Bool)(declare-const q Bool)(declare-const i Int)(declare-const j Int)
    (declare-const x Real)(declare-const y Real)(declare-const b (_ BitVec 4))(declare-const f (Array Int Int))";

/// The first mutants of a seed with one assertion, without the rest of the script.
fn mutants(assertion: &str, options: &[(&str, &str)]) -> BTreeSet<String> {
    let text = format!("{PRELUDE}(assert {assertion})(check-sat)");
    let seeds = [Asked::unasked(Arc::new(Seed::read("test", text.as_bytes(), Keep::Bare).expect("usable")))];
    let given: BTreeMap<_, _> = options.iter().map(|&(k, v)| (k.to_owned(), v.to_owned())).collect();
    let strategy = (ENTRY.build)(&Options::of(ENTRY.flags, &given)).expect("good options");
    let mut found = BTreeSet::new();
    for series in 0..60 {
        if let Some(case) = strategy.series(series, &seeds, Choices::drawn(1, "opfuzz", series)).next() {
            let text = case.text();
            let line = text.lines().find(|l| l.starts_with("(assert ")).expect("it asserts");
            found.insert(line["(assert ".len()..line.len() - 1].to_owned());
        }
    }
    found
}

#[test]
fn the_paper_s_replacements_and_no_others() {
    let rows: &[(&str, &[&str])] = &[
        ("(= p q)", &["(distinct p q)"]),
        ("(distinct i j)", &["(= i j)"]),
        ("(= b b)", &["(distinct b b)"]),
        ("(forall ((z Bool)) z)", &["(exists ((z Bool)) z)"]),
        ("(exists ((z Bool)) z)", &["(forall ((z Bool)) z)"]),
        ("(and p q)", &["(=> p q)", "(or p q)"]),
        ("(or p q p)", &["(=> p q p)", "(and p q p)"]),
        ("(=> p q)", &["(and p q)", "(or p q)"]),
        ("(xor p q)", &[]),
        ("(not p)", &[]),
        ("(ite p q p)", &[]),
        ("(< x y)", &["(<= x y)", "(> x y)", "(>= x y)"]),
        ("(>= i j)", &["(< i j)", "(<= i j)", "(> i j)"]),
        ("(select ((as const (Array Real Bool)) true) (+ x y))", ARITHMETIC),
        ("(select ((as const (Array Int Bool)) true) (div i j))", &[]),
        (
            "(select ((as const (Array Int Bool)) true) (mod i j))",
            &["(select ((as const (Array Int Bool)) true) (div i j))"],
        ),
        ("(select ((as const (Array Int Bool)) true) (- i))", &[]),
        ("(select ((as const (Array Int Bool)) true) (abs i))", &[]),
        ("(bvult b b)", &[]),
    ];
    for (assertion, expected) in rows {
        let expected: BTreeSet<_> = expected.iter().map(|&s| s.to_owned()).collect();
        assert_eq!(mutants(assertion, &[("family", "paper")]), expected, "{assertion}");
    }
}

const ARITHMETIC: &[&str] = &[
    "(select ((as const (Array Real Bool)) true) (* x y))",
    "(select ((as const (Array Real Bool)) true) (- x y))",
    "(select ((as const (Array Real Bool)) true) (/ x y))",
];

#[test]
fn ints_for_reals_if_asked() {
    let both = [("family", "paper"), ("int-real", "true")];
    let has = |assertion: &str, options: &[(&str, &str)], mutant: &str| {
        mutants(assertion, options).iter().any(|m| m == mutant)
    };
    assert!(has("(< (+ i j) 3)", &both, "(< (/ i j) 3)"));
    assert!(has("(< (* 2 (+ i j)) 3)", &both, "(< (* 2 (/ i j)) 3)"));
    assert!(!has("(< (+ i j) 3)", &both[..1], "(< (/ i j) 3)"));
    // What is read as an Int again must not stand for a Real.
    assert_eq!(
        mutants("(= (select ((as const (Array Real Bool)) true) (/ 3 2)) p)", &[("family", "paper")]).len(),
        1
    );
    assert!(has("(< (+ 1 x) y)", &both[..1], "(< (- 1 x) y)"));
    // An index of an array must stay an Int.
    assert!(!has("(= (select f (+ i j)) 3)", &both, "(= (select f (/ i j)) 3)"));
}

#[test]
fn speakers_decide() {
    let rem = "(= (rem i j) 3)";
    assert!(mutants("(= (mod i j) 3)", &[("speakers", "z3@5.4.0")]).contains(rem));
    assert!(!mutants("(= (mod i j) 3)", &[("speakers", "z3@5.4.0,cvc5@1.4.2")]).contains(rem));
    assert!(!mutants("(= (mod i j) 3)", &[]).contains(rem));
}

#[test]
fn options_are_checked() {
    let bad = |flag: &str, value: &str| {
        let given = BTreeMap::from([(flag.to_owned(), value.to_owned())]);
        (ENTRY.build)(&Options::of(ENTRY.flags, &given)).err().map(|e| e.to_string())
    };
    assert_eq!(bad("family", "papers").as_deref(), Some("--family papers: all or paper is wanted"));
    assert_eq!(bad("chain", "x").as_deref(), Some("--chain x: a whole number is wanted"));
    assert_eq!(bad("chain", "7"), None);
}
