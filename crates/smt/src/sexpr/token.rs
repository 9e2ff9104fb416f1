//! Tokens with their positions.

use memchr::{memchr, memchr2};

/// The kind of a [`Token`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TokenKind {
    /// An opening parenthesis.
    Open,
    /// A closing parenthesis.
    Close,
    /// A symbol, keyword or literal without quotes.
    Atom,
    /// A symbol between bars, bars included.
    Quoted,
    /// A string between double quotes, quotes included; a doubled quote belongs to it.
    String,
    /// A comment, from its semicolon to the end of the line, which is not part of it.
    Comment,
    /// A string or quoted symbol that the text ends in.
    Unclosed,
    /// A control character, which can stand in no other token.
    Stray,
}

/// A token of a text: its kind and where it stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Token {
    /// The kind.
    pub kind: TokenKind,
    /// The position of its first byte.
    pub start: usize,
    /// The position after its last byte.
    pub end: usize,
}

impl Token {
    /// The token as it is written in `text`, which is the text that it was found in.
    pub fn text(self, text: &str) -> &str {
        &text[self.start..self.end]
    }

    /// Whether it is a symbol, keyword or literal; a string is none.
    pub fn is_word(self) -> bool {
        matches!(self.kind, TokenKind::Atom | TokenKind::Quoted)
    }
}

pub(super) const BLANK: u8 = 1;
const ENDS_ATOM: u8 = 2;
/// Begins a token that is no atom.
pub(super) const SPECIAL: u8 = 4;

/// The class of each byte.
pub(super) const CLASS: [u8; 256] = {
    let mut class = [0; 256];
    // Control characters stand in no token: a NUL in a name would be a name nobody can type.
    let mut i = 0;
    while i < 0x20 {
        class[i] = ENDS_ATOM;
        i += 1;
    }
    class[0x7f] = ENDS_ATOM;
    let blanks = b" \t\r\n\x0b\x0c";
    let mut i = 0;
    while i < blanks.len() {
        class[blanks[i] as usize] = BLANK | ENDS_ATOM;
        i += 1;
    }
    let specials = b"()\";|";
    let mut i = 0;
    while i < specials.len() {
        class[specials[i] as usize] = ENDS_ATOM | SPECIAL;
        i += 1;
    }
    class
};

/// The tokens of a text, in order, without the blanks between them.
#[derive(Clone, Debug)]
pub struct Tokens<'t> {
    text: &'t [u8],
    at: usize,
}

/// The tokens of a text.
pub fn tokens(text: &[u8]) -> Tokens<'_> {
    tokens_from(text, 0)
}

/// The tokens of a text from a position on; positions count from the beginning of the text.
pub fn tokens_from(text: &[u8], at: usize) -> Tokens<'_> {
    Tokens { text, at }
}

impl Tokens<'_> {
    /// The position after the last token that was returned.
    pub fn position(&self) -> usize {
        self.at
    }
}

impl Iterator for Tokens<'_> {
    type Item = Token;

    #[inline]
    fn next(&mut self) -> Option<Token> {
        let start = skip_blanks(self.text, self.at);
        if start == self.text.len() {
            return None;
        }
        let (kind, end) = token_at(self.text, start, start + 1);
        self.at = end;
        Some(Token { kind, start, end })
    }
}

/// The position of the next byte that is no blank, or the end of the text.
#[inline]
pub(crate) fn skip_blanks(text: &[u8], mut at: usize) -> usize {
    while at < text.len() && CLASS[text[at] as usize] & BLANK != 0 {
        at += 1;
    }
    at
}

/// Whether an atom can have this byte.
#[inline]
pub(crate) fn is_in_atom(byte: u8) -> bool {
    CLASS[byte as usize] & ENDS_ATOM == 0
}

/// The end of the atom that the position `from` is inside of.
#[inline]
pub(crate) fn atom_end(text: &[u8], from: usize) -> usize {
    let mut end = from;
    while end < text.len() && is_in_atom(text[end]) {
        end += 1;
    }
    end
}

/// The token that starts at `start`, which is no blank: its kind and its end. The bytes before `from` are known to
/// belong to it.
// Nearly all tokens are parentheses and atoms: these are found in line, the others by a call.
#[expect(clippy::inline_always, reason = "the reader of scripts spends most of its time here")]
#[inline(always)]
pub(super) fn token_at(text: &[u8], start: usize, from: usize) -> (TokenKind, usize) {
    let first = text[start];
    if is_in_atom(first) {
        return (TokenKind::Atom, atom_end(text, from));
    }
    match first {
        b'(' => (TokenKind::Open, from),
        b')' => (TokenKind::Close, from),
        _ => delimited_at(text, first, from),
    }
}

/// The token that begins with a byte that is neither a parenthesis nor part of an atom: its kind and its end.
#[inline(never)]
pub(crate) fn delimited_at(text: &[u8], first: u8, from: usize) -> (TokenKind, usize) {
    let rest = &text[from..];
    match first {
        b'"' => match string_end(text, from) {
            Some(end) => (TokenKind::String, end),
            None => (TokenKind::Unclosed, text.len()),
        },
        b'|' => match memchr(b'|', rest) {
            Some(n) => (TokenKind::Quoted, from + n + 1),
            None => (TokenKind::Unclosed, text.len()),
        },
        b';' => (TokenKind::Comment, memchr2(b'\n', b'\r', rest).map_or(text.len(), |n| from + n)),
        _ => (TokenKind::Stray, from),
    }
}

/// The end of the string that the position `from` is inside of.
fn string_end(text: &[u8], mut from: usize) -> Option<usize> {
    loop {
        from += memchr(b'"', text.get(from..)?)? + 1;
        if text.get(from) != Some(&b'"') {
            return Some(from);
        }
        from += 1;
    }
}
