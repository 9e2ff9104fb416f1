//! Writing sorts.

use super::Writer;
use crate::sort::{Sort, SortId};

impl Writer<'_> {
    pub(super) fn sort(&mut self, sort: SortId) {
        match self.pool.sort(sort) {
            Sort::Unknown => self.text("?"),
            Sort::Bool => self.text("Bool"),
            Sort::Int => self.text("Int"),
            Sort::Real => self.text("Real"),
            Sort::String => self.text("String"),
            Sort::RegLan => self.text("RegLan"),
            Sort::RoundingMode => self.text("RoundingMode"),
            Sort::Char => self.text("Unicode"),
            Sort::BitVec(w) => self.text(&format!("(_ BitVec {w})")),
            Sort::Float(e, s) => self.text(&format!("(_ FloatingPoint {e} {s})")),
            Sort::FiniteField(p) => {
                self.text("(_ FiniteField ");
                self.symbol(p);
                self.out.push(b')');
            }
            Sort::Array(index, element) => {
                // z3's arrays of several indices are written flat.
                match self.pool.sort(index) {
                    Sort::Tuple(list) if self.pool.sort_list(list).len() > 1 => {
                        let mut sorts = self.pool.sort_list(list).to_vec();
                        sorts.push(element);
                        self.sorts("Array", &sorts);
                    }
                    _ => self.sorts("Array", &[index, element]),
                }
            }
            collection @ (Sort::Seq(e)
            | Sort::Set(e)
            | Sort::FiniteSet(e)
            | Sort::Bag(e)
            | Sort::Nullable(e)) => {
                self.sorts(collection.collection().expect("these are collections"), &[e]);
            }
            Sort::Tuple(list) if self.pool.sort_list(list).is_empty() => self.text("UnitTuple"),
            Sort::Tuple(list) => self.sorts("Tuple", self.pool.sort_list(list)),
            Sort::Function(list) => self.sorts("->", self.pool.sort_list(list)),
            Sort::Declared(decl, list) => {
                let spelling = self.pool.sort_decl(decl).spelling;
                let args = self.pool.sort_list(list);
                if args.is_empty() {
                    self.symbol(spelling);
                } else {
                    self.sorts(self.pool.text(spelling), args);
                }
            }
            Sort::Param(name) | Sort::Opaque(name) => self.symbol(name),
        }
    }

    fn sorts(&mut self, name: &str, args: &[SortId]) {
        self.out.push(b'(');
        self.text(name);
        for &arg in args {
            self.out.push(b' ');
            self.sort(arg);
        }
        self.out.push(b')');
    }
}
