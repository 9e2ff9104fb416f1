//! Names that do not exist: the error that says so, with the existing name that is closest.

/// A name that is none of those that exist.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no {what} {name}{} (there are {})", self.suggestion(), known.join(", "))]
pub struct UnknownName {
    /// The kind of thing that was named, such as `strategy`.
    pub what: &'static str,
    /// The name that was given.
    pub name: String,
    /// The names that exist.
    pub known: Vec<&'static str>,
    /// Other names that are understood, each with the name that it stands for.
    pub aliases: &'static [(&'static str, &'static str)],
}

impl UnknownName {
    /// The question that follows the name. An alias that is closest is named with what it stands for.
    fn suggestion(&self) -> String {
        let aliases = self.aliases.iter().map(|(alias, _)| *alias);
        let all: Vec<&str> = self.known.iter().copied().chain(aliases).collect();
        let Some(near) = nearest(&self.name, &all) else { return String::new() };
        match self.aliases.iter().find(|(alias, _)| *alias == near) {
            Some((alias, name)) => format!("; did you mean {name}, also called {alias}?"),
            None => format!("; did you mean {near}?"),
        }
    }
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
        let rows = [
            ("opfuz", "; did you mean opfuzz?"),
            ("strngs", "; did you mean construct, also called strings?"),
            ("constrct", "; did you mean construct?"),
            ("enumerate", ""),
        ];
        for (name, question) in rows {
            let known = vec!["seeds", "opfuzz", "construct"];
            let aliases = &[("strings", "construct")];
            let unknown = UnknownName { what: "strategy", name: name.to_owned(), known, aliases };
            let expected =
                format!("there is no strategy {name}{question} (there are seeds, opfuzz, construct)");
            assert_eq!(unknown.to_string(), expected);
        }
    }
}
