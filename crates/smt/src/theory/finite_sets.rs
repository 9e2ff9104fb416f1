//! z3's finite sets.
//!
//! They share names and values with the sets of cvc5, which have another sort (decision 71).

use std::collections::BTreeSet;

use dashu_int::IBig;

use super::sets::{filter, map, member, merge, singleton, subset};
use super::{A, B, BOOL, INT, Identity, Op, op};
use crate::Pool;
use crate::gap::Gap;
use crate::sort::{Pat, Sort, SortId};
use crate::term::Index;
use crate::theory::call::{CONFUSED, Call};
use crate::value::Value;

const SET: Pat = Pat::FiniteSet(&A);
const TEST: Pat = Pat::Function(&[A, BOOL]);
/// The first z3 with finite sets.
const FIRST: &str = "5.0.0";

const fn finite(op: Op) -> Op {
    op.z3_only().since("z3", FIRST)
}

pub(super) static OPS: &[Op] = &[
    finite(op("set.empty", &[], SET, |_| Value::set(BTreeSet::new()))).known_as("cvc5", "set.empty"),
    finite(op("set.singleton", &[A], SET, singleton)).ruled(singleton_sort).known_as("cvc5", "set.singleton"),
    finite(op("set.union", &[SET, SET], SET, |c| merge(c, |a, b| a | b)))
        .monoid(Identity::Empty)
        .left_assoc()
        .at_least(2)
        .known_as("cvc5", "set.union"),
    finite(op("set.intersect", &[SET, SET], SET, |c| merge(c, |a, b| a & b)))
        .associative()
        .commutative()
        .left_assoc()
        .at_least(2)
        .known_as("cvc5", "set.inter"),
    finite(op("set.difference", &[SET, SET], SET, |c| merge(c, |a, b| a - b))).known_as("cvc5", "set.minus"),
    finite(op("set.in", &[A, SET], BOOL, member)).known_as("cvc5", "set.member"),
    finite(op("set.subset", &[SET, SET], BOOL, subset)).known_as("cvc5", "set.subset"),
    finite(op("set.size", &[SET], INT, |c| Ok(Value::Int(c.any_set(0)?.len().into()))))
        .known_as("cvc5", "set.card"),
    finite(op("set.range", &[INT, INT], Pat::FiniteSet(&INT), range)),
    finite(op("set.filter", &[TEST, SET], SET, filter)),
    finite(op("set.map", &[Pat::Function(&[A, B]), SET], Pat::FiniteSet(&B), map)),
    finite(op("set.diff", &[SET, SET], A, difference)),
    // Some element of the set that the function takes to the value. z3 uses it in its own lemmas.
    finite(op("set.map.inverse", &[Pat::Function(&[A, B]), B, SET], A, |_| {
        Err(Gap::NoMeaning("set.map.inverse"))
    }))
    .not_mutable(),
    // In z3's models: a set that is only known to have so many elements, none of which is in another such set. No
    // release reads it.
    op("set.unique", &[INT, INT], SET, unique).legacy().not_mutable(),
];

/// A singleton does not say whether it is a set of cvc5 or of z3. A script with one of z3's sorts is z3's.
fn singleton_sort(pool: &mut Pool, _: &[Index], args: &[SortId], want: Option<SortId>) -> Option<SortId> {
    let &[element] = args else { return None };
    let is_wanted = want.is_some_and(|want| matches!(pool.sort(want), Sort::FiniteSet(_)));
    (is_wanted || pool.has_finite_sets()).then(|| pool.sort_id(Sort::FiniteSet(element)))?
}

/// The numbers from the first to the second, both included.
fn range(c: &mut Call) -> Result<Value, Gap> {
    let (low, high) = (c.int(0)?.clone(), c.int(1)?.clone());
    if low > high {
        return Value::set(BTreeSet::new());
    }
    let count = u64::try_from(&high - &low).map_err(|_| Gap::TooLarge)?;
    c.build(count.saturating_add(1).saturating_mul(64))?;
    c.pay(count)?;
    Value::set((0..=count).map(|i| Value::Int(&low + IBig::from(i))).collect())
}

/// Some element of one of two sets that is not in the other, if they differ.
fn difference(c: &mut Call) -> Result<Value, Gap> {
    let differ = !c.equal(0, 1)?;
    let (a, b) = (c.any_set(0)?, c.any_set(1)?);
    c.unspecified_among(&["set.diff"], "where two sets differ", |c, x| {
        Ok(!differ || c.find(a, x)?.is_some() != c.find(b, x)?.is_some())
    })
}

/// The model says no more of it than its number and its size. Completion takes numbers that are unlikely to be elsewhere.
fn unique(c: &mut Call) -> Result<Value, Gap> {
    const APART: u64 = 1 << 20;
    let open = Gap::LeftToModel("the elements of set.unique");
    let Sort::FiniteSet(element) = c.pool().sort(c.sort) else { return Err(CONFUSED) };
    let (Ok(number), Ok(size)) = (u64::try_from(c.int(0)?), u64::try_from(c.int(1)?)) else {
        return Err(open);
    };
    if !c.world.completes() || element != SortId::INT || size >= APART || number >= APART {
        return Err(open);
    }
    c.build(size.saturating_mul(64))?;
    c.pay(size)?;
    Value::set((0..size).map(|i| Value::Int(IBig::from((number + 1) * APART + i))).collect())
}

#[cfg(test)]
mod tests {
    use crate::theory::tests::samples::{evaluated, rows};

    rows! { algebra,
        "empty"                 : "(set.size (as set.empty (FiniteSet Int)))" => "0",
        "empty is written"      : "(set.difference (set.range 1 2) (set.range 0 3))" => "(as set.empty (FiniteSet Int))",
        "range"                 : "(set.range (- 1) 1)" => "(set.union (set.singleton (- 1)) (set.singleton 0) (set.singleton 1))",
        "range of one"          : "(set.range 4 4)" => "(set.singleton 4)",
        "range upside down"     : "(set.size (set.range 4 3))" => "0",
        "range of all"          : "(set.size (set.range 0 99999999999999999999999))" => "the value is too large",
        "range of Reals"        : "(set.range 0.0 1.0)" => "no row for set.range",
        "size"                  : "(set.size (set.range 1 7))" => "7",
        "union"                 : "(set.size (set.union (set.range 1 3) (set.range 3 5) (set.range 5 6)))" => "6",
        "union of one"          : "(set.union (set.range 1 3))" => "no row for set.union",
        "intersection"          : "(set.intersect (set.range 1 3) (set.range 3 5))" => "(set.singleton 3)",
        "difference"            : "(set.difference (set.range 1 3) (set.range 2 5))" => "(set.singleton 1)",
        "difference of three"   : "(set.difference (set.range 1 3) (set.range 2 5) (set.range 1 1))" => "no row for set.difference",
        "in"                    : "(set.in 3 (set.range 1 3))" => "true",
        "not in"                : "(set.in 4 (set.range 1 3))" => "false",
        "in by another sort"    : "(set.in true (set.range 1 3))" => "no row for set.in",
        "subset"                : "(set.subset (set.range 2 3) (set.range 1 3))" => "true",
        "no subset"             : "(set.subset (set.range 2 4) (set.range 1 3))" => "false",
        "equal"                 : "(= (set.range 2 1) (set.range 5 4))" => "true",
        "cvc5's names"          : "(set.card (set.range 1 3))" => "no row for set.card",
        "functions"             : "(set.map (lambda ((x Int)) (* x x)) (set.range (- 1) 2))" => "(set.union (set.singleton 0) (set.singleton 1) (set.singleton 4))",
        "filter"                : "(set.filter (lambda ((x Int)) (> x 1)) (set.range (- 1) 2))" => "(set.singleton 2)",
        "where they differ"     : "(set.diff (set.range 1 3) (set.range 1 2))" => "where two sets differ is left to the model, which does not say",
        "of a model"            : "(set.size ((as set.unique (FiniteSet Int)) 1 2))" => "the elements of set.unique is left to the model, which does not say",
    }

    #[test]
    fn singletons_are_of_the_sort_that_the_script_has() {
        let of_z3 = "(let ((s (as set.empty (FiniteSet Bool)))) (set.singleton 1))";
        assert_eq!(evaluated(&format!("(set.size {of_z3})")), "1");
        assert_eq!(evaluated("(set.card (set.singleton 1))"), "1");
        assert_eq!(evaluated("(set.size (set.singleton 1))"), "1");
        assert_eq!(evaluated("(= (set.singleton 1) (set.range 1 1))"), "true");
    }
}
