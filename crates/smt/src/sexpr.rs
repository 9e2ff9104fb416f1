//! The scanner of s-expressions: tokens with their positions, and small readers that cut a text into commands,
//! lists and parts.
//!
//! It knows brackets, quotes and comments, and nothing of sorts or commands, so that it serves for scripts, for
//! models and for whatever else a solver prints. [`crate::read`] is built on it.
//!
//! ```
//! use smt::sexpr;
//!
//! let script = "(declare-const |a b| Int) ; a )\n(assert (= |a b| 1))";
//! let commands = sexpr::commands(script).expect("all parentheses close");
//! assert_eq!(commands[1].head, "assert");
//! assert_eq!(sexpr::parts(commands[0].text), ["declare-const", "|a b|", "Int"]);
//! assert!(sexpr::commands("(assert (= a 1)").is_none());
//! ```

use std::ops::Range;

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

const BLANK: u8 = 1;
const ENDS_ATOM: u8 = 2;
/// Begins a token that is no atom.
const SPECIAL: u8 = 4;

/// What each byte can be part of.
const CLASS: [u8; 256] = {
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
        let text = self.text;
        let mut start = self.at;
        while CLASS[*text.get(start)? as usize] & BLANK != 0 {
            start += 1;
        }
        let (kind, end) = token_at(text, start, start + 1);
        self.at = end;
        Some(Token { kind, start, end })
    }
}

/// The token that starts at `start`, which is no blank: its kind and its end. The bytes before `from` are known to
/// belong to it.
#[inline]
fn token_at(text: &[u8], start: usize, from: usize) -> (TokenKind, usize) {
    let rest = &text[from..];
    match text[start] {
        b'(' => (TokenKind::Open, from),
        b')' => (TokenKind::Close, from),
        b'"' => match string_end(text, from) {
            Some(end) => (TokenKind::String, end),
            None => (TokenKind::Unclosed, text.len()),
        },
        b'|' => match memchr(b'|', rest) {
            Some(n) => (TokenKind::Quoted, from + n + 1),
            None => (TokenKind::Unclosed, text.len()),
        },
        b';' => (TokenKind::Comment, memchr2(b'\n', b'\r', rest).map_or(text.len(), |n| from + n)),
        0..0x20 | 0x7f => (TokenKind::Stray, from),
        _ => {
            let mut end = from;
            while end < text.len() && CLASS[text[end] as usize] & ENDS_ATOM == 0 {
                end += 1;
            }
            (TokenKind::Atom, end)
        }
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

/// How far an s-expression goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// It ends before this byte.
    Ends(usize),
    /// It does not end within the text.
    Open,
}

/// The extent of the s-expression that starts at `text[start]`, which is no blank.
pub fn extent(text: &[u8], start: usize) -> Extent {
    let mut growing = Growing { at: start, ..Growing::default() };
    match growing.next(text, true) {
        Some(range) => Extent::Ends(range.end),
        None => Extent::Open,
    }
}

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

/// One command of a script: its name and where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Command<'a> {
    /// The command's name, such as `assert`.
    pub head: &'a str,
    /// The whole command.
    pub text: &'a str,
    /// Where it starts in the script.
    pub start: usize,
    /// Where it ends.
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

/// The place of the first whole list from `from` on that is inside no other; what stands outside lists is skipped.
pub fn next_list(text: &str, from: usize) -> Option<Range<usize>> {
    let mut growing = Growing { at: from, ..Growing::default() };
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_have_kinds_and_places() {
        use TokenKind::{Atom, Close, Comment, Open, Quoted, Stray, String, Unclosed};
        let text = "(a |b c| \"x \"\" y\"#x0f\u{1}); d\r(e)\n|f";
        let found: Vec<_> = tokens(text.as_bytes()).map(|t| (t.kind, t.text(text))).collect();
        let expected = [
            (Open, "("),
            (Atom, "a"),
            (Quoted, "|b c|"),
            (String, "\"x \"\" y\""),
            (Atom, "#x0f"),
            (Stray, "\u{1}"),
            (Close, ")"),
            (Comment, "; d"),
            (Open, "("),
            (Atom, "e"),
            (Close, ")"),
            (Unclosed, "|f"),
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn scripts_are_cut() {
        let script = "; a ) comment\n(set-info :x |)(|)\n(assert (= s \"a\"\")\"))(check-sat) ; end";
        let heads: Vec<&str> = commands(script).expect("whole").iter().map(|c| c.head).collect();
        assert_eq!(heads, ["set-info", "assert", "check-sat"]);
        for open in ["(assert (= a b)", "(assert \"a)", "(assert |a)", "sat", "(check-sat))"] {
            assert!(commands(open).is_none(), "{open}");
        }
        assert_eq!(commands("").expect("empty").len(), 0);
        assert_eq!(commands("(( check-sat ))").expect("whole")[0].head, "");
        assert_eq!(commands("( ;c\n check-sat)").expect("whole")[0].head, "check-sat");
    }

    #[test]
    fn a_line_ends_with_either_character() {
        for end in ["\n", "\r", "\r\n"] {
            assert_eq!(commands(&format!("; a{end}(exit)")).expect("whole").len(), 1, "{end:?}");
        }
    }

    #[test]
    fn lists_have_parts() {
        assert_eq!(parts("(a (b c) \"d e\" |f g|)"), ["a", "(b c)", "\"d e\"", "|f g|"]);
        assert_eq!(parts("()"), Vec::<&str>::new());
    }

    #[test]
    fn lists_end_where_they_are_closed() {
        let rows = [
            ("(f x) y)", Some(5)),
            ("(f (g x) y) z", Some(11)),
            ("(= s \")\" |)|) t", Some(13)),
            ("(= s \"a\"\")\") t", Some(12)),
            ("(f ; )\n x) y", Some(10)),
            ("()", Some(2)),
            ("(never closed", None),
            ("sat (", Some(3)),
            ("\"a\"\"b\"c", Some(6)),
            (")", Some(1)),
        ];
        for (text, expected) in rows {
            let end = match extent(text.as_bytes(), 0) {
                Extent::Ends(end) => Some(end),
                Extent::Open => None,
            };
            assert_eq!(end, expected, "{text}");
        }
    }

    /// However a text is cut into pieces, the same s-expressions are found in it, each as soon as it is whole.
    #[test]
    fn pieces_make_no_difference() {
        let text = "sat ; c (\n(a \"x\"\")\" |)| (b)) ) \"s\"\"t\" (error \"x\") |q| last";
        let found = |size: usize| {
            let mut growing = Growing::default();
            let mut all = Vec::new();
            let mut length = 0;
            loop {
                length = (length + size).min(text.len());
                while let Some(range) = growing.next(&text.as_bytes()[..length], length == text.len()) {
                    all.push(&text[range]);
                }
                if length == text.len() {
                    return all;
                }
            }
        };
        let whole = ["sat", "(a \"x\"\")\" |)| (b))", ")", "\"s\"\"t\"", "(error \"x\")", "|q|", "last"];
        for size in 1..=text.len() {
            assert_eq!(found(size), whole, "{size}");
        }
    }

    #[test]
    fn words_are_told_from_the_rest() {
        let text = "(a |b c| \"a\" #x0f) ; a\n(e)";
        assert_eq!(pieces(text).iter().map(|piece| piece.text).collect::<String>(), text);
        assert_eq!(words(text).collect::<Vec<_>>(), ["a", "|b c|", "#x0f", "e"]);
        assert_eq!(with_words(text, |w| (w == "a").then(|| "zz".to_owned())), text.replacen('a', "zz", 1));
    }
}
