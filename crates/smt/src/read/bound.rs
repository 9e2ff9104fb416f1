//! The ends of terms that bind or annotate, at which they become nodes.

use super::frame::Binds;
use super::sort::TOO_LARGE;
use super::{Reader, Result};
use crate::sort::{Sort, SortId};
use crate::symbol::word;
use crate::term::{Attr, AttrValue, Binder, BinderList, Head, TermId};

impl Reader<'_> {
    pub(super) fn bound(
        &mut self,
        list: u32,
        binds: Binds,
        binders: BinderList,
        first: usize,
    ) -> Result<TermId> {
        let wanted = if binds == Binds::Comprehension { 2 } else { 1 };
        if self.values.len() != first + wanted {
            return self.fail(list, "expected variables ((name sort) ..), then one term");
        }
        let body = self.values[first];
        let sort = self.pool.sort_of(body);
        if binds != Binds::Lambda && sort != SortId::BOOL && sort != SortId::UNKNOWN {
            let place = self.at(list + 2).next;
            return self.fail(place, format!("expected a term of sort Bool, this is {}", self.show(sort)));
        }
        let head = match binds {
            Binds::Forall => Head::Forall(binders),
            Binds::Exists => Head::Exists(binders),
            Binds::Lambda => {
                let Some(sort) = self.lambda_sort(binders, sort) else {
                    return self.fail(list, TOO_LARGE);
                };
                return Ok(self.pool.add_term(Head::Lambda(binders), word::NONE, sort, &[body]));
            }
            Binds::Choice => {
                let &[Binder { sort, .. }] = self.pool.binders(binders) else {
                    return self.fail(list + 2, "expected one variable");
                };
                return Ok(self.pool.add_term(Head::Choice(binders), word::NONE, sort, &[body]));
            }
            Binds::Comprehension => {
                let member = self.values[first + 1];
                let element = self.pool.sort_of(member);
                let Some(sort) = self.pool.sort_id(Sort::Set(element)) else {
                    return self.fail(list, TOO_LARGE);
                };
                let head = Head::Comprehension(binders);
                return Ok(self.pool.add_term(head, word::NONE, sort, &[body, member]));
            }
        };
        Ok(self.pool.add_term(head, word::NONE, SortId::BOOL, &[body]))
    }

    pub(super) fn matching(&mut self, list: u32, from: usize, first: usize) -> Result<TermId> {
        let mut bodies = self.values[first + 1..].to_vec();
        if bodies.is_empty() {
            return self.fail(list, "expected at least one case");
        }
        let Some(sort) = self.same_sort(&mut bodies) else {
            let sorts: Vec<_> = bodies.iter().map(|&b| self.show(self.pool.sort_of(b))).collect();
            return self.fail(list, format!("expected one sort in all cases, not {}", sorts.join(", ")));
        };
        let cases = self.pool.cases_id(&self.cases[from..]);
        self.cases.truncate(from);
        bodies.insert(0, self.values[first]);
        Ok(self.pool.add_term(Head::Match(cases), word::NONE, sort, &bodies))
    }

    pub(super) fn annotated(&mut self, list: u32, from: usize, first: usize) -> Result<TermId> {
        let attrs = self.pool.attrs_id(&self.attrs[from..]);
        self.attrs.truncate(from);
        let inside: u32 = self
            .pool
            .attrs(attrs)
            .iter()
            .map(|attr| match attr.value {
                AttrValue::Term => 1,
                AttrValue::Terms(n) => n,
                _ => 0,
            })
            .sum();
        if self.values.len() - first != 1 + inside as usize {
            return self.fail(list, "expected (! term attribute ..)");
        }
        let body = self.values[first];
        let sort = self.pool.sort_of(body);
        let term = self.pool.add_term(Head::Annotated(attrs), word::NONE, sort, &self.values[first..]);
        for k in 0..self.pool.attrs(attrs).len() {
            let Attr { keyword, value } = self.pool.attrs(attrs)[k];
            if let AttrValue::Text(spelling) = value
                && self.pool.bytes(keyword) == b":named"
            {
                self.named(spelling, body);
            }
        }
        Ok(term)
    }
}
