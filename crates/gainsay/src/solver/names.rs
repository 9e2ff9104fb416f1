//! Old names: a script as a solver reads it that knows operators of strings only by the names they had before SMT-LIB 2.6.

use std::borrow::Cow;

use super::Solver;
use super::profile::Flag;

/// The standard's names and those before.
const OLD: &[(&str, &str)] = &[
    ("str.to_int", "str.to.int"),
    ("str.from_int", "int.to.str"),
    ("str.in_re", "str.in.re"),
    ("str.to_re", "str.to.re"),
    ("re.none", "re.nostr"),
    ("re.comp", "re.complement"),
];

/// The script in the names that a solver knows.
pub fn spelled<'t>(solver: &Solver, script: &'t str) -> Cow<'t, str> {
    let old = solver.has(Flag::OldStringNames).then(|| with_old_names(script)).flatten();
    old.map_or(Cow::Borrowed(script), Cow::Owned)
}

/// The script with the old names; none if it has none of the new ones. What stands in quotes, bars and comments stays.
pub fn with_old_names(script: &str) -> Option<String> {
    if !OLD.iter().any(|(new, _)| script.contains(new)) {
        return None;
    }
    let mut out = String::with_capacity(script.len());
    let mut rest = script;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '"' | '|' => rest[1..].find(first).map_or(rest.len(), |end| end + 2),
            ';' => rest.find('\n').unwrap_or(rest.len()),
            c if ends_word(c) => c.len_utf8(),
            _ => rest.find(ends_word).unwrap_or(rest.len()),
        };
        let (word, after) = rest.split_at(length);
        let old = OLD.iter().find(|(new, _)| *new == word);
        out.push_str(old.map_or(word, |(_, old)| old));
        rest = after;
    }
    Some(out)
}

fn ends_word(c: char) -> bool {
    c.is_whitespace() || "()\"|;".contains(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_replaced_where_they_are_names() {
        let rows = [
            ("(assert (= (str.to_int s) 1))", Some("(assert (= (str.to.int s) 1))")),
            (
                "(str.in_re \"str.in_re\"\"(\" (re.comp re.none)) ; re.none",
                Some("(str.in.re \"str.in_re\"\"(\" (re.complement re.nostr)) ; re.none"),
            ),
            (
                "(declare-const |str.to_re| Int)(str.to_re x)",
                Some("(declare-const |str.to_re| Int)(str.to.re x)"),
            ),
            ("(declare-const re.none2 Int)", Some("(declare-const re.none2 Int)")),
            ("(str.len s)", None),
        ];
        for (script, expected) in rows {
            assert_eq!(with_old_names(script).as_deref(), expected, "{script}");
        }
    }
}
