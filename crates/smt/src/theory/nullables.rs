//! cvc5's values that may be missing.
//!
//! As a value, a nullable is a sequence of at most one element.

use super::{A, B, BOOL, Op, OpId, op, resolve, table};
use crate::Pool;
use crate::gap::Gap;
use crate::sort::{Pat, Sort, SortId};
use crate::term::Index;
use crate::theory::Arity;
use crate::theory::call::{CONFUSED, Call};
use crate::value::{Function, Value};

const NULLABLE: Pat = Pat::Nullable(&A);

pub(super) static OPS: &[Op] = &[
    op("nullable.null", &[], NULLABLE, |_| Value::seq(Vec::new())).cvc5_only().since("cvc5", "1.2.0"),
    op("nullable.some", &[A], NULLABLE, |c| Value::seq(vec![c.arg(0)?.clone()]))
        .cvc5_only()
        .since("cvc5", "1.2.0"),
    op("nullable.val", &[NULLABLE], A, |c| match c.seq(0)? {
        [value] => Ok(value.clone()),
        _ => c.unspecified(&[], "the value of a null", c.args),
    })
    .cvc5_only()
    .since("cvc5", "1.2.0"),
    op("nullable.is_null", &[NULLABLE], BOOL, |c| Ok(Value::Bool(c.seq(0)?.is_empty())))
        .cvc5_only()
        .since("cvc5", "1.2.0"),
    op("nullable.is_some", &[NULLABLE], BOOL, |c| Ok(Value::Bool(!c.seq(0)?.is_empty())))
        .cvc5_only()
        .since("cvc5", "1.2.0"),
    // A function on values becomes one on nullables; of a null it gives null.
    op("nullable.lift", &[A], Pat::Nullable(&B), |c| {
        let (function, args) = (c.arg(0)?, &c.args[1..]);
        lifted(c, args, |c, values| c.apply(function, values))
    })
    .variadic()
    .at_least(2)
    .ruled(lift_sort)
    .cvc5_only()
    .since("cvc5", "1.2.0"),
    op("nullable.lift", &[NULLABLE], Pat::Nullable(&B), |c| {
        let args = c.args;
        lifted(c, args, |c, values| match *c.indices {
            [Index::Function(f)] => {
                let function = Value::function(Function::Named(f))?;
                c.apply(&function, values)
            }
            [Index::Text(name)] => by_name(c, table().named(c.pool().text(name)), values),
            _ => Err(CONFUSED),
        })
    })
    .indexed(1)
    .variadic()
    .ruled(lift_named_sort)
    .cvc5_only()
    .since("cvc5", "1.2.0"),
];

/// The elements of nullable sorts.
fn elements(pool: &Pool, sorts: &[SortId]) -> Option<Vec<SortId>> {
    let element = |&sort: &SortId| match pool.sort(sort) {
        Sort::Nullable(element) => Some(element),
        Sort::Unknown => Some(sort),
        _ => None,
    };
    sorts.iter().map(element).collect()
}

fn lift_sort(pool: &mut Pool, _: &[Index], args: &[SortId], _: Option<SortId>) -> Option<SortId> {
    let (&function, rest) = args.split_first()?;
    let elements = elements(pool, rest)?;
    let Sort::Function(list) = pool.sort(function) else { return None };
    let (&result, wanted) = pool.sort_list(list).split_last()?;
    (wanted == elements).then(|| pool.sort_id(Sort::Nullable(result)))?
}

fn lift_named_sort(pool: &mut Pool, indices: &[Index], args: &[SortId], _: Option<SortId>) -> Option<SortId> {
    let elements = elements(pool, args)?;
    let result = match *indices {
        [Index::Function(f)] => {
            let fun = pool.fun(f);
            (fun.type_params.is_empty() && fun.args == elements).then_some(fun.result)?
        }
        [Index::Text(name)] => {
            let rows = table().named(pool.text(name));
            resolve(pool, rows, &[], None, &elements).ok()?.sort
        }
        _ => return None,
    };
    pool.sort_id(Sort::Nullable(result))
}

fn lifted<'a>(
    c: &mut Call<'a, '_>,
    args: &'a [Value],
    apply: impl FnOnce(&mut Call<'a, '_>, &[Value]) -> Result<Value, Gap>,
) -> Result<Value, Gap> {
    let mut values = Vec::with_capacity(args.len());
    for arg in args {
        let Value::Seq(one) = arg else { return Err(CONFUSED) };
        match &one[..] {
            [] => return Value::seq(Vec::new()),
            [value] => values.push(value.clone()),
            _ => return Err(CONFUSED),
        }
    }
    Value::seq(vec![apply(c, &values)?])
}

/// The first of these rows that these values fit, applied to them. Rows of one name take values of different kinds.
fn by_name(c: &mut Call, rows: &[OpId], values: &[Value]) -> Result<Value, Gap> {
    for &row in rows {
        let op = table().op(row);
        let sort = c.sort;
        let outcome = match (op.arity, values) {
            _ if !op.admits(values.len()) => continue,
            (Arity::LeftAssoc, [first, rest @ ..]) if !rest.is_empty() => rest
                .iter()
                .try_fold(first.clone(), |left, right| c.other(op, &[left, right.clone()], sort).evaluated()),
            _ if op.args.len() == values.len() => c.other(op, values, sort).evaluated(),
            _ => continue,
        };
        if outcome != Err(CONFUSED) {
            return outcome;
        }
    }
    Err(Gap::NoMeaning("a lifted operator"))
}

#[cfg(test)]
mod tests {
    use crate::theory::tests::samples::rows;

    rows! { nullables,
        "null"                 : "(as nullable.null (Nullable Int))" => "(as nullable.null (Nullable Int))",
        "some"                 : "(nullable.some 3)" => "(nullable.some 3)",
        "of some"              : "(nullable.val (nullable.some 3))" => "3",
        "of null"              : "(nullable.val (as nullable.null (Nullable Int)))" => "the value of a null is left to the model, which does not say",
        "some is not null"     : "(nullable.is_null (nullable.some 3))" => "false",
        "null is null"         : "(nullable.is_null (as nullable.null (Nullable Int)))" => "true",
        "some is some"         : "(nullable.is_some (nullable.some 3))" => "true",
        "null is not some"     : "(nullable.is_some (as nullable.null (Nullable Int)))" => "false",
        "equal"                : "(= (nullable.some 3) (as nullable.null (Nullable Int)))" => "false",
        "nested"               : "(nullable.some (nullable.some true))" => "(nullable.some (nullable.some true))",
        "of no nullable"       : "(nullable.val 3)" => "no row for nullable.val",
        "two values"           : "(nullable.some 3 4)" => "no row for nullable.some",
    }

    rows! { lifted,
        "a lambda"             : "(nullable.lift (lambda ((x Int) (y Int)) (- x y)) (nullable.some 3) (nullable.some 5))" => "(nullable.some (- 2))",
        "a lambda of null"     : "(nullable.lift (lambda ((x Int)) (> x 1)) (as nullable.null (Nullable Int)))" => "(as nullable.null (Nullable Bool))",
        "an operator"          : "((_ nullable.lift -) (nullable.some 3) (nullable.some 5))" => "(nullable.some (- 2))",
        "an operator of Reals" : "((_ nullable.lift -) (nullable.some 3.0) (nullable.some 5.5))" => "(nullable.some (- 2.5))",
        "of three"             : "((_ nullable.lift and) (nullable.some true) (nullable.some true) (nullable.some false))" => "(nullable.some false)",
        "of null and some"     : "((_ nullable.lift +) (nullable.some 3) (as nullable.null (Nullable Int)))" => "(as nullable.null (Nullable Int))",
        "not lifted"           : "((_ nullable.lift +) 3 4)" => "no row for nullable.lift",
        "another sort"         : "((_ nullable.lift +) (nullable.some true))" => "no row for nullable.lift",
    }
}
