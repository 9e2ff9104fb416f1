//! Strategy `seeds`: each seed as it is.

use super::{Entry, Series, Strategy, Wants};
use crate::case::{Case, Choices, Lineage};
use crate::seed::Asked;

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

    fn series<'a>(&'a self, _: u64, seeds: &'a [Asked], _: Choices) -> Box<dyn Series + 'a> {
        Box::new(Once(seeds.first()))
    }
}

struct Once<'a>(Option<&'a Asked>);

impl Series for Once<'_> {
    fn next(&mut self) -> Option<Case> {
        let seed = &self.0.take()?.seed;
        let lineage =
            Lineage { strategy: ENTRY.name.into(), seeds: vec![seed.name.clone()], ..Lineage::default() };
        Some(Case { script: seed.fork(), others: Vec::new(), claims: Vec::new(), lineage })
    }
}
