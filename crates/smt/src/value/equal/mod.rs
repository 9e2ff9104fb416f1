//! Whether two values of one sort are equal, where that can be known.
//!
//! Equality is by meaning: two spellings of one regular language, of one function or of one array over few indices
//! are one value. An undecided comparison is a gap; the shape of a value never decides that two values differ.

mod closure;
pub(crate) mod function;
mod tabular;

use super::finite::{self, ENDLESS};
use super::{Array, Functions, Value};
use crate::gap::Gap;
use crate::value::regex::{Fuel, Regex};
use std::collections::{BTreeMap, BTreeSet};

use dashu_int::UBig;

/// Whether `a` and `b`, values of one sort, are equal. One part that is certainly different suffices for `false`;
/// otherwise a part that cannot be compared is a gap.
pub(crate) fn equal(world: &mut dyn Functions, a: &Value, b: &Value) -> Result<bool, Gap> {
    world.fuel().pay(a.size().min(b.size()) / 8)?;
    if a == b {
        return Ok(true);
    }
    match (a, b) {
        // z3's strings are sequences of characters, and its models may compare one with the other.
        (Value::Text(text), Value::Seq(seq)) | (Value::Seq(seq), Value::Text(text)) => {
            Ok(text.iter().copied().map(Value::Char).eq(seq.iter().cloned()))
        }
        (Value::Regex(a), Value::Regex(b)) => regexes(world, a, b),
        (Value::Seq(a), Value::Seq(b)) | (Value::Tuple(a), Value::Tuple(b)) => all_equal(world, a, b),
        (Value::Data(a), Value::Data(b)) => {
            if a.constructor == b.constructor {
                all_equal(world, &a.fields, &b.fields)
            } else {
                Ok(false)
            }
        }
        (Value::Array(a), Value::Array(b)) => arrays(world, a, b),
        (Value::Function(_), _) | (_, Value::Function(_)) => function::equal(world, a, b),
        // The rest is told apart by shape, and has been.
        _ if a.rigid() && b.rigid() => Ok(false),
        (Value::Set(a), Value::Set(b)) => sets(world, a, b),
        (Value::Bag(a), Value::Bag(b)) => bags(world, a, b),
        _ => Ok(false),
    }
}

fn regexes(world: &mut dyn Functions, a: &Regex, b: &Regex) -> Result<bool, Gap> {
    let mut fuel = Fuel::new(*world.fuel().left());
    let answer = a.equals(b, &mut fuel);
    *world.fuel().left() = fuel.left();
    answer.map_err(|_| Gap::TooMuchWork)
}

/// Whether two lists of values, each pair of one sort, are equal.
pub(crate) fn all_equal(world: &mut dyn Functions, a: &[Value], b: &[Value]) -> Result<bool, Gap> {
    if a.len() != b.len() {
        return Ok(false);
    }
    all(a.iter().zip(b).map(|(a, b)| equal(world, a, b)))
}

/// The conjunction of parts of which some may be open.
pub(super) fn all(parts: impl IntoIterator<Item = Result<bool, Gap>>) -> Result<bool, Gap> {
    let mut open = None;
    for part in parts {
        match part {
            Ok(true) => {}
            Ok(false) => return Ok(false),
            // There is no fuel for the others either.
            Err(Gap::TooMuchWork) => return Err(Gap::TooMuchWork),
            Err(gap) => open = Some(gap),
        }
    }
    open.map_or(Ok(true), Err)
}

/// The first of these values that equals `x`. One that is certainly equal suffices; otherwise one that cannot be
/// compared with `x` is a gap.
pub(crate) fn find<'v>(
    world: &mut dyn Functions,
    values: impl IntoIterator<Item = &'v Value>,
    x: &Value,
) -> Result<Option<&'v Value>, Gap> {
    let mut open = None;
    for value in values {
        match equal(world, value, x) {
            Ok(true) => return Ok(Some(value)),
            Ok(false) => {}
            Err(Gap::TooMuchWork) => return Err(Gap::TooMuchWork),
            Err(gap) => open = Some(gap),
        }
    }
    open.map_or(Ok(None), Err)
}

/// Whether two sets are equal. The elements of a set differ from each other by meaning.
fn sets(world: &mut dyn Functions, a: &BTreeSet<Value>, b: &BTreeSet<Value>) -> Result<bool, Gap> {
    if a.len() != b.len() {
        return Ok(false);
    }
    all(a.iter().map(|x| Ok(find(world, b, x)?.is_some())))
}

/// Whether two bags are equal. The elements of a bag differ from each other by meaning.
fn bags(
    world: &mut dyn Functions,
    a: &BTreeMap<Value, UBig>,
    b: &BTreeMap<Value, UBig>,
) -> Result<bool, Gap> {
    if a.len() != b.len() {
        return Ok(false);
    }
    all(a.iter().map(|(x, n)| Ok(find(world, b.keys(), x)?.is_some_and(|y| b[y] == *n))))
}

fn arrays(world: &mut dyn Functions, a: &Array, b: &Array) -> Result<bool, Gap> {
    // The elements of both at every index that one of them lists.
    let mut pairs: Vec<(&Value, &Value)> = Vec::new();
    let mut shared = 0;
    for (key, element) in &a.entries {
        let other = b.find(world, key)?;
        shared += usize::from(other.is_some());
        pairs.push((element, other.map_or(&b.default, |key| &b.entries[key])));
    }
    for (key, element) in &b.entries {
        if a.find(world, key)?.is_none() {
            pairs.push((&a.default, element));
        }
    }
    let listed = all(pairs.iter().map(|(a, b)| equal(world, a, b)));
    if listed == Ok(false) {
        return listed;
    }
    let defaults = equal(world, &a.default, &b.default);
    if defaults == Ok(true) {
        return listed;
    }
    // Do the defaults show at some index? Sorts are never empty.
    let count = (a.entries.len() + b.entries.len() - shared) as u64;
    let shown = match a.entries.keys().chain(b.entries.keys()).next() {
        None => true,
        Some(key) => match finite::size_by(world.pool(), key) {
            Some(ENDLESS) => true,
            Some(size) => count < size,
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
    use crate::theory::tests::testing::Bare;
    use crate::value::{BitVec, Function};

    fn int(n: i32) -> Value {
        Value::Int(n.into())
    }

    fn decided(a: &Value, b: &Value) -> Result<bool, Gap> {
        equal(&mut Bare::with_functions(), a, b)
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
        let open = || Err(function::UNKNOWN);
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
            assert_eq!(decided(&a, &b), expected, "{what}");
            assert_eq!(decided(&b, &a), expected, "{what}, swapped");
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
