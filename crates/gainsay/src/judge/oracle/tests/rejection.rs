//! The oracle `rejection`: refusals count where the table of operators knows the solver.

use super::{NOTHING, X, judged};

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

#[test]
fn what_the_standard_does_not_have_may_be_refused() {
    let rows = [
        // In a declaration only, below another sort, in a definition, and in a command that asks.
        ("(declare-const b (Bag Int))(declare-const x Int)(assert (> x 5))(check-sat)", false),
        ("(declare-const b (Array Int (Set Int)))(declare-const x Int)(assert (> x 5))(check-sat)", false),
        ("(declare-fun f ((-> Int Int)) Int)(declare-const x Int)(assert (> x 5))(check-sat)", false),
        (
            "(declare-codatatypes ((C 0)) (((c (d C)))))(declare-const x Int)(assert (> x 5))(check-sat)",
            false,
        ),
        ("(define-fun f ((b (Set Int))) Bool (set.member 1 b))(assert true)(check-sat)", false),
        ("(declare-datatype C ((c) (d (e C))) :subterm below)(assert true)(check-sat)", false),
        ("(declare-const s String)(assert true)(check-sat)(get-value ((seq.nth (seq.unit s) 0)))", false),
        ("(declare-datatypes ((C 0)) (((c) (d (e C)))))(declare-const x C)(assert (= x c))(check-sat)", true),
        (
            "(declare-const b (Array Int (Array Int Bool)))(assert (= b b))(check-sat)(get-value ((+ 1 2)))",
            true,
        ),
    ];
    for (script, accused) in rows {
        let error = "(error \"line 1 column 9: unknown constant\")";
        let found = judged(script, vec![], &[("z3", error)], &|_| error_text());
        assert_eq!(!found.is_empty(), accused, "{script}: {found:?}");
    }
    // A form of a sort that the standard does not have: it is asked about in the form of the standard.
    let script = "(declare-fun x () (Int))(assert (> x 5))(check-sat)";
    let error = "(error \"Extra parentheses around sort name\")";
    let found = judged(script, vec![], &[("cvc5", error)], &|probe| {
        if probe.script.contains("(Int)") { error } else { "sat" }
    });
    assert_eq!(found, NOTHING);
    // The solver says itself that it does not have the format, or that options do not go together.
    for error in [
        "(error \"FP term (fp.add r x x) with type whose size is 3/5 is not supported, only Float32 (8/24) or Float64 \
         (11/53) types are supported in default mode. Try the experimental solver via --fp-exp.\")",
        "(error \"Fatal error in option parsing: ackermann not supported in quantified logics.\")",
    ] {
        assert_eq!(judged(X, vec![], &[("cvc5", error)], &|_| error), NOTHING, "{error}");
    }
}

fn error_text() -> &'static str {
    "(error \"line 1 column 9: unknown constant\")"
}
