//! Small changes of a meaning.

use crate::gap::Gap;
use crate::sort::{Pat, SortId};
use crate::theory::call::Call;
use crate::theory::{Op, table};
use crate::value::{Array, BitVec, Float, IBig, RBig, Rounding, UBig, Value, standard};

/// A small change of a meaning.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) enum Change {
    /// The value is off by one.
    OffByOne,
    /// The first two arguments change places.
    Swapped,
    /// The value is wrong where the first two arguments are equal.
    AtEqual,
    /// The value is wrong where an argument is zero or empty.
    AtZero(u8),
    /// The value is wrong where an argument is negative, or has its highest bit set.
    AtNegative(u8),
    /// The value is wrong where an argument is infinite, or all ones.
    AtExtreme(u8),
    /// The value is wrong where an argument is NaN.
    AtNan(u8),
    /// Another rounding mode is used.
    Rounding,
    /// The operator that treats bit-vectors as signed numbers is taken for the one that does not, or the other way.
    Signed,
    /// There is a value where the standard leaves it to the model.
    Guess,
}

/// Operators of which one treats bit-vectors as signed numbers.
const SIGNED: &[(&str, &str)] = &[
    ("bvult", "bvslt"),
    ("bvule", "bvsle"),
    ("bvugt", "bvsgt"),
    ("bvuge", "bvsge"),
    ("bvudiv", "bvsdiv"),
    ("bvurem", "bvsrem"),
    ("bvsmod", "bvsrem"),
    ("bvlshr", "bvashr"),
    ("zero_extend", "sign_extend"),
    ("bvuaddo", "bvsaddo"),
    ("bvumulo", "bvsmulo"),
    ("bvusubo", "bvssubo"),
    ("ubv_to_int", "sbv_to_int"),
    ("fp.to_ubv", "fp.to_sbv"),
];

impl Change {
    pub const ALL: [Change; 18] = [
        Change::OffByOne,
        Change::Swapped,
        Change::AtEqual,
        Change::AtZero(0),
        Change::AtZero(1),
        Change::AtZero(2),
        Change::AtNegative(0),
        Change::AtNegative(1),
        Change::AtNegative(2),
        Change::AtExtreme(0),
        Change::AtExtreme(1),
        Change::AtExtreme(2),
        Change::AtNan(0),
        Change::AtNan(1),
        Change::AtNan(2),
        Change::Rounding,
        Change::Signed,
        Change::Guess,
    ];

    pub fn word(self) -> String {
        match self {
            Change::OffByOne => "off-by-one".to_owned(),
            Change::Swapped => "swapped".to_owned(),
            Change::AtEqual => "at-equal".to_owned(),
            Change::AtZero(k) => format!("at-zero-{k}"),
            Change::AtNegative(k) => format!("at-negative-{k}"),
            Change::AtExtreme(k) => format!("at-extreme-{k}"),
            Change::AtNan(k) => format!("at-nan-{k}"),
            Change::Rounding => "rounding".to_owned(),
            Change::Signed => "signed".to_owned(),
            Change::Guess => "guess".to_owned(),
        }
    }

    /// Whether a row can be changed in this way, by its sorts. [`Change::Guess`] can only be known from a call.
    pub fn fits(self, op: &Op) -> bool {
        let numbers =
            |pat: Pat| matches!(pat, Pat::Is(SortId::INT | SortId::REAL) | Pat::BitVec(_) | Pat::Float(..));
        let at = |k: u8| op.args.get(k as usize).copied();
        // The values of all arguments of a connective are not asked for: its meaning is in the machine.
        if op.control.is_some() {
            return self == Change::OffByOne;
        }
        match self {
            Change::OffByOne => true,
            Change::Swapped => !op.commutative && op.args.len() > 1 && op.args[0] == op.args[1],
            Change::AtEqual => op.args.len() > 1 && op.args[0] == op.args[1],
            Change::AtZero(k) => at(k).is_some_and(|pat| {
                numbers(pat)
                    || matches!(pat, Pat::Is(SortId::STRING) | Pat::Field)
                    || pat.elements().is_some()
            }),
            Change::AtNegative(k) => at(k).is_some_and(numbers),
            Change::AtExtreme(k) => at(k).is_some_and(|pat| matches!(pat, Pat::BitVec(_) | Pat::Float(..))),
            Change::AtNan(k) => at(k).is_some_and(|pat| matches!(pat, Pat::Float(..))),
            Change::Rounding => op.args.contains(&Pat::Is(SortId::ROUNDING)),
            Change::Signed => sibling(op).is_some(),
            Change::Guess => false,
        }
    }

    /// Whether the change is about this application, open or not.
    pub fn applies(self, call: &Call) -> bool {
        let at = |k: u8, holds: fn(&Value) -> bool| call.args.get(k as usize).is_some_and(holds);
        if self != Change::Guess && !self.fits(call.op) {
            return false;
        }
        match self {
            Change::OffByOne | Change::Guess | Change::Swapped | Change::Rounding | Change::Signed => true,
            Change::AtEqual => call.args.len() > 1 && call.args[0] == call.args[1],
            Change::AtZero(k) => at(k, is_zero),
            Change::AtNegative(k) => at(k, is_negative),
            Change::AtExtreme(k) => at(k, is_extreme),
            Change::AtNan(k) => at(k, |value| matches!(value, Value::Float(f) if f.is_nan())),
        }
    }

    /// What the changed meaning gives, where the right one gives `outcome`.
    pub fn made(self, call: &mut Call, outcome: Result<Value, Gap>) -> Result<Value, Gap> {
        if !self.applies(call) {
            return outcome;
        }
        match self {
            Change::Guess => match outcome {
                Err(Gap::LeftToModel(what)) => {
                    standard(call.world.pool(), call.sort).ok_or(Gap::LeftToModel(what))
                }
                known => known,
            },
            Change::Swapped => {
                let mut args = call.args.to_vec();
                args.swap(0, 1);
                with_args(call, call.op, &args)
            }
            Change::Rounding => {
                let other = |arg: &Value| match arg {
                    Value::Rounding(mode) => Value::Rounding(another(*mode)),
                    arg => arg.clone(),
                };
                let args: Vec<Value> = call.args.iter().map(other).collect();
                with_args(call, call.op, &args)
            }
            Change::Signed => match sibling(call.op) {
                Some(op) => with_args(call, op, call.args),
                None => outcome,
            },
            _ => outcome.map(|value| off_by_one(&value)),
        }
    }
}

/// The operator that is signed where this one is not, or the other way.
fn sibling(op: &Op) -> Option<&'static Op> {
    let other = SIGNED.iter().find_map(|&(a, b)| {
        if op.name == a {
            Some(b)
        } else if op.name == b {
            Some(a)
        } else {
            None
        }
    })?;
    table().named(other).first().map(|&id| table().op(id))
}

fn with_args(call: &mut Call, op: &'static Op, args: &[Value]) -> Result<Value, Gap> {
    let Call { indices, sort, .. } = *call;
    (op.meaning)(&mut Call { args, indices, sort, op, world: &mut *call.world })
}

fn another(mode: Rounding) -> Rounding {
    match mode {
        Rounding::Rne => Rounding::Rna,
        Rounding::Rna => Rounding::Rne,
        Rounding::Rtp => Rounding::Rtn,
        Rounding::Rtn => Rounding::Rtz,
        Rounding::Rtz => Rounding::Rtp,
    }
}

fn is_zero(value: &Value) -> bool {
    match value {
        Value::Int(n) => *n == IBig::ZERO,
        Value::Real(q) => *q == RBig::ZERO,
        Value::BitVec(b) => *b.unsigned() == UBig::ZERO,
        Value::Float(f) => f.is_zero(),
        Value::Text(t) => t.is_empty(),
        Value::Seq(s) => s.is_empty(),
        Value::Set(s) => s.is_empty(),
        Value::Bag(b) => b.is_empty(),
        Value::Field(n, _) => *n == UBig::ZERO,
        _ => false,
    }
}

fn is_negative(value: &Value) -> bool {
    match value {
        Value::Int(n) => *n < IBig::ZERO,
        Value::Real(q) => *q < RBig::ZERO,
        Value::BitVec(b) => b.sign(),
        Value::Float(f) => f.is_negative(),
        _ => false,
    }
}

fn is_extreme(value: &Value) -> bool {
    match value {
        Value::BitVec(b) => *b == BitVec::ones(b.width()),
        Value::Float(f) => f.is_infinite(),
        _ => false,
    }
}

/// Another value of the same sort, close by; the value itself if there is none that is easy to make.
fn off_by_one(value: &Value) -> Value {
    let changed = match value {
        Value::Bool(b) => Ok(Value::Bool(!b)),
        Value::Int(n) => Ok(Value::Int(n + IBig::ONE)),
        Value::Real(q) => Ok(Value::Real(q + RBig::ONE)),
        Value::BitVec(b) => Ok(Value::BitVec(BitVec::new(b.width(), b.unsigned() + UBig::ONE))),
        Value::Float(f) => Ok(Value::Float(match f.to_bits() {
            Some(bits) => Float::from_bits(f.format(), &(bits ^ UBig::ONE)),
            None => Float::largest(f.format(), false),
        })),
        Value::Rounding(mode) => Ok(Value::Rounding(another(*mode))),
        Value::Text(t) => Ok(Value::Text(match t.split_last() {
            Some((_, rest)) => rest.into(),
            None => [97].into(),
        })),
        Value::Regex(r) => Ok(Value::Regex(r.comp())),
        Value::Char(code) => Ok(Value::Char(code ^ 1)),
        Value::Field(n, p) => Ok(Value::Field((n + UBig::ONE) % p, p.clone())),
        Value::Seq(s) if !s.is_empty() => Value::seq(s[..s.len() - 1].to_vec()),
        Value::Tuple(t) if !t.is_empty() => {
            let mut parts = t.to_vec();
            parts[0] = off_by_one(&parts[0]);
            Value::tuple(parts)
        }
        Value::Array(a) => {
            Value::array(Array { default: off_by_one(&a.default), entries: a.entries.clone() })
        }
        Value::Set(s) if !s.is_empty() => Value::set(s.iter().skip(1).cloned().collect()),
        Value::Bag(b) if !b.is_empty() => {
            Value::bag(b.iter().map(|(x, n)| (x.clone(), n + UBig::ONE)).collect())
        }
        _ => Err(Gap::NoMeaning("a value that is not changed")),
    };
    changed.unwrap_or_else(|_| value.clone())
}
