//! Reading commands.

use super::lexer::Kind;
use super::scope::SortMeaning;
use super::{Reader, Result};
use crate::command::{CommandRow, Effect, Form, command};
use crate::script::{Command, Span, What};
use crate::symbol::{Symbol, word};
use crate::term::TermList;

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
        let mut parts = std::mem::take(&mut self.parts);
        parts.clear();
        self.parts_into(0, &mut parts);
        let Some((&head, args)) = parts.split_first() else {
            return self.fail(0, "expected a command, not an empty list");
        };
        if self.at(head).kind != Kind::Symbol {
            return self.fail(head, "expected the name of a command");
        }
        let s = self.at(0);
        let what = self.what(head, args)?;
        self.parts = parts;
        Ok(Command { what, span: Some(Span { start: s.start, end: s.end }) })
    }

    /// The row of a command.
    fn row(&mut self, name: &str) -> Option<&'static CommandRow> {
        if self.row.is_none_or(|row| row.word != name) {
            self.row = command(name);
        }
        self.row
    }

    /// What the command does whose name stands at `head`.
    fn what(&mut self, head: u32, args: &[u32]) -> Result<What> {
        let name = self.text(head)?;
        if self.ended {
            return Ok(What::Other(self.spelling(head)?, self.tidy_all(args)?));
        }
        let Some(row) = self.row(name) else {
            self.note_opaque(0, format!("the command {name} is not known"));
            return Ok(What::Opaque(self.spelling(head)?));
        };
        let what = match row.effect {
            Effect::Declares => self.declaring(row.form, head, args)?,
            _ => self.acting(row.form, head, args)?,
        };
        match (what, row.usage) {
            (Some(what), _) => Ok(what),
            (None, Some(usage)) => self.fail(head, format!("expected {usage}")),
            (None, None) => {
                self.note_opaque(0, format!("the command {name} is not known"));
                Ok(What::Opaque(self.spelling(head)?))
            }
        }
    }

    /// Commands that declare and define; none if the arguments are not as the form has them.
    fn declaring(&mut self, form: Form, head: u32, args: &[u32]) -> Result<Option<What>> {
        Ok(Some(match (form, args) {
            (Form::DeclareFun, &[name, sorts, result]) if self.is_list(sorts) => {
                let sorts = self.parts(sorts);
                What::DeclareFun(self.declare_fun(name, &sorts, result)?)
            }
            // z3's fixed points, and cvc5's synthesis, have variables of this form (`declare-var`).
            (Form::DeclareConst, &[name, sort]) => What::DeclareFun(self.declare_fun(name, &[], sort)?),
            (Form::DefineFun, &[name, vars, sort, body]) => {
                What::DefineFun(self.define_fun(name, Some(vars), Some(sort), body)?)
            }
            (Form::DefineConst, &[name, sort, body]) => {
                What::DefineFun(self.define_fun(name, None, Some(sort), body)?)
            }
            // cvc5 and z3 also take a definition whose sort is that of its body.
            (Form::Define, &[name, body]) => What::DefineFun(self.define_fun(name, None, None, body)?),
            (Form::DefineFunRec, &[name, vars, sort, body]) => {
                let fun = self.recursive(name, vars, sort)?;
                self.recursive_body(fun, body)?;
                What::DefineFunsRec(fun, 1)
            }
            (Form::DefineFunsRec, &[heads, bodies]) => self.define_funs_rec(heads, bodies)?,
            (Form::DeclareSort, &[name]) => self.declare_sort(name, 0)?,
            (Form::DeclareSort, &[name, arity]) => {
                let arity = self.numeral(arity, "the number of arguments, a numeral")?;
                self.declare_sort(name, arity)?
            }
            (Form::DefineSort, &[name, params, body]) if self.is_list(params) => {
                self.define_sort(head, name, params, body)?
            }
            (Form::SortParameter, &[name]) => {
                let (symbol, _) = self.name(name, "the name of a sort parameter")?;
                self.scope.bind_sort(symbol, SortMeaning::Param);
                What::Declare(self.spelling(head)?, self.tidy_all(args)?)
            }
            (Form::Datatypes | Form::Codatatypes, &[sorts, bodies]) => {
                self.datatypes(sorts, bodies, form == Form::Codatatypes)?
            }
            (Form::Datatype | Form::Codatatype, &[sort, body]) => {
                self.datatype(sort, body, form == Form::Codatatype)?
            }
            (Form::Datatype, &[sort, body, key, order]) if self.bytes(key) == b":subterm" => {
                let what = self.datatype(sort, body, false)?;
                self.subterm_order(what, order)?;
                what
            }
            (Form::Declaring, _) => What::Declare(self.spelling(head)?, self.tidy_all(args)?),
            _ => return Ok(None),
        }))
    }

    /// Commands that assert and ask; none if the arguments are not as the form has them.
    fn acting(&mut self, form: Form, head: u32, args: &[u32]) -> Result<Option<What>> {
        Ok(Some(match (form, args) {
            (Form::Assert, &[term]) => What::Assert(self.formula(term)?),
            (Form::CheckSat, []) => What::CheckSat,
            // z3 also takes the assumptions here.
            (Form::CheckSat, terms) => What::CheckSatAssuming(self.term_list(terms, true)?),
            (Form::CheckSatAssuming, &[list]) if self.is_list(list) => {
                let terms = self.parts(list);
                What::CheckSatAssuming(self.term_list(&terms, true)?)
            }
            (Form::CheckSatUsing, &[_, ..]) => What::CheckSatUsing(self.tidy_all(args)?),
            (Form::Apply, &[_, ..]) => What::Apply(self.tidy_all(args)?),
            (Form::SetSimplifier, &[_, ..]) => What::SetSimplifier(self.tidy_all(args)?),
            (Form::AssertSoft, &[term, ref rest @ ..]) => {
                let term = self.formula(term)?;
                What::AssertSoft(term, self.tidy_all(rest)?)
            }
            (Form::Optimize, &[term, ..]) => {
                let word = self.spelling(head)?;
                What::Optimize(word, self.term(term)?)
            }
            (Form::Query, &[term, ref rest @ ..]) => {
                let word = self.spelling(head)?;
                let term = self.term(term)?;
                What::Query(word, term, self.tidy_all(rest)?)
            }
            (Form::GetValue, &[list, ..]) if self.is_list(list) => {
                let terms = self.parts(list);
                What::GetValue(self.term_list(&terms, false)?)
            }
            (Form::Asking, _) => What::Other(self.spelling(head)?, self.tidy_all(args)?),
            // It may change what is asserted, in a way that we do not follow.
            (Form::Opaque, _) => What::Opaque(self.spelling(head)?),
            _ => return self.setting(form, head, args),
        }))
    }

    /// Commands that change options or levels; none if the arguments are not as the form has them.
    fn setting(&mut self, form: Form, head: u32, args: &[u32]) -> Result<Option<What>> {
        Ok(Some(match (form, args) {
            (Form::SetLogic, &[logic]) => {
                let symbol = self.spelling(logic)?;
                self.real_numerals = is_real_only(self.pool.text(symbol));
                self.has_logic = true;
                What::SetLogic(symbol)
            }
            (Form::SetOption, &[key, ref value @ ..]) => {
                let (key, value) = self.attribute_text(key, value)?;
                match (self.pool.text(key), self.pool.text(value)) {
                    (":global-declarations", "true") => self.scope.global = true,
                    (":numeral-as-real", "true") => self.real_numerals = true,
                    _ => {}
                }
                What::SetOption(key, value)
            }
            (Form::SetInfo, &[key, ref value @ ..]) => {
                let (key, value) = self.attribute_text(key, value)?;
                What::SetInfo(key, value)
            }
            (Form::Push, args @ ([] | [_])) => {
                let n = args.first().map_or(Ok(1), |&n| self.numeral(n, "a number of levels, a numeral"))?;
                self.scope.push(n);
                What::Push(n)
            }
            (Form::Pop, args @ ([] | [_])) => {
                let n = args.first().map_or(Ok(1), |&n| self.numeral(n, "a number of levels, a numeral"))?;
                if !self.scope.pop(n.into()) {
                    return self.fail(head, "expected a push before this pop: there are fewer levels");
                }
                What::Pop(n)
            }
            (Form::Reset, []) => {
                self.scope.clear();
                (self.real_numerals, self.has_logic) = (false, false);
                self.instances.clear();
                What::Reset
            }
            (Form::ResetAssertions, []) => {
                self.scope.reset_assertions();
                What::ResetAssertions
            }
            (Form::Exit, _) => {
                self.ended = true;
                What::Exit
            }
            _ => return Ok(None),
        }))
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

#[cfg(test)]
mod tests {
    #[test]
    fn what_follows_the_end_is_text() {
        let text =
            "(declare-const a Int)(exit)(declare-const a Bool)(assert (and a nothing))(pop 3)(check-sat)";
        let script = crate::read(text.as_bytes()).expect("nobody reads the end");
        assert!(script.opaque.is_empty() && script.is_lossless());
        assert!(script.queries().is_empty());
        assert!(crate::read(b"(exit)(assert").is_err());
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
