//! Canonical formulas: of those that differ only in the names of variables, the one whose variables come in order.

/// Whether the variables of each sort first occur in the order in which they are declared.
///
/// The formula is one of a grammar: tokens joined by single blanks, `( declare-const name sort )` first.
pub fn is_canonical(formula: &str) -> bool {
    let (declared, rest) = declarations(formula);
    // How many variables of the sort of each one were seen: variable k may be first seen after k others.
    let mut seen: Vec<(&str, usize)> = Vec::new();
    let mut known = vec![false; declared.len()];
    let mut open = declared.len();
    for word in words(rest) {
        if open == 0 {
            return true;
        }
        let Some(which) = declared.iter().position(|(name, _)| *name == word) else { continue };
        if std::mem::replace(&mut known[which], true) {
            continue;
        }
        open -= 1;
        let sort = declared[which].1;
        let earlier = declared[..which].iter().filter(|(_, other)| *other == sort).count();
        let place = seen.iter().position(|(other, _)| *other == sort).unwrap_or_else(|| {
            seen.push((sort, 0));
            seen.len() - 1
        });
        if seen[place].1 != earlier {
            return false;
        }
        seen[place].1 += 1;
    }
    true
}

/// The variables that a formula declares first, with their sorts, and the rest of it.
pub(super) fn declarations(formula: &str) -> (Vec<(&str, &str)>, &str) {
    let mut found = Vec::new();
    let mut rest = formula;
    while let Some(after) = rest.strip_prefix("( declare-const ") {
        let Some((name, after)) = after.split_once(' ') else { break };
        let Some((sort, after)) = after.split_once(" )") else { break };
        found.push((name, sort));
        rest = after.trim_start_matches(' ');
    }
    (found, rest)
}

/// The words of a formula that may be names: not what stands between quotes or bars.
fn words(formula: &str) -> impl Iterator<Item = &str> {
    let quoted = formula.split('"').step_by(2);
    let separates = |c: char| c == ' ' || c == '(' || c == ')';
    quoted.flat_map(move |part| part.split(separates)).filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_come_in_order() {
        let two = "( declare-const a Int ) ( declare-const b Int ) ";
        let mixed = "( declare-const a (_ BitVec 4) ) ( declare-const b Int ) ( declare-const c Int ) ";
        let rows = [
            (two, "( assert ( < a b ) )", true),
            (two, "( assert ( < b a ) )", false),
            (two, "( assert ( < b b ) )", false),
            (two, "( assert ( < 0 1 ) )", true),
            (two, "( assert ( < a a b a ) )", true),
            (two, "( assert ( = \"b a\" ( f a b ) ) )", true),
            (two, "( assert ( forall ((b Int)) ( = a b ) ) )", false),
            (two, "( assert ( forall ((a Int)) ( = a b ) ) )", true),
            (mixed, "( assert ( f b a c ) )", true),
            (mixed, "( assert ( f c a b ) )", false),
            (mixed, "( assert ( f c ) )", false),
            ("", "( assert ( f b a ) )", true),
        ];
        for (declarations, rest, expected) in rows {
            assert_eq!(is_canonical(&format!("{declarations}{rest}")), expected, "{declarations}{rest}");
        }
    }
}
