//! Tables, which are bags of tuples, as cvc5 has them.

use std::collections::BTreeMap;

use dashu_int::UBig;

use super::bags::{Counts, each_once, fold_bag};
use super::relations::{
    Kind, aggregate_sort, at, columns, group_sort, pairs, pay_product, product_sort, project_sort, row,
    table_join_sort,
};
use super::{A, B, Op, op};
use crate::gap::Gap;
use crate::sort::Pat;
use crate::theory::call::Call;
use crate::value::Value;

const TABLE: Pat = Pat::Bag(&A);
const NEWEST: &str = "1.4.2";

pub(super) static OPS: &[Op] = &[
    op("table.product", &[TABLE, TABLE], TABLE, join)
        .ruled(|p, _, args, _| product_sort(p, Kind::Bag, args))
        .cvc5_only()
        .since("cvc5", NEWEST),
    op("table.join", &[TABLE, TABLE], TABLE, join)
        .indexed_by_any()
        .ruled(|p, indices, args, _| table_join_sort(p, Kind::Bag, indices, args))
        .cvc5_only()
        .since("cvc5", NEWEST),
    op("table.project", &[TABLE], TABLE, project)
        .indexed_by_any()
        .ruled(|p, indices, args, _| project_sort(p, Kind::Bag, indices, args))
        .cvc5_only()
        .since("cvc5", NEWEST),
    op("table.group", &[TABLE], Pat::Bag(&TABLE), |c| each_once(groups(c, 0)?))
        .indexed_by_any()
        .ruled(|p, indices, args, _| group_sort(p, Kind::Bag, indices, args))
        .cvc5_only()
        .since("cvc5", NEWEST),
    op("table.aggr", &[Pat::Function(&[A, B, B]), B, TABLE], Pat::Bag(&B), aggregate)
        .indexed_by_any()
        .ruled(|p, indices, args, _| aggregate_sort(p, Kind::Bag, indices, args))
        .cvc5_only()
        .since("cvc5", NEWEST),
];

/// The rows of both tables side by side where they agree in each pair of columns; without pairs, all.
fn join(c: &mut Call) -> Result<Value, Gap> {
    pay_product(c)?;
    let pairs = pairs(c.indices).ok_or(Gap::NoMeaning("half a pair of columns"))?;
    let mut joined = Counts::new();
    for (a, n) in c.bag(0)? {
        let a = row(a)?;
        for (b, m) in c.bag(1)? {
            let b = row(b)?;
            if pairs.iter().all(|&[i, j]| a.get(i) == b.get(j)) {
                *joined.entry(Value::tuple([a, b].concat())?).or_default() += n * m;
            }
        }
    }
    Value::bag(joined)
}

fn project(c: &mut Call) -> Result<Value, Gap> {
    c.pay(c.arg(0)?.size())?;
    let places = at(c)?;
    let mut projected = Counts::new();
    for (value, n) in c.bag(0)? {
        *projected.entry(Value::tuple(columns(row(value)?, &places)?)?).or_default() += n;
    }
    Value::bag(projected)
}

/// The rows that agree in the named columns, together; of no rows, one empty group.
fn groups(c: &mut Call, i: usize) -> Result<Vec<Counts>, Gap> {
    c.pay(c.arg(i)?.size())?;
    let places = at(c)?;
    let mut groups: BTreeMap<Vec<Value>, Counts> = BTreeMap::new();
    for (value, n) in c.bag(i)? {
        groups.entry(columns(row(value)?, &places)?).or_default().insert(value.clone(), n.clone());
    }
    if groups.is_empty() {
        return Ok(vec![Counts::new()]);
    }
    Ok(groups.into_values().collect())
}

fn aggregate(c: &mut Call) -> Result<Value, Gap> {
    let mut results = Counts::new();
    for group in groups(c, 2)? {
        *results.entry(fold_bag(c, &group)?).or_default() += UBig::ONE;
    }
    Value::bag(results)
}

#[cfg(test)]
mod tests {
    use crate::theory::tests::samples::rows;

    rows! { tables,
        "product"              : "(table.product (bag (tuple 1) 2) (bag (tuple true) 3))" => "(bag (tuple 1 true) 6)",
        "product with nothing" : "(table.product (bag (tuple 1) 2) (as bag.empty (Bag (Tuple Bool))))" => "(as bag.empty (Bag (Tuple Int Bool)))",
        "join"                 : "((_ table.join 1 0) (bag (tuple 1 2) 2) (bag.union_disjoint (bag (tuple 2 3) 5) (bag (tuple 4 3) 1)))" => "(bag (tuple 1 2 2 3) 10)",
        "join of other sorts"  : "((_ table.join 0 0) (bag (tuple 1) 2) (bag (tuple true) 3))" => "no row for table.join",
        "half a pair"          : "((_ table.join 0) (bag (tuple 1) 2) (bag (tuple 1) 3))" => "no row for table.join",
        "project"              : "((_ table.project 1) (bag.union_disjoint (bag (tuple 1 2) 2) (bag (tuple 3 2) 3)))" => "(bag (tuple 2) 5)",
        "no such column"       : "((_ table.project 2) (bag (tuple 1 2) 2))" => "no row for table.project",
        "project to nothing"   : "(table.project (bag (tuple 1 2) 2))" => "(bag tuple.unit 2)",
        "group"                : "((_ table.group 0) (bag.union_disjoint (bag (tuple 1 2) 2) (bag (tuple 3 2) 3)))" => "(bag.union_disjoint (bag (bag (tuple 1 2) 2) 1) (bag (bag (tuple 3 2) 3) 1))",
        "group by nothing"     : "(table.group (bag.union_disjoint (bag (tuple 1) 2) (bag (tuple 3) 3)))" => "(bag (bag.union_disjoint (bag (tuple 1) 2) (bag (tuple 3) 3)) 1)",
        "group nothing"        : "((_ table.group 0) (as bag.empty (Bag (Tuple Int))))" => "(bag (as bag.empty (Bag (Tuple Int))) 1)",
        "aggregate"            : "((_ table.aggr 0) (lambda ((t (Tuple Int Int)) (y Int)) (+ y ((_ tuple.select 1) t))) 0 (bag.union_disjoint (bag (tuple 1 2) 2) (bag (tuple 3 4) 1)))" => "(bag 4 2)",
        "aggregate nothing"    : "((_ table.aggr 0) (lambda ((t (Tuple Int)) (y Int)) y) 7 (as bag.empty (Bag (Tuple Int))))" => "(bag 7 1)",
        "another function"     : "((_ table.aggr 0) (lambda ((t (Tuple Int)) (y Int)) true) 7 (as bag.empty (Bag (Tuple Int))))" => "no row for table.aggr",
    }
}
