//! From tokens to s-expressions, one command at a time, without recursion.

use super::error::ReadError;
use crate::script::Note;
use crate::sexpr::{TokenKind, atom_end, delimited_at, is_in_atom, skip_blanks};

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
    text: &'s [u8],
    at: usize,
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
        Ok(Lexer { text: source, at, open: Vec::new(), notes: Vec::new() })
    }

    /// Reads the next s-expression at the top into `out`, which it clears; false at the end of the text.
    pub fn next(&mut self, out: &mut Vec<Sexpr>) -> Result<bool, ReadError> {
        out.clear();
        self.open.clear();
        let text = self.text;
        let mut at = self.at;
        // Reading spends most of its time here, so that the frequent tokens are told apart by their first byte alone.
        loop {
            at = skip_blanks(text, at);
            let Some(&first) = text.get(at) else { break };
            let start = at as u32;
            let kind = if is_in_atom(first) {
                at = atom_end(text, at + 1);
                match first {
                    b'0'..=b'9' | b'#' => literal(&text[start as usize..at]),
                    b':' => Kind::Keyword,
                    _ => Kind::Symbol,
                }
            } else if first == b'(' {
                at += 1;
                self.open.push(out.len() as u32);
                out.push(Sexpr { kind: Kind::List, start, end: 0, next: 0 });
                continue;
            } else if first == b')' {
                at += 1;
                self.close(out, start)?;
                if self.open.is_empty() {
                    self.at = at;
                    return Ok(true);
                }
                continue;
            } else {
                let (token, end) = delimited_at(text, first, at + 1);
                at = end;
                match token {
                    TokenKind::Quoted => Kind::Quoted,
                    TokenKind::String => Kind::String,
                    TokenKind::Comment => {
                        if self.open.is_empty() {
                            self.note(start as usize, end);
                        }
                        continue;
                    }
                    _ => return Err(misplaced(first, start)),
                }
            };
            out.push(Sexpr { kind, start, end: at as u32, next: out.len() as u32 + 1 });
            if self.open.is_empty() {
                self.at = at;
                return Ok(true);
            }
        }
        self.at = at;
        match self.open.first() {
            None => Ok(false),
            Some(&list) => Err(ReadError::new(out[list as usize].start, "this parenthesis is never closed")),
        }
    }

    /// Ends the innermost list with the parenthesis at `place`.
    #[inline]
    fn close(&mut self, out: &mut [Sexpr], place: u32) -> Result<(), ReadError> {
        let Some(list) = self.open.pop() else {
            return Err(ReadError::new(place, "this parenthesis closes nothing"));
        };
        let next = out.len() as u32;
        let list = &mut out[list as usize];
        list.end = place + 1;
        list.next = next;
        Ok(())
    }

    fn note(&mut self, at: usize, end: usize) {
        let line = String::from_utf8_lossy(&self.text[at..end]);
        let line = line.trim_start_matches(';').trim();
        if let Some((key, value)) = line.split_once(':')
            && !key.is_empty()
            && key.bytes().all(|b| b.is_ascii_uppercase() || b == b'-' || b == b'_')
        {
            self.notes.push(Note { key: key.to_owned(), value: value.trim().to_owned() });
        }
    }
}

/// The error for a token that begins with `first` and that is not closed or cannot stand here.
#[cold]
fn misplaced(first: u8, start: u32) -> ReadError {
    match first {
        b'"' => ReadError::new(start, "this string is never closed"),
        b'|' => ReadError::new(start, "this quoted symbol is never closed"),
        _ => {
            let message = format!("expected a blank or a printable character, not byte {first:02x}");
            ReadError::new(start, message)
        }
    }
}

/// The kind of an atom that begins with a digit or `#`.
#[inline(never)]
fn literal(text: &[u8]) -> Kind {
    if text[0] == b'#' { hash(text) } else { number(text) }
}

/// The kind of an atom that begins with a digit.
fn number(text: &[u8]) -> Kind {
    let digits = |part: &[u8]| part.iter().take_while(|b| b.is_ascii_digit()).count();
    let whole = digits(text);
    match &text[whole..] {
        [] => Kind::Numeral,
        [b'.', fraction @ ..] if !fraction.is_empty() && digits(fraction) == fraction.len() => Kind::Decimal,
        _ => Kind::Symbol,
    }
}

/// The kind of an atom that begins with `#`.
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
