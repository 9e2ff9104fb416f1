//! Reading terms with a stack of frames instead of recursion.

use super::frame::{Binds, Building, Frame};
use super::identifier::{Identifier, is_reserved};
use super::lexer::Kind;
use super::scope::Meaning;
use super::{Reader, Result};
use crate::sort::SortId;
use crate::symbol::{Symbol, word};
use crate::term::{Head, IndexList, Literal, TermId};

impl Reader<'_> {
    /// Reads the term at `i`.
    pub(super) fn term(&mut self, i: u32) -> Result<TermId> {
        let depth = self.frames.len();
        let mut at = i;
        loop {
            at = self.visit(at, depth)?;
            while self.frames.len() > depth && self.frames.last().is_some_and(|frame| frame.end == at) {
                at = self.finish()?;
            }
            if self.frames.len() == depth {
                return Ok(self.values.pop().expect("every term leaves a value"));
            }
        }
    }

    /// Reads a term of sort Bool.
    pub(super) fn formula(&mut self, i: u32) -> Result<TermId> {
        let term = self.term(i)?;
        let sort = self.pool.sort_of(term);
        if sort != SortId::BOOL && sort != SortId::UNKNOWN {
            return self.fail(i, format!("expected a term of sort Bool, this is {}", self.show(sort)));
        }
        Ok(term)
    }

    pub(super) fn open(&mut self, what: Building, list: u32, end: u32) {
        let values = self.values.len() as u32;
        self.frames.push(Frame { what, end, list, values });
    }

    /// Begins the s-expression at `i`; the result is where to go on.
    fn visit(&mut self, i: u32, depth: usize) -> Result<u32> {
        if self.frames.len() > depth
            && let Some(&Frame { what, values, list, .. }) = self.frames.last()
        {
            match what {
                Building::LetBindings(_) => return self.let_binding(i),
                Building::Cases(_) => return self.case(i, values),
                Building::Annotated(_) if i > list + 2 && self.at(i).kind == Kind::Keyword => {
                    return self.attribute(i, list);
                }
                _ => {}
            }
        }
        let s = self.at(i);
        match s.kind {
            Kind::List => self.list(i),
            Kind::Symbol | Kind::Quoted => {
                let term = self.atom(i)?;
                self.values.push(term);
                Ok(s.next)
            }
            Kind::Keyword => self.fail(i, "expected a term, not a keyword"),
            _ => {
                let term = self.literal(i)?;
                self.values.push(term);
                Ok(s.next)
            }
        }
    }

    /// A variable or constant.
    #[inline]
    fn atom(&mut self, i: u32) -> Result<TermId> {
        let (name, spelling) = self.name(i, "a name")?;
        let meaning = self.scope.get(name);
        if let Some(term) = self.atoms.get(spelling, meaning) {
            return Ok(term);
        }
        let known = match meaning {
            Meaning::Variable(sort) => Some((Head::Variable(name), sort)),
            Meaning::Fun(fun) => {
                let decl = self.pool.fun(fun);
                let is_constant = decl.args.is_empty() && decl.type_params.is_empty();
                is_constant.then_some((Head::Fun(fun), decl.result))
            }
            _ => None,
        };
        if let Some((head, sort)) = known {
            let term = self.pool.add_term(head, spelling, sort, &[]);
            self.atoms.keep(spelling, meaning, term);
            return Ok(term);
        }
        let quoted = self.at(i).kind == Kind::Quoted;
        let identifier = Identifier { name, spelling, indices: IndexList(0), want: None, quoted };
        self.constant(i, identifier)
    }

    fn list(&mut self, i: u32) -> Result<u32> {
        let end = self.at(i).next;
        let head = i + 1;
        if head == end {
            return self.fail(i, "expected a term, not an empty list");
        }
        if self.is_list(head) {
            let Some(identifier) = self.identifier(head)? else {
                self.open(Building::Applied, i, end);
                return Ok(head);
            };
            return self.arguments(i, head, identifier);
        }
        let Some(identifier) = self.identifier(head)? else {
            return self.fail(head, "expected the name of a function");
        };
        if is_reserved(identifier.name)
            && !identifier.quoted
            && self.scope.get(identifier.name) == Meaning::None
        {
            return self.special(i, head, end, identifier.name);
        }
        if self.is_unknown(&identifier) {
            match self.pool.text(identifier.name) {
                "choice" => return self.quantifier(i, end, Binds::Choice),
                "set.comprehension" => return self.quantifier(i, end, Binds::Comprehension),
                "root-obj" => {
                    if let Some(root) = self.root(i)? {
                        self.values.push(root);
                        return Ok(end);
                    }
                }
                _ => {}
            }
            // Nothing inside is looked at: it may be anything.
            let why = format!("{} is not known", self.pool.text(identifier.spelling));
            let term = self.opaque(i, why)?;
            self.values.push(term);
            return Ok(end);
        }
        self.arguments(i, head, identifier)
    }

    /// Begins the arguments of the identifier at `head`.
    fn arguments(&mut self, i: u32, head: u32, identifier: Identifier) -> Result<u32> {
        let (first, end) = (self.at(head).next, self.at(i).next);
        if first == end {
            if let Some(term) = self.of_nothing(i, &identifier)? {
                self.values.push(term);
                return Ok(end);
            }
            let name = self.pool.text(identifier.spelling);
            return self.fail(i, format!("expected arguments, or {name} without parentheses"));
        }
        self.open(Building::Application(identifier), i, end);
        Ok(first)
    }

    fn special(&mut self, i: u32, head: u32, end: u32, name: Symbol) -> Result<u32> {
        match name {
            word::LET => {
                let bindings = head + 1;
                if bindings >= end || !self.is_list(bindings) {
                    return self.fail(head, "expected (let ((name term) ..) term)");
                }
                let first = self.binders.len() as u32;
                self.open(Building::LetBindings(first), i, self.at(bindings).next);
                Ok(bindings + 1)
            }
            word::FORALL => self.quantifier(i, end, Binds::Forall),
            word::EXISTS => self.quantifier(i, end, Binds::Exists),
            word::LAMBDA => self.quantifier(i, end, Binds::Lambda),
            word::MATCH => {
                if head + 1 >= end {
                    return self.fail(head, "expected (match term ((pattern term) ..))");
                }
                self.open(Building::Matched, i, self.at(head + 1).next);
                Ok(head + 1)
            }
            word::BANG => {
                if head + 1 >= end {
                    return self.fail(head, "expected (! term attribute ..)");
                }
                let first = self.attrs.len() as u32;
                self.open(Building::Annotated(first), i, end);
                Ok(head + 1)
            }
            // `(_ f 1)` or `(as f S)` as a constant.
            _ => {
                let Some(identifier) = self.identifier(i)? else {
                    return self.fail(i, "expected an identifier");
                };
                let term = self.constant(i, identifier)?;
                self.values.push(term);
                Ok(end)
            }
        }
    }

    pub(super) fn literal(&mut self, i: u32) -> Result<TermId> {
        let name = self.literal_spelling(i)?;
        let len = self.bytes(i).len() as u32;
        let (literal, sort) = match self.at(i).kind {
            Kind::Numeral if self.real_numerals => (Literal::Numeral, SortId::REAL),
            Kind::Numeral => (Literal::Numeral, SortId::INT),
            Kind::Decimal => (Literal::Decimal, SortId::REAL),
            Kind::Hexadecimal => (Literal::Hexadecimal, self.pool.bitvec((len - 2) * 4)),
            Kind::Binary => (Literal::Binary, self.pool.bitvec(len - 2)),
            _ => (Literal::String, SortId::STRING),
        };
        Ok(self.pool.add_term(Head::Literal(literal), name, sort, &[]))
    }
}
