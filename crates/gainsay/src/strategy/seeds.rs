//! Strategy `seeds`: each seed as it is.

use super::{Entry, Series, Strategy, Wants};
use crate::case::{Case, Choices, Lineage};
use crate::seed::{Asked, Seed};

pub(super) const ENTRY: Entry =
    Entry { name: "seeds", about: "each seed as it is, once", flags: &[], build: |_| Ok(Box::new(Seeds)) };

struct Seeds;

impl Strategy for Seeds {
    fn wants(&self) -> Wants {
        Wants::EachInTurn
    }

    fn longest(&self) -> u32 {
        1
    }

    fn keeps_seeds(&self) -> bool {
        true
    }

    fn series<'a>(&'a self, _: u64, seeds: &'a [Asked], _: Choices) -> Box<dyn Series + 'a> {
        Box::new(Once(seeds.first()))
    }
}

struct Once<'a>(Option<&'a Asked>);

impl Series for Once<'_> {
    fn next(&mut self) -> Option<Case> {
        self.0.take().map(|asked| as_it_is(&asked.seed))
    }
}

/// A seed as it is, as a case of this strategy.
pub fn as_it_is(seed: &Seed) -> Case {
    unchanged(ENTRY.name, seed)
}

/// A seed as it is, as a case of a strategy.
pub(super) fn unchanged(strategy: &'static str, seed: &Seed) -> Case {
    let lineage = Lineage { strategy: strategy.into(), seeds: vec![seed.name.clone()], ..Lineage::default() };
    Case { script: seed.fork(), others: Vec::new(), claims: Vec::new(), lineage }
}
