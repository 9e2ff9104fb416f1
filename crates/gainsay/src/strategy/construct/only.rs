//! The tests that `--only` selects, and the error if it selects none.

/// Whether one of the patterns, separated by bars, matches a name.
pub fn matches(patterns: &str, name: &str) -> bool {
    patterns.split('|').any(|pattern| matches_pattern(pattern, name))
}

/// Whether a pattern matches a name. A pattern without `*` matches every name that contains it.
pub fn matches_pattern(pattern: &str, name: &str) -> bool {
    let mut pieces = pattern.split('*');
    let first = pieces.next().unwrap_or("");
    let Some(last) = pieces.next_back() else { return name.contains(first) };
    let Some(mut rest) = name.strip_prefix(first) else { return false };
    for piece in pieces {
        let Some(at) = rest.find(piece) else { return false };
        rest = &rest[at + piece.len()..];
    }
    rest.ends_with(last)
}

/// The error of patterns of which one is empty, because that would select every test.
pub fn refused(patterns: &str) -> Option<String> {
    let empty = !patterns.is_empty() && patterns.split('|').any(|pattern| pattern.trim().is_empty());
    empty.then(|| "there is nothing beside a |, which would mean every test".to_owned())
}

/// The error of patterns that match none of the names.
pub fn unknown(patterns: &str, theories: &str, names: &[String]) -> String {
    let list = match theories {
        "strings" => "gainsay generate construct --list".to_owned(),
        _ => format!("gainsay generate construct --theory {theories} --list"),
    };
    let hint = patterns.split('|').find_map(|pattern| hint(pattern, names)).unwrap_or_default();
    format!("no test of {theories} has such a name{hint}; `{list}` has all")
}

/// The nearest names to a pattern.
fn hint(pattern: &str, names: &[String]) -> Option<String> {
    let some = |pattern: &str| names.iter().find(|name| matches_pattern(pattern, name));
    let anywhere = format!("*/{pattern}");
    if pattern.contains('*') && !pattern.starts_with('*') && some(&anywhere).is_some() {
        return Some(format!("; with * it must be the whole name, as {anywhere} is"));
    }
    if let Some(bare) = pattern.strip_suffix("+p")
        && let Some(name) = some(bare)
    {
        return Some(format!("; {name} is there, which has no quantifier and so no version with patterns"));
    }
    // Less and less of its end.
    let mut rest = pattern;
    while let Some((shorter, _)) = rest.rsplit_once(['/', ',', '=', '+']) {
        rest = shorter;
        if let Some(name) = names.iter().find(|name| !rest.contains('*') && name.contains(rest)) {
            return Some(format!("; the nearest is {name}"));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_choose_tests() {
        let rows = [
            ("", "strings/term/str.at/001", true),
            ("larger", "strings/larger-core/E3/res/NC1", true),
            ("E3/", "strings/larger-core/E13/res/NC1", false),
            ("*/E3/*", "strings/larger-core/E3/res/NC1", true),
            ("*/NC1", "strings/larger-core/E3/res/NC10", false),
            ("strings/*/E3/*+p", "strings/larger-core/E3/res/NC1+p", true),
            ("constant/*", "strings/constant/a", false),
            ("redundancy|*/a", "strings/constant/a", true),
        ];
        for (pattern, name, expected) in rows {
            assert_eq!(matches(pattern, name), expected, "{pattern} {name}");
        }
    }

    #[test]
    fn alternatives_are_not_empty() {
        for (patterns, expected) in
            [("", false), ("a|b", false), ("a||b", true), ("|", true), ("a|", true), (" ", true)]
        {
            assert_eq!(refused(patterns).is_some(), expected, "{patterns:?}");
        }
    }

    #[test]
    fn the_nearest_names_are_told() {
        let names = ["strings/constant/str.at/a,_=_", "strings/larger-core/E3/res/NC1"].map(str::to_owned);
        let rows = [
            ("str.nothing", "strings", "name; `gainsay generate construct --list` has all"),
            (
                "bvadd",
                "seq,ints",
                "no test of seq,ints has such a name; `gainsay generate construct --theory seq,ints --list`",
            ),
            ("constant/*", "strings", "; with * it must be the whole name, as */constant/* is;"),
            ("constant/str.at/b,_=_", "strings", "; the nearest is strings/constant/str.at/a,_=_;"),
            (
                "strings/larger-core/E3/res/NC1+p",
                "strings",
                "; strings/larger-core/E3/res/NC1 is there, which has no quantifier and so no version with patterns;",
            ),
        ];
        for (patterns, theories, expected) in rows {
            let told = unknown(patterns, theories, &names);
            assert!(told.contains(expected), "{patterns}: {told}");
        }
    }
}
