//! Cases of a seed that is rewritten step by step. Each step keeps the value of a term.

use std::sync::Arc;

use smt::theory::table;
use smt::walk::bound_in;
use smt::{Head, Pool, Script, SortId, Symbol, TermId, write_term};

use super::sorts::Bound;
use super::table::{Book, Equivalence};
use super::{ENTRY, Rewrite};
use crate::case::{Case, CheckRef, Choices, Claim, Edit, Rule};
use crate::seed::Seed;
use crate::strategy::chain::{Chain, Occurrence, Saved};
use crate::strategy::from_seeds::Maker;
use crate::strategy::material::{Material, Spot};
use crate::strategy::places::Places;
use crate::strategy::sae::fence;

/// The most steps from one case to the next.
const AT_ONCE: u64 = 4;
/// A series begins again at the seed after so many steps.
const STEPS: u32 = 40;
/// It does so, too, when its text has this many bytes more than four times the seed.
const ROOM: usize = 1 << 12;
/// Larger terms stay.
const LARGEST: u32 = 200;

/// Everything that the cases of a series share.
pub(super) struct Rewritten<'a> {
    book: &'a Book,
    /// By row: whether its operators may be used in the seed.
    usable: Vec<bool>,
    chain: Chain<'a>,
    start: Saved,
    /// The steps since the seed.
    steps: u32,
    size: usize,
    places: Places,
    material: Material,
    others: Vec<Arc<Script>>,
    claims: Vec<Claim>,
    choices: Choices,
    skipped: u32,
}

impl<'a> Rewritten<'a> {
    /// Begins a series.
    pub fn new(strategy: &'a Rewrite, seed: &'a Seed, choices: Choices) -> Rewritten<'a> {
        let script = seed.script();
        let mut places = Places::default();
        let mut chain = Chain::new(ENTRY.name, seed, &mut |pool, term| places.is_site(pool, term));
        chain.fence = Some(fence(script));
        let support = strategy.support.in_script(script);
        let checks = script.queries();
        let clear = checks.iter().enumerate().filter(|(_, query)| !query.opaque);
        let claims = clear.flat_map(|(check, _)| {
            let (seed, own) = (CheckRef { script: 1, check }, CheckRef::own(check));
            [Claim::SatImplies(seed, own), Claim::SatImplies(own, seed)]
        });
        Rewritten {
            book: &strategy.book,
            usable: strategy.book.rows().iter().map(|row| row.is_supported(&support)).collect(),
            start: chain.save(),
            chain,
            steps: 0,
            size: seed.size,
            places,
            material: Material::of(script),
            others: vec![Arc::new(script.clone())],
            claims: claims.collect(),
            choices,
            skipped: 0,
        }
    }

    /// Makes some steps; false if none could be made.
    fn make(&mut self) -> bool {
        let long = self.steps >= STEPS || self.chain.length() > 4 * self.size + ROOM;
        if long || self.choices.happens(1, 16) {
            self.chain.restore(&self.start);
            self.steps = 0;
        }
        let mut made = 0;
        for _ in 0..=self.choices.below(AT_ONCE) {
            made += u32::from(self.step().is_some());
        }
        self.steps += made;
        made > 0
    }

    /// Replaces a term by one of the same value.
    fn step(&mut self) -> Option<()> {
        let at = self.chain.site(self.choices.below(self.chain.sites()))?;
        let pool = &self.chain.script.pool;
        if self.chain.nodes(at.term) > LARGEST {
            return None;
        }
        if let Some((parent, place)) = self.chain.above(&at).last()
            && let Head::Op(op, _) = pool.node(parent).head
            && table().op(op).wants_constant(place)
        {
            return None;
        }
        let (new, rule) = self.other(&at)?;
        let pool = &self.chain.script.pool;
        if new == at.term || pool.sort_of(new) != pool.sort_of(at.term) {
            return None;
        }
        let (old, text) = (write_term(pool, at.term), write_term(pool, new));
        let places = &mut self.places;
        let edit = |place| Edit { place, old, new: text, rule: Rule::Equivalent(rule.into()) };
        self.chain.change(at, new, edit, false, &mut |pool, term| places.is_site(pool, term)).then_some(())
    }

    /// A term of the same value, and the name of the rule that gave it.
    fn other(&mut self, at: &Occurrence) -> Option<(TermId, String)> {
        let pool = &self.chain.script.pool;
        let inner = self.chain.above(at).flat_map(|(term, k)| bound_in(pool, term, k));
        let binders: Vec<_> = self.chain.variables(at).iter().chain(inner).collect();
        let names: Vec<Symbol> = binders.iter().map(|binder| binder.name).collect();
        let spot = self.material.spot(self.chain.command(at), binders.into_iter());
        let specific = match pool.node(at.term).head {
            Head::Op(op, _) => self.book.on(op),
            _ => &[],
        };
        let mut fitting: Vec<(u32, u8, Bound)> = Vec::new();
        self.fit(at.term, specific, &mut fitting);
        // What is about any term is done less often, for there is always one.
        let general = fitting.is_empty() || self.choices.happens(1, 6);
        if general && self.choices.happens(1, 3) {
            let script = &mut self.chain.script;
            let steps = smt::rewrite::of_term(script, at.term, &names);
            if let Some((rule, new)) = self.choices.pick(&steps) {
                return Some((*new, rule.word().to_owned()));
            }
        }
        if general {
            fitting.clear();
            self.fit(at.term, self.book.alone(), &mut fitting);
        }
        let (row, side, mut bound) = self.choices.pick(&fitting)?.clone();
        let row = self.book.row(row);
        let new = self.built(row, side, &mut bound, spot.as_ref())?;
        Some((new, row.name.clone()))
    }

    /// The other side of a row.
    fn built(
        &mut self,
        row: &Equivalence,
        side: u8,
        bound: &mut Bound,
        spot: Option<&Spot>,
    ) -> Option<TermId> {
        let Rewritten { chain, material, choices, .. } = self;
        let pattern = &row.sides[usize::from(1 - side)];
        let mut draw = |_: &mut Pool, sort: SortId| material.some(sort, spot?, choices, |_| true);
        pattern.built(&mut chain.script.pool, &row.variables, bound, &mut draw)
    }

    /// Adds the sides that have the form of a term.
    fn fit(&self, term: TermId, among: &[(u32, u8)], fitting: &mut Vec<(u32, u8, Bound)>) {
        let pool = &self.chain.script.pool;
        for &(number, side) in among.iter().filter(|(number, _)| self.usable[*number as usize]) {
            let row = self.book.row(number);
            let mut bound = Bound::default();
            if row.sides[usize::from(side)].matches(pool, term, &row.variables, &mut bound) {
                fitting.push((number, side, bound));
            }
        }
    }
}

impl Maker for Rewritten<'_> {
    fn is_usable(&self) -> bool {
        !self.claims.is_empty() && self.chain.sites() > 0
    }

    fn draw(&mut self) -> Option<Case> {
        if !self.make() {
            return None;
        }
        if !self.chain.is_new() {
            self.skipped += 1;
            return None;
        }
        self.choices.forget_made();
        let (others, claims) = (self.others.clone(), self.claims.clone());
        Some(Case { others, claims, ..self.chain.case() })
    }

    fn skipped(&self) -> u32 {
        self.skipped
    }
}
