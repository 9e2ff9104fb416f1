//! Names that do not exist: the error that says so, with the existing name that is closest.

/// A name that is none of those that exist.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no {what} {name}{} (there are {})", suggestion(name, known), known.join(", "))]
pub struct UnknownName {
    /// The kind of thing that was named, such as `strategy`.
    pub what: &'static str,
    /// The name that was given.
    pub name: String,
    /// The names that exist.
    pub known: Vec<&'static str>,
}

/// The existing name that is closest to a misspelt one, if any is close; of several, the first.
pub fn nearest<'a>(wrong: &str, known: &[&'a str]) -> Option<&'a str> {
    let distances = known.iter().map(|name| (strsim::levenshtein(wrong, name), *name));
    let (distance, best) = distances.min_by_key(|(distance, _)| *distance)?;
    (distance <= 1 + wrong.chars().count() / 3).then_some(best)
}

/// The question that follows a misspelt name: `; did you mean opfuzz?`, or nothing.
pub fn suggestion(wrong: &str, known: &[&str]) -> String {
    nearest(wrong, known).map_or(String::new(), |name| format!("; did you mean {name}?"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_names() {
        let known = ["seeds", "opfuzz", "typefuzz"];
        assert_eq!(nearest("opfuz", &known), Some("opfuzz"));
        assert_eq!(nearest("seed", &known), Some("seeds"));
        assert_eq!(nearest("enumerate", &known), None);
        assert_eq!(nearest("cvc", &["cvc5", "cvc4"]), Some("cvc5"));
    }

    #[test]
    fn the_error_lists_what_exists() {
        let unknown =
            UnknownName { what: "strategy", name: "opfuz".to_owned(), known: vec!["seeds", "opfuzz"] };
        let expected = "there is no strategy opfuz; did you mean opfuzz? (there are seeds, opfuzz)";
        assert_eq!(unknown.to_string(), expected);
    }
}
