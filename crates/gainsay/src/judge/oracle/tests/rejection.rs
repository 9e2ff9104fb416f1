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

fn error_text() -> &'static str {
    "(error \"line 1 column 9: unknown constant\")"
}
