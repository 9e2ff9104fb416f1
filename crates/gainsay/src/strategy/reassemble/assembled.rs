//! Cases that are made of the parts of seeds: some assertions become formulas of parts whose value is known, or formulas that are
//! stronger or weaker than they are.

use smt::{Logic, Pool, TermId};

use super::ENTRY;
use super::origin::{Known, Origin};
use super::parts::View;
use crate::case::{Answer, Approximation, Case, CheckRef, Choices, Claim, Direction, Rule, SeedName};
use crate::strategy::composer::{Composer, Occurrence, Replacement};
use crate::strategy::facts::TermFacts;
use crate::strategy::from_seeds::Maker;
use crate::strategy::printed::{Node, TermTexts};
use crate::strategy::shape::{Shape, Skeleton};

/// The most assertions that one case replaces.
const MOST: u64 = 4;

/// Formulas around a formula p from which p follows, each with its name.
const STRONGER: &[(&str, &str)] = &[
    ("and", "(and p q)"),
    ("and-last", "(and q r p)"),
    ("not-implied", "(not (=> p q))"),
    ("not-or", "(not (or q (not p)))"),
    ("either-way", "(ite q p (and p r))"),
    ("split", "(and (or p q) (or p (not q)))"),
    ("cases", "(or (and p q) (and r p))"),
];

/// Formulas around a formula p that follow from p.
const WEAKER: &[(&str, &str)] = &[
    ("or", "(or p q)"),
    ("or-last", "(or q r p)"),
    ("implied", "(=> q p)"),
    ("not-and", "(not (and q (not p)))"),
    ("either-way", "(ite q p (or p r))"),
    ("split", "(or (and p q) (and p (not q)))"),
    ("cases", "(and (or p q) (=> r p))"),
];

/// What an assertion becomes.
enum Goal {
    /// A formula that is true at one of these models.
    True(Vec<View>),
    /// One of these formulas around it.
    Around(Direction, Vec<(&'static str, Shape)>),
}

/// An assertion that may be replaced.
struct Slot {
    at: Occurrence,
    root: TermId,
    old: String,
}

/// Everything that the cases of a series share.
pub(super) struct Assembled<'a> {
    composer: Composer,
    slots: Vec<Slot>,
    goal: Goal,
    parts: Vec<TermId>,
    logic: Option<Logic>,
    facts: TermFacts,
    texts: TermTexts,
    claims: Vec<Claim>,
    skeletons: &'a [Skeleton],
    depth: u64,
    choices: Choices,
}

impl<'a> Assembled<'a> {
    /// Begins a series.
    pub fn new(
        origin: Origin,
        seeds: Vec<SeedName>,
        skeletons: &'a [Skeleton],
        depth: u64,
        choices: Choices,
    ) -> Assembled<'a> {
        let Origin { script, asserted, known, parts, logic, facts } = origin;
        let (goal, claims) = match known {
            Known::Models(views) => (Goal::True(views), Vec::new()),
            Known::Unsat => around(Direction::Under, STRONGER),
            Known::Open => around(Direction::Over, WEAKER),
        };
        let texts = TermTexts::of(&script.pool);
        let composer = Composer::new(ENTRY.name, script, &asserted, seeds);
        let slot = |command: usize| {
            let root = composer.script().term_of(command, 0)?;
            let at = composer.occurrence(Node { command, before: 0, term: root }, &[]);
            Some(Slot { at, root, old: smt::write_term(&composer.script().pool, root) })
        };
        let slots = asserted.into_iter().filter_map(slot).collect();
        Assembled { composer, slots, goal, parts, logic, facts, texts, claims, skeletons, depth, choices }
    }

    /// Draws assertions, each once, in the order of the text.
    fn chosen(&mut self) -> Vec<usize> {
        let count = 1 + self.choices.below(MOST.min(self.slots.len() as u64));
        let mut chosen: Vec<usize> =
            (0..count).map(|_| self.choices.below(self.slots.len() as u64) as usize).collect();
        chosen.sort_unstable();
        chosen.dedup();
        chosen
    }

    /// Makes a case; none if it was made before.
    fn make(&mut self) -> Option<Case> {
        let chosen = self.chosen();
        let Assembled { composer, slots, parts, logic, facts, texts, skeletons, depth, choices, .. } = self;
        let goal = &self.goal;
        let mut script = composer.fork();
        let mut making = Making { parts, facts, logic: *logic, skeletons, depth: *depth, choices };
        let view = match goal {
            Goal::True(views) => Some(making.choices.pick(views)?),
            Goal::Around(..) => None,
        };
        let mut replacements = Vec::with_capacity(chosen.len());
        for slot in chosen.into_iter().map(|number| &slots[number]) {
            let (term, rule) = match (goal, view) {
                (Goal::Around(direction, shapes), _) => {
                    making.around(&mut script.pool, slot.root, *direction, shapes)?
                }
                (_, Some(view)) => making.true_at(&mut script.pool, view)?,
                _ => return None,
            };
            let mut new = Vec::new();
            texts.write(&script.pool, term, &mut new);
            let new = String::from_utf8(new).ok()?;
            replacements.push(Replacement { at: &slot.at, term, old: slot.old.clone(), new, rule });
        }
        match view {
            Some(view) => composer.case(script, replacements, &witnessed(&view.model)),
            None => composer.case(script, replacements, &self.claims),
        }
    }
}

impl Maker for Assembled<'_> {
    fn is_usable(&self) -> bool {
        !self.slots.is_empty()
    }

    fn draw(&mut self) -> Option<Case> {
        let case = self.make();
        self.choices.forget_made();
        case
    }

    fn skipped(&self) -> u32 {
        self.composer.skipped
    }
}

/// The goal and the claims of formulas around assertions.
fn around(direction: Direction, rows: &'static [(&'static str, &'static str)]) -> (Goal, Vec<Claim>) {
    let (own, origin) = (CheckRef::own(0), CheckRef { script: 1, check: 0 });
    let claim = match direction {
        Direction::Under => Claim::SatImplies(own, origin),
        Direction::Over => Claim::SatImplies(origin, own),
    };
    let shapes = rows.iter().map(|(name, text)| (*name, Shape::read(text))).collect();
    (Goal::Around(direction, shapes), vec![claim])
}

/// The claims of a case that a model satisfies.
fn witnessed(model: &str) -> [Claim; 2] {
    let own = CheckRef::own(0);
    [Claim::Is(own, Answer::Sat), Claim::Witness(own, model.to_owned())]
}

/// What one new formula is made of.
struct Making<'m> {
    parts: &'m [TermId],
    facts: &'m TermFacts,
    logic: Option<Logic>,
    skeletons: &'m [Skeleton],
    depth: u64,
    choices: &'m mut Choices,
}

impl Making<'_> {
    /// A formula that is true at a model, and the rule of its edit.
    fn true_at(&mut self, pool: &mut Pool, view: &View) -> Option<(TermId, Rule)> {
        let skeleton = if self.choices.happens(1, 2) { self.choices.pick(self.skeletons) } else { None };
        let drawn;
        let (shape, name) = match skeleton {
            Some(Skeleton { name, shape }) => (shape, format!("at-the-model in {name}").into()),
            None => {
                drawn = Shape::drawn(self.depth, self.choices);
                (&drawn, "at-the-model".into())
            }
        };
        let fit = (self.facts, self.logic);
        let term = shape.filled(pool, Some(true), self.choices, &mut |pool, _, wanted, choices| {
            view.formula(pool, wanted?, fit, choices)
        })?;
        Some((term, Rule::Equal(name)))
    }

    /// A formula around another, and the rule of its edit.
    fn around(
        &mut self,
        pool: &mut Pool,
        given: TermId,
        direction: Direction,
        shapes: &[(&'static str, Shape)],
    ) -> Option<(TermId, Rule)> {
        let (name, shape) = self.choices.pick(shapes)?;
        let (parts, depth) = (self.parts, self.depth.saturating_sub(1));
        // What is drawn for q is the same wherever q is: shapes that name it twice need that.
        let mut drawn: Vec<TermId> = Vec::new();
        for _ in 0..2 {
            let inner = Shape::drawn(depth.min(self.choices.below(depth + 1)), self.choices);
            drawn
                .push(inner.filled(pool, None, self.choices, &mut |_, _, _, choices| {
                    choices.pick(parts).copied()
                })?);
        }
        let term = shape.filled(pool, None, self.choices, &mut |_, place, _, _| match place {
            Shape::Given => Some(given),
            Shape::Atom(letter) => drawn.get(usize::from(*letter != b'q')).copied(),
            Shape::Of(..) => None,
        })?;
        let approximation = Approximation { name: format!("reassemble-{name}").into(), direction };
        Some((term, Rule::Approximation(approximation)))
    }
}
