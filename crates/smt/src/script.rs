//! Scripts: commands over one pool of terms.

use std::sync::Arc;

use crate::command::{CommandRow, command};
use crate::pool::{Base, Pool};
use crate::sort::{SortDeclId, SortDefId, SortId};
use crate::symbol::Symbol;
use crate::term::{Binder, FunId, Head, Literal, TermId, TermList};
use crate::value::literal::{self, Escapes};

/// A script. Its terms are in its pool. The pool of a mutant extends the pool of its seed.
#[derive(Clone, Debug)]
pub struct Script {
    /// Sorts, functions and terms.
    pub pool: Pool,
    /// The commands in order.
    pub commands: Vec<Command>,
    /// The text it was read from, which unchanged commands print.
    pub source: Arc<[u8]>,
    /// `; KEY: value` comments outside the commands.
    pub notes: Arc<[Note]>,
    /// The parts that were not understood.
    pub opaque: Arc<[OpaquePart]>,
}

/// A `; KEY: value` comment that stands outside all commands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Note {
    /// The key, such as `EXPECT` or `COMMAND-LINE`.
    pub key: String,
    /// The text after the colon.
    pub value: String,
}

/// A part that was not understood and is kept as it is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OpaquePart {
    /// The place in the source where it begins.
    pub offset: usize,
    /// Why it was not understood.
    pub why: String,
}

/// A stretch of the source.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Span {
    /// The place of its first byte.
    pub start: u32,
    /// The place after its last byte.
    pub end: u32,
}

/// A command and where it was read. A command without a span prints from what it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Command {
    /// The action of the command.
    pub what: What,
    /// Its place in the source, if it is unchanged.
    pub span: Option<Span>,
}

/// The action of a command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum What {
    /// `(set-logic L)`
    SetLogic(Symbol),
    /// `(set-option :key value)`
    SetOption(Symbol, Symbol),
    /// `(set-info :key value)`
    SetInfo(Symbol, Symbol),
    /// `(declare-sort S n)`
    DeclareSort(SortDeclId),
    /// `(define-sort S (T ..) ..)`
    DefineSort(SortDefId),
    /// `(declare-datatypes ..)` of so many sorts from this one on
    DeclareDatatypes(SortDeclId, u32),
    /// `(declare-fun f (S ..) S)` or `declare-const`
    DeclareFun(FunId),
    /// `(define-fun f ((x S) ..) S t)` or `define-const`
    DefineFun(FunId),
    /// `(define-fun-rec ..)`, or `define-funs-rec` of so many functions from this one on
    DefineFunsRec(FunId, u32),
    /// `(assert t)`
    Assert(TermId),
    /// `(assert-soft t ..)`, with the attributes as written
    AssertSoft(TermId, Symbol),
    /// `(minimize t)` or `(maximize t)`: the word and the term
    Optimize(Symbol, TermId),
    /// The command `(check-sat)`.
    CheckSat,
    /// `(check-sat-assuming (..))`
    CheckSatAssuming(TermList),
    /// `(check-sat-using tactic)`, the tactic as written
    CheckSatUsing(Symbol),
    /// `(push n)`
    Push(u32),
    /// `(pop n)`
    Pop(u32),
    /// The command `(reset)`.
    Reset,
    /// The command `(reset-assertions)`.
    ResetAssertions,
    /// The command `(exit)`.
    Exit,
    /// `(get-value (..))`
    GetValue(TermList),
    /// A command with one term that changes nothing: `simplify`, `eval`; the word, the term and the attributes as written
    Query(Symbol, TermId, Symbol),
    /// `(apply tactic)`, the tactic and its attributes as written
    Apply(Symbol),
    /// `(set-simplifier simplifier)`, the simplifier as written
    SetSimplifier(Symbol),
    /// Another command that declares something: the word and what follows as written, such as `declare-heap`
    Declare(Symbol, Symbol),
    /// Another command that we know and that only asks: the word and what follows as written, such as `get-model` or `echo`
    Other(Symbol, Symbol),
    /// A command we do not understand.
    Opaque(Symbol),
}

impl What {
    /// The word of the command.
    pub fn word(self, pool: &Pool) -> &str {
        match self {
            What::SetLogic(_) => "set-logic",
            What::SetOption(..) => "set-option",
            What::SetInfo(..) => "set-info",
            What::DeclareSort(_) => "declare-sort",
            What::DefineSort(_) => "define-sort",
            What::DeclareDatatypes(..) => "declare-datatypes",
            What::DeclareFun(_) => "declare-fun",
            What::DefineFun(_) => "define-fun",
            What::DefineFunsRec(_, 1) => "define-fun-rec",
            What::DefineFunsRec(..) => "define-funs-rec",
            What::Assert(_) => "assert",
            What::AssertSoft(..) => "assert-soft",
            What::CheckSat => "check-sat",
            What::CheckSatAssuming(_) => "check-sat-assuming",
            What::CheckSatUsing(_) => "check-sat-using",
            What::Push(_) => "push",
            What::Pop(_) => "pop",
            What::Reset => "reset",
            What::ResetAssertions => "reset-assertions",
            What::Exit => "exit",
            What::GetValue(_) => "get-value",
            What::Apply(_) => "apply",
            What::SetSimplifier(_) => "set-simplifier",
            What::Optimize(word, _)
            | What::Query(word, ..)
            | What::Declare(word, _)
            | What::Other(word, _)
            | What::Opaque(word) => pool.text(word),
        }
    }

    /// The row of the command in the table; none if it is not known.
    pub fn row(self, pool: &Pool) -> Option<&'static CommandRow> {
        command(self.word(pool))
    }

    /// Whether it is answered with `sat`, `unsat` or `unknown`.
    pub fn is_check(self) -> bool {
        matches!(self, What::CheckSat | What::CheckSatAssuming(_) | What::CheckSatUsing(_))
    }

    /// Whether it only asks for output: it changes nothing and is no check.
    pub fn is_output(self) -> bool {
        matches!(self, What::GetValue(_) | What::Query(..) | What::Apply(_) | What::Other(..))
    }
}

impl Script {
    /// Whether every string literal means the same to a solver with these escapes as to the standard.
    ///
    /// Where it does not, such a solver answers another script than ours.
    pub fn reads_alike(&self, escapes: Escapes) -> bool {
        let string = |t: &TermId| self.pool.node(*t).head == Head::Literal(Literal::String);
        let alike = |t: TermId| {
            let text = self.pool.text(self.pool.node(t).name);
            let body = text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(text);
            let standard = literal::read(body, Escapes::Standard);
            body.is_ascii() && standard.is_ok() && literal::read(body, escapes) == standard
        };
        escapes == Escapes::Standard || self.pool.all_terms().filter(string).all(alike)
    }

    /// An empty script.
    pub fn new(pool: Pool) -> Self {
        Script {
            pool,
            commands: Vec::new(),
            source: Arc::from([]),
            notes: Arc::from([]),
            opaque: Arc::from([]),
        }
    }

    /// The same script with a pool of its own that extends a frozen one, in which everything is that the commands use.
    #[must_use]
    pub fn over(&self, base: &Base) -> Script {
        Script {
            pool: Pool::over(base),
            commands: self.commands.clone(),
            source: Arc::clone(&self.source),
            notes: Arc::clone(&self.notes),
            opaque: Arc::clone(&self.opaque),
        }
    }

    /// Adds a command that has no source.
    pub fn push(&mut self, what: What) {
        self.commands.push(Command { what, span: None });
    }

    /// Calls `visit` with each term that a command holds at its top: an assertion, assumptions, the bodies of
    /// definitions.
    pub fn each_term(&self, command: usize, mut visit: impl FnMut(TermId)) {
        let Some(command) = self.commands.get(command) else { return };
        match command.what {
            What::Assert(term)
            | What::AssertSoft(term, _)
            | What::Optimize(_, term)
            | What::Query(_, term, _) => {
                visit(term);
            }
            What::CheckSatAssuming(list) | What::GetValue(list) => {
                self.pool.terms(list).iter().copied().for_each(visit);
            }
            What::DefineFun(fun) => {
                if let Some((_, body)) = self.pool.body(fun) {
                    visit(body);
                }
            }
            What::DefineFunsRec(first, count) => {
                for fun in (first.0..first.0 + count).map(FunId) {
                    if let Some((_, body)) = self.pool.body(fun) {
                        visit(body);
                    }
                }
            }
            _ => {}
        }
    }

    /// The term with this number that a command holds at its top.
    pub fn term_of(&self, command: usize, number: usize) -> Option<TermId> {
        let (mut found, mut at) = (None, 0);
        self.each_term(command, |term| {
            if at == number {
                found = Some(term);
            }
            at += 1;
        });
        found
    }

    /// The variables that are bound in all of the term with this number of a command: those of a definition.
    pub fn variables_of(&self, command: usize, number: usize) -> &[Binder] {
        let fun = match self.commands.get(command).map(|c| c.what) {
            Some(What::DefineFun(fun)) => fun,
            Some(What::DefineFunsRec(first, count)) if (number as u32) < count => {
                FunId(first.0 + number as u32)
            }
            _ => return &[],
        };
        self.pool.body(fun).map_or(&[], |(binders, _)| self.pool.binders(binders))
    }

    /// Puts another term of the same sort in the place of the one with this number of a command, which then no longer
    /// prints its source. False if there is none or the sorts differ.
    pub fn set_term(&mut self, command: usize, number: usize, new: TermId) -> bool {
        let Some(old) = self.term_of(command, number) else { return false };
        if self.pool.sort_of(old) != self.pool.sort_of(new) {
            return false;
        }
        let Command { what, span } = &mut self.commands[command];
        match what {
            What::Assert(term)
            | What::AssertSoft(term, _)
            | What::Optimize(_, term)
            | What::Query(_, term, _) => {
                *term = new;
            }
            What::CheckSatAssuming(list) | What::GetValue(list) => {
                let mut terms = self.pool.terms(*list).to_vec();
                terms[number] = new;
                *list = self.pool.term_list_id(&terms);
            }
            What::DefineFun(fun) => self.pool.set_body(*fun, new),
            What::DefineFunsRec(first, _) => self.pool.set_body(FunId(first.0 + number as u32), new),
            _ => return false,
        }
        *span = None;
        true
    }

    /// Calls `visit` with each function that a command declares or defines.
    pub fn each_function(&self, command: usize, mut visit: impl FnMut(FunId)) {
        match self.commands.get(command).map(|c| c.what) {
            Some(What::DeclareFun(fun) | What::DefineFun(fun)) => visit(fun),
            Some(What::DefineFunsRec(first, count)) => {
                (first.0..first.0 + count).map(FunId).for_each(visit);
            }
            Some(What::DeclareDatatypes(first, count)) => {
                for decl in (first.0..first.0 + count).map(SortDeclId) {
                    for c in self.pool.sort_decl(decl).datatype.iter().flat_map(|d| &d.constructors) {
                        visit(c.function);
                        visit(c.tester);
                        c.selectors.iter().copied().for_each(&mut visit);
                    }
                }
            }
            _ => {}
        }
    }

    /// The logic the script sets, if it does.
    pub fn logic(&self) -> Option<&str> {
        self.commands.iter().find_map(|c| match c.what {
            What::SetLogic(name) => Some(self.pool.text(name)),
            _ => None,
        })
    }

    /// The sort of the terms that a command may hold at its top: assertions are Bool, objectives may be anything.
    pub fn wanted(&self, command: usize) -> Option<SortId> {
        match self.commands.get(command)?.what {
            What::Assert(_) | What::AssertSoft(..) | What::CheckSatAssuming(_) => Some(SortId::BOOL),
            _ => None,
        }
    }
}
