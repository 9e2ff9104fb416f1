//! Lines that a terminal does not break: lists are wrapped, and what is longer is cut where somebody watches.

use std::borrow::Cow;

/// As wide as a terminal is if nobody says anything else.
const USUAL: usize = 80;

/// A line as it is shown: whole in a pipe or a file; on a terminal no longer than that is wide, with `…` for the rest.
pub fn fitted(line: &str) -> Cow<'_, str> {
    match rustix::termios::tcgetwinsize(std::io::stdout()) {
        Ok(size) => cut(line, if size.ws_col == 0 { USUAL } else { size.ws_col.into() }),
        Err(_) => line.into(),
    }
}

fn cut(line: &str, width: usize) -> Cow<'_, str> {
    match line.char_indices().nth(width) {
        None => line.into(),
        Some(_) => line.chars().take(width.saturating_sub(1)).chain(['…']).collect::<String>().into(),
    }
}

/// A text after a heading: one line in a pipe or a file; on a terminal, further lines hang below the text.
pub fn wrapped(heading: &str, text: &str) -> String {
    match rustix::termios::tcgetwinsize(std::io::stdout()) {
        Ok(size) if size.ws_col > 0 => hanging_in(size.ws_col.into(), heading, text.split(' ')),
        Ok(_) => hanging(heading, text.split(' ')),
        Err(_) => format!("{heading}{text}"),
    }
}

/// Words after a heading, further lines below the first word.
pub fn hanging<'w>(heading: &str, words: impl IntoIterator<Item = &'w str>) -> String {
    hanging_in(USUAL, heading, words)
}

fn hanging_in<'w>(width: usize, heading: &str, words: impl IntoIterator<Item = &'w str>) -> String {
    let indent = " ".repeat(heading.chars().count());
    let options = textwrap::Options::new(width)
        .initial_indent(heading)
        .subsequent_indent(&indent)
        .word_separator(textwrap::WordSeparator::AsciiSpace)
        .word_splitter(textwrap::WordSplitter::NoHyphenation)
        .break_words(false);
    textwrap::fill(&words.into_iter().collect::<Vec<_>>().join(" "), options)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_cut_where_they_are_too_long() {
        for (line, width, expected) in [("abc", 3, "abc"), ("abcd", 3, "ab…"), ("äöü", 2, "ä…"), ("", 5, "")]
        {
            assert_eq!(cut(line, width), expected);
        }
    }

    #[test]
    fn words_hang_below_the_first() {
        let words = ["a234567890"; 9];
        let text = hanging("  heading  ", words);
        let lines: Vec<_> = text.lines().collect();
        assert_eq!(lines.len(), 2);
        assert!(lines.iter().all(|line| line.len() <= USUAL), "{text}");
        assert!(lines[1].starts_with("           a2"), "{text}");
        assert_eq!(text.split_whitespace().count(), 10);
        assert_eq!(hanging("x ", ["y"]), "x y");
        let long = "l".repeat(100);
        assert_eq!(hanging("x ", [long.as_str()]), format!("x {long}"), "one word is never broken");
    }
}
