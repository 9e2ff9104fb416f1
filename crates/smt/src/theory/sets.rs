//! Finite sets, as cvc5 has them.

use std::collections::{BTreeMap, BTreeSet};

use super::{A, B, BOOL, INT, Identity, Op, op};
use crate::Pool;
use crate::gap::Gap;
use crate::sort::{Pat, Sort, SortId};
use crate::term::Index;
use crate::theory::call::Call;
use crate::value::Value;

const SET: Pat = Pat::Set(&A);
const TEST: Pat = Pat::Function(&[A, BOOL]);
const EXTENDED: &[&str] = &["--sets-exp", "--sets-ext"];
const NEWEST: &str = "1.4.2";

pub(super) static OPS: &[Op] = &[
    op("set.empty", &[], SET, |_| Value::set(BTreeSet::new())).cvc5_only(),
    op("set.singleton", &[A], SET, singleton).ruled(singleton_sort).cvc5_only(),
    op("set.union", &[SET, SET], SET, |c| merge(c, |a, b| a | b))
        .monoid(Identity::Empty)
        .left_assoc()
        .at_least(2)
        .cvc5_only(),
    op("set.inter", &[SET, SET], SET, |c| merge(c, |a, b| a & b))
        .associative()
        .commutative()
        .left_assoc()
        .at_least(2)
        .cvc5_only(),
    op("set.minus", &[SET, SET], SET, |c| merge(c, |a, b| a - b)).left_assoc().at_least(2).cvc5_only(),
    op("set.member", &[A, SET], BOOL, member).cvc5_only(),
    op("set.subset", &[SET, SET], BOOL, subset).cvc5_only(),
    // Elements, then the set.
    op("set.insert", &[A], SET, insert).variadic().at_least(2).ruled(insert_sort).cvc5_only(),
    op("set.card", &[SET], INT, |c| Ok(Value::Int(c.any_set(0)?.len().into()))).cvc5_only(),
    op("set.complement", &[SET], SET, universe).cvc5_only().under("cvc5", EXTENDED, "0"),
    op("set.universe", &[], SET, universe).cvc5_only().under("cvc5", EXTENDED, "0"),
    op("set.choose", &[SET], A, choose).cvc5_only(),
    op("set.is_empty", &[SET], BOOL, |c| Ok(Value::Bool(c.any_set(0)?.is_empty())))
        .cvc5_only()
        .since("cvc5", NEWEST),
    op("set.is_singleton", &[SET], BOOL, |c| Ok(Value::Bool(c.any_set(0)?.len() == 1))).cvc5_only(),
    op("set.filter", &[TEST, SET], SET, filter).cvc5_only(),
    op("set.map", &[Pat::Function(&[A, B]), SET], Pat::Set(&B), map).cvc5_only(),
    op("set.fold", &[Pat::Function(&[A, B, B]), B, SET], B, |c| {
        let set: Vec<_> = c.any_set(2)?.iter().map(|x| (x.clone(), 1)).collect();
        fold(c, &set, "set.fold in an order that matters")
    })
    .cvc5_only(),
    op("set.all", &[TEST, SET], BOOL, |c| all(c, c.any_set(1)?.iter(), true))
        .cvc5_only()
        .since("cvc5", NEWEST),
    op("set.some", &[TEST, SET], BOOL, |c| all(c, c.any_set(1)?.iter(), false))
        .cvc5_only()
        .since("cvc5", NEWEST),
];

/// Pays for walking through the first `n` arguments.
fn pay(c: &mut Call, n: usize) -> Result<(), Gap> {
    c.pay(c.args.iter().take(n).map(Value::size).sum())
}

/// A set operation on elements that are told apart by meaning: those of the second set that equal one of the first
/// are replaced by it.
pub(super) fn merge(
    c: &mut Call,
    by: fn(&BTreeSet<Value>, &BTreeSet<Value>) -> BTreeSet<Value>,
) -> Result<Value, Gap> {
    pay(c, 2)?;
    let (a, b) = (c.any_set(0)?, c.any_set(1)?);
    if c.arg(0)?.rigid() && c.arg(1)?.rigid() {
        return Value::set(by(a, b));
    }
    let b: Result<BTreeSet<Value>, Gap> = b.iter().map(|x| Ok(c.find(a, x)?.unwrap_or(x).clone())).collect();
    Value::set_of_distinct(by(a, &b?))
}

pub(super) fn subset(c: &mut Call) -> Result<Value, Gap> {
    pay(c, 2)?;
    let (a, b) = (c.any_set(0)?, c.any_set(1)?);
    if c.arg(0)?.rigid() && c.arg(1)?.rigid() {
        return Ok(Value::Bool(a.is_subset(b)));
    }
    let mut open = None;
    for x in a {
        match c.find(b, x) {
            Ok(Some(_)) => {}
            Ok(None) => return Ok(Value::Bool(false)),
            Err(gap) => open = Some(gap),
        }
    }
    open.map_or(Ok(Value::Bool(true)), Err)
}

pub(super) fn member(c: &mut Call) -> Result<Value, Gap> {
    pay(c, 2)?;
    let (x, set) = (c.arg(0)?, c.any_set(1)?);
    if x.rigid() && c.arg(1)?.rigid() {
        return Ok(Value::Bool(set.contains(x)));
    }
    Ok(Value::Bool(c.find(set, x)?.is_some()))
}

/// The set of some values, of which several may be equal by meaning.
pub(super) fn set_of(c: &mut Call, values: impl IntoIterator<Item = Value>) -> Result<Value, Gap> {
    let mut set = BTreeSet::new();
    for x in values {
        let plain = x.is_plain() || (x.rigid() && set.iter().all(Value::rigid));
        if plain || c.find(&set, &x)?.is_none() {
            set.insert(x);
        }
    }
    Value::set_of_distinct(set)
}

pub(super) fn singleton(c: &mut Call) -> Result<Value, Gap> {
    Value::set(BTreeSet::from([c.arg(0)?.clone()]))
}

/// A script with a finite set of z3 has no sets of cvc5.
fn singleton_sort(pool: &mut Pool, _: &[Index], args: &[SortId], want: Option<SortId>) -> Option<SortId> {
    let &[element] = args else { return None };
    let is_wanted = want.is_some_and(|want| matches!(pool.sort(want), Sort::Set(_)));
    (is_wanted || !pool.has_finite_sets()).then(|| pool.sort_id(Sort::Set(element)))?
}

fn insert(c: &mut Call) -> Result<Value, Gap> {
    pay(c, c.args.len())?;
    let Some(last) = c.args.len().checked_sub(1) else { return Err(Gap::NoMeaning("set.insert of nothing")) };
    let mut set = c.any_set(last)?.clone();
    if c.args.iter().all(Value::rigid) {
        set.extend(c.args[..last].iter().cloned());
        return Value::set(set);
    }
    for x in &c.args[..last] {
        if c.find(&set, x)?.is_none() {
            set.insert(x.clone());
        }
    }
    Value::set_of_distinct(set)
}

fn insert_sort(pool: &mut Pool, _: &[Index], args: &[SortId], _: Option<SortId>) -> Option<SortId> {
    let (&set, elements) = args.split_last()?;
    if set == SortId::UNKNOWN {
        return Some(set);
    }
    let Sort::Set(element) = pool.sort(set) else { return None };
    elements.iter().all(|&x| x == element || x == SortId::UNKNOWN).then_some(set)
}

// In cvc5 the universe is any finite set that holds all sets of the formula, even over Bool: `(= (as set.universe
// (Set Bool)) (as set.empty (Set Bool)))` is sat. Its models do not say which.
fn universe(_: &mut Call) -> Result<Value, Gap> {
    Err(Gap::LeftToModel("the universe of sets"))
}

/// Of a singleton, its element; of any other set, some function of the set.
fn choose(c: &mut Call) -> Result<Value, Gap> {
    match c.any_set(0)?.first() {
        Some(x) if c.any_set(0)?.len() == 1 => Ok(x.clone()),
        _ => c.chosen(c.any_set(0)?.iter(), "set.choose of no or several elements"),
    }
}

/// Whether a test, argument 0, holds of a value.
pub(super) fn holds(c: &mut Call, x: &Value) -> Result<bool, Gap> {
    match c.apply(c.arg(0)?, std::slice::from_ref(x))? {
        Value::Bool(b) => Ok(b),
        _ => Err(Gap::NoMeaning("a test that gives no Bool")),
    }
}

pub(super) fn filter(c: &mut Call) -> Result<Value, Gap> {
    let mut kept = BTreeSet::new();
    for x in c.any_set(1)? {
        if holds(c, x)? {
            kept.insert(x.clone());
        }
    }
    Value::set_of_distinct(kept)
}

pub(super) fn map(c: &mut Call) -> Result<Value, Gap> {
    let (function, set) = (c.arg(0)?, c.any_set(1)?);
    let mapped: Result<Vec<_>, _> = set.iter().map(|x| c.apply(function, std::slice::from_ref(x))).collect();
    set_of(c, mapped?)
}

/// Whether the test holds of all elements (`all`), or of some (`!all`).
pub(super) fn all<'a>(
    c: &mut Call,
    elements: impl Iterator<Item = &'a Value>,
    all: bool,
) -> Result<Value, Gap> {
    let mut open = None;
    for x in elements {
        match holds(c, x) {
            Ok(b) if b == all => {}
            Ok(b) => return Ok(Value::Bool(b)),
            Err(gap) => open = Some(gap),
        }
    }
    open.map_or(Ok(Value::Bool(all)), Err)
}

/// So many states of a fold are looked at, and no more.
const STATES: usize = 512;

/// Combines elements, each so many times, by the function that is argument 0, beginning with argument 1. The order is
/// nobody's: only what all orders agree on is a value.
pub(super) fn fold(c: &mut Call, elements: &[(Value, usize)], what: &'static str) -> Result<Value, Gap> {
    let (function, start) = (c.arg(0)?, c.arg(1)?);
    let steps = elements.iter().fold(0_usize, |sum, (_, n)| sum.saturating_add(*n));
    if let [(x, n)] = elements {
        return (0..*n).try_fold(start.clone(), |so_far, _| {
            c.pay(1)?;
            c.apply(function, &[x.clone(), so_far])
        });
    }
    // What may have been reached after so many steps: what is left to take, and what was made so far.
    let left: Vec<usize> = elements.iter().map(|(_, n)| *n).collect();
    let mut reached = BTreeMap::from([(left, vec![start.clone()])]);
    for _ in 0..steps {
        let mut next: BTreeMap<Vec<usize>, Vec<Value>> = BTreeMap::new();
        for (left, values) in &reached {
            for (i, (x, _)) in elements.iter().enumerate().filter(|(i, _)| left[*i] > 0) {
                let mut left = left.clone();
                left[i] -= 1;
                let states = next.entry(left).or_default();
                for so_far in values {
                    let value = c.apply(function, &[x.clone(), so_far.clone()])?;
                    if c.find(&*states, &value)?.is_none() {
                        states.push(value);
                    }
                }
            }
            if next.values().map(Vec::len).sum::<usize>() > STATES {
                return Err(Gap::TooMuchWork);
            }
        }
        reached = next;
    }
    match &reached.into_values().flatten().collect::<Vec<_>>()[..] {
        [value] => Ok(value.clone()),
        // Completion would have to know which order to take.
        _ => Err(Gap::LeftToModel(what)),
    }
}

#[cfg(test)]
mod tests {
    use crate::theory::tests::samples::rows;

    rows! { algebra,
        "union"                : "(set.union (set.singleton 1) (set.singleton 2) (set.singleton 1))" => "(set.union (set.singleton 1) (set.singleton 2))",
        "one argument"         : "(set.union (set.singleton 1))" => "no row for set.union",
        "two sorts"            : "(set.union (set.singleton 1) (set.singleton true))" => "no row for set.union",
        "intersection"         : "(set.inter (set.insert 1 2 (set.singleton 3)) (set.insert 2 (set.singleton 4)))" => "(set.singleton 2)",
        "empty intersection"   : "(set.inter (set.singleton 3) (set.singleton 4))" => "(as set.empty (Set Int))",
        "difference"           : "(set.minus (set.insert 1 2 (set.singleton 3)) (set.singleton 2) (set.singleton 1))" => "(set.singleton 3)",
        "insert twice"         : "(set.card (set.insert 1 1 2 (as set.empty (Set Int))))" => "2",
        "insert nothing"       : "(set.insert (as set.empty (Set Int)))" => "no row for set.insert",
        "insert another sort"  : "(set.insert true (as set.empty (Set Int)))" => "no row for set.insert",
        "insert into no set"   : "(set.insert 1 2)" => "no row for set.insert",
        "subset"               : "(set.subset (set.singleton 1) (set.insert 1 (set.singleton 2)))" => "true",
        "superset"             : "(set.subset (set.insert 1 (set.singleton 2)) (set.singleton 1))" => "false",
        "empty subset"         : "(set.subset (as set.empty (Set Int)) (as set.empty (Set Int)))" => "true",
        "is empty"             : "(set.is_empty (as set.empty (Set Int)))" => "true",
        "is singleton"         : "(set.is_singleton (set.insert 1 (set.singleton 1)))" => "true",
        "empty is none"        : "(set.is_singleton (as set.empty (Set Int)))" => "false",
        "sets of sets"         : "(set.card (set.insert (set.singleton 1) (set.singleton (set.singleton 1))))" => "1",
        "equal"                : "(= (set.insert 1 (set.singleton 2)) (set.insert 2 (set.singleton 1)))" => "true",
    }

    rows! { membership,
        "in it"                : "(set.member 1 (set.insert 1 (set.singleton 2)))" => "true",
        "not in it"            : "(set.member 3 (set.insert 1 (set.singleton 2)))" => "false",
        "in nothing"           : "(set.member 3 (as set.empty (Set Int)))" => "false",
        "one function"         : "(set.card (set.singleton (lambda ((x Int)) x)))" => "1",
        "one function twice"   : "(set.card (set.insert (lambda ((x Int)) x) (set.singleton (lambda ((y Int)) y))))" => "1",
        "two functions"        : "(set.card (set.insert (lambda ((x Int)) (+ x 1)) (set.singleton (lambda ((y Int)) y))))" => "2",
        "perhaps two functions": "(set.card (set.insert (lambda ((x Int)) (+ x x)) (set.singleton (lambda ((y Int)) (* 2 y)))))" => "functions cannot be compared",
        "a function in nothing": "(set.member (lambda ((x Int)) x) (as set.empty (Set (-> Int Int))))" => "false",
    }

    rows! { open,
        "universe of Bool"     : "(as set.universe (Set Bool))" => "the universe of sets is left to the model, which does not say",
        "complement"           : "(set.complement (set.singleton true))" => "the universe of sets is left to the model, which does not say",
        "choose of one"        : "(set.choose (set.singleton 7))" => "7",
        "choose of two"        : "(set.choose (set.insert 1 (set.singleton 7)))" => "set.choose of no or several elements is left to the model, which does not say",
        "choose of none"       : "(set.choose (as set.empty (Set Int)))" => "set.choose of no or several elements is left to the model, which does not say",
    }

    rows! { functions,
        "filter"               : "(set.filter (lambda ((x Int)) (< x 2)) (set.insert 1 (set.singleton 2)))" => "(set.singleton 1)",
        "filter by another"    : "(set.filter (lambda ((x Int)) x) (set.singleton 2))" => "no row for set.filter",
        "map"                  : "(set.map (lambda ((x Int)) (* x x)) (set.insert 1 (- 1) (set.singleton 2)))" => "(set.union (set.singleton 1) (set.singleton 4))",
        "map of nothing"       : "(set.map (lambda ((x Int)) true) (as set.empty (Set Int)))" => "(as set.empty (Set Bool))",
        "all"                  : "(set.all (lambda ((x Int)) (< x 2)) (set.insert 1 (set.singleton 2)))" => "false",
        "all of nothing"       : "(set.all (lambda ((x Int)) false) (as set.empty (Set Int)))" => "true",
        "all, false beats open": "(set.all (lambda ((x Int)) (= x (div 1 x))) (set.insert 0 (set.singleton 2)))" => "false",
        "all, open"            : "(set.all (lambda ((x Int)) (= x (div 1 x))) (set.insert 0 (set.singleton 1)))" => "division by zero is left to the model, which does not say",
        "some"                 : "(set.some (lambda ((x Int)) (< x 2)) (set.insert 1 (set.singleton 2)))" => "true",
        "some of nothing"      : "(set.some (lambda ((x Int)) true) (as set.empty (Set Int)))" => "false",
        "some, true beats open": "(set.some (lambda ((x Int)) (= x (div 1 x))) (set.insert 0 (set.singleton 1)))" => "true",
    }

    rows! { folds,
        "of nothing"           : "(set.fold (lambda ((x Int) (y Int)) (- y x)) 9 (as set.empty (Set Int)))" => "9",
        "of one"               : "(set.fold (lambda ((x Int) (y Int)) (- y x)) 9 (set.singleton 4))" => "5",
        "any order"            : "(set.fold (lambda ((x Int) (y Int)) (+ x y)) 0 (set.insert 1 2 3 4 5 (set.singleton 6)))" => "21",
        "any order in the end" : "(set.fold (lambda ((x Int) (y Int)) (ite (< x y) y x)) 0 (set.insert 1 2 (set.singleton 3)))" => "3",
        "the order matters"    : "(set.fold (lambda ((x Int) (y Int)) (- x y)) 0 (set.insert 1 (set.singleton 3)))" => "set.fold in an order that matters is left to the model, which does not say",
        "many elements"        : "(set.fold (lambda ((x Int) (y Int)) (+ x y)) 0 (set.insert 1 2 3 4 5 6 7 8 9 10 11 12 13 (set.singleton 14)))" => "it would take too much work",
    }
}
