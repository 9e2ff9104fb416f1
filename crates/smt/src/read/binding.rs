//! Reading what binds variables or annotates a term: the parts of `let`, quantifiers, `match` and `!`.

use super::frame::{Binds, Building};
use super::lexer::Kind;
use super::scope::Meaning;
use super::{Reader, Result};
use crate::sort::SortId;
use crate::symbol::word;
use crate::term::{Attr, AttrValue, Binder, BinderList, Case, FunId, FunKind};

impl Reader<'_> {
    pub(super) fn let_binding(&mut self, i: u32) -> Result<u32> {
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

    pub(super) fn quantifier(&mut self, i: u32, end: u32, binds: Binds) -> Result<u32> {
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

    pub(super) fn case(&mut self, i: u32, values: u32) -> Result<u32> {
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
            Some(fun) => Case { constructor, spelling, binders: self.fields(i + 1, &parts, fun, sort)? },
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

    /// The variables after a constructor in a pattern of a `match` over `sort`.
    fn fields(
        &mut self,
        pattern: u32,
        parts: &[u32],
        constructor: FunId,
        sort: SortId,
    ) -> Result<BinderList> {
        let Some(fields) = self.pool.field_sorts(constructor, sort) else {
            let message = format!("expected a constructor of the sort {}", self.show(sort));
            return self.fail(parts[0], message);
        };
        let (wanted, given) = (fields.len(), parts.len() - 1);
        if wanted != given {
            return self
                .fail(pattern, format!("expected {wanted} variables after this constructor, not {given}"));
        }
        let mut binders = Vec::new();
        for (&part, sort) in parts[1..].iter().zip(fields) {
            let (name, spelling) = self.name(part, "a variable")?;
            binders.push(Binder { name, spelling, sort, sort_spelling: word::NONE });
        }
        Ok(self.pool.binders_id(&binders))
    }

    pub(super) fn attribute(&mut self, i: u32, list: u32) -> Result<u32> {
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
}
