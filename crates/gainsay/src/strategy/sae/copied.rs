//! Mutants that are each made from the seed. The facts about a place are determined once for the whole series.

use std::hash::BuildHasher;
use std::ops::Range;

use rustc_hash::{FxBuildHasher, FxHashSet};
use smt::walk::bound_in;
use smt::{Logic, Script, TermId, What};

use super::goals::Goals;
use super::inject::At;
use super::polarity::{Signs, Spots};
use super::rules::Direction;
use super::views::Fits;
use super::{Drawing, ENTRY, LARGEST, choose, fence, wanted};
use crate::case::{Case, Edit, Edits, Lineage, Place};
use crate::seed::Seed;
use crate::strategy::facts::TermFacts;
use crate::strategy::material;
use crate::strategy::printed::{Change, Node, Printed, TermTexts};

/// The facts about a spot.
struct Known {
    /// The path from the top of the assertion to the spot.
    way: Vec<u32>,
    /// The place in the text of its command.
    place: Range<usize>,
    old: String,
    wanted: Direction,
    scope: material::Spot,
    fits: Fits,
}

/// The state of the facts about a spot.
enum Looked {
    NotYet,
    /// The spot cannot be changed.
    InVain,
    Found(Box<Known>),
}

/// The facts that a series has about its seed.
pub(super) struct Copied<'a> {
    seed: &'a Seed,
    facts: TermFacts,
    /// The text of the seed.
    printed: Printed,
    /// The same text, in which commands that were looked at are printed from their terms.
    plain: Printed,
    /// The texts of the seed's terms.
    texts: TermTexts,
    spots: Spots,
    /// The spots that may be changed.
    free: Vec<u32>,
    /// By spot: the facts about it.
    known: Vec<Looked>,
    fence: Logic,
    digest: u64,
    seen: FxHashSet<u64>,
    scratch: Scratch,
}

/// Buffers for one mutant, reused for the next.
#[derive(Default)]
struct Scratch {
    changes: Vec<Change>,
    /// The text of everything that is new.
    text: Vec<u8>,
    /// The text of the mutant.
    page: Vec<u8>,
}

impl<'a> Copied<'a> {
    pub fn new(seed: &'a Seed, goals: &Goals, blind: bool) -> Copied<'a> {
        let script = seed.script();
        let printed = Printed::of(script);
        let mut facts = TermFacts::default();
        facts.learn_without_sites(&script.pool);
        let mut signs = Signs::default();
        signs.learn(&script.pool);
        let nodes = |term| facts.of(term).nodes;
        let spots = Spots::of(script, &signs, nodes, |command| goals.ways[command].is_some());
        let spots = if blind { spots.all_positive() } else { spots };
        let usable = |number: &u32| {
            let spot = spots.0[*number as usize];
            spot.free && nodes(spot.term) <= LARGEST
        };
        let free: Vec<u32> = (0..spots.0.len() as u32).filter(usable).collect();
        let mut known = Vec::new();
        known.resize_with(spots.0.len(), || Looked::NotYet);
        let fence = fence(script);
        let (seen, scratch) = (FxHashSet::default(), Scratch::default());
        let (plain, texts) = (printed.clone(), TermTexts::of(&script.pool));
        Copied { seed, facts, printed, plain, texts, spots, free, known, fence, digest: 0, seen, scratch }
    }

    pub fn is_usable(&self) -> bool {
        !self.free.is_empty()
    }

    /// Whether the last mutant is new. The next time it is not.
    pub fn is_new(&mut self) -> bool {
        self.seen.insert(self.digest)
    }

    /// Determines the facts about a spot; none if it cannot be changed.
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
        if !self.plain.has_nodes(command) {
            self.plain.reprint(script, command);
        }
        let place = self.plain.place(&script.pool, Node { command, before: spot.before, term: spot.term });
        let old = String::from_utf8_lossy(&self.plain.command(command)[place.clone()]).into_owned();
        debug_assert_eq!(old, smt::write_term(&script.pool, spot.term), "a term prints the same everywhere");
        Some(Box::new(Known { way, place, old, wanted, scope, fits }))
    }

    /// Makes a mutant by changing some places that do not overlap; none if no place could be changed.
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
            let Scratch { changes, text, .. } = &mut self.scratch;
            if new == spot.term || !self.fence.holds(self.facts.logic_of(pool, new).settled()) {
                continue;
            }
            let Some(top) = put(&mut script, command, &known.way, new) else { continue };
            script.commands[command].what = What::Assert(top);
            let first = text.len();
            self.texts.write(&script.pool, new, text);
            debug_assert_eq!(text[first..], *smt::write_term(&script.pool, new).as_bytes());
            let place = Place { command: spot.command, term: 0, path: known.way.clone() };
            let new = str::from_utf8(&text[first..]).expect("only text is written").to_owned();
            edits = edits.then(Edit { place, old: known.old.clone(), new, rule });
            changes.push(Change { command, part: known.place.clone(), new: first..text.len() });
        }
        let Scratch { changes, text, page } = &mut self.scratch;
        if changes.is_empty() {
            return None;
        }
        self.printed.compose(&self.plain, (changes, text), &mut script.commands, page);
        script.source = page.as_slice().into();
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

/// The formula that a command asserts.
fn asserted(script: &Script, command: usize) -> Option<TermId> {
    match script.commands[command].what {
        What::Assert(term) => Some(term),
        _ => None,
    }
}

/// The formula that a command asserts, with another term at the end of a way.
fn put(script: &mut Script, command: usize, way: &[u32], new: TermId) -> Option<TermId> {
    let root = asserted(script, command)?;
    script.pool.replace(root, way, new)
}
