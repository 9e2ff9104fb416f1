//! Patterns: the two sides of an equivalence as trees, matched against terms and built from terms.

use smt::sexpr::{Extent, parts};
use smt::theory::table;
use smt::value::{BitVec, IBig, UBig, Value};
use smt::{Head, Index, Pool, Sort, SortId, TermId};

/// The most variables of an equivalence.
const VARIABLES: usize = 8;

/// A number in a pattern: a sum of letters and numbers, such as `n+m-1`.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Sum(Vec<(bool, Addend)>);

#[derive(Clone, Copy, Debug, PartialEq)]
enum Addend {
    Number(u32),
    Letter(u8),
}

impl Sum {
    fn read(text: &str) -> Result<Sum, String> {
        let wrong = || format!("`{text}` is no sum of small letters and numbers");
        let mut all = Vec::new();
        for part in text.replace('-', "+-").split('+').filter(|part| !part.is_empty()) {
            let (minus, word) = part.strip_prefix('-').map_or((false, part), |word| (true, word));
            let addend = match word.as_bytes() {
                [letter @ b'a'..=b'z'] => Addend::Letter(*letter),
                _ => Addend::Number(word.parse().map_err(|_| wrong())?),
            };
            all.push((minus, addend));
        }
        if all.is_empty() { Err(wrong()) } else { Ok(Sum(all)) }
    }

    /// Its value; none if a letter is not bound, or if it is no number from 0.
    fn value(&self, bound: &Bound) -> Option<u32> {
        let mut total = 0i64;
        for (minus, addend) in &self.0 {
            let value = i64::from(match addend {
                Addend::Number(number) => *number,
                Addend::Letter(letter) => bound.number(*letter)?,
            });
            total += if *minus { -value } else { value };
        }
        u32::try_from(total).ok()
    }

    /// Whether it is this number. A letter alone that is not bound becomes it.
    fn matches(&self, number: u32, bound: &mut Bound) -> bool {
        if let [(false, Addend::Letter(letter))] = self.0[..]
            && bound.number(letter).is_none()
        {
            bound.numbers[usize::from(letter - b'a')] = Some(number);
            return true;
        }
        self.value(bound) == Some(number)
    }
}

/// A sort in a pattern.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum SortPattern {
    Fixed(SortId),
    /// Any sort, the same wherever the letter is.
    Letter(u8),
    BitVec(Sum),
    Float(Sum, Sum),
    Array(Box<SortPattern>, Box<SortPattern>),
    Seq(Box<SortPattern>),
    Set(Box<SortPattern>),
}

impl SortPattern {
    pub fn read(text: &str) -> Result<SortPattern, String> {
        let inner = |text: &str| SortPattern::read(text).map(Box::new);
        if text.starts_with('(') {
            return match parts(text)[..] {
                ["_", "BitVec", n] => Ok(SortPattern::BitVec(Sum::read(n)?)),
                ["_", "FloatingPoint", e, s] => Ok(SortPattern::Float(Sum::read(e)?, Sum::read(s)?)),
                ["Array", a, b] => Ok(SortPattern::Array(inner(a)?, inner(b)?)),
                ["Seq", a] => Ok(SortPattern::Seq(inner(a)?)),
                ["Set", a] => Ok(SortPattern::Set(inner(a)?)),
                _ => Err(format!("`{text}` is no pattern of a sort")),
            };
        }
        Ok(match (text, text.as_bytes()) {
            ("Bool", _) => SortPattern::Fixed(SortId::BOOL),
            ("Int", _) => SortPattern::Fixed(SortId::INT),
            ("Real", _) => SortPattern::Fixed(SortId::REAL),
            ("String", _) => SortPattern::Fixed(SortId::STRING),
            ("RegLan", _) => SortPattern::Fixed(SortId::REGLAN),
            ("RoundingMode", _) => SortPattern::Fixed(SortId::ROUNDING),
            (_, [letter @ b'A'..=b'Z']) => SortPattern::Letter(*letter),
            _ => return Err(format!("`{text}` is no pattern of a sort")),
        })
    }

    /// Whether a sort fits. Letters become what they stand for.
    fn matches(&self, pool: &Pool, sort: SortId, bound: &mut Bound) -> bool {
        match (self, pool.sort(sort)) {
            (SortPattern::Fixed(fixed), _) => *fixed == sort,
            // Values of other sorts cannot be compared, or have no equality that all solvers read.
            (SortPattern::Letter(_), Sort::RegLan | Sort::Unknown | Sort::Opaque(_) | Sort::Function(_)) => {
                false
            }
            (SortPattern::Letter(letter), _) => {
                *bound.sorts[usize::from(letter - b'A')].get_or_insert(sort) == sort
            }
            (SortPattern::BitVec(n), Sort::BitVec(width)) => n.matches(width, bound),
            (SortPattern::Float(e, s), Sort::Float(eb, sb)) => e.matches(eb, bound) && s.matches(sb, bound),
            (SortPattern::Array(a, b), Sort::Array(index, element)) => {
                a.matches(pool, index, bound) && b.matches(pool, element, bound)
            }
            (SortPattern::Seq(a), Sort::Seq(of)) | (SortPattern::Set(a), Sort::Set(of)) => {
                a.matches(pool, of, bound)
            }
            _ => false,
        }
    }

    /// The sort, if all its letters are bound.
    pub fn built(&self, pool: &mut Pool, bound: &Bound) -> Option<SortId> {
        let sort = match self {
            SortPattern::Fixed(sort) => return Some(*sort),
            SortPattern::Letter(letter) => return bound.sorts[usize::from(letter - b'A')],
            SortPattern::BitVec(n) => Sort::BitVec(n.value(bound).filter(|n| *n > 0)?),
            SortPattern::Float(e, s) => Sort::Float(e.value(bound)?, s.value(bound)?),
            SortPattern::Array(a, b) => Sort::Array(a.built(pool, bound)?, b.built(pool, bound)?),
            SortPattern::Seq(a) => Sort::Seq(a.built(pool, bound)?),
            SortPattern::Set(a) => Sort::Set(a.built(pool, bound)?),
        };
        pool.sort_id(sort)
    }
}

/// A variable of an equivalence.
#[derive(Clone, Debug)]
pub(super) struct Variable {
    pub name: String,
    pub sort: SortPattern,
}

/// What letters and variables stand for.
#[derive(Clone, Debug, Default)]
pub(super) struct Bound {
    terms: [Option<TermId>; VARIABLES],
    numbers: [Option<u32>; 26],
    sorts: [Option<SortId>; 26],
}

impl Bound {
    fn number(&self, letter: u8) -> Option<u32> {
        self.numbers[usize::from(letter - b'a')]
    }

    /// With these numbers and sorts for letters.
    pub fn at(numbers: &[(u8, u32)], sorts: &[(u8, SortId)]) -> Bound {
        let mut bound = Bound::default();
        for (letter, number) in numbers {
            bound.numbers[usize::from(letter - b'a')] = Some(*number);
        }
        for (letter, sort) in sorts {
            bound.sorts[usize::from(letter - b'A')] = Some(*sort);
        }
        bound
    }

    /// The term of a variable; if it has none, the one that `draw` gives for its sort.
    pub fn settle(
        &mut self,
        pool: &mut Pool,
        (number, variable): (usize, &Variable),
        draw: &mut dyn FnMut(&mut Pool, SortId) -> Option<TermId>,
    ) -> Option<TermId> {
        if self.terms[number].is_none() {
            let sort = variable.sort.built(pool, self)?;
            self.terms[number] = Some(draw(pool, sort)?);
        }
        self.terms[number]
    }
}

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
        let Some((&head, rest)) = list.split_first() else { return Err(format!("`{text}` is empty")) };
        let (mut name, mut indices, mut sort, mut args) = (head, Vec::new(), None, rest);
        let inside = if head.starts_with('(') { parts(head) } else { list.clone() };
        match inside[..] {
            ["_", inner, ref numbers @ ..] => {
                name = inner;
                indices = numbers.iter().map(|n| Sum::read(n)).collect::<Result<_, _>>()?;
                if let Some(value) = inner.strip_prefix("bv").and_then(|value| value.parse().ok()) {
                    name = "bvX";
                    indices.insert(0, Sum(vec![(false, Addend::Number(value))]));
                }
            }
            ["as", inner, of] => (name, sort) = (inner, Some(SortPattern::read(of)?)),
            _ if head.starts_with('(') => return Err(format!("`{head}` is no identifier")),
            _ => {}
        }
        if name != head && !head.starts_with('(') {
            args = &[];
        }
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
