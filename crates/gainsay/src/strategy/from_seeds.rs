//! Series of cases that are made from seeds whose answers are known: seeds that solvers differ on come first, as they are.

use super::Series;
use super::seeds::unchanged;
use crate::case::Case;
use crate::seed::Asked;

/// How many draws without a new case end a series.
const TRIES: u32 = 64;

/// What makes the cases of a series.
pub(super) trait Maker {
    /// Whether there is anything to make cases of.
    fn is_usable(&self) -> bool;

    /// Draws a case; none if the draw gave none that is new.
    fn draw(&mut self) -> Option<Case>;

    /// How many cases were made before, and left out.
    fn skipped(&self) -> u32;
}

/// A series of cases from seeds.
pub(super) struct FromSeeds<M> {
    /// Seeds that solvers differ on: they must be asked the seed itself, so that the difference is judged.
    first: Vec<Case>,
    maker: Option<M>,
    left: u32,
}

impl<M: Maker> FromSeeds<M> {
    /// A series of at most `most` cases of a strategy.
    pub fn new(strategy: &'static str, seeds: &[Asked], maker: Option<M>, most: u32) -> FromSeeds<M> {
        let disputed = seeds.iter().filter(|asked| asked.is_disputed());
        let mut first: Vec<Case> = disputed.map(|asked| unchanged(strategy, &asked.seed)).collect();
        first.truncate(most as usize);
        let left = most - first.len() as u32;
        FromSeeds { first, maker, left }
    }
}

impl<M: Maker> Series for FromSeeds<M> {
    fn next(&mut self) -> Option<Case> {
        if let Some(case) = self.first.pop() {
            return Some(case);
        }
        self.left = self.left.checked_sub(1)?;
        let maker = self.maker.as_mut().filter(|maker| maker.is_usable())?;
        let case = (0..TRIES).find_map(|_| maker.draw());
        if case.is_none() {
            self.left = 0;
        }
        case
    }

    fn skipped(&self) -> u32 {
        self.maker.as_ref().map_or(0, Maker::skipped)
    }
}
