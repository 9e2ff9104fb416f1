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
//! use gainsay::seed::{Asked, Seed};
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
//! let seed = Seed::read("small.smt2", b"(declare-const p Bool)(assert p)(check-sat)").expect("a usable seed");
//! let seeds = [Asked::unasked(Arc::new(seed))];
//! let strategy = (ENTRY.build)(&Options::of(ENTRY.flags, &BTreeMap::new())).expect("it has no flags");
//! let case = strategy.series(0, &seeds, Choices::drawn(7, ENTRY.name, 0)).next().expect("a first case");
//! assert!(case.script.queries().len() > 1, "the check is repeated");
//!
//! // The same number makes the same case.
//! let again = strategy.series(0, &seeds, Choices::drawn(7, ENTRY.name, 0)).next().expect("a first case");
//! assert_eq!(again.text(), case.text());
//! ```

mod chain;
mod choose;
mod construct;
pub mod enumerate;
mod makers;
mod material;
mod mutating;
mod opfuzz;
mod options;
mod parts;
mod sae;
mod seeds;
mod splice;
mod support;
mod typefuzz;

use std::sync::Arc;

use crate::case::{Case, Choices};
use crate::seed::{Asked, Seed};

pub use choose::{BadChoice, Built, build};
pub use construct::matches_pattern;
pub use options::{BadOption, Flag, Options, Value};
pub use sae::{ListedRule, RuleExample, listed_rules, rule_examples, without_polarity};

/// How a strategy is given seeds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wants {
    /// It makes scripts from nothing.
    Nothing,
    /// Series n is given seed n, and there are no more series than seeds.
    EachInTurn,
    /// So many, drawn at random.
    Drawn(usize),
}

/// What makes cases. Given the same number, seeds and choices it makes the same cases, byte for byte, and it never sees
/// what solvers answer to them.
pub trait Strategy: Send + Sync {
    /// What a series starts from.
    fn wants(&self) -> Wants;

    /// Whether the answers of the solvers on the seeds must be known; else nobody is asked.
    fn wants_answers(&self) -> bool {
        false
    }

    /// What a series is made of in the place of a seed, which the solvers are then asked, too; none if nothing can be.
    fn takes(&self, seed: &Arc<Seed>) -> Option<Arc<Seed>> {
        Some(Arc::clone(seed))
    }

    /// The most turns a series has.
    fn longest(&self) -> u32;

    /// Whether a series ends with the first finding in it. The campaign keeps why a series has ended.
    fn ends_at_finding(&self) -> bool {
        false
    }

    /// How many series there are, if they end.
    fn series_count(&self) -> Option<u64> {
        None
    }

    /// Whether a series is given up after many time-outs or refusals in a row.
    fn ends_early(&self) -> bool {
        true
    }

    /// Series number `no` of this strategy.
    fn series<'a>(&'a self, no: u64, seeds: &'a [Asked], choices: Choices) -> Box<dyn Series + 'a>;
}

/// What a strategy makes from one draw: its cases, one after another.
pub trait Series {
    /// The next case; none when the series has ended.
    fn next(&mut self) -> Option<Case>;

    /// The next case as text, for whoever only writes it down.
    fn next_text(&mut self) -> Option<String> {
        self.next().map(|case| case.text())
    }

    /// The name of the last case, if cases have names of their own.
    fn name(&self) -> Option<&str> {
        None
    }

    /// Cases so far that were left out: an earlier one of the series is the same, or it is no script.
    fn skipped(&self) -> u32 {
        0
    }

    /// Goes past so many cases.
    fn skip(&mut self, n: u32) {
        for _ in 0..n {
            if self.next().is_none() {
                return;
            }
        }
    }
}

/// A series of no cases.
struct Nothing;

impl Series for Nothing {
    fn next(&mut self) -> Option<Case> {
        None
    }
}

/// A strategy that can be chosen.
pub struct Entry {
    /// Its name after `--with`.
    pub name: &'static str,
    /// What it does, in a line.
    pub about: &'static str,
    /// Its own flags.
    pub flags: &'static [Flag],
    /// Makes it from the values of its flags.
    pub build: fn(&Options) -> Result<Box<dyn Strategy>, BadOption>,
}

/// All strategies, in the order in which they take turns.
pub static STRATEGIES: &[Entry] =
    &[seeds::ENTRY, opfuzz::ENTRY, typefuzz::ENTRY, sae::ENTRY, enumerate::ENTRY, construct::ENTRY];

/// Names that strategies had before, each with the name of today. Stored campaigns and habits have the old ones.
const FORMER_NAMES: &[(&str, &str)] = &[("strings", "construct")];

/// The strategy of that name, or of that former name.
pub fn named(name: &str) -> Option<&'static Entry> {
    let former = FORMER_NAMES.iter().find(|(former, _)| *former == name);
    let name = former.map_or(name, |(_, name)| name);
    STRATEGIES.iter().find(|entry| entry.name == name)
}
