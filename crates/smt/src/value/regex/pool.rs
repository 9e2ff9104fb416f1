//! A pool of regular languages in normal form: equal forms have equal ids.
//!
//! The forms are kept few (ACI of union and intersection, units, double complement, merged sets and
//! loops), which keeps derivatives few. Each rule is an equation of languages; none is needed for
//! the answers to be right.

use std::hash::{BuildHasher, Hash};

use hashbrown::HashTable;
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::fuel::{Fuel, OutOfFuel};
use super::ranges::{Classes, Ranges, meet, unite};
use crate::value::text::LAST;

/// Names a language of a pool.
pub(super) type Id = u32;

pub(super) const NONE: Id = 0;
pub(super) const EMPTY_WORD: Id = 1;
pub(super) const ANY: Id = 2;
pub(super) const ALL: Id = 3;

#[derive(PartialEq, Eq, Hash)]
pub(super) enum Form {
    None,
    EmptyWord,
    /// One character; not empty.
    Set(Ranges),
    Concat(Id, Id),
    /// Two or more, ascending, none a union.
    Union(Box<[Id]>),
    /// Two or more, ascending, none an intersection.
    Inter(Box<[Id]>),
    Comp(Id),
    /// Never `(0, 0)`, `(1, 1)` or `(0, 1)`; from 0 on if the body has the empty word.
    Loop(Id, u64, Option<u64>),
}

pub(super) struct Pool {
    forms: Vec<Form>,
    ids: HashTable<Id>,
    /// Whether the language has the empty word.
    nullable: Vec<bool>,
    /// Whether the language is known to have a word; `false` means nothing.
    inhabited: Vec<bool>,
    /// Derivatives, by language and character.
    pub(super) derived: FxHashMap<(Id, u32), Id>,
    /// Classes of the characters of all that was interned.
    pub(super) classes: Classes,
}

impl Pool {
    pub(super) fn new(fuel: &mut Fuel) -> Result<Self, OutOfFuel> {
        let mut pool = Self {
            forms: Vec::new(),
            ids: HashTable::new(),
            nullable: Vec::new(),
            inhabited: Vec::new(),
            derived: FxHashMap::default(),
            classes: Classes::new(&[], fuel)?,
        };
        let all = Form::Loop(ANY, 0, None);
        for (form, id) in [
            (Form::None, NONE),
            (Form::EmptyWord, EMPTY_WORD),
            (Form::Set([(0, LAST)].into()), ANY),
            (all, ALL),
        ] {
            let made = pool.make(form, fuel)?;
            debug_assert_eq!(made, id);
        }
        Ok(pool)
    }

    pub(super) fn form(&self, id: Id) -> &Form {
        &self.forms[id as usize]
    }

    pub(super) fn nullable(&self, id: Id) -> bool {
        self.nullable[id as usize]
    }

    pub(super) fn inhabited(&self, id: Id) -> bool {
        self.inhabited[id as usize]
    }

    /// The character sets among the forms.
    pub(super) fn sets(&self) -> impl Iterator<Item = &[(u32, u32)]> {
        self.forms.iter().filter_map(|form| match form {
            Form::Set(ranges) => Some(&**ranges),
            _ => None,
        })
    }

    fn make(&mut self, form: Form, fuel: &mut Fuel) -> Result<Id, OutOfFuel> {
        fuel.burn(1 + form.size())?;
        let hash = FxBuildHasher.hash_one(&form);
        if let Some(&id) = self.ids.find(hash, |&id| self.forms[id as usize] == form) {
            return Ok(id);
        }
        let id = Id::try_from(self.forms.len()).map_err(|_| OutOfFuel)?;
        let nullable = |id: &Id| self.nullable[*id as usize];
        let inhabited = |id: &Id| self.inhabited[*id as usize];
        let (null, some) = match &form {
            Form::None => (false, false),
            Form::EmptyWord => (true, true),
            Form::Set(_) => (false, true),
            Form::Concat(head, tail) => {
                (nullable(head) && nullable(tail), inhabited(head) && inhabited(tail))
            }
            Form::Union(parts) => (parts.iter().any(nullable), parts.iter().any(inhabited)),
            Form::Inter(parts) => (parts.iter().all(nullable), false),
            Form::Comp(body) => (!nullable(body), false),
            Form::Loop(body, low, _) => (*low == 0 || nullable(body), inhabited(body)),
        };
        self.nullable.push(null);
        self.inhabited.push(null || some);
        self.forms.push(form);
        let forms = &self.forms;
        self.ids.insert_unique(hash, id, |&id| FxBuildHasher.hash_one(&forms[id as usize]));
        Ok(id)
    }

    pub(super) fn set(&mut self, ranges: Ranges, fuel: &mut Fuel) -> Result<Id, OutOfFuel> {
        if ranges.is_empty() { Ok(NONE) } else { self.make(Form::Set(ranges), fuel) }
    }

    /// A language with a loop at its head: body, bounds, and what follows it.
    fn head_loop(&self, id: Id) -> Option<Around> {
        let (head, after) = match *self.form(id) {
            Form::Concat(head, tail) => (head, tail),
            _ => (id, EMPTY_WORD),
        };
        match *self.form(head) {
            Form::Loop(body, low, high) => Some(Around { before: EMPTY_WORD, body, after, low, high }),
            _ => None,
        }
    }

    /// A language with a loop at its head, or second to it.
    fn near_loop(&self, id: Id) -> Option<Around> {
        self.head_loop(id).or_else(|| match *self.form(id) {
            Form::Concat(before, tail) => Some(Around { before, ..self.head_loop(tail)? }),
            _ => None,
        })
    }

    pub(super) fn concat(&mut self, head: Id, tail: Id, fuel: &mut Fuel) -> Result<Id, OutOfFuel> {
        match (head, tail) {
            (NONE, _) | (_, NONE) => return Ok(NONE),
            (EMPTY_WORD, other) | (other, EMPTY_WORD) => return Ok(other),
            _ => {}
        }
        // r{a,b} r{c,d} = r{a+c,b+d}
        if let (&Form::Loop(body, a, b), Some(Around { body: same, after, low: c, high: d, .. })) =
            (self.form(head), self.head_loop(tail))
            && body == same
            && let Some(low) = a.checked_add(c)
            && let Some(high) = both(b, d, u64::checked_add)
        {
            let merged = self.repeat(body, low, high, fuel)?;
            return if after == EMPTY_WORD {
                Ok(merged)
            } else {
                self.make(Form::Concat(merged, after), fuel)
            };
        }
        self.make(Form::Concat(head, tail), fuel)
    }

    pub(super) fn comp(&mut self, body: Id, fuel: &mut Fuel) -> Result<Id, OutOfFuel> {
        match *self.form(body) {
            Form::None => Ok(ALL),
            Form::Comp(inner) => Ok(inner),
            _ if body == ALL => Ok(NONE),
            _ => self.make(Form::Comp(body), fuel),
        }
    }

    pub(super) fn repeat(
        &mut self,
        mut body: Id,
        mut low: u64,
        mut high: Option<u64>,
        fuel: &mut Fuel,
    ) -> Result<Id, OutOfFuel> {
        loop {
            match (body, low, high) {
                (_, _, Some(most)) if low > most => return Ok(NONE),
                (_, _, Some(0)) | (NONE, 0, _) | (EMPTY_WORD, _, _) => return Ok(EMPTY_WORD),
                (NONE, _, _) => return Ok(NONE),
                (_, 1, Some(1)) => return Ok(body),
                _ => {}
            }
            // Fewer rounds are rounds with the empty word.
            if self.nullable(body) {
                low = 0;
            }
            match self.form(body) {
                // (ε|r){0,n} = r{0,n}
                Form::Union(parts) if parts[0] == EMPTY_WORD => {
                    let parts = parts[1..].to_vec();
                    body = self.union(parts, fuel)?;
                }
                // (r{0,m}){0,n} = r{0,mn}
                &Form::Loop(inner, 0, most) => {
                    let Some(product) = both(most, high, u64::checked_mul) else { break };
                    (body, high) = (inner, product);
                }
                // (r+){n,_} = r{n,}
                &Form::Loop(inner, 1, None) => (body, high) = (inner, None),
                _ => break,
            }
        }
        match (low, high) {
            (0, Some(1)) => self.union(vec![EMPTY_WORD, body], fuel),
            _ => self.make(Form::Loop(body, low, high), fuel),
        }
    }

    pub(super) fn union(&mut self, parts: Vec<Id>, fuel: &mut Fuel) -> Result<Id, OutOfFuel> {
        let mut parts = self.flatten(parts, true, fuel)?;
        self.unite_sets(&mut parts, fuel)?;
        self.unite_loops(&mut parts, fuel)?;
        parts.sort_unstable();
        parts.dedup();
        parts.retain(|&part| part != NONE);
        if parts.contains(&ALL) || self.has_opposites(&parts) {
            return Ok(ALL);
        }
        if parts.first() == Some(&EMPTY_WORD) && parts[1..].iter().any(|&part| self.nullable(part)) {
            parts.remove(0);
        }
        match parts[..] {
            [] => Ok(NONE),
            [only] => Ok(only),
            _ => self.make(Form::Union(parts.into()), fuel),
        }
    }

    pub(super) fn inter(&mut self, parts: Vec<Id>, fuel: &mut Fuel) -> Result<Id, OutOfFuel> {
        let mut parts = self.flatten(parts, false, fuel)?;
        self.meet_sets(&mut parts, fuel)?;
        parts.sort_unstable();
        parts.dedup();
        parts.retain(|&part| part != ALL);
        if parts.first() == Some(&NONE) || self.has_opposites(&parts) {
            return Ok(NONE);
        }
        if parts.first() == Some(&EMPTY_WORD) {
            let all = parts.iter().all(|&part| self.nullable(part));
            return Ok(if all { EMPTY_WORD } else { NONE });
        }
        match parts[..] {
            [] => Ok(ALL),
            [only] => Ok(only),
            _ => self.make(Form::Inter(parts.into()), fuel),
        }
    }

    /// The parts, those of nested unions (or intersections) instead of these, each once.
    fn flatten(&self, parts: Vec<Id>, union: bool, fuel: &mut Fuel) -> Result<Vec<Id>, OutOfFuel> {
        let mut flat = Vec::with_capacity(parts.len());
        for part in parts {
            match self.form(part) {
                Form::Union(inner) if union => flat.extend_from_slice(inner),
                Form::Inter(inner) if !union => flat.extend_from_slice(inner),
                _ => flat.push(part),
            }
        }
        fuel.burn(flat.len())?;
        flat.sort_unstable();
        flat.dedup();
        Ok(flat)
    }

    /// Whether some part is the complement of another. The parts are ascending.
    fn has_opposites(&self, parts: &[Id]) -> bool {
        parts.iter().any(|&part| match self.form(part) {
            Form::Comp(body) => parts.binary_search(body).is_ok(),
            _ => false,
        })
    }

    /// Takes the sets out of the parts, if there are two or more.
    fn take_sets(&self, parts: &mut Vec<Id>) -> Vec<Id> {
        let is_set = |&part: &Id| matches!(self.form(part), Form::Set(_));
        if parts.iter().filter(|part| is_set(part)).count() < 2 {
            return Vec::new();
        }
        parts.extract_if(.., |part| is_set(part)).collect()
    }

    fn ranges(&self, id: Id) -> &[(u32, u32)] {
        match self.form(id) {
            Form::Set(ranges) => ranges,
            _ => unreachable!("asked of sets only"),
        }
    }

    fn unite_sets(&mut self, parts: &mut Vec<Id>, fuel: &mut Fuel) -> Result<(), OutOfFuel> {
        let sets = self.take_sets(parts);
        if !sets.is_empty() {
            fuel.burn(sets.iter().map(|&set| self.ranges(set).len()).sum())?;
            let ranges = sets.iter().flat_map(|&set| self.ranges(set)).copied().collect();
            parts.push(self.set(unite(ranges), fuel)?);
        }
        Ok(())
    }

    fn meet_sets(&mut self, parts: &mut Vec<Id>, fuel: &mut Fuel) -> Result<(), OutOfFuel> {
        let sets = self.take_sets(parts);
        if let Some((&first, others)) = sets.split_first() {
            let mut ranges: Ranges = self.ranges(first).into();
            for &set in others {
                fuel.burn(ranges.len() + self.ranges(set).len())?;
                ranges = meet(&ranges, self.ranges(set));
            }
            parts.push(self.set(ranges, fuel)?);
        }
        Ok(())
    }

    /// `h r{a,b} t | h r{c,d} t = h r{a,d} t` where the bounds overlap or touch.
    fn unite_loops(&mut self, parts: &mut Vec<Id>, fuel: &mut Fuel) -> Result<(), OutOfFuel> {
        let mut loops: Vec<_> =
            parts.iter().filter_map(|&part| Some((self.near_loop(part)?, Some(part)))).collect();
        if loops.len() < 2 {
            return Ok(());
        }
        fuel.burn(loops.len())?;
        loops.sort_unstable();
        loops.dedup_by(|(next, _), (last, whole)| {
            let near = last.high.is_none_or(|high| next.low <= high.saturating_add(1));
            let same = (next.before, next.body, next.after) == (last.before, last.body, last.after);
            if near && same {
                last.high = last.high.zip(next.high).map(|(a, b)| a.max(b));
                *whole = None;
            }
            near && same
        });
        parts.retain(|&part| self.near_loop(part).is_none());
        for (Around { before, body, after, low, high }, whole) in loops {
            if let Some(part) = whole {
                parts.push(part);
                continue;
            }
            let head = self.repeat(body, low, high, fuel)?;
            let rest = self.concat(head, after, fuel)?;
            parts.push(self.concat(before, rest, fuel)?);
        }
        Ok(())
    }
}

/// `before body{low,high} after`, the first and the last possibly the empty word.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Around {
    before: Id,
    body: Id,
    after: Id,
    low: u64,
    high: Option<u64>,
}

impl Form {
    fn size(&self) -> usize {
        match self {
            Self::Set(ranges) => ranges.len(),
            Self::Union(parts) | Self::Inter(parts) => parts.len(),
            _ => 0,
        }
    }
}

/// A function of two bounds, endless if one is; nothing on overflow.
#[expect(clippy::option_option, reason = "endless and overflow are two things")]
fn both(a: Option<u64>, b: Option<u64>, f: impl Fn(u64, u64) -> Option<u64>) -> Option<Option<u64>> {
    match (a, b) {
        (Some(a), Some(b)) => f(a, b).map(Some),
        _ => Some(None),
    }
}
