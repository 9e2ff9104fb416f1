//! Text into HTML, SVG and XML: nothing that a solver printed or a seed holds is ever markup.

/// Text as it may stand between tags or in a quoted attribute. What cannot stand in a page at all is shown as a sign.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 8);
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\n' | '\t' => out.push(c),
            // Signs that turn the direction of what follows would show a formula that is not there.
            '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => out.push('\u{fffd}'),
            c if c.is_control() => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_markup() {
        let rows = [
            ("<script>alert('x')</script>", "&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;"),
            ("\" onload=\"", "&quot; onload=&quot;"),
            ("a\u{0}b\u{1b}[31m\r", "a\u{fffd}b\u{fffd}[31m\u{fffd}"),
            ("\u{202e}gnirts", "\u{fffd}gnirts"),
            ("é\n\t", "é\n\t"),
        ];
        for (text, expected) in rows {
            assert_eq!(escape(text), expected);
        }
    }
}
