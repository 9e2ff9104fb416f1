//! From an identifier and its arguments to a well-sorted term.

use super::identifier::Identifier;
use super::scope::Meaning;
use super::sort::TOO_LARGE;
use super::{Reader, Result};
use crate::sort::{Sort, SortId};
use crate::symbol::{Symbol, word};
use crate::term::{BinderList, FunId, Head, Index, IndexList, TermId};
use crate::theory;
use crate::vocabulary::rows_of;

impl Reader<'_> {
    /// A sort as text, for messages.
    pub(super) fn show(&self, sort: SortId) -> String {
        crate::write::sort_text(&self.pool, sort)
    }

    /// Whether neither the script nor the table knows the name.
    pub(super) fn is_unknown(&self, identifier: &Identifier) -> bool {
        self.scope.get(identifier.name) == Meaning::None && rows_of(identifier.name).is_empty()
    }

    /// A part that is kept as it is.
    pub(super) fn opaque(&mut self, i: u32, why: String) -> Result<TermId> {
        self.note_opaque(i, why);
        let text = self.tidy(i)?;
        Ok(self.pool.add_term(Head::Opaque, text, SortId::UNKNOWN, &[]))
    }

    /// An identifier applied to the values from `first` on.
    pub(super) fn application(&mut self, i: u32, identifier: Identifier, first: usize) -> Result<TermId> {
        let Identifier { name, spelling, indices, want, .. } = identifier;
        let meaning = self.scope.get(name);
        match meaning {
            Meaning::Variable(sort) => {
                let variable = self.pool.add_term(Head::Variable(name), spelling, sort, &[]);
                if self.values.len() == first {
                    return Ok(variable);
                }
                let args = self.values[first..].to_vec();
                return self.apply(i, variable, &args);
            }
            Meaning::Fun(_) | Meaning::Several(_) if indices == IndexList(0) => {
                for k in 0..self.scope.funs(&meaning).len() {
                    let fun = self.scope.funs(&meaning)[k];
                    if let Some(term) = self.call(fun, spelling, want, first) {
                        return Ok(term);
                    }
                }
                if want.is_none()
                    && first == self.values.len()
                    && let &[fun] = self.scope.funs(&meaning)
                    && let Some(term) = self.only_instance(fun, spelling)
                {
                    return Ok(term);
                }
            }
            _ => {}
        }
        let rows = rows_of(name);
        if let Some(term) = self.operator(rows, spelling, indices, want, first) {
            return Ok(term);
        }
        if let Some(term) = self.with_overloaded_index(rows, spelling, indices, want, first) {
            return Ok(term);
        }
        if let (Some(want), true, [value]) = (want, self.bare_constructors, &self.values[first..])
            && self.pool.text(name) == "const"
            && let Some(function) = self.constant_function(want, *value)
        {
            return Ok(function);
        }
        let bare = first == self.values.len() && want.is_none() && indices == IndexList(0);
        if bare && meaning == Meaning::None {
            if let Some(term) = self.unqualified(rows, spelling) {
                return Ok(term);
            }
            return self.opaque(i, format!("the sort of {} is not said", self.pool.text(spelling)));
        }
        // A function-valued or array-valued constant applied to arguments.
        if let &[fun] = self.scope.funs(&meaning)
            && want.is_none()
            && self.pool.fun(fun).args.len() != self.values.len() - first
            && let Some(term) = self.apply_function(i, fun, spelling, first)?
        {
            return Ok(term);
        }
        if self.values[first..].iter().any(|&v| self.pool.sort_of(v) == SortId::UNKNOWN) {
            return self.opaque(i, format!("{} of parts that are not understood", self.pool.text(name)));
        }
        if rows.is_empty() && meaning == Meaning::None {
            return self.opaque(i, format!("{} is not known", self.pool.text(spelling)));
        }
        self.no_row(i, &identifier, meaning, first)
    }

    /// A bare `seq.empty`, as cvc5 reads it: of a collection of Bools.
    fn unqualified(&mut self, rows: &[theory::OpId], spelling: Symbol) -> Option<TermId> {
        rows.iter().find_map(|&row| {
            let op = theory::table().op(row);
            let (_, of) = op.result.elements().filter(|_| op.readers.get("cvc5").is_some())?;
            let sort = self.pool.sort_id(of.with_element(SortId::BOOL));
            self.operator(&[row], spelling, IndexList(0), sort, self.values.len())
        })
    }

    /// Says that nothing of this name takes the values from `first` on, and what would be taken.
    fn no_row<T>(&self, i: u32, identifier: &Identifier, meaning: Meaning, first: usize) -> Result<T> {
        let &Identifier { name, spelling, want, .. } = identifier;
        let given: Vec<_> = self.values[first..].iter().map(|&v| self.show(self.pool.sort_of(v))).collect();
        let mut wanted: Vec<String> = Vec::new();
        for &fun in self.scope.funs(&meaning) {
            let fun = self.pool.fun(fun);
            let args: Vec<_> = fun.args.iter().map(|&s| self.show(s)).collect();
            wanted.push(format!("({}) {}", args.join(" "), self.show(fun.result)));
        }
        wanted.extend(rows_of(name).iter().map(|&row| crate::row_text::row_text(theory::table().op(row))));
        let spelled = self.pool.text(spelling);
        let sort = want.map(|w| format!(" as {}", self.show(w))).unwrap_or_default();
        let given = if given.is_empty() {
            format!("{spelled} cannot stand alone{sort}")
        } else {
            format!("{spelled} does not take ({}){sort}", given.join(" "))
        };
        self.fail(i, format!("{given}; expected {}", wanted.join(" or ")))
    }

    fn operator(
        &mut self,
        rows: &[theory::OpId],
        spelling: Symbol,
        indices: IndexList,
        want: Option<SortId>,
        first: usize,
    ) -> Option<TermId> {
        if rows.is_empty() {
            return None;
        }
        let found = if indices == IndexList(0) && want.is_none() {
            self.resolve_again(rows, first)?
        } else {
            self.pool.resolve(rows, indices, want, &self.values[first..]).ok()?
        };
        if found.coerced != 0 {
            for k in first..self.values.len() {
                if found.coerces(k - first) && self.pool.sort_of(self.values[k]) == SortId::INT {
                    self.values[k] = self.pool.coerce(self.values[k]);
                }
            }
        }
        let head = Head::Op(found.op, indices);
        Some(self.pool.add_term(head, spelling, found.sort, &self.values[first..]))
    }

    /// The row for the values from `first` on. What was found last for the same rows and sorts is found again without
    /// a search.
    fn resolve_again(&mut self, rows: &[theory::OpId], first: usize) -> Option<theory::Found> {
        let args = &self.values[first..];
        let mut sorts = [SortId::UNKNOWN; 3];
        for (slot, &arg) in sorts.iter_mut().zip(args) {
            *slot = self.pool.sort_of(arg);
        }
        let alike = args.len() <= 3 || args[3..].iter().all(|&arg| self.pool.sort_of(arg) == sorts[0]);
        let key = (rows.as_ptr() as usize, args.len() as u32, sorts);
        let place = rows[0].0 as usize;
        if alike
            && let Some((known, found)) = self.found.get(place)
            && *known == key
        {
            return Some(*found);
        }
        let found = self.pool.resolve(rows, IndexList(0), None, &self.values[first..]).ok()?;
        if alike && !sorts[..key.1.min(3) as usize].contains(&SortId::UNKNOWN) {
            if place >= self.found.len() {
                let none = theory::Found { op: rows[0], sort: SortId::UNKNOWN, coerced: 0 };
                self.found.resize(place + 1, ((0, u32::MAX, sorts), none));
            }
            self.found[place] = (key, found);
        }
        Some(found)
    }

    /// An operator of any number of arguments, such as `(tuple)`, of none; the parentheses belong to its spelling.
    pub(super) fn of_nothing(&mut self, i: u32, identifier: &Identifier) -> Result<Option<TermId>> {
        let rows = rows_of(identifier.name);
        let any = rows.iter().all(|&row| theory::table().op(row).arity == theory::Arity::Variadic);
        if rows.is_empty() || !any || self.scope.get(identifier.name) != Meaning::None {
            return Ok(None);
        }
        let spelling = self.tidy(i)?;
        Ok(self.operator(rows, spelling, identifier.indices, identifier.want, self.values.len()))
    }

    /// `(_ is C)` where several functions are called C: the one that fits.
    fn with_overloaded_index(
        &mut self,
        rows: &[theory::OpId],
        spelling: Symbol,
        indices: IndexList,
        want: Option<SortId>,
        first: usize,
    ) -> Option<TermId> {
        let &[Index::Text(name)] = self.pool.indices(indices) else { return None };
        let meaning = self.scope.get(name);
        for k in 0..self.scope.funs(&meaning).len() {
            let fun = self.scope.funs(&meaning)[k];
            let indices = self.pool.indices_id(&[Index::Function(fun)]);
            if let Some(term) = self.operator(rows, spelling, indices, want, first) {
                return Some(term);
            }
        }
        None
    }

    /// A function of the script applied to the values from `first` on, if they fit.
    fn call(&mut self, fun: FunId, spelling: Symbol, want: Option<SortId>, first: usize) -> Option<TermId> {
        let (sort, coerced) = self.pool.rank(fun, want, &self.values[first..], self.bare_constructors)?;
        for k in first..self.values.len() {
            if coerced >> (k - first).min(63) & 1 == 1 && self.pool.sort_of(self.values[k]) == SortId::INT {
                self.values[k] = self.pool.coerce(self.values[k]);
            }
        }
        Some(self.pool.add_term(Head::Fun(fun), spelling, sort, &self.values[first..]))
    }

    /// `(f x)` where f is a constant that is a function or array, or takes more arguments than are given.
    fn apply_function(
        &mut self,
        i: u32,
        fun: FunId,
        spelling: Symbol,
        first: usize,
    ) -> Result<Option<TermId>> {
        let decl = self.pool.fun(fun);
        if !decl.type_params.is_empty() {
            return Ok(None);
        }
        let args = self.values[first..].to_vec();
        // The function itself is the value that is applied.
        let (mut sorts, result) = (decl.args.clone(), decl.result);
        let sort = if sorts.is_empty() {
            Some(result)
        } else {
            sorts.push(result);
            let list = self.pool.sort_list_id(&sorts);
            self.pool.sort_id(Sort::Function(list))
        };
        let Some(sort) = sort else { return Ok(None) };
        let function = self.pool.add_term(Head::Fun(fun), spelling, sort, &[]);
        if args.is_empty() { Ok(Some(function)) } else { self.apply(i, function, &args).map(Some) }
    }

    /// A term applied to arguments: its sort is a function or, as z3 has it, an array.
    pub(super) fn apply(&mut self, i: u32, function: TermId, args: &[TermId]) -> Result<TermId> {
        let sort = self.pool.sort_of(function);
        if sort == SortId::UNKNOWN {
            return self.opaque(i, "a function that is not understood".to_owned());
        }
        let mut sorts = match self.pool.sort(sort) {
            Sort::Function(list) => self.pool.sort_list(list).to_vec(),
            Sort::Array(index, element) => match self.pool.sort(index) {
                Sort::Tuple(list) => {
                    let mut sorts = self.pool.sort_list(list).to_vec();
                    sorts.push(element);
                    sorts
                }
                _ => vec![index, element],
            },
            _ => {
                return self.fail(
                    i,
                    format!(
                        "expected a function or an array before arguments, not a term of sort {}",
                        self.show(sort)
                    ),
                );
            }
        };
        // Curried functions take the arguments of their results too.
        while args.len() >= sorts.len() {
            let last = sorts.pop().expect("a function sort has a result");
            match self.pool.sort(last) {
                Sort::Function(list) => sorts.extend_from_slice(self.pool.sort_list(list)),
                Sort::Array(index, element) => sorts.extend([index, element]),
                _ => return self.fail(i, "expected fewer arguments: this function takes no more"),
            }
        }
        let mut all = vec![function];
        for (&arg, &wanted) in args.iter().zip(&sorts) {
            let given = self.pool.sort_of(arg);
            if given == SortId::INT && wanted == SortId::REAL {
                all.push(self.pool.coerce(arg));
            } else if given == wanted || given == SortId::UNKNOWN || self.pool.interchangeable(given, wanted)
            {
                all.push(arg);
            } else {
                let message =
                    format!("expected a term of sort {}, not {}", self.show(wanted), self.show(given));
                return self.fail(i, message);
            }
        }
        let left = &sorts[args.len()..];
        let sort = if let &[result] = left {
            Some(result)
        } else {
            let list = self.pool.sort_list_id(left);
            self.pool.sort_id(Sort::Function(list))
        };
        let Some(sort) = sort else { return self.fail(i, TOO_LARGE) };
        Ok(self.pool.add_term(Head::Apply, word::NONE, sort, &all))
    }

    /// The sort of a `lambda`, unknown if its body's is.
    pub(super) fn lambda_sort(&mut self, binders: BinderList, body: SortId) -> Option<SortId> {
        if body == SortId::UNKNOWN {
            return Some(SortId::UNKNOWN);
        }
        let mut sorts: Vec<_> = self.pool.binders(binders).iter().map(|b| b.sort).collect();
        sorts.push(body);
        let list = self.pool.sort_list_id(&sorts);
        self.pool.sort_id(Sort::Function(list))
    }

    /// z3 prints `((as const (-> Int Int)) 4)` in models: the function that is the same value everywhere.
    fn constant_function(&mut self, sort: SortId, value: TermId) -> Option<TermId> {
        let Sort::Function(list) = self.pool.sort(sort) else { return None };
        let &[index, ..] = self.pool.sort_list(list) else { return None };
        let binder = self.pool.binder("x!0", index);
        let binders = self.pool.binders_id(&[binder]);
        let function = self.lambda_sort(binders, self.pool.sort_of(value));
        let fits = function == Some(sort);
        fits.then(|| self.pool.add_term(Head::Lambda(binders), word::NONE, sort, &[value]))
    }

    /// The sort of several terms that must have one, Ints giving way to Reals.
    pub(super) fn same_sort(&mut self, terms: &mut [TermId]) -> Option<SortId> {
        let sorts: Vec<_> = terms.iter().map(|&t| self.pool.sort_of(t)).collect();
        let sort = sorts.iter().copied().find(|&s| s != SortId::INT && s != SortId::UNKNOWN);
        let sort =
            sort.or_else(|| sorts.iter().copied().find(|&s| s == SortId::INT)).unwrap_or(SortId::UNKNOWN);
        for (term, given) in terms.iter_mut().zip(sorts) {
            if given == SortId::INT && sort == SortId::REAL {
                *term = self.pool.coerce(*term);
            } else if given != sort && given != SortId::UNKNOWN && !self.pool.interchangeable(given, sort) {
                return None;
            }
        }
        Some(sort)
    }
}
