//! Pass `literals`: shorter numbers, bits and texts.

use dashu_base::BitTest;
use smt::value::{BitVec, IBig, Value};
use smt::{Fuel, Head, Literal, Model, Pool, Script, SortId, TermId};

use crate::reduce::{Change, Pass, spot};

/// Of each literal: half of it, one less, without its first or last part.
pub struct Literals;

impl Pass for Literals {
    fn changes(&self, script: &mut Script, group: usize) -> Option<Vec<Change>> {
        if group > 0 {
            return None;
        }
        let empty = Model::empty(script);
        let mut changes = Vec::new();
        for spot in spot::all(script) {
            let literal = matches!(
                script.pool.node(spot.term).head,
                Head::Literal(
                    Literal::Numeral
                        | Literal::Decimal
                        | Literal::Hexadecimal
                        | Literal::Binary
                        | Literal::String
                )
            );
            if !literal {
                continue;
            }
            let Ok(value) = smt::eval(spot.term, &empty, &mut Fuel::default()) else { continue };
            let sort = script.pool.sort_of(spot.term);
            for new in shorter(&mut script.pool, sort, &value) {
                changes.push(Change::putting(spot.place.clone(), new));
            }
        }
        Some(changes)
    }
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
    all.iter().filter_map(|v| pool.value(sort, v).ok()).collect()
}
