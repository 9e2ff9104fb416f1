//! Operators by their definitions in the standard.

use crate::Pool;
use crate::script::Script;
use crate::term::{Head, IndexList, TermId};
use crate::theory::{Arity, NoRow, Op, OpId, table};

/// The row and the arguments of an application without indices.
fn application(pool: &Pool, term: TermId) -> Option<(OpId, &'static Op, Vec<TermId>)> {
    match pool.node(term).head {
        Head::Op(op, IndexList(0)) => Some((op, table().op(op), pool.args(term).to_vec())),
        _ => None,
    }
}

fn not(pool: &mut Pool, term: TermId) -> Result<TermId, NoRow> {
    pool.apply_named("not", &[], &[term], None)
}

/// One term, or an operator applied to several.
fn joined(pool: &mut Pool, name: &str, terms: &[TermId]) -> Result<TermId, NoRow> {
    match *terms {
        [one] => Ok(one),
        _ => pool.apply_named(name, &[], terms, None),
    }
}

/// `(distinct a b c)` as `(and (not (= a b)) (not (= a c)) (not (= b c)))`.
pub(super) fn distinct(script: &mut Script, term: TermId) -> Option<TermId> {
    let pool = &mut script.pool;
    let (_, row, args) = application(pool, term)?;
    if row.name != "distinct" {
        return None;
    }
    let mut pairs = Vec::new();
    for (i, &a) in args.iter().enumerate() {
        for &b in &args[i + 1..] {
            let equal = pool.apply_named("=", &[], &[a, b], None).ok()?;
            pairs.push(not(pool, equal).ok()?);
        }
    }
    joined(pool, "and", &pairs).ok()
}

/// `(=> a b c)` as `(or (not a) (not b) c)`.
pub(super) fn implies(script: &mut Script, term: TermId) -> Option<TermId> {
    let pool = &mut script.pool;
    let (_, row, args) = application(pool, term)?;
    if row.name != "=>" {
        return None;
    }
    let (&last, premises) = args.split_last()?;
    let mut parts = Vec::new();
    for &premise in premises {
        parts.push(not(pool, premise).ok()?);
    }
    parts.push(last);
    joined(pool, "or", &parts).ok()
}

/// `(xor a b)` as `(not (= a b))`.
pub(super) fn xor(script: &mut Script, term: TermId) -> Option<TermId> {
    let pool = &mut script.pool;
    let (_, row, args) = application(pool, term)?;
    if row.name != "xor" {
        return None;
    }
    let (&first, rest) = args.split_first()?;
    rest.iter().try_fold(first, |left, &right| {
        let equal = pool.apply_named("=", &[], &[left, right], None).ok()?;
        not(pool, equal).ok()
    })
}

/// An operator of more than two arguments as applications to two.
pub(super) fn binary(script: &mut Script, term: TermId) -> Option<TermId> {
    let pool = &mut script.pool;
    let (op, row, args) = application(pool, term)?;
    if args.len() < 3 || row.args.len() != 2 {
        return None;
    }
    let mut two = |a: TermId, b: TermId| pool.apply(op, &[], &[a, b], None).ok();
    match row.arity {
        Arity::LeftAssoc => args[1..].iter().try_fold(args[0], |left, &right| two(left, right)),
        Arity::RightAssoc => {
            let (&last, rest) = args.split_last()?;
            rest.iter().rev().try_fold(last, |right, &left| two(left, right))
        }
        Arity::Chainable => {
            let pairs: Option<Vec<TermId>> = args.windows(2).map(|pair| two(pair[0], pair[1])).collect();
            joined(pool, "and", &pairs?).ok()
        }
        Arity::Pairwise | Arity::Fixed | Arity::Variadic => None,
    }
}
