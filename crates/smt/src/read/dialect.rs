//! Literals as a solver printed them, spelled again as the standard spells them.

use super::lexer::Kind;
use super::{Reader, Result};
use crate::model::ModelDialect;
use crate::symbol::Symbol;
use crate::value::literal::{Escapes, read, write};

impl Reader<'_> {
    /// How the standard spells a literal.
    pub(super) fn literal_spelling(&mut self, i: u32) -> Result<Symbol> {
        if self.dialect == ModelDialect::STANDARD {
            return self.spelling(i);
        }
        match self.at(i).kind {
            Kind::String => self.respelled(i),
            Kind::Decimal => {
                let fraction = self.text(i)?.split_once('.').map_or("", |(_, fraction)| fraction);
                self.exact(i, fraction)?;
                self.spelling(i)
            }
            _ => self.spelling(i),
        }
    }

    /// Refuses the fraction of a decimal that is rounded.
    pub(super) fn exact(&self, i: u32, fraction: &str) -> Result<()> {
        if self.dialect.rounded && fraction != "0" {
            return self.fail(i, "a rounded number, which may stand for another");
        }
        Ok(())
    }

    fn respelled(&mut self, i: u32) -> Result<Symbol> {
        let text = self.text(i)?;
        let body = text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
        if self.dialect.escapes == Escapes::Standard {
            return self.spelling(i);
        }
        // Which bytes a solver meant by what is no ASCII is lost when its output is taken for text.
        let codes = body.filter(|b| b.is_ascii()).and_then(|b| read(b, self.dialect.escapes).ok());
        match codes {
            Some(codes) => Ok(self.pool.intern(&format!("\"{}\"", write(&codes)))),
            None => self.fail(i, "a string that may stand for another"),
        }
    }
}
