//! Errors in a text, with their places.

use std::fmt;

/// Why a text was refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReadError {
    /// Byte offset of the offending part.
    pub offset: usize,
    /// The error, and what was expected instead.
    pub message: String,
}

impl ReadError {
    pub(crate) fn new(offset: u32, message: impl Into<String>) -> Self {
        ReadError { offset: offset as usize, message: readable(&message.into()) }
    }

    /// The error with its line, its column and the text of the line.
    pub fn locate(&self, file: &str, source: &[u8]) -> Located {
        let offset = self.offset.min(source.len());
        let start = memchr::memrchr(b'\n', &source[..offset]).map_or(0, |i| i + 1);
        let end = memchr::memchr(b'\n', &source[offset..]).map_or(source.len(), |i| offset + i);
        let text = String::from_utf8_lossy(&source[start..end]);
        let column = String::from_utf8_lossy(&source[start..offset]).chars().count() + 1;
        Located {
            file: file.to_owned(),
            line: memchr::memchr_iter(b'\n', &source[..start]).count() + 1,
            column,
            text: text.trim_end_matches('\r').to_owned(),
            message: self.message.clone(),
        }
    }
}

/// A message on one line, without the middle of what nobody would read: a name between bars can be of any length and
/// hold anything.
fn readable(message: &str) -> String {
    const LONGEST: usize = 600;
    let line = message.chars().map(|c| if c.is_control() { ' ' } else { c });
    let count = message.chars().count();
    if count <= LONGEST {
        return line.collect();
    }
    let (begin, end) = (line.clone().take(LONGEST / 2), line.skip(count - LONGEST / 2));
    begin.chain(" … ".chars()).chain(end).collect()
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (at byte {})", self.message, self.offset)
    }
}

impl std::error::Error for ReadError {}

/// An error with its place: `file:line:column`, the line and a caret.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Located {
    /// The file's name.
    pub file: String,
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// The whole line.
    pub text: String,
    /// The error.
    pub message: String,
}

/// Lines longer than this are shown around the caret only.
const WIDEST: usize = 100;

impl fmt::Display for Located {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}:{}:{}: {}", self.file, self.line, self.column, self.message)?;
        let before = self.column - 1;
        let from = before.saturating_sub(WIDEST / 2);
        let shown: String =
            self.text.chars().skip(from).take(WIDEST).map(|c| if c.is_control() { ' ' } else { c }).collect();
        let dots = if from > 0 { "…" } else { "" };
        writeln!(f, "  {dots}{shown}")?;
        write!(f, "  {:width$}^", "", width = before - from + dots.chars().count())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_at_the_place() {
        let source = b"(check-sat)\r\n(assert \xc3\xa9 p)\r\n";
        let error = ReadError::new(24, "p is not declared");
        let shown = error.locate("a.smt2", source).to_string();
        assert_eq!(shown, "a.smt2:2:11: p is not declared\n  (assert é p)\n            ^");
    }

    #[test]
    fn survives_any_offset() {
        assert_eq!(ReadError::new(99, "end").locate("x", b"").line, 1);
    }
}
