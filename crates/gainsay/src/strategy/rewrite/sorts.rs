//! Sorts and numbers in patterns, and what their letters and the variables of an equivalence stand for.

use smt::sexpr::parts;
use smt::{Pool, Sort, SortId, TermId};

/// The most variables of an equivalence.
pub(super) const VARIABLES: usize = 8;

/// A number in a pattern: a sum of letters and numbers, such as `n+m-1`.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Sum(Vec<(bool, Addend)>);

#[derive(Clone, Copy, Debug, PartialEq)]
enum Addend {
    Number(u32),
    Letter(u8),
}

impl Sum {
    pub fn read(text: &str) -> Result<Sum, String> {
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
    pub fn value(&self, bound: &Bound) -> Option<u32> {
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
    pub fn matches(&self, number: u32, bound: &mut Bound) -> bool {
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
    pub fn matches(&self, pool: &Pool, sort: SortId, bound: &mut Bound) -> bool {
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
    /// By variable: the term that it stands for.
    pub terms: [Option<TermId>; VARIABLES],
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
