//! the operators that a mutant may use, by who reads them and what the seed leaves free.

use rustc_hash::FxHashSet;
use smt::theory::{Op, OpId, table};
use smt::{Head, Script, Symbol};

/// Who is to read the mutants.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Speaker {
    Z3(Option<String>),
    /// A release, and its options.
    Cvc5(Option<String>, Vec<String>),
    /// Of these the table knows nothing.
    Other,
}

/// The operators that may be used.
#[derive(Clone, Debug)]
pub(super) struct OperatorSupport(Vec<bool>);

/// cvc5 wants a constant in some place of these, which no sort says.
const WANT_CONSTANTS: &[&str] = &["^", "const"];

impl OperatorSupport {
    /// What all speakers of a list such as `z3@5.4.0,cvc5@1.4.2` read. Of nobody: what is standard and read by anybody,
    /// and the extensions that both z3 and cvc5 read.
    pub fn of(speakers: &str) -> OperatorSupport {
        let names = speakers.split(',').map(str::trim).filter(|name| !name.is_empty());
        let speakers: Vec<Speaker> = names.map(speaker).collect();
        OperatorSupport(table().ids().map(|op| is_read(table().op(op), &speakers)).collect())
    }

    /// Whether an operator may be used.
    pub fn has(&self, op: OpId) -> bool {
        self.0[op.index()]
    }

    /// The same without what a script's own names hide.
    #[must_use]
    pub fn in_script(&self, script: &Script) -> OperatorSupport {
        let pool = &script.pool;
        let mut own: FxHashSet<Symbol> = FxHashSet::default();
        own.extend(pool.functions().map(|fun| pool.fun(fun).name));
        for term in pool.all_terms() {
            match pool.node(term).head {
                Head::Let(list) | Head::Forall(list) | Head::Exists(list) | Head::Lambda(list) => {
                    own.extend(pool.binders(list).iter().map(|binder| binder.name));
                }
                Head::Match(cases) => {
                    for case in pool.cases(cases) {
                        own.extend(pool.binders(case.binders).iter().map(|binder| binder.name));
                    }
                }
                _ => {}
            }
        }
        let mut free = self.clone();
        for name in own {
            for &op in table().named(pool.text(name)) {
                free.0[op.index()] = false;
            }
        }
        free
    }
}

fn speaker(name: &str) -> Speaker {
    let mut words = name.split_whitespace();
    let first = words.next().unwrap_or(name);
    let (program, release) = match first.split_once('@') {
        Some((program, release)) => (program, Some(release.to_owned())),
        None => (first, None),
    };
    match program.rsplit('/').next() {
        Some("z3") => Speaker::Z3(release),
        Some("cvc5") => Speaker::Cvc5(release, words.map(str::to_owned).collect()),
        _ => Speaker::Other,
    }
}

fn is_read(op: &Op, speakers: &[Speaker]) -> bool {
    if speakers.is_empty() {
        let (z3, cvc5) = (op.z3.reads(None), op.cvc5.reads(None));
        return !WANT_CONSTANTS.contains(&op.name) && if op.standard { z3 || cvc5 } else { z3 && cvc5 };
    }
    speakers.iter().all(|speaker| match speaker {
        Speaker::Z3(release) => op.z3.reads(release.as_deref()),
        Speaker::Cvc5(release, options) => {
            let lacks = op.cvc5_needs.is_some_and(|needs| needs.lacks(release.as_deref(), options));
            op.cvc5.reads(release.as_deref()) && !lacks && !WANT_CONSTANTS.contains(&op.name)
        }
        // What is standard and has long been read by both is likely to be read by others.
        Speaker::Other => op.standard && op.z3.reads(Some("0")) && op.cvc5.reads(Some("0")),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operators_are_for_those_who_read_them() {
        let rows = [
            ("bvadd", "", true),
            ("divisible", "", true),
            ("nat2bv", "", false),
            ("seq.len", "", true),
            ("set.union", "", false),
            ("rem", "", false),
            ("rem", "z3@4.8.5", true),
            ("rem", "z3,cvc5", false),
            ("set.union", "cvc5@1.4.2", true),
            ("bvnego", "z3@5.4.0,cvc5@1.4.2", true),
            ("bvnego", "z3@4.8.12,cvc5@1.4.2", false),
            ("bvnego", "./build/z3", true),
            ("bvnego", "bitwuzla@0.8.2", false),
            ("bvadd", "bitwuzla@0.8.2, z3@5.4.0 smt.arith.solver=2", true),
            ("divisible", "z3@5.4.0,cvc5@1.4.2", false),
            ("set.universe", "cvc5@1.4.2", false),
            ("set.universe", "cvc5@1.4.2 --sets-exp", true),
        ];
        for (name, speakers, expected) in rows {
            let support = OperatorSupport::of(speakers);
            let has = table().named(name).iter().any(|&op| support.has(op));
            assert_eq!(has, expected, "{name} for {speakers:?}");
        }
    }

    #[test]
    fn names_of_the_script_hide_operators() {
        let script = smt::read(
            b"(declare-fun bvadd (Int) Int)(assert (forall ((mod Int)) (let ((abs 1)) (< mod (bvadd abs)))))",
        );
        let support = OperatorSupport::of("").in_script(&script.expect("well-sorted"));
        for (name, expected) in [("bvadd", false), ("mod", false), ("abs", false), ("div", true)] {
            let has = table().named(name).iter().any(|&op| support.has(op));
            assert_eq!(has, expected, "{name}");
        }
    }
}
