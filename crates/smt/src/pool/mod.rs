//! The pool of sorts, functions and terms. Equal ones are stored once, and each has a small number.

mod list;
mod sort;

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::slices::{Rows, Slices};
use crate::sort::{SortDecl, SortDeclId, SortDef, SortId};
use crate::symbol::Symbol;
use crate::term::{
    Attr, AttrList, Binder, BinderList, Case, CaseList, Fun, FunId, FunKind, Head, Index, IndexList, Node,
    TermId, TermList,
};
use crate::terms::Terms;
pub use sort::MAX_SORT_DEPTH;
use sort::SortNode;

/// Makes [`Pool`] and [`Base`] of a list of arenas, so that each arena is named once.
macro_rules! arenas {
    ($($name:ident: $arena:ty,)+) => {
        /// Sorts, functions and terms, each by a small number. Only well-sorted terms get in.
        ///
        /// A pool made by [`Pool::over`] shares everything of its base and adds its own behind it.
        ///
        /// ```
        /// use smt::{Pool, SortId};
        ///
        /// let mut pool = Pool::new();
        /// let one = pool.value(SortId::INT, &smt::value::Value::Int(1.into())).expect("small");
        /// let sum = pool.apply_named("+", &[], &[one, one], None).expect("well-sorted");
        /// assert_eq!(smt::write_term(&pool, sum), "(+ 1 1)");
        /// assert!(pool.apply_named("and", &[], &[one, one], None).is_err());
        /// ```
        #[derive(Clone, Debug)]
        pub struct Pool {
            $($name: $arena,)+
            /// Bodies of functions that were given another one in this layer.
            bodies: FxHashMap<FunId, TermId>,
            /// Whether there is one of z3's finite sets among the sorts.
            finite_sets: bool,
            /// The datatype `List`, if it is used without having been declared.
            list: Option<SortDeclId>,
        }

        /// A pool that no longer grows and is shared.
        #[derive(Debug)]
        pub struct Base {
            $($name: Arc<$arena>,)+
            bodies: FxHashMap<FunId, TermId>,
            finite_sets: bool,
            list: Option<SortDeclId>,
        }

        impl Pool {
            /// A pool without anything.
            pub(crate) fn empty() -> Self {
                Pool { $($name: <$arena>::new(),)+ bodies: FxHashMap::default(), finite_sets: false, list: None }
            }

            /// A pool that shares everything of `base`.
            pub fn over(base: &Base) -> Self {
                Pool { $($name: <$arena>::over(&base.$name),)+ bodies: base.bodies.clone(), finite_sets: base.finite_sets, list: base.list }
            }

            /// Ends the growth of this pool, so that other pools can extend it.
            pub fn freeze(self) -> Base {
                Base { $($name: Arc::new(self.$name),)+ bodies: self.bodies, finite_sets: self.finite_sets, list: self.list }
            }
        }
    };
}

arenas! {
    text: Slices<u8>,
    sorts: Slices<SortNode>,
    sort_lists: Slices<SortId>,
    sort_decls: Rows<SortDecl>,
    sort_defs: Rows<SortDef>,
    funs: Rows<Fun>,
    indices: Slices<Index>,
    binders: Slices<Binder>,
    cases: Slices<Case>,
    attrs: Slices<Attr>,
    term_lists: Slices<TermId>,
    terms: Terms,
}

impl Pool {
    /// A pool of these words, the fixed sorts and the empty lists. Words and sorts are numbered in order.
    pub(crate) fn with_words<'w>(words: impl Iterator<Item = &'w str>) -> Self {
        let mut pool = Pool::empty();
        for word in words {
            pool.intern(word);
        }
        for sort in SortId::FIXED {
            pool.sorts.intern(&[SortNode::plain(sort)]);
        }
        pool.sort_lists.intern(&[]);
        pool.indices.intern(&[]);
        pool.binders.intern(&[]);
        pool
    }

    /// Makes room for what a source of so many bytes is likely to hold.
    pub(crate) fn reserve_for_source(&mut self, bytes: usize) {
        self.text.reserve(bytes / 64, bytes / 16);
        self.terms.reserve(bytes / 24);
    }

    /// Makes room for more symbols.
    pub(crate) fn reserve_words(&mut self, words: usize) {
        self.text.reserve(words, 0);
    }

    /// How many symbols there are.
    pub(crate) fn symbol_count(&self) -> u32 {
        self.text.len()
    }

    /// The text of a symbol.
    #[inline]
    pub fn text(&self, symbol: Symbol) -> &str {
        std::str::from_utf8(self.bytes(symbol)).expect("only text is interned")
    }

    /// The text of a symbol, as bytes.
    #[inline]
    pub fn bytes(&self, symbol: Symbol) -> &[u8] {
        self.text.get(symbol.0)
    }

    /// The symbol of `text`.
    #[inline]
    pub fn intern(&mut self, text: &str) -> Symbol {
        Symbol(self.text.intern(text.as_bytes()))
    }

    /// The symbol of a piece of text given as bytes.
    #[inline]
    pub(crate) fn intern_bytes(&mut self, text: &[u8]) -> Symbol {
        Symbol(self.text.intern(text))
    }

    /// The symbol of `text`, if it has one already.
    pub fn find(&self, text: &str) -> Option<Symbol> {
        self.text.find(text.as_bytes()).map(Symbol)
    }

    /// A function of the script.
    #[inline]
    pub fn fun(&self, id: FunId) -> &Fun {
        self.funs.get(id.0)
    }

    /// The number of functions.
    pub fn fun_count(&self) -> u32 {
        self.funs.len()
    }

    /// All functions in the order in which they were added.
    pub fn functions(&self) -> impl Iterator<Item = FunId> + use<> {
        (0..self.fun_count()).map(FunId)
    }

    /// Adds a function.
    pub fn add_fun(&mut self, fun: Fun) -> FunId {
        FunId(self.funs.push(fun))
    }

    /// The variables and the body of a function that has one.
    pub fn body(&self, id: FunId) -> Option<(BinderList, TermId)> {
        let (binders, body) = match self.fun(id).kind {
            FunKind::Defined(binders, body) => (binders, Some(body)),
            FunKind::Recursive(binders) => (binders, None),
            FunKind::Named(body) => (BinderList(0), Some(body)),
            _ => return None,
        };
        Some((binders, self.bodies.get(&id).copied().or(body)?))
    }

    /// Gives a function another body, of the same sort.
    pub(crate) fn set_body(&mut self, id: FunId, body: TermId) {
        self.bodies.insert(id, body);
    }

    /// The indices of an identifier.
    #[inline]
    pub fn indices(&self, list: IndexList) -> &[Index] {
        self.indices.get(list.0)
    }

    /// The number of these indices.
    pub fn indices_id(&mut self, indices: &[Index]) -> IndexList {
        IndexList(self.indices.intern(indices))
    }

    /// Bound variables.
    pub fn binders(&self, list: BinderList) -> &[Binder] {
        self.binders.get(list.0)
    }

    /// The number of these bound variables.
    pub fn binders_id(&mut self, binders: &[Binder]) -> BinderList {
        BinderList(self.binders.intern(binders))
    }

    /// Cases of a `match`.
    pub fn cases(&self, list: CaseList) -> &[Case] {
        self.cases.get(list.0)
    }

    /// The number of these cases.
    pub fn cases_id(&mut self, cases: &[Case]) -> CaseList {
        CaseList(self.cases.intern(cases))
    }

    /// Attributes of an annotated term.
    pub fn attrs(&self, list: AttrList) -> &[Attr] {
        self.attrs.get(list.0)
    }

    /// The number of these attributes.
    pub fn attrs_id(&mut self, attrs: &[Attr]) -> AttrList {
        AttrList(self.attrs.intern(attrs))
    }

    /// The terms of a list.
    pub fn terms(&self, list: TermList) -> &[TermId] {
        self.term_lists.get(list.0)
    }

    /// The number of a list of terms.
    pub fn term_list_id(&mut self, terms: &[TermId]) -> TermList {
        TermList(self.term_lists.intern(terms))
    }

    /// The node of a term.
    #[inline]
    pub fn node(&self, id: TermId) -> &Node {
        self.terms.node(id)
    }

    /// The arguments of a term.
    #[inline]
    pub fn args(&self, id: TermId) -> &[TermId] {
        self.terms.args(id)
    }

    /// The sort of a term.
    #[inline]
    pub fn sort_of(&self, id: TermId) -> SortId {
        self.terms.node(id).sort
    }

    /// The number of terms.
    pub fn term_count(&self) -> u32 {
        self.terms.len()
    }

    /// All terms, each after its arguments.
    pub fn all_terms(&self) -> impl Iterator<Item = TermId> + use<> {
        (0..self.term_count()).map(TermId)
    }

    /// The terms from this number on, each after its arguments.
    pub fn terms_from(&self, number: usize) -> impl Iterator<Item = TermId> + use<> {
        (number as u32..self.term_count()).map(TermId)
    }

    /// The number of a node. The caller has checked its sort.
    #[inline]
    pub(crate) fn add_term(&mut self, head: Head, name: Symbol, sort: SortId, args: &[TermId]) -> TermId {
        self.terms.intern(head, name, sort, args)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::symbol::word;

    #[test]
    fn words_have_their_numbers() {
        let pool = Pool::new();
        for (i, text) in word::ALL.iter().enumerate() {
            assert_eq!(pool.find(text), Some(Symbol(i as u32)), "{text}");
        }
    }

    #[test]
    fn fixed_sorts_have_their_numbers() {
        let mut pool = Pool::new();
        for (i, sort) in SortId::FIXED.into_iter().enumerate() {
            assert_eq!(pool.sort_id(sort), Some(SortId(i as u32)));
        }
    }
}
