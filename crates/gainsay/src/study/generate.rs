//! The cases of a strategy, made without asking a solver.

use crate::campaign::seeds_of;
use crate::case::Choices;
use crate::seed::{Asked, Corpus};
use crate::strategy::{Strategy, Wants};

/// After this many series without a case, no more are tried.
const EMPTY: u32 = 1000;

/// The making of cases.
pub struct Generation<'a> {
    /// The name of the strategy.
    pub name: &'a str,
    /// The strategy.
    pub strategy: &'a dyn Strategy,
    /// Its seeds.
    pub corpus: &'a Corpus,
    /// The random number.
    pub draw: u64,
    /// How many cases are made at most.
    pub wanted: u64,
}

/// Whether a strategy is a suite that needs no seeds and comes to an end.
pub fn is_suite(strategy: &dyn Strategy) -> bool {
    strategy.wants() == Wants::Nothing && strategy.series_count().is_some()
}

impl Generation<'_> {
    /// Makes the cases, and calls `each` with the name and the text of each. Returns how many there are.
    pub fn run<E>(&self, mut each: impl FnMut(&str, &str) -> Result<(), E>) -> Result<u64, E> {
        let &Generation { name, strategy, corpus, draw, wanted } = self;
        let is_suite = is_suite(strategy);
        let (mut made, mut ordinal, mut empty) = (0, 0, 0);
        while made < wanted && (is_suite || empty < EMPTY) {
            let Some(seeds) = seeds_of(name, strategy, corpus, draw, ordinal) else { break };
            // No solver is asked, so the status that the author of a seed wrote takes the place of answers.
            let asked: Vec<_> = seeds
                .iter()
                .filter_map(|seed| strategy.takes(seed))
                .map(|seed| {
                    let status = seed.status;
                    Asked::agreed(seed, status.into_iter().collect())
                })
                .collect();
            let mut series = strategy.series(ordinal, &asked, Choices::drawn(draw, name, ordinal));
            let before = made;
            while made < wanted {
                let Some(text) = series.next_text() else { break };
                let named = series.name().map_or_else(|| format!("{made:06}"), str::to_owned);
                each(&named, &text)?;
                made += 1;
            }
            empty = if made == before { empty + 1 } else { 0 };
            ordinal += 1;
        }
        Ok(made)
    }
}

/// Characters that mean something to a shell, or a path with them to z3, and what stands for them.
const SPELLED: &[(char, &str)] = &[
    ('=', "~"),
    ('<', "@lt"),
    ('>', "@gt"),
    ('*', "@star"),
    ('\'', "@quote"),
    ('#', "@hash"),
    ('^', "@hat"),
    ('÷', "@div"),
    ('@', "@at"),
    ('~', "@tilde"),
];

/// A name as a path that no shell takes for anything else. Different names have different paths.
pub fn file_name(name: &str) -> String {
    let mut path = String::with_capacity(name.len());
    for c in name.chars() {
        match SPELLED.iter().find(|(other, _)| *other == c) {
            Some((_, spelling)) => path.push_str(spelling),
            None if c.is_ascii_alphanumeric() || "/._+,-".contains(c) => path.push(c),
            None => path.push_str(&format!("@{:x}@", u32::from(c))),
        }
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_safe_paths() {
        let rows = [
            ("strings/constant/str.<=/a,_=true", "strings/constant/str.@lt~/a,_~true"),
            ("strings/term/re.*/001+d2", "strings/term/re.@star/001+d2"),
            ("larger-core/E2/'0'/C6", "larger-core/E2/@quote0@quote/C6"),
            ("reals/operation/÷", "reals/operation/@div"),
            ("a~b@c&", "a@tildeb@atc@26@"),
        ];
        for (name, path) in rows {
            assert_eq!(file_name(name), path);
        }
        // No spelling begins another, so that a path can be read in one way only.
        for (c, one) in SPELLED {
            assert!(!SPELLED.iter().any(|(d, other)| c != d && other.starts_with(one)), "{c}");
        }
    }
}
