//! Other names: a script as a solver reads it that knows operators by other names than the script has.

use std::sync::LazyLock;

use smt::sexpr;
use smt::theory::table;

/// The names of the standard, each with the name that it had before.
static OLD: LazyLock<Vec<(&str, &str)>> = LazyLock::new(|| {
    let rows = table().ids().map(|op| table().op(op));
    rows.filter_map(|row| row.former.map(|former| (row.name, former))).collect()
});

/// Sorts that a solver knows by another name: the solver, the name in scripts, and its own.
const SORTS: &[(&str, &str, &str)] = &[("cvc5", "FiniteSet", "Set")];

/// Sorts and operators that a solver knows by another name: the solver, the name in scripts, and its own.
static OWN: LazyLock<Vec<(&str, &str, &str)>> = LazyLock::new(|| {
    let rows = table().ids().map(|op| table().op(op));
    let names = rows.flat_map(|row| {
        let other = move |reader: &smt::theory::Reader| Some((reader.solver, row.name, reader.name?));
        row.readers.iter().filter_map(other)
    });
    SORTS.iter().copied().chain(names).filter(|(_, name, own)| name != own).collect()
});

/// The script with the names by which a solver knows what is in it; none if they are the same. What stands in quotes, bars
/// and comments stays.
pub fn in_names_of(solver: &str, script: &str) -> Option<String> {
    let own = || OWN.iter().filter(|(whose, ..)| *whose == solver);
    if !own().any(|(_, name, _)| script.contains(name)) {
        return None;
    }
    let renamed = sexpr::with_words(script, |word| {
        own().find(|(_, name, _)| *name == word).map(|(.., own)| (*own).to_owned())
    });
    // A name may be a part of another one.
    (renamed != script).then_some(renamed)
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
    fn finite_sets_are_sets_of_cvc5() {
        let script = "(declare-const s (FiniteSet Int))(assert (set.in 1 (set.intersect s (as set.empty (FiniteSet Int)))))";
        let own = "(declare-const s (Set Int))(assert (set.member 1 (set.inter s (as set.empty (Set Int)))))";
        assert_eq!(in_names_of("cvc5", script).as_deref(), Some(own));
        assert_eq!(in_names_of("z3", script), None);
        assert_eq!(in_names_of("cvc5", own), None);
    }

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
