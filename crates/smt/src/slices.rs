//! Interned slices in a growing arena, which may stand on a frozen one.

use std::hash::{BuildHasher, Hash};
use std::sync::Arc;

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;

/// Room that a layer has as soon as it has a slice.
const FIRST: usize = 7;

/// Interned slices of `T`. Equal slices have equal numbers.
///
/// An arena made by [`Slices::over`] shares all slices of its base and numbers its own after them, so that a
/// mutant costs what it adds.
#[derive(Debug, Default)]
pub(crate) struct Slices<T> {
    base: Option<Arc<Slices<T>>>,
    offset: u32,
    spans: Vec<(u32, u32)>,
    items: Vec<T>,
    table: HashTable<u32>,
}

impl<T: Clone> Clone for Slices<T> {
    fn clone(&self) -> Self {
        Slices {
            base: self.base.clone(),
            offset: self.offset,
            spans: self.spans.clone(),
            items: self.items.clone(),
            table: self.table.clone(),
        }
    }
}

impl<T: Copy + Eq + Hash> Slices<T> {
    /// An empty arena.
    pub fn new() -> Self {
        Slices { base: None, offset: 0, spans: Vec::new(), items: Vec::new(), table: HashTable::new() }
    }

    /// An arena that shares all slices of `base`.
    pub fn over(base: &Arc<Self>) -> Self {
        Slices {
            base: Some(Arc::clone(base)),
            offset: base.len(),
            spans: Vec::new(),
            items: Vec::new(),
            table: HashTable::new(),
        }
    }

    /// Makes room for more slices and items.
    pub fn reserve(&mut self, slices: usize, items: usize) {
        self.spans.reserve(slices);
        self.items.reserve(items);
        let (spans, items, offset) = (&self.spans, &self.items, self.offset);
        self.table.reserve(slices, |&id| FxBuildHasher.hash_one(slice_at(spans, items, id - offset)));
    }

    /// How many slices there are, those of the base included.
    pub fn len(&self) -> u32 {
        self.offset + self.spans.len() as u32
    }

    /// The slice with number `id`.
    #[inline]
    pub fn get(&self, id: u32) -> &[T] {
        match id.checked_sub(self.offset) {
            Some(own) => slice_at(&self.spans, &self.items, own),
            None => self.base.as_ref().expect("a number below the offset has a base").get(id),
        }
    }

    /// The number of `slice`, if it is here already.
    pub fn find(&self, slice: &[T]) -> Option<u32> {
        self.find_hashed(slice, FxBuildHasher.hash_one(slice))
    }

    #[inline]
    fn find_hashed(&self, slice: &[T], hash: u64) -> Option<u32> {
        let mut layer = self;
        loop {
            let own = |id| slice_at(&layer.spans, &layer.items, id - layer.offset);
            if let Some(&id) = layer.table.find(hash, |&id| own(id) == slice) {
                return Some(id);
            }
            layer = layer.base.as_deref()?;
        }
    }

    /// The number of `slice`, which is added if it is new.
    #[inline]
    pub fn intern(&mut self, slice: &[T]) -> u32 {
        let hash = FxBuildHasher.hash_one(slice);
        self.find_hashed(slice, hash).unwrap_or_else(|| self.add(slice, hash))
    }

    #[inline(never)]
    fn add(&mut self, slice: &[T], hash: u64) -> u32 {
        if self.spans.is_empty() && self.base.is_some() {
            self.reserve(FIRST, 2 * FIRST);
        }
        let id = self.len();
        let start = u32::try_from(self.items.len()).expect("an arena holds fewer than 2^32 items");
        self.items.extend_from_slice(slice);
        self.spans.push((start, slice.len() as u32));
        let (spans, items, offset) = (&self.spans, &self.items, self.offset);
        let hash_of = |&id: &u32| FxBuildHasher.hash_one(slice_at(spans, items, id - offset));
        self.table.insert_unique(hash, id, hash_of);
        id
    }
}

/// The slice that stands at `place` among those of a layer.
#[inline]
fn slice_at<'a, T>(spans: &[(u32, u32)], items: &'a [T], place: u32) -> &'a [T] {
    let (start, len) = spans[place as usize];
    &items[start as usize..(start + len) as usize]
}

/// Items in a growing arena, which may stand on a frozen one. Nothing is interned.
#[derive(Clone, Debug)]
pub(crate) struct Rows<T> {
    base: Option<Arc<Rows<T>>>,
    offset: u32,
    items: Vec<T>,
}

impl<T> Rows<T> {
    pub fn new() -> Self {
        Rows { base: None, offset: 0, items: Vec::new() }
    }

    pub fn over(base: &Arc<Self>) -> Self {
        Rows { base: Some(Arc::clone(base)), offset: base.len(), items: Vec::new() }
    }

    pub fn len(&self) -> u32 {
        self.offset + self.items.len() as u32
    }

    pub fn push(&mut self, item: T) -> u32 {
        self.items.push(item);
        self.len() - 1
    }

    #[inline]
    pub fn get(&self, id: u32) -> &T {
        match id.checked_sub(self.offset) {
            Some(own) => &self.items[own as usize],
            None => self.base.as_ref().expect("a number below the offset has a base").get(id),
        }
    }

    /// The item, if it belongs to this layer and may therefore be changed.
    pub fn get_mut(&mut self, id: u32) -> Option<&mut T> {
        self.items.get_mut(id.checked_sub(self.offset)? as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_slices_have_equal_numbers_across_layers() {
        let mut below = Slices::new();
        assert_eq!(below.intern(b""), 0);
        let ab = below.intern(b"ab");
        let below = Arc::new(below);
        let mut above = Slices::over(&below);
        assert_eq!(above.intern(b"ab"), ab);
        let cd = above.intern(b"cd");
        assert_ne!(cd, ab);
        assert_eq!(above.get(ab), b"ab");
        assert_eq!(above.get(cd), b"cd");
        assert_eq!(above.find(b"ef"), None);
    }
}
