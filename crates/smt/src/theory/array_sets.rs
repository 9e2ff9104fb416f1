//! z3's sets, which are arrays of Booleans.

use super::arrays::{pointwise, tabulated};
use super::{A, BOOL, Op, op};
use crate::gap::Gap;
use crate::sort::Pat;
use crate::theory::call::{CONFUSED, Call};
use crate::value::{Array, Value, leaves_some, listed};

const SET: Pat = Pat::Array(&A, &BOOL);

pub(super) static OPS: &[Op] = &[
    op("union", &[SET, SET], SET, |c| members(c, |m| m.contains(&true)))
        .associative()
        .commutative()
        .left_assoc()
        .z3_only(),
    op("intersection", &[SET, SET], SET, |c| members(c, |m| !m.contains(&false)))
        .associative()
        .commutative()
        .left_assoc()
        .z3_only(),
    op("setminus", &[SET, SET], SET, |c| members(c, |m| m[0] && !m[1])).z3_only(),
    op("complement", &[SET], SET, |c| members(c, |m| !m[0])).z3_only(),
    op("subset", &[SET, SET], BOOL, subset).z3_only(),
];

fn truth(value: &Value) -> Result<bool, Gap> {
    if let Value::Bool(b) = value { Ok(*b) } else { Err(CONFUSED) }
}

/// The set of what `f` says is a member, given which of the arguments it is a member of.
fn members(c: &mut Call, f: fn(&[bool]) -> bool) -> Result<Value, Gap> {
    let sets = (0..c.args.len()).map(|i| tabulated(c, i)).collect::<Result<Vec<_>, _>>()?;
    pointwise(c, &sets, |_, elements| {
        let membership = elements.iter().map(truth).collect::<Result<Vec<_>, _>>()?;
        Ok(Value::Bool(f(&membership)))
    })
}

fn subset(c: &mut Call) -> Result<Value, Gap> {
    let (a, b) = (tabulated(c, 0)?, tabulated(c, 1)?);
    let indices = listed([&a, &b])?;
    c.pay(indices.len() as u64)?;
    for index in &indices {
        if truth(a.get(index))? && !truth(b.get(index))? {
            return Ok(Value::Bool(false));
        }
    }
    if !within_default(&a, &b)? {
        return match leaves_some(c.pool(), &indices) {
            Some(some) => Ok(Value::Bool(!some)),
            None => Err(Gap::Incomparable("sets over a sort of unknown size")),
        };
    }
    Ok(Value::Bool(true))
}

fn within_default(a: &Array, b: &Array) -> Result<bool, Gap> {
    Ok(!truth(&a.default)? || truth(&b.default)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::theory::tests::testing::{array, bits, holds, int, value, value_over};

    fn set(default: bool, others: &[i64]) -> Value {
        array(Value::Bool(default), others.iter().map(|&n| (int(n), Value::Bool(!default))))
    }

    #[test]
    fn over_integers() {
        let (a, b, not_a) = (set(false, &[1, 2]), set(false, &[2, 3]), set(true, &[1, 2]));
        let rows: &[(&str, &[&Value], Value)] = &[
            ("union", &[&a, &b], set(false, &[1, 2, 3])),
            ("union", &[&a, &b, &not_a], set(true, &[])),
            ("intersection", &[&a, &b], set(false, &[2])),
            ("intersection", &[&not_a, &b], set(false, &[3])),
            ("setminus", &[&a, &b], set(false, &[1])),
            ("setminus", &[&not_a, &b], set(true, &[1, 2, 3])),
            ("complement", &[&a], not_a.clone()),
            ("complement", &[&not_a], a.clone()),
        ];
        for (name, args, expected) in rows {
            let args: Vec<_> = args.iter().map(|&a| a.clone()).collect();
            assert_eq!(value(name, &[], &args), Ok(expected.clone()), "{name} {args:?}");
        }
        for (x, y, expected) in [
            (&a, &a, true),
            (&a, &b, false),
            (&set(false, &[]), &a, true),
            (&b, &set(true, &[1]), true),
            (&a, &set(true, &[1]), false),
            (&not_a, &a, false),
            (&not_a, &set(true, &[1]), true),
        ] {
            assert_eq!(holds("subset", &[], &[x.clone(), y.clone()]), Ok(expected), "{x:?} {y:?}");
        }
    }

    #[test]
    fn defaults_that_stand_nowhere() {
        let bit = |n| bits(1, n);
        let all = array(Value::Bool(true), []);
        let listed = array(Value::Bool(false), [(bit(0), Value::Bool(true)), (bit(1), Value::Bool(true))]);
        assert_eq!(value_over(1, "subset", &[all.clone(), listed.clone()]), Ok(Value::Bool(true)));
        assert_eq!(
            value_over(2, "subset", &[array(Value::Bool(true), []), array(Value::Bool(false), [])]),
            Ok(Value::Bool(false))
        );
        assert_eq!(value_over(1, "union", &[listed.clone(), listed]), Ok(all));
    }
}
