//! Cases that are made from two seeds side by side: some occurrences of constants are replaced by terms of the same value.

use std::sync::Arc;

use smt::walk::{bound_in, occurrences};
use smt::{Head, Script, What};

use super::ENTRY;
use super::origin::{Known, Origin, Side};
use crate::case::{Answer, Case, CheckRef, Choices, Claim, Rule, SeedName};
use crate::strategy::composer::{Composer, Occurrence, Replacement};
use crate::strategy::from_seeds::Maker;
use crate::strategy::printed::Node;

/// The most occurrences that one case replaces.
const MOST: u64 = 6;

/// An occurrence of a constant.
struct Spot {
    at: Occurrence,
    /// The sides that may take its place.
    sides: Vec<usize>,
}

/// Everything that the cases of a series share.
pub(super) struct Fused {
    composer: Composer,
    sides: Vec<Side>,
    spots: Vec<Spot>,
    claims: Vec<Claim>,
    choices: Choices,
    /// The script that the others are made from, as a case of its own.
    first: Option<Case>,
}

impl Fused {
    /// Begins a series.
    pub fn new(origin: Origin, seeds: Vec<SeedName>, choices: Choices) -> Fused {
        let Origin { script, asserted, sides, known } = origin;
        let composer = Composer::new(ENTRY.name, script, &asserted, seeds);
        let spots = asserted.into_iter().flat_map(|command| spots_of(&composer, command, &sides)).collect();
        let (claims, first) = match known {
            Known::Witness(model) => (witnessed(model), None),
            Known::Part(part) => (same(), Some(begin(&composer, part))),
        };
        Fused { composer, sides, spots, claims, choices, first }
    }

    /// Draws occurrences, each once, in the order of the text.
    fn chosen(&mut self) -> Vec<usize> {
        let count = 1 + self.choices.below(MOST.min(self.spots.len() as u64));
        let mut chosen: Vec<usize> =
            (0..count).map(|_| self.choices.below(self.spots.len() as u64) as usize).collect();
        chosen.sort_unstable();
        chosen.dedup();
        chosen
    }

    /// Makes a case; none if it was made before.
    fn make(&mut self) -> Option<Case> {
        let chosen = self.chosen();
        let mut replacements = Vec::with_capacity(chosen.len());
        for number in chosen {
            let Spot { at, sides } = &self.spots[number];
            let side = &self.sides[*self.choices.pick(sides)?];
            let rule = Rule::Equal(side.rule.clone().into());
            let (old, new) = (side.old.clone(), side.new.clone());
            replacements.push(Replacement { at, term: side.term, old, new, rule });
        }
        let script = self.composer.fork();
        self.composer.case(script, replacements, &self.claims)
    }
}

impl Maker for Fused {
    fn is_usable(&self) -> bool {
        self.first.is_some() || !self.spots.is_empty()
    }

    fn draw(&mut self) -> Option<Case> {
        if self.first.is_some() || self.spots.is_empty() {
            return self.first.take();
        }
        let case = self.make();
        self.choices.forget_made();
        case
    }

    fn skipped(&self) -> u32 {
        self.composer.skipped
    }
}

/// The claims of a case that a model satisfies.
fn witnessed(model: String) -> Vec<Claim> {
    let own = CheckRef::own(0);
    vec![Claim::Is(own, Answer::Sat), Claim::Witness(own, model)]
}

/// The claims of a case that has the answer of the script that it was made from.
fn same() -> Vec<Claim> {
    let (own, origin) = (CheckRef::own(0), CheckRef { script: 1, check: 0 });
    vec![Claim::SatImplies(own, origin), Claim::SatImplies(origin, own)]
}

/// The script that cases are made from, as a case: it has a model only if a part of it has one.
fn begin(composer: &Composer, part: Arc<Script>) -> Case {
    let implies = Claim::SatImplies(CheckRef::own(0), CheckRef { script: 1, check: 0 });
    composer.unchanged(part, vec![implies])
}

/// The occurrences of constants in a command that may be replaced.
fn spots_of(composer: &Composer, command: usize, sides: &[Side]) -> Vec<Spot> {
    let script = composer.script();
    let What::Assert(root) = script.commands[command].what else { return Vec::new() };
    let pool = &script.pool;
    let mut spots = Vec::new();
    let mut before = 0;
    occurrences(pool, root, |term, path| {
        let here = before;
        before += 1;
        let matching = || (0..sides.len()).filter(|&i| sides[i].constant == term);
        if matching().next().is_none() {
            return;
        }
        let (mut at, mut bound) = (root, Vec::new());
        for &k in path {
            // Not every term can be a pattern.
            if k > 0 && matches!(pool.node(at).head, Head::Annotated(_)) {
                return;
            }
            bound.extend(bound_in(pool, at, k as usize).iter().map(|binder| pool.text(binder.name)));
            at = pool.args(at)[k as usize];
        }
        let is_free = |i: &usize| !sides[*i].names.iter().any(|name| bound.contains(&name.as_str()));
        let fitting: Vec<usize> = matching().filter(is_free).collect();
        if !fitting.is_empty() {
            let at = composer.occurrence(Node { command, before: here, term }, path);
            spots.push(Spot { at, sides: fitting });
        }
    });
    spots
}
