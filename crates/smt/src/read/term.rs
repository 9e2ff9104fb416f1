//! Reading terms with a stack of frames instead of recursion.

use super::identifier::{Identifier, is_reserved};
use super::lexer::Kind;
use super::scope::Meaning;
use super::{Reader, Result};
use crate::sort::SortId;
use crate::symbol::{Symbol, word};
use crate::term::{Attr, AttrValue, Binder, BinderList, Case, FunKind, Head, IndexList, Literal, TermId};

/// A list that is being read: what it will become when all up to `end` has been read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    what: Building,
    /// The s-expression after its last part.
    end: u32,
    /// Its own s-expression.
    list: u32,
    /// Where its values begin on the stack of values.
    values: u32,
}

#[derive(Clone, Copy, Debug)]
enum Building {
    /// An application of an identifier to arguments.
    Application(Identifier),
    /// A term applied to arguments.
    Applied,
    /// The bindings of a `let`; the second number is where its binders begin.
    LetBindings(u32),
    /// One binding.
    LetBinding,
    /// The body of a `let`, and how to leave its scope.
    LetBody(BinderList, u32),
    /// The body of a quantifier or `lambda`, and how to leave its scope.
    Body(Binds, BinderList, u32),
    /// The term a `match` looks at.
    Matched,
    /// The cases of a `match`; where they begin on the stack of cases.
    Cases(u32),
    /// The body of a case, and how to leave its scope.
    CaseBody(u32),
    /// An annotated term; where its attributes begin on the stack of attributes.
    Annotated(u32),
    /// The terms of a `:pattern`.
    Pattern,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Binds {
    Forall,
    Exists,
    Lambda,
    /// Hilbert's choice, which we only carry along.
    Choice,
    /// cvc5's set comprehension, likewise.
    Comprehension,
}

impl Reader<'_> {
    /// Reads the term at `i`.
    pub(super) fn term(&mut self, i: u32) -> Result<TermId> {
        let depth = self.frames.len();
        let mut at = i;
        loop {
            at = self.visit(at, depth)?;
            while self.frames.len() > depth
                && let Some(&frame) = self.frames.last()
                && at == frame.end
            {
                at = self.finish(frame)?;
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

    fn open(&mut self, what: Building, list: u32, end: u32) {
        let values = self.values.len() as u32;
        self.frames.push(Frame { what, end, list, values });
    }

    /// Begins what stands at `i`; the result is where to go on.
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
        match self.scope.get(name) {
            Meaning::Variable(sort) => {
                return Ok(self.pool.add_term(Head::Variable(name), spelling, sort, &[]));
            }
            Meaning::Fun(fun) => {
                let decl = self.pool.fun(fun);
                if decl.args.is_empty() && decl.type_params.is_empty() {
                    return Ok(self.pool.add_term(Head::Fun(fun), spelling, decl.result, &[]));
                }
            }
            _ => {}
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

    fn let_binding(&mut self, i: u32) -> Result<u32> {
        let end = self.at(i).next;
        if !self.is_list(i) || i + 2 >= end {
            return self.fail(i, "expected a binding (name term)");
        }
        let (name, spelling) = self.name(i + 1, "a name")?;
        self.binders.push(Binder { name, spelling, sort: SortId::UNKNOWN, sort_spelling: word::NONE });
        self.open(Building::LetBinding, i, end);
        Ok(i + 2)
    }

    /// Reads `((x S) ..)` at `i` and binds the variables.
    pub(super) fn sorted_variables(&mut self, i: u32) -> Result<BinderList> {
        if i as usize >= self.nodes.len() || !self.is_list(i) {
            return self.fail(i, "expected variables ((name sort) ..)");
        }
        let end = self.at(i).next;
        let first = self.binders.len();
        let mut at = i + 1;
        while at < end {
            let next = self.at(at).next;
            if !self.is_list(at) || at + 2 >= next || self.at(at + 2).next != next {
                return self.fail(at, "expected a variable (name sort)");
            }
            let (name, spelling) = self.name(at + 1, "a name")?;
            let sort = self.sort(at + 2)?;
            let sort_spelling = self.tidy(at + 2)?;
            self.binders.push(Binder { name, spelling, sort, sort_spelling });
            at = next;
        }
        let list = self.pool.binders_id(&self.binders[first..]);
        self.binders.truncate(first);
        for k in 0..self.pool.binders(list).len() {
            let binder = self.pool.binders(list)[k];
            self.scope.bind_variable(binder.name, binder.sort);
        }
        Ok(list)
    }

    fn quantifier(&mut self, i: u32, end: u32, binds: Binds) -> Result<u32> {
        if i + 2 >= end {
            return self.fail(i, "expected variables ((name sort) ..), then a term");
        }
        let mark = self.scope.mark();
        let binders = self.sorted_variables(i + 2)?;
        if self.pool.binders(binders).is_empty() {
            return self.fail(i + 2, "expected at least one variable");
        }
        self.open(Building::Body(binds, binders, mark), i, end);
        Ok(self.at(i + 2).next)
    }

    fn case(&mut self, i: u32, values: u32) -> Result<u32> {
        let end = self.at(i).next;
        if !self.is_list(i) || i + 2 >= end {
            return self.fail(i, "expected a case (pattern term)");
        }
        let mark = self.scope.mark();
        let matched = self.values[values as usize];
        let sort = self.pool.sort_of(matched);
        let parts = if self.is_list(i + 1) { self.parts(i + 1) } else { vec![i + 1] };
        let Some(&head) = parts.first() else { return self.fail(i + 1, "expected a pattern") };
        let Some(identifier) = self.identifier(head)? else {
            return self.fail(head, "expected a constructor or a variable");
        };
        let (name, spelling) = (identifier.name, identifier.spelling);
        let constructor = self
            .scope
            .funs(&self.scope.get(name))
            .iter()
            .copied()
            .find(|&f| matches!(self.pool.fun(f).kind, FunKind::Constructor(_)));
        let case = match constructor {
            Some(fun) => {
                let Some(fields) = self.pool.field_sorts(fun, sort) else {
                    return self
                        .fail(head, format!("expected a constructor of the sort {}", self.show(sort)));
                };
                if fields.len() != parts.len() - 1 {
                    return self.fail(
                        i + 1,
                        format!(
                            "expected {} variables after this constructor, not {}",
                            fields.len(),
                            parts.len() - 1
                        ),
                    );
                }
                let mut binders = Vec::new();
                for (&part, sort) in parts[1..].iter().zip(fields) {
                    let (name, spelling) = self.name(part, "a variable")?;
                    binders.push(Binder { name, spelling, sort, sort_spelling: word::NONE });
                }
                Case { constructor, spelling, binders: self.pool.binders_id(&binders) }
            }
            None if parts.len() == 1 && !self.is_list(i + 1) => {
                let binder = Binder { name, spelling, sort, sort_spelling: word::NONE };
                Case { constructor, spelling, binders: self.pool.binders_id(&[binder]) }
            }
            None => return self.fail(head, format!("expected a constructor, not {}", self.pool.text(name))),
        };
        for k in 0..self.pool.binders(case.binders).len() {
            let binder = self.pool.binders(case.binders)[k];
            self.scope.bind_variable(binder.name, binder.sort);
        }
        self.cases.push(case);
        self.open(Building::CaseBody(mark), i, end);
        Ok(self.at(i + 1).next)
    }

    fn attribute(&mut self, i: u32, list: u32) -> Result<u32> {
        let end = self.at(list).next;
        let keyword = self.spelling(i)?;
        let value = i + 1;
        if value == end || self.at(value).kind == Kind::Keyword {
            self.attrs.push(Attr { keyword, value: AttrValue::None });
            return Ok(value);
        }
        match self.bytes(i) {
            b":pattern" if self.is_list(value) && self.holds_terms(value) => {
                self.attrs.push(Attr { keyword, value: AttrValue::Terms(0) });
                self.open(Building::Pattern, value, self.at(value).next);
                Ok(value + 1)
            }
            b":no-pattern" | b":pattern" => {
                self.attrs.push(Attr { keyword, value: AttrValue::Term });
                Ok(value)
            }
            _ => {
                let text = self.tidy(value)?;
                self.attrs.push(Attr { keyword, value: AttrValue::Text(text) });
                Ok(self.at(value).next)
            }
        }
    }

    /// Whether the list is a list of terms, and not, as z3 also reads it after `:pattern`, one term.
    fn holds_terms(&self, list: u32) -> bool {
        let first = list + 1;
        let end = self.at(list).next;
        // An application has arguments.
        first == end || self.at(first).next == end || self.is_list(first) || {
            let text = std::str::from_utf8(self.bytes(first)).unwrap_or_default();
            let name = self.pool.find(crate::symbol::unquoted(text));
            name.is_some_and(|name| match self.scope.get(name) {
                Meaning::Variable(_) => true,
                Meaning::Fun(f) => self.pool.fun(f).args.is_empty(),
                _ => false,
            })
        }
    }

    /// Ends the innermost frame, or goes on to its next part; the result is where to go on.
    fn finish(&mut self, frame: Frame) -> Result<u32> {
        let Frame { what, end, list, values } = frame;
        let first = values as usize;
        let count = self.values.len() - first;
        self.frames.pop();
        let term = match what {
            Building::Application(identifier) => self.application(list, identifier, first)?,
            Building::Applied => {
                let args: Vec<_> = self.values[first + 1..].to_vec();
                self.apply(list, self.values[first], &args)?
            }
            Building::LetBinding => {
                if count != 1 {
                    return self.fail(list, "expected a binding (name term)");
                }
                return Ok(end);
            }
            Building::LetBindings(first_binder) => {
                let from = first_binder as usize;
                for k in 0..count {
                    self.binders[from + k].sort = self.pool.sort_of(self.values[first + k]);
                }
                let binders = self.pool.binders_id(&self.binders[from..]);
                let mark = self.scope.mark();
                for k in from..self.binders.len() {
                    let binder = self.binders[k];
                    self.scope.bind_variable(binder.name, binder.sort);
                }
                self.binders.truncate(from);
                let end = self.at(list).next;
                if self.at(list + 2).next == end {
                    // z3 reads this, who knows as what.
                    self.scope.back_to(mark);
                    self.values.truncate(first);
                    let term = self.opaque(list, "a let without a body".to_owned())?;
                    self.values.push(term);
                    return Ok(end);
                }
                self.frames.push(Frame { what: Building::LetBody(binders, mark), end, list, values });
                return Ok(self.at(list + 2).next);
            }
            Building::LetBody(binders, mark) => {
                self.scope.back_to(mark);
                if count != self.pool.binders(binders).len() + 1 {
                    return self.fail(list, "expected (let ((name term) ..) term)");
                }
                let sort = self.pool.sort_of(*self.values.last().expect("a let has a body"));
                self.pool.add_term(Head::Let(binders), word::NONE, sort, &self.values[first..])
            }
            Building::Body(binds, binders, mark) => {
                self.scope.back_to(mark);
                self.bound(list, binds, binders, first)?
            }
            Building::Matched => {
                let cases = self.at(list + 2).next;
                if count != 1 || cases >= self.at(list).next || !self.is_list(cases) {
                    return self.fail(list, "expected (match term ((pattern term) ..))");
                }
                let from = self.cases.len() as u32;
                let end = self.at(cases).next;
                self.frames.push(Frame { what: Building::Cases(from), end, list, values });
                return Ok(cases + 1);
            }
            Building::Cases(from) => {
                if end != self.at(list).next {
                    return self.fail(end, "expected nothing after the cases");
                }
                self.matching(list, from as usize, first)?
            }
            Building::CaseBody(mark) => {
                self.scope.back_to(mark);
                if count != 1 {
                    return self.fail(list, "expected a case (pattern term)");
                }
                return Ok(end);
            }
            Building::Pattern => {
                if let Some(attr) = self.attrs.last_mut() {
                    attr.value = AttrValue::Terms(count as u32);
                }
                return Ok(end);
            }
            Building::Annotated(from) => self.annotated(list, from as usize, first)?,
        };
        self.values.truncate(first);
        self.values.push(term);
        Ok(end)
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
