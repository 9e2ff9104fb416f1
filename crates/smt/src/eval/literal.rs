//! The values of literals.

use std::str::FromStr;

use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

use super::Gap;
use crate::Pool;
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
        Literal::Decimal => {
            let (sign, text) = text.strip_prefix('-').map_or((IBig::ONE, text), |rest| (-IBig::ONE, rest));
            let (whole, fraction) = text.split_once('.').ok_or(ODD)?;
            let digits = IBig::from_str(&format!("{whole}{fraction}")).map_err(|_| ODD)?;
            let scale = UBig::from(10u8).pow(fraction.len());
            number(RBig::from_parts(sign * digits, scale)).ok_or(ODD)
        }
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
        Literal::Field => {
            let Sort::FiniteField(modulus) = pool.sort(sort) else { return Err(ODD) };
            let modulus = UBig::from_str(pool.text(modulus)).map_err(|_| ODD)?;
            let digits = if let Some(rest) = text.strip_prefix("#f") {
                rest.split_once('m').ok_or(ODD)?.0
            } else {
                // (as ff3 F)
                let name = text.split_whitespace().nth(1).ok_or(ODD)?;
                crate::symbol::unquoted(name).strip_prefix("ff").ok_or(ODD)?
            };
            if modulus == UBig::ZERO {
                return Err(ODD);
            }
            let residue = dashu_base::RemEuclid::rem_euclid(
                IBig::from_str(digits).map_err(|_| ODD)?,
                IBig::from(modulus.clone()),
            );
            Ok(Value::Field(residue, modulus))
        }
        Literal::Element => Ok(Value::Element(sort, spelling)),
    }
}
