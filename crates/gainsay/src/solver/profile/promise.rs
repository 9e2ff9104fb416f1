//! Promises: how the goals that a tactic makes of a formula are related to the formula.

use serde::Deserialize;
use smt::sexpr::parts;

/// How the goals of a tactic are related to the formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Promise {
    /// They have the same models.
    Equivalent,
    /// Every model of the formula is one of the goals.
    Weaker,
    /// Every model of the goals is one of the formula.
    Stronger,
    /// They have models if the formula has one, and only then.
    Equisatisfiable,
}

impl Promise {
    /// The promise where the goals say how precise they are; none if nothing is promised.
    pub fn with_precision(self, precision: &str) -> Option<Promise> {
        match (self, precision) {
            (promise, "precise") => Some(promise),
            (Promise::Equivalent | Promise::Weaker, "over") => Some(Promise::Weaker),
            (Promise::Equivalent | Promise::Stronger, "under") => Some(Promise::Stronger),
            _ => None,
        }
    }

    /// What two tactics promise, one after the other.
    fn then(self, other: Promise) -> Promise {
        match (self, other) {
            (Promise::Equivalent, one) | (one, Promise::Equivalent) => one,
            (one, other) if one == other => one,
            _ => Promise::Equisatisfiable,
        }
    }
}

/// The tactics of a solver, by what they promise.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TacticTable {
    /// Those whose goals have the same models.
    #[serde(default)]
    pub equivalent: Vec<String>,
    /// Those whose goals have all models of the formula.
    #[serde(default)]
    pub weaker: Vec<String>,
    /// Those whose goals have no other models than the formula.
    #[serde(default)]
    pub stronger: Vec<String>,
    /// Those whose goals have models if the formula has one, and only then.
    #[serde(default)]
    pub equisatisfiable: Vec<String>,
}

impl TacticTable {
    /// All tactics, each with its promise.
    pub fn all(&self) -> impl Iterator<Item = (&str, Promise)> {
        let lists = [
            (&self.equivalent, Promise::Equivalent),
            (&self.weaker, Promise::Weaker),
            (&self.stronger, Promise::Stronger),
            (&self.equisatisfiable, Promise::Equisatisfiable),
        ];
        lists.into_iter().flat_map(|(names, promise)| names.iter().map(move |name| (name.as_str(), promise)))
    }

    /// What a tactic promises: a name, some with `then` between them, or one with parameters. None if it is not known.
    pub fn promise(&self, tactic: &str) -> Option<Promise> {
        self.promise_within(tactic, MOST_NESTED)
    }

    fn promise_within(&self, tactic: &str, depth: u32) -> Option<Promise> {
        let depth = depth.checked_sub(1)?;
        if !tactic.starts_with('(') {
            return self.all().find(|(name, _)| *name == tactic).map(|(_, promise)| promise);
        }
        match parts(tactic).as_slice() {
            ["then" | "and-then", all @ ..] => {
                let mut promises = all.iter().map(|one| self.promise_within(one, depth));
                promises.try_fold(Promise::Equivalent, |sum, one| Some(sum.then(one?)))
            }
            ["!" | "using-params", one, ..] => self.promise_within(one, depth),
            _ => None,
        }
    }
}

/// Tactics inside tactics, no deeper than this.
const MOST_NESTED: u32 = 20;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tactics_promise_what_their_parts_promise() {
        use Promise::{Equisatisfiable, Equivalent, Stronger, Weaker};
        let name = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
        let table = TacticTable {
            equivalent: name(&["simplify", "nnf"]),
            weaker: name(&["solve-eqs"]),
            stronger: name(&["add-bounds"]),
            equisatisfiable: name(&["tseitin-cnf"]),
        };
        for (tactic, expected) in [
            ("simplify", Some(Equivalent)),
            ("solve-eqs", Some(Weaker)),
            ("unheard", None),
            ("(then simplify nnf)", Some(Equivalent)),
            ("(then simplify (! solve-eqs :a 1) nnf)", Some(Weaker)),
            ("(and-then solve-eqs add-bounds)", Some(Equisatisfiable)),
            ("(using-params add-bounds :bound 3)", Some(Stronger)),
            ("(then simplify unheard)", None),
            ("(or-else simplify nnf)", None),
        ] {
            assert_eq!(table.promise(tactic), expected, "{tactic}");
        }
        for (promise, precision, expected) in [
            (Equivalent, "precise", Some(Equivalent)),
            (Equivalent, "over", Some(Weaker)),
            (Weaker, "under", None),
            (Equisatisfiable, "over", None),
            (Equivalent, "under-over", None),
        ] {
            assert_eq!(promise.with_precision(precision), expected, "{promise:?} {precision}");
        }
    }
}
