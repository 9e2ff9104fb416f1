//! Mutants on copies of their seed: what is known of a place is found out once for the whole series.

use std::hash::BuildHasher;

use rustc_hash::{FxBuildHasher, FxHashSet};
use smt::walk::bound_in;
use smt::{Logic, TermId, What};

use super::goals::Goals;
use super::inject::At;
use super::polarity::{Signs, Spots};
use super::printed::{Change, Printed, asserted};
use super::rules::Direction;
use super::views::Fits;
use super::{Drawing, ENTRY, LARGEST, choose, fence, wanted};
use crate::case::{Case, Edit, Edits, Lineage, Place};
use crate::seed::Seed;
use crate::strategy::material;

/// What is known of a spot once it was looked at.
struct Known {
    /// From the top of the assertion.
    way: Vec<u32>,
    /// In the text of its command.
    place: (usize, usize),
    old: String,
    wanted: Direction,
    scope: material::Spot,
    fits: Fits,
}

/// Whether a spot was looked at.
enum Looked {
    NotYet,
    /// Nothing can be done there.
    InVain,
    Found(Box<Known>),
}

/// What a series knows of its seed.
pub(super) struct Copied<'a> {
    seed: &'a Seed,
    printed: Printed,
    spots: Spots,
    /// The spots that may be changed.
    free: Vec<u32>,
    /// By spot: what is known of it.
    known: Vec<Looked>,
    fence: Logic,
    digest: u64,
    seen: FxHashSet<u64>,
    scratch: Scratch,
}

/// What one mutant is made with, emptied for the next.
#[derive(Default)]
struct Scratch {
    changes: Vec<Change>,
    /// The text of all that is new.
    text: Vec<u8>,
}

impl<'a> Copied<'a> {
    pub fn new(seed: &'a Seed, goals: &Goals, blind: bool) -> Copied<'a> {
        let script = seed.script();
        let printed = Printed::of(script);
        let mut signs = Signs::default();
        signs.learn(&script.pool);
        let nodes = |term| printed.nodes(term);
        let spots = Spots::of(script, &signs, nodes, |command| goals.ways[command].is_some());
        let spots = if blind { spots.all_positive() } else { spots };
        let usable = |number: &u32| {
            let spot = spots.0[*number as usize];
            spot.free && printed.nodes(spot.term) <= LARGEST
        };
        let free: Vec<u32> = (0..spots.0.len() as u32).filter(usable).collect();
        let mut known = Vec::new();
        known.resize_with(spots.0.len(), || Looked::NotYet);
        let fence = fence(script);
        let (seen, scratch) = (FxHashSet::default(), Scratch::default());
        Copied { seed, printed, spots, free, known, fence, digest: 0, seen, scratch }
    }

    pub fn is_usable(&self) -> bool {
        !self.free.is_empty()
    }

    /// Whether the last mutant was there before; if not, it is from now on.
    pub fn is_new(&mut self) -> bool {
        self.seen.insert(self.digest)
    }

    /// What is known of a spot.
    fn look(&mut self, number: usize, goals: &Goals, draw: &Drawing) -> Option<Box<Known>> {
        let script = self.seed.script();
        let spot = self.spots.0[number];
        let command = spot.command as usize;
        let wanted = wanted(goals.ways[command]?, spot.sign);
        let way = self.spots.way(number);
        let mut binders = Vec::new();
        let mut term = asserted(script, command)?;
        for &k in &way {
            binders.extend_from_slice(bound_in(&script.pool, term, k as usize));
            term = script.pool.args(term)[k as usize];
        }
        let scope = draw.source.material.spot(command, binders.iter())?;
        let fits = draw.applicable.fits(&script.pool, spot.term, wanted, &draw.source.constants);
        let place = self.printed.place(script, &spot);
        let old = self.printed.at(command, place);
        Some(Box::new(Known { way, place, old, wanted, scope, fits }))
    }

    /// Changes some places of the seed that do not overlap; none if none could be changed.
    pub fn make(&mut self, goals: &Goals, most: u64, draw: &mut Drawing) -> Option<Case> {
        let mut script = self.seed.fork();
        let mut edits = Edits::default();
        self.scratch.changes.clear();
        self.scratch.text.clear();
        for number in choose(&self.spots, &self.free, most, &mut draw.choices) {
            if matches!(self.known[number], Looked::NotYet) {
                self.known[number] = self.look(number, goals, draw).map_or(Looked::InVain, Looked::Found);
            }
            let Looked::Found(known) = &self.known[number] else { continue };
            let spot = &self.spots.0[number];
            let command = spot.command as usize;
            let pool = &mut script.pool;
            let mut at = At { source: &mut draw.source, spot: &known.scope, choices: &mut draw.choices };
            let made =
                draw.applicable.approximate(pool, spot.term, (known.wanted, draw.only), &known.fits, &mut at);
            let Some((new, rule)) = made else { continue };
            let Scratch { changes, text } = &mut self.scratch;
            if new == spot.term || !self.fence.holds(self.printed.logic(pool, new).settled()) {
                continue;
            }
            let Some(top) = put(&mut script, command, &known.way, new) else { continue };
            script.commands[command].what = What::Assert(top);
            let first = text.len();
            self.printed.write(&script.pool, new, text);
            debug_assert_eq!(text[first..], *smt::write_term(&script.pool, new).as_bytes());
            let place = Place { command: spot.command, term: 0, path: known.way.clone() };
            let new = str::from_utf8(&text[first..]).expect("only text is written").to_owned();
            edits = edits.then(Edit { place, old: known.old.clone(), new, rule });
            let (start, end) = known.place;
            changes.push(Change { command, start, end, new: first..text.len() });
        }
        let Scratch { changes, text } = &self.scratch;
        if changes.is_empty() {
            return None;
        }
        script.source = self.printed.print(changes, text, &mut script);
        self.digest = FxBuildHasher.hash_one(&script.source);
        let lineage = Lineage {
            strategy: ENTRY.name.into(),
            seeds: vec![self.seed.name.clone()],
            edits,
            ..Lineage::default()
        };
        Some(Case { script, others: Vec::new(), claims: Vec::new(), lineage })
    }
}

fn put(script: &mut smt::Script, command: usize, way: &[u32], new: TermId) -> Option<TermId> {
    let root = asserted(script, command)?;
    script.pool.replace(root, way, new)
}
