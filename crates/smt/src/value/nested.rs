//! Values inside values: how deep they are, how large, and whether unequal means different.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Deref;
use std::sync::Arc;

use dashu_base::BitTest;
use dashu_int::UBig;

use super::{Array, Data, Function, MAX_DEPTH, Value};
use crate::gap::{Fuel, Gap};
use crate::term::FunId;

/// Something made of values, with its properties as a whole. It can only be made by the functions of
/// [`Value`] below, so that none is too deep or too large: an innocent `let` can double a tree at every step.
#[derive(Clone, Debug)]
pub struct Nested<T> {
    inner: T,
    extent: Extent,
}

impl<T> Deref for Nested<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.inner
    }
}

impl<T: PartialEq> PartialEq for Nested<T> {
    fn eq(&self, other: &Self) -> bool {
        self.inner == other.inner
    }
}

impl<T: Eq> Eq for Nested<T> {}

impl<T: Ord> PartialOrd for Nested<T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<T: Ord> Ord for Nested<T> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.inner.cmp(&other.inner)
    }
}

/// The gap of elements that may or may not differ.
pub(crate) const NOT_TOLD_APART: Gap = Gap::Incomparable("elements that may be equal or not");

/// The properties of a value as a whole.
#[derive(Clone, Copy, Debug)]
struct Extent {
    /// How deep it is nested.
    depth: u32,
    /// How large it is as a tree, shared parts counted each time, in words.
    size: u64,
    /// Whether it differs from every other rigid value that it is not equal to as a Rust value.
    rigid: bool,
}

impl Extent {
    const EMPTY: Extent = Extent { depth: 1, size: 1, rigid: true };

    fn leaf(words: usize) -> Extent {
        Extent { size: 1 + words as u64, ..Extent::EMPTY }
    }

    fn of<'a>(parts: impl IntoIterator<Item = &'a Value>) -> Extent {
        let mut whole = Extent::EMPTY;
        for part in parts {
            let part = part.extent();
            whole.depth = whole.depth.max(1 + part.depth);
            whole.size = whole.size.saturating_add(part.size);
            whole.rigid &= part.rigid;
        }
        whole
    }

    fn around<T>(self, inner: T) -> Result<Arc<Nested<T>>, Gap> {
        if self.depth > MAX_DEPTH || self.size > Fuel::LARGEST {
            return Err(Gap::TooLarge);
        }
        Ok(Arc::new(Nested { inner, extent: self }))
    }

    /// As so many elements of a set, or indices: they must be told apart. One alone is.
    fn distinct(self, count: usize) -> Result<Extent, Gap> {
        if self.rigid || count <= 1 { Ok(self) } else { Err(NOT_TOLD_APART) }
    }
}

impl Value {
    /// A sequence of these elements.
    pub fn seq(elements: Vec<Value>) -> Result<Value, Gap> {
        Extent::of(&elements).around(elements).map(Value::Seq)
    }

    /// A tuple of these elements.
    pub fn tuple(elements: Vec<Value>) -> Result<Value, Gap> {
        Extent::of(&elements).around(elements).map(Value::Tuple)
    }

    /// A value of a datatype.
    pub fn data(constructor: FunId, fields: Vec<Value>) -> Result<Value, Gap> {
        Extent::of(&fields).around(Data { constructor, fields }).map(Value::Data)
    }

    /// A finite set. Elements that cannot be told apart by their shape are a gap.
    pub fn set(elements: BTreeSet<Value>) -> Result<Value, Gap> {
        Extent::of(&elements).distinct(elements.len())?;
        Value::set_of_distinct(elements)
    }

    /// A finite set of elements that the caller knows to differ from each other by meaning.
    pub(crate) fn set_of_distinct(elements: BTreeSet<Value>) -> Result<Value, Gap> {
        Extent::of(&elements).around(elements).map(Value::Set)
    }

    /// A finite bag; what occurs zero times is dropped. Elements that cannot be told apart by their shape are a gap.
    pub fn bag(mut counts: BTreeMap<Value, UBig>) -> Result<Value, Gap> {
        counts.retain(|_, count| !count.is_zero());
        Extent::of(counts.keys()).distinct(counts.len())?;
        Value::bag_of_distinct(counts)
    }

    /// A finite bag of elements that the caller knows to differ from each other by meaning.
    pub(crate) fn bag_of_distinct(mut counts: BTreeMap<Value, UBig>) -> Result<Value, Gap> {
        counts.retain(|_, count| !count.is_zero());
        let mut extent = Extent::of(counts.keys());
        extent.size =
            counts.values().fold(extent.size, |size, n| size.saturating_add(n.bit_len() as u64 / 64));
        extent.around(counts).map(Value::Bag)
    }

    /// An array; entries that are the default are dropped. Indices that cannot be told apart by their shape are a gap.
    pub fn array(mut array: Array) -> Result<Value, Gap> {
        array.entries.retain(|_, element| *element != array.default);
        Extent::of(array.entries.keys()).distinct(array.entries.len())?;
        Value::array_of_distinct(array)
    }

    /// An array whose indices the caller knows to differ from each other by meaning.
    pub(crate) fn array_of_distinct(Array { default, mut entries }: Array) -> Result<Value, Gap> {
        entries.retain(|_, element| *element != default);
        let mut extent = Extent::of(entries.iter().flat_map(|(k, v)| [k, v]).chain([&default]));
        if let Some(key) = entries.keys().next() {
            // With so few entries, two arrays whose defaults differ differ at some index listed in neither.
            extent.rigid &= at_least(key).is_some_and(|n| 2 * (entries.len() as u64) < n);
        }
        extent.around(Array { default, entries }).map(Value::Array)
    }

    /// A function as a value.
    pub fn function(function: Function) -> Result<Value, Gap> {
        let mut extent = match &function {
            Function::Named(_) => Extent::EMPTY,
            Function::Lambda(_, _, around) => Extent::of(around.iter().map(|(_, value)| value)),
            Function::Partial(of, given) => Extent::of(given.iter().chain([of])),
        };
        extent.rigid = false;
        extent.around(function).map(Value::Function)
    }

    fn extent(&self) -> Extent {
        match self {
            Value::Seq(inner) | Value::Tuple(inner) => inner.extent,
            Value::Array(inner) => inner.extent,
            Value::Function(inner) => inner.extent,
            Value::Set(inner) => inner.extent,
            Value::Bag(inner) => inner.extent,
            Value::Data(inner) => inner.extent,
            Value::Text(text) => Extent::leaf(text.len() / 8),
            Value::Int(n) => Extent::leaf(n.bit_len() / 64),
            Value::Real(q) => Extent::leaf((q.numerator().bit_len() + q.denominator().bit_len()) / 64),
            Value::BitVec(bits) => Extent::leaf(bits.width() as usize / 64),
            Value::Field(residue, modulus) => Extent::leaf((residue.bit_len() + modulus.bit_len()) / 64),
            // Whether two languages are the same takes more than a look.
            Value::Regex(_) => Extent { rigid: false, ..Extent::EMPTY },
            _ => Extent::EMPTY,
        }
    }

    /// The depth of nesting. A value that holds no other values has depth 1.
    pub fn depth(&self) -> u32 {
        self.extent().depth
    }

    /// How large it is as a tree: about the cost of comparing or printing it.
    pub fn size(&self) -> u64 {
        self.extent().size
    }

    /// Whether it is of a sort whose values are all rigid and hold no others.
    pub(crate) fn is_plain(&self) -> bool {
        !matches!(
            self,
            Value::Regex(_)
                | Value::Seq(_)
                | Value::Array(_)
                | Value::Function(_)
                | Value::Set(_)
                | Value::Bag(_)
                | Value::Data(_)
                | Value::Tuple(_)
        )
    }

    /// Whether it differs from every other rigid value that it is not equal to as a Rust value. Not so for
    /// regular languages, for functions and for arrays over few indices.
    pub fn rigid(&self) -> bool {
        self.extent().rigid
    }
}

/// How many values the sort of this one has at least, as far as the value itself tells.
fn at_least(value: &Value) -> Option<u64> {
    match value {
        Value::Bool(_) => Some(2),
        Value::BitVec(bits) => Some(1_u64.checked_shl(bits.width()).unwrap_or(u64::MAX)),
        Value::Int(_) | Value::Real(_) | Value::Text(_) | Value::Seq(_) | Value::Bag(_) => Some(u64::MAX),
        Value::Field(_, modulus) => Some(u64::try_from(modulus).unwrap_or(u64::MAX)),
        Value::Rounding(_) => Some(5),
        Value::Float(float) => Some(super::finite::floats(float.format().eb(), float.format().sb())),
        Value::Tuple(parts) => parts.iter().filter_map(at_least).reduce(u64::saturating_mul),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::BitVec;

    fn int(n: i32) -> Value {
        Value::Int(n.into())
    }

    fn array(default: Value, entries: BTreeMap<Value, Value>) -> Result<Value, Gap> {
        Value::array(Array { default, entries })
    }

    #[test]
    fn deep_values_are_refused_in_linear_time() {
        let mut list = Value::data(FunId(0), vec![]).expect("shallow");
        let mut gaps = 0;
        for i in 0..1_000_000 {
            match Value::data(FunId(1), vec![int(i), list.clone()]) {
                Ok(longer) => list = longer,
                Err(gap) => {
                    assert_eq!(gap, Gap::TooLarge);
                    gaps += 1;
                }
            }
        }
        assert_eq!(list.depth(), MAX_DEPTH);
        assert_eq!(gaps, 1_000_000 - (MAX_DEPTH - 1));
        // Comparing, printing and dropping what was built is plain recursion.
        let other = Value::data(FunId(1), vec![int(0), list.clone()]);
        assert_eq!(other, Err(Gap::TooLarge));
        assert_eq!(list.cmp(&list.clone()), Ordering::Equal);
        assert!(format!("{list:?}").len() > MAX_DEPTH as usize);
    }

    #[test]
    fn every_wrapper_counts_depth() {
        let wrappers: [fn(Value) -> Result<Value, Gap>; 7] = [
            |v| Value::seq(vec![v]),
            |v| Value::tuple(vec![v]),
            |v| Value::set(BTreeSet::from([v])),
            |v| Value::bag(BTreeMap::from([(v, UBig::ONE)])),
            |v| array(v, BTreeMap::new()),
            |v| array(int(0), BTreeMap::from([(int(1), v)])),
            |v| Value::function(Function::Partial(v, vec![])),
        ];
        for wrap in wrappers {
            let mut value = int(7);
            while let Ok(deeper) = wrap(value.clone()) {
                assert_eq!(deeper.depth(), value.depth() + 1);
                value = deeper;
            }
            assert_eq!(value.depth(), MAX_DEPTH);
        }
    }

    #[test]
    fn doubling_trees_are_refused() {
        let mut tree = int(1);
        while let Ok(twice) = Value::data(FunId(1), vec![tree.clone(), tree.clone()]) {
            tree = twice;
        }
        assert!(tree.size() <= Fuel::LARGEST && tree.size() > Fuel::LARGEST / 4);
    }

    #[test]
    fn rigid_is_what_can_be_told_apart() {
        let f = Value::function(Function::Named(FunId(0))).expect("shallow");
        let g = Value::function(Function::Named(FunId(1))).expect("shallow");
        let bit = |n: u32| Value::BitVec(BitVec::new(2, n.into()));
        let two_bits = |n: u32| array(int(0), (0..n).map(|i| (bit(i), int(1))).collect());
        let row = |v: Result<Value, Gap>| v.map(|v| v.rigid());
        let gap = Err(Gap::Incomparable("elements that may be equal or not"));
        for (what, value, expected) in [
            ("a number", Ok(int(1)), Ok(true)),
            ("a function", Ok(f.clone()), Ok(false)),
            ("a sequence of functions", Value::seq(vec![f.clone()]), Ok(false)),
            ("a set of a function", Value::set(BTreeSet::from([f.clone()])), Ok(false)),
            ("a set of functions", Value::set(BTreeSet::from([f.clone(), g.clone()])), gap.clone()),
            ("a bag of a function", Value::bag(BTreeMap::from([(f.clone(), UBig::ONE)])), Ok(false)),
            (
                "a bag of functions",
                Value::bag(BTreeMap::from([(f.clone(), UBig::ONE), (g.clone(), UBig::ONE)])),
                gap.clone(),
            ),
            ("nothing in a bag", Value::bag(BTreeMap::from([(f.clone(), UBig::ZERO)])), Ok(true)),
            ("a function as index", array(int(0), BTreeMap::from([(f.clone(), int(1))])), Ok(false)),
            (
                "functions as indices",
                array(int(0), BTreeMap::from([(f.clone(), int(1)), (g, int(2))])),
                gap.clone(),
            ),
            ("an array of functions", array(f.clone(), BTreeMap::new()), Ok(false)),
            ("an array over Int", array(int(0), BTreeMap::from([(int(1), int(1))])), Ok(true)),
            ("an array over Bool", array(int(0), BTreeMap::from([(Value::Bool(true), int(1))])), Ok(false)),
            ("a constant array", array(int(0), BTreeMap::new()), Ok(true)),
            ("one of four indices", two_bits(1), Ok(true)),
            ("two of four indices", two_bits(2), Ok(false)),
        ] {
            assert_eq!(row(value), expected, "{what}");
        }
    }
}
