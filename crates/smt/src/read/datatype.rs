//! Reading datatypes: new style, old style, one or several, with or without parameters.

use super::scope::SortMeaning;
use super::{Reader, Result};
use crate::script::What;
use crate::sort::{Constructor, Datatype, Sort, SortDecl, SortDeclId, SortId};
use crate::symbol::Symbol;
use crate::term::{Fun, FunKind};

/// Every function of a datatype carries all sort parameters.
const MOST_PARAMS: usize = 64;
const TOO_MANY_PARAMS: &str = "expected at most 64 sort parameters";

impl Reader<'_> {
    /// `(declare-datatype D body)`
    pub(super) fn datatype(&mut self, sort: u32, body: u32, co: bool) -> Result<What> {
        let (name, spelling) = self.name(sort, "the name of a datatype")?;
        let arity = self.params_of(body)?.map_or(0, |(params, _)| params.len() as u32);
        let decl = self.announce(name, spelling, arity);
        self.new_style(decl, body, co)?;
        Ok(What::DeclareDatatypes(decl, 1))
    }

    /// `(declare-datatypes ((D 1) ..) (body ..))`, or in the old style `(declare-datatypes (T ..) ((D c ..) ..))`
    pub(super) fn datatypes(&mut self, sorts: u32, bodies: u32, co: bool) -> Result<What> {
        if !self.is_list(sorts) || !self.is_list(bodies) {
            return self.fail(sorts, "expected ((name arity) ..) and as many lists of constructors");
        }
        let (heads, bodies_at) = (self.parts(sorts), self.parts(bodies));
        let old = heads.is_empty() || heads.iter().any(|&head| !self.is_list(head));
        if old {
            return self.old_style(heads, &bodies_at, co);
        }
        if heads.len() != bodies_at.len() {
            return self.fail(bodies, "expected as many lists of constructors as datatypes");
        }
        let mut decls = Vec::new();
        for &head in &heads {
            let parts = self.parts(head);
            let &[name, arity] = &parts[..] else { return self.fail(head, "expected (name arity)") };
            let (name, spelling) = self.name(name, "the name of a datatype")?;
            let arity = self.numeral(arity, "the number of sort parameters")?;
            decls.push(self.announce(name, spelling, arity));
        }
        for (&decl, &body) in decls.iter().zip(&bodies_at) {
            self.new_style(decl, body, co)?;
        }
        Ok(What::DeclareDatatypes(decls[0], decls.len() as u32))
    }

    /// z3's `:subterm`: a name for the order of subterms.
    pub(super) fn subterm_order(&mut self, what: What, order: u32) -> Result<()> {
        let What::DeclareDatatypes(decl, _) = what else { return Ok(()) };
        let (name, spelling) = self.name(order, "the name of the order")?;
        let list = self.pool.sort_list_id(&[]);
        let Some(sort) = self.pool.sort_id(Sort::Declared(decl, list)) else { return Ok(()) };
        let args = vec![sort, sort];
        let kind = FunKind::Subterm;
        let fun = Fun { name, spelling, type_params: Vec::new(), args, result: SortId::BOOL, kind };
        let fun = self.declare(order, fun)?;
        if let Some(datatype) = self.pool.sort_decl_mut(decl).and_then(|d| d.datatype.as_mut()) {
            datatype.order = Some(fun);
        }
        Ok(())
    }

    fn announce(&mut self, name: Symbol, spelling: Symbol, arity: u32) -> SortDeclId {
        let decl = self.pool.add_sort_decl(SortDecl { name, spelling, arity, datatype: None });
        self.scope.bind_sort(name, SortMeaning::Declared(decl));
        decl
    }

    /// The parameters and the constructors of `(par (T ..) (..))`.
    fn params_of(&mut self, body: u32) -> Result<Option<(Vec<u32>, u32)>> {
        if !self.is_list(body) {
            return self.fail(body, "expected a list of constructors");
        }
        let parts = self.parts(body);
        match parts[..] {
            [par, params, constructors] if self.is_word(par, b"par") && self.is_list(params) => {
                Ok(Some((self.few_params(self.parts(params))?, constructors)))
            }
            _ => Ok(None),
        }
    }

    fn new_style(&mut self, decl: SortDeclId, body: u32, co: bool) -> Result<()> {
        let (params, constructors) = self.params_of(body)?.unwrap_or((Vec::new(), body));
        if params.len() != self.pool.sort_decl(decl).arity as usize {
            let arity = self.pool.sort_decl(decl).arity;
            let what = if arity == 0 {
                "no (par ..), as the arity is 0".to_owned()
            } else {
                format!("(par (..) (constructor ..)) with {arity} sort parameters")
            };
            return self.fail(body, format!("expected {what}"));
        }
        if !self.is_list(constructors) {
            return self.fail(constructors, "expected a list of constructors");
        }
        let mark = self.scope.sort_mark();
        let mut names = Vec::new();
        for param in params {
            let (name, _) = self.name(param, "a sort parameter")?;
            self.scope.bind_sort(name, SortMeaning::Param);
            names.push(name);
        }
        let parts = self.parts(constructors);
        self.constructors(body, decl, names, &parts, co)?;
        self.scope.sorts_back_to(mark);
        Ok(())
    }

    fn old_style(&mut self, params: Vec<u32>, bodies: &[u32], co: bool) -> Result<What> {
        let params = self.few_params(params)?;
        let mut names = Vec::new();
        for &param in &params {
            names.push(self.name(param, "a sort parameter")?.0);
        }
        // Inside, a datatype is written without its parameters.
        let outer = self.scope.sort_mark();
        let mut decls = Vec::new();
        for &body in bodies {
            if !self.is_list(body) || self.at(body).next == body + 1 {
                return self.fail(body, "expected (name constructor ..)");
            }
            let (name, spelling) = self.name(body + 1, "the name of a datatype")?;
            let arity = params.len() as u32;
            decls.push(self.pool.add_sort_decl(SortDecl { name, spelling, arity, datatype: None }));
        }
        let mut applied = Vec::new();
        for &param in &names {
            self.scope.bind_sort(param, SortMeaning::Param);
            applied.push(self.pool.sort_id(Sort::Param(param)).expect("a parameter is not nested"));
        }
        let list = self.pool.sort_list_id(&applied);
        for &decl in &decls {
            let name = self.pool.sort_decl(decl).name;
            let sort = self.pool.sort_id(Sort::Declared(decl, list)).expect("parameters are not nested");
            self.scope.bind_sort(name, SortMeaning::Defined(Vec::new(), sort));
        }
        for (&decl, &body) in decls.iter().zip(bodies) {
            let parts = self.parts(body);
            self.constructors(body, decl, names.clone(), &parts[1..], co)?;
        }
        self.scope.sorts_back_to(outer);
        for &decl in &decls {
            let name = self.pool.sort_decl(decl).name;
            self.scope.bind_sort(name, SortMeaning::Declared(decl));
        }
        let Some(&first) = decls.first() else { return self.fail(0, "expected at least one datatype") };
        Ok(What::DeclareDatatypes(first, decls.len() as u32))
    }

    /// The constructors of a datatype whose body stands at `at`.
    fn constructors(
        &mut self,
        at: u32,
        decl: SortDeclId,
        params: Vec<Symbol>,
        parts: &[u32],
        co: bool,
    ) -> Result<()> {
        let sorts: Vec<_> = params
            .iter()
            .map(|&p| self.pool.sort_id(Sort::Param(p)).expect("a parameter is not nested"))
            .collect();
        let list = self.pool.sort_list_id(&sorts);
        let result = self.pool.sort_id(Sort::Declared(decl, list)).expect("parameters are not nested");
        if parts.is_empty() {
            return self.fail(at, "expected at least one constructor");
        }
        let mut constructors = Vec::new();
        for (number, &part) in parts.iter().enumerate() {
            constructors.push(self.constructor(part, number as u32, &params, result)?);
        }
        let datatype = Datatype { params, constructors, co, order: None };
        self.pool.sort_decl_mut(decl).expect("declared just now").datatype = Some(datatype);
        Ok(())
    }

    /// Declares the constructor that stands at `part`, its selectors and its tester.
    fn constructor(
        &mut self,
        part: u32,
        number: u32,
        params: &[Symbol],
        result: SortId,
    ) -> Result<Constructor> {
        let pieces = if self.is_list(part) { self.parts(part) } else { vec![part] };
        let Some((&head, fields)) = pieces.split_first() else {
            return self.fail(part, "expected (constructor (selector sort) ..)");
        };
        let (name, spelling) = self.name(head, "the name of a constructor")?;
        let of_datatype = |name, spelling, sort, kind| Fun {
            name,
            spelling,
            type_params: params.to_vec(),
            args: vec![result],
            result: sort,
            kind,
        };
        let mut args = Vec::new();
        let mut selectors = Vec::new();
        for (k, &field) in fields.iter().enumerate() {
            let field_parts = if self.is_list(field) { self.parts(field) } else { Vec::new() };
            let &[selector, sort] = &field_parts[..] else {
                return self.fail(field, "expected (selector sort)");
            };
            let sort = self.sort(sort)?;
            let (name, spelling) = self.name(selector, "the name of a selector")?;
            args.push(sort);
            selectors.push(of_datatype(name, spelling, sort, FunKind::Selector(number, k as u32)));
        }
        let kind = FunKind::Constructor(number);
        let function = Fun { name, spelling, type_params: params.to_vec(), args, result, kind };
        let function = self.declare(head, function)?;
        let selectors = selectors.into_iter().zip(fields).map(|(fun, &field)| self.declare(field, fun));
        let selectors = selectors.collect::<Result<_>>()?;
        let tester = format!("is-{}", self.pool.text(name));
        let (name, spelling) = (self.pool.intern(&tester), self.spell(&tester));
        let tester = of_datatype(name, spelling, SortId::BOOL, FunKind::Tester(number));
        let tester = self.declare(head, tester)?;
        Ok(Constructor { function, tester, selectors })
    }

    /// The sort parameters that occur in these sorts: of the function at `i` that is declared over sort parameters.
    pub(super) fn sort_params(&self, i: u32, sorts: impl Iterator<Item = SortId>) -> Result<Vec<Symbol>> {
        let mut found = Vec::new();
        if !self.scope.has_params {
            return Ok(found);
        }
        let mut left: Vec<_> = sorts.collect();
        while let Some(sort) = left.pop() {
            match self.pool.sort(sort) {
                Sort::Param(name) if !found.contains(&name) => found.push(name),
                Sort::Array(a, b) => left.extend([a, b]),
                Sort::Tuple(list) | Sort::Function(list) | Sort::Declared(_, list) => {
                    left.extend_from_slice(self.pool.sort_list(list));
                }
                sort => left.extend(sort.element()),
            }
            if found.len() > MOST_PARAMS {
                return self.fail(i, TOO_MANY_PARAMS);
            }
        }
        Ok(found)
    }

    /// Sort parameters, if there are not too many.
    pub(super) fn few_params(&self, params: Vec<u32>) -> Result<Vec<u32>> {
        match params.get(MOST_PARAMS) {
            Some(&i) => self.fail(i, TOO_MANY_PARAMS),
            None => Ok(params),
        }
    }
}
