//! Functions as values.

use super::{A, B, Op, op};
use crate::Pool;
use crate::gap::Gap;
use crate::sort::{Pat, Sort, SortId};
use crate::term::Index;
use crate::theory::call::Call;
use crate::value::{Function, Value};

pub(super) static OPS: &[Op] =
    &[op("@", &[Pat::Function(&[A, B]), A], B, apply).left_assoc().at_least(2).ruled(apply_sort).cvc5_only()];

/// A function applied to its first arguments is a function of the others.
fn apply_sort(pool: &mut Pool, _: &[Index], args: &[SortId], _: Option<SortId>) -> Option<SortId> {
    let (&function, given) = args.split_first()?;
    if args.contains(&SortId::UNKNOWN) {
        return Some(SortId::UNKNOWN);
    }
    let Sort::Function(list) = pool.sort(function) else { return None };
    let sorts = pool.sort_list(list).to_vec();
    let rest = sorts.strip_prefix(given)?;
    match rest {
        [] => None,
        [result] => Some(*result),
        _ => {
            let list = pool.sort_list_id(rest);
            pool.sort_id(Sort::Function(list))
        }
    }
}

fn apply(c: &mut Call) -> Result<Value, Gap> {
    let (function, given) = (c.arg(0)?, &c.args[1..]);
    match arity(c.pool(), function) {
        Some(n) if given.len() < n => Value::function(Function::Partial(function.clone(), given.to_vec())),
        _ => c.apply(function, given),
    }
}

/// How many arguments a function still waits for.
fn arity(pool: &Pool, function: &Value) -> Option<usize> {
    let Value::Function(function) = function else { return None };
    match &***function {
        Function::Named(f) => Some(pool.fun(*f).args.len()),
        Function::Lambda(binders, _, _) => Some(pool.binders(*binders).len()),
        Function::Partial(of, given) => arity(pool, of)?.checked_sub(given.len()),
    }
}

#[cfg(test)]
mod tests {
    use crate::theory::tests::samples::rows;

    rows! { application,
        "one argument"         : "(@ (lambda ((x Int)) (+ x 1)) 2)" => "3",
        "two arguments"        : "(@ (lambda ((x Int) (y Int)) (- x y)) 2 5)" => "(- 3)",
        "one of two"           : "(@ (@ (lambda ((x Int) (y Int)) (- x y)) 2) 5)" => "(- 3)",
        "a function as result" : "(@ (@ (lambda ((x Int)) (lambda ((y Int)) (- x y))) 2) 5)" => "(- 3)",
        "the wrong sort"       : "(@ (lambda ((x Int)) x) true)" => "no row for @",
        "too many"             : "(@ (lambda ((x Int)) x) 1 2)" => "no row for @",
        "no function"          : "(@ 1 2)" => "no row for @",
    }
}
