//! Where sorts, functions and terms live: every equal one once, each by a small number.

use std::sync::{Arc, LazyLock};

use rustc_hash::FxHashMap;

use crate::script::TermList;
use crate::slices::{Rows, Slices};
use crate::sort::{Sort, SortDecl, SortDeclId, SortDef, SortDefId, SortId, SortList};
use crate::symbol::{Symbol, spelled, word};
use crate::term::{
    Attr, AttrList, Binder, BinderList, Case, CaseList, Fun, FunId, FunKind, Head, Index, IndexList, Node,
    TermId,
};
use crate::terms::Terms;
use crate::theory::{self, OpId};

/// Sorts nested deeper than this are refused, so that walks over sorts may be plain recursion.
pub const MAX_SORT_DEPTH: u16 = 200;

/// Sorts written with more parts than this are refused: definitions of sorts can double their size each time, and
/// every use of one may look at all its parts.
const MAX_SORT_SIZE: u32 = 1 << 10;

/// No more sorts than this: a few bytes of text can make a thousand.
const MAX_SORTS: u32 = 1 << 21;

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
        }

        /// A pool that no longer grows and is shared.
        #[derive(Debug)]
        pub struct Base {
            $($name: Arc<$arena>,)+
            bodies: FxHashMap<FunId, TermId>,
        }

        impl Pool {
            /// A pool without anything.
            fn empty() -> Self {
                Pool { $($name: <$arena>::new(),)+ bodies: FxHashMap::default() }
            }

            /// A pool that shares everything of `base`.
            pub fn over(base: &Base) -> Self {
                Pool { $($name: <$arena>::over(&base.$name),)+ bodies: base.bodies.clone() }
            }

            /// Ends the growth of this pool, so that others can stand on it.
            pub fn freeze(self) -> Base {
                Base { $($name: Arc::new(self.$name),)+ bodies: self.bodies }
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

/// A sort, how deep it is nested and how many parts it has, both functions of the sort.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct SortNode {
    sort: Sort,
    depth: u16,
    size: u32,
}

impl SortNode {
    fn plain(sort: Sort) -> Self {
        SortNode { sort, depth: 1, size: 1 }
    }
}

static START: LazyLock<Pool> = LazyLock::new(|| {
    let mut pool = Pool::empty();
    for text in word::ALL {
        pool.intern(text);
    }
    for name in theory::table().names() {
        pool.intern(name);
    }
    for sort in SortId::FIXED {
        pool.sorts.intern(&[SortNode::plain(sort)]);
    }
    pool.sort_lists.intern(&[]);
    pool.indices.intern(&[]);
    pool.binders.intern(&[]);
    pool
});

impl Pool {
    /// A pool that holds the words of the language and nothing of any script.
    pub fn new() -> Self {
        START.clone()
    }

    /// A new pool with room for what a source of so many bytes is likely to hold.
    pub(crate) fn for_source(bytes: usize) -> Self {
        let mut pool = START.clone();
        pool.text.reserve(bytes / 64, bytes / 16);
        pool.terms.reserve(bytes / 24);
        pool
    }

    // ---- text

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

    // ---- sorts

    /// What a sort is.
    #[inline]
    pub fn sort(&self, id: SortId) -> Sort {
        self.sorts.get(id.0)[0].sort
    }

    /// The sort's number. Sorts nested deeper than [`MAX_SORT_DEPTH`], or too large, have none; nor do
    /// more than two million sorts.
    pub fn sort_id(&mut self, sort: Sort) -> Option<SortId> {
        let sort = match sort {
            // (-> A (-> B C)) is (-> A B C).
            Sort::Function(list) => {
                let mut sorts = self.sort_list(list).to_vec();
                let last = sorts.pop()?;
                match self.sort(last) {
                    Sort::Function(rest) => sorts.extend_from_slice(self.sort_list(rest)),
                    _ => sorts.push(last),
                }
                Sort::Function(self.sort_list_id(&sorts))
            }
            // z3's strings are sequences of characters.
            Sort::Seq(SortId::CHAR) => Sort::String,
            _ => sort,
        };
        let (depth, size) = match sort {
            Sort::Array(a, b) => self.extent(&[a, b]),
            Sort::Seq(a) | Sort::Set(a) | Sort::Bag(a) => self.extent(&[a]),
            Sort::Tuple(list) | Sort::Function(list) | Sort::Declared(_, list) => {
                self.extent(self.sort_list(list))
            }
            _ => (1, 1),
        };
        let fits = depth <= MAX_SORT_DEPTH && size <= MAX_SORT_SIZE && self.sorts.len() < MAX_SORTS;
        fits.then(|| SortId(self.sorts.intern(&[SortNode { sort, depth, size }])))
    }

    /// Depth and size of a sort with these parts.
    fn extent(&self, parts: &[SortId]) -> (u16, u32) {
        parts
            .iter()
            .map(|id| self.sorts.get(id.0)[0])
            .fold((1, 1), |(depth, size), part| (depth.max(part.depth + 1), size.saturating_add(part.size)))
    }

    /// The number of `(_ BitVec width)`.
    pub fn bitvec(&mut self, width: u32) -> SortId {
        SortId(self.sorts.intern(&[SortNode::plain(Sort::BitVec(width))]))
    }

    /// The sorts of a list.
    #[inline]
    pub fn sort_list(&self, list: SortList) -> &[SortId] {
        self.sort_lists.get(list.0)
    }

    /// The number of a list of sorts.
    pub fn sort_list_id(&mut self, sorts: &[SortId]) -> SortList {
        SortList(self.sort_lists.intern(sorts))
    }

    /// A declared sort.
    pub fn sort_decl(&self, id: SortDeclId) -> &SortDecl {
        self.sort_decls.get(id.0)
    }

    /// So many declared sorts from this one on, as one command declares them.
    pub fn sort_decls_from(&self, first: SortDeclId, count: u32) -> impl Iterator<Item = SortDeclId> + use<> {
        (first.0..first.0 + count).map(SortDeclId)
    }

    /// Adds a declared sort.
    pub fn add_sort_decl(&mut self, decl: SortDecl) -> SortDeclId {
        SortDeclId(self.sort_decls.push(decl))
    }

    /// A defined sort.
    pub fn sort_def(&self, id: SortDefId) -> &SortDef {
        self.sort_defs.get(id.0)
    }

    /// Adds a defined sort.
    pub fn add_sort_def(&mut self, def: SortDef) -> SortDefId {
        SortDefId(self.sort_defs.push(def))
    }

    /// A declared sort of this layer, to be completed.
    pub(crate) fn sort_decl_mut(&mut self, id: SortDeclId) -> Option<&mut SortDecl> {
        self.sort_decls.get_mut(id.0)
    }

    // ---- functions

    /// A function of the script.
    #[inline]
    pub fn fun(&self, id: FunId) -> &Fun {
        self.funs.get(id.0)
    }

    /// How many functions there are.
    pub fn fun_count(&self) -> u32 {
        self.funs.len()
    }

    /// All functions.
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

    // ---- parts of terms

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

    // ---- terms

    /// A term's node.
    #[inline]
    pub fn node(&self, id: TermId) -> &Node {
        self.terms.node(id)
    }

    /// A term's arguments.
    #[inline]
    pub fn args(&self, id: TermId) -> &[TermId] {
        self.terms.args(id)
    }

    /// A term's sort.
    #[inline]
    pub fn sort_of(&self, id: TermId) -> SortId {
        self.terms.node(id).sort
    }

    /// How many terms there are.
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

/// The rows of the operators that a symbol names.
#[inline]
pub(crate) fn rows_of(symbol: Symbol) -> &'static [OpId] {
    static ROWS: LazyLock<Vec<&'static [OpId]>> = LazyLock::new(|| {
        (0..START.text.len()).map(|i| theory::table().named(START.text(Symbol(i)))).collect()
    });
    ROWS.get(symbol.0 as usize).copied().unwrap_or(&[])
}

/// How an operator without indices is spelled, if that is in every pool from the start.
#[inline]
pub(crate) fn spelled_alone(op: OpId) -> Option<Symbol> {
    static SPELLED: LazyLock<Vec<Option<Symbol>>> = LazyLock::new(|| {
        let spelled = |op| START.find(&spelled(theory::table().op(op).name));
        theory::table().ids().map(spelled).collect()
    });
    SPELLED[op.index()]
}

impl Default for Pool {
    fn default() -> Self {
        Pool::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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

    #[test]
    fn sorts_are_bounded_in_depth() {
        let mut pool = Pool::new();
        let mut sort = SortId::INT;
        for _ in 1..MAX_SORT_DEPTH {
            sort = pool.sort_id(Sort::Seq(sort)).expect("not too deep yet");
        }
        assert_eq!(pool.sort_id(Sort::Seq(sort)), None);
    }

    #[test]
    fn sorts_are_bounded_in_size() {
        let mut pool = Pool::new();
        let mut sort = SortId::INT;
        for _ in 0..9 {
            sort = pool.sort_id(Sort::Array(sort, sort)).expect("not too large yet");
        }
        assert_eq!(pool.sort_id(Sort::Array(sort, sort)), None);
    }
}
