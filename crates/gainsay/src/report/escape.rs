//! Characters that must not reach a page or a drawing: control characters, and those that turn the direction of text.

/// The text with a replacement character for each character that cannot be shown or that would show another text.
///
/// Markup is escaped where it is made; this is the last step over a whole page or drawing.
pub fn without_control(text: &str) -> String {
    let shown = |c: char| match c {
        '\n' | '\t' => c,
        // They would show a formula that is not there.
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => '\u{fffd}',
        c if c.is_control() => '\u{fffd}',
        c => c,
    };
    text.chars().map(shown).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_shown_is_replaced() {
        let rows = [
            ("a\u{0}b\u{1b}[31m\r", "a\u{fffd}b\u{fffd}[31m\u{fffd}"),
            ("\u{202e}gnirts", "\u{fffd}gnirts"),
            ("é\n\t<b>", "é\n\t<b>"),
        ];
        for (text, expected) in rows {
            assert_eq!(without_control(text), expected);
        }
    }
}
