//! Values as cvc5 wants them inside constant arrays.

/// cvc5 takes only values in `((as const S) v)`, and `(- 2)` is none while `-2` is. None if some constant array is not
/// made of a value that can be written in one word.
pub fn constants_as_values(text: &str) -> Option<String> {
    const MARK: &str = "((as const ";
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(MARK) {
        let sort = at + MARK.len();
        let sort_end = sort + list_end(&rest[sort..])?;
        // Behind the sort stand a parenthesis, a blank and the value.
        let value = sort_end + 2;
        out.push_str(&rest[..value]);
        rest = &rest[value..];
        if rest.starts_with("((as const ") || !rest.starts_with('(') {
            continue;
        }
        let end = list_end(rest)?;
        let number = rest[..end].strip_prefix("(- ")?.strip_suffix(')')?;
        if !number.bytes().all(|b| b.is_ascii_digit() || b == b'.') {
            return None;
        }
        out.push('-');
        out.push_str(number);
        rest = &rest[end..];
    }
    out.push_str(rest);
    Some(out)
}

/// Where the list or word at the beginning ends.
fn list_end(text: &str) -> Option<usize> {
    let mut depth = 0;
    for (i, b) in text.bytes().enumerate() {
        match b {
            b'(' => depth += 1,
            b')' if depth == 1 => return Some(i + 1),
            b')' => depth -= 1,
            _ => {}
        }
    }
    None
}

#[test]
fn only_values_are_left_in_constant_arrays() {
    for (text, expected) in [
        ("(= 1 (- 2))", Some("(= 1 (- 2))")),
        ("((as const (Array Int Int)) 1)", Some("((as const (Array Int Int)) 1)")),
        ("((as const (Array Int Int)) (- 1))", Some("((as const (Array Int Int)) -1)")),
        ("((as const (Array Int Real)) (- 1.5))", Some("((as const (Array Int Real)) -1.5)")),
        ("((as const (Array Int Real)) (/ 1.0 3.0))", None),
        ("((as const (Array Int Int)) (+ 1 1))", None),
        (
            "((as const (Array Int (Array Int Int))) ((as const (Array Int Int)) (- 1)))",
            Some("((as const (Array Int (Array Int Int))) ((as const (Array Int Int)) -1))"),
        ),
    ] {
        assert_eq!(constants_as_values(text).as_deref(), expected);
    }
}
