//! S-expressions, just enough of them to cut a script into commands and a reply into its parts.

/// How far a text goes, starting at an opening parenthesis or an atom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// It ends before this byte.
    Ends(usize),
    /// It does not end within the text.
    Open,
}

/// The extent of the s-expression that starts at `text[start]`, which is not a blank.
pub fn extent(text: &[u8], start: usize) -> Extent {
    let mut depth = 0_usize;
    let mut i = start;
    while i < text.len() {
        match text[i] {
            b'(' => depth += 1,
            b')' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return Extent::Ends(i + 1);
                }
            }
            b'"' => match string_end(text, i) {
                Some(end) if depth == 0 => return Extent::Ends(end),
                Some(end) => {
                    i = end;
                    continue;
                }
                None => return Extent::Open,
            },
            b'|' => match text[i + 1..].iter().position(|b| *b == b'|') {
                Some(n) if depth == 0 => return Extent::Ends(i + n + 2),
                Some(n) => i += n + 1,
                None => return Extent::Open,
            },
            b';' => match text[i..].iter().position(|b| *b == b'\n') {
                Some(n) => i += n,
                None => return Extent::Open,
            },
            _ if depth == 0 => {
                let ends = |b: &u8| b.is_ascii_whitespace() || matches!(b, b'(' | b')' | b'"' | b';' | b'|');
                return Extent::Ends(text[i..].iter().position(ends).map_or(text.len(), |n| i + n));
            }
            _ => {}
        }
        i += 1;
    }
    Extent::Open
}

/// The end of the string literal that starts at `text[start]`; a doubled quote belongs to it.
fn string_end(text: &[u8], start: usize) -> Option<usize> {
    let mut i = start + 1;
    loop {
        i += text.get(i..)?.iter().position(|b| *b == b'"')? + 1;
        if text.get(i) != Some(&b'"') {
            return Some(i);
        }
        i += 1;
    }
}

/// The first place from `start` on that is neither blank nor comment.
pub fn skip_blank(text: &[u8], mut start: usize) -> usize {
    while let Some(b) = text.get(start) {
        match b {
            b';' => start = text[start..].iter().position(|b| *b == b'\n').map_or(text.len(), |n| start + n),
            b if b.is_ascii_whitespace() => start += 1,
            _ => break,
        }
    }
    start
}

/// One command of a script: its head and where it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Command<'a> {
    /// The command's name, such as `assert`.
    pub head: &'a str,
    /// The whole command.
    pub text: &'a str,
    /// Where it starts in the script.
    pub start: usize,
    /// Where it ends.
    pub end: usize,
}

/// Cuts a script into its commands; `None` if it does not end where a command ends.
pub fn commands(script: &str) -> Option<Vec<Command<'_>>> {
    let bytes = script.as_bytes();
    let mut found = Vec::new();
    let mut at = skip_blank(bytes, 0);
    while at < bytes.len() {
        if bytes[at] != b'(' {
            return None;
        }
        let Extent::Ends(end) = extent(bytes, at) else { return None };
        let from = skip_blank(bytes, at + 1);
        let head = match extent(bytes, from) {
            Extent::Ends(to) if bytes[from] != b'(' && bytes[from] != b')' => &script[from..to],
            _ => "",
        };
        found.push(Command { head, text: &script[at..end], start: at, end });
        at = skip_blank(bytes, end);
    }
    Some(found)
}

/// The parts of a list's text, each as its own text.
pub fn parts(list: &str) -> Vec<&str> {
    let bytes = list.as_bytes();
    let mut found = Vec::new();
    let mut at = skip_blank(bytes, 1);
    while at < bytes.len() && bytes[at] != b')' {
        let Extent::Ends(end) = extent(bytes, at) else { break };
        found.push(&list[at..end]);
        at = skip_blank(bytes, end);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_are_cut() {
        let script = "; a ) comment\n(set-info :x |)(|)\n(assert (= s \"a\"\")\"))(check-sat) ; end";
        let heads: Vec<&str> = commands(script).expect("whole").iter().map(|c| c.head).collect();
        assert_eq!(heads, ["set-info", "assert", "check-sat"]);
        for open in ["(assert (= a b)", "(assert \"a)", "(assert |a)", "sat", "(check-sat))"] {
            assert!(commands(open).is_none(), "{open}");
        }
        assert_eq!(commands("").expect("empty").len(), 0);
        assert_eq!(commands("(( check-sat ))").expect("whole")[0].head, "");
    }

    #[test]
    fn lists_have_parts() {
        assert_eq!(parts("(a (b c) \"d e\" |f g|)"), ["a", "(b c)", "\"d e\"", "|f g|"]);
        assert_eq!(parts("()"), Vec::<&str>::new());
    }
}
