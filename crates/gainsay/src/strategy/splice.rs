//! Replacing some bytes of a text by others.

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

#[cfg(test)]
mod tests {
    use super::*;

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
