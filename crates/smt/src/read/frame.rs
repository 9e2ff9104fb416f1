//! Lists that are being read, and the terms that they become at their end.

use super::identifier::Identifier;
use super::{Reader, Result};
use crate::symbol::word;
use crate::term::{AttrValue, BinderList, Head};

/// A list that is being read: what it will become when all up to `end` has been read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    pub what: Building,
    /// The s-expression after its last part.
    pub end: u32,
    /// Its own s-expression.
    pub list: u32,
    /// Where its values begin on the stack of values.
    pub values: u32,
}

/// The term that a list will become.
#[derive(Clone, Copy, Debug)]
pub(super) enum Building {
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

/// A word that binds variables.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Binds {
    Forall,
    Exists,
    Lambda,
    /// Hilbert's choice.
    Choice,
    /// cvc5's set comprehension.
    Comprehension,
}

impl Reader<'_> {
    /// Ends the innermost frame, or goes on to its next part; the result is where to go on.
    pub(super) fn finish(&mut self) -> Result<u32> {
        let Frame { what, end, list, values } = self.frames.pop().expect("a list is being read");
        let first = values as usize;
        let count = self.values.len() - first;
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
            Building::LetBindings(from) => return self.let_body(list, from as usize, first),
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
            Building::Matched => return self.match_cases(list, values),
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

    /// Begins the cases of the `match` at `list`; the result is where to go on.
    fn match_cases(&mut self, list: u32, values: u32) -> Result<u32> {
        let cases = self.at(list + 2).next;
        let count = self.values.len() - values as usize;
        if count != 1 || cases >= self.at(list).next || !self.is_list(cases) {
            return self.fail(list, "expected (match term ((pattern term) ..))");
        }
        let what = Building::Cases(self.cases.len() as u32);
        self.frames.push(Frame { what, end: self.at(cases).next, list, values });
        Ok(cases + 1)
    }

    /// Begins the body of the `let` at `list`, whose bindings have been read; the result is where to go on.
    fn let_body(&mut self, list: u32, from: usize, first: usize) -> Result<u32> {
        for k in 0..self.values.len() - first {
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
            // z3 accepts this. What it means is not known.
            self.scope.back_to(mark);
            self.values.truncate(first);
            let term = self.opaque(list, "a let without a body".to_owned())?;
            self.values.push(term);
            return Ok(end);
        }
        let values = first as u32;
        self.frames.push(Frame { what: Building::LetBody(binders, mark), end, list, values });
        Ok(self.at(list + 2).next)
    }
}
