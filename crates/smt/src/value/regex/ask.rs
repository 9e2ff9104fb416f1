//! Questions about regular languages: membership, emptiness, inclusion, equality.

use std::collections::VecDeque;

use rustc_hash::{FxHashMap, FxHashSet};

use super::fuel::{Fuel, OutOfFuel};
use super::pool::{ALL, Id, NONE, Pool};
use super::syntax::Regex;

impl Regex {
    /// `str.in_re`: whether the language has `word`.
    pub fn contains(&self, word: &[u32], fuel: &mut Fuel) -> Result<bool, OutOfFuel> {
        let (mut pool, [mut state]) = Pool::holding([self], fuel)?;
        for &code in word {
            if state == NONE || state == ALL {
                break;
            }
            state = pool.derive(state, code, fuel)?;
        }
        Ok(pool.nullable(state))
    }

    /// Whether the language has no word.
    pub fn is_empty(&self, fuel: &mut Fuel) -> Result<bool, OutOfFuel> {
        let (mut pool, [id]) = Pool::holding([self], fuel)?;
        is_empty(&mut pool, id, fuel)
    }

    /// A shortest word of the language, if it has any.
    pub fn example(&self, fuel: &mut Fuel) -> Result<Option<Vec<u32>>, OutOfFuel> {
        let (mut pool, [id]) = Pool::holding([self], fuel)?;
        // From where, and by which character, a state was first met.
        let mut origin = FxHashMap::from_iter([(NONE, None), (id, None)]);
        let mut todo = VecDeque::from([id]);
        while let Some(state) = todo.pop_front() {
            if pool.nullable(state) {
                let steps = std::iter::successors(origin[&state], |(from, _)| origin[from]);
                let mut word: Vec<_> = steps.map(|(_, code)| code).collect();
                word.reverse();
                return Ok(Some(word));
            }
            for code in pool.firsts(&[state], fuel)? {
                let next = pool.derive(state, code, fuel)?;
                origin.entry(next).or_insert_with(|| {
                    todo.push_back(next);
                    Some((state, code))
                });
            }
        }
        Ok(None)
    }

    /// Whether every word of the language is one of `other`.
    pub fn is_subset(&self, other: &Self, fuel: &mut Fuel) -> Result<bool, OutOfFuel> {
        let (mut pool, [a, b]) = Pool::holding([self, other], fuel)?;
        let outside = pool.comp(b, fuel)?;
        let rest = pool.inter(vec![a, outside], fuel)?;
        is_empty(&mut pool, rest, fuel)
    }

    /// `=` on `RegLan`: whether the languages have the same words.
    pub fn equals(&self, other: &Self, fuel: &mut Fuel) -> Result<bool, OutOfFuel> {
        let (mut pool, [a, b]) = Pool::holding([self, other], fuel)?;
        are_equal(&mut pool, a, b, fuel)
    }
}

/// Looks for a word, the shortest first.
fn is_empty(pool: &mut Pool, id: Id, fuel: &mut Fuel) -> Result<bool, OutOfFuel> {
    let mut seen = FxHashSet::from_iter([NONE, id]);
    let mut todo = VecDeque::from([id]);
    while let Some(state) = todo.pop_front() {
        if pool.inhabited(state) {
            return Ok(false);
        }
        for code in pool.firsts(&[state], fuel)? {
            let next = pool.derive(state, code, fuel)?;
            if seen.insert(next) {
                todo.push_back(next);
            }
        }
    }
    Ok(true)
}

/// Looks for a word of one and not the other; pairs once taken as equal are not looked at again
/// (Hopcroft and Karp 1971).
fn are_equal(pool: &mut Pool, a: Id, b: Id, fuel: &mut Fuel) -> Result<bool, OutOfFuel> {
    let mut leaders = Leaders::default();
    let mut todo = VecDeque::from([(a, b)]);
    while let Some((a, b)) = todo.pop_front() {
        if !leaders.merge(a, b) {
            continue;
        }
        if pool.nullable(a) != pool.nullable(b)
            || (a == NONE && pool.inhabited(b))
            || (b == NONE && pool.inhabited(a))
        {
            return Ok(false);
        }
        for code in pool.firsts(&[a, b], fuel)? {
            todo.push_back((pool.derive(a, code, fuel)?, pool.derive(b, code, fuel)?));
        }
    }
    Ok(true)
}

/// Classes of states, each with a leader.
#[derive(Default)]
struct Leaders(FxHashMap<Id, Id>);

impl Leaders {
    fn leader(&mut self, mut id: Id) -> Id {
        while let Some(&up) = self.0.get(&id) {
            // Halve the path, so that it stays short.
            if let Some(&higher) = self.0.get(&up) {
                self.0.insert(id, higher);
            }
            id = up;
        }
        id
    }

    /// Whether the two were apart until now.
    fn merge(&mut self, a: Id, b: Id) -> bool {
        let (a, b) = (self.leader(a), self.leader(b));
        if a != b {
            self.0.insert(a, b);
        }
        a != b
    }
}
