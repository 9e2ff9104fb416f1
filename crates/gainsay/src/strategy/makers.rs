//! Makers: for each sort the operators that have it as their result, and new terms that are made with them.

use rustc_hash::FxHashMap;
use smt::theory::{Menu, OpId, Shape, admitted, may_take, producers, table};
use smt::{Head, Literal, Pool, SortId, TermId};

use super::material::{Material, Spot};
use super::support::OperatorSupport;
use crate::case::Choices;

/// How many failures in a row remove an operator from those of a sort.
const FAILURES: u32 = 6;

/// For each sort the operators that have it as their result, and how often in a row each failed.
pub(super) struct Makers {
    support: OperatorSupport,
    known: FxHashMap<SortId, Vec<(OpId, u32)>>,
    /// Buffers for terms, kept for the next ones.
    drafts: Vec<Draft>,
}

/// The buffers for one term: the shape of its operator and its arguments.
#[derive(Default)]
struct Draft {
    shape: Shape,
    args: Vec<TermId>,
}

/// What a new term is made of and for.
#[derive(Clone, Copy)]
pub(super) struct Site<'a> {
    /// The subterms that may be used.
    pub material: &'a Material,
    /// The place of the new term.
    pub spot: &'a Spot,
    /// How many levels of new terms may be below its operator.
    pub levels: u32,
}

impl Makers {
    pub fn new(support: OperatorSupport) -> Makers {
        Makers { support, known: FxHashMap::default(), drafts: Vec::new() }
    }

    /// A new term of a sort: an operator over subterms of the seed. Down to `levels` levels, half of the arguments are new
    /// terms, too. None if the drawn operator cannot be used.
    pub fn make(
        &mut self,
        pool: &mut Pool,
        sort: SortId,
        site: Site<'_>,
        choices: &mut Choices,
    ) -> Option<TermId> {
        let (support, sorts) = (&self.support, &site.material.sorts);
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
        let made = self.build(pool, (op, sort), site, &mut draft, choices);
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
        site: Site<'_>,
        Draft { shape, args }: &mut Draft,
        choices: &mut Choices,
    ) -> Option<TermId> {
        let Site { material, spot, levels } = site;
        let menu =
            Menu { sorts: &material.sorts, widths: &material.widths, numbers: &material.numbers, texts: &[] };
        // cvc5 does not support `ite` on regular languages.
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
                self.make(pool, arg, Site { levels: levels - 1, ..site }, choices)
            } else {
                None
            };
            let fits = |term: TermId| !picky || is_literal(pool, term);
            args.push(new.or_else(|| material.some(arg, spot, choices, fits))?);
        }
        // The name must be read again as this operator.
        let made = pool.apply_shape(op, &shape.indices, args, sort).ok()?;
        (pool.sort_of(made) == sort).then_some(made)
    }
}

fn is_literal(pool: &Pool, term: TermId) -> bool {
    matches!(pool.node(term).head, Head::Literal(Literal::Decimal | Literal::Numeral | Literal::String))
}
