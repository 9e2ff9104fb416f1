//! New constants, terms, formulas and languages that rules need at a place.
//!
//! The published technique injects formulas over Ints; here any predicate of the operator table that the seed's logic
//! has may be one, over variables and subterms of the seed that are in scope.

use rustc_hash::FxHashMap;
use smt::value::Value;
use smt::{FunId, FunKind, Pool, Script, Sort, SortId, TermId};

use super::constants::Constants;
use super::rules::When;
use super::schema::{Bound, Draw};
use crate::case::Choices;
use crate::strategy::makers::{Makers, Site};
use crate::strategy::material::{Material, Spot};

/// How many draws are made to find an atom.
const TRIES: u32 = 6;

/// The source of new terms.
pub(super) struct Source {
    pub material: Material,
    pub makers: Makers,
    pub constants: Constants,
    functions: FxHashMap<SortId, Vec<FunId>>,
}

impl Source {
    /// The source for a script, with the operators of these makers.
    pub fn of(script: &Script, makers: Makers) -> Source {
        let pool = &script.pool;
        let mut functions: FxHashMap<SortId, Vec<FunId>> = FxHashMap::default();
        for fun in pool.functions() {
            let about = pool.fun(fun);
            if about.kind == FunKind::Declared && about.type_params.is_empty() {
                functions.entry(about.result).or_default().push(fun);
            }
        }
        Source { material: Material::of(script), makers, constants: Constants::of(script), functions }
    }
}

/// New terms for one place.
pub(super) struct At<'a> {
    pub source: &'a mut Source,
    pub spot: &'a Spot,
    pub choices: &'a mut Choices,
}

impl At<'_> {
    /// Some term of a sort.
    pub fn term(&mut self, pool: &mut Pool, sort: SortId) -> Option<TermId> {
        let At { source: Source { material, makers, constants, .. }, spot, choices } = self;
        // What makes terms knows the seed's sorts; those that a mutant has of its own have numbers that change.
        if material.has(sort)
            && choices.happens(1, 4)
            && let Some(made) = makers.make(pool, sort, Site { material, spot, levels: 0 }, choices)
        {
            return Some(made);
        }
        let found = material.some(sort, spot, choices, |_| true);
        found.or_else(|| constants.some(pool, sort, When::Any, choices))
    }

    /// A formula: an atom, or a connective over one or two.
    pub fn formula(&mut self, pool: &mut Pool) -> Option<TermId> {
        let first = self.atom(pool)?;
        let name = match self.choices.below(6) {
            0 => return Some(first),
            1 => return pool.apply_named("not", &[], &[first], None).ok(),
            2 => "and",
            3 => "or",
            4 => "=>",
            _ => "xor",
        };
        let second = self.atom(pool)?;
        pool.apply_named(name, &[], &[first, second], None).ok()
    }

    /// A function of the script, applied to terms that may be used at the place.
    fn call(&mut self, pool: &mut Pool, sort: SortId) -> Option<TermId> {
        let At { source: Source { material, functions, .. }, spot, choices } = self;
        let fun = *choices.pick(functions.get(&sort)?)?;
        if !material.knows(fun, spot) {
            return None;
        }
        let sorts = pool.fun(fun).args.clone();
        let mut args = Vec::with_capacity(sorts.len());
        for sort in sorts {
            args.push(material.some(sort, spot, choices, |_| true)?);
        }
        pool.call(fun, &args, None).ok()
    }

    fn atom(&mut self, pool: &mut Pool) -> Option<TermId> {
        if self.source.functions.contains_key(&SortId::BOOL)
            && self.choices.happens(1, 4)
            && let Some(called) = self.call(pool, SortId::BOOL)
        {
            return Some(called);
        }
        let At { source: Source { material, makers, .. }, spot, choices } = self;
        let made = (0..TRIES)
            .find_map(|_| makers.make(pool, SortId::BOOL, Site { material, spot, levels: 1 }, choices));
        made.or_else(|| material.some(SortId::BOOL, spot, choices, |_| true))
    }

    fn language(&mut self, pool: &mut Pool) -> Option<TermId> {
        let At { source: Source { material, .. }, spot, choices } = self;
        if choices.happens(2, 3)
            && let Some(found) = material.some(SortId::REGLAN, spot, choices, |_| true)
        {
            return Some(found);
        }
        match self.choices.below(3) {
            0 => pool.apply_named("re.allchar", &[], &[], None).ok(),
            1 => {
                let (low, high) = (self.character(pool, 0, 0x60)?, self.character(pool, 0x61, 0x7a)?);
                pool.apply_named("re.range", &[], &[low, high], None).ok()
            }
            _ => {
                let At { source: Source { constants, .. }, choices, .. } = self;
                let text = constants.some(pool, SortId::STRING, When::Any, choices)?;
                pool.apply_named("str.to_re", &[], &[text], None).ok()
            }
        }
    }

    /// A string of one character between these.
    fn character(&mut self, pool: &mut Pool, from: u32, to: u32) -> Option<TermId> {
        let code = from + self.choices.below(u64::from(to.checked_sub(from)?) + 1) as u32;
        pool.value(SortId::STRING, &Value::Text([code].into())).ok()
    }

    fn constant(&mut self, pool: &mut Pool, sort: SortId, when: When) -> Option<TermId> {
        self.source.constants.some(pool, sort, when, self.choices)
    }

    /// The code of a metavariable that is a literal character of the seed.
    fn code(&self, bound: &Bound, hole: u8) -> Option<u32> {
        match self.source.constants.value(bound.term(hole)?)? {
            Value::Text(text) if text.len() == 1 => Some(text[0]),
            _ => None,
        }
    }

    /// The character `a` or `b` of a range that is wider or narrower than that from `l` to `h`.
    fn range_end(&mut self, pool: &mut Pool, hole: u8, when: When, bound: &Bound) -> Option<TermId> {
        let (low, high) = (self.code(bound, b'l')?, self.code(bound, b'h')?);
        if low > high {
            return None;
        }
        let (from, to) = match (when, hole) {
            (When::Wider, b'a') => (low.saturating_sub(3), low),
            (When::Wider, _) => (high, (high + 3).min(0x2_ffff)),
            // `a` was drawn before, but `b` need only stay in the range: an empty range is narrow, too.
            _ => (low, high),
        };
        self.character(pool, from, to)
    }
}

impl Draw for At<'_> {
    fn hole(&mut self, pool: &mut Pool, hole: u8, when: When, bound: &Bound) -> Option<TermId> {
        match hole {
            b'a' | b'b' if matches!(when, When::Wider | When::Narrower) => {
                self.range_end(pool, hole, when, bound)
            }
            b'a' => {
                let sort = bound.sort(pool)?;
                self.constant(pool, sort, when)
            }
            b'b' => {
                let sort = bound.sort(pool)?;
                self.constant(pool, sort, When::Any)
            }
            b'k' | b'n' => self.constant(pool, SortId::INT, When::Any),
            b'p' | b'q' | b'r' => self.formula(pool),
            b'R' | b'S' => self.language(pool),
            b'c' | b'y' | b'w' => {
                let sort = bound.sort(pool)?;
                self.term(pool, sort)
            }
            b'i' | b'j' | b'v' | b'e' => {
                let part = match (pool.sort(bound.sort(pool)?), hole) {
                    (Sort::Array(index, _), b'i' | b'j') => index,
                    (Sort::Array(_, element), b'v') | (Sort::Set(element), b'e') => element,
                    _ => return None,
                };
                self.term(pool, part)
            }
            _ => None,
        }
    }

    fn number(&mut self, pool: &Pool, hole: &str, bound: &Bound) -> Option<u32> {
        match (hole, bound.sort(pool).map(|sort| pool.sort(sort))) {
            ("@N", Some(Sort::BitVec(width))) => Some(width - 1),
            ("@H", Some(Sort::BitVec(width))) => Some(self.choices.below(width.into()) as u32),
            ("d", _) => {
                let number = bound.number(b'm')?;
                let divisors: Vec<u32> = (1..=number.min(64)).filter(|d| number.is_multiple_of(*d)).collect();
                self.choices.pick(&divisors).copied()
            }
            ("t", _) => bound.number(b'm')?.checked_mul(2 + self.choices.below(3) as u32),
            _ => None,
        }
    }
}

/// Whether the condition of a rule holds for the bound metavariables. Conditions on drawn ones always hold.
pub(super) fn admits(when: When, bound: &Bound, constants: &Constants) -> bool {
    let is_character = |hole| {
        let value = bound.term(hole).and_then(|term| constants.value(term));
        matches!(value, Some(Value::Text(text)) if text.len() == 1)
    };
    match when {
        When::Characters | When::Wider | When::Narrower => is_character(b'l') && is_character(b'h'),
        _ => true,
    }
}
