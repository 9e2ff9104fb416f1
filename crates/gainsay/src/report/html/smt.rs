//! SMT-LIB with colours: comments, strings, literals, keywords and what stands first in a list.

use maud::{Markup, html};
use smt::sexpr::{self, TokenKind};

/// Bytes of a script that are shown; of longer ones, the beginning.
const SHOWN: usize = 64 << 10;

/// A script with colours.
pub fn highlight(text: &str) -> Markup {
    let cut = text.char_indices().map(|(i, _)| i).find(|&i| i >= SHOWN).unwrap_or(text.len());
    let (shown, left) = text.split_at(cut);
    let mut parts: Vec<(&str, &str)> = Vec::new();
    let (mut copied, mut first) = (0, false);
    for token in sexpr::tokens(shown.as_bytes()) {
        let word = token.text(shown);
        parts.extend([("", &shown[copied..token.start]), (class(token.kind, word, first), word)]);
        copied = token.end;
        first = token.kind == TokenKind::Open;
    }
    parts.push(("", &shown[copied..]));
    html! {
        @for (class, word) in parts {
            @if class.is_empty() { (word) } @else { span class=(class) { (word) } }
        }
        @if !left.is_empty() {
            "\n" span.c { "; " (left.len()) " bytes more" }
        }
    }
}

/// The style class of a token; `first` says that it follows an opening parenthesis.
fn class(kind: TokenKind, word: &str, first: bool) -> &'static str {
    match (kind, word.as_bytes()[0]) {
        (TokenKind::Comment, _) => "c",
        (TokenKind::String, _) | (TokenKind::Unclosed, b'"') => "s",
        (TokenKind::Open | TokenKind::Close, _) => "p",
        (TokenKind::Atom, b':') => "k",
        (TokenKind::Atom, b'#' | b'0'..=b'9') => "n",
        _ if first => "o",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn escape(text: &str) -> String {
        html! { (text) }.into_string()
    }

    #[test]
    fn tokens_have_their_colours() {
        let html =
            highlight("(assert (! (= x #b01) :named |a b|)) ; x\n(assert (= s \"a\"\"<b>\"))").into_string();
        for part in [
            "<span class=\"o\">assert</span>",
            "<span class=\"n\">#b01</span>",
            "<span class=\"k\">:named</span>",
            "<span class=\"c\">; x</span>",
            "<span class=\"s\">&quot;a&quot;&quot;&lt;b&gt;&quot;</span>",
        ] {
            assert!(html.contains(part), "{part} in {html}");
        }
    }

    /// Whatever it is, all of it is there, and nothing else.
    #[test]
    fn nothing_is_lost() {
        let long = "(or p q) ".repeat(10_000);
        for text in ["", "((", "\"open", "|open", "λ(é \"ü\")", ";", ": # 1", "a\"b", &long] {
            let html = highlight(text).into_string();
            let mut plain = String::new();
            let mut inside = false;
            for c in html.chars() {
                match c {
                    '<' => inside = true,
                    '>' => inside = false,
                    c if !inside => plain.push(c),
                    _ => {}
                }
            }
            let expected = escape(text);
            let shown = plain.split("\n; ").next().unwrap_or_default();
            assert!(expected.starts_with(shown) && (shown == expected || text.len() > SHOWN), "{plain}");
        }
    }
}
