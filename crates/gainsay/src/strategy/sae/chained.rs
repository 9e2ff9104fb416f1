//! Mutants on a chain: each is made from the one before, or from a seed whose logic may have to change.

use smt::walk::bound_in;
use smt::write_term;

use super::goals::Goals;
use super::inject::At;
use super::polarity::{Signs, Spots};
use super::{Drawing, ENTRY, LARGEST, choose, fence, wanted};
use crate::case::{Case, Edit};
use crate::seed::Seed;
use crate::strategy::chain::{Chain, Saved};

/// A chain, and the spots of its current script that may be changed.
pub(super) struct Chained<'a> {
    chain: Chain<'a>,
    saved: Saved,
    signs: Signs,
    spots: Spots,
    /// The spots that may be changed.
    free: Vec<u32>,
    blind: bool,
}

impl<'a> Chained<'a> {
    pub fn new(seed: &'a Seed, goals: &Goals, blind: bool) -> Chained<'a> {
        let mut chain = Chain::new(ENTRY.name, seed, &mut |_, _| false);
        chain.fence = Some(fence(seed.script()));
        let saved = chain.save();
        let mut chained = Chained {
            chain,
            saved,
            signs: Signs::default(),
            spots: Spots::default(),
            free: Vec::new(),
            blind,
        };
        chained.survey(goals);
        chained
    }

    pub fn is_usable(&self) -> bool {
        !self.free.is_empty()
    }

    pub fn is_new(&mut self) -> bool {
        self.chain.is_new()
    }

    pub fn case(&mut self) -> Case {
        self.chain.case()
    }

    pub fn length(&self) -> usize {
        self.chain.length()
    }

    /// Goes back to the seed. With `moved`, its spots are found again.
    pub fn begin(&mut self, moved: bool, goals: &Goals) {
        self.chain.restore(&self.saved);
        if moved {
            self.survey(goals);
        }
    }

    /// Finds the spots of the current script.
    pub fn survey(&mut self, goals: &Goals) {
        let script = &self.chain.script;
        self.signs.learn(&script.pool);
        let nodes = |term| self.chain.nodes(term);
        let spots = Spots::of(script, &self.signs, nodes, |command| goals.ways[command].is_some());
        self.spots = if self.blind { spots.all_positive() } else { spots };
        let usable = |number: &u32| {
            let spot = self.spots.0[*number as usize];
            spot.free && self.chain.nodes(spot.term) <= LARGEST
        };
        self.free = (0..self.spots.0.len() as u32).filter(usable).collect();
    }

    /// Changes some spots that do not overlap; false if none could be changed.
    pub fn step(&mut self, goals: &Goals, most: u64, draw: &mut Drawing) -> bool {
        let mut changed = false;
        for number in choose(&self.spots, &self.free, most, &mut draw.choices) {
            changed |= self.change(number, goals, draw).is_some();
        }
        changed
    }

    fn change(&mut self, number: usize, goals: &Goals, draw: &mut Drawing) -> Option<()> {
        let spot = self.spots.0[number];
        let command = spot.command as usize;
        let wanted = wanted(goals.ways[command]?, spot.sign);
        let at = self.chain.occurrence(command, self.spots.way(number))?;
        let pool = &self.chain.script.pool;
        let inner = self.chain.above(&at).flat_map(|(term, k)| bound_in(pool, term, k));
        let place = draw.source.material.spot(command, inner)?;
        let fits = draw.applicable.fits(pool, at.term, wanted, &draw.source.constants);
        let pool = &mut self.chain.script.pool;
        let mut drawn = At { source: &mut draw.source, spot: &place, choices: &mut draw.choices };
        let (new, rule) =
            draw.applicable.approximate(pool, at.term, (wanted, draw.only), &fits, &mut drawn)?;
        if new == at.term {
            return None;
        }
        let (old, text) = (write_term(pool, at.term), write_term(pool, new));
        let edit = |place| Edit { place, old, new: text, rule };
        self.chain.change(at, new, edit, false, &mut |_, _| false).then_some(())
    }
}
