//! Building terms: only well-sorted ones, each spelled as the standard spells it.

mod parameters;
mod sorts;
mod value;

use std::fmt::Write;

use crate::Pool;
use crate::sort::{Sort, SortId};
use crate::symbol::{Symbol, spelled};
use crate::term::{Binder, FunId, Head, Index, IndexList, TermId};
use crate::theory::{NoRow, OpId, is_unmistakable, table};
use crate::vocabulary::spelled_alone;
use crate::write::sort_text;
pub(crate) use parameters::{substitute, unify};

impl Pool {
    /// An operator applied to terms. `want` is the sort of the whole, for what the arguments do not tell:
    /// `(as seq.empty (Seq Int))`, `((as const (Array Int Int)) 0)`. Where they do tell, it is compared.
    ///
    /// A name that a script declares itself hides the operator of that name when the term is read again.
    pub fn apply(
        &mut self,
        op: OpId,
        indices: &[Index],
        args: &[TermId],
        want: Option<SortId>,
    ) -> Result<TermId, NoRow> {
        self.apply_row(&[op], indices, args, want)
    }

    /// The first operator of that name that takes these terms, applied to them.
    pub fn apply_named(
        &mut self,
        name: &str,
        indices: &[Index],
        args: &[TermId],
        want: Option<SortId>,
    ) -> Result<TermId, NoRow> {
        self.apply_row(table().named(name), indices, args, want)
    }

    /// The same for a shape that [`Shape::draw`](crate::theory::Shape::draw) has found: an operator with indices and
    /// arguments of just these sorts gives a term of the sort `result`. Where the name has other meanings, the first
    /// that fits is taken.
    pub fn apply_shape(
        &mut self,
        op: OpId,
        indices: &[Index],
        args: &[TermId],
        result: SortId,
    ) -> Result<TermId, NoRow> {
        match spelled_alone(op) {
            Some(spelling) if is_unmistakable(op) => {
                let made = self.add_term(Head::Op(op, IndexList(0)), spelling, result, args);
                debug_assert_eq!(self.apply_named(table().op(op).name, indices, args, None), Ok(made));
                Ok(made)
            }
            _ => self.apply_named(table().op(op).name, indices, args, None),
        }
    }

    fn apply_row(
        &mut self,
        rows: &[OpId],
        indices: &[Index],
        args: &[TermId],
        want: Option<SortId>,
    ) -> Result<TermId, NoRow> {
        let list = if indices.is_empty() { IndexList(0) } else { self.indices_id(indices) };
        let (found, qualified) = match (self.resolve(rows, list, None, args), want) {
            (Ok(found), _) => (found, false),
            (Err(NoRow), Some(_)) => (self.resolve(rows, list, want, args)?, true),
            (Err(NoRow), None) => return Err(NoRow),
        };
        if want.is_some_and(|want| want != found.sort) {
            return Err(NoRow);
        }
        let spelling = match spelled_alone(found.op) {
            Some(known) if indices.is_empty() && !qualified => known,
            _ => {
                let mut spelling = self.spelled_row(found.op, indices);
                if qualified {
                    spelling = format!("(as {spelling} {})", sort_text(self, found.sort));
                }
                self.intern(&spelling)
            }
        };
        let head = Head::Op(found.op, list);
        if found.coerced == 0 {
            return Ok(self.add_term(head, spelling, found.sort, args));
        }
        let args: Vec<_> = args
            .iter()
            .enumerate()
            .map(|(i, &arg)| {
                let coerced = found.coerces(i) && self.sort_of(arg) == SortId::INT;
                if coerced { self.coerce(arg) } else { arg }
            })
            .collect();
        Ok(self.add_term(head, spelling, found.sort, &args))
    }

    /// A function of the script applied to terms; `want` as in [`Pool::apply`], for `(as nil (List Int))`.
    pub fn call(&mut self, fun: FunId, args: &[TermId], want: Option<SortId>) -> Result<TermId, NoRow> {
        let (found, qualified) = match (self.rank(fun, None, args, false), want) {
            (Some(found), _) => (found, false),
            (None, Some(_)) => (self.rank(fun, want, args, false).ok_or(NoRow)?, true),
            (None, None) => return Err(NoRow),
        };
        let (sort, coerced) = found;
        if want.is_some_and(|want| want != sort) {
            return Err(NoRow);
        }
        let args: Vec<_> = args
            .iter()
            .enumerate()
            .map(|(i, &arg)| {
                let coerced = coerced >> i.min(63) & 1 == 1 && self.sort_of(arg) == SortId::INT;
                if coerced { self.coerce(arg) } else { arg }
            })
            .collect();
        let mut spelling = self.fun(fun).spelling;
        if qualified {
            let text = format!("(as {} {})", self.text(spelling), sort_text(self, sort));
            spelling = self.intern(&text);
        }
        Ok(self.add_term(Head::Fun(fun), spelling, sort, &args))
    }

    /// A variable for a binder to bind.
    pub fn binder(&mut self, name: &str, sort: SortId) -> Binder {
        let (spelling, sort_spelling) = (spelled(name).into_owned(), sort_text(self, sort));
        Binder {
            name: self.intern(name),
            spelling: self.intern(&spelling),
            sort,
            sort_spelling: self.intern(&sort_spelling),
        }
    }

    /// A bound variable where it is used.
    pub fn variable(&mut self, binder: Binder) -> TermId {
        self.add_term(Head::Variable(binder.name), binder.spelling, binder.sort, &[])
    }

    /// `(lambda ((x X) ..) body)`; none if its sort would be nested too deeply.
    pub fn lambda(&mut self, binders: &[Binder], body: TermId) -> Option<TermId> {
        let mut sorts: Vec<_> = binders.iter().map(|b| b.sort).collect();
        sorts.push(self.sort_of(body));
        let list = self.sort_list_id(&sorts);
        let sort = self.sort_id(Sort::Function(list))?;
        let binders = self.binders_id(binders);
        Some(self.add_term(Head::Lambda(binders), crate::symbol::word::NONE, sort, &[body]))
    }

    /// `(forall ((x X) ..) body)`, or `exists`; none without variables or if the body is no formula.
    pub fn quantified(&mut self, forall: bool, binders: &[Binder], body: TermId) -> Option<TermId> {
        if binders.is_empty() || self.sort_of(body) != SortId::BOOL {
            return None;
        }
        let list = self.binders_id(binders);
        let head = if forall { Head::Forall(list) } else { Head::Exists(list) };
        Some(self.add_term(head, crate::symbol::word::NONE, SortId::BOOL, &[body]))
    }

    /// `(let ((x t) ..) body)`; none if there are not as many terms as variables, of their sorts, or a name is bound
    /// twice.
    pub fn let_in(&mut self, binders: &[Binder], terms: &[TermId], body: TermId) -> Option<TermId> {
        let fits = |(binder, &term): (&Binder, &TermId)| self.sort_of(term) == binder.sort;
        let twice = |(i, binder): (usize, &Binder)| binders[..i].iter().any(|b| b.name == binder.name);
        if binders.is_empty()
            || binders.len() != terms.len()
            || !binders.iter().zip(terms).all(fits)
            || binders.iter().enumerate().any(twice)
        {
            return None;
        }
        let bare = |binder: &Binder| Binder { sort_spelling: crate::symbol::word::NONE, ..*binder };
        let bare: Vec<_> = binders.iter().map(bare).collect();
        let list = self.binders_id(&bare);
        let args: Vec<_> = terms.iter().copied().chain([body]).collect();
        let sort = self.sort_of(body);
        Some(self.add_term(Head::Let(list), crate::symbol::word::NONE, sort, &args))
    }

    /// `exists` for a `forall` and `forall` for an `exists`, with the same variables and body; none of other terms.
    pub fn dual(&mut self, term: TermId) -> Option<TermId> {
        let node = *self.node(term);
        let head = match node.head {
            Head::Forall(binders) => Head::Exists(binders),
            Head::Exists(binders) => Head::Forall(binders),
            _ => return None,
        };
        let body = *self.args(term).first()?;
        Some(self.add_term(head, node.name, node.sort, &[body]))
    }

    /// The last function that is spelled so.
    pub fn function_spelled(&self, spelling: Symbol) -> Option<FunId> {
        (0..self.fun_count()).rev().map(FunId).find(|&fun| self.fun(fun).spelling == spelling)
    }

    /// The sorts of a constructor's arguments in a value of this sort.
    pub fn field_sorts(&mut self, constructor: FunId, sort: SortId) -> Option<Vec<SortId>> {
        let mut binding = Vec::new();
        let fun = self.fun(constructor);
        if !unify(self, fun.result, sort, &mut binding) {
            return None;
        }
        let args = fun.args.clone();
        args.into_iter().map(|s| substitute(self, s, &binding)).collect()
    }

    /// The sort of a function of the script applied to these terms, and which of them are Ints where Reals are
    /// wanted (bit i for argument i, bit 63 for all from 63 on); none if they do not fit.
    pub(crate) fn rank(
        &mut self,
        fun: FunId,
        want: Option<SortId>,
        args: &[TermId],
        bare: bool,
    ) -> Option<(SortId, u64)> {
        let decl = self.fun(fun);
        if decl.args.len() != args.len() {
            return None;
        }
        let sort = decl.result;
        let mut coerced = 0u64;
        if decl.type_params.is_empty() {
            for (k, (&arg, &wanted)) in args.iter().zip(&decl.args).enumerate() {
                let given = self.sort_of(arg);
                if given == wanted || given == SortId::UNKNOWN {
                    continue;
                }
                if given == SortId::INT && wanted == SortId::REAL {
                    coerced |= 1 << k.min(63);
                } else if !self.interchangeable(given, wanted) {
                    return None;
                }
            }
            return want.is_none_or(|w| w == sort).then_some((sort, coerced));
        }
        let mut binding = Vec::new();
        if let Some(want) = want
            && !unify(self, sort, want, &mut binding)
        {
            return None;
        }
        for (&arg, &wanted) in args.iter().zip(&decl.args) {
            if !unify(self, wanted, self.sort_of(arg), &mut binding) {
                return None;
            }
        }
        let params = decl.type_params.iter().copied();
        let unbound: Vec<_> = params.filter(|p| !binding.iter().any(|(name, _)| name == p)).collect();
        if !unbound.is_empty() && !bare {
            return None;
        }
        // What is not said of a bare `nil` is unknown.
        binding.extend(unbound.into_iter().map(|p| (p, SortId::UNKNOWN)));
        Some((substitute(self, sort, &binding)?, 0))
    }

    /// An operator with its indices, as the standard writes it.
    fn spelled_row(&self, op: OpId, indices: &[Index]) -> String {
        let name = table().op(op).name;
        let show = |index: &Index| match *index {
            Index::Number(n) => n.to_string(),
            Index::Text(symbol) => self.text(symbol).to_owned(),
            Index::Function(fun) => self.text(self.fun(fun).spelling).to_owned(),
        };
        if let ("bvX", [value, width]) = (name, indices) {
            return format!("(_ bv{} {})", show(value), show(width));
        }
        let mut text = spelled(name).into_owned();
        if !indices.is_empty() {
            text = format!("(_ {text}");
            for index in indices {
                write!(text, " {}", show(index)).expect("a String takes all");
            }
            text.push(')');
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::read;
    use crate::script::What;
    use crate::write_term;

    const PRELUDE: &str = "(declare-datatype Option (par (X) ((none) (some (val X)))))
        (declare-fun f (Real) Real)";

    fn pool() -> Pool {
        read(PRELUDE.as_bytes()).expect("well-sorted").pool
    }

    fn int(pool: &mut Pool, n: i32) -> TermId {
        pool.value(SortId::INT, &crate::value::Value::Int(n.into())).expect("small")
    }

    fn fun(pool: &Pool, name: &str) -> FunId {
        (0..pool.fun_count()).map(FunId).find(|&f| pool.text(pool.fun(f).name) == name).expect("declared")
    }

    /// What is built reads back as the same node.
    fn assert_reads_back(pool: &Pool, term: TermId, expected: &str) {
        let text = write_term(pool, term);
        assert_eq!(text, expected);
        let script = read(format!("{PRELUDE}(simplify {text})").as_bytes()).expect("well-sorted");
        let Some(What::Query(_, again, _)) = script.commands.last().map(|c| c.what) else { unreachable!() };
        let shape = |pool: &Pool, term: TermId| match pool.node(term).head {
            Head::Op(op, indices) => format!("{op:?} {:?}", pool.indices(indices)),
            head => format!("{head:?}"),
        };
        assert_eq!(shape(&script.pool, again), shape(pool, term), "{text}");
        assert_eq!(sort_text(&script.pool, script.pool.sort_of(again)), sort_text(pool, pool.sort_of(term)));
    }

    #[test]
    fn operators_are_spelled_as_the_standard_has_them() {
        let mut pool = pool();
        let (one, two) = (int(&mut pool, 1), int(&mut pool, 2));
        let seq = pool.sort_id(Sort::Seq(SortId::INT));
        let array = pool.sort_id(Sort::Array(SortId::INT, SortId::INT));
        let n = Index::Number;
        type Row<'a> = (&'a str, &'a [Index], &'a [TermId], Option<SortId>, Option<&'a str>);
        let rows: &[Row] = &[
            ("+", &[], &[one, two, one], None, Some("(+ 1 2 1)")),
            ("+", &[], &[one, two], Some(SortId::INT), Some("(+ 1 2)")),
            ("+", &[], &[one, two], Some(SortId::REAL), None),
            ("/", &[], &[one, two], None, Some("(/ 1 2)")),
            ("not", &[], &[one], None, None),
            ("seq.empty", &[], &[], seq, Some("(as seq.empty (Seq Int))")),
            ("seq.empty", &[], &[], None, None),
            ("const", &[], &[one], array, Some("((as const (Array Int Int)) 1)")),
            ("seq.unit", &[], &[one], seq, Some("(seq.unit 1)")),
            ("bvX", &[n(5), n(8)], &[], None, Some("(_ bv5 8)")),
            ("int_to_bv", &[n(8)], &[one], None, Some("((_ int_to_bv 8) 1)")),
            ("int_to_bv", &[], &[one], None, None),
        ];
        for (name, indices, args, want, expected) in rows {
            let term = pool.apply_named(name, indices, args, *want);
            match expected {
                Some(text) => assert_reads_back(&pool, term.expect(name), text),
                None => assert_eq!(term, Err(NoRow), "{name}"),
            }
        }
    }

    #[test]
    fn functions_are_called() {
        let option =
            read(format!("{PRELUDE}(declare-const o (Option Int))").as_bytes()).expect("well-sorted");
        let mut pool = option.pool;
        let sort = pool.fun(fun(&pool, "o")).result;
        let (none, some, f) = (fun(&pool, "none"), fun(&pool, "some"), fun(&pool, "f"));
        let one = int(&mut pool, 1);
        assert_eq!(pool.call(none, &[], None), Err(NoRow), "of what sort?");
        let term = pool.call(none, &[], Some(sort)).expect("told");
        assert_reads_back(&pool, term, "(as none (Option Int))");
        let term = pool.call(some, &[one], Some(sort)).expect("fits");
        assert_reads_back(&pool, term, "(some 1)");
        let term = pool.call(f, &[one], None).expect("an Int stands for a Real");
        assert_reads_back(&pool, term, "(f 1)");
        assert_eq!(pool.call(f, &[term, term], None), Err(NoRow));
        assert_eq!(pool.field_sorts(some, sort), Some(vec![SortId::INT]));
    }

    #[test]
    fn functions_are_made() {
        let mut pool = pool();
        let x = pool.binder("x y", SortId::INT);
        let variable = pool.variable(x);
        let body = pool.apply_named("<", &[], &[variable, variable], None).expect("fits");
        let term = pool.lambda(&[x], body).expect("shallow");
        assert_eq!(write_term(&pool, term), "(lambda ((|x y| Int)) (< |x y| |x y|))");
        assert_eq!(sort_text(&pool, pool.sort_of(term)), "(-> Int Bool)");
    }
}
