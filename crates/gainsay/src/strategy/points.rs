//! Points: drawn values of sorts, at which rows of tables are checked by our evaluator.

use std::fmt::Write;

use smt::{Fuel, Model, Verdict, verdicts};

use crate::case::Choices;

/// Where a formula is not true.
pub(super) struct Failure {
    /// The number of the point.
    pub point: usize,
    /// What the formula is there: false, or open.
    pub verdict: Verdict,
}

/// The first of some points at which a formula over parameters with these names and sorts is not true. The error says why it cannot
/// be evaluated.
pub(super) fn failure(
    declared: &str,
    parameters: &[(&str, &str)],
    formula: &str,
    points: &[Vec<&str>],
) -> Result<Option<Failure>, String> {
    let mut text = format!("{declared}\n");
    let list: Vec<String> = parameters.iter().map(|(name, sort)| format!("({name} {sort})")).collect();
    let _ = writeln!(text, "(define-fun right ({}) Bool {formula})", list.join(" "));
    for point in points {
        if point.is_empty() {
            text.push_str("(assert right)\n");
        } else {
            let _ = writeln!(text, "(assert (right {}))", point.join(" "));
        }
    }
    text.push_str("(check-sat)\n");
    let script =
        smt::read(text.as_bytes()).map_err(|e| format!("{e}, in {}", text.lines().next().unwrap_or("")))?;
    if !script.opaque.is_empty() {
        return Err(format!("it has a part that is not understood: {formula}"));
    }
    let query = script.queries().pop().expect("the script ends with a check");
    let all = verdicts(&query, &Model::empty(&script), &Fuel::default()).into_iter().enumerate();
    let mut failures = all.filter(|(_, verdict)| *verdict != Verdict::True);
    Ok(failures.next().map(|(point, verdict)| Failure { point, verdict }))
}

/// So many literals of a sort.
pub(super) fn literals(sort: &str, count: usize, choices: &mut Choices) -> Vec<String> {
    (0..count).map(|i| literal(sort, i, choices)).collect()
}

/// So many drawn bits.
pub(super) fn bits(width: usize, choices: &mut Choices) -> String {
    (0..width).map(|_| if choices.happens(1, 2) { '1' } else { '0' }).collect()
}

/// Languages that parts of others are drawn from.
const LANGUAGES: [&str; 8] = [
    "(str.to_re \"a\")",
    "(str.to_re \"ab\")",
    "(re.* (str.to_re \"b\"))",
    "(re.range \"a\" \"b\")",
    "re.allchar",
    "(str.to_re \"\")",
    "re.none",
    "(re.++ re.all (str.to_re \"c\"))",
];

/// The modes of rounding.
const ROUNDING: &str = "RNE RNA RTP RTN RTZ";

/// A literal of a sort. Small ones come first.
pub(super) fn literal(sort: &str, number: usize, choices: &mut Choices) -> String {
    match sort {
        "Int" | "Real" => {
            let point = if sort == "Real" { ".0" } else { "" };
            let size = match number {
                0..8 => number as u64 / 2,
                _ => choices.below(if number.is_multiple_of(2) { 50 } else { 1 << 40 }),
            };
            if number % 2 == 1 { format!("(- {size}{point})") } else { format!("{size}{point}") }
        }
        "Bool" => ["true", "false"][number % 2].to_owned(),
        "RoundingMode" => {
            ROUNDING.split(' ').cycle().nth(number % 5).expect("a cycle does not end").to_owned()
        }
        "String" => {
            let count = choices.below(5);
            let text: String = (0..count).map(|_| char::from(b'a' + choices.below(3) as u8)).collect();
            // Some have meanings as numbers.
            if choices.happens(1, 6) { format!("\"{}\"", choices.below(12)) } else { format!("\"{text}\"") }
        }
        "RegLan" => {
            let [one, other] = [(); 2].map(|()| *choices.pick(&LANGUAGES).expect("there are some"));
            match choices.below(4) {
                0 => format!("(re.union {one} {other})"),
                1 => format!("(re.++ {one} {other})"),
                2 => format!("(re.comp {one})"),
                _ => one.to_owned(),
            }
        }
        _ => compound(sort, number, choices),
    }
}

/// A literal of a sort with parts.
fn compound(sort: &str, number: usize, choices: &mut Choices) -> String {
    if !sort.starts_with('(') {
        return sort.to_owned();
    }
    let parts = smt::sexpr::parts(sort);
    let width = |k: usize| parts[k].parse::<usize>().unwrap_or(1);
    match parts[..] {
        ["_", "BitVec", _] => format!("#b{}", bits(width(2), choices)),
        ["_", "FloatingPoint", e, s] => {
            format!("((_ to_fp {e} {s}) #b{})", bits(width(2) + width(3), choices))
        }
        ["Seq", element] => {
            let count = choices.below(4) as usize;
            let units: Vec<_> =
                literals(element, count, choices).iter().map(|e| format!("(seq.unit {e})")).collect();
            format!("(seq.++ (as seq.empty {sort}) (as seq.empty {sort}) {})", units.join(" "))
        }
        ["Set", element] => {
            let [one, other] = [number, number + 1].map(|n| literal(element, n, choices));
            match choices.below(3) {
                0 => format!("(as set.empty {sort})"),
                1 => format!("(set.singleton {one})"),
                _ => format!("(set.union (set.singleton {one}) (set.singleton {other}))"),
            }
        }
        ["Array", index, element] => {
            let [default, other] = [number, number + 1].map(|n| literal(element, n, choices));
            let place = literal(index, number, choices);
            format!("(store ((as const {sort}) {default}) {place} {other})")
        }
        _ => sort.to_owned(),
    }
}
