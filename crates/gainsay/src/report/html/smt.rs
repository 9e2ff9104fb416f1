//! SMT-LIB with colours: comments, strings, literals, keywords and what stands first in a list.

use super::super::escape::escape;

/// Bytes of a script that are shown; of longer ones, the beginning.
const SHOWN: usize = 64 << 10;

/// A script as HTML.
pub fn highlight(text: &str) -> String {
    let cut = text.char_indices().map(|(i, _)| i).find(|&i| i >= SHOWN).unwrap_or(text.len());
    let (shown, left) = text.split_at(cut);
    let mut out = String::with_capacity(shown.len() * 2);
    let mut rest = shown;
    let mut first = false;
    while let Some(c) = rest.chars().next() {
        let (length, class) = token(rest, c, first);
        let (word, after) = rest.split_at(length);
        match class {
            "" => out.push_str(&escape(word)),
            class => out.push_str(&format!("<span class=\"{class}\">{}</span>", escape(word))),
        }
        first = c == '(' || (first && c.is_whitespace());
        rest = after;
    }
    if !left.is_empty() {
        out.push_str(&format!("\n<span class=\"c\">; {} bytes more</span>", left.len()));
    }
    out
}

/// The bytes of the next token and its class.
fn token(rest: &str, c: char, first: bool) -> (usize, &'static str) {
    let until = |end: &dyn Fn(char) -> bool| rest.find(end).unwrap_or(rest.len());
    match c {
        ';' => (until(&|c| c == '\n'), "c"),
        '"' => (quoted(rest, '"'), "s"),
        '|' => (quoted(rest, '|'), if first { "o" } else { "" }),
        '(' | ')' => (1, "p"),
        c if c.is_whitespace() => (until(&|c| !c.is_whitespace()), ""),
        _ => {
            let ends = |c: char| c.is_whitespace() || matches!(c, '(' | ')' | ';' | '"' | '|');
            let length = until(&ends).max(c.len_utf8());
            let class = match c {
                ':' => "k",
                '#' | '0'..='9' => "n",
                _ if first => "o",
                _ => "",
            };
            (length, class)
        }
    }
}

/// The bytes up to the quote that ends it; a doubled quote is part of a string.
fn quoted(rest: &str, quote: char) -> usize {
    let bytes = rest.as_bytes();
    let mut i = 1;
    while i < bytes.len() {
        if bytes[i] == quote as u8 {
            if quote == '"' && bytes.get(i + 1) == Some(&b'"') {
                i += 1;
            } else {
                return i + 1;
            }
        }
        i += 1;
    }
    rest.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_have_their_colours() {
        let html = highlight("(assert (! (= x #b01) :named |a b|)) ; x\n(assert (= s \"a\"\"<b>\"))");
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
            let html = highlight(text);
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
