//! String literals: the text between the quotes, read and written.

use std::fmt;

use super::text::LAST;

/// Which escapes a literal may hold; the same text means different strings to different solvers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Escapes {
    /// SMT-LIB 2.6: `\u{1F600}` and `\u00E9` only; any other backslash stands for itself.
    Standard,
    /// z3 up to 4.8.8: bytes, `\x41`, octal and C escapes; any other backslash vanishes, also that of `\u`.
    OldZ3,
    /// z3 4.8.9 and 4.8.10: the same, and `\u{41}` as in the standard, but bytes only.
    MixedZ3,
    /// What z3 4.8.11 and 4.8.12 print: the standard's escapes, but a backslash as itself. So `\u{41}` may be one
    /// character or six, and is refused.
    BareZ3,
    /// CVC4 in its SMT-LIB 2.5 mode: the same escapes, other octal numbers, bad ones refused.
    OldCvc4,
}

/// Why a text is no literal; the number is a byte offset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LiteralError {
    /// A quote that is not doubled.
    LoneQuote(usize),
    /// A character beyond plane 2, which the theory does not have.
    BeyondAlphabet(usize),
    /// An escape that the convention refuses.
    BadEscape(usize),
}

impl fmt::Display for LiteralError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (what, at) = match self {
            Self::LoneQuote(at) => ("a single quote", at),
            Self::BeyondAlphabet(at) => ("a character beyond U+2FFFF", at),
            Self::BadEscape(at) => ("a bad escape", at),
        };
        write!(f, "{what} at byte {at} of a string literal")
    }
}

impl std::error::Error for LiteralError {}

/// The string that `body`, the text between the quotes, stands for.
///
/// The standard allows printable ASCII only. A raw character beyond is taken as its code point, but
/// z3 takes its UTF-8 bytes: judge no solver by such a literal.
pub fn read(body: &str, escapes: Escapes) -> Result<Vec<u32>, LiteralError> {
    match escapes {
        Escapes::Standard | Escapes::BareZ3 => read_standard(body, escapes == Escapes::BareZ3),
        Escapes::OldZ3 | Escapes::MixedZ3 | Escapes::OldCvc4 => read_old(body, escapes),
    }
}

/// The text between the quotes that stands for `text`, as the standard spells it.
pub fn write(text: &[u32]) -> String {
    let mut body = String::with_capacity(text.len());
    for &code in text {
        match code {
            0x22 => body.push_str("\"\""),
            // A bare backslash might begin an escape together with what follows.
            0x5C => body.push_str("\\u{5c}"),
            0x20..=0x7E => body.push(code as u8 as char),
            _ => {
                use fmt::Write;
                write!(body, "\\u{{{code:x}}}").expect("a String takes all");
            }
        }
    }
    body
}

fn read_standard(body: &str, bare: bool) -> Result<Vec<u32>, LiteralError> {
    let mut text = Vec::with_capacity(body.len());
    let mut at = 0;
    while let Some(next) = body[at..].chars().next() {
        let (code, used) = match next {
            '"' if body[at..].starts_with("\"\"") => (0x22, 2),
            '"' => return Err(LiteralError::LoneQuote(at)),
            '\\' => match unicode_escape(&body.as_bytes()[at..]) {
                Some(_) if bare => return Err(LiteralError::BadEscape(at)),
                escape => escape.unwrap_or((0x5C, 1)),
            },
            _ => (next.into(), next.len_utf8()),
        };
        if code > LAST {
            return Err(LiteralError::BeyondAlphabet(at));
        }
        text.push(code);
        at += used;
    }
    Ok(text)
}

/// The code and length of the escape at the start of `bytes`, if there is one.
fn unicode_escape(bytes: &[u8]) -> Option<(u32, usize)> {
    let rest = bytes.strip_prefix(b"\\u")?;
    let Some(rest) = rest.strip_prefix(b"{") else {
        return Some((hex(rest.get(..4)?)?, 6));
    };
    let close = rest.iter().take(6).position(|&byte| byte == b'}').filter(|&count| count > 0)?;
    let code = hex(&rest[..close])?;
    (code <= LAST).then_some((code, close + 4))
}

fn hex(digits: &[u8]) -> Option<u32> {
    digits.iter().try_fold(0, |code, &byte| Some(code * 16 + (byte as char).to_digit(16)?))
}

/// The 8-bit conventions. Raw characters count as their bytes.
fn read_old(body: &str, escapes: Escapes) -> Result<Vec<u32>, LiteralError> {
    let cvc4 = escapes == Escapes::OldCvc4;
    let bytes = undoubled(body)?;
    let mut text = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(&(origin, first)) = bytes.get(at) {
        if cvc4 && !first.is_ascii() {
            return Err(LiteralError::BadEscape(origin));
        }
        if first != b'\\' {
            text.push(first.into());
            at += 1;
            continue;
        }
        if escapes == Escapes::MixedZ3 {
            let ahead: Vec<u8> = bytes[at..].iter().take(9).map(|&(_, byte)| byte).collect();
            if let Some((code, used)) = unicode_escape(&ahead) {
                text.push(u8::try_from(code).map_err(|_| LiteralError::BadEscape(origin))?.into());
                at += used;
                continue;
            }
        }
        let (code, used) = old_escape(&bytes[at..], cvc4).ok_or(LiteralError::BadEscape(origin))?;
        text.push(code);
        at += used;
    }
    Ok(text)
}

/// The bytes of a literal with their offsets. The lexer's doubled quotes are single quotes here.
fn undoubled(body: &str) -> Result<Vec<(usize, u8)>, LiteralError> {
    let mut bytes = Vec::with_capacity(body.len());
    let mut rest = body.bytes().enumerate();
    while let Some((at, byte)) = rest.next() {
        if byte == b'"' && rest.next().is_none_or(|(_, second)| second != b'"') {
            return Err(LiteralError::LoneQuote(at));
        }
        bytes.push((at, byte));
    }
    Ok(bytes)
}

/// The code and length of the escape at the start of `bytes`; none if CVC4 refuses it.
fn old_escape(bytes: &[(usize, u8)], cvc4: bool) -> Option<(u32, usize)> {
    let byte = |at: usize| bytes.get(at).map(|&(_, byte)| byte);
    let octal = |at: usize| byte(at).filter(|byte| (b'0'..=b'7').contains(byte)).map(|byte| byte - b'0');
    let digit = |at: usize| byte(at).and_then(|byte| (byte as char).to_digit(16));
    Some(match byte(1) {
        None if cvc4 => return None,
        None => (0x5C, 1),
        Some(b'x') => match (digit(2), digit(3)) {
            (Some(high), Some(low)) => (high * 16 + low, 4),
            _ if cvc4 => return None,
            _ => (b'x'.into(), 2),
        },
        Some(b'a') => (0x07, 2),
        Some(b'b') => (0x08, 2),
        Some(b't') => (0x09, 2),
        Some(b'n') => (0x0A, 2),
        Some(b'v') => (0x0B, 2),
        Some(b'f') => (0x0C, 2),
        Some(b'r') => (0x0D, 2),
        // CVC4 takes a lone 8 or 9 for a number, and a third digit only below \400.
        Some(number @ (b'8' | b'9')) if cvc4 => (u32::from(number - b'0'), 2),
        Some(other) => match (octal(1), octal(2), octal(3)) {
            (None, _, _) if cvc4 && !other.is_ascii() => return None,
            (None, _, _) => (other.into(), 2),
            (Some(one), None, _) => (one.into(), 2),
            (Some(one), Some(two), Some(three)) if !cvc4 || one < 4 => {
                ((u32::from(one) * 64 + u32::from(two) * 8 + u32::from(three)) & 0xFF, 4)
            }
            (Some(one), Some(two), _) => ((one * 8 + two).into(), 3),
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn codes(text: &str) -> Vec<u32> {
        text.chars().map(u32::from).collect()
    }

    rows! { standard_rows, |body: &str| read(body, Escapes::Standard);
        "empty"                           : "" => Ok(codes("")),
        "plain"                           : "a b~" => Ok(codes("a b~")),
        "quotes"                          : "\"\"a\"\"\"\"" => Ok(codes("\"a\"\"")),
        "one digit"                       : r"\u{A}" => Ok(vec![0xA]),
        "five digits"                     : r"\u{00041}" => Ok(codes("A")),
        "last"                            : r"\u{2fFfF}" => Ok(vec![0x2FFFF]),
        "surrogate"                       : r"\ud800\u{DFFF}" => Ok(vec![0xD800, 0xDFFF]),
        "four digits"                     : r"\u003A1" => Ok(codes(":1")),
        "after the last"                  : r"\u{30000}" => Ok(codes(r"\u{30000}")),
        "six digits"                      : r"\u{000041}" => Ok(codes(r"\u{000041}")),
        "far too great"                   : r"\u{FFFFFF}" => Ok(codes(r"\u{FFFFFF}")),
        "no digits"                       : r"\u{}" => Ok(codes(r"\u{}")),
        "no brace at the end"             : r"\u{41" => Ok(codes(r"\u{41")),
        "a stranger in braces"            : r"\u{4G}" => Ok(codes(r"\u{4G}")),
        "a sign in braces"                : r"\u{+4}" => Ok(codes(r"\u{+4}")),
        "a quote in braces"               : "\\u{4\"\"}" => Ok(codes("\\u{4\"}")),
        "three digits only"               : r"\u2CA" => Ok(codes(r"\u2CA")),
        "a stranger among four"           : r"\u2CXA" => Ok(codes(r"\u2CXA")),
        "capital U"                       : r"\U0041" => Ok(codes(r"\U0041")),
        "hexadecimal is four characters"  : r"\x41" => Ok(codes(r"\x41")),
        "no C escapes"                    : r"\n\t\\" => Ok(codes(r"\n\t\\")),
        "backslash before an escape"      : r"\\u{41}" => Ok(codes(r"\A")),
        "escape makes no escape"          : r"\u{5c}u{41}" => Ok(codes(r"\u{41}")),
        "backslash at the end"            : "\\" => Ok(codes("\\")),
        "raw beyond ASCII"                : "é\u{2FFFF}" => Ok(vec![0xE9, 0x2FFFF]),
        "raw beyond the alphabet"         : "a\u{30000}" => Err(LiteralError::BeyondAlphabet(1)),
        "lone quote"                      : "a\"b" => Err(LiteralError::LoneQuote(1)),
        "lone quote at the end"           : "\"\"\"" => Err(LiteralError::LoneQuote(2)),
    }

    rows! { old_rows, |body: &str| (read(body, Escapes::OldZ3).ok(), read(body, Escapes::OldCvc4).ok());
        "hexadecimal"                     : r"\x41\xfF" => (Some(vec![65, 255]), Some(vec![65, 255])),
        "hexadecimal, one digit"          : r"\x4" => (Some(codes("x4")), None),
        "C escapes"                       : r"\a\b\f\n\r\t\v" =>
            (Some(vec![7, 8, 12, 10, 13, 9, 11]), Some(vec![7, 8, 12, 10, 13, 9, 11])),
        "backslash"                       : r"\\n" => (Some(codes("\\n")), Some(codes("\\n"))),
        "no escape: e"                    : r"\e" => (Some(codes("e")), Some(codes("e"))),
        "quote"                           : "\\\"\"" => (Some(codes("\"")), Some(codes("\""))),
        "octal, one digit"                : r"\08" => (Some(vec![0, 56]), Some(vec![0, 56])),
        "octal, two digits"               : r"\418" => (Some(vec![33, 56]), Some(vec![33, 56])),
        "octal, three digits"             : r"\1011" => (Some(codes("A1")), Some(codes("A1"))),
        "octal, past a byte"              : r"\477" => (Some(vec![63]), Some(vec![39, 55])),
        "not octal"                       : r"\9" => (Some(codes("9")), Some(vec![9])),
        "unicode is no escape"            : r"\u{41}" => (Some(codes("u{41}")), Some(codes("u{41}"))),
        "backslash at the end"            : "a\\" => (Some(codes("a\\")), None),
        "bytes"                           : "é" => (Some(vec![0xC3, 0xA9]), None),
        "lone quote"                      : "\"" => (None, None),
    }

    rows! { mixed_rows, |body: &str| read(body, Escapes::MixedZ3).ok();
        "unicode"                         : r"\u{41}\u0042\x43" => Some(codes("ABC")),
        "after a backslash"               : r"\\u{41}" => Some(codes(r"\u{41}")),
        "not quite unicode"               : r"\u{41\u41" => Some(codes("u{41u41")),
        "five digits"                     : r"\u{000e9}" => Some(vec![0xE9]),
        "more than a byte"                : r"\u{100}" => None,
    }

    rows! { bare_rows, |body: &str| read(body, Escapes::BareZ3).ok();
        "one character or six"            : r"a\u{41}" => None,
        "a backslash"                     : r"\x41\" => Some(codes(r"\x41\")),
        "not quite unicode"               : r"\u{41" => Some(codes(r"\u{41")),
    }

    rows! { write_rows, write;
        "plain"            : &codes("a b~") => "a b~",
        "quote"            : &codes("\"") => "\"\"",
        "backslash"        : &codes(r"\u{41}") => r"\u{5c}u{41}",
        "control"          : &[0, 0x1F, 0x7F] => r"\u{0}\u{1f}\u{7f}",
        "last"             : &[LAST] => r"\u{2ffff}",
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(
            text in prop::collection::vec(
                prop_oneof![0..=LAST, 0x20_u32..0x7F, prop::sample::select(codes("\\\\u{}\"41"))],
                0..20,
            )
        ) {
            let body = write(&text);
            prop_assert!(body.bytes().all(|byte| (0x20..0x7F).contains(&byte)));
            prop_assert_eq!(read(&body, Escapes::Standard), Ok(text));
        }

        #[test]
        fn any_text_is_read_or_refused(body in r#"[\\xu{}0-9a-f"é]{0,12}"#) {
            use Escapes::{BareZ3, MixedZ3, OldCvc4, OldZ3, Standard};
            for escapes in [Standard, OldZ3, MixedZ3, BareZ3, OldCvc4] {
                let _ = read(&body, escapes);
            }
        }
    }
}
