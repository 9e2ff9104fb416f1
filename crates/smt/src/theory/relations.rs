//! Relations, which are sets of tuples, as cvc5 has them.

use std::collections::{BTreeMap, BTreeSet};

use dashu_base::Signed;
use dashu_int::IBig;

use super::sets::fold;
use super::{A, B, INT, Op, op};
use crate::Pool;
use crate::gap::Gap;
use crate::sort::{Pat, Sort, SortId};
use crate::term::Index;
use crate::theory::call::Call;
use crate::value::Value;

const REL: Pat = Pat::Set(&A);
const NEWEST: &str = "1.4.2";

pub(super) static OPS: &[Op] = &[
    op("rel.join", &[REL, REL], REL, join).ruled(join_sort).cvc5_only(),
    op("rel.product", &[REL, REL], REL, product)
        .ruled(|p, _, args, _| product_sort(p, Kind::Set, args))
        .cvc5_only(),
    op("rel.transpose", &[REL], REL, transpose).ruled(transpose_sort).cvc5_only(),
    op("rel.tclosure", &[REL], REL, closure).ruled(closure_sort).cvc5_only(),
    op("rel.iden", &[REL], REL, identity).ruled(identity_sort).cvc5_only(),
    op("rel.join_image", &[REL, INT], REL, join_image)
        .ruled(join_image_sort)
        .cvc5_only()
        .since("cvc5", NEWEST),
    op("rel.project", &[REL], REL, project)
        .indexed_by_any()
        .ruled(|p, indices, args, _| project_sort(p, Kind::Set, indices, args))
        .cvc5_only()
        .since("cvc5", NEWEST),
    op("rel.group", &[REL], Pat::Set(&REL), group)
        .indexed_by_any()
        .ruled(|p, indices, args, _| group_sort(p, Kind::Set, indices, args))
        .cvc5_only()
        .since("cvc5", NEWEST),
    op("rel.aggr", &[Pat::Function(&[A, B, B]), B, REL], Pat::Set(&B), aggregate)
        .indexed_by_any()
        .ruled(|p, indices, args, _| aggregate_sort(p, Kind::Set, indices, args))
        .cvc5_only()
        .since("cvc5", NEWEST),
    op("rel.table_join", &[REL, REL], REL, table_join)
        .indexed_by_any()
        .ruled(|p, indices, args, _| table_join_sort(p, Kind::Set, indices, args))
        .cvc5_only()
        .since("cvc5", NEWEST),
];

/// Whether the rows of a table may recur.
#[derive(Clone, Copy)]
pub(super) enum Kind {
    Set,
    Bag,
}

impl Kind {
    /// The sort of such a collection.
    pub(super) fn of(self, pool: &mut Pool, element: SortId) -> Option<SortId> {
        pool.sort_id(match self {
            Kind::Set => Sort::Set(element),
            Kind::Bag => Sort::Bag(element),
        })
    }

    /// What such a collection holds.
    fn element(self, pool: &Pool, sort: SortId) -> Option<SortId> {
        match (self, pool.sort(sort)) {
            (Kind::Set, Sort::Set(element)) | (Kind::Bag, Sort::Bag(element)) => Some(element),
            _ => None,
        }
    }

    /// The sorts of the columns of such a table.
    fn columns(self, pool: &Pool, sort: SortId) -> Option<Vec<SortId>> {
        match pool.sort(self.element(pool, sort)?) {
            Sort::Tuple(list) => Some(pool.sort_list(list).to_vec()),
            _ => None,
        }
    }

    /// The sort of a table with these columns.
    fn table(self, pool: &mut Pool, columns: &[SortId]) -> Option<SortId> {
        let list = pool.sort_list_id(columns);
        let row = pool.sort_id(Sort::Tuple(list))?;
        self.of(pool, row)
    }
}

/// Whether nothing can be said of the sorts.
fn unknown(args: &[SortId]) -> Option<SortId> {
    args.contains(&SortId::UNKNOWN).then_some(SortId::UNKNOWN)
}

/// The columns that the indices name, if there are such.
fn chosen(indices: &[Index], columns: &[SortId]) -> Option<Vec<SortId>> {
    places(indices)?.into_iter().map(|i| columns.get(i).copied()).collect()
}

/// Indices as positions.
pub(super) fn places(indices: &[Index]) -> Option<Vec<usize>> {
    indices.iter().map(|i| if let Index::Number(n) = i { Some(*n as usize) } else { None }).collect()
}

fn join_sort(pool: &mut Pool, _: &[Index], args: &[SortId], _: Option<SortId>) -> Option<SortId> {
    if let Some(sort) = unknown(args) {
        return Some(sort);
    }
    let (a, b) = (Kind::Set.columns(pool, args[0])?, Kind::Set.columns(pool, args[1])?);
    let (last, a) = a.split_last()?;
    let (first, b) = b.split_first()?;
    if last != first || a.len() + b.len() == 0 {
        return None;
    }
    Kind::Set.table(pool, &[a, b].concat())
}

pub(super) fn product_sort(pool: &mut Pool, kind: Kind, args: &[SortId]) -> Option<SortId> {
    if let Some(sort) = unknown(args) {
        return Some(sort);
    }
    let (a, b) = (kind.columns(pool, args[0])?, kind.columns(pool, args[1])?);
    kind.table(pool, &[a, b].concat())
}

fn transpose_sort(pool: &mut Pool, _: &[Index], args: &[SortId], _: Option<SortId>) -> Option<SortId> {
    if let Some(sort) = unknown(args) {
        return Some(sort);
    }
    let mut columns = Kind::Set.columns(pool, args[0])?;
    columns.reverse();
    Kind::Set.table(pool, &columns)
}

fn closure_sort(pool: &mut Pool, _: &[Index], args: &[SortId], _: Option<SortId>) -> Option<SortId> {
    if let Some(sort) = unknown(args) {
        return Some(sort);
    }
    matches!(Kind::Set.columns(pool, args[0])?[..], [a, b] if a == b).then_some(args[0])
}

fn identity_sort(pool: &mut Pool, _: &[Index], args: &[SortId], _: Option<SortId>) -> Option<SortId> {
    if let Some(sort) = unknown(args) {
        return Some(sort);
    }
    let [a] = Kind::Set.columns(pool, args[0])?[..] else { return None };
    Kind::Set.table(pool, &[a, a])
}

fn join_image_sort(pool: &mut Pool, _: &[Index], args: &[SortId], _: Option<SortId>) -> Option<SortId> {
    if let Some(sort) = unknown(args) {
        return Some(sort);
    }
    match Kind::Set.columns(pool, args[0])?[..] {
        [a, b] if a == b && args[1] == SortId::INT => Kind::Set.table(pool, &[a]),
        _ => None,
    }
}

pub(super) fn project_sort(
    pool: &mut Pool,
    kind: Kind,
    indices: &[Index],
    args: &[SortId],
) -> Option<SortId> {
    if let Some(sort) = unknown(args) {
        return Some(sort);
    }
    let columns = kind.columns(pool, args[0])?;
    kind.table(pool, &chosen(indices, &columns)?)
}

pub(super) fn group_sort(pool: &mut Pool, kind: Kind, indices: &[Index], args: &[SortId]) -> Option<SortId> {
    if let Some(sort) = unknown(args) {
        return Some(sort);
    }
    chosen(indices, &kind.columns(pool, args[0])?)?;
    kind.of(pool, args[0])
}

/// From a function `(-> T B B)`, a `B` and a table of `T` to a collection of `B`.
pub(super) fn aggregate_sort(
    pool: &mut Pool,
    kind: Kind,
    indices: &[Index],
    args: &[SortId],
) -> Option<SortId> {
    if let Some(sort) = unknown(args) {
        return Some(sort);
    }
    chosen(indices, &kind.columns(pool, args[2])?)?;
    let row = kind.element(pool, args[2])?;
    let Sort::Function(list) = pool.sort(args[0]) else { return None };
    if *pool.sort_list(list) != [row, args[1], args[1]] {
        return None;
    }
    kind.of(pool, args[1])
}

/// The indices are pairs: a column of the first table, a column of the second.
pub(super) fn table_join_sort(
    pool: &mut Pool,
    kind: Kind,
    indices: &[Index],
    args: &[SortId],
) -> Option<SortId> {
    if let Some(sort) = unknown(args) {
        return Some(sort);
    }
    let (a, b) = (kind.columns(pool, args[0])?, kind.columns(pool, args[1])?);
    for [i, j] in pairs(indices)? {
        if a.get(i)? != b.get(j)? {
            return None;
        }
    }
    kind.table(pool, &[a, b].concat())
}

/// Indices as pairs of positions.
pub(super) fn pairs(indices: &[Index]) -> Option<Vec<[usize; 2]>> {
    let places = places(indices)?;
    let (pairs, rest) = places.as_chunks();
    rest.is_empty().then(|| pairs.to_vec())
}

const CONFUSED: Gap = Gap::NoMeaning("a relation that does not hold tuples, or too few columns");

/// A row of a table.
pub(super) fn row(value: &Value) -> Result<&[Value], Gap> {
    if let Value::Tuple(row) = value { Ok(row) } else { Err(CONFUSED) }
}

/// Some columns of a row.
pub(super) fn columns(row: &[Value], places: &[usize]) -> Result<Vec<Value>, Gap> {
    places.iter().map(|&i| row.get(i).cloned().ok_or(CONFUSED)).collect()
}

/// The indices of the operator, as positions.
pub(super) fn at(c: &Call) -> Result<Vec<usize>, Gap> {
    places(c.indices).ok_or(CONFUSED)
}

/// Pays for pairing the rows of arguments 0 and 1.
pub(super) fn pay_product(c: &mut Call) -> Result<(), Gap> {
    let pairs = c.arg(0)?.size().saturating_mul(c.arg(1)?.size());
    c.pay(pairs)
}

fn rows(c: &mut Call, i: usize) -> Result<Vec<Vec<Value>>, Gap> {
    c.pay(c.arg(i)?.size())?;
    c.set(i)?.iter().map(|value| Ok(row(value)?.to_vec())).collect()
}

fn relation(rows: impl IntoIterator<Item = Vec<Value>>) -> Result<Value, Gap> {
    let rows: Result<BTreeSet<Value>, Gap> = rows.into_iter().map(Value::tuple).collect();
    Value::set(rows?)
}

fn join(c: &mut Call) -> Result<Value, Gap> {
    pay_product(c)?;
    let (a, b) = (rows(c, 0)?, rows(c, 1)?);
    let mut joined = Vec::new();
    for a in &a {
        let (last, a) = a.split_last().ok_or(CONFUSED)?;
        for b in &b {
            let (first, b) = b.split_first().ok_or(CONFUSED)?;
            if last == first {
                joined.push([a, b].concat());
            }
        }
    }
    relation(joined)
}

fn product(c: &mut Call) -> Result<Value, Gap> {
    pay_product(c)?;
    let (a, b) = (rows(c, 0)?, rows(c, 1)?);
    relation(a.iter().flat_map(|a| b.iter().map(move |b| [&a[..], b].concat())))
}

fn transpose(c: &mut Call) -> Result<Value, Gap> {
    relation(rows(c, 0)?.into_iter().map(|row| row.into_iter().rev().collect()))
}

/// All pairs that a path of one or more steps leads through.
fn closure(c: &mut Call) -> Result<Value, Gap> {
    let mut next: BTreeMap<Value, Vec<Value>> = BTreeMap::new();
    for row in rows(c, 0)? {
        let [from, to] = <[Value; 2]>::try_from(row).map_err(|_| CONFUSED)?;
        next.entry(from).or_default().push(to);
    }
    let mut closed = Vec::new();
    for from in next.keys() {
        let mut reached = BTreeSet::new();
        let mut frontier = vec![from];
        while let Some(here) = frontier.pop() {
            for to in next.get(here).into_iter().flatten() {
                c.pay(to.size())?;
                if reached.insert(to) {
                    frontier.push(to);
                }
            }
        }
        closed.extend(reached.into_iter().map(|to| vec![from.clone(), to.clone()]));
    }
    relation(closed)
}

fn identity(c: &mut Call) -> Result<Value, Gap> {
    let pairs: Result<Vec<_>, _> = rows(c, 0)?.iter().map(|row| columns(row, &[0, 0])).collect();
    relation(pairs?)
}

/// What is related to at least so many. For no number that is the universe.
fn join_image(c: &mut Call) -> Result<Value, Gap> {
    let least = c.int(1)?;
    if least.is_negative() || *least == IBig::ZERO {
        return Err(Gap::LeftToModel("the universe of sets"));
    }
    let mut images: BTreeMap<Value, usize> = BTreeMap::new();
    for row in rows(c, 0)? {
        *images.entry(row.into_iter().next().ok_or(CONFUSED)?).or_default() += 1;
    }
    relation(images.into_iter().filter(|(_, n)| IBig::from(*n) >= *least).map(|(from, _)| vec![from]))
}

fn project(c: &mut Call) -> Result<Value, Gap> {
    let places = at(c)?;
    let projected: Result<Vec<_>, _> = rows(c, 0)?.iter().map(|row| columns(row, &places)).collect();
    relation(projected?)
}

/// The rows that agree in the named columns, together; of no rows, one empty group.
fn groups(c: &mut Call, i: usize) -> Result<Vec<BTreeSet<Value>>, Gap> {
    c.pay(c.arg(i)?.size())?;
    let places = at(c)?;
    let mut groups: BTreeMap<Vec<Value>, BTreeSet<Value>> = BTreeMap::new();
    for value in c.set(i)? {
        groups.entry(columns(row(value)?, &places)?).or_default().insert(value.clone());
    }
    if groups.is_empty() {
        return Ok(vec![BTreeSet::new()]);
    }
    Ok(groups.into_values().collect())
}

fn group(c: &mut Call) -> Result<Value, Gap> {
    let groups: Result<_, _> = groups(c, 0)?.into_iter().map(Value::set).collect();
    Value::set(groups?)
}

fn aggregate(c: &mut Call) -> Result<Value, Gap> {
    let mut results = BTreeSet::new();
    for group in groups(c, 2)? {
        let group: Vec<_> = group.into_iter().map(|x| (x, 1)).collect();
        results.insert(fold(c, &group, "rel.aggr in an order that matters")?);
    }
    Value::set(results)
}

fn table_join(c: &mut Call) -> Result<Value, Gap> {
    pay_product(c)?;
    let pairs = pairs(c.indices).ok_or(CONFUSED)?;
    let (a, b) = (rows(c, 0)?, rows(c, 1)?);
    relation(a.iter().flat_map(|a| {
        let pairs = &pairs;
        b.iter()
            .filter(move |b| pairs.iter().all(|&[i, j]| a.get(i) == b.get(j)))
            .map(move |b| [&a[..], b].concat())
    }))
}

#[cfg(test)]
mod tests {
    use crate::theory::tests::samples::rows;

    rows! { relations,
        "join"                 : "(rel.join (set.singleton (tuple 1 true)) (set.insert (tuple true 2) (set.singleton (tuple false 3))))" => "(set.singleton (tuple 1 2))",
        "join, to one column"  : "(rel.join (set.singleton (tuple 1 2)) (set.singleton (tuple 2)))" => "(set.singleton (tuple 1))",
        "join, nothing shared" : "(rel.join (set.singleton (tuple 1 2)) (set.singleton (tuple 3 4)))" => "(as set.empty (Set (Tuple Int Int)))",
        "join of two columns"  : "(rel.join (set.singleton (tuple 1)) (set.singleton (tuple 1)))" => "no row for rel.join",
        "join of other sorts"  : "(rel.join (set.singleton (tuple 1 2)) (set.singleton (tuple true 2)))" => "no row for rel.join",
        "join of no relations" : "(rel.join (set.singleton 1) (set.singleton 1))" => "no row for rel.join",
        "product"              : "(rel.product (set.singleton (tuple 1 true)) (set.insert (tuple 2) (set.singleton (tuple 3))))"
                                 => "(set.union (set.singleton (tuple 1 true 2)) (set.singleton (tuple 1 true 3)))",
        "product with nothing" : "(rel.product (as set.empty (Set (Tuple Int))) (set.singleton (tuple true)))" => "(as set.empty (Set (Tuple Int Bool)))",
        "transpose"            : "(rel.transpose (set.singleton (tuple 1 true 3)))" => "(set.singleton (tuple 3 true 1))",
        "closure"              : "(rel.tclosure (set.insert (tuple 1 2) (set.singleton (tuple 2 3))))"
                                 => "(set.union (set.singleton (tuple 1 2)) (set.singleton (tuple 1 3)) (set.singleton (tuple 2 3)))",
        "closure of a circle"  : "(set.card (rel.tclosure (set.insert (tuple 1 2) (tuple 2 3) (set.singleton (tuple 3 1)))))" => "9",
        "closure of three"     : "(rel.tclosure (set.singleton (tuple 1 2 3)))" => "no row for rel.tclosure",
        "identity"             : "(rel.iden (set.insert (tuple 1) (set.singleton (tuple 2))))" => "(set.union (set.singleton (tuple 1 1)) (set.singleton (tuple 2 2)))",
        "identity of pairs"    : "(rel.iden (set.singleton (tuple 1 2)))" => "no row for rel.iden",
        "image"                : "(rel.join_image (set.insert (tuple 1 2) (tuple 1 3) (set.singleton (tuple 2 5))) 2)" => "(set.singleton (tuple 1))",
        "image, all"           : "(rel.join_image (set.singleton (tuple 2 5)) 0)" => "the universe of sets is left to the model, which does not say",
        "image of two sorts"   : "(rel.join_image (set.singleton (tuple 2 true)) 1)" => "no row for rel.join_image",
    }

    rows! { tables,
        "project"              : "((_ rel.project 1 1 0) (set.singleton (tuple 1 2)))" => "(set.singleton (tuple 2 2 1))",
        "project to nothing"   : "(rel.project (set.singleton (tuple 1 2)))" => "(set.singleton tuple.unit)",
        "project nothing"      : "(rel.project (as set.empty (Set (Tuple Int))))" => "(as set.empty (Set UnitTuple))",
        "no such column"       : "((_ rel.project 2) (set.singleton (tuple 1 2)))" => "no row for rel.project",
        "group"                : "((_ rel.group 0) (set.insert (tuple 1 2) (tuple 1 3) (set.singleton (tuple 2 3))))"
                                 => "(set.union (set.singleton (set.union (set.singleton (tuple 1 2)) (set.singleton (tuple 1 3)))) (set.singleton (set.singleton (tuple 2 3))))",
        "group by nothing"     : "(rel.group (set.insert (tuple 1) (set.singleton (tuple 2))))" => "(set.singleton (set.union (set.singleton (tuple 1)) (set.singleton (tuple 2))))",
        "group nothing"        : "((_ rel.group 0) (as set.empty (Set (Tuple Int))))" => "(set.singleton (as set.empty (Set (Tuple Int))))",
        "aggregate"            : "((_ rel.aggr 0) (lambda ((t (Tuple Int Int)) (y Int)) (+ y ((_ tuple.select 1) t))) 0 (set.insert (tuple 1 2) (tuple 1 3) (set.singleton (tuple 2 4))))"
                                 => "(set.union (set.singleton 4) (set.singleton 5))",
        "aggregate nothing"    : "((_ rel.aggr 0) (lambda ((t (Tuple Int)) (y Int)) y) 7 (as set.empty (Set (Tuple Int))))" => "(set.singleton 7)",
        "aggregate in order"   : "((_ rel.aggr 0) (lambda ((t (Tuple Int Int)) (y Int)) ((_ tuple.select 1) t)) 0 (set.insert (tuple 1 2) (set.singleton (tuple 1 3))))"
                                 => "rel.aggr in an order that matters is left to the model, which does not say",
        "table join"           : "((_ rel.table_join 1 0) (set.singleton (tuple 1 2)) (set.insert (tuple 2 3) (set.singleton (tuple 4 3))))" => "(set.singleton (tuple 1 2 2 3))",
        "half a pair"          : "((_ rel.table_join 1) (set.singleton (tuple 1 2)) (set.singleton (tuple 4 3)))" => "no row for rel.table_join",
    }
}
