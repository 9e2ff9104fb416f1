//! Patterns: the two sides of an equivalence as trees, matched against terms and built from terms.

use smt::sexpr::{Extent, parts};
use smt::theory::table;
use smt::value::{BitVec, IBig, UBig, Value};
use smt::{Head, Index, Pool, SortId, TermId};

use super::sorts::{Bound, SortPattern, Sum, VARIABLES, Variable};

/// A side of an equivalence.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Pattern {
    /// A variable, by its number.
    Variable(usize),
    /// A literal as it is written, and its value.
    Literal(String, LiteralValue),
    /// An operator. The sort is for what the arguments do not tell.
    Apply { name: String, indices: Vec<Sum>, sort: Option<SortPattern>, args: Vec<Pattern> },
}

/// The value of a literal and its sort.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum LiteralValue {
    Int(u32),
    Real(u32),
    Text(String),
    Bits(String),
}

impl Pattern {
    pub fn read(text: &str, variables: &[Variable]) -> Result<Pattern, String> {
        if variables.len() > VARIABLES {
            return Err(format!("there are more than {VARIABLES} variables"));
        }
        if !text.starts_with('(') {
            return Pattern::word(text, variables);
        }
        if smt::sexpr::extent(text.as_bytes(), 0) != Extent::Ends(text.len()) {
            return Err(format!("`{text}` is no term"));
        }
        let list = parts(text);
        // `(_ bv1 n)` stands alone; `(f x)` and `((_ f n) x)` have arguments.
        let (head, args) = match list[..] {
            ["_" | "as", ..] => (text, &[][..]),
            [head, ref args @ ..] => (head, args),
            [] => return Err(format!("`{text}` is empty")),
        };
        let (name, indices, sort) = identifier(head)?;
        if table().named(name).is_empty() {
            return Err(format!("`{name}` is no operator"));
        }
        let args = args.iter().map(|arg| Pattern::read(arg, variables)).collect::<Result<_, _>>()?;
        Ok(Pattern::Apply { name: name.to_owned(), indices, sort, args })
    }

    fn word(text: &str, variables: &[Variable]) -> Result<Pattern, String> {
        if let Some(number) = variables.iter().position(|variable| variable.name == text) {
            return Ok(Pattern::Variable(number));
        }
        let value = if let Some(inside) = text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) {
            Some(LiteralValue::Text(inside.to_owned()))
        } else if let Some(bits) = text.strip_prefix("#b") {
            Some(LiteralValue::Bits(bits.to_owned()))
        } else if let Some(digits) = text.strip_prefix("#x") {
            let bits = digits.chars().map(|c| c.to_digit(16).map(|d| format!("{d:04b}")));
            bits.collect::<Option<String>>().map(LiteralValue::Bits)
        } else if let Some(whole) = text.strip_suffix(".0") {
            whole.parse().ok().map(LiteralValue::Real)
        } else {
            text.parse().ok().map(LiteralValue::Int)
        };
        match value {
            Some(value) => Ok(Pattern::Literal(text.to_owned(), value)),
            None if table().named(text).is_empty() => Err(format!("`{text}` is no variable and no operator")),
            None => Ok(Pattern::Apply {
                name: text.to_owned(),
                indices: Vec::new(),
                sort: None,
                args: Vec::new(),
            }),
        }
    }

    /// The name of the operator on top.
    pub fn operator(&self) -> Option<&str> {
        if let Pattern::Apply { name, .. } = self { Some(name) } else { None }
    }

    /// The names of its operators.
    pub fn operators<'p>(&'p self, found: &mut Vec<&'p str>) {
        if let Pattern::Apply { name, args, .. } = self {
            found.push(name);
            for arg in args {
                arg.operators(found);
            }
        }
    }

    /// Whether a term has this form. Letters and variables become what they stand for.
    pub fn matches(&self, pool: &Pool, term: TermId, variables: &[Variable], bound: &mut Bound) -> bool {
        let node = pool.node(term);
        match self {
            Pattern::Variable(number) => match bound.terms[*number] {
                Some(known) => known == term,
                // An Int that is a Real without a word would be read as an Int elsewhere.
                None if matches!(node.head, Head::Coerce | Head::Opaque | Head::Annotated(_)) => false,
                None => {
                    bound.terms[*number] = Some(term);
                    variables[*number].sort.matches(pool, node.sort, bound)
                }
            },
            Pattern::Literal(text, _) => {
                matches!(node.head, Head::Literal(_)) && pool.text(node.name) == text
            }
            Pattern::Apply { name, indices, sort, args } => {
                let Head::Op(op, list) = node.head else { return false };
                let (given, numbers) = (pool.args(term), pool.indices(list));
                table().op(op).name == *name
                    && given.len() == args.len()
                    && numbers.len() == indices.len()
                    && sort.as_ref().is_none_or(|sort| sort.matches(pool, node.sort, bound))
                    && indices.iter().zip(numbers).all(
                        |(sum, index)| matches!(index, Index::Number(number) if sum.matches(*number, bound)),
                    )
                    && args.iter().zip(given).all(|(arg, &term)| arg.matches(pool, term, variables, bound))
            }
        }
    }

    /// The term of this form. Variables that stand for nothing yet are drawn.
    pub fn built(
        &self,
        pool: &mut Pool,
        variables: &[Variable],
        bound: &mut Bound,
        draw: &mut dyn FnMut(&mut Pool, SortId) -> Option<TermId>,
    ) -> Option<TermId> {
        match self {
            Pattern::Variable(number) => bound.settle(pool, (*number, &variables[*number]), draw),
            Pattern::Literal(_, value) => value.built(pool),
            Pattern::Apply { name, indices, sort, args } => {
                let terms: Option<Vec<TermId>> =
                    args.iter().map(|arg| arg.built(pool, variables, bound, draw)).collect();
                let indices: Option<Vec<Index>> =
                    indices.iter().map(|sum| sum.value(bound).map(Index::Number)).collect();
                let sort = match sort {
                    Some(sort) => Some(sort.built(pool, bound)?),
                    None => None,
                };
                let terms = terms?;
                let made = pool.apply_named(name, &indices?, &terms, sort).ok()?;
                let Head::Op(op, _) = pool.node(made).head else { return None };
                let row = table().op(op);
                let is_literal = |term: TermId| matches!(pool.node(term).head, Head::Literal(_));
                let fits =
                    terms.iter().enumerate().all(|(i, &term)| !row.wants_constant(i) || is_literal(term));
                fits.then_some(made)
            }
        }
    }
}

/// The name of an operator, its indices, and the sort after `as`.
fn identifier(text: &str) -> Result<(&str, Vec<Sum>, Option<SortPattern>), String> {
    if !text.starts_with('(') {
        return Ok((text, Vec::new(), None));
    }
    match parts(text)[..] {
        ["_", name, ref numbers @ ..] => {
            let mut indices = numbers.iter().map(|n| Sum::read(n)).collect::<Result<Vec<_>, _>>()?;
            // `(_ bv13 8)` is the operator bvX with the indices 13 and 8.
            let value = name.strip_prefix("bv").filter(|value| value.parse::<u32>().is_ok());
            let Some(value) = value else { return Ok((name, indices, None)) };
            indices.insert(0, Sum::read(value)?);
            Ok(("bvX", indices, None))
        }
        ["as", name, of] => Ok((name, Vec::new(), Some(SortPattern::read(of)?))),
        _ => Err(format!("`{text}` is no identifier")),
    }
}

impl LiteralValue {
    fn built(&self, pool: &mut Pool) -> Option<TermId> {
        let (sort, value) = match self {
            LiteralValue::Int(n) => (SortId::INT, Value::Int((*n).into())),
            LiteralValue::Real(n) => (SortId::REAL, Value::Real(IBig::from(*n).into())),
            LiteralValue::Text(text) => {
                let characters: Vec<u32> = text.chars().map(u32::from).collect();
                (SortId::STRING, Value::Text(characters.into()))
            }
            LiteralValue::Bits(bits) => {
                let width = bits.len() as u32;
                let number = UBig::from_str_radix(bits, 2).ok()?;
                (pool.bitvec(width), Value::BitVec(BitVec::new(width, number)))
            }
        };
        pool.value(sort, &value).ok()
    }
}
