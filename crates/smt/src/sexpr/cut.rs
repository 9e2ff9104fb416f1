//! Cutting a text into commands, lists, parts and pieces.

use std::ops::Range;

use super::Growing;
use super::token::{BLANK, CLASS, TokenKind, token_at, tokens, tokens_from};

/// The position of the first byte from `start` on that is neither blank nor in a comment; the end of the text if
/// there is none.
pub fn skip_blank(text: &[u8], mut start: usize) -> usize {
    while let Some(&byte) = text.get(start) {
        if byte == b';' {
            start = token_at(text, start, start + 1).1;
        } else if CLASS[byte as usize] & BLANK != 0 {
            start += 1;
        } else {
            break;
        }
    }
    start
}

/// The end of an s-expression, or that it has none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// It ends before this byte.
    Ends(usize),
    /// It does not end within the text.
    Open,
}

/// The extent of the s-expression that starts at `text[start]`, which is no blank.
pub fn extent(text: &[u8], start: usize) -> Extent {
    let mut growing = Growing::at(start);
    match growing.next(text, true) {
        Some(range) => Extent::Ends(range.end),
        None => Extent::Open,
    }
}

/// One command of a script: its name and where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Command<'a> {
    /// The command's name, such as `assert`.
    pub head: &'a str,
    /// The whole command.
    pub text: &'a str,
    /// The place in the script where it starts.
    pub start: usize,
    /// The place after its end.
    pub end: usize,
}

/// Cuts a script into its commands; `None` if it does not end where a command ends.
pub fn commands(script: &str) -> Option<Vec<Command<'_>>> {
    let bytes = script.as_bytes();
    let mut found = Vec::new();
    let mut at = skip_blank(bytes, 0);
    while at < bytes.len() {
        if bytes[at] != b'(' {
            return None;
        }
        let Extent::Ends(end) = extent(bytes, at) else { return None };
        found.push(Command { head: head(&script[at..end]), text: &script[at..end], start: at, end });
        at = skip_blank(bytes, end);
    }
    Some(found)
}

/// The place of the first whole list from `from` on that is inside no other. Text outside lists is skipped.
pub fn next_list(text: &str, from: usize) -> Option<Range<usize>> {
    let mut growing = Growing::at(from);
    std::iter::from_fn(|| growing.next(text.as_bytes(), true))
        .find(|found| text[found.clone()].starts_with('('))
}

/// The name that a list begins with; nothing if it begins with a list or is empty.
pub fn head(list: &str) -> &str {
    let mut inside = tokens_from(list.as_bytes(), 1).skip_while(|token| token.kind == TokenKind::Comment);
    match inside.next() {
        Some(token) if !matches!(token.kind, TokenKind::Open | TokenKind::Close) => token.text(list),
        _ => "",
    }
}

/// The parts of a list's text, each as its own text.
pub fn parts(list: &str) -> Vec<&str> {
    let bytes = list.as_bytes();
    let mut found = Vec::new();
    let mut at = skip_blank(bytes, 1);
    while at < bytes.len() && bytes[at] != b')' {
        let Extent::Ends(end) = extent(bytes, at) else { break };
        found.push(&list[at..end]);
        at = skip_blank(bytes, end);
    }
    found
}

/// A piece of a text: a token, or the blanks between two tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece<'t> {
    /// The piece as it is written.
    pub text: &'t str,
    /// Whether it is a symbol, keyword or literal; a string is none.
    pub word: bool,
}

/// The pieces of a text, which put together are the text again.
pub fn pieces(text: &str) -> Vec<Piece<'_>> {
    let mut found = Vec::new();
    let mut at = 0;
    for token in tokens(text.as_bytes()) {
        if at < token.start {
            found.push(Piece { text: &text[at..token.start], word: false });
        }
        found.push(Piece { text: token.text(text), word: token.is_word() });
        at = token.end;
    }
    if at < text.len() {
        found.push(Piece { text: &text[at..], word: false });
    }
    found
}

/// The words of a text in order: its symbols, keywords and literals.
pub fn words(text: &str) -> impl Iterator<Item = &str> {
    tokens(text.as_bytes()).filter(|token| token.is_word()).map(|token| token.text(text))
}

/// The text with each word replaced by what `change` returns for it, if it returns something. A word is a symbol, a
/// keyword or a literal; strings, comments and blanks stay as they are.
pub fn with_words(text: &str, mut change: impl FnMut(&str) -> Option<String>) -> String {
    let mut out = String::with_capacity(text.len());
    let mut copied = 0;
    for token in tokens(text.as_bytes()).filter(|token| token.is_word()) {
        if let Some(new) = change(token.text(text)) {
            out.push_str(&text[copied..token.start]);
            out.push_str(&new);
            copied = token.end;
        }
    }
    out.push_str(&text[copied..]);
    out
}
