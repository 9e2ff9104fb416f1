//! Texts that are not quite text.

use smt::{is_simple, read};

use super::{on_a_small_stack, refused};

#[test]
fn refused_with_a_place() {
    const ROWS: &[(&str, &[u8], &str)] = &[
        ("a string", b"(assert (= \"a\xff\" \"\"))", "1:14: this byte is not UTF-8 text"),
        ("a quoted symbol", b"(declare-const |a\xff| Bool)", "1:18: this byte is not UTF-8 text"),
        ("a symbol", b"(assert\n a\xc3)", "2:3: this byte is not UTF-8 text"),
        ("a symbol alone", b"(declare-const \xf0\x9f Bool)", "1:16: this byte is not UTF-8 text"),
        ("what is not understood", b"(assert (unknown (\xff)))", "1:19: this byte is not UTF-8 text"),
        ("a command's name", b"(\xff)", "1:2: this byte is not UTF-8 text"),
        ("an option", b"(set-info :a (\xff))", "1:15: this byte is not UTF-8 text"),
        (
            "a NUL in a term",
            b"(assert \0)(check-sat)",
            "1:9: expected a blank or a printable character, not byte 00",
        ),
        (
            "a NUL at the top",
            b"(check-sat)\0",
            "1:12: expected a blank or a printable character, not byte 00",
        ),
        ("an escape", b"(assert \x1b[0m)", "1:9: expected a blank or a printable character, not byte 1b"),
        ("an unclosed string", b"(echo \"abc)", "1:7: this string is never closed"),
        ("a string that ends in two quotes", b"(echo \"abc\"\")", "1:7: this string is never closed"),
        ("an unclosed symbol", b"(assert |abc)", "1:9: this quoted symbol is never closed"),
        ("an unclosed parenthesis", b"(check-sat)\n(assert (not p)", "2:1: this parenthesis is never closed"),
        ("an extra parenthesis", b"(check-sat))", "1:12: this parenthesis closes nothing"),
        ("an atom", b"check-sat", "1:1: expected a command in parentheses"),
        ("a number", b"\r\n 12", "2:2: expected a command in parentheses"),
        ("a string at the top", b"\"a\"", "1:1: expected a command in parentheses"),
        ("a keyword at the top", b":status", "1:1: expected a command in parentheses"),
        ("an empty list", b"()", "1:1: expected a command, not an empty list"),
        ("half a byte order mark", b"\xef\xbb(check-sat)", "1:1: expected a command in parentheses"),
    ];
    for &(what, text, message) in ROWS {
        assert_eq!(refused(text), format!("hostile.smt2:{message}"), "{what}");
    }
}

#[test]
fn accepted() {
    const ROWS: &[(&str, &[u8], usize)] = &[
        ("nothing", b"", 0),
        ("blanks", b" \t\r\n\x0c ", 0),
        ("a comment", b"; nothing", 0),
        ("a comment that is not text", b"; \xff\xfe\0\n(check-sat)", 1),
        ("a comment that is not text inside", b"(assert ;\xff\n true)", 1),
        ("a byte order mark", b"\xef\xbb\xbf(check-sat)", 1),
        ("only a byte order mark", b"\xef\xbb\xbf", 0),
        ("lines of Windows", b"(declare-const p Bool)\r\n(assert\r\n p)\r\n; a\r\n(check-sat)\r\n", 3),
        ("lines of old Macs", b"(assert true)\r(check-sat)\r", 2),
        ("text beyond ASCII", "(declare-const é Bool)(assert é)(echo \"日本\")".as_bytes(), 3),
        ("a quoted symbol over lines", b"(declare-const |a\nb| Bool)(assert |a\nb|)", 2),
        ("an empty name", b"(declare-const || Bool)(assert ||)", 2),
        ("parentheses in quotes", b"(echo \"(((\")(set-info :a |)))|)", 2),
        ("a comment at the end of a list", b"(assert true ; x\n)", 1),
    ];
    for &(what, text, commands) in ROWS {
        let script = read(text).unwrap_or_else(|error| panic!("{what}: {error}"));
        assert_eq!(script.commands.len(), commands, "{what}");
        assert!(script.is_lossless(), "{what}");
    }
}

#[test]
fn long_atoms() {
    let digits = "9".repeat(100_000);
    let symbol = "s".repeat(1 << 20);
    assert!(is_simple(&symbol));
    let rows = [
        ("a numeral", format!("(assert (= {digits} {digits}1))")),
        ("a decimal", format!("(assert (= {digits}.5 0.{digits}))")),
        ("a fraction over much", format!("(assert (= 1/{digits} 0.5))")),
        ("a hexadecimal", format!("(assert (= (bvnot #x{digits}) #x{digits}))")),
        ("a binary", format!("(assert (= (bvnot #b{0}) #b{0}))", "10".repeat(50_000))),
        ("a symbol", format!("(declare-const {symbol} Bool)(assert (and {symbol} |{symbol}|))")),
        ("a keyword", format!("(assert (! true :{symbol} {symbol}))")),
        ("a string", format!("(assert (= \"{symbol}\" (str.++ \"{symbol}\" \"\\u{{1}}\")))")),
        (
            "escapes",
            format!("(assert (= 1 (str.len \"{}\")))", "\\u{2FFFF}\\u{300000}\\uFFFF\\u{}\\u".repeat(20_000)),
        ),
        ("one long escape", format!("(assert (= 1 (str.len \"\\u{{{digits}}}\")))")),
        ("quotes", format!("(assert (= 1 (str.len \"{}\")))", "\"".repeat(200_000))),
        ("a comment", format!(";{symbol}\n(assert true)")),
        ("blanks", format!("(assert {}true)", " ".repeat(1 << 22))),
        ("an unknown name", format!("(assert (= {symbol} {symbol}))")),
    ];
    for (what, text) in rows {
        on_a_small_stack(what, move || {
            super::survives(&text);
        });
    }
    for (what, text) in [
        (
            "a name of no sort",
            format!("(declare-const x Int)(assert (+ x |{symbol}| \"\"))(assert (x {symbol}))"),
        ),
        ("a name that takes nothing", format!("(declare-fun {symbol} (Int) Int)(assert ({symbol} true))")),
        ("much that does not fit", format!("(declare-const p Bool)(assert (+ {}))", "p ".repeat(100_000))),
        ("a long line", format!("(assert (and {} 1))", "true ".repeat(100_000))),
    ] {
        let line = refused(text.as_bytes());
        assert!(line.len() < 1000, "{what}: {} bytes", line.len());
    }
}
