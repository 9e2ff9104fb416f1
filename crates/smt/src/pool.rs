//! Where sorts, functions and terms live: every equal one once, each by a small number.

use std::hash::{Hash, Hasher};
use std::sync::{Arc, LazyLock};

use hashbrown::HashTable;
use rustc_hash::FxHasher;

use crate::slices::{Rows, Slices};
use crate::sort::{Sort, SortDecl, SortDeclId, SortId, SortList};
use crate::symbol::{Symbol, word};
use crate::term::{
    Attr, AttrList, Binder, BinderList, Case, CaseList, Fun, FunId, FunKind, Head, Index, IndexList, Node,
    TermId,
};
use crate::theory;

/// Sorts nested deeper than this are refused, so that walks over sorts may be plain recursion.
pub const MAX_SORT_DEPTH: u16 = 200;

/// Sorts, functions and terms. Only well-sorted terms get in.
///
/// A pool made by [`Pool::over`] shares everything of its base and adds its own behind it.
#[derive(Clone, Debug)]
pub struct Pool {
    text: Slices<u8>,
    sorts: Slices<SortNode>,
    sort_lists: Slices<SortId>,
    sort_decls: Rows<SortDecl>,
    funs: Rows<Fun>,
    indices: Slices<Index>,
    binders: Slices<Binder>,
    cases: Slices<Case>,
    attrs: Slices<Attr>,
    terms: Terms,
}

/// A pool that no longer grows and is shared.
#[derive(Debug)]
pub struct Base {
    text: Arc<Slices<u8>>,
    sorts: Arc<Slices<SortNode>>,
    sort_lists: Arc<Slices<SortId>>,
    sort_decls: Arc<Rows<SortDecl>>,
    funs: Arc<Rows<Fun>>,
    indices: Arc<Slices<Index>>,
    binders: Arc<Slices<Binder>>,
    cases: Arc<Slices<Case>>,
    attrs: Arc<Slices<Attr>>,
    terms: Arc<Terms>,
}

/// A sort and how deep it is nested, which is a function of the sort.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct SortNode(Sort, u16);

static START: LazyLock<Pool> = LazyLock::new(|| {
    let mut pool = Pool {
        text: Slices::new(),
        sorts: Slices::new(),
        sort_lists: Slices::new(),
        sort_decls: Rows::new(),
        funs: Rows::new(),
        indices: Slices::new(),
        binders: Slices::new(),
        cases: Slices::new(),
        attrs: Slices::new(),
        terms: Terms::new(),
    };
    for text in word::ALL {
        pool.intern(text);
    }
    for name in theory::table().names() {
        pool.intern(name);
    }
    for sort in SortId::FIXED {
        pool.sorts.intern(&[SortNode(sort, 1)]);
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

    /// A pool that shares everything of `base`.
    pub fn over(base: &Base) -> Self {
        Pool {
            text: Slices::over(&base.text),
            sorts: Slices::over(&base.sorts),
            sort_lists: Slices::over(&base.sort_lists),
            sort_decls: Rows::over(&base.sort_decls),
            funs: Rows::over(&base.funs),
            indices: Slices::over(&base.indices),
            binders: Slices::over(&base.binders),
            cases: Slices::over(&base.cases),
            attrs: Slices::over(&base.attrs),
            terms: Terms::over(&base.terms),
        }
    }

    /// Ends the growth of this pool, so that others can stand on it.
    pub fn freeze(self) -> Base {
        Base {
            text: Arc::new(self.text),
            sorts: Arc::new(self.sorts),
            sort_lists: Arc::new(self.sort_lists),
            sort_decls: Arc::new(self.sort_decls),
            funs: Arc::new(self.funs),
            indices: Arc::new(self.indices),
            binders: Arc::new(self.binders),
            cases: Arc::new(self.cases),
            attrs: Arc::new(self.attrs),
            terms: Arc::new(self.terms),
        }
    }

    // ---- text

    /// The text of a symbol.
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

    /// The symbol of `text`, if it has one already.
    pub fn find(&self, text: &str) -> Option<Symbol> {
        self.text.find(text.as_bytes()).map(Symbol)
    }

    // ---- sorts

    /// What a sort is.
    #[inline]
    pub fn sort(&self, id: SortId) -> Sort {
        self.sorts.get(id.0)[0].0
    }

    /// The sort's number. Sorts nested deeper than [`MAX_SORT_DEPTH`] have none.
    pub fn sort_id(&mut self, sort: Sort) -> Option<SortId> {
        let depth = 1 + match sort {
            Sort::Array(a, b) => self.depth(a).max(self.depth(b)),
            Sort::Seq(a) | Sort::Set(a) | Sort::Bag(a) => self.depth(a),
            Sort::Tuple(list) | Sort::Function(list) | Sort::Declared(_, list) => {
                self.sort_list(list).iter().map(|&s| self.depth(s)).max().unwrap_or(0)
            }
            _ => 0,
        };
        (depth <= MAX_SORT_DEPTH).then(|| SortId(self.sorts.intern(&[SortNode(sort, depth)])))
    }

    fn depth(&self, id: SortId) -> u16 {
        self.sorts.get(id.0)[0].1
    }

    /// The number of `(_ BitVec width)`.
    pub fn bitvec(&mut self, width: u32) -> SortId {
        SortId(self.sorts.intern(&[SortNode(Sort::BitVec(width), 1)]))
    }

    /// The sorts of a list.
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

    /// Adds a declared sort.
    pub fn add_sort_decl(&mut self, decl: SortDecl) -> SortDeclId {
        SortDeclId(self.sort_decls.push(decl))
    }

    /// A declared sort of this layer, to be completed.
    pub(crate) fn sort_decl_mut(&mut self, id: SortDeclId) -> Option<&mut SortDecl> {
        self.sort_decls.get_mut(id.0)
    }

    // ---- functions

    /// A function of the script.
    pub fn fun(&self, id: FunId) -> &Fun {
        self.funs.get(id.0)
    }

    /// How many functions there are.
    pub fn fun_count(&self) -> u32 {
        self.funs.len()
    }

    /// Adds a function.
    pub fn add_fun(&mut self, fun: Fun) -> FunId {
        FunId(self.funs.push(fun))
    }

    /// Gives a recursive function of this layer its body.
    pub(crate) fn set_body(&mut self, id: FunId, body: TermId) {
        if let Some(Fun { kind: FunKind::Recursive(_, slot), .. }) = self.funs.get_mut(id.0) {
            *slot = Some(body);
        }
    }

    // ---- parts of terms

    /// The indices of an identifier.
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

    /// The number of a node. The caller has checked its sort.
    #[inline]
    pub(crate) fn add_term(&mut self, head: Head, name: Symbol, sort: SortId, args: &[TermId]) -> TermId {
        self.terms.intern(head, name, sort, args)
    }
}

impl Default for Pool {
    fn default() -> Self {
        Pool::new()
    }
}

/// Hash-consed nodes.
#[derive(Clone, Debug)]
struct Terms {
    base: Option<Arc<Terms>>,
    offset: u32,
    nodes: Vec<Node>,
    args: Vec<TermId>,
    table: HashTable<u32>,
}

impl Terms {
    fn new() -> Self {
        Terms { base: None, offset: 0, nodes: Vec::new(), args: Vec::new(), table: HashTable::new() }
    }

    fn over(base: &Arc<Terms>) -> Self {
        Terms { base: Some(Arc::clone(base)), offset: base.len(), ..Terms::new() }
    }

    fn len(&self) -> u32 {
        self.offset + self.nodes.len() as u32
    }

    fn below(&self) -> &Terms {
        self.base.as_ref().expect("a number below the offset has a base")
    }

    #[inline]
    fn node(&self, id: TermId) -> &Node {
        match id.0.checked_sub(self.offset) {
            Some(own) => &self.nodes[own as usize],
            None => self.below().node(id),
        }
    }

    #[inline]
    fn args(&self, id: TermId) -> &[TermId] {
        match id.0.checked_sub(self.offset) {
            Some(own) => self.args_of(&self.nodes[own as usize]),
            None => self.below().args(id),
        }
    }

    #[inline]
    fn args_of(&self, node: &Node) -> &[TermId] {
        &self.args[node.start as usize..(node.start + node.len) as usize]
    }

    fn find(&self, hash: u64, head: Head, name: Symbol, sort: SortId, args: &[TermId]) -> Option<TermId> {
        if let Some(base) = &self.base
            && let Some(id) = base.find(hash, head, name, sort, args)
        {
            return Some(id);
        }
        self.table
            .find(hash, |&id| {
                let node = &self.nodes[(id - self.offset) as usize];
                node.name == name && node.head == head && node.sort == sort && self.args_of(node) == args
            })
            .map(|&id| TermId(id))
    }

    fn intern(&mut self, head: Head, name: Symbol, sort: SortId, args: &[TermId]) -> TermId {
        let hash = hash(head, name, sort, args);
        if let Some(id) = self.find(hash, head, name, sort, args) {
            return id;
        }
        let id = self.len();
        let start = u32::try_from(self.args.len()).expect("a pool holds fewer than 2^32 arguments");
        self.args.extend_from_slice(args);
        self.nodes.push(Node { head, name, sort, start, len: args.len() as u32 });
        let (nodes, all, offset) = (&self.nodes, &self.args, self.offset);
        self.table.insert_unique(hash, id, |&other| {
            let node = &nodes[(other - offset) as usize];
            let args = &all[node.start as usize..(node.start + node.len) as usize];
            self::hash(node.head, node.name, node.sort, args)
        });
        TermId(id)
    }
}

#[inline]
fn hash(head: Head, name: Symbol, sort: SortId, args: &[TermId]) -> u64 {
    let mut hasher = FxHasher::default();
    // The name tells most heads apart; the rest is left to the comparison.
    hasher.write_u64(u64::from(name.0) << 32 | u64::from(sort.0));
    std::mem::discriminant(&head).hash(&mut hasher);
    for arg in args {
        hasher.write_u32(arg.0);
    }
    hasher.finish()
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
}
