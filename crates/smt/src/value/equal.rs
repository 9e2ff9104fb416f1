//! Whether two values of one sort are equal, where that can be known.

use super::finite::{self, ENDLESS};
use super::{Array, Value};
use crate::Pool;
use crate::eval::Gap;

const UNKNOWN: Gap = Gap::Incomparable("functions");

/// Whether `a` and `b`, values of one sort, are equal. One part that is certainly different suffices for `false`;
/// otherwise a part that cannot be compared is a gap.
pub fn equal(pool: &Pool, a: &Value, b: &Value) -> Result<bool, Gap> {
    // z3's strings are sequences of characters, and its models may compare one with the other.
    if let (Value::Text(text), Value::Seq(seq)) | (Value::Seq(seq), Value::Text(text)) = (a, b) {
        return Ok(text.iter().copied().map(Value::Char).eq(seq.iter().cloned()));
    }
    if a.rigid() && b.rigid() {
        return Ok(a == b);
    }
    match (a, b) {
        (Value::Seq(a), Value::Seq(b)) | (Value::Tuple(a), Value::Tuple(b)) => lists(pool, a, b),
        (Value::Data(a), Value::Data(b)) => {
            if a.constructor == b.constructor {
                lists(pool, &a.fields, &b.fields)
            } else {
                Ok(false)
            }
        }
        (Value::Array(a), Value::Array(b)) => arrays(pool, a, b),
        // A function is itself; a set or bag holds rigid values only.
        _ if a == b => Ok(true),
        (Value::Function(_), _) | (_, Value::Function(_)) => Err(UNKNOWN),
        _ => Ok(false),
    }
}

fn lists(pool: &Pool, a: &[Value], b: &[Value]) -> Result<bool, Gap> {
    if a.len() != b.len() {
        return Ok(false);
    }
    all(a.iter().zip(b).map(|(a, b)| equal(pool, a, b)))
}

/// The conjunction of parts of which some may be open.
fn all(parts: impl IntoIterator<Item = Result<bool, Gap>>) -> Result<bool, Gap> {
    let mut open = None;
    for part in parts {
        match part {
            Ok(true) => {}
            Ok(false) => return Ok(false),
            Err(gap) => open = Some(gap),
        }
    }
    open.map_or(Ok(true), Err)
}

fn arrays(pool: &Pool, a: &Array, b: &Array) -> Result<bool, Gap> {
    let at = |array: &Array, key| array.entries.get(key).unwrap_or(&array.default).clone();
    let keys = || a.entries.keys().chain(b.entries.keys().filter(|key| !a.entries.contains_key(key)));
    let listed = all(keys().map(|key| equal(pool, &at(a, key), &at(b, key))));
    if listed == Ok(false) {
        return listed;
    }
    let defaults = equal(pool, &a.default, &b.default);
    if defaults == Ok(true) {
        return listed;
    }
    // Do the defaults show at some index? Sorts are never empty.
    let shown = match keys().next() {
        None => true,
        Some(key) => match finite::size_by(pool, key) {
            Some(ENDLESS) => true,
            Some(size) => (keys().count() as u64) < size,
            None => return Err(Gap::Incomparable("arrays over a sort of unknown size")),
        },
    };
    if shown { all([defaults, listed]) } else { listed }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sort::SortId;
    use crate::symbol::Symbol;
    use crate::term::FunId;
    use crate::value::{BitVec, Function};
    use std::collections::{BTreeMap, BTreeSet};

    fn int(n: i32) -> Value {
        Value::Int(n.into())
    }

    fn function(n: u32) -> Value {
        Value::function(Function::Named(FunId(n))).expect("shallow")
    }

    fn array(default: Value, entries: &[(Value, Value)]) -> Value {
        Value::array(Array { default, entries: entries.iter().cloned().collect() }).expect("shallow")
    }

    fn seq(values: &[Value]) -> Value {
        Value::seq(values.to_vec()).expect("shallow")
    }

    #[test]
    fn rows() {
        let (f, g) = (function(0), function(1));
        let (t, u) = (Value::Bool(true), Value::Bool(false));
        let element = |n| Value::Element(SortId::UNKNOWN, Symbol(n));
        let bit = |n: u32| Value::BitVec(BitVec::new(2, n.into()));
        let set = |values: &[Value]| {
            Value::set(values.iter().cloned().collect::<BTreeSet<_>>()).expect("told apart")
        };
        let data = |constructor, fields: &[Value]| {
            Value::data(FunId(constructor), fields.to_vec()).expect("shallow")
        };
        let open = || Err(UNKNOWN);
        let unknown = || Err(Gap::Incomparable("arrays over a sort of unknown size"));
        for (what, a, b, expected) in [
            ("numbers", int(1), int(1), Ok(true)),
            ("different numbers", int(1), int(2), Ok(false)),
            ("a function and itself", f.clone(), f.clone(), Ok(true)),
            ("functions", f.clone(), g.clone(), open()),
            ("a function and a table", f.clone(), array(int(1), &[]), open()),
            ("sequences, a part different", seq(&[f.clone(), int(1)]), seq(&[g.clone(), int(2)]), Ok(false)),
            ("sequences, a part open", seq(&[f.clone(), int(1)]), seq(&[g.clone(), int(1)]), open()),
            ("sequences, lengths different", seq(std::slice::from_ref(&f)), seq(&[]), Ok(false)),
            (
                "data, constructors different",
                data(0, std::slice::from_ref(&f)),
                data(1, std::slice::from_ref(&g)),
                Ok(false),
            ),
            (
                "data, a part open",
                data(0, std::slice::from_ref(&f)),
                data(0, std::slice::from_ref(&g)),
                open(),
            ),
            ("sets", set(&[int(1), int(2)]), set(&[int(2), int(1)]), Ok(true)),
            ("different sets", set(&[int(1), int(2)]), set(&[int(1)]), Ok(false)),
            (
                "arrays over Int",
                array(int(0), &[(int(1), int(5))]),
                array(int(0), &[(int(1), int(5))]),
                Ok(true),
            ),
            (
                "arrays over Int, defaults different",
                array(int(0), &[]),
                array(int(1), &[(int(0), int(0))]),
                Ok(false),
            ),
            (
                "arrays over Bool, written in two ways",
                array(int(5), &[(t.clone(), int(7))]),
                array(int(7), &[(u.clone(), int(5))]),
                Ok(true),
            ),
            (
                "arrays over Bool, one entry different",
                array(int(5), &[(t.clone(), int(7))]),
                array(int(7), &[(u.clone(), int(6))]),
                Ok(false),
            ),
            (
                "arrays over Bool, defaults hidden",
                array(int(9), &[(t.clone(), int(1)), (u.clone(), int(2))]),
                array(int(8), &[(t.clone(), int(1)), (u.clone(), int(2))]),
                Ok(true),
            ),
            (
                "arrays over Bool, a default shown",
                array(int(9), &[(t.clone(), int(1))]),
                array(int(8), &[(t.clone(), int(1))]),
                Ok(false),
            ),
            (
                "arrays over two bits, a default shown",
                array(int(0), &[(bit(0), int(1)), (bit(1), int(1))]),
                array(int(1), &[(bit(2), int(0))]),
                Ok(false),
            ),
            (
                "arrays over two bits, written in two ways",
                array(int(0), &[(bit(0), int(1)), (bit(1), int(1))]),
                array(int(1), &[(bit(2), int(0)), (bit(3), int(0))]),
                Ok(true),
            ),
            (
                "arrays over elements, an entry different",
                array(int(0), &[(element(1), int(5))]),
                array(int(1), &[(element(1), int(6))]),
                Ok(false),
            ),
            (
                "arrays over elements, defaults different",
                array(int(0), &[(element(1), int(5))]),
                array(int(1), &[(element(1), int(5))]),
                unknown(),
            ),
            (
                "arrays over elements, the same",
                array(int(0), &[(element(1), int(5))]),
                array(int(0), &[(element(1), int(5))]),
                Ok(true),
            ),
            ("constant arrays", array(int(0), &[]), array(int(1), &[]), Ok(false)),
            ("arrays of functions", array(f.clone(), &[]), array(g.clone(), &[]), open()),
            (
                "arrays of functions, an entry different",
                seq(&[array(f.clone(), &[]), int(1)]),
                seq(&[array(g.clone(), &[]), int(2)]),
                Ok(false),
            ),
        ] {
            assert_eq!(equal(&Pool::new(), &a, &b), expected, "{what}");
            assert_eq!(equal(&Pool::new(), &b, &a), expected, "{what}, swapped");
        }
    }

    #[test]
    fn a_missing_entry_is_the_default() {
        let table: BTreeMap<_, _> = [(int(1), int(0)), (int(2), int(3))].into();
        assert_eq!(
            Value::array(Array { default: int(0), entries: table }),
            Ok(array(int(0), &[(int(2), int(3))]))
        );
    }
}
