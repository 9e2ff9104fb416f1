//! The entries of a model: they make functions known before the body of any function is read.

use rustc_hash::FxHashMap;

use super::Pending;
use crate::model::{Model, is_left_open};
use crate::read::lexer::Kind;
use crate::read::{Reader, Result};
use crate::sort::{SortDeclId, SortId};
use crate::symbol::Symbol;
use crate::term::{Fun, FunId, FunKind};
use crate::value::Value;
use crate::vocabulary::rows_of;

/// The functions, elements and definitions that the entries of a model make known.
pub(super) struct Announced<'a> {
    pub model: &'a mut Model,
    /// The uninterpreted sorts in scope, by name.
    pub sorts: &'a FxHashMap<String, SortDeclId>,
    /// Definitions whose bodies are still to be read.
    pub pending: Vec<Pending>,
}

impl Reader<'_> {
    /// The entries of a model: those inside `(model ..)` or `(..)`, or the s-expression itself.
    pub(super) fn entries(&self) -> Vec<u32> {
        if !self.is_list(0) {
            return Vec::new();
        }
        let parts = self.parts(0);
        match parts.first() {
            Some(&first) if self.is_list(first) => parts,
            Some(&first) if self.is_word(first, b"model") => parts[1..].to_vec(),
            Some(_) => vec![0],
            None => Vec::new(),
        }
    }

    /// Makes known what an entry declares or defines. It stands in s-expression number `text` of the model.
    pub(super) fn announce_entry(&mut self, known: &mut Announced, text: usize, entry: u32) -> Result<()> {
        if !self.is_list(entry) {
            return Ok(());
        }
        self.announce_elements(known.model, entry, known.sorts);
        let parts = self.parts(entry);
        let Some((&head, args)) = parts.split_first() else { return Ok(()) };
        match (self.text(head)?, args) {
            ("define-fun" | "define-fun-rec", &[name, vars, sort, body]) => {
                let fun = self.announce_definition(known.model, entry, [name, vars, sort])?;
                known.pending.push(Pending { text, fun, vars: Some(vars), body });
            }
            ("declare-fun" | "declare-const", &[name, .., sort]) => {
                self.announce_declaration(known.model, entry, [name, sort])?;
            }
            // yices: (= x 1), and (= f @fun_3) with a table elsewhere
            ("=", &[name, body]) if matches!(self.at(name).kind, Kind::Symbol | Kind::Quoted) => {
                let (name, _) = self.name(name, "a name")?;
                if let &[fun] = self.scope.funs(&self.scope.get(name)) {
                    known.pending.push(Pending { text, fun, vars: None, body });
                }
            }
            ("function", _) => {}
            ("forall", &[vars, body]) => self.cardinality(known.model, vars, body)?,
            ("declare-sort" | "declare-datatypes" | "rule" | "assert", _) => {}
            (other, _) => known.model.problems.push(format!("{other} is not understood in a model")),
        }
        Ok(())
    }

    /// The function that a `define-fun` defines: one of the script's, or one of the model's own.
    fn announce_definition(
        &mut self,
        model: &mut Model,
        entry: u32,
        [name, vars, sort]: [u32; 3],
    ) -> Result<FunId> {
        let (name, spelling) = self.name(name, "a name")?;
        let mark = self.scope.mark();
        let binders = self.sorted_variables(vars)?;
        self.scope.back_to(mark);
        let args: Vec<_> = self.pool.binders(binders).iter().map(|b| b.sort).collect();
        let result = self.sort(sort)?;
        let fun = if let Some(fun) = self.declared_as(name, &args, result) {
            // The name may be the solver's for something that the standard leaves open, or the script's.
            if model.is_of_script(fun) && is_left_open(self.pool.text(name)) {
                model.set_ambiguous(fun, self.pool.text(name));
            }
            fun
        } else {
            self.note_clash(model, name);
            let kind = FunKind::Declared;
            let fun = Fun { name, spelling, type_params: Vec::new(), args, result, kind };
            // An operator that the model defines, such as div0, stays the operator in terms.
            if rows_of(name).is_empty() { self.declare(entry, fun)? } else { self.pool.add_fun(fun) }
        };
        model.add_partial(self.pool.text(name), fun);
        Ok(fun)
    }

    /// An element of an uninterpreted sort that the model declares.
    fn announce_declaration(&mut self, model: &mut Model, entry: u32, [name, sort]: [u32; 2]) -> Result<()> {
        let (name, spelling) = self.name(name, "a name")?;
        let result = self.sort(sort)?;
        self.note_clash(model, name);
        if self.declared_as(name, &[], result).is_none() {
            let kind = FunKind::Declared;
            let fun = Fun { name, spelling, type_params: Vec::new(), args: Vec::new(), result, kind };
            let fun = self.declare(entry, fun)?;
            model.add_element(fun, result, Value::Element(result, spelling));
        }
        Ok(())
    }

    /// The function of the script with this name and these sorts.
    fn declared_as(&self, name: Symbol, args: &[SortId], result: SortId) -> Option<FunId> {
        let meaning = self.scope.get(name);
        let declared = self.scope.funs(&meaning).iter().copied().filter(|&f| {
            let kind = self.pool.fun(f).kind;
            kind == FunKind::Declared
        });
        let exact = declared.clone().find(|&f| {
            let fun = self.pool.fun(f);
            fun.args == args && (fun.result == result || self.pool.interchangeable(fun.result, result))
        });
        // An array may be given as a function.
        exact.or_else(|| {
            declared.clone().find(|&f| {
                let (indices, element) = self.signature(f);
                !args.is_empty() && indices == args && element == result
            })
        })
    }

    /// A name of the model's own that the script declares, too.
    pub(super) fn note_clash(&mut self, model: &mut Model, name: Symbol) {
        let meaning = self.scope.get(name);
        for &fun in self.scope.funs(&meaning) {
            if model.is_of_script(fun) && self.pool.fun(fun).kind == FunKind::Declared {
                model.set_ambiguous(fun, self.pool.text(name));
            }
        }
    }
}
