//! S-expressions of a text that is still growing.

use std::ops::Range;

use super::token::{BLANK, CLASS, SPECIAL, TokenKind, token_at};

/// A reader of a text that arrives in pieces. It remembers how far it has looked, so that a long text is looked at
/// once, however small the pieces are.
///
/// ```
/// let mut growing = smt::sexpr::Growing::default();
/// assert_eq!(growing.next(b"(a \"x", false), None);
/// assert_eq!(growing.next(b"(a \"x)\") sat", false), Some(0..8));
/// assert_eq!(growing.next(b"(a \"x)\") sat", false), None);
/// assert_eq!(growing.next(b"(a \"x)\") sat", true), Some(9..12));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Growing {
    /// Where the s-expression starts that is not whole yet.
    start: Option<usize>,
    /// Where the token starts that comes next.
    at: usize,
    /// How far that token was looked at.
    seen: usize,
    /// How many parentheses are open.
    depth: usize,
}

impl Growing {
    /// A reader of the part of a text that begins at a position.
    pub(super) fn at(position: usize) -> Self {
        Growing { at: position, ..Growing::default() }
    }

    /// The next s-expression that is whole, by its place in the text. `text` is the text of earlier calls, with more
    /// at its end; `ended` says that no more will come. A parenthesis that closes nothing is an s-expression of its
    /// own.
    pub fn next(&mut self, text: &[u8], ended: bool) -> Option<Range<usize>> {
        loop {
            // Inside a list only what can open, close or hide a parenthesis is looked at.
            if self.depth > 0 {
                while CLASS[*text.get(self.at)? as usize] & SPECIAL == 0 {
                    self.at += 1;
                }
            } else {
                while CLASS[*text.get(self.at)? as usize] & BLANK != 0 {
                    self.at += 1;
                }
            }
            let start = self.at;
            let (kind, end) = token_at(text, start, self.seen.max(start + 1));
            let may_grow = match kind {
                TokenKind::Unclosed => true,
                // The byte after a string could be the second quote of two.
                TokenKind::String | TokenKind::Atom | TokenKind::Comment => end == text.len() && !ended,
                _ => false,
            };
            if may_grow {
                self.seen = if kind == TokenKind::String { end - 1 } else { end };
                if kind != TokenKind::Comment {
                    self.start.get_or_insert(start);
                }
                return None;
            }
            self.at = end;
            match kind {
                TokenKind::Comment => continue,
                TokenKind::Open => self.depth += 1,
                TokenKind::Close => self.depth = self.depth.saturating_sub(1),
                _ => {}
            }
            let first = *self.start.get_or_insert(start);
            if self.depth == 0 {
                self.start = None;
                return Some(first..end);
            }
        }
    }

    /// Tells it that the first `n` bytes of the text are gone. They end before the s-expression that is not whole.
    pub fn forget(&mut self, n: usize) {
        self.start = self.start.map(|start| start - n);
        self.at -= n;
        self.seen = self.seen.saturating_sub(n);
    }
}
