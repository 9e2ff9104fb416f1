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
        let word = command.what.word(self.pool);
        match command.what {
            What::SetLogic(rest)
            | What::CheckSatUsing(rest)
            | What::Apply(rest)
            | What::SetSimplifier(rest) => {
                self.words(word, &[rest]);
            }
            What::SetOption(key, value) | What::SetInfo(key, value) => self.words(word, &[key, value]),
            What::DefineSort(def) => self.symbol(self.pool.sort_def(def).text),
            What::DeclareSort(decl) => self.declared_sort(decl),
            What::DeclareDatatypes(first, count) => self.datatypes(first, count),
            What::DeclareFun(fun) => self.declared_function(fun),
            What::DefineFun(fun) => self.defined_function(fun),
            What::DefineFunsRec(first, count) => self.recursive(first, count),
            What::Assert(term) | What::Optimize(_, term) => self.with_terms(word, &[term]),
            What::AssertSoft(term, rest) | What::Query(_, term, rest) => {
                self.with_attributes(word, term, rest);
            }
            What::CheckSatAssuming(list) | What::GetValue(list) => {
                self.with_list(word, self.pool.terms(list));
            }
            What::Push(n) | What::Pop(n) => self.text(&format!("({word} {n})")),
            What::CheckSat | What::Reset | What::ResetAssertions | What::Exit | What::Opaque(_) => {
                self.words(word, &[]);
            }
            What::Declare(_, rest) | What::Other(_, rest) => self.words(word, &[rest]),
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

    /// A command with one term and attributes as they were written.
    fn with_attributes(&mut self, word: &str, term: TermId, attributes: Symbol) {
        self.with_terms(word, &[term]);
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
