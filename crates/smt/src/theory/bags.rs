//! Finite bags, as cvc5 has them.

use std::collections::{BTreeMap, BTreeSet};

use dashu_base::Signed;
use dashu_int::{IBig, UBig};

use super::sets::{all, fold, holds};
use super::{A, B, BOOL, INT, Op, op};
use crate::gap::Gap;
use crate::sort::Pat;
use crate::theory::call::Call;
use crate::value::Value;

/// How often each element occurs.
pub(super) type Counts = BTreeMap<Value, UBig>;

const BAG: Pat = Pat::Bag(&A);
const TEST: Pat = Pat::Function(&[A, BOOL]);
const NEWEST: &str = "1.4.2";

pub(super) static OPS: &[Op] = &[
    op("bag.empty", &[], BAG, |_| Value::bag(Counts::new())).cvc5_only(),
    op("bag", &[A, INT], BAG, make).cvc5_only(),
    op("bag.count", &[A, BAG], INT, |c| Ok(Value::Int(count(c)?.into()))).cvc5_only(),
    op("bag.member", &[A, BAG], BOOL, |c| Ok(Value::Bool(!count(c)?.is_zero()))).cvc5_only(),
    op("bag.union_max", &[BAG, BAG], BAG, |c| merge(c, |a, b| a.max(b).clone()))
        .left_assoc()
        .at_least(2)
        .cvc5_only(),
    op("bag.union_disjoint", &[BAG, BAG], BAG, |c| merge(c, |a, b| a + b))
        .left_assoc()
        .at_least(2)
        .cvc5_only(),
    op("bag.inter_min", &[BAG, BAG], BAG, |c| merge(c, |a, b| a.min(b).clone()))
        .left_assoc()
        .at_least(2)
        .cvc5_only(),
    op("bag.difference_subtract", &[BAG, BAG], BAG, |c| {
        merge(c, |a, b| if a > b { a - b } else { UBig::ZERO })
    })
    .left_assoc()
    .at_least(2)
    .cvc5_only(),
    op("bag.difference_remove", &[BAG, BAG], BAG, |c| {
        merge(c, |a, b| if b.is_zero() { a.clone() } else { UBig::ZERO })
    })
    .left_assoc()
    .at_least(2)
    .cvc5_only(),
    op("bag.subbag", &[BAG, BAG], BOOL, subbag).cvc5_only(),
    op("bag.card", &[BAG], INT, |c| {
        pay(c, 1)?;
        Ok(Value::Int(c.any_bag(0)?.values().sum::<UBig>().into()))
    })
    .cvc5_only(),
    op("bag.setof", &[BAG], BAG, once).cvc5_only().since("cvc5", NEWEST),
    op("bag.choose", &[BAG], A, choose).cvc5_only(),
    op("bag.map", &[Pat::Function(&[A, B]), BAG], Pat::Bag(&B), map).cvc5_only().since("cvc5", NEWEST),
    op("bag.filter", &[TEST, BAG], BAG, filter).cvc5_only().since("cvc5", NEWEST),
    op("bag.all", &[TEST, BAG], BOOL, |c| all(c, c.any_bag(1)?.keys(), true))
        .cvc5_only()
        .since("cvc5", NEWEST),
    op("bag.some", &[TEST, BAG], BOOL, |c| all(c, c.any_bag(1)?.keys(), false))
        .cvc5_only()
        .since("cvc5", NEWEST),
    op("bag.fold", &[Pat::Function(&[A, B, B]), B, BAG], B, |c| fold_bag(c, c.any_bag(2)?))
        .cvc5_only()
        .since("cvc5", NEWEST),
    op("bag.partition", &[Pat::Function(&[A, A, BOOL]), BAG], Pat::Bag(&BAG), partition)
        .cvc5_only()
        .since("cvc5", NEWEST),
    // Names of earlier releases.
    op("bag.duplicate_removal", &[BAG], BAG, once).legacy(),
    op("bag.is_singleton", &[BAG], BOOL, |c| {
        let total: UBig = c.any_bag(0)?.values().sum();
        Ok(Value::Bool(total.is_one()))
    })
    .legacy(),
    op("bag.from_set", &[Pat::Set(&A)], BAG, |c| {
        pay(c, 1)?;
        Value::bag_of_distinct(c.any_set(0)?.iter().map(|x| (x.clone(), UBig::ONE)).collect())
    })
    .legacy(),
    op("bag.to_set", &[BAG], Pat::Set(&A), |c| {
        pay(c, 1)?;
        Value::set_of_distinct(c.any_bag(0)?.keys().cloned().collect::<BTreeSet<_>>())
    })
    .legacy(),
];

/// Pays for walking through the first `n` arguments.
fn pay(c: &mut Call, n: usize) -> Result<(), Gap> {
    c.pay(c.args.iter().take(n).map(Value::size).sum())
}

/// What occurs zero times or less does not occur, and may then be anything.
fn make(c: &mut Call) -> Result<Value, Gap> {
    let (x, count) = (c.arg(0)?, c.int(1)?);
    if count.is_negative() || *count == IBig::ZERO {
        return Value::bag(Counts::new());
    }
    Value::bag(Counts::from([(x.clone(), count.clone().into_parts().1)]))
}

/// How often argument 0 occurs in argument 1.
fn count(c: &mut Call) -> Result<UBig, Gap> {
    pay(c, 2)?;
    let (x, bag) = (c.arg(0)?, c.any_bag(1)?);
    if x.rigid() && c.arg(1)?.rigid() {
        return Ok(bag.get(x).cloned().unwrap_or_default());
    }
    Ok(c.find(bag.keys(), x)?.map(|x| bag[x].clone()).unwrap_or_default())
}

/// Argument 1 with the elements of argument 0 for those that equal them by meaning.
fn matched(c: &mut Call) -> Result<Counts, Gap> {
    let (a, b) = (c.any_bag(0)?, c.any_bag(1)?);
    if c.arg(0)?.rigid() && c.arg(1)?.rigid() {
        return Ok(b.clone());
    }
    b.iter().map(|(x, n)| Ok((c.find(a.keys(), x)?.unwrap_or(x).clone(), n.clone()))).collect()
}

fn merge(c: &mut Call, by: fn(&UBig, &UBig) -> UBig) -> Result<Value, Gap> {
    pay(c, 2)?;
    let (a, b) = (c.any_bag(0)?, matched(c)?);
    let zero = UBig::ZERO;
    let of = |bag: &'_ Counts, x| bag.get(x).cloned().unwrap_or_default();
    let mut merged: Counts = a.iter().map(|(x, n)| (x.clone(), by(n, &of(&b, x)))).collect();
    for (x, n) in b.iter().filter(|(x, _)| !a.contains_key(x)) {
        merged.insert(x.clone(), by(&zero, n));
    }
    Value::bag_of_distinct(merged)
}

fn subbag(c: &mut Call) -> Result<Value, Gap> {
    pay(c, 2)?;
    let (a, b) = (c.any_bag(0)?, matched(c)?);
    Ok(Value::Bool(a.iter().all(|(x, n)| b.get(x).is_some_and(|m| n <= m))))
}

/// The bag of some values, of which several may be equal by meaning.
pub(super) fn bag_of(c: &mut Call, values: impl IntoIterator<Item = (Value, UBig)>) -> Result<Value, Gap> {
    let mut counts = Counts::new();
    for (x, n) in values {
        let plain = x.is_plain() || (x.rigid() && counts.keys().all(Value::rigid));
        let key = if plain { x } else { c.find(counts.keys(), &x)?.unwrap_or(&x).clone() };
        *counts.entry(key).or_default() += n;
    }
    Value::bag_of_distinct(counts)
}

fn once(c: &mut Call) -> Result<Value, Gap> {
    pay(c, 1)?;
    Value::bag_of_distinct(c.any_bag(0)?.keys().map(|x| (x.clone(), UBig::ONE)).collect())
}

/// Of a bag of one element, however often, that element; of any other, some function of the bag.
fn choose(c: &mut Call) -> Result<Value, Gap> {
    match c.any_bag(0)?.first_key_value() {
        Some((x, _)) if c.any_bag(0)?.len() == 1 => Ok(x.clone()),
        _ => c.chosen(c.any_bag(0)?.keys(), "bag.choose of no or several elements"),
    }
}

fn map(c: &mut Call) -> Result<Value, Gap> {
    let (function, bag) = (c.arg(0)?, c.any_bag(1)?);
    let mut mapped = Vec::new();
    for (x, n) in bag {
        mapped.push((c.apply(function, std::slice::from_ref(x))?, n.clone()));
    }
    bag_of(c, mapped)
}

fn filter(c: &mut Call) -> Result<Value, Gap> {
    let mut kept = Counts::new();
    for (x, n) in c.any_bag(1)? {
        if holds(c, x)? {
            kept.insert(x.clone(), n.clone());
        }
    }
    Value::bag_of_distinct(kept)
}

/// Combines the elements of a bag by argument 0, beginning with argument 1.
pub(super) fn fold_bag(c: &mut Call, bag: &Counts) -> Result<Value, Gap> {
    let mut elements = Vec::new();
    for (x, n) in bag {
        elements.push((x.clone(), usize::try_from(n).map_err(|_| Gap::TooMuchWork)?));
    }
    fold(c, &elements, "a fold in an order that matters")
}

/// The classes of an equivalence, each once. For any other relation the result would depend on an order.
fn partition(c: &mut Call) -> Result<Value, Gap> {
    let (function, bag) = (c.arg(0)?, c.bag(1)?);
    let mut related = |x: &Value, y: &Value| match c.apply(function, &[x.clone(), y.clone()])? {
        Value::Bool(b) => Ok(b),
        _ => Err(Gap::NoMeaning("a test that gives no Bool")),
    };
    let mut classes: Vec<Counts> = Vec::new();
    for (x, n) in bag {
        if !related(x, x)? {
            return Err(Gap::LeftToModel("a partition by what is no equivalence"));
        }
        let mut home = None;
        for (i, class) in classes.iter().enumerate() {
            let mut with = 0;
            for y in class.keys() {
                let (there, back) = (related(x, y)?, related(y, x)?);
                if there != back {
                    return Err(Gap::LeftToModel("a partition by what is no equivalence"));
                }
                with += usize::from(there);
            }
            match with {
                0 => {}
                _ if with == class.len() && home.is_none() => home = Some(i),
                _ => return Err(Gap::LeftToModel("a partition by what is no equivalence")),
            }
        }
        if let Some(i) = home {
            classes[i].insert(x.clone(), n.clone());
        } else {
            classes.push(Counts::from([(x.clone(), n.clone())]));
        }
    }
    each_once(classes)
}

/// The bag that holds each of these bags once.
pub(super) fn each_once(bags: Vec<Counts>) -> Result<Value, Gap> {
    let bags: Result<Counts, Gap> = bags.into_iter().map(|bag| Ok((Value::bag(bag)?, UBig::ONE))).collect();
    Value::bag(bags?)
}

#[cfg(test)]
mod tests {
    use crate::theory::tests::samples::rows;

    rows! { making,
        "twice"                : "(bag 1 2)" => "(bag 1 2)",
        "no times"             : "(bag 1 0)" => "(as bag.empty (Bag Int))",
        "less than no times"   : "(bag 1 (- 3))" => "(as bag.empty (Bag Int))",
        "a function"           : "(bag.count (lambda ((y Int)) y) (bag (lambda ((x Int)) x) 2))" => "2",
        "a function, no times" : "(bag.card (bag (lambda ((x Int)) x) 0))" => "0",
        "count"                : "(bag.count 1 (bag.union_disjoint (bag 1 2) (bag 2 3) (bag 1 1)))" => "3",
        "count of none"        : "(bag.count 5 (bag 1 2))" => "0",
        "member"               : "(bag.member 1 (bag 1 2))" => "true",
        "no member"            : "(bag.member 2 (bag 1 2))" => "false",
        "card"                 : "(bag.card (bag.union_disjoint (bag 1 2) (bag 2 3)))" => "5",
        "card of nothing"      : "(bag.card (as bag.empty (Bag Int)))" => "0",
        "card beyond 2^64"     : "(bag.card (bag true 36893488147419103232))" => "36893488147419103232",
    }

    rows! { algebra,
        "max"                  : "(bag.union_max (bag 1 2) (bag.union_disjoint (bag 1 1) (bag 2 1)))" => "(bag.union_disjoint (bag 1 2) (bag 2 1))",
        "sum"                  : "(bag.union_disjoint (bag 1 2) (bag 1 1))" => "(bag 1 3)",
        "min"                  : "(bag.inter_min (bag 1 2) (bag.union_disjoint (bag 1 1) (bag 2 1)))" => "(bag 1 1)",
        "subtract"             : "(bag.difference_subtract (bag 1 3) (bag 1 1) (bag 1 1))" => "(bag 1 1)",
        "subtract too much"    : "(bag.difference_subtract (bag 1 3) (bag 1 5))" => "(as bag.empty (Bag Int))",
        "remove"               : "(bag.difference_remove (bag.union_disjoint (bag 1 3) (bag 2 1)) (bag 1 1))" => "(bag 2 1)",
        "subbag"               : "(bag.subbag (bag 1 2) (bag 1 2))" => "true",
        "more often"           : "(bag.subbag (bag 1 3) (bag 1 2))" => "false",
        "nothing is a subbag"  : "(bag.subbag (as bag.empty (Bag Int)) (as bag.empty (Bag Int)))" => "true",
        "each once"            : "(bag.setof (bag.union_disjoint (bag 1 3) (bag 2 1)))" => "(bag.union_disjoint (bag 1 1) (bag 2 1))",
        "each once, as it was" : "(bag.duplicate_removal (bag 1 3))" => "(bag 1 1)",
        "to a set"             : "(bag.to_set (bag 1 3))" => "(set.singleton 1)",
        "from a set"           : "(bag.from_set (set.singleton 1))" => "(bag 1 1)",
        "one"                  : "(bag.is_singleton (bag 1 1))" => "true",
        "one, twice"           : "(bag.is_singleton (bag 1 2))" => "false",
    }

    rows! { functions,
        "choose"               : "(bag.choose (bag 7 2))" => "7",
        "choose of two"        : "(bag.choose (bag.union_disjoint (bag 1 1) (bag 2 1)))" => "bag.choose of no or several elements is left to the model, which does not say",
        "choose of none"       : "(bag.choose (as bag.empty (Bag Int)))" => "bag.choose of no or several elements is left to the model, which does not say",
        "map"                  : "(bag.map (lambda ((x Int)) (* x x)) (bag.union_disjoint (bag 1 2) (bag (- 1) 3)))" => "(bag 1 5)",
        "filter"               : "(bag.filter (lambda ((x Int)) (< x 2)) (bag.union_disjoint (bag 1 2) (bag 2 3)))" => "(bag 1 2)",
        "all"                  : "(bag.all (lambda ((x Int)) (< x 2)) (bag.union_disjoint (bag 1 2) (bag 2 3)))" => "false",
        "some"                 : "(bag.some (lambda ((x Int)) (< x 2)) (bag.union_disjoint (bag 1 2) (bag 2 3)))" => "true",
        "fold"                 : "(bag.fold (lambda ((x Int) (y Int)) (+ x y)) 1 (bag.union_disjoint (bag 1 2) (bag 2 3)))" => "9",
        "fold of one kind"     : "(bag.fold (lambda ((x Int) (y Int)) (- x y)) 1 (bag 5 3))" => "4",
        "the order matters"    : "(bag.fold (lambda ((x Int) (y Int)) (- x y)) 1 (bag.union_disjoint (bag 1 2) (bag 2 1)))" => "a fold in an order that matters is left to the model, which does not say",
        "very often"           : "(bag.fold (lambda ((x Int) (y Int)) (+ x y)) 1 (bag.union_disjoint (bag 1 100000) (bag 2 100000)))" => "it would take too much work",
        "partition"            : "(bag.partition (lambda ((x Int) (y Int)) (= (* x x) (* y y))) (bag.union_disjoint (bag 1 2) (bag (- 1) 3) (bag 2 1)))"
                                 => "(bag.union_disjoint (bag (bag.union_disjoint (bag (- 1) 3) (bag 1 2)) 1) (bag (bag 2 1) 1))",
        "partition of nothing" : "(bag.partition (lambda ((x Int) (y Int)) true) (as bag.empty (Bag Int)))" => "(as bag.empty (Bag (Bag Int)))",
        "partition by an order": "(bag.partition (lambda ((x Int) (y Int)) (<= x y)) (bag.union_disjoint (bag 1 2) (bag 2 3)))" => "a partition by what is no equivalence is left to the model, which does not say",
        "irreflexive"          : "(bag.partition (lambda ((x Int) (y Int)) (< x y)) (bag 1 2))" => "a partition by what is no equivalence is left to the model, which does not say",
        "not transitive"       : "(bag.partition (lambda ((x Int) (y Int)) (<= (* (- x y) (- x y)) 1)) (bag.union_disjoint (bag 1 1) (bag 2 1) (bag 3 1)))"
                                 => "a partition by what is no equivalence is left to the model, which does not say",
    }
}
