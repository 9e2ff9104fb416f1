//! Words of a script's text, for those who change the same word everywhere.

/// A piece of text: a word, a literal, a bracket or what is between them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token<'t> {
    /// The piece, as written.
    pub text: &'t str,
    /// Whether it is a word or a literal: no bracket, blank, string or comment.
    pub word: bool,
}

/// The pieces of a text, which put together are the text again.
pub fn tokens(text: &str) -> Vec<Token<'_>> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let begin = at;
        let until = |end: u8, from: usize| {
            bytes[from..].iter().position(|b| *b == end).map_or(bytes.len(), |n| from + n + 1)
        };
        let word = match bytes[at] {
            b'"' => {
                at = until(b'"', at + 1);
                while bytes.get(at) == Some(&b'"') {
                    at = until(b'"', at + 1);
                }
                false
            }
            b'|' => {
                at = until(b'|', at + 1);
                true
            }
            b';' => {
                at = until(b'\n', at);
                false
            }
            b'(' | b')' => {
                at += 1;
                false
            }
            b if b.is_ascii_whitespace() => {
                at += 1;
                false
            }
            _ => {
                let ends = |b: &u8| b.is_ascii_whitespace() || b"()\";|".contains(b);
                at = bytes[at..].iter().position(ends).map_or(bytes.len(), |n| begin + n);
                true
            }
        };
        found.push(Token { text: &text[begin..at], word });
    }
    found
}

/// The text with each word put through `change`.
pub fn changed(text: &str, mut change: impl FnMut(&str) -> Option<String>) -> String {
    let mut out = String::with_capacity(text.len());
    for token in tokens(text) {
        match token.word.then(|| change(token.text)).flatten() {
            Some(new) => out.push_str(&new),
            None => out.push_str(token.text),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_told_from_the_rest() {
        let text = "(a |b c| \"x \"\" y\" #x0f) ; d\n(e)";
        assert_eq!(tokens(text).iter().map(|t| t.text).collect::<String>(), text);
        let words: Vec<_> = tokens(text).into_iter().filter(|t| t.word).map(|t| t.text).collect();
        assert_eq!(words, ["a", "|b c|", "#x0f", "e"]);
        assert_eq!(changed(text, |w| (w == "a").then(|| "zz".to_owned())), text.replacen('a', "zz", 1));
    }
}
