//! The datatype `List` that z3 has without a declaration.

use super::Pool;
use crate::sort::{Constructor, Datatype, Sort, SortDecl, SortDeclId, SortId};
use crate::symbol::{Symbol, spelled};
use crate::term::{Fun, FunId, FunKind};

impl Pool {
    /// The declaration of `List`, if a script uses it without having declared it.
    pub(crate) fn known_list(&self) -> Option<SortDeclId> {
        self.list
    }

    /// The declaration of `List`: `((nil) (insert (head T) (tail (List T))))`.
    pub(crate) fn list_decl(&mut self) -> SortDeclId {
        if let Some(decl) = self.list {
            return decl;
        }
        let (name, param) = (self.intern("List"), self.intern("T"));
        let decl = self.add_sort_decl(SortDecl { name, spelling: name, arity: 1, datatype: None });
        let element = self.sort_id(Sort::Param(param)).expect("a parameter is not nested");
        let params = self.sort_list_id(&[element]);
        let list = self.sort_id(Sort::Declared(decl, params)).expect("parameters are not nested");
        let nil = self.list_constructor(param, list, 0, "nil", &[]);
        let insert = self.list_constructor(param, list, 1, "insert", &[("head", element), ("tail", list)]);
        let datatype =
            Datatype { params: vec![param], constructors: vec![nil, insert], co: false, order: None };
        self.sort_decl_mut(decl).expect("declared just now").datatype = Some(datatype);
        self.list = Some(decl);
        decl
    }

    fn list_constructor(
        &mut self,
        param: Symbol,
        list: SortId,
        number: u32,
        name: &str,
        fields: &[(&str, SortId)],
    ) -> Constructor {
        let args = fields.iter().map(|&(_, sort)| sort).collect();
        let function = self.list_function(param, name, args, (list, FunKind::Constructor(number)));
        let tester = format!("is-{name}");
        let tester = self.list_function(param, &tester, vec![list], (SortId::BOOL, FunKind::Tester(number)));
        let selector = |(k, &(name, sort)): (usize, &(&str, SortId))| {
            let kind = FunKind::Selector(number, k as u32);
            self.list_function(param, name, vec![list], (sort, kind))
        };
        let selectors = fields.iter().enumerate().map(selector).collect();
        Constructor { function, tester, selectors }
    }

    fn list_function(
        &mut self,
        param: Symbol,
        name: &str,
        args: Vec<SortId>,
        (result, kind): (SortId, FunKind),
    ) -> FunId {
        let (name, spelling) = (self.intern(name), self.intern(&spelled(name)));
        self.add_fun(Fun { name, spelling, type_params: vec![param], args, result, kind })
    }
}
