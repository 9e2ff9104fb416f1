//! Strategy `sae`: mutants whose answer follows from that of their seed.
//!
//! Skeletal approximation enumeration as of Yao, Huang, Tang, Shi, Wu and Zhang (ESEC/FSE 2021): a satisfiable seed is made
//! weaker and must stay satisfiable, an unsatisfiable one stronger and must stay unsatisfiable. Where they make clauses
//! first, we approximate at any place of known polarity, so the seed keeps its structure.
//!
//! The places of one mutant do not overlap, and their polarity is that in the seed. Taken in the order of the text, each
//! step is sound: what a `let` binds comes before the occurrences that give it its polarity. So any of the edits may be
//! dropped, and what is left is an approximation still.

mod binders;
mod constants;
mod data;
mod example;
mod goals;
mod inject;
mod polarity;
mod rules;
mod schema;
#[cfg(test)]
mod tests;
mod views;

use std::sync::Arc;

pub use example::{RuleExample, rule_examples};
use smt::walk::bound_in;
use smt::{Arithmetic, Logic, Script, TermId, write_term};

use self::constants::Constants;
use self::goals::Goals;
use self::inject::{At, Source};
use self::polarity::{Sign, Signs, Spots};
use self::rules::Way;
use self::views::Applicable;
use super::chain::{Chain, Saved};
use super::makers::Makers;
use super::material::Material;
use super::opfuzz::SPEAKERS;
use super::vocabulary::Vocabulary;
use super::{BadOption, Entry, Flag, Options, Series, Strategy, Value, Wants};
use crate::case::{Case, Choices, Claim, Edit, OVER, UNDER};
use crate::seed::Asked;

pub(super) const ENTRY: Entry = Entry {
    name: "sae",
    about: "seeds made weaker or stronger, so that their answer must stay",
    flags: &[
        Flag {
            name: "mutants",
            value: Value::Number,
            default: "300",
            about: "approximations of a seed, each made from the seed itself",
        },
        Flag {
            name: "positions",
            value: Value::Number,
            default: "5",
            about: "the most places that one approximation changes",
        },
        Flag {
            name: "only",
            value: Value::Text,
            default: "",
            about: "only predicate symbol transformation or live predicate injection: pst, lpi",
        },
        Flag {
            name: "incremental",
            value: Value::Switch,
            default: "",
            about: "make each approximation from the one before",
        },
        SPEAKERS,
    ],
    build: |options| Ok(Box::new(Sae::of(options)?)),
};

/// Draws of places and rules before a series is given up.
const TRIES: u32 = 64;
/// Larger formulas are not changed as a whole, only what is in them.
const LARGEST: u32 = 400;
/// Bytes beyond four times the seed's after which a chain begins again at the seed.
const ROOM: usize = 1 << 14;

/// Which of the two techniques.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Only {
    Both,
    Transformation,
    Injection,
}

struct Sae {
    mutants: u32,
    positions: u64,
    only: Only,
    incremental: bool,
    vocabulary: Vocabulary,
}

impl Sae {
    fn of(options: &Options) -> Result<Sae, BadOption> {
        let only = match options.text("only") {
            "" => Only::Both,
            "pst" => Only::Transformation,
            "lpi" => Only::Injection,
            _ => return Err(options.bad("only", "pst or lpi is wanted")),
        };
        Ok(Sae {
            mutants: u32::try_from(options.number("mutants")?).unwrap_or(u32::MAX),
            positions: options.number("positions")?.max(1),
            only,
            incremental: options.is_on("incremental"),
            vocabulary: Vocabulary::of(options.text("speakers")),
        })
    }
}

impl Strategy for Sae {
    fn wants(&self) -> Wants {
        Wants::Drawn(1)
    }

    fn wants_answers(&self) -> bool {
        true
    }

    fn longest(&self) -> u32 {
        self.mutants
    }

    fn series<'a>(&'a self, _: u64, seeds: &'a [Asked], choices: Choices) -> Box<dyn Series + 'a> {
        match seeds.first().and_then(|asked| self.mutants(asked, choices)) {
            Some(mutants) => Box::new(mutants),
            None => Box::new(super::Nothing),
        }
    }
}

impl Sae {
    /// The mutants of a seed; none if nothing may be done to it.
    fn mutants<'a>(&'a self, asked: &'a Asked, choices: Choices) -> Option<Mutants<'a>> {
        let script = asked.seed.script();
        let goals = Goals::of(script, &asked.answers);
        if goals.ways.iter().all(Option::is_none) {
            return None;
        }
        let mut chain = Chain::new(ENTRY.name, &asked.seed, &mut |_, _| false);
        chain.fence = Some(fence(script));
        let vocabulary = self.vocabulary.in_script(script);
        let mut mutants = Mutants {
            strategy: self,
            seed: Arc::new(script.clone()),
            size: asked.seed.size,
            goals,
            saved: chain.save(),
            chain,
            signs: Signs::default(),
            spots: Spots::default(),
            free: Vec::new(),
            applicable: Applicable::new(script, &vocabulary),
            source: Source {
                material: Material::of(script),
                makers: Makers::new(vocabulary),
                constants: Constants::of(script),
            },
            choices,
            left: self.mutants,
            skipped: 0,
        };
        mutants.survey();
        Some(mutants)
    }
}

/// What mutants of a seed may use: what its logic has, and no more arithmetic or quantifiers than it has itself if that is
/// everything.
fn fence(script: &Script) -> Logic {
    let used = Logic::of(script);
    let declared = script.logic().filter(|name| !name.contains("ALL")).and_then(Logic::named);
    match declared {
        Some(logic) => logic.join(used),
        None => {
            let arithmetic = used.arithmetic.max(Arithmetic::Linear);
            Logic { quantifiers: used.quantifiers, higher_order: used.higher_order, arithmetic, ..Logic::ALL }
        }
    }
}

struct Mutants<'a> {
    strategy: &'a Sae,
    seed: Arc<Script>,
    size: usize,
    goals: Goals,
    chain: Chain<'a>,
    saved: Saved,
    signs: Signs,
    spots: Spots,
    /// The spots that may be changed.
    free: Vec<u32>,
    applicable: Applicable,
    source: Source,
    choices: Choices,
    left: u32,
    skipped: u32,
}

impl Mutants<'_> {
    /// Finds the places of the script as it is.
    fn survey(&mut self) {
        self.signs.learn(&self.chain.script.pool);
        let ways = &self.goals.ways;
        self.spots = Spots::of(&self.chain.script, &self.signs, |command| ways[command].is_some());
        let usable = |number: &u32| {
            let spot = self.spots.0[*number as usize];
            spot.free && self.chain.nodes(spot.term) <= LARGEST
        };
        self.free = (0..self.spots.0.len() as u32).filter(usable).collect();
    }

    /// Changes some places that do not overlap; false if none could be changed.
    fn step(&mut self) -> bool {
        let wanted = 1 + self.choices.below(self.strategy.positions);
        let mut chosen: Vec<usize> = Vec::new();
        for _ in 0..wanted {
            if let Some(&number) = self.choices.pick(&self.free)
                && !chosen.iter().any(|&other| self.spots.overlap(other, number as usize))
            {
                chosen.push(number as usize);
            }
        }
        chosen.sort_unstable();
        let mut changed = false;
        for number in chosen {
            changed |= self.change(number);
        }
        changed
    }

    fn change(&mut self, number: usize) -> bool {
        let spot = self.spots.0[number];
        let command = spot.command as usize;
        let Some(goal) = self.goals.ways[command] else { return false };
        let wanted = match (goal, spot.sign) {
            (Way::Under, Sign::Plus) | (Way::Over, Sign::Minus) => Way::Under,
            _ => Way::Over,
        };
        let Some(at) = self.chain.occurrence(command, self.spots.way(number)) else { return false };
        let pool = &self.chain.script.pool;
        let inner = self.chain.above(&at).flat_map(|(term, k)| bound_in(pool, term, k));
        let Some(place) = self.source.material.spot(command, inner) else { return false };
        let pool = &mut self.chain.script.pool;
        let mut draw = At { source: &mut self.source, spot: &place, choices: &mut self.choices };
        let Some((new, id)) =
            self.applicable.approximate(pool, at.term, wanted, self.strategy.only, &mut draw)
        else {
            return false;
        };
        if new == at.term {
            return false;
        }
        let (old, text) = (write_term(pool, at.term), write_term(pool, new));
        let rule = format!("{}{id}", if wanted == Way::Over { OVER } else { UNDER });
        let edit = |place| Edit { place, old, new: text, rule: rule.into() };
        self.chain.change(at, new, edit, false, &mut |_, _| false)
    }

    fn case(&mut self) -> Case {
        let claims: &[Claim] = &self.goals.claims;
        Case { others: vec![Arc::clone(&self.seed)], claims: claims.to_vec(), ..self.chain.case() }
    }

    /// Where the next mutant begins: at the seed, or where the last one ended.
    fn begin(&mut self) {
        let long = self.chain.length() > 4 * self.size + ROOM;
        if !self.strategy.incremental {
            self.chain.restore(&self.saved);
        } else if long {
            self.chain.restore(&self.saved);
            self.survey();
        }
    }
}

impl Series for Mutants<'_> {
    fn next(&mut self) -> Option<Case> {
        if self.left == 0 || self.free.is_empty() {
            return None;
        }
        for _ in 0..TRIES {
            self.begin();
            if self.step() {
                if self.strategy.incremental {
                    self.survey();
                }
                if self.chain.is_new() {
                    self.left -= 1;
                    self.choices.take_made();
                    return Some(self.case());
                }
                self.skipped += 1;
            }
        }
        self.left = 0;
        None
    }

    fn skipped(&self) -> u32 {
        self.skipped
    }
}

/// A new formula for a place, and the rule that gave it.
type Made = Option<(TermId, &'static str)>;
