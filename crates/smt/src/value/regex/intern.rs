//! From the syntax tree into the pool, without recursion.

use rustc_hash::{FxHashMap, FxHashSet};

use super::fuel::{Fuel, OutOfFuel};
use super::pool::{ALL, EMPTY_WORD, Id, NONE, Pool};
use super::ranges::Classes;
use super::syntax::{Regex, Shape};

/// A language, or its words backwards.
type Side<'a> = (&'a Regex, bool);

enum Job<'a> {
    Visit(Side<'a>),
    /// All parts are known.
    Build(Side<'a>, Vec<Side<'a>>),
}

/// The languages known so far, by address and direction.
type Known = FxHashMap<(usize, bool), Id>;

fn key((regex, back): Side<'_>) -> (usize, bool) {
    (regex.address(), back)
}

impl Pool {
    /// A pool that holds `regexes`, and their names in it.
    pub(super) fn holding<const N: usize>(
        regexes: [&Regex; N],
        fuel: &mut Fuel,
    ) -> Result<(Self, [Id; N]), OutOfFuel> {
        let mut pool = Self::new(fuel)?;
        let mut known = Known::default();
        let mut ids = [NONE; N];
        for (id, regex) in ids.iter_mut().zip(regexes) {
            *id = pool.intern(regex, &mut known, fuel)?;
        }
        // Derivatives bring no new boundaries between characters.
        let sets: Vec<_> = pool.sets().collect();
        pool.classes = Classes::new(&sets, fuel)?;
        Ok((pool, ids))
    }

    fn intern(&mut self, regex: &Regex, known: &mut Known, fuel: &mut Fuel) -> Result<Id, OutOfFuel> {
        let root = (regex, false);
        let mut jobs = vec![Job::Visit(root)];
        while let Some(job) = jobs.pop() {
            match job {
                Job::Visit(side) if known.contains_key(&key(side)) => {}
                Job::Visit(side) => {
                    let parts = parts(side, known, fuel)?;
                    let visits: Vec<_> = parts.iter().copied().map(Job::Visit).collect();
                    jobs.push(Job::Build(side, parts));
                    jobs.extend(visits);
                }
                Job::Build(side, parts) => {
                    let parts = parts.into_iter().map(|part| known[&key(part)]).collect();
                    let id = self.build(side, parts, fuel)?;
                    known.insert(key(side), id);
                }
            }
        }
        Ok(known[&key(root)])
    }

    fn build(&mut self, (regex, back): Side<'_>, parts: Vec<Id>, fuel: &mut Fuel) -> Result<Id, OutOfFuel> {
        match regex.shape() {
            &Shape::Range(low, high) => self.set([(low, high)].into(), fuel),
            Shape::Word(word) => {
                let mut id = EMPTY_WORD;
                for at in 0..word.len() {
                    // From the last character to be read to the first.
                    let code = if back { word[at] } else { word[word.len() - 1 - at] };
                    let head = self.set([(code, code)].into(), fuel)?;
                    id = self.concat(head, id, fuel)?;
                }
                Ok(id)
            }
            Shape::Concat(_) => {
                let mut id = EMPTY_WORD;
                for part in parts.into_iter().rev() {
                    id = self.concat(part, id, fuel)?;
                }
                Ok(id)
            }
            Shape::Union(_) => self.union(parts, fuel),
            Shape::Inter(all) if all.is_empty() => Ok(ALL),
            Shape::Inter(_) => self.inter(parts, fuel),
            Shape::Comp(_) => self.comp(parts[0], fuel),
            &Shape::Loop(_, low, high) => self.repeat(parts[0], low, high, fuel),
            Shape::Reverse(_) => Ok(parts[0]),
        }
    }
}

/// The parts of a language in reading order; nested operators of one kind count as one, for
/// chains of them are common and would cost their square.
fn parts<'a>(side: Side<'a>, known: &Known, fuel: &mut Fuel) -> Result<Vec<Side<'a>>, OutOfFuel> {
    let (regex, back) = side;
    let parts = match regex.shape() {
        Shape::Range(..) | Shape::Word(_) => Vec::new(),
        Shape::Comp(body) | Shape::Loop(body, ..) => vec![(body, back)],
        Shape::Reverse(body) => vec![(body, !back)],
        Shape::Concat(_) => spine(side, known, fuel)?,
        Shape::Union(_) => leaves(side, known, fuel, |shape| match shape {
            Shape::Union(parts) => Some(parts),
            _ => None,
        })?,
        Shape::Inter(_) => leaves(side, known, fuel, |shape| match shape {
            Shape::Inter(parts) => Some(parts),
            _ => None,
        })?,
    };
    fuel.burn(1 + parts.len())?;
    Ok(parts)
}

/// Opens the concatenations that begin a concatenation; elsewhere sharing might be exponential.
fn spine<'a>(side: Side<'a>, known: &Known, fuel: &mut Fuel) -> Result<Vec<Side<'a>>, OutOfFuel> {
    let (mut regex, back) = side;
    let mut parts = Vec::new();
    while let Shape::Concat(inner) = regex.shape() {
        fuel.burn(1 + inner.len())?;
        let (first, others) = match (inner.split_first(), inner.split_last()) {
            (Some(split), Some(_)) if !back => split,
            (Some(_), Some(split)) => split,
            _ => break,
        };
        if back {
            parts.extend(others.iter().map(|part| (part, back)));
        } else {
            parts.extend(others.iter().rev().map(|part| (part, back)));
        }
        regex = first;
        if known.contains_key(&key((first, back))) || !matches!(first.shape(), Shape::Concat(_)) {
            parts.push((first, back));
            break;
        }
    }
    parts.reverse();
    Ok(parts)
}

/// Opens all operators of one associative, commutative and idempotent kind.
fn leaves<'a>(
    side: Side<'a>,
    known: &Known,
    fuel: &mut Fuel,
    open: impl Fn(&'a Shape) -> Option<&'a Vec<Regex>>,
) -> Result<Vec<Side<'a>>, OutOfFuel> {
    let (root, back) = side;
    let mut seen = FxHashSet::default();
    let mut todo = vec![root];
    let mut leaves = Vec::new();
    while let Some(regex) = todo.pop() {
        fuel.burn(1)?;
        if !seen.insert(regex.address()) {
            continue;
        }
        match open(regex.shape()) {
            Some(parts) if !known.contains_key(&key((regex, back))) => {
                fuel.burn(parts.len())?;
                todo.extend(parts);
            }
            _ => leaves.push((regex, back)),
        }
    }
    Ok(leaves)
}
