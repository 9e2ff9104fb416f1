//! The bodies of the definitions in a model.

use super::Pending;
use crate::model::Model;
use crate::read::{Reader, Result};
use crate::symbol::word;
use crate::term::{BinderList, FunId, Head, TermId};

impl Reader<'_> {
    pub(super) fn define_entry(&mut self, model: &mut Model, entry: &Pending) -> Result<()> {
        let binders = match entry.vars {
            Some(vars) => self.sorted_variables(vars)?,
            None => BinderList(0),
        };
        // boolector prints an array as a function of its index.
        let arity = self.pool.binders(binders).len();
        let as_array = arity > 0 && self.pool.fun(entry.fun).args.is_empty();
        let (_, element) = self.signature(entry.fun);
        let result = if as_array { element } else { self.pool.fun(entry.fun).result };
        let body = self.value_term(entry.body, result)?;
        if !self.note_elements(model, body) || model.is_ambiguous(entry.fun) {
            return Ok(());
        }
        if as_array {
            self.interpret_array(model, entry.fun, binders, body)
        } else {
            model.interpret(entry.fun, binders, body);
            Ok(())
        }
    }

    pub(super) fn define_table(&mut self, model: &mut Model, fun: FunId, list: u32) -> Result<()> {
        let (args, result) = self.signature(fun);
        let (binders, body) = self.tabled(list, &args, result)?;
        if !self.note_elements(model, body) || model.is_ambiguous(fun) {
            return Ok(());
        }
        if self.pool.fun(fun).args.is_empty() {
            return self.interpret_array(model, fun, binders, body);
        }
        model.interpret(fun, binders, body);
        Ok(())
    }

    /// An array that the model gives as a function.
    fn interpret_array(
        &mut self,
        model: &mut Model,
        fun: FunId,
        binders: BinderList,
        body: TermId,
    ) -> Result<()> {
        let sort = self.pool.sort_of(body);
        let Some(sort) = self.lambda_sort(binders, sort) else {
            return self.fail(0, "this sort is nested too deeply");
        };
        let lambda = self.pool.add_term(Head::Lambda(binders), word::NONE, sort, &[body]);
        model.interpret(fun, BinderList(0), lambda);
        Ok(())
    }
}
