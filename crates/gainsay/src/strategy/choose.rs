//! Choosing strategies by name and building them with the values of their flags.

use std::collections::BTreeMap;

use super::{BadOption, FORMER_NAMES, Options, STRATEGIES, Strategy, named};
use crate::misspelt::UnknownName;

/// Strategies by name, built with the values of their flags.
pub type Built = Vec<(&'static str, Box<dyn Strategy>)>;

/// Why strategies cannot be built.
#[derive(Debug, thiserror::Error)]
pub enum BadChoice {
    /// No strategy has this name.
    #[error(transparent)]
    Unknown(#[from] UnknownName),
    /// A flag has a value that it cannot have.
    #[error(transparent)]
    Option(#[from] BadOption),
}

/// Builds the strategies that are named, or all if none is named; with the options of each.
pub fn build(with: &[String], flags: &BTreeMap<String, String>) -> Result<(Built, Vec<Options>), BadChoice> {
    let known = || STRATEGIES.iter().map(|entry| entry.name);
    let names: Vec<&str> =
        if with.is_empty() { known().collect() } else { with.iter().map(String::as_str).collect() };
    let (mut built, mut all) = (Vec::new(), Vec::new());
    for name in names {
        let Some(entry) = named(name) else {
            let (name, known) = (name.to_owned(), known().collect());
            return Err(UnknownName { what: "strategy", name, known, aliases: FORMER_NAMES }.into());
        };
        let options = Options::of(entry.flags, flags);
        built.push((entry.name, (entry.build)(&options)?));
        all.push(options);
    }
    Ok((built, all))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn former_names_are_understood() {
        let flags = BTreeMap::from([("speakers".to_owned(), "z3@5.4.0".to_owned())]);
        let (built, options) =
            build(&["strings".to_owned(), "opfuzz".to_owned()], &flags).expect("both have had these names");
        assert_eq!(built.iter().map(|(name, _)| *name).collect::<Vec<_>>(), ["construct", "opfuzz"]);
        assert_eq!(options[1].text("readable-by"), "z3@5.4.0");
    }
}
