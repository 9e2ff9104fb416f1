//! Reading identifiers: `f`, `(_ f 1 2)`, `(as f S)`, `(as (_ f 1) S)`.

use super::lexer::Kind;
use super::scope::Meaning;
use super::{Reader, Result};
use crate::sort::SortId;
use crate::symbol::{Symbol, word};
use crate::term::{Index, IndexList};

/// An identifier as it is written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Identifier {
    /// Its name, without bars.
    pub name: Symbol,
    /// All of it as written.
    pub spelling: Symbol,
    pub indices: IndexList,
    /// The sort after `as`.
    pub want: Option<SortId>,
    /// Written between bars: never a reserved word.
    pub quoted: bool,
}

impl Reader<'_> {
    /// Whether the s-expression at `i` is a symbol with this meaning in the language.
    #[inline]
    pub(super) fn is_word(&self, i: u32, text: &[u8]) -> bool {
        self.at(i).kind == Kind::Symbol && self.bytes(i) == text
    }

    /// The identifier at `i`, or none if something else stands there.
    pub(super) fn identifier(&mut self, i: u32) -> Result<Option<Identifier>> {
        match self.at(i).kind {
            Kind::Symbol => {
                let name = self.spelling(i)?;
                Ok(Some(Identifier {
                    name,
                    spelling: name,
                    indices: IndexList(0),
                    want: None,
                    quoted: false,
                }))
            }
            Kind::Quoted => {
                let (name, spelling) = self.name(i, "a name")?;
                Ok(Some(Identifier { name, spelling, indices: IndexList(0), want: None, quoted: true }))
            }
            Kind::List if self.at(i).next > i + 1 && self.is_word(i + 1, b"_") => self.indexed(i),
            Kind::List if self.at(i).next > i + 1 && self.is_word(i + 1, b"as") => {
                let parts = self.parts(i);
                let &[_, inner, sort] = &parts[..] else {
                    return self.fail(i, "expected (as identifier sort)");
                };
                // Asked first, so that this is no recursion on the depth of the text.
                if self.at(inner).next > inner + 1 && self.is_word(inner + 1, b"as") {
                    return self.fail(inner, "expected an identifier, not another `as`");
                }
                let Some(identifier) = self.identifier(inner)? else {
                    return self.fail(inner, "expected an identifier");
                };
                let want = Some(self.sort(sort)?);
                Ok(Some(Identifier { want, spelling: self.tidy(i)?, ..identifier }))
            }
            _ => Ok(None),
        }
    }

    fn indexed(&mut self, i: u32) -> Result<Option<Identifier>> {
        let text = self.spelling(i)?;
        if let Some(&identifier) = self.identifiers.get(&text) {
            return Ok(Some(identifier));
        }
        let parts = self.parts(i);
        let [_, name, rest @ ..] = &parts[..] else {
            return self.fail(i, "expected (_ name index ..)");
        };
        if !matches!(self.at(*name).kind, Kind::Symbol | Kind::Quoted) {
            return Ok(None);
        }
        let (mut name, _) = self.name(*name, "a name")?;
        let mut indices = Vec::with_capacity(rest.len() + 1);
        // `(_ bv13 8)` is the operator bvX with the indices 13 and 8.
        if let Some(digits) = self.pool.text(name).strip_prefix("bv")
            && !digits.is_empty()
            && digits.bytes().all(|b| b.is_ascii_digit())
            && rest.len() == 1
            && self.scope.get(name) == Meaning::None
        {
            let digits = digits.to_owned();
            indices.push(self.number_index(&digits));
            name = self.pool.intern("bvX");
        }
        for &part in rest {
            let index = match self.at(part).kind {
                Kind::Numeral => {
                    let text = self.text(part)?.to_owned();
                    self.number_index(&text)
                }
                Kind::Symbol | Kind::Quoted => {
                    let (name, _) = self.name(part, "an index")?;
                    match self.scope.get(name) {
                        Meaning::Fun(fun) => Index::Function(fun),
                        _ => Index::Text(name),
                    }
                }
                _ => Index::Text(self.tidy(part)?),
            };
            indices.push(index);
        }
        let is_fixed = indices.iter().all(|index| matches!(index, Index::Number(_)));
        let indices = self.pool.indices_id(&indices);
        let identifier = Identifier { name, spelling: self.tidy(i)?, indices, want: None, quoted: false };
        if is_fixed {
            self.identifiers.insert(text, identifier);
        }
        Ok(Some(identifier))
    }

    fn number_index(&mut self, digits: &str) -> Index {
        digits.parse().map_or_else(|_| Index::Text(self.pool.intern(digits)), Index::Number)
    }
}

/// Words that begin something else than an application, unless they stand between bars.
pub(super) fn is_reserved(name: Symbol) -> bool {
    (word::LET.0..=word::AS.0).contains(&name.0)
}
