//! Making functions known by their names.

use super::scope::{MOST_OF_ONE_NAME, Meaning};
use super::{Reader, Result};
use crate::symbol::{Symbol, spelled, unquoted};
use crate::term::{Fun, FunId, FunKind, TermId};

impl Reader<'_> {
    /// Makes the name of a `:named` term known.
    pub(super) fn named(&mut self, spelling: Symbol, body: TermId) {
        let name = unquoted(self.pool.text(spelling)).to_owned();
        let name = self.pool.intern(&name);
        let result = self.pool.sort_of(body);
        let kind = FunKind::Named(body);
        let fun = Fun { name, spelling, type_params: Vec::new(), args: Vec::new(), result, kind };
        let fun = self.pool.add_fun(fun);
        self.scope.bind(name, Meaning::Fun(fun));
    }

    /// Adds a function, whose name stands at `i`, and makes it known beside others of the name.
    pub(super) fn declare(&mut self, i: u32, fun: Fun) -> Result<FunId> {
        let name = fun.name;
        let id = self.pool.add_fun(fun);
        if !self.scope.bind_beside(&self.pool, name, id) {
            return self.fail(i, format!("expected at most {MOST_OF_ONE_NAME} functions of one name"));
        }
        Ok(id)
    }

    /// The spelling of a name that is written nowhere.
    pub(super) fn spell(&mut self, name: &str) -> Symbol {
        self.pool.intern(&spelled(name))
    }
}
