//! The table of fusion functions: rows with patterns of sorts, and their instances at constants of two seeds.

use std::collections::BTreeMap;

use serde::Deserialize;
use smt::sexpr::{parts, with_words, words};
use smt::theory::table;

use crate::case::Choices;
use crate::strategy::points::bits;
use crate::strategy::support::OperatorSupport;
use crate::strategy::user_table::UserTable;

/// The rows that come with the program.
const BUILT_IN: &str = include_str!("fusion.toml");

/// A fusion function as it stands in a table.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::strategy) struct Row {
    /// The name of the row, which edits give as their rule.
    pub name: String,
    /// The sorts of x, y and z, as patterns.
    pub sorts: [String; 3],
    /// What z is.
    pub z: String,
    /// What x is, by y and z.
    pub x: Option<String>,
    /// What y is, by x and z.
    pub y: Option<String>,
    /// Where both are right.
    pub guard: Option<String>,
    /// The constants that are drawn.
    #[serde(default)]
    pub draw: BTreeMap<String, Drawn>,
    /// What is declared besides z.
    pub declare: Option<String>,
    /// Constants beside z.
    #[serde(default)]
    pub also: Vec<Also>,
}

/// A constant beside z.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::strategy) struct Also {
    /// Its name in the row, then in the script.
    pub name: String,
    /// Its sort.
    pub sort: String,
    /// Its value at a model.
    pub value: String,
    /// What is asserted of it.
    pub holds: String,
}

/// What a drawn constant is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(in crate::strategy) enum Drawn {
    /// An integer other than 0.
    Int,
    /// A real number other than 0.
    Real,
    /// A bit-vector of width n.
    Bits,
    /// An odd bit-vector of width n.
    Odd,
    /// The inverse of the odd bit-vector c.
    Inverse,
    /// A number below n.
    Index,
    /// A string of one to three characters.
    Text,
    /// A string of one letter.
    Letter,
}

/// The rows that come with the program.
pub(super) fn built_in() -> Vec<Row> {
    UserTable::read(BUILT_IN).expect("the built-in table is good").function
}

/// What the letters of a row stand for: widths as numbers, sorts and constants as texts.
pub(super) type Letters = BTreeMap<String, String>;

/// A fusion function at two constants.
#[derive(Clone, Debug)]
pub(super) struct Instance {
    /// The name of the row.
    pub name: String,
    /// What is declared: z with its sort, and whatever the row needs.
    pub declared: Vec<String>,
    /// The names of x, y and z.
    pub names: [String; 3],
    /// The constants beside z.
    pub also: Vec<Also>,
    /// What z is.
    pub z: String,
    /// What x and y are.
    pub sides: [Option<String>; 2],
    /// Where both are right.
    pub guard: Option<String>,
}

impl Row {
    /// Whether all operators of the row may be used.
    pub(super) fn is_supported(&self, support: &OperatorSupport) -> bool {
        let terms = [Some(&self.z), self.x.as_ref(), self.y.as_ref()].into_iter().flatten();
        let mut words = terms.chain(self.also.iter().map(|also| &also.holds)).flat_map(|text| words(text));
        words.all(|word| {
            let rows = table().named(word);
            rows.is_empty() || rows.iter().any(|&op| support.has(op))
        })
    }

    /// What the letters of the row stand for at constants of these sorts; none if it is not for them.
    pub(super) fn matched(&self, x: &str, y: &str) -> Option<Letters> {
        let mut letters = Letters::new();
        let fits = matches(&self.sorts[0], x, &mut letters) && matches(&self.sorts[1], y, &mut letters);
        fits.then_some(letters)
    }

    /// The row at two constants. `number` tells it apart from others in its script.
    pub(super) fn instance(
        &self,
        number: usize,
        [x, y]: [&str; 2],
        mut letters: Letters,
        choices: &mut Choices,
    ) -> Result<Instance, String> {
        // Width n is drawn before its inverse: letters are in order, and c comes before d.
        for (letter, drawn) in &self.draw {
            let text = draw(*drawn, &letters, choices).ok_or_else(|| format!("{letter} cannot be drawn"))?;
            letters.insert(letter.clone(), text);
        }
        let z = format!("fused!{number}");
        letters.extend([("x", x), ("y", y), ("z", &z)].map(|(k, v)| (k.to_owned(), v.to_owned())));
        for also in &self.also {
            letters.insert(also.name.clone(), format!("{z}!{}", also.name));
        }
        let put = |template: &str| filled(template, number, &letters);
        let put_some = |template: &Option<String>| template.as_deref().map(put).transpose();
        let mut declared: Vec<String> = put_some(&self.declare)?.into_iter().collect();
        declared.push(format!("(declare-const {z} {})", put(&self.sorts[2])?));
        let mut also = Vec::new();
        for one in &self.also {
            let [name, sort] = [put(&one.name)?, put(&one.sort)?];
            declared.push(format!("(declare-const {name} {sort})"));
            also.push(Also { name, sort, value: put(&one.value)?, holds: put(&one.holds)? });
        }
        Ok(Instance {
            name: self.name.clone(),
            declared,
            also,
            z: put(&self.z)?,
            sides: [put_some(&self.x)?, put_some(&self.y)?],
            guard: put_some(&self.guard)?,
            names: [x.to_owned(), y.to_owned(), z],
        })
    }
}

/// Whether a sort fits a pattern. Letters of the pattern get what they stand for, the same everywhere.
fn matches(pattern: &str, sort: &str, letters: &mut Letters) -> bool {
    if pattern.starts_with('(') {
        let (inside, of) = (parts(pattern), parts(sort));
        return sort.starts_with('(')
            && inside.len() == of.len()
            && inside.iter().zip(of).all(|(pattern, sort)| matches(pattern, sort, letters));
    }
    let is_width = pattern.len() == 1 && pattern.bytes().all(|b| b.is_ascii_lowercase());
    let is_sort = pattern.len() == 1 && pattern.bytes().all(|b| b.is_ascii_uppercase());
    if !is_width && !is_sort {
        return pattern == sort;
    }
    if is_width && sort.parse::<u32>().is_err() {
        return false;
    }
    letters.entry(pattern.to_owned()).or_insert_with(|| sort.to_owned()) == sort
}

/// A template with everything filled in.
fn filled(template: &str, number: usize, letters: &Letters) -> Result<String, String> {
    let mut text = String::with_capacity(template.len());
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        let (sum, after) =
            after.split_once('}').ok_or_else(|| format!("`{template}` has a brace too many"))?;
        text.push_str(before);
        text.push_str(
            &summed(sum, number, letters).ok_or_else(|| format!("{{{sum}}} is no number"))?.to_string(),
        );
        rest = after;
    }
    text.push_str(rest);
    Ok(with_words(&text, |word| letters.get(word).cloned()))
}

/// The value of a sum such as `n+m-1`; none if it is no number from 0.
fn summed(sum: &str, number: usize, letters: &Letters) -> Option<u64> {
    let mut total = 0i64;
    for part in sum.replace('-', "+-").split('+') {
        let (sign, word) = part.strip_prefix('-').map_or((1, part), |word| (-1, word));
        let value = match word {
            "z" => i64::try_from(number).ok()?,
            _ => letters.get(word).map_or(word, String::as_str).parse().ok()?,
        };
        total = total.checked_add(sign * value)?;
    }
    u64::try_from(total).ok()
}

/// The text of a drawn constant; none if a width is missing.
fn draw(drawn: Drawn, letters: &Letters, choices: &mut Choices) -> Option<String> {
    let width = || letters.get("n")?.parse::<usize>().ok().filter(|n| *n > 0);
    Some(match drawn {
        Drawn::Int | Drawn::Real => {
            let small = 1 + choices.below(9);
            let number = if choices.happens(1, 8) { small * 1_000_003 } else { small };
            let point = if drawn == Drawn::Real { ".0" } else { "" };
            let number = format!("{number}{point}");
            if choices.happens(1, 3) { format!("(- {number})") } else { number }
        }
        Drawn::Bits => format!("#b{}", bits(width()?, choices)),
        Drawn::Odd => format!("#b{}1", bits(width()? - 1, choices)),
        Drawn::Inverse => format!("#b{}", inverse(letters.get("c")?.strip_prefix("#b")?)?),
        Drawn::Index => choices.below(width()? as u64).to_string(),
        Drawn::Text => {
            let count = 1 + choices.below(3);
            let text: String = (0..count).map(|_| char::from(b'a' + choices.below(3) as u8)).collect();
            format!("\"{text}\"")
        }
        Drawn::Letter => format!("\"{}\"", char::from(b'a' + choices.below(26) as u8)),
    })
}

/// The inverse of an odd number modulo two to the power of its width, bit by bit from the lowest; none if it is even.
fn inverse(bits: &str) -> Option<String> {
    let odd: Vec<bool> = bits.bytes().rev().map(|b| b == b'1').collect();
    if odd.first() != Some(&true) {
        return None;
    }
    // Where the product of what is known and the number is not 1, the next bit is set, which adds the number there.
    let mut product = vec![false; odd.len()];
    let mut inverse = vec![false; odd.len()];
    for place in 0..odd.len() {
        if product[place] != (place == 0) {
            inverse[place] = true;
            let mut carry = false;
            for (sum, bit) in product[place..].iter_mut().zip(&odd) {
                let ones = u8::from(*sum) + u8::from(*bit) + u8::from(carry);
                (*sum, carry) = (ones & 1 == 1, ones > 1);
            }
        }
    }
    Some(inverse.iter().rev().map(|bit| if *bit { '1' } else { '0' }).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sorts_fit_patterns() {
        let rows = [
            ("(_ BitVec n)", "(_ BitVec 8)", true),
            ("(_ BitVec n)", "Int", false),
            ("(_ BitVec n)", "(_ FloatingPoint 3 4)", false),
            ("(Array Int A)", "(Array Int (_ BitVec 3))", true),
            ("(Array Int A)", "(Array Real Int)", false),
            ("A", "(Seq Int)", true),
            ("n", "Int", false),
        ];
        for (pattern, sort, expected) in rows {
            assert_eq!(matches(pattern, sort, &mut Letters::new()), expected, "{pattern} {sort}");
        }
        let mut letters = Letters::new();
        assert!(matches("(_ BitVec n)", "(_ BitVec 8)", &mut letters));
        assert!(!matches("(_ BitVec n)", "(_ BitVec 9)", &mut letters), "one letter, one width");
    }

    #[test]
    fn templates_are_filled() {
        let letters =
            Letters::from([("n", "8"), ("m", "3"), ("x", "|a b|")].map(|(k, v)| (k.into(), v.into())));
        let rows = [
            ("((_ extract {n+m-1} {m}) x)", Ok("((_ extract 10 3) |a b|)")),
            ("(xx {z} \"x\")", Ok("(xx 2 \"x\")")),
            ("{m-n}", Err("{m-n} is no number")),
            ("{k}", Err("{k} is no number")),
            ("{n", Err("`{n` has a brace too many")),
        ];
        for (template, expected) in rows {
            let filled = filled(template, 2, &letters);
            assert_eq!(filled.as_deref().map_err(String::as_str), expected, "{template}");
        }
    }

    #[test]
    fn odd_numbers_have_inverses() {
        for odd in (1u64..256).step_by(2) {
            let inverse = inverse(&format!("{odd:08b}")).expect("odd");
            let inverse = u64::from_str_radix(&inverse, 2).expect("bits");
            assert_eq!(odd * inverse % 256, 1, "{odd}");
        }
        assert_eq!(inverse("10"), None);
    }

    #[test]
    fn tables_are_read_or_refused_with_a_place() {
        let row = "[[function]]\nname = \"a\"\nsorts = [\"Int\", \"Int\", \"Int\"]\nz = \"x\"\n";
        assert_eq!(UserTable::read(row).map(|table| table.function.len()), Ok(1));
        for (more, word) in
            [("q = 1", "unknown field"), ("draw = { c = \"prime\" }", "prime"), ("x = 1", "line 5")]
        {
            let error = UserTable::read(&format!("{row}{more}\n")).expect_err(more);
            assert!(error.contains(word), "{error}");
        }
        assert!(built_in().len() > 30);
    }
}
