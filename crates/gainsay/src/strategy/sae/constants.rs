//! Constants: the values that rules put into formulas, from the edges of each sort and from the seed itself.

use rustc_hash::FxHashMap;
use smt::value::float::Format;
use smt::value::{BitVec, Float, IBig, RBig, UBig, Value};
use smt::{Fuel, Head, Model, Pool, Script, Sort, SortId, TermId};

use super::rules::When;
use crate::case::Choices;

/// How many draws are made to find a constant that meets its condition.
const TRIES: u32 = 12;
/// The budget of the evaluator for the value of a literal.
const FUEL: u64 = 1000;

/// The values of a seed's literals.
#[derive(Default)]
pub(in crate::strategy) struct Constants {
    by_sort: FxHashMap<SortId, Vec<Value>>,
    by_term: FxHashMap<TermId, Value>,
}

impl Constants {
    pub fn of(script: &Script) -> Constants {
        let model = Model::empty(script);
        let mut constants = Constants::default();
        for term in script.pool.all_terms() {
            if matches!(script.pool.node(term).head, Head::Literal(_))
                && let Ok(value) = smt::eval(term, &model, &mut Fuel::new(FUEL))
            {
                let known = constants.by_sort.entry(script.pool.sort_of(term)).or_default();
                if !known.contains(&value) {
                    known.push(value.clone());
                }
                constants.by_term.insert(term, value);
            }
        }
        constants
    }

    /// The value of a literal of the seed.
    pub fn value(&self, term: TermId) -> Option<&Value> {
        self.by_term.get(&term)
    }

    /// Some constant of a sort that meets a condition.
    pub fn some(&self, pool: &mut Pool, sort: SortId, when: When, choices: &mut Choices) -> Option<TermId> {
        for _ in 0..TRIES {
            let own = self.by_sort.get(&sort).filter(|own| !own.is_empty());
            let value = match own {
                Some(own) if choices.happens(1, 3) => choices.pick(own)?.clone(),
                _ => edge(pool, sort, choices)?,
            };
            if when.admits(&value) {
                return pool.value(sort, &value).ok();
            }
        }
        None
    }
}

/// A value at an edge of its sort, or any.
pub(super) fn edge(pool: &Pool, sort: SortId, choices: &mut Choices) -> Option<Value> {
    Some(match pool.sort(sort) {
        Sort::Bool => Value::Bool(choices.happens(1, 2)),
        Sort::Int => Value::Int(number(choices)),
        Sort::Real => {
            let below: u64 = *choices.pick(&[1, 1, 1, 2, 3, 10, 1 << 32])?;
            Value::Real(RBig::from_parts(number(choices), UBig::from(below)))
        }
        Sort::BitVec(width) => Value::BitVec(bits(width, choices)),
        Sort::Float(exponent, significand) => {
            let format = format(exponent, significand)?;
            let negative = choices.happens(1, 2);
            Value::Float(match choices.below(7) {
                0 => Float::zero(format, negative),
                1 => Float::smallest(format, negative),
                2 => Float::largest(format, negative),
                3 => Float::infinity(format, negative),
                4 => Float::nan(format),
                5 => Float::from_int(format, smt::value::Rounding::Rne, &number(choices)),
                _ => Float::from_bits(format, bits(exponent + significand, choices).unsigned()),
            })
        }
        Sort::String => Value::Text(text(choices).into()),
        _ => return None,
    })
}

fn number(choices: &mut Choices) -> IBig {
    let n = match choices.below(4) {
        0 => IBig::from(choices.below(3)),
        1 => IBig::from(choices.below(20)),
        _ => {
            let power = IBig::from(1) << [4, 8, 16, 31, 32, 53, 63, 64][choices.below(8) as usize];
            power + IBig::from(choices.below(3)) - IBig::from(1)
        }
    };
    if choices.happens(1, 3) { -n } else { n }
}

fn bits(width: u32, choices: &mut Choices) -> BitVec {
    let one = UBig::from(1u8);
    let bits = match choices.below(7) {
        0 => UBig::from(0u8),
        1 => one,
        2 => return BitVec::ones(width),
        3 => one << (width as usize - 1),
        4 => (one << (width as usize - 1)) - UBig::from(1u8),
        5 => one << choices.below(width.into()) as usize,
        _ => (0..width.div_ceil(32)).fold(UBig::from(0u8), |all, _| (all << 32) + choices.below(1 << 32)),
    };
    BitVec::new(width, bits)
}

fn text(choices: &mut Choices) -> Vec<u32> {
    const CHARACTERS: &[u32] =
        &['a' as u32, 'a' as u32, 'b' as u32, '0' as u32, '9' as u32, ' ' as u32, '"' as u32, 0, 0x2_ffff];
    let length = choices.below(4);
    (0..length).filter_map(|_| choices.pick(CHARACTERS).copied()).collect()
}

/// A format of floats that can be computed with.
pub(super) fn format(exponent: u32, significand: u32) -> Option<Format> {
    Format::new(exponent, significand).ok()
}
