//! Tests of the suite: its claims hold, its rows are equivalences, its names and texts stay.

pub mod search;
mod small;
mod solvers;
mod suite;
mod tables;

use std::collections::BTreeMap;

use super::{ENTRY, Options, Strings, Test};

/// The strategy with these options.
pub fn strings(given: &[(&str, &str)]) -> Strings {
    let given: BTreeMap<String, String> =
        given.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    Strings::of(&Options::of(ENTRY.flags, &given)).expect("good options")
}

/// All tests of a strategy, in order.
pub fn all(strings: &Strings) -> impl Iterator<Item = Test> + '_ {
    strings.families.iter().flat_map(|&family| strings.tests(family))
}
