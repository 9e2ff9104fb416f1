//! Tests that what rows say of their operators is true of their meanings.

use super::samples::evaluated;
use crate::sort::{Pat, SortId};
use crate::theory::{Identity, Op, Theory, table};

/// A few values of the sort of an operator's first argument; none if there are none at hand.
fn values(theory: Theory, pat: Pat) -> &'static [&'static str] {
    match pat {
        Pat::Is(SortId::BOOL) => &["true", "false"],
        Pat::Is(SortId::INT) | Pat::Any(_) => &["(- 2)", "0", "1", "3"],
        Pat::Is(SortId::REAL) => &["(- 0.5)", "0.0", "1.0", "2.0"],
        Pat::Is(SortId::STRING) => &["\"\"", "\"a\"", "\"ba\""],
        Pat::Is(SortId::REGLAN) => &["re.none", "(str.to_re \"\")", "(re.range \"a\" \"c\")", "re.all"],
        Pat::BitVec(_) => &["#x0", "#x1", "#x7", "#x8", "#xf"],
        Pat::Float(..) => {
            &["(_ NaN 2 3)", "(_ +oo 2 3)", "(_ -zero 2 3)", "(_ +zero 2 3)", "(fp #b0 #b01 #b01)"]
        }
        Pat::Field => {
            &["(as ff0 (_ FiniteField 5))", "(as ff1 (_ FiniteField 5))", "(as ff3 (_ FiniteField 5))"]
        }
        Pat::Seq(_) => &["(as seq.empty (Seq Int))", "(seq.unit 1)", "(seq.++ (seq.unit 2) (seq.unit 1))"],
        Pat::FiniteSet(_) => &["(as set.empty (FiniteSet Int))", "(set.range 1 1)", "(set.range 1 2)"],
        Pat::Set(_) => &["(as set.empty (Set Int))", "(set.singleton 1)", "(set.insert 1 (set.singleton 2))"],
        Pat::Array(..) if theory == Theory::Sets => &[
            "((as const (Array Int Bool)) false)",
            "((as const (Array Int Bool)) true)",
            "(store ((as const (Array Int Bool)) false) 1 true)",
        ],
        _ => &[],
    }
}

/// The element of that kind for the operator's first argument.
fn element(identity: Identity, pat: Pat) -> &'static str {
    match (identity, pat) {
        (Identity::True, _) => "true",
        (Identity::False, _) => "false",
        (Identity::Zero, Pat::BitVec(_)) => "#x0",
        (Identity::Zero, Pat::Field) => "(as ff0 (_ FiniteField 5))",
        (Identity::Zero, Pat::Is(SortId::REAL)) => "0.0",
        (Identity::Zero, _) => "0",
        (Identity::One, Pat::BitVec(_)) => "#x1",
        (Identity::One, Pat::Field) => "(as ff1 (_ FiniteField 5))",
        (Identity::One, Pat::Is(SortId::REAL)) => "1.0",
        (Identity::One, _) => "1",
        (Identity::AllOnes, _) => "#xf",
        (Identity::Empty, Pat::Seq(_)) => "(as seq.empty (Seq Int))",
        (Identity::Empty, Pat::FiniteSet(_)) => "(as set.empty (FiniteSet Int))",
        (Identity::Empty, Pat::Set(_)) => "(as set.empty (Set Int))",
        (Identity::Empty, _) => "\"\"",
        (Identity::EmptyWord, _) => "(str.to_re \"\")",
        (Identity::NoString, _) => "re.none",
        (Identity::AllStrings, _) => "re.all",
    }
}

/// The rows with two arguments or more and values to try.
fn tried() -> impl Iterator<Item = (&'static Op, &'static [&'static str])> {
    table().ids().filter_map(|op| {
        let row = table().op(op);
        let says = row.commutative || row.associative || row.identity.is_some() || row.converse.is_some();
        let values = values(table().theory(op), *row.args.first()?);
        says.then(|| {
            assert!(!values.is_empty(), "no values for {}", row.name);
            (row, values)
        })
    })
}

fn same(op: &Op, one: &str, other: &str) {
    assert_eq!(evaluated(&format!("(= {one} {other})")), "true", "{}: {one} {other}", op.name);
}

#[test]
fn arguments_change_places() {
    for (op, values) in tried() {
        let name = if op.indices == Some(1) { format!("(_ {} 3)", op.name) } else { op.name.to_owned() };
        for (a, b) in values.iter().flat_map(|a| values.iter().map(move |b| (a, b))) {
            if op.commutative {
                same(op, &format!("({name} {a} {b})"), &format!("({name} {b} {a})"));
            }
            if let Some(converse) = op.converse {
                same(op, &format!("({name} {a} {b})"), &format!("({converse} {b} {a})"));
                assert!(table().named(converse).iter().any(|&c| table().op(c).converse == Some(op.name)));
            }
        }
    }
}

#[test]
fn brackets_stand_anywhere() {
    for (op, values) in tried().filter(|(op, _)| op.associative) {
        let name = op.name;
        for a in values {
            for (b, c) in values.iter().flat_map(|b| values.iter().map(move |c| (b, c))) {
                same(
                    op,
                    &format!("({name} ({name} {a} {b}) {c})"),
                    &format!("({name} {a} ({name} {b} {c}))"),
                );
            }
        }
    }
}

#[test]
fn identities_change_nothing() {
    for (op, values) in tried() {
        let Some(identity) = op.identity else { continue };
        let (name, element) = (op.name, element(identity, op.args[0]));
        for a in values {
            same(op, &format!("({name} {a} {element})"), a);
            same(op, &format!("({name} {element} {a})"), a);
        }
    }
}

/// Rows that share a name take a Real for an Int if one of them has an Int where another has a Real.
#[test]
fn names_of_ints_and_reals_are_marked() {
    for op in table().ids().map(|op| table().op(op)).filter(|op| op.real_for_int) {
        let rows = || table().named(op.name).iter().flat_map(|&row| table().op(row).args);
        assert!(rows().any(|pat| matches!(pat, Pat::Is(SortId::REAL) | Pat::Any(_))), "{}", op.name);
    }
}
