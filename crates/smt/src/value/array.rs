//! Arrays given by their entries.

use std::collections::{BTreeMap, BTreeSet};

use super::finite::{self, ENDLESS, cardinality, elements};
use super::{Array, Functions, Value, equal};
use crate::Pool;
use crate::gap::Gap;
use crate::sort::SortId;

impl Array {
    /// The array with this element everywhere.
    pub fn constant(default: Value) -> Self {
        Array { default, entries: BTreeMap::new() }
    }

    /// The element at an index. The index must be [rigid](Value::rigid), or one of the entries' own.
    pub fn get(&self, index: &Value) -> &Value {
        self.entries.get(index).unwrap_or(&self.default)
    }

    /// The index among the entries' own that equals this one by meaning; none if it is not listed.
    pub(crate) fn find(&self, world: &mut dyn Functions, index: &Value) -> Result<Option<&Value>, Gap> {
        if let Some((key, _)) = self.entries.get_key_value(index) {
            return Ok(Some(key));
        }
        let told_apart = |key: &Value| key.is_plain() || key.rigid();
        if self.entries.is_empty()
            || index.is_plain()
            || (index.rigid() && self.entries.keys().all(told_apart))
        {
            return Ok(None);
        }
        world.fuel().pay(self.entries.len() as u64)?;
        equal::find(world, self.entries.keys(), index)
    }

    /// Changes the element at an index, about which the same holds.
    pub fn set(&mut self, index: Value, element: Value) {
        if element == self.default {
            self.entries.remove(&index);
        } else {
            self.entries.insert(index, element);
        }
    }

    /// Whether [`Array::normal`] has to look at every index.
    pub(crate) fn is_dense(&self, pool: &Pool, index: SortId) -> bool {
        // The default stands at all indices but the listed ones. While that is more than half of them, no other
        // element can be as frequent.
        cardinality(pool, index).is_some_and(|n| n != ENDLESS && n <= 2 * self.entries.len() as u64)
    }

    /// The one way to write this array. Over an index sort with finitely many values an array can be written with
    /// several defaults; we take the most frequent element, and of several the smallest.
    #[must_use]
    pub fn normal(self, pool: &Pool, index: SortId) -> Self {
        if !self.is_dense(pool, index) {
            return self;
        }
        let Some(indices) = elements(pool, index, 2 * self.entries.len() as u64) else { return self };
        let mut counts: BTreeMap<&Value, usize> = BTreeMap::new();
        for i in &indices {
            *counts.entry(self.get(i)).or_default() += 1;
        }
        let most = counts.values().copied().max().unwrap_or(0);
        let default = counts.iter().find(|(_, n)| **n == most).map_or(&self.default, |(element, _)| *element);
        if *default == self.default {
            return self;
        }
        let mut array = Array::constant(default.clone());
        for i in indices {
            let element = self.get(&i).clone();
            array.set(i, element);
        }
        array
    }
}

/// The indices that some of these arrays list.
pub(crate) fn listed<'a>(arrays: impl IntoIterator<Item = &'a Array>) -> Result<BTreeSet<&'a Value>, Gap> {
    let indices: BTreeSet<_> = arrays.into_iter().flat_map(|a| a.entries.keys()).collect();
    if indices.iter().all(|i| i.rigid()) {
        Ok(indices)
    } else {
        Err(Gap::Incomparable("arrays or functions as indices of an array"))
    }
}

/// Whether there is an index besides these; none if we cannot know.
pub(crate) fn leaves_some(pool: &Pool, indices: &BTreeSet<&Value>) -> Option<bool> {
    let Some(first) = indices.first() else { return Some(true) };
    finite::size_by(pool, first).map(|n| n == ENDLESS || (indices.len() as u64) < n)
}
