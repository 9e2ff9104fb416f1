//! Operations on lists, one meaning for the strings and the sequences of SMT-LIB.
//!
//! Indices are unbounded integers; out of range they mean what the theory `UnicodeStrings` says.

use dashu_int::IBig;

/// `index` as a position in `0..=len`, or nothing if it lies outside.
pub(super) fn position(index: &IBig, len: usize) -> Option<usize> {
    usize::try_from(index).ok().filter(|&at| at <= len)
}

/// `str.substr`, `seq.extract`: at most `count` elements from `start` on.
pub fn substr<'a, T>(list: &'a [T], start: &IBig, count: &IBig) -> &'a [T] {
    let Some(start) = position(start, list.len()) else { return &[] };
    if *count <= IBig::ZERO {
        return &[];
    }
    // A count beyond `usize` reaches the end as well.
    let rest = &list[start..];
    &rest[..usize::try_from(count).map_or(rest.len(), |count| count.min(rest.len()))]
}

/// `str.at`, `seq.at`: the list of the one element at `index`, empty out of range.
pub fn at<'a, T>(list: &'a [T], index: &IBig) -> &'a [T] {
    substr(list, index, &IBig::ONE)
}

/// `seq.nth`, where the index is in range; elsewhere its value is left to the model.
pub fn nth<'a, T>(list: &'a [T], index: &IBig) -> Option<&'a T> {
    at(list, index).first()
}

/// `str.contains`, `seq.contains`: whether `part` occurs in `list`.
pub fn contains<T: Eq>(list: &[T], part: &[T]) -> bool {
    occurrences(list, part, 0).next().is_some()
}

/// `str.prefixof`, `seq.prefixof`; mind the order of the arguments.
pub fn prefixof<T: Eq>(prefix: &[T], list: &[T]) -> bool {
    list.starts_with(prefix)
}

/// `str.suffixof`, `seq.suffixof`; mind the order of the arguments.
pub fn suffixof<T: Eq>(suffix: &[T], list: &[T]) -> bool {
    list.ends_with(suffix)
}

/// `str.indexof`, `seq.indexof`: the first position of `part` at or after `from`, else -1.
pub fn indexof<T: Eq>(list: &[T], part: &[T], from: &IBig) -> IBig {
    let found = position(from, list.len()).and_then(|from| occurrences(list, part, from).next());
    found.map_or(IBig::NEG_ONE, IBig::from)
}

/// `seq.last_indexof` (z3): the last position of `part`, else -1; the empty one is at the end.
pub fn last_indexof<T: Eq>(list: &[T], part: &[T]) -> IBig {
    occurrences(list, part, 0).last().map_or(IBig::NEG_ONE, IBig::from)
}

/// `str.replace`, `seq.replace`: the first `part` gives way to `new`; an empty one is found at 0.
pub fn replace<T: Eq + Clone>(list: &[T], part: &[T], new: &[T]) -> Vec<T> {
    match occurrences(list, part, 0).next() {
        Some(at) => [&list[..at], new, &list[at + part.len()..]].concat(),
        None => list.to_vec(),
    }
}

/// `str.replace_all`, `seq.replace_all`: each `part`, from the left, without overlap; an empty one
/// replaces nothing.
pub fn replace_all<T: Eq + Clone>(list: &[T], part: &[T], new: &[T]) -> Vec<T> {
    if part.is_empty() {
        return list.to_vec();
    }
    let mut out = Vec::new();
    let mut kept = 0;
    for at in occurrences(list, part, 0) {
        if at >= kept {
            out.extend_from_slice(&list[kept..at]);
            out.extend_from_slice(new);
            kept = at + part.len();
        }
    }
    out.extend_from_slice(&list[kept..]);
    out
}

/// `str.update`, `seq.update` (cvc5): `new` written over `list` from `index` on, the length kept.
pub fn update<T: Clone>(list: &[T], index: &IBig, new: &[T]) -> Vec<T> {
    let mut out = list.to_vec();
    if let Some(at) = position(index, list.len()) {
        let count = new.len().min(list.len() - at);
        out[at..at + count].clone_from_slice(&new[..count]);
    }
    out
}

/// `str.rev`, `seq.rev` (cvc5): the list backwards.
pub fn rev<T: Clone>(list: &[T]) -> Vec<T> {
    list.iter().rev().cloned().collect()
}

/// The positions of `part` in `list` at or after `from`, ascending, overlaps included.
///
/// Knuth, Morris and Pratt: linear, since hostile lists are our daily bread.
fn occurrences<'a, T: Eq>(
    list: &'a [T],
    part: &'a [T],
    from: usize,
) -> impl Iterator<Item = usize> + use<'a, T> {
    let borders = if part.len() <= list.len() { borders(part) } else { Vec::new() };
    let mut next = if part.len() <= list.len() { from } else { list.len() + 1 };
    let mut matched = 0;
    std::iter::from_fn(move || {
        if part.is_empty() {
            next += 1;
            return (next <= list.len() + 1).then(|| next - 1);
        }
        while next < list.len() {
            if matched == part.len() {
                matched = borders[matched - 1];
            }
            while matched > 0 && part[matched] != list[next] {
                matched = borders[matched - 1];
            }
            if part[matched] == list[next] {
                matched += 1;
            }
            next += 1;
            if matched == part.len() {
                return Some(next - matched);
            }
        }
        None
    })
}

/// For each prefix of `part`, the length of its longest proper prefix that is also its suffix.
fn borders<T: Eq>(part: &[T]) -> Vec<usize> {
    let mut borders = vec![0; part.len()];
    let mut matched = 0;
    for at in 1..part.len() {
        while matched > 0 && part[matched] != part[at] {
            matched = borders[matched - 1];
        }
        if part[matched] == part[at] {
            matched += 1;
        }
        borders[at] = matched;
    }
    borders
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn big(text: &str) -> IBig {
        text.parse().expect("a decimal numeral")
    }

    fn string(list: &[u8]) -> &str {
        std::str::from_utf8(list).expect("ASCII in, ASCII out")
    }

    const BEYOND: &str = "36893488147419103232"; // 2^65
    const BELOW: &str = "-36893488147419103232";

    rows! { substr_rows, |(s, i, n): (&'static str, &str, &str)| string(substr(s.as_bytes(), &big(i), &big(n)));
        "inside"                    : ("abcde", "1", "3") => "bcd",
        "count runs past the end"   : ("abc", "1", "9") => "bc",
        "count beyond 2^64"         : ("abc", "1", BEYOND) => "bc",
        "start is the length"       : ("abc", "3", "1") => "",
        "start past the end"        : ("abc", "4", "1") => "",
        "start beyond 2^64"         : ("abc", BEYOND, "1") => "",
        "negative start"            : ("abc", "-1", "2") => "",
        "start far below"           : ("abc", BELOW, BEYOND) => "",
        "no count"                  : ("abc", "1", "0") => "",
        "negative count"            : ("abc", "1", "-1") => "",
        "count far below"           : ("abc", "0", BELOW) => "",
        "empty list"                : ("", "0", "1") => "",
    }

    rows! { at_rows, |(s, i): (&'static str, &str)| string(at(s.as_bytes(), &big(i)));
        "first"        : ("abc", "0") => "a",
        "last"         : ("abc", "2") => "c",
        "the length"   : ("abc", "3") => "",
        "negative"     : ("abc", "-1") => "",
        "beyond 2^64"  : ("abc", BEYOND) => "",
        "empty list"   : ("", "0") => "",
    }

    rows! { nth_rows, |(s, i): (&'static str, &str)| nth(s.as_bytes(), &big(i)).copied();
        "inside"       : ("abc", "1") => Some(b'b'),
        "the length"   : ("abc", "3") => None,
        "negative"     : ("abc", "-1") => None,
    }

    rows! { contains_rows, |(s, t): (&str, &str)| contains(s.as_bytes(), t.as_bytes());
        "inside"                 : ("abc", "b") => true,
        "itself"                 : ("abc", "abc") => true,
        "longer"                 : ("abc", "abcd") => false,
        "scattered"              : ("abc", "ac") => false,
        "empty"                  : ("abc", "") => true,
        "empty in empty"         : ("", "") => true,
        "after a false start"    : ("aabaaab", "aaab") => true,
    }

    rows! { prefixof_rows, |(s, t): (&str, &str)| prefixof(s.as_bytes(), t.as_bytes());
        "prefix"      : ("ab", "abc") => true,
        "swapped"     : ("abc", "ab") => false,
        "inner"       : ("bc", "abc") => false,
        "empty"       : ("", "") => true,
    }

    rows! { suffixof_rows, |(s, t): (&str, &str)| suffixof(s.as_bytes(), t.as_bytes());
        "suffix"      : ("bc", "abc") => true,
        "swapped"     : ("abc", "bc") => false,
        "inner"       : ("ab", "abc") => false,
        "empty"       : ("", "abc") => true,
    }

    rows! { indexof_rows,
        |(s, t, i): (&str, &str, &str)| indexof(s.as_bytes(), t.as_bytes(), &big(i)).to_string();
        "first"                          : ("abab", "b", "0") => "1",
        "at the offset"                  : ("abab", "b", "1") => "1",
        "after the offset"               : ("abab", "b", "2") => "3",
        "across the offset only"         : ("abab", "ab", "3") => "-1",
        "overlap"                        : ("aaa", "aa", "1") => "1",
        "absent"                         : ("abab", "c", "0") => "-1",
        "empty, offset inside"           : ("abc", "", "1") => "1",
        "empty, offset is the length"    : ("abc", "", "3") => "3",
        "empty, offset past the end"     : ("abc", "", "4") => "-1",
        "empty, negative offset"         : ("abc", "", "-1") => "-1",
        "empty in empty"                 : ("", "", "0") => "0",
        "negative offset"                : ("abc", "a", "-1") => "-1",
        "offset is the length"           : ("abc", "c", "3") => "-1",
        "offset beyond 2^64"             : ("abc", "", BEYOND) => "-1",
        "longer than the list"           : ("ab", "abc", "0") => "-1",
    }

    rows! { last_indexof_rows, |(s, t): (&str, &str)| last_indexof(s.as_bytes(), t.as_bytes()).to_string();
        "last"               : ("abab", "ab") => "2",
        "overlap"            : ("aaa", "aa") => "1",
        "absent"             : ("abab", "c") => "-1",
        "empty"              : ("abc", "") => "3",
        "empty in empty"     : ("", "") => "0",
        "in empty"           : ("", "a") => "-1",
    }

    type Three = (&'static str, &'static str, &'static str);
    type Replace = fn(&[u8], &[u8], &[u8]) -> Vec<u8>;
    fn replaced(f: Replace) -> impl Fn(Three) -> String {
        move |(s, t, u)| string(&f(s.as_bytes(), t.as_bytes(), u.as_bytes())).to_owned()
    }

    rows! { replace_rows, replaced(replace);
        "the first only"         : ("abab", "b", "x") => "axab",
        "leftmost of overlaps"   : ("aaa", "aa", "b") => "ba",
        "absent"                 : ("abc", "d", "x") => "abc",
        "empty prepends"         : ("abc", "", "x") => "xabc",
        "empty in empty"         : ("", "", "x") => "x",
        "in empty"               : ("", "a", "x") => "",
        "by nothing"             : ("abc", "b", "") => "ac",
        "whole"                  : ("abc", "abc", "x") => "x",
    }

    rows! { replace_all_rows, replaced(replace_all);
        "each"                   : ("abab", "b", "xy") => "axyaxy",
        "no overlap"             : ("aaa", "aa", "b") => "ba",
        "no overlap, even"       : ("aaaa", "aa", "b") => "bb",
        "result not read again"  : ("aabb", "ab", "b") => "abb",
        "new contains old"       : ("aa", "a", "aa") => "aaaa",
        "absent"                 : ("abc", "d", "x") => "abc",
        "empty is identity"      : ("abc", "", "x") => "abc",
        "empty in empty"         : ("", "", "x") => "",
        "by nothing"             : ("aba", "a", "") => "b",
    }

    rows! { update_rows,
        |(s, i, t): (&str, &str, &str)| string(&update(s.as_bytes(), &big(i), t.as_bytes())).to_owned();
        "inside"                 : ("abcde", "1", "xy") => "axyde",
        "cut to the length"      : ("abc", "2", "xyz") => "abx",
        "whole"                  : ("abc", "0", "xyz") => "xyz",
        "by nothing"             : ("abc", "1", "") => "abc",
        "negative"               : ("abc", "-1", "xyz") => "abc",
        "the length"             : ("abc", "3", "x") => "abc",
        "beyond 2^64"            : ("abc", BEYOND, "x") => "abc",
        "empty list"             : ("", "0", "x") => "",
    }

    rows! { rev_rows, |s: &str| string(&rev(s.as_bytes())).to_owned();
        "some"   : "abc" => "cba",
        "empty"  : "" => "",
    }

    #[test]
    fn hostile_search_is_linear() {
        let list = vec![0; 200_000];
        let mut part = vec![0; 100_000];
        part.push(1);
        assert!(!contains(&list, &part));
        assert_eq!(last_indexof(&list, &list[..100_000]), IBig::from(100_000));
    }

    fn short() -> impl Strategy<Value = Vec<u8>> {
        prop::collection::vec(b'a'..b'c', 0..9)
    }

    proptest! {
        #[test]
        fn occurrences_are_the_equal_windows(s in short(), t in short(), from in 0_usize..12) {
            let naive: Vec<usize> =
                (from..=s.len()).filter(|&at| s[at..].starts_with(&t)).collect();
            prop_assert_eq!(occurrences(&s, &t, from).collect::<Vec<_>>(), naive);
        }

        #[test]
        fn replace_all_is_the_standard_recursion(s in short(), t in short(), u in short()) {
            // u₁ w₂ replace_all(u₂, w₁, w₂), u₁ shortest with w = u₁ w₁ u₂.
            let mut out = Vec::new();
            let mut rest = &s[..];
            while let Some(at) = (0..=rest.len()).find(|&at| !t.is_empty() && rest[at..].starts_with(&t)) {
                out.extend_from_slice(&rest[..at]);
                out.extend_from_slice(&u);
                rest = &rest[at + t.len()..];
            }
            out.extend_from_slice(rest);
            prop_assert_eq!(replace_all(&s, &t, &u), out);
        }
    }
}
