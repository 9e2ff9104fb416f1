//! Reading declarations and definitions of functions and sorts.

use super::scope::SortMeaning;
use super::{Reader, Result};
use crate::build::unify;
use crate::script::What;
use crate::sort::{SortDecl, SortDef, SortId};
use crate::term::{BinderList, Fun, FunId, FunKind, TermId};

impl Reader<'_> {
    pub(super) fn declare_fun(&mut self, at: u32, sorts: &[u32], result: u32) -> Result<FunId> {
        let (name, spelling) = self.name(at, "the name of a function")?;
        let args = sorts.iter().map(|&s| self.sort(s)).collect::<Result<Vec<_>>>()?;
        let result = self.sort(result)?;
        let type_params = self.sort_params(at, args.iter().copied().chain([result]))?;
        let kind = FunKind::Declared;
        self.declare(at, Fun { name, spelling, type_params, args, result, kind })
    }

    pub(super) fn define_fun(
        &mut self,
        at: u32,
        vars: Option<u32>,
        sort: Option<u32>,
        body: u32,
    ) -> Result<FunId> {
        let (name, spelling) = self.name(at, "the name of a function")?;
        let mark = self.scope.mark();
        let binders = match vars {
            Some(vars) => self.sorted_variables(vars)?,
            None => BinderList(0),
        };
        let sort = sort.map(|s| self.sort(s)).transpose()?;
        let body_at = body;
        let body = self.term(body)?;
        self.scope.back_to(mark);
        let result = sort.unwrap_or_else(|| self.pool.sort_of(body));
        let body = self.fitting(body_at, body, result)?;
        let args: Vec<_> = self.pool.binders(binders).iter().map(|b| b.sort).collect();
        let type_params = self.sort_params(at, args.iter().copied().chain([result]))?;
        let kind = FunKind::Defined(binders, body);
        self.declare(at, Fun { name, spelling, type_params, args, result, kind })
    }

    /// The body of a definition, as a Real if it is an Int and a Real is wanted.
    pub(super) fn fitting(&mut self, i: u32, body: TermId, wanted: SortId) -> Result<TermId> {
        let given = self.pool.sort_of(body);
        let fits = given == wanted
            || given == SortId::UNKNOWN
            || self.pool.interchangeable(given, wanted)
            || self.bare_constructors && unify(&self.pool, wanted, given, &mut Vec::new());
        if fits {
            Ok(body)
        } else if given == SortId::INT && wanted == SortId::REAL {
            Ok(self.pool.coerce(body))
        } else {
            let message =
                format!("expected a term of sort {}, this is {}", self.show(wanted), self.show(given));
            self.fail(i, message)
        }
    }

    pub(super) fn recursive(&mut self, at: u32, vars: u32, sort: u32) -> Result<FunId> {
        let (name, spelling) = self.name(at, "the name of a function")?;
        let mark = self.scope.mark();
        let binders = self.sorted_variables(vars)?;
        self.scope.back_to(mark);
        let result = self.sort(sort)?;
        let args: Vec<_> = self.pool.binders(binders).iter().map(|b| b.sort).collect();
        let type_params = self.sort_params(at, args.iter().copied().chain([result]))?;
        let kind = FunKind::Recursive(binders);
        self.declare(at, Fun { name, spelling, type_params, args, result, kind })
    }

    pub(super) fn recursive_body(&mut self, fun: FunId, body: u32) -> Result<()> {
        let FunKind::Recursive(binders) = self.pool.fun(fun).kind else {
            return self.fail(body, "expected a recursive function");
        };
        let mark = self.scope.mark();
        for k in 0..self.pool.binders(binders).len() {
            let binder = self.pool.binders(binders)[k];
            self.scope.bind_variable(binder.name, binder.sort);
        }
        let term = self.term(body)?;
        self.scope.back_to(mark);
        let result = self.pool.fun(fun).result;
        let term = self.fitting(body, term, result)?;
        self.pool.set_body(fun, term);
        Ok(())
    }

    pub(super) fn define_funs_rec(&mut self, heads: u32, bodies: u32) -> Result<What> {
        if !self.is_list(heads) || !self.is_list(bodies) {
            return self
                .fail(heads, "expected ((name ((name sort) ..) sort) ..), then as many terms (term ..)");
        }
        let (head_parts, body_parts) = (self.parts(heads), self.parts(bodies));
        if head_parts.len() != body_parts.len() || head_parts.is_empty() {
            let count = head_parts.len();
            return self.fail(bodies, format!("expected as many terms as functions, at least one: {count}"));
        }
        let mut funs = Vec::new();
        for &head in &head_parts {
            let parts = if self.is_list(head) { self.parts(head) } else { Vec::new() };
            let &[name, vars, sort] = &parts[..] else {
                return self.fail(head, "expected a function (name ((name sort) ..) sort)");
            };
            funs.push(self.recursive(name, vars, sort)?);
        }
        for (&fun, &body) in funs.iter().zip(&body_parts) {
            self.recursive_body(fun, body)?;
        }
        Ok(What::DefineFunsRec(funs[0], funs.len() as u32))
    }

    pub(super) fn declare_sort(&mut self, name: u32, arity: u32) -> Result<What> {
        let (name, spelling) = self.name(name, "the name of a sort")?;
        let decl = self.pool.add_sort_decl(SortDecl { name, spelling, arity, datatype: None });
        self.scope.bind_sort(name, SortMeaning::Declared(decl));
        Ok(What::DeclareSort(decl))
    }

    pub(super) fn define_sort(&mut self, head: u32, name: u32, params: u32, body: u32) -> Result<What> {
        let (name, _) = self.name(name, "the name of a sort")?;
        let mark = self.scope.sort_mark();
        let mut names = Vec::new();
        for part in self.few_params(self.parts(params))? {
            let (param, _) = self.name(part, "a sort parameter")?;
            self.scope.bind_sort(param, SortMeaning::Param);
            names.push(param);
        }
        let unknown = self.opaque.len();
        let body = self.sort(body)?;
        self.scope.sorts_back_to(mark);
        let is_opaque = self.opaque.len() > unknown && !names.is_empty();
        let meaning = if is_opaque { SortMeaning::Opaque } else { SortMeaning::Defined(names.clone(), body) };
        self.scope.bind_sort(name, meaning);
        let text = self.tidy(head - 1)?;
        Ok(What::DefineSort(self.pool.add_sort_def(SortDef { name, params: names, body, text })))
    }
}
