//! Each operator against a table of words.

use dashu_int::IBig;

use super::super::{Regex, indexof_re, replace_re, replace_re_all};
use super::{codes, fuel, has, lit, range, string};
use crate::value::text::LAST;

/// One test per operator; each row lists words inside and words outside.
macro_rules! rows {
    ($($test:ident { $($why:literal : $regex:expr => $inside:expr, $outside:expr;)+ })+) => {$(
        #[test]
        fn $test() {
            $(
                let regex: Regex = $regex;
                let inside: &[&str] = &$inside;
                let outside: &[&str] = &$outside;
                for word in inside {
                    assert!(has(&regex, word), "{}: {word:?} should be inside", $why);
                }
                for word in outside {
                    assert!(!has(&regex, word), "{}: {word:?} should be outside", $why);
                }
            )+
        }
    )+};
}

rows! {
    constant_rows {
        "none"               : Regex::none() => [], ["", "a"];
        "all"                : Regex::all() => ["", "a", "\u{2FFFF}ab"], [];
        "allchar"            : Regex::allchar() => ["a", "\0", "\u{2FFFF}"], ["", "ab"];
        "word"               : lit("ab") => ["ab"], ["", "a", "abc", "ba"];
        "empty word"         : lit("") => [""], ["a"];
    }
    range_rows {
        "some"               : range("b", "d") => ["b", "c", "d"], ["", "a", "e", "bc"];
        "one"                : range("b", "b") => ["b"], ["a", "c"];
        "whole alphabet"     : range("\0", "\u{2FFFF}") => ["\0", "\u{2FFFF}"], ["", "ab"];
        "wrong order"        : range("d", "b") => [], ["", "b", "c", "d"];
        "empty bound"        : range("", "b") => [], ["", "a", "b"];
        "long bound"         : range("a", "bc") => [], ["", "a", "b"];
    }
    concat_rows {
        "two"                : Regex::concat([lit("a"), lit("b").star()]) => ["a", "abb"], ["", "b", "aba"];
        "none of them"       : Regex::concat([]) => [""], ["a"];
        "nothing annihilates": Regex::concat([lit("a"), Regex::none()]) => [], ["", "a"];
        "ambiguous"          : Regex::concat([lit("a").star(), lit("ab").opt(), lit("b")]) => ["b", "ab", "abb", "aab", "aabb"], ["abbb", "a"];
    }
    union_rows {
        "two"                : Regex::union([lit("a"), lit("bc")]) => ["a", "bc"], ["", "b", "abc"];
        "none of them"       : Regex::union([]) => [], ["", "a"];
    }
    inter_rows {
        "two"                : Regex::inter([lit("a").star(), Regex::allchar().power(2).star()]) => ["", "aa"], ["a", "ab"];
        "none of them"       : Regex::inter([]) => ["", "a"], [];
        "sets"               : Regex::inter([range("a", "c"), range("b", "d"), range("c", "z")]) => ["c"], ["b", "d"];
    }
    comp_rows {
        "word"               : lit("a").comp() => ["", "b", "aa"], ["a"];
        "everything"         : Regex::all().comp() => [], ["", "a"];
        "one character not a": Regex::inter([Regex::allchar(), lit("a").comp()]) => ["b"], ["", "a", "bb"];
    }
    diff_rows {
        "two"                : lit("a").star().diff([lit("a")]) => ["", "aa"], ["a", "b"];
        "three, from the left": lit("a").star().diff([lit("a"), lit("aa")]) => ["", "aaa"], ["a", "aa"];
        "one"                : lit("a").diff([]) => ["a"], [""];
    }
    star_rows {
        "star"               : lit("ab").star() => ["", "ab", "abab"], ["a", "aba"];
        "star of nothing"    : Regex::none().star() => [""], ["a"];
        "star of star"       : lit("a").star().star() => ["", "aaa"], ["b"];
        "plus"               : lit("ab").plus() => ["ab", "abab"], ["", "a"];
        "plus of nothing"    : Regex::none().plus() => [], ["", "a"];
        "opt"                : lit("ab").opt() => ["", "ab"], ["a", "abab"];
    }
    loop_rows {
        "power 0"            : lit("a").power(0) => [""], ["a"];
        "power 0 of nothing" : Regex::none().power(0) => [""], ["a"];
        "power 3"            : lit("a").power(3) => ["aaa"], ["", "aa", "aaaa"];
        "power of nullable"  : lit("a").opt().power(3) => ["", "aa", "aaa"], ["aaaa"];
        "loop"               : lit("a").repeat(1, Some(3)) => ["a", "aaa"], ["", "aaaa"];
        "loop from 0"        : lit("a").repeat(0, Some(2)) => ["", "a", "aa"], ["aaa"];
        "loop 0 0 of nothing": Regex::none().repeat(0, Some(0)) => [""], ["a"];
        "loop 0 n of nothing": Regex::none().repeat(0, Some(5)) => [""], ["a"];
        "loop upside down"   : lit("a").repeat(3, Some(2)) => [], ["", "aa", "aaa"];
        "upside down, empty" : lit("").repeat(1, Some(0)) => [], [""];
        "loop without end"   : lit("a").repeat(2, None) => ["aa", "aaaaa"], ["", "a"];
        "gap in the counts"  : lit("a").power(3).repeat(1, Some(2)) => ["aaa", "aaaaaa"], ["aaaa", "aaaaa"];
        "greatest counters"  : lit("a").repeat(0, Some(u64::MAX)).repeat(0, Some(u64::MAX)) => ["", "aaa"], ["b"];
        "greatest power"     : lit("a").power(u64::MAX).power(u64::MAX) => [], ["", "aaa"];
    }
    // Each rule of the pool where it is nearly wrong.
    rule_rows {
        "loops side by side" : Regex::union([n_a(0, 2), n_a(3, 4)]) => ["", "aa", "aaa", "aaaa"], ["aaaaa"];
        "loops with a gap"   : Regex::union([n_a(0, 2), n_a(4, 6)]) => ["aa", "aaaa", "aaaaaa"], ["aaa"];
        "gap before a tail"  : Regex::union([then(n_a(2, 3), "b"), then(n_a(5, 6), "b")]) => ["aaab", "aaaaab"], ["aaaab"];
        "gap after a head"   : Regex::union([after("c", n_a(2, 3)), after("c", n_a(5, 6))]) => ["caa", "caaaaa"], ["caaaa", "aa"];
        "other heads"        : Regex::union([after("c", n_a(2, 3)), after("d", n_a(4, 5))]) => ["caa", "daaaa"], ["caaaa", "daa"];
        "other tails"        : Regex::union([then(n_a(2, 3), "c"), then(n_a(4, 5), "d")]) => ["aac", "aaaad"], ["aaaac", "aad"];
        "loop after loop"    : Regex::concat([n_a(2, 3), n_a(3, 5)]) => ["aaaaa", "aaaaaaaa"], ["aaaa", "aaaaaaaaa"];
        "loop in loop"       : n_a(2, 3).repeat(2, Some(2)) => ["aaaa", "aaaaaa"], ["aaa", "aaaaaaa"];
        "from 0 in loop"     : n_a(0, 2).repeat(2, Some(3)) => ["", "aaaaaa"], ["aaaaaaa"];
        "plus in loop"       : lit("a").plus().repeat(2, Some(3)) => ["aa", "aaaaaaa"], ["", "a"];
        "plus in opt"        : lit("a").plus().opt() => ["", "a", "aaa"], ["b"];
        "option in loop"     : Regex::union([lit(""), lit("ab"), lit("c")]).power(2) => ["", "ab", "abc", "cc"], ["ababc"];
        "opposites"          : Regex::union([n_a(2, 3), n_a(2, 3).comp()]) => ["", "aa", "b"], [];
        "empty word and some": Regex::inter([lit(""), n_a(1, 2)]) => [], ["", "a"];
    }
    reverse_rows {
        "word"               : lit("abc").reverse() => ["cba"], ["abc"];
        "concatenation"      : Regex::concat([lit("ab"), lit("c").star(), lit("d")]).reverse() => ["dba", "dccba"], ["abd"];
        "twice"              : lit("ab").reverse().reverse() => ["ab"], ["ba"];
        "under complement"   : lit("ab").comp().reverse() => ["ab"], ["ba"];
        "shared both ways"   : { let ab = lit("ab"); Regex::concat([ab.clone(), ab.reverse()]) } => ["abba"], ["abab"];
    }
}

fn n_a(low: u64, high: u64) -> Regex {
    lit("a").repeat(low, Some(high))
}

fn then(regex: Regex, end: &str) -> Regex {
    Regex::concat([regex, lit(end)])
}

fn after(start: &str, regex: Regex) -> Regex {
    Regex::concat([lit(start), regex])
}

#[test]
fn emptiness_rows() {
    let (a, even) = (lit("a"), lit("aa").star());
    let other = Regex::concat([a.star(), Regex::allchar().diff([a.clone()]), Regex::all()]);
    let rows = [
        ("nothing", Regex::none(), true),
        ("the empty word", lit(""), false),
        ("even and odd", Regex::inter([even.clone(), Regex::concat([a.clone(), even.clone()])]), true),
        ("multiples of 2 and 3", Regex::inter([even.clone(), lit("aaa").plus()]), false),
        ("all but everything", Regex::union([a.star(), other.clone()]).comp(), true),
        ("all but nearly everything", Regex::union([a.plus(), other]).comp(), false),
        ("before nothing", Regex::concat([a.star(), Regex::inter([a.clone(), even.clone()])]), true),
        (
            "a lone last character",
            Regex::range(&[LAST], &[LAST]).diff([Regex::range(&[0], &[LAST - 1])]),
            false,
        ),
    ];
    for (why, regex, empty) in rows {
        assert_eq!(regex.is_empty(&mut fuel()), Ok(empty), "{why}");
        assert_eq!(regex.example(&mut fuel()).map(|word| word.is_none()), Ok(empty), "{why}: example");
    }
}

type Ground = (&'static str, Regex, &'static str);

#[test]
fn replace_re_rows() {
    let rows: [(&str, Ground, &str); 10] = [
        ("shortest", ("xaab", lit("a").plus(), "-"), "x-ab"),
        ("leftmost before shortest", ("abc", Regex::union([lit("abc"), lit("b")]), "-"), "-"),
        ("the first only", ("aa", lit("a"), "-"), "-a"),
        ("no match", ("abc", lit("d"), "-"), "abc"),
        ("empty word prepends", ("abc", lit("b").star(), "-"), "-abc"),
        ("empty text", ("", lit("a").star(), "-"), "-"),
        ("empty text, no match", ("", lit("a"), "-"), ""),
        ("nothing", ("abc", Regex::none(), "-"), "abc"),
        ("everything", ("abc", Regex::all(), "-"), "-abc"),
        ("to the end", ("abc", Regex::concat([lit("b"), lit("c")]), ""), "a"),
    ];
    for (why, (text, regex, new), out) in rows {
        let got = replace_re(&codes(text), &regex, &codes(new), &mut fuel()).expect("enough fuel");
        assert_eq!(string(&got), out, "{why}");
    }
}

#[test]
fn replace_re_all_rows() {
    let rows: [(&str, Ground, &str); 9] = [
        ("each shortest", ("xaab", lit("a").plus(), "-"), "x--b"),
        ("no overlap", ("aaa", lit("aa"), "b"), "ba"),
        ("leftmost before shortest", ("abcb", Regex::union([lit("abc"), lit("b")]), "-"), "--"),
        ("empty word is no match", ("abc", lit("b").star(), "-"), "a-c"),
        ("only the empty word", ("abc", lit(""), "-"), "abc"),
        ("empty text", ("", lit("a").star(), "-"), ""),
        ("everything", ("abc", Regex::all(), "-"), "---"),
        ("result not read again", ("ab", lit("a"), "aa"), "aab"),
        ("by nothing", ("aba", lit("a"), ""), "b"),
    ];
    for (why, (text, regex, new), out) in rows {
        let got = replace_re_all(&codes(text), &regex, &codes(new), &mut fuel()).expect("enough fuel");
        assert_eq!(string(&got), out, "{why}");
    }
}

#[test]
fn indexof_re_rows() {
    let beyond = IBig::ONE << 65_usize;
    let rows = [
        ("first", ("abab", lit("b"), 0.into()), 1),
        ("at the offset", ("abab", lit("b"), 1.into()), 1),
        ("after the offset", ("abab", lit("b"), 2.into()), 3),
        ("none", ("abab", lit("c"), 0.into()), -1),
        ("empty word at the offset", ("abab", lit("b").star(), 2.into()), 2),
        ("empty word at the length", ("abab", lit("b").star(), 4.into()), 4),
        ("past the length", ("abab", lit("b").star(), 5.into()), -1),
        ("negative", ("abab", lit("b").star(), (-1).into()), -1),
        ("beyond 2^64", ("abab", lit("b").star(), beyond), -1),
        ("empty text", ("", Regex::all(), 0.into()), 0),
    ];
    for (why, (text, regex, from), out) in rows {
        let got = indexof_re(&codes(text), &regex, &from, &mut fuel()).expect("enough fuel");
        assert_eq!(got, IBig::from(out), "{why}");
    }
}

#[test]
fn equality_rows() {
    let (a, b) = (lit("a"), lit("b"));
    let ab = Regex::union([a.clone(), b.clone()]);
    let rows = [
        ("a character class", ab.clone(), range("a", "b"), true),
        ("Arden", ab.star(), Regex::concat([a.star(), Regex::concat([b.clone(), a.star()]).star()]), true),
        (
            "sliding",
            Regex::concat([lit("ab").star(), a.clone()]),
            Regex::concat([a.clone(), lit("ba").star()]),
            true,
        ),
        ("De Morgan", Regex::inter([a.comp(), b.comp()]), ab.comp(), true),
        ("the alphabet", Regex::allchar(), Regex::range(&[0], &[LAST]), true),
        ("all but one", Regex::allchar(), Regex::range(&[1], &[LAST]), false),
        ("loops", a.repeat(2, Some(4)).opt(), a.repeat(1, Some(2)).power(2).opt(), true),
        ("loops with a gap", a.power(2).repeat(0, Some(9)), a.repeat(0, Some(18)), false),
        ("the last count", a.repeat(0, Some(20_000)), a.repeat(0, Some(20_001)), false),
        ("endless", a.repeat(0, Some(20_000)), a.star(), false),
        ("empty both", Regex::inter([a.clone(), b.clone()]), Regex::none(), true),
    ];
    for (why, one, two, equal) in rows {
        assert_eq!(one.equals(&two, &mut fuel()), Ok(equal), "{why}");
        assert_eq!(two.equals(&one, &mut fuel()), Ok(equal), "{why}, swapped");
    }
}
