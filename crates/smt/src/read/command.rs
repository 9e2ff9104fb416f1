//! Reading commands.

use super::lexer::Kind;
use super::scope::SortMeaning;
use super::{Reader, Result};
use crate::script::{Command, Span, What};
use crate::symbol::{Symbol, word};
use crate::term::TermList;

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

    /// What the command does whose name stands at `head`. The frequent commands come first.
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
            _ => return self.asking(head, name, args),
        })
    }

    /// Commands that ask for something.
    fn asking(&mut self, head: u32, name: &str, args: &[u32]) -> Result<What> {
        Ok(match (name, args) {
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
            _ => return self.setting(head, name, args),
        })
    }

    /// Commands that change options or levels, and those that are only carried along.
    fn setting(&mut self, head: u32, name: &str, args: &[u32]) -> Result<What> {
        Ok(match (name, args) {
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
            ("reset", []) => {
                self.scope.clear();
                self.real_numerals = false;
                What::Reset
            }
            ("reset-assertions", []) => {
                self.scope.reset_assertions();
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

    fn term_list(&mut self, terms: &[u32], formulas: bool) -> Result<TermList> {
        let terms = terms
            .iter()
            .map(|&t| if formulas { self.formula(t) } else { self.term(t) })
            .collect::<Result<Vec<_>>>()?;
        Ok(self.pool.term_list_id(&terms))
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
