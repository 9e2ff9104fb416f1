//! Replacing and finding what a regular language matches: leftmost first, then shortest.

use dashu_int::IBig;

use super::fuel::{Fuel, OutOfFuel};
use super::pool::{ALL, EMPTY_WORD, Id, NONE, Pool};
use super::syntax::Regex;
use crate::value::list::position;

/// `str.replace_re`: the shortest of the leftmost matches gives way to `new`. The empty word is
/// found at 0.
pub fn replace_re(text: &[u32], regex: &Regex, new: &[u32], fuel: &mut Fuel) -> Result<Vec<u32>, OutOfFuel> {
    fuel.burn(text.len() + new.len())?;
    Ok(match Finder::new(regex, fuel)?.find(text, 0, true, fuel)? {
        Some((start, end)) => [&text[..start], new, &text[end..]].concat(),
        None => text.to_vec(),
    })
}

/// `str.replace_re_all`: from the left, the shortest of the leftmost matches that are not empty.
pub fn replace_re_all(
    text: &[u32],
    regex: &Regex,
    new: &[u32],
    fuel: &mut Fuel,
) -> Result<Vec<u32>, OutOfFuel> {
    fuel.burn(text.len())?;
    let mut finder = Finder::new(regex, fuel)?;
    let mut out = Vec::new();
    let mut kept = 0;
    while let Some((start, end)) = finder.find(text, kept, false, fuel)? {
        fuel.burn(new.len())?;
        out.extend_from_slice(&text[kept..start]);
        out.extend_from_slice(new);
        kept = end;
    }
    out.extend_from_slice(&text[kept..]);
    Ok(out)
}

/// `str.indexof_re` (cvc5): where the leftmost match at or after `from` begins, else -1.
pub fn indexof_re(text: &[u32], regex: &Regex, from: &IBig, fuel: &mut Fuel) -> Result<IBig, OutOfFuel> {
    let Some(from) = position(from, text.len()) else { return Ok(IBig::NEG_ONE) };
    let found = Finder::new(regex, fuel)?.find(text, from, true, fuel)?;
    Ok(found.map_or(IBig::NEG_ONE, |(start, _)| start.into()))
}

struct Finder {
    pool: Pool,
    regex: Id,
    /// Anything, then a match that is not empty.
    until: Id,
}

impl Finder {
    fn new(regex: &Regex, fuel: &mut Fuel) -> Result<Self, OutOfFuel> {
        let (mut pool, [regex]) = Pool::holding([regex], fuel)?;
        let words = pool.comp(EMPTY_WORD, fuel)?;
        let words = pool.inter(vec![regex, words], fuel)?;
        let until = pool.concat(ALL, words, fuel)?;
        Ok(Self { pool, regex, until })
    }

    /// The shortest of the leftmost matches at or after `from`.
    fn find(
        &mut self,
        text: &[u32],
        from: usize,
        empty: bool,
        fuel: &mut Fuel,
    ) -> Result<Option<(usize, usize)>, OutOfFuel> {
        if empty && self.pool.nullable(self.regex) {
            return Ok(Some((from, from)));
        }
        // One pass tells whether there is a match at all; otherwise a miss would cost the square.
        if self.shortest(self.until, &text[from..], fuel)?.is_none() {
            return Ok(None);
        }
        for start in from..text.len() {
            if let Some(count) = self.shortest(self.regex, &text[start..], fuel)? {
                return Ok(Some((start, start + count)));
            }
        }
        Ok(None)
    }

    /// The length of the shortest prefix of `text`, but for the empty one, in the language.
    fn shortest(&mut self, language: Id, text: &[u32], fuel: &mut Fuel) -> Result<Option<usize>, OutOfFuel> {
        let mut state = language;
        for (at, &code) in text.iter().enumerate() {
            if state == NONE {
                break;
            }
            state = self.pool.derive(state, code, fuel)?;
            if self.pool.nullable(state) {
                return Ok(Some(at + 1));
            }
        }
        Ok(None)
    }
}
