//! Reading commands.

use super::lexer::Kind;
use super::scope::SortMeaning;
use super::sort::unify;
use super::{Reader, Result};
use crate::script::{Command, Span, What};
use crate::sort::{SortDecl, SortDef, SortId};
use crate::symbol::{Symbol, word};
use crate::term::{BinderList, Fun, FunId, FunKind, TermId};

/// Commands that declare and assert nothing and whose arguments we only carry along.
const CARRIED: &[&str] = &[
    "apply",
    "block-model",
    "block-model-values",
    "check-synth",
    "dbg-",
    "declare-pool",
    "display",
    "echo",
    "find-synth",
    "find-synth-next",
    "get-abduct",
    "get-abduct-next",
    "get-assertions",
    "get-assignment",
    "get-consequences",
    "get-difficulty",
    "get-info",
    "get-interpolant",
    "get-interpolant-next",
    "get-interpolants",
    "get-learned-literals",
    "get-model",
    "get-model-domain-elements",
    "get-objectives",
    "get-option",
    "get-proof",
    "get-proof-graph",
    "get-qe",
    "get-qe-disjunct",
    "get-timeout-core",
    "get-timeout-core-assuming",
    "get-unsat-assumptions",
    "get-unsat-core",
    "get-unsat-core-lemmas",
    "get-user-tactics",
    "help",
    "help-tactic",
    "include",
    "labels",
    "poly/factor",
    "poly/isolate-roots",
    "set-feature",
];

/// Logics that have Reals and no Ints, in which a numeral is a Real.
pub fn is_real_only(logic: &str) -> bool {
    let core = logic.strip_prefix("HO_").unwrap_or(logic);
    let core = core.strip_prefix("QF_").unwrap_or(core);
    let reals = ["LRA", "NRA", "RDL", "LRAT", "NRAT"].iter().any(|end| core.ends_with(end));
    reals && !core.contains("SLI")
}

impl Reader<'_> {
    /// Reads the command that `nodes` holds.
    pub(super) fn command(&mut self) -> Result<Command> {
        if !self.is_list(0) {
            return self.fail(0, "expected a command in parentheses");
        }
        let parts = self.parts(0);
        let Some((&head, args)) = parts.split_first() else {
            return self.fail(0, "expected a command, not an empty list");
        };
        if self.at(head).kind != Kind::Symbol {
            return self.fail(head, "expected the name of a command");
        }
        let s = self.at(0);
        let what = self.what(head, args)?;
        Ok(Command { what, span: Some(Span { start: s.start, end: s.end }) })
    }

    fn what(&mut self, head: u32, args: &[u32]) -> Result<What> {
        let name = self.text(head)?;
        Ok(match (name, args) {
            ("assert", &[term]) => What::Assert(self.formula(term)?),
            ("declare-fun", &[name, sorts, result]) if self.is_list(sorts) => {
                let sorts = self.parts(sorts);
                What::DeclareFun(self.declare_fun(name, &sorts, result)?)
            }
            ("declare-const", &[name, sort]) => What::DeclareFun(self.declare_fun(name, &[], sort)?),
            // z3's fixed points, and cvc5's synthesis, have variables of this form.
            ("declare-var", &[name, sort]) => What::DeclareFun(self.declare_fun(name, &[], sort)?),
            ("define-fun", &[name, vars, sort, body]) => {
                What::DefineFun(self.define_fun(name, Some(vars), Some(sort), body)?)
            }
            ("define-const", &[name, sort, body]) => {
                What::DefineFun(self.define_fun(name, None, Some(sort), body)?)
            }
            // cvc5 and z3 also take a definition whose sort is that of its body.
            ("define", &[name, body]) => What::DefineFun(self.define_fun(name, None, None, body)?),
            ("define-fun-rec", &[name, vars, sort, body]) => {
                let fun = self.recursive(name, vars, sort)?;
                self.recursive_body(fun, body)?;
                What::DefineFunsRec(fun, 1)
            }
            ("define-funs-rec", &[heads, bodies]) => self.define_funs_rec(heads, bodies)?,
            ("set-logic", &[logic]) => {
                let symbol = self.spelling(logic)?;
                self.real_numerals = is_real_only(self.pool.text(symbol));
                What::SetLogic(symbol)
            }
            ("set-option", &[key, ref value @ ..]) => {
                let (key, value) = self.attribute_text(key, value)?;
                match (self.pool.text(key), self.pool.text(value)) {
                    (":global-declarations", "true") => self.scope.global = true,
                    (":numeral-as-real", "true") => self.real_numerals = true,
                    _ => {}
                }
                What::SetOption(key, value)
            }
            ("set-info" | "meta-info", &[key, ref value @ ..]) => {
                let (key, value) = self.attribute_text(key, value)?;
                What::SetInfo(key, value)
            }
            ("declare-sort", &[name]) => self.declare_sort(name, 0)?,
            ("declare-sort", &[name, arity]) => {
                let arity = self.numeral(arity, "the number of arguments, a numeral")?;
                self.declare_sort(name, arity)?
            }
            ("define-sort", &[name, params, body]) if self.is_list(params) => {
                self.define_sort(head, name, params, body)?
            }
            ("declare-sort-parameter", &[name]) => {
                let (name, _) = self.name(name, "the name of a sort parameter")?;
                self.scope.bind_sort(name, SortMeaning::Param);
                What::Other(self.pool.intern("declare-sort-parameter"))
            }
            ("declare-datatypes" | "declare-codatatypes", &[sorts, bodies]) => {
                self.datatypes(sorts, bodies, name == "declare-codatatypes")?
            }
            ("declare-datatype" | "declare-codatatype", &[sort, body]) => {
                self.datatype(sort, body, name == "declare-codatatype")?
            }
            ("declare-datatype", &[sort, body, key, order]) if self.bytes(key) == b":subterm" => {
                let what = self.datatype(sort, body, false)?;
                self.subterm_order(what, order)?;
                what
            }
            ("push", args @ ([] | [_])) => {
                let n = args.first().map_or(Ok(1), |&n| self.numeral(n, "a number of levels, a numeral"))?;
                self.scope.push(n);
                What::Push(n)
            }
            ("pop", args @ ([] | [_])) => {
                let n = args.first().map_or(Ok(1), |&n| self.numeral(n, "a number of levels, a numeral"))?;
                if !self.scope.pop(n.into()) {
                    return self.fail(head, "expected a push before this pop: there are fewer levels");
                }
                What::Pop(n)
            }
            ("check-sat", []) => What::CheckSat,
            // z3 also takes the assumptions here.
            ("check-sat", terms) => What::CheckSatAssuming(self.term_list(terms, true)?),
            ("check-sat-assuming", &[list]) if self.is_list(list) => {
                let terms = self.parts(list);
                What::CheckSatAssuming(self.term_list(&terms, true)?)
            }
            ("check-sat-using", &[tactic, ..]) => What::CheckSatUsing(self.tidy(tactic)?),
            ("assert-soft", &[term, ref rest @ ..]) => {
                let term = self.formula(term)?;
                What::AssertSoft(term, self.tidy_all(rest)?)
            }
            ("minimize" | "maximize", &[term, ..]) => {
                let word = self.spelling(head)?;
                What::Optimize(word, self.term(term)?)
            }
            ("simplify" | "eval", &[term, ..]) => {
                let word = self.spelling(head)?;
                What::Query(word, self.term(term)?)
            }
            ("get-value", &[list, ..]) if self.is_list(list) => {
                let terms = self.parts(list);
                What::GetValue(self.term_list(&terms, false)?)
            }
            ("reset", []) => {
                self.scope.clear();
                self.real_numerals = false;
                What::Reset
            }
            ("reset-assertions", []) => {
                // Declarations go too, unless they are global.
                self.scope.pop(u64::MAX);
                What::ResetAssertions
            }
            ("exit", _) => What::Exit,
            ("declare-heap", _) => What::Other(self.spelling(head)?),
            _ if CARRIED.binary_search(&name).is_ok() || name.starts_with("dbg-") => {
                What::Other(self.spelling(head)?)
            }
            _ => {
                if let Some((_, form)) = FORMS.iter().find(|(known, _)| *known == name) {
                    return self.fail(head, format!("expected {form}"));
                }
                self.note_opaque(0, format!("the command {name} is not known"));
                What::Opaque(self.spelling(head)?)
            }
        })
    }

    fn attribute_text(&mut self, key: u32, value: &[u32]) -> Result<(Symbol, Symbol)> {
        if self.at(key).kind != Kind::Keyword {
            return self.fail(key, "expected a keyword such as :status");
        }
        Ok((self.spelling(key)?, self.tidy_all(value)?))
    }

    fn tidy_all(&mut self, parts: &[u32]) -> Result<Symbol> {
        match parts {
            [] => Ok(word::NONE),
            &[part] => self.tidy(part),
            _ => {
                let parts = parts.iter().map(|&p| self.tidy(p)).collect::<Result<Vec<_>>>()?;
                let text: Vec<_> = parts.iter().map(|&p| self.pool.text(p)).collect();
                let text = text.join(" ");
                Ok(self.pool.intern(&text))
            }
        }
    }

    fn term_list(&mut self, terms: &[u32], formulas: bool) -> Result<crate::script::TermList> {
        let terms = terms
            .iter()
            .map(|&t| if formulas { self.formula(t) } else { self.term(t) })
            .collect::<Result<Vec<_>>>()?;
        Ok(self.pool.term_list_id(&terms))
    }

    fn declare_fun(&mut self, at: u32, sorts: &[u32], result: u32) -> Result<FunId> {
        let (name, spelling) = self.name(at, "the name of a function")?;
        let args = sorts.iter().map(|&s| self.sort(s)).collect::<Result<Vec<_>>>()?;
        let result = self.sort(result)?;
        let type_params = self.sort_params(at, args.iter().copied().chain([result]))?;
        let kind = FunKind::Declared;
        self.declare(at, Fun { name, spelling, type_params, args, result, kind })
    }

    fn define_fun(&mut self, at: u32, vars: Option<u32>, sort: Option<u32>, body: u32) -> Result<FunId> {
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

    fn recursive(&mut self, at: u32, vars: u32, sort: u32) -> Result<FunId> {
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

    fn recursive_body(&mut self, fun: FunId, body: u32) -> Result<()> {
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

    fn define_funs_rec(&mut self, heads: u32, bodies: u32) -> Result<What> {
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

    fn declare_sort(&mut self, name: u32, arity: u32) -> Result<What> {
        let (name, spelling) = self.name(name, "the name of a sort")?;
        let decl = self.pool.add_sort_decl(SortDecl { name, spelling, arity, datatype: None });
        self.scope.bind_sort(name, SortMeaning::Declared(decl));
        Ok(What::DeclareSort(decl))
    }

    fn define_sort(&mut self, head: u32, name: u32, params: u32, body: u32) -> Result<What> {
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

/// Commands whose wrong arguments make them wrong, not unknown, and how they are written.
const FORMS: &[(&str, &str)] = &[
    ("assert", "(assert term)"),
    ("assert-soft", "(assert-soft term :weight w :id name)"),
    ("check-sat-assuming", "(check-sat-assuming (term ..))"),
    ("check-sat-using", "(check-sat-using tactic)"),
    ("declare-codatatypes", "(declare-codatatypes ((name arity) ..) ((constructor ..) ..))"),
    ("declare-const", "(declare-const name sort)"),
    ("declare-datatype", "(declare-datatype name (constructor ..))"),
    ("declare-datatypes", "(declare-datatypes ((name arity) ..) ((constructor ..) ..))"),
    ("declare-fun", "(declare-fun name (sort ..) sort)"),
    ("declare-sort", "(declare-sort name arity)"),
    ("declare-var", "(declare-var name sort)"),
    ("define-const", "(define-const name sort term)"),
    ("define-fun", "(define-fun name ((name sort) ..) sort term)"),
    ("define-fun-rec", "(define-fun-rec name ((name sort) ..) sort term)"),
    ("define-funs-rec", "(define-funs-rec ((name ((name sort) ..) sort) ..) (term ..))"),
    ("define-sort", "(define-sort name (parameter ..) sort)"),
    ("get-value", "(get-value (term ..))"),
    ("maximize", "(maximize term)"),
    ("minimize", "(minimize term)"),
    ("pop", "(pop number)"),
    ("push", "(push number)"),
    ("reset", "(reset)"),
    ("reset-assertions", "(reset-assertions)"),
    ("set-info", "(set-info :keyword value)"),
    ("set-logic", "(set-logic name)"),
    ("set-option", "(set-option :keyword value)"),
    ("simplify", "(simplify term)"),
];

#[cfg(test)]
mod tests {
    #[test]
    fn names_are_in_order() {
        assert!(super::CARRIED.is_sorted());
    }

    #[test]
    fn numerals_are_reals_only_where_there_are_no_ints() {
        for (logic, real) in
            [("QF_LRA", true), ("LRA", true), ("QF_LIRA", false), ("QF_AUFLIRA", false), ("QF_UFNRA", true)]
        {
            assert_eq!(super::is_real_only(logic), real, "{logic}");
        }
    }
}
