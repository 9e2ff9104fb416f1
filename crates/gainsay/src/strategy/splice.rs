//! Splicing: a list in a text, and other bytes in its place.

use smt::Span;

/// Puts bytes in the place of others, all that follow moved at once.
pub(super) fn replace_bytes(text: &mut Vec<u8>, part: Span, new: &[u8]) {
    let (start, end, length) = (part.start as usize, part.end as usize, text.len());
    let new_end = start + new.len();
    if new_end > end {
        text.resize(length + new_end - end, 0);
    }
    text.copy_within(end..length, new_end);
    text[start..new_end].copy_from_slice(new);
    text.truncate(length + new_end - end);
}

/// How long the list at the beginning of a text is.
pub(super) fn extent(text: &[u8]) -> usize {
    let (mut depth, mut at) = (0u32, 0);
    while let Some(&byte) = text.get(at) {
        at += 1;
        let past = |end: u8| text[at..].iter().position(|&b| b == end).map_or(text.len(), |n| at + n + 1);
        match byte {
            b'(' => depth += 1,
            b')' if depth <= 1 => break,
            b')' => depth -= 1,
            // A doubled quote ends a string and begins the next.
            b'"' | b'|' => at = past(byte),
            b';' => at = past(b'\n'),
            _ => {}
        }
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_ends_where_it_is_closed() {
        let rows = [
            ("(f x) y)", 5),
            ("(f (g x) y) z", 11),
            ("(= s \")\" |)|) t", 13),
            ("(= s \"a\"\")\") t", 12),
            ("(f ; )\n x) y", 10),
            ("()", 2),
            ("(never closed", 13),
        ];
        for (text, expected) in rows {
            assert_eq!(extent(text.as_bytes()), expected, "{text}");
        }
    }

    #[test]
    fn what_follows_is_moved() {
        let rows = [
            ("abcdef", 1, 3, "xyz", "axyzdef"),
            ("abcdef", 1, 5, "x", "axf"),
            ("ab", 1, 1, "", "ab"),
            ("ab", 2, 2, "c", "abc"),
        ];
        for (text, start, end, new, expected) in rows {
            let mut bytes = text.as_bytes().to_vec();
            replace_bytes(&mut bytes, Span { start, end }, new.as_bytes());
            assert_eq!(bytes, expected.as_bytes(), "{text} {start}..{end} {new}");
        }
    }
}
