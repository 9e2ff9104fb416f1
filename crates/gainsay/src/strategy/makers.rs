//! Makers: the operators that give a sort, and new terms of one level made with them.

use rustc_hash::FxHashMap;
use smt::theory::{Menu, OpId, Shape, admitted, may_take, producers, table};
use smt::{Head, Literal, Pool, SortId, TermId};

use super::material::{Material, Spot};
use super::support::OperatorSupport;
use crate::case::Choices;

/// Failures after which an operator is no longer tried for a sort.
const FAILURES: u32 = 6;

/// The operators that give a sort, and how often each was tried in vain.
pub(super) struct Makers {
    support: OperatorSupport,
    known: FxHashMap<SortId, Vec<(OpId, u32)>>,
    /// What terms were made in and others may be.
    drafts: Vec<Draft>,
}

/// The operator's shape and its arguments, of a term in the making.
#[derive(Default)]
struct Draft {
    shape: Shape,
    args: Vec<TermId>,
}

impl Makers {
    pub fn new(support: OperatorSupport) -> Makers {
        Makers { support, known: FxHashMap::default(), drafts: Vec::new() }
    }

    /// A new term of a sort over subterms of the seed; with `levels`, half of its arguments are new terms themselves, so
    /// many levels deep. None if the draw was in vain.
    pub fn make(
        &mut self,
        pool: &mut Pool,
        sort: SortId,
        place: (&Material, &Spot),
        levels: u32,
        choices: &mut Choices,
    ) -> Option<TermId> {
        let (support, sorts) = (&self.support, &place.0.sorts);
        let makers = self.known.entry(sort).or_insert_with(|| {
            let usable = |&op: &OpId| {
                let known = support.has(op) && (admitted(op) || table().op(op).name == "ite");
                known && may_take(pool, op, sorts)
            };
            producers(pool, sort).filter(usable).map(|op| (op, 0)).collect()
        });
        let chosen = choices.below(makers.len() as u64) as usize;
        let (op, _) = *makers.get(chosen)?;
        let mut draft = self.drafts.pop().unwrap_or_default();
        let made = self.build(pool, (op, sort), place, levels, &mut draft, choices);
        self.drafts.push(draft);
        if let Some(makers) = self.known.get_mut(&sort)
            && let Some((same, failures)) = makers.get_mut(chosen)
            && *same == op
        {
            *failures = if made.is_some() { 0 } else { *failures + 1 };
            if *failures > FAILURES {
                makers.swap_remove(chosen);
            }
        }
        made
    }

    fn build(
        &mut self,
        pool: &mut Pool,
        (op, sort): (OpId, SortId),
        place: (&Material, &Spot),
        levels: u32,
        Draft { shape, args }: &mut Draft,
        choices: &mut Choices,
    ) -> Option<TermId> {
        let (material, spot) = place;
        let menu =
            Menu { sorts: &material.sorts, widths: &material.widths, numbers: &material.numbers, texts: &[] };
        // cvc5 has no choice between languages.
        if sort == SortId::REGLAN && table().op(op).name == "ite" {
            return None;
        }
        let found = shape.draw(pool, op, sort, &menu, &mut |n| choices.below(n as u64) as usize);
        if !found || !shape.args.iter().all(|&arg| material.has(arg)) {
            return None;
        }
        args.clear();
        for (i, &arg) in shape.args.iter().enumerate() {
            let picky = table().op(op).wants_constant(i);
            let new = if levels > 0 && !picky && choices.happens(1, 2) {
                self.make(pool, arg, place, levels - 1, choices)
            } else {
                None
            };
            let fits = |term: TermId| !picky || is_literal(pool, term);
            args.push(new.or_else(|| material.some(arg, spot, choices, fits))?);
        }
        // As its name is read again.
        let made = pool.apply_shape(op, &shape.indices, args, sort).ok()?;
        (pool.sort_of(made) == sort).then_some(made)
    }
}

fn is_literal(pool: &Pool, term: TermId) -> bool {
    matches!(pool.node(term).head, Head::Literal(Literal::Decimal | Literal::Numeral | Literal::String))
}
