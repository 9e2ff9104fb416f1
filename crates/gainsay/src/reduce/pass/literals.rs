//! Pass `literals`: shorter numbers, bits and texts.

use dashu_base::BitTest;
use smt::theory::table;
use smt::value::{BitVec, IBig, Value};
use smt::{Fuel, Head, Index, Literal, Model, Pool, Script, SortId, TermId};

use super::constants::spelled;
use crate::reduce::{Change, Pass, spot};

/// Of each literal: bits in another spelling, half of it, one less, without its first or last part.
pub struct Literals;

impl Pass for Literals {
    fn changes(&self, script: &mut Script, group: usize) -> Option<Vec<Change>> {
        if group > 0 {
            return None;
        }
        let empty = Model::empty(script);
        let mut changes = Vec::new();
        for spot in spot::all(script) {
            let literal = match script.pool.node(spot.term).head {
                Head::Literal(kind) => matches!(
                    kind,
                    Literal::Numeral
                        | Literal::Decimal
                        | Literal::Hexadecimal
                        | Literal::Binary
                        | Literal::String
                ),
                Head::Op(op, _) => table().op(op).name == "bvX",
                _ => false,
            };
            if !literal {
                continue;
            }
            let Ok(value) = smt::eval(spot.term, &empty, &mut Fuel::default()) else { continue };
            let sort = script.pool.sort_of(spot.term);
            let spellings = spellings(&mut script.pool, sort, &value);
            for new in spellings.into_iter().chain(shorter(&mut script.pool, sort, &value)) {
                if new == spot.term {
                    continue;
                }
                changes.push(Change::putting(spot.place.clone(), new));
            }
        }
        Some(changes)
    }
}

/// The ways of writing bits: `#x05`, `(_ bv5 8)`. Others are written in one way.
fn spellings(pool: &mut Pool, sort: SortId, value: &Value) -> Vec<TermId> {
    let Value::BitVec(bits) = value else { return Vec::new() };
    let number = u32::try_from(bits.unsigned()).ok().map(|n| [Index::Number(n), Index::Number(bits.width())]);
    let long = number.and_then(|indices| pool.apply_named("bvX", &indices, &[], Some(sort)).ok());
    pool.value(sort, value).ok().into_iter().chain(long).collect()
}

fn shorter(pool: &mut Pool, sort: SortId, value: &Value) -> Vec<TermId> {
    let mut all = Vec::new();
    match value {
        Value::Int(n) => {
            all.extend([IBig::from(2), n / IBig::from(10), n / IBig::from(2)].map(Value::Int));
            all.push(Value::Int(n - IBig::ONE));
        }
        Value::Real(q) => {
            let whole = q.trunc();
            all.extend(
                [IBig::ZERO, IBig::ONE, whole.clone(), whole / IBig::from(2)].map(|n| Value::Real(n.into())),
            );
        }
        Value::BitVec(bits) => {
            let n = bits.unsigned();
            for smaller in [n >> (n.bit_len() / 2), n >> 1] {
                all.push(Value::BitVec(BitVec::new(bits.width(), smaller)));
            }
        }
        Value::Text(text) => {
            let half = text.len() / 2;
            for part in [&text[..half], &text[half..], &text[1.min(text.len())..]] {
                all.push(Value::Text(part.into()));
            }
            all.push(Value::Text(vec![u32::from('a'); text.len()].into()));
        }
        _ => {}
    }
    all.retain(|new| new != value);
    all.iter().filter_map(|v| spelled(pool, sort, v)).collect()
}
