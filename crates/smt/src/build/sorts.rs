//! Which rows and sorts fit terms: the row for given arguments, Ints as Reals, and sorts that are one to z3.

use crate::pool::Pool;
use crate::sort::{Sort, SortId};
use crate::symbol::word;
use crate::term::{Head, IndexList, TermId};
use crate::theory::{self, NoRow};

impl Pool {
    /// The row for an operator applied to these terms.
    pub(crate) fn resolve(
        &mut self,
        rows: &[theory::OpId],
        indices: IndexList,
        want: Option<SortId>,
        args: &[TermId],
    ) -> Result<theory::Found, NoRow> {
        let indices = if indices == IndexList(0) { Vec::new() } else { self.indices(indices).to_vec() };
        let mut few = [SortId::UNKNOWN; 8];
        if args.len() <= few.len() {
            for (sort, &arg) in few.iter_mut().zip(args) {
                *sort = self.sort_of(arg);
            }
            return theory::resolve(self, rows, &indices, want, &few[..args.len()]);
        }
        let sorts: Vec<_> = args.iter().map(|&a| self.sort_of(a)).collect();
        theory::resolve(self, rows, &indices, want, &sorts)
    }

    /// An Int as a Real, without a conversion in the text.
    pub(crate) fn coerce(&mut self, term: TermId) -> TermId {
        self.add_term(Head::Coerce, word::NONE, SortId::REAL, &[term])
    }

    /// Whether two sorts are one for z3: a function and the array it is, a set and the array of its members.
    pub(crate) fn interchangeable(&self, a: SortId, b: SortId) -> bool {
        let is_map = |sort| matches!(sort, Sort::Array(..) | Sort::Function(_) | Sort::Set(_));
        let (x, y) = (self.sort(a), self.sort(b));
        // Two functions, or two sets, are one sort only if they are the same.
        if !is_map(x) || !is_map(y) || std::mem::discriminant(&x) == std::mem::discriminant(&y) {
            return false;
        }
        let (mut left, mut right) = (Vec::new(), Vec::new());
        self.curried(a, &mut left);
        self.curried(b, &mut right);
        left == right
    }

    /// The arguments of a function, array or set one after the other, then the result.
    fn curried(&self, sort: SortId, out: &mut Vec<SortId>) {
        match self.sort(sort) {
            Sort::Array(index, element) => {
                match self.sort(index) {
                    Sort::Tuple(list) if self.sort_list(list).len() > 1 => {
                        out.extend_from_slice(self.sort_list(list));
                    }
                    _ => out.push(index),
                }
                self.curried(element, out);
            }
            Sort::Set(element) => out.extend([element, SortId::BOOL]),
            Sort::Function(list) => {
                if let [args @ .., result] = self.sort_list(list) {
                    out.extend_from_slice(args);
                    self.curried(*result, out);
                }
            }
            _ => out.push(sort),
        }
    }
}
