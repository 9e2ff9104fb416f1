//! Old names: a script as a solver reads it that knows operators of strings only by the names they had before SMT-LIB 2.6.

use std::borrow::Cow;
use std::sync::LazyLock;

use smt::sexpr;
use smt::theory::table;

use super::Solver;
use super::profile::Flag;

/// The names of the standard, each with the name that it had before.
static OLD: LazyLock<Vec<(&str, &str)>> = LazyLock::new(|| {
    let rows = table().ids().map(|op| table().op(op));
    rows.filter_map(|row| row.former.map(|former| (row.name, former))).collect()
});

/// The script in the names that a solver knows.
pub fn spelled<'t>(solver: &Solver, script: &'t str) -> Cow<'t, str> {
    let old = solver.has(Flag::OldStringNames).then(|| with_old_names(script)).flatten();
    old.map_or(Cow::Borrowed(script), Cow::Owned)
}

/// The script with the old names; none if it has none of the new ones. What stands in quotes, bars and comments stays.
pub fn with_old_names(script: &str) -> Option<String> {
    if !OLD.iter().any(|(new, _)| script.contains(new)) {
        return None;
    }
    let old = |word: &str| OLD.iter().find(|(new, _)| *new == word).map(|(_, old)| (*old).to_owned());
    Some(sexpr::with_words(script, old))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_replaced_where_they_are_names() {
        let rows = [
            ("(assert (= (str.to_int s) 1))", Some("(assert (= (str.to.int s) 1))")),
            (
                "(str.in_re \"str.in_re\"\"(\" (re.comp re.none)) ; re.none",
                Some("(str.in.re \"str.in_re\"\"(\" (re.complement re.nostr)) ; re.none"),
            ),
            (
                "(declare-const |str.to_re| Int)(str.to_re x)",
                Some("(declare-const |str.to_re| Int)(str.to.re x)"),
            ),
            ("(declare-const re.none2 Int)", Some("(declare-const re.none2 Int)")),
            ("(str.len s)", None),
        ];
        for (script, expected) in rows {
            assert_eq!(with_old_names(script).as_deref(), expected, "{script}");
        }
    }
}
