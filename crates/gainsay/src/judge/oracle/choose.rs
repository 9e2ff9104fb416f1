//! Choosing oracles by name.

use super::{Entry, ORACLES, named};
use crate::misspelt::UnknownName;

/// The word that stands for all oracles.
const ALL: &str = "all";

/// The oracles that are named, or the usual ones if none is named.
pub fn choose(names: &[String]) -> Result<Vec<&'static Entry>, UnknownName> {
    if names.is_empty() {
        return Ok(usual_and(None));
    }
    if names.iter().any(|name| name == ALL) {
        return Ok(ORACLES.iter().collect());
    }
    let known = || ORACLES.iter().map(|entry| entry.name).chain([ALL]).collect();
    let one = |name: &String| {
        named(name).ok_or_else(|| UnknownName {
            what: "oracle",
            name: name.clone(),
            known: known(),
            aliases: &[],
        })
    };
    names.iter().map(one).collect()
}

/// The usual oracles, and one more by its name.
pub fn usual_and(name: Option<&str>) -> Vec<&'static Entry> {
    ORACLES.iter().filter(|entry| entry.usual || name == Some(entry.name)).collect()
}
