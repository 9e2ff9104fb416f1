//! Descriptions of grammars.

use dashu_int::UBig;

use crate::strategy::enumerate::{Formulas, Grammar};

/// How many formulas of a grammar are read for its description.
const LOOKED_AT: u32 = 100;

/// How large a grammar is, and how many of its first formulas are well-sorted, in a line.
pub fn describe(grammar: &Grammar) -> Result<String, String> {
    let formulas = Formulas::of(grammar).map_err(|e| e.to_string())?;
    let alternatives: usize = grammar.rules.iter().map(|rule| rule.alternatives.len()).sum();
    let mut script = 0;
    let mut looked = 0;
    for index in 0..LOOKED_AT {
        let Some(text) = formulas.at(&UBig::from(index)) else { break };
        looked += 1;
        script += u32::from(smt::read(text.as_bytes()).is_ok_and(|script| script.opaque.is_empty()));
    }
    let sizes = match formulas.largest() {
        Some(largest) => format!("sizes to {largest}"),
        None => "sizes without end".to_owned(),
    };
    Ok(format!(
        "{} rules, {alternatives} alternatives, {sizes}; {script} of its first {looked} formulas are well-sorted",
        grammar.rules.len()
    ))
}

/// How many formulas of each size there are, as a table.
pub fn counts(formulas: &Formulas, sizes: usize) -> String {
    let mut table = "size  formulas  and smaller ones\n".to_owned();
    let mut sum = UBig::ZERO;
    for size in 0..=sizes {
        let Some(count) = formulas.count(size) else { break };
        sum += &count;
        table.push_str(&format!("{size:>4}  {count}  {sum}\n"));
    }
    table
}
