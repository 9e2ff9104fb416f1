//! Reading functions of a model as yices prints them: a table of values and a default.

use super::scope::Meaning;
use super::{Reader, Result};
use crate::sort::{Sort, SortId};
use crate::symbol::word;
use crate::term::{Binder, BinderList, Head, IndexList, Literal, TermId};
use crate::theory::table;
use crate::write::sort_text;

impl Reader<'_> {
    /// A value of this sort: elements of uninterpreted sorts are written `@const_3`, without their sort. They are kept as
    /// `(as @const_3 U)`: yices writes the same element so in a model, and without its sort in a reply to `get-value`.
    pub(super) fn value_term(&mut self, i: u32, sort: SortId) -> Result<TermId> {
        let is_element = !self.is_list(i) && self.bytes(i).starts_with(b"@");
        if is_element && matches!(self.pool.sort(sort), Sort::Declared(..)) {
            let (name, spelling) = self.name(i, "a name")?;
            // cvc4's `@uc_U_0` is a name that the model declares.
            if self.scope.get(name) != Meaning::None {
                return self.term(i);
            }
            let qualified = format!("(as {} {})", self.pool.text(spelling), sort_text(&self.pool, sort));
            let spelling = self.pool.intern(&qualified);
            return Ok(self.pool.add_term(Head::Literal(Literal::Element), spelling, sort, &[]));
        }
        let term = self.term(i)?;
        self.fitting(i, term, sort)
    }

    /// The body of a function given as `(function @f (type ..) (= (@f a b) v) .. (default d))`, for arguments and a
    /// result of these sorts.
    pub(super) fn tabled(
        &mut self,
        list: u32,
        args: &[SortId],
        result: SortId,
    ) -> Result<(BinderList, TermId)> {
        let mut binders = Vec::new();
        for (k, &sort) in args.iter().enumerate() {
            let name = self.pool.intern(&format!("x!{k}"));
            binders.push(Binder { name, spelling: name, sort, sort_spelling: word::NONE });
        }
        let variables: Vec<_> = binders
            .iter()
            .map(|b| self.pool.add_term(Head::Variable(b.name), b.spelling, b.sort, &[]))
            .collect();
        let list_id = self.pool.binders_id(&binders);
        let mut default = None;
        let mut rows = Vec::new();
        for part in self.parts(list) {
            let pieces = if self.is_list(part) { self.parts(part) } else { Vec::new() };
            match pieces[..] {
                [head, value] if self.is_word(head, b"default") => {
                    default = Some(self.value_term(value, result)?);
                }
                [head, call, value] if self.is_word(head, b"=") && self.is_list(call) => {
                    let given = self.parts(call);
                    if given.len() != args.len() + 1 {
                        return self.fail(call, "expected as many arguments as the function has");
                    }
                    let mut conditions = Vec::new();
                    for (k, &sort) in args.iter().enumerate() {
                        let argument = self.value_term(given[k + 1], sort)?;
                        conditions.push(self.operation("=", &[variables[k], argument])?);
                    }
                    let condition = match conditions[..] {
                        [one] => one,
                        _ => self.operation("and", &conditions)?,
                    };
                    rows.push((condition, self.value_term(value, result)?));
                }
                _ => {}
            }
        }
        let Some(mut body) = default else { return self.fail(list, "expected a default") };
        for (condition, value) in rows.into_iter().rev() {
            body = self.operation("ite", &[condition, value, body])?;
        }
        Ok((list_id, body))
    }

    fn operation(&mut self, name: &str, args: &[TermId]) -> Result<TermId> {
        let spelling = self.pool.intern(name);
        match self.pool.resolve(table().named(name), IndexList(0), None, args) {
            Ok(found) => Ok(self.pool.add_term(Head::Op(found.op, IndexList(0)), spelling, found.sort, args)),
            Err(_) => self.fail(0, "a value of another sort than its function's"),
        }
    }

    /// The sorts of the arguments and of the result of a function, or of the array in its place.
    pub(super) fn signature(&self, fun: crate::FunId) -> (Vec<SortId>, SortId) {
        let decl = self.pool.fun(fun);
        if !decl.args.is_empty() {
            return (decl.args.clone(), decl.result);
        }
        match self.pool.sort(decl.result) {
            Sort::Array(index, element) => match self.pool.sort(index) {
                Sort::Tuple(list) => (self.pool.sort_list(list).to_vec(), element),
                _ => (vec![index], element),
            },
            Sort::Function(list) => match self.pool.sort_list(list) {
                [args @ .., result] => (args.to_vec(), *result),
                [] => (Vec::new(), decl.result),
            },
            _ => (Vec::new(), decl.result),
        }
    }
}
