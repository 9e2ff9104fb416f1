//! From a wanted sort to the operators that give it and the arguments they then take.

mod draft;
#[cfg(test)]
mod tests;

use super::pattern::may_be;
use super::resolve::{Occurrence, fit};
use super::unambiguous::is_plain;
use super::{Arity, Op, OpId, table};
use crate::pool::Pool;
use crate::sort::{Pat, Sort, SortId};
use crate::symbol::Symbol;
use crate::term::Index;
use draft::Draft;

/// The choices for everything that a wanted sort leaves open.
#[derive(Clone, Copy, Debug)]
pub struct Menu<'a> {
    /// The sorts to choose from.
    pub sorts: &'a [SortId],
    /// The widths to choose from, of bit-vectors and of the parts of floats.
    pub widths: &'a [u32],
    /// The numbers to choose indices from.
    pub numbers: &'a [u32],
    /// Indices to choose from that are neither numbers nor functions: `#x61`, names of operators.
    pub texts: &'a [Symbol],
}

/// An operator's indices and argument sorts at one occurrence.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Shape {
    /// The indices.
    pub indices: Vec<Index>,
    /// The sorts of the arguments.
    pub args: Vec<SortId>,
}

/// The operators whose result may be of this sort. Of an operator whose sorts are computed more may be listed than
/// [`shape`] then finds arguments for.
pub fn producers(pool: &Pool, sort: SortId) -> impl Iterator<Item = OpId> + '_ {
    let may_give = move |row: &Op| !row.only_in_models && may_be(pool, row.result, sort);
    table().ids().filter(move |&id| may_give(table().op(id)))
}

/// Whether terms of these sorts may be all that an operator is applied to. Of an operator whose sorts are computed that
/// is not known, and so it may.
pub fn may_take(pool: &Pool, op: OpId, sorts: &[SortId]) -> bool {
    let row = table().op(op);
    let patterns = if row.arity == Arity::Variadic { &row.args[..row.args.len().min(1)] } else { row.args };
    let fits = |&pat: &Pat, &sort: &SortId| {
        // z3's functions are arrays, and its sets, too.
        let alike = match pat {
            Pat::Function(_) => matches!(pool.sort(sort), Sort::Array(..)),
            Pat::Array(..) => matches!(pool.sort(sort), Sort::Function(_) | Sort::Set(_)),
            _ => false,
        };
        alike || may_be(pool, pat, sort)
    };
    row.rule.is_some() || patterns.iter().all(|pat| sorts.iter().any(|sort| fits(pat, sort)))
}

/// Indices and argument sorts with which an operator gives a term of the sort `result`. Everything that the sort leaves
/// open is taken from the menu; `pick(n)` chooses, by a number below `n`. None if the tries it makes find nothing.
pub fn shape(
    pool: &mut Pool,
    op: OpId,
    result: SortId,
    menu: &Menu,
    pick: &mut dyn FnMut(usize) -> usize,
) -> Option<Shape> {
    let mut shape = Shape::default();
    shape.draw(pool, op, result, menu, pick).then_some(shape)
}

impl Shape {
    /// Does what [`shape`] does with a shape that was used before. If it returns false, it found nothing, and what the
    /// shape holds means nothing.
    pub fn draw(
        &mut self,
        pool: &mut Pool,
        op: OpId,
        result: SortId,
        menu: &Menu,
        pick: &mut dyn FnMut(usize) -> usize,
    ) -> bool {
        let row = table().op(op);
        if !may_be(pool, row.result, result) {
            return false;
        }
        // Computed sorts are found by trying: first what the patterns suggest, then sorts seen so far.
        let tries = if row.rule.is_some() { 96 } else { 8 };
        let indices = &mut Vec::new();
        (0..tries).any(|i| {
            indices.clear();
            let mut draft =
                Draft { pool, row, result, menu, pick, indices, any: [None; 4], width: [None; 4] };
            let loose = i % 2 == 1;
            if draft.shape(loose, self).is_none() {
                return false;
            }
            let mut fits = || {
                [None, Some(result)].into_iter().any(|want| {
                    let occurrence = Occurrence { indices: &self.indices, want, args: &self.args };
                    fit(pool, row, occurrence, None) == Some(result)
                })
            };
            debug_assert!(loose || !is_plain(op) || fits(), "{} gives what its patterns say", row.name);
            (!loose && is_plain(op)) || fits()
        })
    }
}
