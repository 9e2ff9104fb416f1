//! Equivalences between an operation and what it means, as rows: `A` holds if and only if `B` does for some values of the
//! variables that only `B` has.
//!
//! E1 to E12 are those of the paper, in forms that hold in both directions; what was printed is kept beside where it differs
//! (E4, E5, E6: there `B` only implies `A`). In E2 the printed quotients and remainders are those of integers. The rows
//! below them are ours.

mod others;
mod strings;

use super::equalities::Variable;

/// One row.
#[derive(Debug)]
pub struct Equivalence {
    /// Its name.
    pub id: &'static str,
    /// The theory it is of.
    pub theory: &'static str,
    /// The variables of both sides.
    pub shared: &'static [Variable],
    /// The operation.
    pub a: &'static str,
    /// What it means, as conjuncts.
    pub b: &'static [&'static str],
    /// The variables that only `B` has.
    pub own: &'static [Variable],
    /// Whether `A` implies `B`, too.
    pub converse: bool,
    /// A term with all variables that only `B` has, for a pattern.
    pub pattern: &'static str,
}

const fn row(
    id: &'static str,
    shared: &'static [Variable],
    a: &'static str,
    b: &'static [&'static str],
) -> Equivalence {
    Equivalence { id, theory: "strings", shared, a, b, own: &[], converse: true, pattern: "" }
}

impl Equivalence {
    const fn with(mut self, own: &'static [Variable], pattern: &'static str) -> Equivalence {
        self.own = own;
        self.pattern = pattern;
        self
    }
    const fn one_way(mut self) -> Equivalence {
        self.converse = false;
        self
    }
    const fn of(mut self, theory: &'static str) -> Equivalence {
        self.theory = theory;
        self
    }
}

/// All rows.
pub fn all() -> impl Iterator<Item = &'static Equivalence> {
    strings::ROWS.iter().chain(others::ROWS)
}

/// The rows of a theory.
pub fn rows(theory: &str) -> impl Iterator<Item = &'static Equivalence> + use<'_> {
    all().filter(move |row| row.theory == theory)
}
