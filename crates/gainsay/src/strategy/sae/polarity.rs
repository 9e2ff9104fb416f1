//! Polarity: whether a formula becomes weaker or stronger when a part of it becomes weaker.
//!
//! If a part at a positive place becomes weaker, the whole becomes weaker. At a negative place, the whole becomes stronger. A
//! variable of a `let` has the polarity that all its occurrences share. Below `xor`, `=`, a condition or a function there is no
//! polarity. The published technique works on clauses; this one keeps the structure of the seed.

use smt::theory::table;
use smt::walk::bound_in;
use smt::{FunKind, Head, Pool, Script, SortId, Symbol, TermId, What};

use crate::strategy::material::gives_name;

/// The most free Bool variables of a term whose polarities are determined.
const MOST_VARIABLES: usize = 64;
/// The most places of one script. Further places are not changed.
const MOST_PLACES: usize = 1 << 20;

/// The polarity of a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sign {
    Plus,
    Minus,
}

impl Sign {
    fn times(self, other: Sign) -> Sign {
        if self == other { Sign::Plus } else { Sign::Minus }
    }
}

/// The Bool variables free in a term, each with its polarity if it has one; none if there are too many.
type Free = Option<Box<[(Symbol, Option<Sign>)]>>;

/// The facts about the terms of a pool that polarity needs.
#[derive(Default)]
pub(super) struct Signs {
    free: Vec<Free>,
    names: Vec<bool>,
    /// Whether a name given by `:named` is used, so that the named term occurs at two places.
    names_used: bool,
}

impl Signs {
    /// Adds the facts about new terms.
    pub fn learn(&mut self, pool: &Pool) {
        for term in pool.terms_from(self.free.len()) {
            let below = pool.args(term).iter().any(|arg| self.names[arg.index()]);
            let opaque = pool.node(term).head == Head::Opaque;
            self.names.push(below || opaque || gives_name(pool, term));
            if let Head::Fun(fun) = pool.node(term).head {
                self.names_used |= matches!(pool.fun(fun).kind, FunKind::Named(_));
            }
            let free = self.free_in(pool, term);
            self.free.push(free);
        }
    }

    fn free_in(&self, pool: &Pool, term: TermId) -> Free {
        if let Head::Variable(name) = pool.node(term).head {
            let is_bool = pool.sort_of(term) == SortId::BOOL;
            return Some(if is_bool { [(name, Some(Sign::Plus))].into() } else { [].into() });
        }
        let mut all: Vec<(Symbol, Option<Sign>)> = Vec::new();
        for (k, arg) in pool.args(term).iter().enumerate() {
            let here = self.free[arg.index()].as_deref()?;
            if here.is_empty() {
                continue;
            }
            let bound = bound_in(pool, term, k);
            let way = self.below(pool, term, k);
            for &(name, sign) in here {
                if bound.iter().any(|binder| binder.name == name) {
                    continue;
                }
                let sign = sign.zip(way).map(|(a, b)| a.times(b));
                match all.iter_mut().find(|(known, _)| *known == name) {
                    Some((_, known)) if *known != sign => *known = None,
                    Some(_) => {}
                    None => all.push((name, sign)),
                }
            }
        }
        (all.len() <= MOST_VARIABLES).then(|| all.into())
    }

    /// The polarity of argument `k` of a term at a positive place; none if it has none.
    fn below(&self, pool: &Pool, term: TermId, k: usize) -> Option<Sign> {
        let node = pool.node(term);
        if node.sort != SortId::BOOL {
            return None;
        }
        let last = pool.args(term).len() - 1;
        match node.head {
            Head::Op(op, _) => match table().op(op).name {
                "and" | "or" => Some(Sign::Plus),
                "not" => Some(Sign::Minus),
                "=>" => Some(if k == last { Sign::Plus } else { Sign::Minus }),
                "ite" if k > 0 => Some(Sign::Plus),
                _ => None,
            },
            Head::Forall(_) | Head::Exists(_) => Some(Sign::Plus),
            Head::Match(_) if k > 0 => Some(Sign::Plus),
            Head::Annotated(_) if k == 0 => {
                let twice = self.names_used && gives_name(pool, term);
                (!twice).then_some(Sign::Plus)
            }
            Head::Let(_) if k == last => Some(Sign::Plus),
            Head::Let(list) => {
                let binder = &pool.binders(list)[k];
                let body = self.free[pool.args(term)[last].index()].as_deref()?;
                let (_, sign) = body.iter().find(|(name, _)| *name == binder.name)?;
                if binder.sort == SortId::BOOL { *sign } else { None }
            }
            _ => None,
        }
    }
}

/// A formula whose polarity is known.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spot {
    pub term: TermId,
    pub sign: Sign,
    pub command: u32,
    parent: u32,
    k: u32,
    /// How many nodes of its assertion come before it.
    pub before: u32,
    /// Whether it may be changed. It may not if a part of it is named or opaque.
    pub free: bool,
}

/// All formulas of known polarity in the assertions of a script, in the order of the text.
#[derive(Default)]
pub(super) struct Spots(pub Vec<Spot>);

const ROOT: u32 = u32::MAX;

impl Spots {
    /// The spots in the assertions for which `wanted` is true, given the number of the command. `nodes` is the number of nodes
    /// of a term.
    pub fn of(
        script: &Script,
        signs: &Signs,
        nodes: impl Fn(TermId) -> u32,
        wanted: impl Fn(usize) -> bool,
    ) -> Spots {
        let pool = &script.pool;
        let mut spots: Vec<Spot> = Vec::new();
        let mut left: Vec<Spot> = Vec::new();
        for (command, what) in script.commands.iter().enumerate().filter(|(i, _)| wanted(*i)) {
            let What::Assert(term) = what.what else { continue };
            let spot = |term: TermId, sign, parent, k, before| {
                // A pattern belongs to the body as a whole.
                let annotated = matches!(pool.node(term).head, Head::Annotated(_));
                let free = !annotated && !signs.names[term.index()];
                Spot { term, sign, command: command as u32, parent, k, before, free }
            };
            left.push(spot(term, Sign::Plus, ROOT, 0, 0));
            while let Some(here) = left.pop() {
                if spots.len() >= MOST_PLACES {
                    return Spots(spots);
                }
                let number = spots.len() as u32;
                spots.push(here);
                let (first, mut before) = (left.len(), here.before.saturating_add(1));
                for (k, &arg) in pool.args(here.term).iter().enumerate() {
                    if let Some(sign) = signs.below(pool, here.term, k) {
                        left.push(spot(arg, sign.times(here.sign), number, k as u32, before));
                    }
                    before = before.saturating_add(nodes(arg));
                }
                left[first..].reverse();
            }
        }
        Spots(spots)
    }

    /// The spots with positive polarity everywhere, which is wrong.
    pub fn all_positive(mut self) -> Spots {
        self.0.iter_mut().for_each(|spot| spot.sign = Sign::Plus);
        self
    }

    /// The arguments that lead from the top of the assertion to a place.
    pub fn way(&self, mut number: usize) -> Vec<u32> {
        let mut way = Vec::new();
        while self.0[number].parent != ROOT {
            way.push(self.0[number].k);
            number = self.0[number].parent as usize;
        }
        way.reverse();
        way
    }

    /// Whether one place is the other one or contains it.
    pub fn overlap(&self, one: usize, other: usize) -> bool {
        let (upper, mut lower) = (one.min(other), one.max(other));
        while lower > upper && self.0[lower].parent != ROOT {
            lower = self.0[lower].parent as usize;
        }
        lower == upper
    }
}
