//! Parts: theories by their usual names, with the sorts of their terms and their operators at these sorts.

use std::collections::BTreeSet;

use smt::theory::{Arity, OpId, Theory, table};
use smt::{Head, Index, Pool, Sort, SortId, TermId, sort_text};

/// A theory with its usual name, its rows of the operator table, and the texts of the sorts of its terms.
pub(super) struct Part {
    pub name: &'static str,
    /// Other names of the theory.
    pub also: &'static [&'static str],
    pub theories: &'static [Theory],
    pub sorts: &'static [&'static str],
    /// Sorts of other theories that its conversions use. Only tests by construction have them.
    pub beside: &'static [&'static str],
}

const fn part(name: &'static str, theories: &'static [Theory], sorts: &'static [&'static str]) -> Part {
    Part { name, also: &[], theories, sorts, beside: &[] }
}

impl Part {
    const fn also(mut self, names: &'static [&'static str]) -> Part {
        self.also = names;
        self
    }
    const fn beside(mut self, sorts: &'static [&'static str]) -> Part {
        self.beside = sorts;
        self
    }
}

pub(super) const PARTS: &[Part] = &[
    part("core", &[], &[]),
    part("ints", &[Theory::Ints], &["Int"]),
    part("reals", &[Theory::Reals], &["Real"]),
    part("reals_ints", &[Theory::Ints, Theory::Reals, Theory::RealsInts], &["Int", "Real"]),
    part("transcendentals", &[Theory::Reals, Theory::Transcendentals], &["Real"]),
    part("bitvectors", &[Theory::BitVectors], &["(_ BitVec 8)", "(_ BitVec 4)"])
        .also(&["bitvec", "bv"])
        .beside(&["(_ BitVec 1)", "Int"]),
    part("arrays", &[Theory::Arrays], &["Int", "(Array Int Int)"]),
    // Single precision, which cvc5 reads without asking for experiments.
    part("floats", &[Theory::Floats], &["RoundingMode", "(_ FloatingPoint 8 24)"])
        .also(&["float", "fp"])
        .beside(&["(_ BitVec 1)", "(_ BitVec 8)", "(_ BitVec 23)", "(_ BitVec 32)", "Real"]),
    part("strings", &[Theory::Strings], &["String", "RegLan", "Int"]),
    part("seq", &[Theory::Sequences], &["(Seq Int)", "Int"]).also(&["sequences"]),
    part("sets", &[Theory::Sets], &["(Set Int)", "Int"]),
    part("finite_sets", &[Theory::FiniteSets], &["(FiniteSet Int)", "Int"]).also(&["finite-sets"]),
    part("bags", &[Theory::Sets], &["(Bag Int)", "Int"]),
    part("fields", &[Theory::FiniteFields], &["(_ FiniteField 7)"]),
];

/// Theories that cannot be chosen, and why.
const NO_PARTS: &[(&str, &str)] = &[
    (
        "datatypes",
        "constructors, selectors and testers are those that a script declares, so that the table has none",
    ),
    ("relations", "there are no boundary constants of tuples"),
    ("uf", "functions are those that a script declares"),
];

/// The part with this name, or an error message.
pub(super) fn named(name: &str) -> Result<&'static Part, String> {
    let found = PARTS.iter().find(|part| part.name == name || part.also.contains(&name));
    found.ok_or_else(|| {
        if let Some((_, why)) = NO_PARTS.iter().find(|(other, _)| *other == name) {
            return format!("there is no theory {name} here: {why}");
        }
        let names = |part: &'static Part| std::iter::once(&part.name).chain(part.also).copied();
        let near = PARTS.iter().flat_map(names).max_by_key(|known| likeness(name, known));
        let near = near.filter(|known| 2 * likeness(name, known) > known.len());
        let near = near.map_or(String::new(), |known| format!("; did you mean {known}?"));
        let known = |part: &Part| match part.also {
            [] => part.name.to_owned(),
            also => format!("{} or {}", part.name, also.join(" or ")),
        };
        let all: Vec<String> = PARTS.iter().map(known).collect();
        format!("there is no theory {name}{near} (there are {})", all.join(", "))
    })
}

/// How many letters two names have in common at their beginnings and ends.
fn likeness(a: &str, b: &str) -> usize {
    let (a, b) = (a.to_lowercase(), b.to_lowercase());
    let first = a.chars().zip(b.chars()).take_while(|(x, y)| x == y).count();
    let last = a.chars().rev().zip(b.chars().rev()).take_while(|(x, y)| x == y).count();
    (first + last).min(a.chars().count()).min(b.chars().count())
}

/// The indices that are tried, besides those of float formats.
const INDICES: &[u32] = &[0, 1, 3, 4, 7, 8];

/// An operator with sorts of arguments that it accepts.
#[derive(Clone, Debug)]
pub(super) struct Instance {
    /// The row of the operator.
    pub op: OpId,
    /// The text of the operator, with indices and the sort after `as`.
    pub spelling: String,
    /// Its indices.
    pub indices: Vec<Index>,
    /// The sort after `as`, if the operator needs one.
    pub want: Option<SortId>,
    /// The numbers of the sorts of its arguments.
    pub args: Vec<usize>,
    /// The number of the sort of its result.
    pub result: usize,
}

/// Sorts, and operators tried on a variable of each.
pub(super) struct Samples {
    pub pool: Pool,
    /// Each sort with its text and a variable of it.
    pub sorts: Vec<(SortId, String, TermId)>,
    known: BTreeSet<(String, Vec<SortId>)>,
    /// Indices that are tried.
    indices: Vec<u32>,
}

impl Samples {
    /// Reads these texts as sorts.
    pub fn of(texts: &[&str]) -> Result<Samples, String> {
        // The reader knows what sorts mean.
        let mut script = String::new();
        for (i, sort) in texts.iter().enumerate() {
            script.push_str(&format!("(declare-const x{i} {sort})"));
        }
        let mut pool = smt::read(script.as_bytes()).map_err(|_| "a sort is not understood".to_owned())?.pool;
        let (mut sorts, mut indices) = (Vec::new(), INDICES.to_vec());
        let funs: Vec<_> = pool.functions().collect();
        for fun in funs {
            let term = pool.call(fun, &[], None).map_err(|_| "a variable is no term".to_owned())?;
            let sort = pool.sort_of(term);
            if let Sort::Float(e, s) = pool.sort(sort) {
                indices.extend([e, s].into_iter().filter(|i| !INDICES.contains(i)));
            }
            sorts.push((sort, sort_text(&pool, sort), term));
        }
        Ok(Samples { pool, sorts, known: BTreeSet::new(), indices })
    }

    /// The instances of an operator at every choice of sorts and indices that fits, at most `most`. Another row with the same
    /// name may be the one that fits.
    pub fn instances(&mut self, op: OpId, most: usize) -> Vec<Instance> {
        self.instances_among(op, most, self.sorts.len())
    }

    /// The instances of an operator at the first `sorts` sorts only.
    pub fn instances_among(&mut self, op: OpId, most: usize, sorts: usize) -> Vec<Instance> {
        let mut found = Vec::new();
        let Some(count @ 0..=2) = table().op(op).indices else { return found };
        let mut left = most;
        for indices in tuples(self.indices.len(), count as usize) {
            let indices: Vec<Index> = indices.iter().map(|&i| Index::Number(self.indices[i])).collect();
            for choice in tuples(sorts, arity(op)) {
                let before = found.len();
                self.try_one(table().op(op).name, &indices, &choice, sorts, &mut found);
                left -= usize::from(found.len() > before);
                if left == 0 {
                    return found;
                }
            }
        }
        found
    }

    /// The instances of an operator with these indices at the first `sorts` sorts.
    pub fn instances_with(&mut self, op: OpId, indices: &[u32], sorts: usize) -> Vec<Instance> {
        let indices: Vec<Index> = indices.iter().map(|&i| Index::Number(i)).collect();
        let mut found = Vec::new();
        for choice in tuples(sorts, arity(op)) {
            self.try_one(table().op(op).name, &indices, &choice, sorts, &mut found);
        }
        found
    }

    fn try_one(
        &mut self,
        name: &str,
        indices: &[Index],
        choice: &[usize],
        sorts: usize,
        found: &mut Vec<Instance>,
    ) {
        let args: Vec<TermId> = choice.iter().map(|&i| self.sorts[i].2).collect();
        let own = &self.sorts[..sorts];
        let wants: Vec<Option<SortId>> =
            std::iter::once(None).chain(own.iter().map(|(sort, _, _)| Some(*sort))).collect();
        // What the arguments do not tell is written: `(as seq.empty (Seq Int))`.
        let wants = if args.is_empty() { &wants[..] } else { &wants[..1] };
        for &want in wants {
            let Ok(term) = self.pool.apply_named(name, indices, &args, want) else { continue };
            let sort = self.pool.sort_of(term);
            let Some(result) = self.sorts[..sorts].iter().position(|(own, _, _)| *own == sort) else {
                continue;
            };
            // An Int where a Real is wanted is not written, and not every solver reads it.
            if self.pool.args(term) != args {
                continue;
            }
            let node = self.pool.node(term);
            let Head::Op(op, _) = node.head else { continue };
            let spelling = self.pool.text(node.name).to_owned();
            if self.known.insert((spelling.clone(), choice.iter().map(|&i| self.sorts[i].0).collect())) {
                let (indices, args) = (indices.to_vec(), choice.to_vec());
                found.push(Instance { op, spelling, indices, want, args, result });
            }
        }
    }
}

/// How many arguments an operator is tried with.
fn arity(op: OpId) -> usize {
    let row = table().op(op);
    match row.arity {
        Arity::Fixed => row.args.len(),
        Arity::Variadic => 1,
        _ => 2,
    }
}

/// All tuples of `count` numbers below `below`.
pub(super) fn tuples(below: usize, count: usize) -> Vec<Vec<usize>> {
    (0..count).fold(vec![Vec::new()], |all, _| {
        let longer = |tuple: &Vec<usize>| {
            let tuple = tuple.clone();
            (0..below).map(move |i| tuple.iter().copied().chain([i]).collect::<Vec<_>>())
        };
        all.iter().flat_map(longer).collect()
    })
}
