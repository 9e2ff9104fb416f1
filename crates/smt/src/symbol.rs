//! Names and other pieces of text, each stored once.

use std::borrow::Cow;

/// A piece of text: a name as it is spelled, a literal, a sort as it was written.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Symbol(pub(crate) u32);

/// The words the reader asks for by number. They and the names of all operators are in every pool from the start.
pub(crate) mod word {
    use super::Symbol;

    /// All words, in the order of the constants below. Number 0 is the empty text.
    pub const ALL: &[&str] =
        &["", "let", "forall", "exists", "lambda", "match", "!", "_", "as", "par", "choice", "const", "is"];
    pub const NONE: Symbol = Symbol(0);
    pub const LET: Symbol = Symbol(1);
    pub const FORALL: Symbol = Symbol(2);
    pub const EXISTS: Symbol = Symbol(3);
    pub const LAMBDA: Symbol = Symbol(4);
    pub const MATCH: Symbol = Symbol(5);
    pub const BANG: Symbol = Symbol(6);
    pub const UNDERSCORE: Symbol = Symbol(7);
    pub const AS: Symbol = Symbol(8);
}

/// Whether `text` can be written as a symbol without bars.
pub fn is_simple(text: &str) -> bool {
    let mut bytes = text.bytes();
    bytes.next().is_some_and(|b| is_symbol_byte(b) && !b.is_ascii_digit())
        && bytes.all(is_symbol_byte)
        && !RESERVED.contains(&text)
}

const RESERVED: &[&str] = &["!", "_", "as", "let", "exists", "forall", "match", "par", "lambda"];

fn is_symbol_byte(b: u8) -> bool {
    b.is_ascii_alphanumeric() || b"+-/*=%?!.$_~&^<>@".contains(&b)
}

/// `text` as a symbol: between bars where the standard asks for them.
pub fn spelled(text: &str) -> Cow<'_, str> {
    if is_simple(text) { text.into() } else { format!("|{text}|").into() }
}

/// The name that a symbol spells: `|x|` and `x` are one name.
pub fn unquoted(spelling: &str) -> &str {
    spelling.strip_prefix('|').and_then(|rest| rest.strip_suffix('|')).unwrap_or(spelling)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_only_where_needed() {
        assert_eq!(spelled("x!1"), "x!1");
        assert_eq!(spelled("a b"), "|a b|");
        assert_eq!(spelled("let"), "|let|");
        assert_eq!(spelled("1x"), "|1x|");
        assert_eq!(spelled(""), "||");
        assert_eq!(unquoted("|a b|"), "a b");
        assert_eq!(unquoted("ab"), "ab");
    }
}
