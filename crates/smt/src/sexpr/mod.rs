//! The scanner of s-expressions: tokens with their positions, and small readers that cut a text into commands,
//! lists and parts.
//!
//! It knows brackets, quotes and comments, and nothing of sorts or commands, so that it serves for scripts, for
//! models and for whatever else a solver prints. [`crate::read`] is built on it.
//!
//! ```
//! use smt::sexpr;
//!
//! let script = "(declare-const |a b| Int) ; a )\n(assert (= |a b| 1))";
//! let commands = sexpr::commands(script).expect("all parentheses close");
//! assert_eq!(commands[1].head, "assert");
//! assert_eq!(sexpr::parts(commands[0].text), ["declare-const", "|a b|", "Int"]);
//! assert!(sexpr::commands("(assert (= a 1)").is_none());
//! ```

mod cut;
mod growing;
mod token;

pub use cut::{
    Command, Extent, Piece, commands, extent, head, next_list, parts, pieces, skip_blank, with_words, words,
};
pub use growing::Growing;
pub use token::{Token, TokenKind, Tokens, tokens, tokens_from};
pub(crate) use token::{atom_end, delimited_at, is_in_atom, skip_blanks};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_have_kinds_and_places() {
        use TokenKind::{Atom, Close, Comment, Open, Quoted, Stray, String, Unclosed};
        let text = "(a |b c| \"x \"\" y\"#x0f\u{1}); d\r(e)\n|f";
        let found: Vec<_> = tokens(text.as_bytes()).map(|t| (t.kind, t.text(text))).collect();
        let expected = [
            (Open, "("),
            (Atom, "a"),
            (Quoted, "|b c|"),
            (String, "\"x \"\" y\""),
            (Atom, "#x0f"),
            (Stray, "\u{1}"),
            (Close, ")"),
            (Comment, "; d"),
            (Open, "("),
            (Atom, "e"),
            (Close, ")"),
            (Unclosed, "|f"),
        ];
        assert_eq!(found, expected);
    }

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
        assert_eq!(commands("( ;c\n check-sat)").expect("whole")[0].head, "check-sat");
    }

    #[test]
    fn a_line_ends_with_either_character() {
        for end in ["\n", "\r", "\r\n"] {
            assert_eq!(commands(&format!("; a{end}(exit)")).expect("whole").len(), 1, "{end:?}");
        }
    }

    #[test]
    fn lists_have_parts() {
        assert_eq!(parts("(a (b c) \"d e\" |f g|)"), ["a", "(b c)", "\"d e\"", "|f g|"]);
        assert_eq!(parts("()"), Vec::<&str>::new());
    }

    #[test]
    fn lists_end_where_they_are_closed() {
        let rows = [
            ("(f x) y)", Some(5)),
            ("(f (g x) y) z", Some(11)),
            ("(= s \")\" |)|) t", Some(13)),
            ("(= s \"a\"\")\") t", Some(12)),
            ("(f ; )\n x) y", Some(10)),
            ("()", Some(2)),
            ("(never closed", None),
            ("sat (", Some(3)),
            ("\"a\"\"b\"c", Some(6)),
            (")", Some(1)),
        ];
        for (text, expected) in rows {
            let end = match extent(text.as_bytes(), 0) {
                Extent::Ends(end) => Some(end),
                Extent::Open => None,
            };
            assert_eq!(end, expected, "{text}");
        }
    }

    /// However a text is cut into pieces, the same s-expressions are found in it, each as soon as it is whole.
    #[test]
    fn pieces_make_no_difference() {
        let text = "sat ; c (\n(a \"x\"\")\" |)| (b)) ) \"s\"\"t\" (error \"x\") |q| last";
        let found = |size: usize| {
            let mut growing = Growing::default();
            let mut all = Vec::new();
            let mut length = 0;
            loop {
                length = (length + size).min(text.len());
                while let Some(range) = growing.next(&text.as_bytes()[..length], length == text.len()) {
                    all.push(&text[range]);
                }
                if length == text.len() {
                    return all;
                }
            }
        };
        let whole = ["sat", "(a \"x\"\")\" |)| (b))", ")", "\"s\"\"t\"", "(error \"x\")", "|q|", "last"];
        for size in 1..=text.len() {
            assert_eq!(found(size), whole, "{size}");
        }
    }

    #[test]
    fn words_are_told_from_the_rest() {
        let text = "(a |b c| \"a\" #x0f) ; a\n(e)";
        assert_eq!(pieces(text).iter().map(|piece| piece.text).collect::<String>(), text);
        assert_eq!(words(text).collect::<Vec<_>>(), ["a", "|b c|", "#x0f", "e"]);
        assert_eq!(with_words(text, |w| (w == "a").then(|| "zz".to_owned())), text.replacen('a', "zz", 1));
    }
}
