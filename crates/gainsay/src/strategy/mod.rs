//! Strategies make series of cases from seeds and choices.
//!
//! To add a strategy, write a file with an [`Entry`] and add the entry to [`STRATEGIES`]. A strategy draws every random
//! value from the [`Choices`] that it gets, so that its cases can be made again. This one repeats the check of a seed, and
//! claims that the answer stays the same:
//!
//! ```
//! use std::collections::BTreeMap;
//! use std::sync::Arc;
//!
//! use gainsay::case::{Case, CheckRef, Choices, Claim, Lineage};
//! use gainsay::seed::{Asked, Keep, Seed};
//! use gainsay::strategy::{Entry, Options, Series, Strategy, Wants};
//!
//! const ENTRY: Entry = Entry {
//!     name: "repeat",
//!     about: "the check of a seed, repeated",
//!     flags: &[],
//!     build: |_| Ok(Box::new(Repeat)),
//! };
//!
//! struct Repeat;
//!
//! impl Strategy for Repeat {
//!     fn wants(&self) -> Wants {
//!         Wants::Drawn(1)
//!     }
//!
//!     fn longest(&self) -> u32 {
//!         3
//!     }
//!
//!     fn series<'a>(&'a self, _: u64, seeds: &'a [Asked], choices: Choices) -> Box<dyn Series + 'a> {
//!         Box::new(Repeated { seed: &seeds[0].seed, choices, left: self.longest() })
//!     }
//! }
//!
//! struct Repeated<'a> {
//!     seed: &'a Seed,
//!     choices: Choices,
//!     left: u32,
//! }
//!
//! impl Series for Repeated<'_> {
//!     fn next(&mut self) -> Option<Case> {
//!         self.left = self.left.checked_sub(1)?;
//!         let mut script = self.seed.fork();
//!         let check = script.commands.last()?.clone();
//!         let times = 1 + self.choices.below(4) as usize;
//!         script.commands.extend(vec![check; times]);
//!         let (first, last) = (CheckRef::own(0), CheckRef::own(times));
//!         let claims = vec![Claim::SatImplies(first, last), Claim::SatImplies(last, first)];
//!         let seeds = vec![self.seed.name.clone()];
//!         let lineage = Lineage { strategy: ENTRY.name.into(), seeds, ..Lineage::default() };
//!         Some(Case { script, others: Vec::new(), claims, lineage })
//!     }
//! }
//!
//! let seed = Seed::read("small.smt2", b"(declare-const p Bool)(assert p)(check-sat)", Keep::Bare).expect("a usable seed");
//! let seeds = [Asked::unasked(Arc::new(seed))];
//! let strategy = (ENTRY.build)(&Options::of(ENTRY.flags, &BTreeMap::new())).expect("it has no flags");
//! let case = strategy.series(0, &seeds, Choices::drawn(7, ENTRY.name, 0)).next().expect("a first case");
//! assert!(case.script.queries().len() > 1, "the check is repeated");
//!
//! // The same number makes the same case.
//! let again = strategy.series(0, &seeds, Choices::drawn(7, ENTRY.name, 0)).next().expect("a first case");
//! assert_eq!(again.text(), case.text());
//! ```

mod apart;
mod chain;
mod choose;
mod composer;
mod construct;
pub mod enumerate;
mod facts;
mod from_seeds;
mod fusion;
mod known;
mod makers;
mod material;
mod mutating;
mod opfuzz;
mod options;
mod parts;
mod places;
mod points;
mod printed;
mod reassemble;
mod rescript;
mod rewrite;
mod sae;
mod seeds;
mod shape;
mod simplify;
mod support;
#[cfg(test)]
mod testing;
mod typefuzz;
mod user_table;

use std::sync::Arc;

use crate::case::{Case, Choices};
use crate::seed::{Asked, Seed};

pub use choose::{BadChoice, Built, build};
pub use construct::matches_pattern;
pub use options::{BadOption, Flag, Options, Value};
pub use rewrite::{EquivalenceExample, equivalence_examples};
pub use sae::{ListedRule, RuleExample, listed_rules, rule_examples, without_polarity};
pub use seeds::as_it_is;

/// The seeds that a strategy wants for a series.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wants {
    /// No seeds: the strategy makes scripts by itself.
    Nothing,
    /// Series n gets seed n. There are as many series as seeds.
    EachInTurn,
    /// This many seeds, drawn at random.
    Drawn(usize),
}

/// A strategy, which makes series of cases. The same number, seeds and choices give the same cases, byte for byte. A strategy
/// never sees the answers to its cases.
pub trait Strategy: Send + Sync {
    /// The seeds that a series starts from.
    fn wants(&self) -> Wants;

    /// Whether a series needs the answers of the solvers to its seeds. If not, the solvers are not asked.
    fn wants_answers(&self) -> bool {
        false
    }

    /// The form of a seed that series are made from, and that solvers are asked. By default it is the seed itself. None if the
    /// strategy cannot use the seed.
    fn takes(&self, seed: &Arc<Seed>) -> Option<Arc<Seed>> {
        Some(Arc::clone(seed))
    }

    /// The largest number of turns of a series.
    fn longest(&self) -> u32;

    /// Whether a series ends with its first finding. The campaign stores why a series ended.
    fn ends_at_finding(&self) -> bool {
        false
    }

    /// The number of series; none if there is no limit.
    fn series_count(&self) -> Option<u64> {
        None
    }

    /// Whether a series ends after several time-outs or refusals in a row.
    fn ends_early(&self) -> bool {
        true
    }

    /// What series number `no` is a part of, if its cases have an order that goes on in other series: the name of the whole, and
    /// which part it is, from 0.
    fn part(&self, _no: u64) -> Option<(&str, u64)> {
        None
    }

    /// Whether each case is the seed of its series as it is.
    fn keeps_seeds(&self) -> bool {
        false
    }

    /// Series number `no` of this strategy.
    fn series<'a>(&'a self, no: u64, seeds: &'a [Asked], choices: Choices) -> Box<dyn Series + 'a>;
}

/// A series of cases that a strategy makes from one draw of seeds.
pub trait Series {
    /// The next case; none when the series has ended.
    fn next(&mut self) -> Option<Case>;

    /// The text of the next case; none when the series has ended.
    fn next_text(&mut self) -> Option<String> {
        self.next().map(|case| case.text())
    }

    /// The name of the last case, if cases have names of their own.
    fn name(&self) -> Option<&str> {
        None
    }

    /// How many cases were skipped so far, because an earlier case of the series is the same or they are not scripts.
    fn skipped(&self) -> u32 {
        0
    }

    /// Skips this many cases.
    fn skip(&mut self, n: u32) {
        for _ in 0..n {
            if self.next().is_none() {
                return;
            }
        }
    }
}

/// A series without cases.
struct Nothing;

impl Series for Nothing {
    fn next(&mut self) -> Option<Case> {
        None
    }
}

/// A registered strategy, which can be chosen with `--with`.
pub struct Entry {
    /// The name of the strategy.
    pub name: &'static str,
    /// A description of the strategy in one line.
    pub about: &'static str,
    /// The flags of the strategy.
    pub flags: &'static [Flag],
    /// Makes the strategy from the values of its flags.
    pub build: fn(&Options) -> Result<Box<dyn Strategy>, BadOption>,
}

/// All strategies, in the order in which they take turns.
pub static STRATEGIES: &[Entry] = &[
    seeds::ENTRY,
    opfuzz::ENTRY,
    typefuzz::ENTRY,
    sae::ENTRY,
    enumerate::ENTRY,
    construct::ENTRY,
    rescript::ENTRY,
    fusion::ENTRY,
    reassemble::ENTRY,
    rewrite::ENTRY,
    simplify::ENTRY,
];

/// Former names of strategies, each with the current name. Stored campaigns have the former ones.
const FORMER_NAMES: &[(&str, &str)] = &[("strings", "construct")];

/// The strategy with this name or former name.
pub fn named(name: &str) -> Option<&'static Entry> {
    let former = FORMER_NAMES.iter().find(|(former, _)| *former == name);
    let name = former.map_or(name, |(_, name)| name);
    STRATEGIES.iter().find(|entry| entry.name == name)
}
