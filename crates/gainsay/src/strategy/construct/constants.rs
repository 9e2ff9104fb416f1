//! Boundary constants of each sort, with the words that stand for them in names of tests.

use std::collections::{BTreeMap, BTreeSet};

use smt::value::float::Format;
use smt::value::{Array, BitVec, Float, IBig, RBig, Rounding, UBig, Value};
use smt::{Pool, Sort, SortId};

/// A constant and the word for it.
pub type Labelled = (String, Value);

/// The strings: empty, one character, a quote, what looks like an escape of C, one character outside ASCII. They are those
/// that the paper describes.
const TEXTS: &[(&str, &[u32])] =
    &[("empty", &[]), ("a", &[0x61]), ("quote", &[0x22]), ("escape", &[0x5c, 0x6e]), ("high", &[0xff])];
/// The paper's integers.
const INTS: &[i64] = &[-1, 0, 2];
/// Numerators and denominators.
const REALS: &[(i64, u8)] = &[(-1, 1), (0, 1), (1, 2), (2, 1)];
/// Containers are tried on the first of these many elements.
const ELEMENTS: usize = 2;

/// The boundary constants of a sort; none of sorts that have no values of their own.
pub fn boundary(pool: &Pool, sort: SortId) -> Vec<Labelled> {
    let one = |label: &str, value: Value| (label.to_owned(), value);
    match pool.sort(sort) {
        Sort::Bool => vec![one("false", Value::Bool(false)), one("true", Value::Bool(true))],
        Sort::Int => INTS.iter().map(|&n| (number(n), Value::Int(IBig::from(n)))).collect(),
        Sort::Real => {
            let real = |&(over, under): &(i64, u8)| {
                let label = if under == 1 { number(over) } else { format!("{}d{under}", number(over)) };
                (label, Value::Real(RBig::from_parts(IBig::from(over), UBig::from(under))))
            };
            REALS.iter().map(real).collect()
        }
        Sort::String => TEXTS.iter().map(|(label, codes)| one(label, Value::Text((*codes).into()))).collect(),
        Sort::BitVec(width) => bits(width),
        Sort::RoundingMode => {
            use Rounding::{Rna, Rne, Rtn, Rtp, Rtz};
            [("rne", Rne), ("rna", Rna), ("rtp", Rtp), ("rtn", Rtn), ("rtz", Rtz)]
                .map(|(label, mode)| one(label, Value::Rounding(mode)))
                .to_vec()
        }
        Sort::Float(eb, sb) => Format::new(eb, sb).map(floats).unwrap_or_default(),
        Sort::FiniteField(modulus) => {
            let Ok(modulus) = pool.text(modulus).parse::<UBig>() else { return Vec::new() };
            let residues = [UBig::ZERO, UBig::ONE, modulus.clone() - UBig::ONE];
            let residues: BTreeSet<UBig> = residues.into_iter().collect();
            residues.into_iter().map(|n| (n.to_string(), Value::Field(n, modulus.clone()))).collect()
        }
        Sort::Seq(element) => some(pool, element, |several| Value::seq(several.to_vec()).ok()),
        Sort::Set(element) | Sort::FiniteSet(element) => {
            some(pool, element, |several| Value::set(several.iter().cloned().collect::<BTreeSet<_>>()).ok())
        }
        Sort::Nullable(element) => {
            some(pool, element, |several| Value::seq(several.iter().take(1).cloned().collect()).ok())
        }
        Sort::Bag(element) => some(pool, element, |several| {
            let counts = several.iter().map(|x| (x.clone(), UBig::ONE));
            Value::bag(counts.collect::<BTreeMap<_, _>>()).ok()
        }),
        Sort::Array(index, element) => arrays(pool, index, element),
        _ => Vec::new(),
    }
}

fn number(n: i64) -> String {
    if n < 0 { format!("m{}", n.unsigned_abs()) } else { n.to_string() }
}

/// Zero, one, all ones, the least and the greatest number with a sign.
fn bits(width: u32) -> Vec<Labelled> {
    let least = UBig::ONE << (width as usize - 1);
    let all = [
        ("zero", UBig::ZERO),
        ("one", UBig::ONE),
        ("ones", UBig::ones(width as usize)),
        ("least", least.clone()),
        ("greatest", least - UBig::ONE),
    ];
    let mut found: Vec<Labelled> = Vec::new();
    for (label, n) in all {
        let value = Value::BitVec(BitVec::new(width, n));
        if !found.iter().any(|(_, other)| *other == value) {
            found.push((label.to_owned(), value));
        }
    }
    found
}

fn floats(format: Format) -> Vec<Labelled> {
    let one = Float::from_int(format, Rounding::Rne, &IBig::ONE);
    let all = [
        ("zero", Float::zero(format, false)),
        ("minus-zero", Float::zero(format, true)),
        ("one", one),
        ("nan", Float::nan(format)),
        ("infinity", Float::infinity(format, false)),
        ("smallest", Float::smallest(format, false)),
        ("minus-largest", Float::largest(format, true)),
    ];
    all.into_iter().map(|(label, float)| (label.to_owned(), Value::Float(float))).collect()
}

/// Containers of none, one, two and twice the same element.
fn some(pool: &Pool, element: SortId, make: impl Fn(&[Value]) -> Option<Value>) -> Vec<Labelled> {
    let elements: Vec<Value> = boundary(pool, element).into_iter().map(|(_, x)| x).take(ELEMENTS).collect();
    let [a, b] = &elements[..] else { return Vec::new() };
    let all: [(&str, &[Value]); 4] = [
        ("empty", &[]),
        ("first", std::slice::from_ref(a)),
        ("both", &[a.clone(), b.clone()]),
        ("twice", &[b.clone(), b.clone()]),
    ];
    let mut found: Vec<Labelled> = Vec::new();
    for (label, several) in all {
        if let Some(value) = make(several)
            && !found.iter().any(|(_, other)| *other == value)
        {
            found.push((label.to_owned(), value));
        }
    }
    found
}

/// The same everywhere, and another element at one place.
fn arrays(pool: &Pool, index: SortId, element: SortId) -> Vec<Labelled> {
    let indices = boundary(pool, index);
    let elements = boundary(pool, element);
    let mut found = Vec::new();
    for (label, default) in elements.iter().take(ELEMENTS) {
        let constant = Array::constant(default.clone());
        for (place, i) in indices.iter().take(1) {
            for (other, x) in elements.iter().filter(|(_, x)| x != default).take(1) {
                let mut array = constant.clone();
                array.set(i.clone(), x.clone());
                if let Ok(value) = Value::array(array.normal(pool, index)) {
                    found.push((format!("{label}-{place}-{other}"), value));
                }
            }
        }
        if let Ok(value) = Value::array(constant.normal(pool, index)) {
            found.push((format!("all-{label}"), value));
        }
    }
    found
}
