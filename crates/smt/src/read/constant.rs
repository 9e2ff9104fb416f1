//! Identifiers without arguments, and constants that are no names.

use super::identifier::Identifier;
use super::{Reader, Result};
use crate::sort::{Sort, SortId};
use crate::term::{Head, Index, IndexList, Literal, TermId};

impl Reader<'_> {
    /// An identifier without arguments.
    pub(super) fn constant(&mut self, i: u32, identifier: Identifier) -> Result<TermId> {
        if self.is_unknown(&identifier) {
            if let Some(term) = self.odd_constant(i, &identifier)? {
                return Ok(term);
            }
            let why = format!("{} is not known", self.pool.text(identifier.spelling));
            return self.opaque(i, why);
        }
        self.application(i, identifier, self.values.len())
    }

    /// Constants that are no names: `-5`, `3.`, `1/2`, `#f3m7`, `(as ff3 F)`, `(as @a U)`, `(_ as-array f)`.
    fn odd_constant(&mut self, i: u32, identifier: &Identifier) -> Result<Option<TermId>> {
        if identifier.quoted {
            return Ok(None);
        }
        // z3's models name a function where an array is meant.
        if self.pool.text(identifier.name) == "as-array"
            && let &[Index::Function(fun)] = self.pool.indices(identifier.indices)
        {
            let mut sorts = self.pool.fun(fun).args.clone();
            sorts.push(self.pool.fun(fun).result);
            let list = self.pool.sort_list_id(&sorts);
            let Some(sort) = self.pool.sort_id(Sort::Function(list)) else { return Ok(None) };
            return Ok(Some(self.pool.add_term(Head::Fun(fun), identifier.spelling, sort, &[])));
        }
        let literal = match identifier.want {
            Some(want) => self.qualified_literal(identifier, want).map(|literal| (literal, want)),
            None if identifier.indices == IndexList(0) => self.odd_number(i, identifier)?,
            None => None,
        };
        let term =
            |(literal, sort)| self.pool.add_term(Head::Literal(literal), identifier.spelling, sort, &[]);
        Ok(literal.map(term))
    }

    /// `(as ff3 F)`, and `(as @a U)` for an element of an uninterpreted sort, as models name it.
    fn qualified_literal(&self, identifier: &Identifier, want: SortId) -> Option<Literal> {
        let text = self.pool.text(identifier.name);
        let residue = text.strip_prefix("ff").map(|n| n.strip_prefix('-').unwrap_or(n));
        match self.pool.sort(want) {
            Sort::FiniteField(_) if residue.is_some_and(all_digits) => Some(Literal::Field),
            Sort::Declared(..) | Sort::Opaque(_) if text.starts_with('@') => Some(Literal::Element),
            _ => None,
        }
    }

    /// `#f3m7`, and numbers that solvers print and the standard does not have: `-5`, `3.`, `1/2`.
    fn odd_number(&mut self, i: u32, identifier: &Identifier) -> Result<Option<(Literal, SortId)>> {
        let text = self.pool.text(identifier.name);
        if let Some((value, modulus)) = text.strip_prefix("#f").and_then(|rest| rest.split_once('m'))
            && all_digits(value)
            && all_digits(modulus)
        {
            let modulus = modulus.to_owned();
            let modulus = self.pool.intern(&modulus);
            return Ok(self.pool.sort_id(Sort::FiniteField(modulus)).map(|sort| (Literal::Field, sort)));
        }
        let unsigned = text.strip_prefix('-').unwrap_or(text);
        let (literal, sort) = match unsigned.split_once(['.', '/']) {
            None if all_digits(unsigned) => (Literal::Numeral, SortId::INT),
            Some((whole, rest)) if all_digits(whole) && unsigned.contains('.') => {
                if !rest.bytes().all(|b| b.is_ascii_digit()) {
                    return Ok(None);
                }
                self.exact(i, rest)?;
                (Literal::Decimal, SortId::REAL)
            }
            Some((over, under)) if all_digits(over) && all_digits(under) => {
                if under.bytes().all(|b| b == b'0') {
                    return self.fail(i, "expected a fraction over something else than zero");
                }
                (Literal::Fraction, SortId::REAL)
            }
            _ => return Ok(None),
        };
        Ok(Some((literal, if self.real_numerals { SortId::REAL } else { sort })))
    }
}

fn all_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
}
