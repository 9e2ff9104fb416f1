//! Writing commands.

use super::Writer;
use crate::script::{Command, Script, What};
use crate::sort::SortDeclId;
use crate::symbol::Symbol;
use crate::term::{BinderList, FunId, TermId};

impl Writer<'_> {
    pub(super) fn command(&mut self, script: &Script, command: Command) {
        if let Some(span) = command.span {
            self.out.extend_from_slice(&script.source[span.start as usize..span.end as usize]);
            return;
        }
        match command.what {
            What::SetLogic(logic) => self.words("set-logic", &[logic]),
            What::SetOption(key, value) => self.words("set-option", &[key, value]),
            What::SetInfo(key, value) => self.words("set-info", &[key, value]),
            What::DefineSort(def) => self.symbol(self.pool.sort_def(def).text),
            What::DeclareSort(decl) => self.declared_sort(decl),
            What::DeclareDatatypes(first, count) => self.datatypes(first, count),
            What::DeclareFun(fun) => self.declared_function(fun),
            What::DefineFun(fun) => self.defined_function(fun),
            What::DefineFunsRec(first, count) => self.recursive(first, count),
            What::Assert(term) => self.with_terms("assert", &[term]),
            What::AssertSoft(term, rest) => self.soft(term, rest),
            What::Optimize(word, term) | What::Query(word, term) => {
                self.with_terms(self.pool.text(word), &[term]);
            }
            What::CheckSat => self.text("(check-sat)"),
            What::CheckSatAssuming(list) => self.with_list("check-sat-assuming", self.pool.terms(list)),
            What::GetValue(list) => self.with_list("get-value", self.pool.terms(list)),
            What::CheckSatUsing(tactic) => self.words("check-sat-using", &[tactic]),
            What::Push(n) => self.text(&format!("(push {n})")),
            What::Pop(n) => self.text(&format!("(pop {n})")),
            What::Reset => self.text("(reset)"),
            What::ResetAssertions => self.text("(reset-assertions)"),
            What::Exit => self.text("(exit)"),
            What::Other(word) | What::Opaque(word) => self.words(self.pool.text(word), &[]),
        }
    }

    fn declared_sort(&mut self, decl: SortDeclId) {
        let decl = self.pool.sort_decl(decl);
        self.words("declare-sort", &[decl.spelling]);
        self.out.pop();
        self.text(&format!(" {})", decl.arity));
    }

    fn declared_function(&mut self, fun: FunId) {
        let fun = self.pool.fun(fun);
        self.text("(declare-fun ");
        self.symbol(fun.spelling);
        self.text(" (");
        for (i, &sort) in fun.args.iter().enumerate() {
            self.text(if i == 0 { "" } else { " " });
            self.sort(sort);
        }
        self.text(") ");
        self.sort(fun.result);
        self.out.push(b')');
    }

    fn defined_function(&mut self, fun: FunId) {
        if let Some((binders, body)) = self.pool.body(fun) {
            self.definition("(define-fun ", fun, binders);
            self.out.push(b' ');
            self.term(body);
            self.out.push(b')');
        }
    }

    /// A soft assertion with its attributes as they were written.
    fn soft(&mut self, term: TermId, attributes: Symbol) {
        self.with_terms("assert-soft", &[term]);
        if !self.pool.bytes(attributes).is_empty() {
            self.out.pop();
            self.out.push(b' ');
            self.symbol(attributes);
            self.out.push(b')');
        }
    }

    fn words(&mut self, word: &str, rest: &[Symbol]) {
        self.out.push(b'(');
        self.text(word);
        for &symbol in rest {
            if !self.pool.bytes(symbol).is_empty() {
                self.out.push(b' ');
                self.symbol(symbol);
            }
        }
        self.out.push(b')');
    }

    fn with_terms(&mut self, word: &str, terms: &[TermId]) {
        self.out.push(b'(');
        self.text(word);
        for &term in terms {
            self.out.push(b' ');
            self.term(term);
        }
        self.out.push(b')');
    }

    fn with_list(&mut self, word: &str, terms: &[TermId]) {
        self.out.push(b'(');
        self.text(word);
        self.text(" (");
        for (i, &term) in terms.iter().enumerate() {
            self.text(if i == 0 { "" } else { " " });
            self.term(term);
        }
        self.text("))");
    }

    fn definition(&mut self, word: &str, fun: FunId, binders: BinderList) {
        self.text(word);
        let fun = self.pool.fun(fun);
        self.symbol(fun.spelling);
        self.out.push(b' ');
        self.sorted_variables(binders);
        self.out.push(b' ');
        self.sort(fun.result);
    }

    fn recursive(&mut self, first: FunId, count: u32) {
        let funs: Vec<_> = (first.0..first.0 + count)
            .map(FunId)
            .filter_map(|id| self.pool.body(id).map(|(binders, body)| (id, binders, body)))
            .collect();
        if let &[(fun, binders, body)] = &funs[..] {
            self.definition("(define-fun-rec ", fun, binders);
            self.out.push(b' ');
            self.term(body);
            self.out.push(b')');
            return;
        }
        self.text("(define-funs-rec (");
        for &(fun, binders, _) in &funs {
            self.definition("(", fun, binders);
            self.out.push(b')');
        }
        self.text(") (");
        for (i, &(.., body)) in funs.iter().enumerate() {
            self.text(if i == 0 { "" } else { " " });
            self.term(body);
        }
        self.text("))");
    }
}
