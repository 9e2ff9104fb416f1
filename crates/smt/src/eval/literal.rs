//! The values of literals.

use std::str::FromStr;

use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

use crate::Pool;
use crate::gap::Gap;
use crate::sort::{Sort, SortId};
use crate::symbol::Symbol;
use crate::term::Literal;
use crate::value::literal::{Escapes, read};
use crate::value::{BitVec, Value};

/// The value of a literal as it is spelled.
pub(super) fn value(pool: &Pool, kind: Literal, spelling: Symbol, sort: SortId) -> Result<Value, Gap> {
    const ODD: Gap = Gap::NoMeaning("this literal");
    let text = pool.text(spelling);
    if text.len() as u64 > crate::Fuel::LARGEST {
        return Err(Gap::TooLarge);
    }
    let number = |value: RBig| if sort == SortId::REAL { Some(Value::Real(value)) } else { None };
    match kind {
        Literal::Numeral => {
            let n = IBig::from_str(text).map_err(|_| ODD)?;
            Ok(if sort == SortId::REAL { Value::Real(n.into()) } else { Value::Int(n) })
        }
        Literal::Decimal => number(decimal(text).ok_or(ODD)?).ok_or(ODD),
        Literal::Fraction => {
            let (over, under) = text.split_once('/').ok_or(ODD)?;
            let (over, under) =
                (IBig::from_str(over).map_err(|_| ODD)?, UBig::from_str(under).map_err(|_| ODD)?);
            if under == UBig::ZERO {
                return Err(ODD);
            }
            number(RBig::from_parts(over, under)).ok_or(ODD)
        }
        Literal::Hexadecimal => {
            let bits = UBig::from_str_radix(&text[2..], 16).map_err(|_| ODD)?;
            Ok(Value::BitVec(BitVec::new((text.len() as u32 - 2) * 4, bits)))
        }
        Literal::Binary => {
            let bits = UBig::from_str_radix(&text[2..], 2).map_err(|_| ODD)?;
            Ok(Value::BitVec(BitVec::new(text.len() as u32 - 2, bits)))
        }
        Literal::String => {
            // The standard has printable ASCII only; z3 reads bytes, cvc5 refuses.
            if !text.is_ascii() {
                return Err(Gap::NoMeaning("a string literal beyond ASCII"));
            }
            let body = text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).ok_or(ODD)?;
            Ok(Value::Text(read(body, Escapes::Standard).map_err(|_| ODD)?.into()))
        }
        Literal::Field => field(pool, text, sort).ok_or(ODD),
        Literal::Root => Err(Gap::Inexact("the root of a polynomial")),
        Literal::Element => Ok(Value::Element(sort, spelling)),
    }
}

/// The number that a decimal stands for, which may have a sign.
fn decimal(text: &str) -> Option<RBig> {
    let (sign, text) = text.strip_prefix('-').map_or((IBig::ONE, text), |rest| (-IBig::ONE, rest));
    let (whole, fraction) = text.split_once('.')?;
    let digits = IBig::from_str(&format!("{whole}{fraction}")).ok()?;
    let scale = UBig::from(10u8).pow(fraction.len());
    Some(RBig::from_parts(sign * digits, scale))
}

/// The element of a finite field that `#f3m7` or `(as ff3 F)` stands for.
fn field(pool: &Pool, text: &str, sort: SortId) -> Option<Value> {
    let Sort::FiniteField(modulus) = pool.sort(sort) else { return None };
    let modulus = UBig::from_str(pool.text(modulus)).ok().filter(|modulus| *modulus != UBig::ZERO)?;
    let digits = match text.strip_prefix("#f") {
        Some(rest) => rest.split_once('m')?.0,
        None => crate::symbol::unquoted(text.split_whitespace().nth(1)?).strip_prefix("ff")?,
    };
    let number = IBig::from_str(digits).ok()?;
    let residue = dashu_base::RemEuclid::rem_euclid(number, IBig::from(modulus.clone()));
    Some(Value::Field(residue, modulus))
}
