//! From tokens to s-expressions, one command at a time, without recursion.

use super::error::ReadError;
use crate::script::Note;
use crate::sexpr::{Token, TokenKind, Tokens, tokens_from};

/// The kind of an s-expression.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    List,
    Symbol,
    /// A symbol between bars.
    Quoted,
    Numeral,
    Decimal,
    Hexadecimal,
    Binary,
    String,
    Keyword,
}

/// An s-expression in preorder: its parts follow it, up to `next`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sexpr {
    pub kind: Kind,
    /// Where it begins in the source.
    pub start: u32,
    /// Where it ends in the source.
    pub end: u32,
    /// The number of the s-expression after it.
    pub next: u32,
}

/// Splits a source into commands.
pub(crate) struct Lexer<'s> {
    source: &'s [u8],
    tokens: Tokens<'s>,
    open: Vec<u32>,
    pub notes: Vec<Note>,
}

impl<'s> Lexer<'s> {
    /// The source must be shorter than 1 GB, so that all that is made of it is counted by a `u32`.
    pub fn new(source: &'s [u8]) -> Result<Self, ReadError> {
        if source.len() > 1 << 30 {
            return Err(ReadError::new(0, "expected at most 1 GB of text"));
        }
        // A byte order mark is no part of the text.
        let at = if source.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
        Ok(Lexer { source, tokens: tokens_from(source, at), open: Vec::new(), notes: Vec::new() })
    }

    /// Reads the next s-expression at the top into `out`, which it clears; false at the end of the text.
    pub fn next(&mut self, out: &mut Vec<Sexpr>) -> Result<bool, ReadError> {
        out.clear();
        self.open.clear();
        while let Some(token) = self.tokens.next() {
            let (start, end) = (token.start as u32, token.end as u32);
            let kind = match token.kind {
                TokenKind::Open => {
                    self.open.push(out.len() as u32);
                    out.push(Sexpr { kind: Kind::List, start, end: 0, next: 0 });
                    continue;
                }
                TokenKind::Close => {
                    let Some(list) = self.open.pop() else {
                        return Err(ReadError::new(start, "this parenthesis closes nothing"));
                    };
                    let next = out.len() as u32;
                    let list = &mut out[list as usize];
                    list.end = end;
                    list.next = next;
                    if self.open.is_empty() {
                        return Ok(true);
                    }
                    continue;
                }
                TokenKind::Atom => atom(&self.source[token.start..token.end]),
                TokenKind::Quoted => Kind::Quoted,
                TokenKind::String => Kind::String,
                TokenKind::Comment => {
                    if self.open.is_empty() {
                        self.note(token.start, token.end);
                    }
                    continue;
                }
                TokenKind::Unclosed | TokenKind::Stray => return Err(self.misplaced(token)),
            };
            out.push(Sexpr { kind, start, end, next: out.len() as u32 + 1 });
            if self.open.is_empty() {
                return Ok(true);
            }
        }
        match self.open.first() {
            None => Ok(false),
            Some(&list) => Err(ReadError::new(out[list as usize].start, "this parenthesis is never closed")),
        }
    }

    #[cold]
    fn misplaced(&self, token: Token) -> ReadError {
        let start = token.start as u32;
        match self.source[token.start] {
            b'"' => ReadError::new(start, "this string is never closed"),
            b'|' => ReadError::new(start, "this quoted symbol is never closed"),
            byte => {
                let message = format!("expected a blank or a printable character, not byte {byte:02x}");
                ReadError::new(start, message)
            }
        }
    }

    fn note(&mut self, at: usize, end: usize) {
        let line = String::from_utf8_lossy(&self.source[at..end]);
        let line = line.trim_start_matches(';').trim();
        if let Some((key, value)) = line.split_once(':')
            && !key.is_empty()
            && key.bytes().all(|b| b.is_ascii_uppercase() || b == b'-' || b == b'_')
        {
            self.notes.push(Note { key: key.to_owned(), value: value.trim().to_owned() });
        }
    }
}

#[inline]
fn atom(text: &[u8]) -> Kind {
    match text[0] {
        b'0'..=b'9' => number(text),
        b':' => Kind::Keyword,
        b'#' => hash(text),
        _ => Kind::Symbol,
    }
}

fn number(text: &[u8]) -> Kind {
    let mut parts = text.splitn(2, |&b| b == b'.');
    let digits = |part: &[u8]| !part.is_empty() && part.iter().all(u8::is_ascii_digit);
    match (parts.next(), parts.next()) {
        (Some(whole), None) if digits(whole) => Kind::Numeral,
        (Some(whole), Some(fraction)) if digits(whole) && digits(fraction) => Kind::Decimal,
        _ => Kind::Symbol,
    }
}

fn hash(text: &[u8]) -> Kind {
    match text {
        [b'#', b'x', digits @ ..] if !digits.is_empty() && digits.iter().all(u8::is_ascii_hexdigit) => {
            Kind::Hexadecimal
        }
        [b'#', b'b', digits @ ..]
            if !digits.is_empty() && digits.iter().all(|b| matches!(b, b'0' | b'1')) =>
        {
            Kind::Binary
        }
        _ => Kind::Symbol,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(source: &str) -> Vec<Kind> {
        let mut out = Vec::new();
        Lexer::new(source.as_bytes())
            .and_then(|mut lexer| lexer.next(&mut out))
            .expect("the text is well-formed");
        out.into_iter().map(|s| s.kind).collect()
    }

    #[test]
    fn tokens() {
        use Kind::{Binary, Decimal, Hexadecimal, Keyword, List, Numeral, Quoted, String, Symbol};
        assert_eq!(
            kinds("(a |b c| 1 1.5 #xaF #b01 \"x\"\"y\" :k ; c\n -1 #xg 1a)"),
            [
                List,
                Symbol,
                Quoted,
                Numeral,
                Decimal,
                Hexadecimal,
                Binary,
                String,
                Keyword,
                Symbol,
                Symbol,
                Symbol
            ]
        );
    }

    #[test]
    fn nesting_is_preorder() {
        let mut out = Vec::new();
        let mut lexer = Lexer::new(b"(a (b c) d) (e)").expect("short");
        assert!(lexer.next(&mut out).expect("well-formed"));
        assert_eq!(out.iter().map(|s| s.next).collect::<Vec<_>>(), [6, 2, 5, 4, 5, 6]);
        assert!(lexer.next(&mut out).expect("well-formed"));
        assert_eq!(out.len(), 2);
        assert!(!lexer.next(&mut out).expect("well-formed"));
    }

    #[test]
    fn what_is_not_closed_is_named() {
        for (source, offset) in [("(a (b)", 0), ("(a \"b)", 3), ("(|a)", 1), (")", 0)] {
            let mut out = Vec::new();
            let error = Lexer::new(source.as_bytes()).and_then(|mut l| l.next(&mut out)).expect_err(source);
            assert_eq!(error.offset, offset, "{source}");
        }
    }

    #[test]
    fn notes_are_kept() {
        let mut lexer = Lexer::new(b"; EXPECT: sat\n;COMMAND-LINE: --x\n; text\n(a)").expect("short");
        lexer.next(&mut Vec::new()).expect("well-formed");
        assert_eq!(lexer.notes.len(), 2);
        assert_eq!((lexer.notes[1].key.as_str(), lexer.notes[1].value.as_str()), ("COMMAND-LINE", "--x"));
    }
}
