//! z3's strings are sequences of characters: what operators of sequences do with them.

use crate::gap::{Fuel, Gap};
use crate::sort::{Pat, SortId};
use crate::theory::Op;
use crate::value::Value;

/// The arguments with strings apart where the operator wants sequences; none if there are no such.
pub(super) fn apart(op: &Op, values: &[Value], fuel: &mut Fuel) -> Result<Option<Vec<Value>>, Gap> {
    let wanted = |i: usize, value: &Value| {
        matches!(value, Value::Text(_)) && matches!(op.arg(i, values.len()), Pat::Seq(_))
    };
    if !values.iter().enumerate().any(|(i, value)| wanted(i, value)) {
        return Ok(None);
    }
    let mut sequences = Vec::with_capacity(values.len());
    for (i, value) in values.iter().enumerate() {
        sequences.push(match value {
            Value::Text(text) if wanted(i, value) => {
                fuel.build(text.len() as u64)?;
                Value::seq(text.iter().copied().map(Value::Char).collect())?
            }
            _ => value.clone(),
        });
    }
    Ok(Some(sequences))
}

/// A sequence that is to be a string.
pub(super) fn together(op: &Op, sort: SortId, value: Value) -> Result<Value, Gap> {
    let (Value::Seq(elements), SortId::STRING, Pat::Seq(_)) = (&value, sort, op.result) else {
        return Ok(value);
    };
    let codes = elements.iter().map(|x| match x {
        Value::Char(code) => Ok(*code),
        _ => Err(crate::theory::call::CONFUSED),
    });
    Ok(Value::Text(codes.collect::<Result<Vec<u32>, Gap>>()?.into()))
}

#[cfg(test)]
mod tests {
    use crate::theory::tests::samples::rows;

    rows! { strings_as_sequences,
        "nothing"              : "(as seq.empty String)" => "\"\"",
        "nothing is empty"     : "(= (as seq.empty (Seq Unicode)) \"\")" => "true",
        "length"               : "(seq.len \"abc\")" => "3",
        "two together"         : "(seq.++ \"ab\" \"c\" \"\")" => "\"abc\"",
        "one alone"            : "(seq.at \"abc\" 1)" => "\"b\"",
        "a character"          : "(= (seq.nth \"abc\" 1) (seq.nth \"bb\" 0))" => "true",
        "made of characters"   : "(= (seq.unit (seq.nth \"abc\" 1)) \"b\")" => "true",
        "out of range"         : "(seq.nth \"abc\" 3)" => "seq.nth out of range is left to the model, which does not say",
        "inside a sequence"    : "(seq.++ (seq.unit \"ab\") (seq.unit \"\"))" => "(seq.++ (seq.unit \"ab\") (seq.unit \"\"))",
        "replaced"             : "(seq.replace \"abc\" \"b\" \"xy\")" => "\"axyc\"",
        "found"                : "(seq.indexof \"abc\" \"c\" 0)" => "2",
        "a code"               : "(char.to_int (seq.nth \"abc\" 1))" => "98",
        "in order"             : "(char.<= (seq.nth \"abc\" 1) (seq.nth \"abc\" 0))" => "false",
    }
}
